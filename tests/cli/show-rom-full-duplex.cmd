gossipfab show --topology path:3 --link-mode full --solver greedy --rom 1
