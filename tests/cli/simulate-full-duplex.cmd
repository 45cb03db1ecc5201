gossipfab simulate --topology torus:5x5 --link-mode full --link-latency 3 --gap 5 --packet-tokens 2 --repeat 2
