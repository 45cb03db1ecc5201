gossipfab schedule --topology mesh:4x4 --format csv -o s.csv >/dev/null
gossipfab verify --topology mesh:4x4 s.csv | tail -1
