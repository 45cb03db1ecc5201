gossipfab generate --topology cycle:6 --link-mode full --token-bits 16 --chips 2 --clocks own --link-latency 9 -o out | grep -v "^ *lower bound"
ls out out/tb
grep -E "^module|_[02],|_[02]$|gfab_c" out/gossip_chip_1.v
grep -E "define GF_(CHIPS|HOPS|CHIP_CYCLES)" out/tb/gossip_fabric_parameters.vh
grep -A 6 own_clocks out/manifest.json
gossipfab generate --topology cycle:6 --link-mode full --token-bits 16 --chips 2 --clocks own --link-latency 9 -o out2 --json | grep -E "cables|buffer|slack"
