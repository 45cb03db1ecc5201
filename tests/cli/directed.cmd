# Links that go one way, or carry more one way: every report, what is written and read again, what refuses.
ring=cycle:4+weight=0-1:1/0+weight=1-2:1/0+weight=2-3:1/0+weight=3-0:1/0
gossipfab schedule --topology $ring --link-mode full -o s.gfs
sed -n 2p s.gfs
gossipfab verify s.gfs | tail -n 1
sed 's/^0 1:0$/1 0:1/' s.gfs > turned.gfs
gossipfab verify turned.gfs 2>&1 | tail -n 1
gossipfab bound --topology $ring --link-mode full --collective all-reduce
printf 'digraph { a -> b [packets=3]; b -> a; b -> c -> a }\n' > g.dot
gossipfab bound --topology file:g.dot --collective broadcast --link-mode full --certificate c.txt
cat c.txt
gossipfab bound --check c.txt
gossipfab convert --topology file:g.dot --to graphml -o g.graphml
grep edge g.graphml
gossipfab schedule --topology file:g.graphml --collective broadcast --blocks 100 --link-mode full
printf '0 -> 1\n1 -> 2\n2 0\n' > g.txt
gossipfab schedule --topology file:g.txt --collective barrier --link-mode full | grep -v argument
gossipfab schedule --topology file:g.txt --solver search 2>&1
for refused in "generate --topology $ring --stream -c all-reduce -o out" "schedule --topology $ring --collective all-reduce --blocks 3 --prove" "convert s.gfs --to msccl -o s.xml" \
    "bound --topology $ring --startup 5" \
    "schedule --topology path:3+weight=0-1:1/0"; do
    gossipfab $refused 2>&1
    echo "exit $?"
done
ways="graph:4:0-3,1-3,2-3+relay=3:switch+weight=0-3:2/1"
gossipfab schedule $ways --link-mode full -c reduce-scatter --blocks 6 | grep '^solver\|^rounds\|^verified'
gossipfab schedule $ways | grep '^solver\|^rounds\|^verified'
gossipfab schedule $ways --packet-tokens 2 2>&1
