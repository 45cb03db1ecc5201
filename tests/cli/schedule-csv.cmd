gossipfab schedule --topology mesh:2x2 --solver lau-zhang --format csv 2>summary
grep rounds summary
