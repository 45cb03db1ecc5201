gossipfab simulate --topology torus:3x3x3 --store narrow --token-bits 24 --link-bits 8 | grep -e cycles -e tokens
