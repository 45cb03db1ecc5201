gossipfab show --topology path:2 --json | tail -36
