# To another tool's format and back: the same file. What another tool wrote gets rounds.
gossipfab schedule --topology mesh:2x3 -c all-reduce --link-mode full -o s.gfs > /dev/null
gossipfab convert s.gfs --to msccl -o s.xml
gossipfab convert s.xml --to sccl -o s.json > /dev/null
gossipfab convert s.json -o again.gfs --json
cmp s.gfs again.gfs && echo same
sed -e '/^<!--/,/-->/d' -e 's/ block=.*place="[0-9]*"//' s.xml > foreign.xml
gossipfab verify foreign.xml
gossipfab schedule --topology path:2 --format msccl
gossipfab convert s.gfs --to graphviz 2> /dev/null
gossipfab convert -t path:3 --to graphml
gossipfab convert s.gfs --to smi -o g.json --json
gossipfab bound -t file:g.json | head -n 1
gossipfab convert s.gfs --to chakra --bytes 64 -o traces > /dev/null
ls traces
cat traces/system.json traces/network.yml traces/network.txt
gossipfab convert traces --to gfs 2> /dev/null | cmp - s.gfs && echo same
gossipfab list formats
gossipfab convert s.gfs --to csv 2> report.txt | head -n 3
head -n 1 report.txt
gossipfab convert s.gfs --to msccl --multicast 2>&1
gossipfab convert s.gfs --to mscclpp --multicast 2>&1
gossipfab verify s.gfs --html fault.html 2>&1
gossipfab convert s.gfs --to msccl-microsoft | grep -c 'maxBytes="2147483647"'
