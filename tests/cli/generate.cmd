gossipfab generate --topology mesh:2x2 --solver lau-zhang --token-bits 32 --link-bits 2 -o out | grep -v "^lower bound"
test -d out && ls
