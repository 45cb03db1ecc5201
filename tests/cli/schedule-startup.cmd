gossipfab schedule --topology mesh:4x4 --startup 5/3 -o s.gfs
gossipfab schedule --topology cycle:9 --link-mode full --packet-tokens 9 --startup 0.25 --solver greedy --json
gossipfab verify --startup 2.5 s.gfs
