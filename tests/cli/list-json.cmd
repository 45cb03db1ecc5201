gossipfab list topologies --json
