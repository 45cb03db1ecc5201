gossipfab list topologies
