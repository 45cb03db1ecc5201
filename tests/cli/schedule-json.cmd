gossipfab schedule --topology mesh:4x4 --json
