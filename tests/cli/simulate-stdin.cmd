gossipfab schedule --topology cycle:5 --format gfs 2>/dev/null | gossipfab simulate --schedule - --links | tail -6
