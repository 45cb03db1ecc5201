awk 'BEGIN { for (v = 0; v < 30; v++) { r = int(v / 5); c = v % 5
    print (7 * v + 3) % 30, (7 * (5 * r + (c + 1) % 5) + 3) % 30
    print (7 * v + 3) % 30, (7 * (5 * ((r + 1) % 6) + c) + 3) % 30 } }' > torus.txt
gossipfab schedule -t file:torus.txt | head -n 6
gossipfab schedule -t file:torus.txt --recognise no | head -n 3
gossipfab schedule -t file:torus.txt --solver torus-tree -o s.gfs | head -n 2
gossipfab verify s.gfs | head -n 1
gossipfab schedule -t file:torus.txt --solver torus-tree --recognise no 2>&1
gossipfab schedule -t file:torus.txt -c all-to-all --link-mode full --json | grep -e '"recognised"' -e '"rounds"' -e '"verified"'
gossipfab schedule -t file:torus.txt --solver circgo --link-mode full --routing circuit 2>&1
gossipfab schedule -t file:torus.txt --solver matching --load 1,0,0,0,0,0,0,0,0,0,0,0,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3 --port-mode one --link-mode full | head -n 2
gossipfab schedule -t file:torus.txt --broadcast-from all --port-mode one --link-mode full --packet-tokens 30 | head -n 5
gossipfab advise -t file:torus.txt --startup 5 | head -n 2
gossipfab simulate -t file:torus.txt -c all-reduce | grep -e recognised -e rounds -e right
gossipfab schedule -t file:torus.txt --recognise maybe 2>&1
gossipfab show --schedule s.gfs --recognise no 2>&1
