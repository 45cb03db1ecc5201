F1="--link-mode full --port-mode one --packet-tokens 24"
gossipfab schedule --topology pancake:4 --solver colouring $F1 --solver-options rounds=02102 -o s.gfs
gossipfab verify s.gfs | tail -n 1
gossipfab schedule --topology butterfly:3 --solver colouring $F1 --json | grep -e rounds\" -e transfers -e sequence
printf '0-1 2-3 # ends\n1-2\n' >m.txt
gossipfab schedule --topology path:4 --solver colouring $F1 --solver-options matchings=file:m.txt | grep sequence
