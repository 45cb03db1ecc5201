gossipfab advise --topology mesh:4x4 --link-mode half --packet-tokens 1 --startup 2.5 --token-bits 32
gossipfab advise --topology hypercube:3 --link-mode half --packet-tokens 1 --startup-cycles 40 --json
