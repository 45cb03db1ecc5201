for blocks in 16 64; do gossipfab generate --topology torus:4x4 --link-mode full --link-bits 32 --collective all-reduce --blocks $blocks -o out --force | grep -E "^(rounds|cycles|ring)"; done
