F1="--link-mode full --port-mode one --packet-tokens 24"
gossipfab schedule --topology debruijn:4 $F1 | grep -v -e 'link use' -e moves
gossipfab schedule --topology mesh:3x3 --solver exhaustive $F1 --startup 50 --json | grep -e rounds\": -e transfers
