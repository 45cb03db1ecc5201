gossipfab table lau-zhang --max-n 2 --json
