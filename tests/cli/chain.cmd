gossipfab simulate --topology mesh:3x3 --collective all-reduce --operator bfloat16 --token-bits 64 --link-bits 16 --repeat 3 | grep -E '^(round|hop|chains|nodes|cycles|measured|operator|tokens  )'
gossipfab simulate --topology torus:3x3 --link-mode full --collective reduce-scatter --operator bfloat16 --operator-latency 0 --token-bits 32 --link-bits 32 | grep -E '^(round|hop|chains|cycles|measured|tokens  )'
echo 'module gossip_fabric_operator; endmodule' > mine.v
gossipfab generate --topology cycle:5 --collective all-reduce --operator user:mine.v --operator-latency 3 --token-bits 24 --link-bits 12 -o out > /dev/null
ls out/rtl
ls out/*_operator.v
grep -E '"(operator|operator_cycles|merges|cycles_per_round)"' out/manifest.json
refused() { gossipfab "$1" --topology mesh:2x2 --collective all-reduce "${@:2}" 2>&1; echo "exit status $?"; ls no 2> /dev/null; }
refused generate -o no --operator bfloat16
refused generate -o no --operator bfloat16 --token-bits 24 --link-bits 24
refused generate -o no --operator bfloat16 --link-bits 16 --store narrow
refused generate -o no --operator bfloat16 --link-bits 16 --idempotent
refused generate -o no --operator bfloat16 --link-bits 16 --operator-latency 16
refused generate -o no --operator sum --operator-latency 1
refused simulate --operator user --link-bits 16
refused simulate --operator user:mine.v --link-bits 16
refused generate -o no --operator user --link-bits 16
refused generate -o no --operator user:mine.v --link-bits 16 --name other
words() { gossipfab generate "$@" --stream --store wide -o no 2>&1 | tail -n 1; rm -rf no; }
words mesh:2x2 --collective reduce --operator float32 --token-bits 48 --link-bits 48
words mesh:2x2 --collective reduce --operator user:mine.v --token-bits 16 --link-bits 16
gossipfab generate mesh:2x2 --collective all-reduce --operator float32 --link-bits 32 -o no 2>&1
gossipfab schedule mesh:2x2+hosts --collective reduce --blocks any --link-mode full --solver host-tree -o in.gfs > /dev/null
words --schedule in.gfs --operator float32 --token-bits 32 --link-bits 32
sed 's/^rounds 4/rounds 5/; s/^round 4/round 5/; /^1 0:+0/d; s/^2 0:+0/&\nround 4\n1 0:+0/' in.gfs > late.gfs
words --schedule late.gfs --operator float32 --token-bits 32 --link-bits 32
words --schedule late.gfs --operator sum --token-bits 32 --link-bits 32
words mesh:2x2 --collective reduce --link-mode half --token-bits 8 --link-bits 8
words mesh:2x2 --collective all-reduce --link-mode half --token-bits 8 --link-bits 8
words mesh:2x2 --collective broadcast --link-mode half --token-bits 8 --link-bits 8 --host-words 2
