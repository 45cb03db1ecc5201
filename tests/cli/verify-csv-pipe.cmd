gossipfab schedule --topology mesh:4x4 --format csv 2>/dev/null | gossipfab verify --topology mesh:4x4 - | tail -1
