gossipfab schedule --topology mesh:3x5 --solver greedy --solver-seed 5 -o a.gfs >/dev/null
gossipfab schedule --topology mesh:3x5 --solver greedy --solver-seed 5 -o b.gfs >/dev/null
cmp a.gfs b.gfs && echo same
