# What a file calls a node is found in all that is made of it.
cat > rack.dot <<'END'
graph { leaf [relay=true]; b0g0 -- leaf; b0g1 -- leaf; b1g0 -- leaf; b0g0 -- b0g1 [bandwidth="50 GB/s"] }
END
gossipfab bound file:rack.dot --json > /dev/null 2> err || sed 's/.*: line/line/' err
sed -i 's/ \[bandwidth="50 GB.s"\]/ [packets=2, colour=red]/' rack.dot
gossipfab schedule file:rack.dot --collective broadcast --root b1g0 -o s.gfs | head -n 3
grep ^topology s.gfs
gossipfab show s.gfs --node b1g0 | tail -n +7
gossipfab show file:rack.dot+drop-node=b0g1 --collective all-reduce --expression 0
gossipfab show file:rack.dot --rom leaf | head -n 1
gossipfab bound file:rack.dot --json | grep -A 5 '"names"'
gossipfab convert s.gfs --to mscclpp 2> /dev/null | head -n 1
gossipfab convert file:rack.dot --to graphml 2> /dev/null | grep -c b0g0
gossipfab show file:rack.dot+weight=b0g0-b0g1:1 --html page.html > /dev/null
grep -o '"names":.*' page.html
gossipfab generate file:rack.dot+weight=b0g0-b0g1:1 -o fabric > /dev/null
grep -A 5 '"names"' fabric/manifest.json
grep '// node' fabric/gossip_fabric.v
gossipfab schedule file:rack.dot --collective broadcast --root leaf 2>&1
gossipfab schedule file:rack.dot --collective broadcast --root b9g9 2>&1
gossipfab bound file:rack.dot+relay=b9g9 2>&1 | sed 's/.*: no/no/'
