gossipfab generate --topology mesh:2x2 --axi overlap -o out > /dev/null && grep '"axi"' out/manifest.json
for options in "--axi both" "--axi overlap --store wide --token-bits 8 --link-bits 8"; do
    gossipfab generate --topology mesh:2x2 $options -o refused 2>&1
    echo "exit $?"
done
ls
