gossipfab table optimal --max-n 3 --json
