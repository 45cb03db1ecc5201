gossipfab bound --topology mesh:4x4 | cut -c1-21 | sed 's/ *$//'
