gossipfab schedule --topology mesh:3x3 -o s.gfs >/dev/null
gossipfab verify s.gfs | grep -v "^lower bound"
