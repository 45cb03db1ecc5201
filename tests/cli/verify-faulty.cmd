gossipfab schedule --topology mesh:2x2 --solver lau-zhang --format csv 2>/dev/null | sed "/^3,3,2,/d" >s.csv
gossipfab verify --topology mesh:2x2 s.csv
