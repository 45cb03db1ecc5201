gossipfab schedule --topology mesh:4x4 --solver lau-zhang | grep -v "^lower bound"
