ports="--link-mode full --port-mode one"
gossipfab schedule --topology debruijn:6 $ports --broadcast-from 9
gossipfab schedule --topology debruijn:6 $ports --broadcast-from worst --json | grep -e broadcast_from -e '"rounds": [78],' -e solver
gossipfab schedule --topology debruijn:6 $ports --broadcast-from all
gossipfab schedule --topology mesh:2x3 $ports --broadcast-from all --json | tail -n 17
gossipfab schedule --topology mesh:3x3 --broadcast-from 4 --solver matching $ports --packet-tokens 9 -f csv 2>/dev/null
