gossipfab schedule --topology mesh:2x2 -o s.gfs >/dev/null
gossipfab verify --topology mesh:2x2 --link-mode half --hop-rounds 1 s.gfs | tail -1
