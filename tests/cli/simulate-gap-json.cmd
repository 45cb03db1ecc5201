gossipfab simulate --topology cycle:9 --gap 5 --link-latency 1 --json | head -52
