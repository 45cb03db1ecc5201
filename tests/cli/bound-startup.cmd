gossipfab bound --topology cycle:729 --link-mode full --routing circuit --packet-tokens 729 --startup 50
gossipfab bound --topology path:27 --link-mode full --routing circuit --packet-tokens 27 --startup 1/3 --json
