gossipfab schedule --topology torus:4x4 --link-mode full -c broadcast --blocks any -o s.gfs >/dev/null
gossipfab replan s.gfs +drop-link=5-6 -o t.gfs
gossipfab verify t.gfs | grep good
gossipfab replan s.gfs +weight=5-6:2+drop-link=0-1 --json
gossipfab schedule --topology mesh:3x3 -c all-reduce -o a.gfs >/dev/null
gossipfab replan a.gfs +drop-link=3-4 -o - 2>/dev/null | gossipfab verify - | grep good
gossipfab schedule --topology mesh:3x3 -o g.gfs >/dev/null
gossipfab replan g.gfs +drop-link=3-4
gossipfab replan g.gfs +weight=0-1:1 -o h.gfs
cmp g.gfs h.gfs
gossipfab replan g.gfs +weight=0-1:2 -o h.gfs | grep plan
diff g.gfs h.gfs
gossipfab replan a.gfs +drop-node=4 --json | grep -E '"(how|rounds|blocks)"'
gossipfab schedule cycle:5 --port-mode one -c broadcast -o p.gfs >/dev/null
gossipfab replan p.gfs +drop-node=2 | grep -E 'plan|rounds'
gossipfab replan p.gfs +drop-node=0
echo exit $?
gossipfab schedule torus:4x4 --link-mode full -c all-reduce -o w.gfs >/dev/null
gossipfab replan w.gfs +drop-link=11-15 | grep -E 'plan|rounds|kept'
