gossipfab show --topology mesh:3x3 --node 4 --round 2 | tail -4
