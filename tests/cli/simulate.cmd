gossipfab simulate --topology mesh:4x4 --solver lau-zhang --token-bits 32 --link-bits 2 --repeat 3 --rounds | grep -v "^lower bound"
