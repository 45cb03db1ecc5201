gossipfab generate --topology mesh:2x2 --token-bits 32 --link-bits 2 -o out >/dev/null
gossipfab schedule --topology mesh:2x2 -o s.gfs >/dev/null
gossipfab generate --schedule s.gfs --token-bits 16 --link-bits 4 -o out --force --json | tail -22
