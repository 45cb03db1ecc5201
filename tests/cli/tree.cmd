# A gossip on a torus kept as one tree: the same packets, ROMs and run as without; torus:256x256 is refused where all
# its packets are asked for.
tree="-t torus:3x3 -s torus-tree --solver-options keep=tree"
packets="-t torus:3x3 -s torus-tree --solver-options keep=packets"
gossipfab schedule $tree -o t.gfs
gossipfab schedule $packets -o p.gfs > /dev/null
cat t.gfs
gossipfab verify t.gfs
gossipfab convert t.gfs --to gfs -o again.gfs > /dev/null && cmp t.gfs again.gfs && echo same
for format in csv sccl msccl graphviz; do
    gossipfab convert t.gfs --to $format -o t > /dev/null && gossipfab convert p.gfs --to $format -o p > /dev/null
    cmp t p && echo same
done
for options in "--round 2" "--rom 4" "--svg - --style dot-wire" "--html -"; do
    cmp <(gossipfab show --schedule t.gfs $options) <(gossipfab show --schedule p.gfs $options) && echo same
done
cmp <(gossipfab simulate --schedule t.gfs --trace -) <(gossipfab simulate --schedule p.gfs --trace -) && echo same
gossipfab generate --schedule t.gfs -o t.out > /dev/null && gossipfab generate --schedule p.gfs -o p.out > /dev/null
diff -r t.out p.out && echo same
for which in t p; do
    gossipfab generate --schedule $which.gfs --frame absolute --rom-rounds 16 -o $which.old > /dev/null
    gossipfab reroute $which.gfs +drop-link=0-1 --frame absolute --rom-rounds 16 -o $which.old > /dev/null
done
diff -r t.old p.old && echo same
gossipfab schedule -t torus:256x256 -o large.gfs
for command in "show --schedule large.gfs" "show --schedule large.gfs --node 3" "convert large.gfs --to csv" \
    "convert large.gfs --to graphviz" "simulate --schedule large.gfs" "generate --schedule large.gfs -o out"; do
    gossipfab $command 2>&1
    echo "exit $?"
done
