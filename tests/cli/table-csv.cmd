gossipfab table lau-zhang --max-n 4 --format csv
