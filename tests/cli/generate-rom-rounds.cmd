gossipfab generate --topology mesh:2x2 --rom-rounds 9 -o out | grep ^ROM
