gossipfab simulate --topology mesh:4x4 --collective all-reduce --operator all --repeat 8 | grep -E '^(cycles|measured|operator|tokens  )'
gossipfab simulate --topology torus:3x3 --collective reduce-scatter --operator min --token-bits 20 | grep -E '^(cycles|operator|tokens  )'
gossipfab simulate --topology torus:3x3 --link-mode full --collective all-reduce --operator umin --token-bits 24 | grep -E '^(cycles|operator|tokens  )'
gossipfab generate --topology mesh:2x2 --collective all-reduce --operator umax --token-bits 8 -o out > /dev/null
ls out out/rtl
grep -E 'blocks|operator' out/manifest.json | sed 's/": "[0-9a-f]\{8\}"/"/'
refused() { gossipfab generate --topology mesh:2x2 "$@" -o no 2>&1; }
refused --operator sum
refused --collective broadcast --operator xor
refused --collective all-to-all --operator bfloat16 --link-bits 16 --token-bits 32
refused --collective all-gather,broadcast --operator all
refused --collective all-reduce --operator product
refused --collective all-reduce --link-latency 1
refused --collective all-reduce --store wide --operator all
refused --collective all-reduce --frame relative
refused --collective all-reduce --chips 1x2
