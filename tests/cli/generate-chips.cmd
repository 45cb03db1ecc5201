gossipfab generate --topology mesh:2x4 --solver greedy --token-bits 16 --chips 2x2 --link-latency 3 --gap 6 -o out | grep -v "^lower bound"
ls out
grep -E "^module|inout|o_trace_pad_drive" out/gossip_chip_1.v
