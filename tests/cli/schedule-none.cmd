gossipfab schedule --topology mesh:3x3 --format none | tail -1
