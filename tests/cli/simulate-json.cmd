gossipfab simulate --topology mesh:8x8 --solver lau-zhang --token-bits 32 --link-bits 2 --token-seed 7 --json | grep -e schema -e token -e " \"cycles" -e scheduled
