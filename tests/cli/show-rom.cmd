gossipfab show --topology mesh:2x2 --rom 3
