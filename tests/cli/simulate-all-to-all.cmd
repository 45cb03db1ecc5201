for mode in half full; do
    gossipfab simulate --topology torus:4x4 --collective all-to-all --link-mode $mode --token-bits 32 --link-bits 32 |
        grep -v "^lower bound"
done
gossipfab generate --topology cycle:5 --collective all-to-all --store wide --token-bits 8 --link-bits 4 -o out |
    grep -v "^lower bound"
ls out/rom
