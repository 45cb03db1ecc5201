gossipfab table optimal --solver lau-zhang --max-n 5 --format csv
