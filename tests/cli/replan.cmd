gossipfab schedule --topology torus:4x4 --link-mode full -c broadcast --blocks any -o s.gfs >/dev/null
gossipfab replan s.gfs +drop-link=5-6 -o t.gfs
gossipfab verify t.gfs | grep good
gossipfab replan s.gfs +weight=5-6:2+drop-link=0-1 --json
gossipfab schedule --topology mesh:3x3 -c all-reduce -o a.gfs >/dev/null
gossipfab replan a.gfs +drop-link=3-4 -o - 2>/dev/null | gossipfab verify - | grep good
gossipfab schedule --topology mesh:3x3 -o g.gfs >/dev/null
gossipfab replan g.gfs +drop-link=3-4
