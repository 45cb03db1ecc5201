gossipfab generate --topology mesh:2x2 --axi overlap -o out > /dev/null && grep '"axi"' out/manifest.json
gossipfab generate --topology mesh:2x2 --axi both -o refused 2>&1
echo "exit $?"
ls
