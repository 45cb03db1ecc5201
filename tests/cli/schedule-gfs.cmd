gossipfab schedule --topology path:3 --solver lau-zhang --format gfs 2>/dev/null
