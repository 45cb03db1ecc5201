gossipfab schedule --topology mesh:3x3 --format gfs 2>/dev/null | gossipfab verify - | tail -1
