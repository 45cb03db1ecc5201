gossipfab table lau-zhang --max-n 8
