# Relays and weighted links: every report, the C model, what refuses.
gossipfab schedule --topology mesh:3x3+relay=4 --collective all-reduce --link-mode full -o s.gfs
sed -n 2p s.gfs
gossipfab verify s.gfs | tail -n 1
gossipfab bound --topology path:4+members=0,3+weight=1-2:3
gossipfab simulate --topology mesh:2x3+relay=1,4 --token-bits 16 | tail -n 2
gossipfab show --topology path:3+relay=1 --collective reduce --expression 0
gossipfab schedule --topology path:3+relay=1 --prove | tail -n 1
gossipfab schedule --topology path:3+relay=1 --startup 5 | grep cost
gossipfab schedule --topology star:3+members=0,3 --routing circuit --packet-tokens 2 --startup 5 -c all-reduce | grep cost
printf 'graph { a -- s -- b [packets=2]; s -- c; s [relay=true] }\n' > star.dot
gossipfab schedule --topology file:star.dot -o star.gfs | head -n 1
sed -n 2p star.gfs
gossipfab convert star.gfs --to graphml -o - | grep data
for refused in "schedule --topology path:3+relay=1 --solver greedy" "simulate --topology path:3+weight=0-1:2 --store narrow" \
    "generate --topology path:3+relay=1 --board hx8k -o out" "convert star.gfs --to msccl -o s.xml" \
    "bound --topology path:3+relay=1 --startup 5" "show --topology path:3+relay=1 --html s.html"; do
    gossipfab $refused 2>&1
    echo "exit $?"
done
ls
gossipfab schedule --topology path:4+weight=1-2:3 --solver search 2>&1
