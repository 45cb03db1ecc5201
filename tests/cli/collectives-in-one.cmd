gossipfab simulate --topology mesh:3x3 --collective all-gather,all-reduce,barrier
gossipfab simulate --topology cycle:5 --collective barrier,reduce,broadcast --operator all --blocks 2 --root 3 --repeat 8 --trace t.csv | grep -E '^(program|cycles|measured|gossips|tokens  )'
gossipfab schedule --topology mesh:2x3 --collective all-reduce --blocks 2 -o a.gfs > /dev/null
gossipfab schedule --topology mesh:2x3 -o b.gfs > /dev/null
gossipfab simulate --schedule a.gfs,b.gfs | grep -E '^(program|measured|tokens  )'
gossipfab generate --topology mesh:2x2 --collective all-gather,all-reduce,barrier -o out | grep -E '^(program|ROM|cycles)'
grep -A 7 '"collective": "' out/manifest.json
refused() { gossipfab generate --topology mesh:2x2 -o no "$@" 2>&1; }
refused --collective all-gather,all-gossip
refused --collective all-gather,
refused --collective all-gather,barrier --blocks 2
refused --collective all-gather,barrier --root 1
refused --collective all-gather,broadcast --gap 3
refused --collective all-gather,all-reduce --rom-rounds 4
refused --collective all-gather,all-reduce --idempotent --operator sum
gossipfab generate --schedule a.gfs,missing.gfs -o no 2>&1
gossipfab schedule --topology mesh:2x2 --collective all-gather,barrier 2>&1
gossipfab generate --topology mesh:2x3 --collective all-gather:12,all-reduce:1 -o own | grep -E '^(program|store|cycles)'
gossipfab simulate --topology mesh:2x3 --collective all-gather:12,all-reduce:1,broadcast --blocks 3 | grep -E '^(program|measured|tokens  )'
gossipfab generate --topology mesh:2x3 --collective all-gather:13,all-reduce -o out2 2>&1
gossipfab generate --topology mesh:2x3 --collective all-gather:,all-reduce -o out2 2>&1
gossipfab generate --topology mesh:2x3 --collective all-gather,all-reduce:1x -o out2 2>&1
gossipfab simulate --topology mesh:2x3 --collective all-gather,all-reduce,barrier --store wide --token-bits 16 --link-bits 4 --repeat 3 | grep -E '^(program|measured|nodes|tokens  )'
gossipfab simulate --topology mesh:2x3 --collective reduce,all-gather,all-reduce --operator bfloat16 --link-bits 16 | grep -E "^(program|measured|chains|nodes|tokens  )"
