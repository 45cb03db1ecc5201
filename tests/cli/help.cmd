gossipfab --help
