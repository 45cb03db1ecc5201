for mode in half full; do
    gossipfab simulate --topology torus:4x4 --link-mode $mode --token-bits 32 --link-bits 32 | grep -v "^lower bound"
done
gossipfab generate --topology mesh:3x3 --token-bits 8 --link-bits 4 -o out | grep -v "^lower bound"
ls out/rom
gossipfab simulate --topology torus:4x4 --store wide --token-bits 32 --link-bits 2 | grep -e round -e nodes -e cycles
