gossipfab generate --topology cycle:9 --solver circgo --solver-options parts=1 --startup 50 --link-mode full --routing circuit --packet-tokens 9 --token-bits 16 --chips 3 --link-latency 2 -o out | grep -v "^ *lower bound"
ls out
grep -E "^module|link_[0-9]*,?( //.*)?$|u_pad|gfab_pad" out/gossip_chip_1.v
grep -A 1 "o_link" out/tb/gossip_chips.v
