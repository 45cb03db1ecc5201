gossipfab schedule --help
