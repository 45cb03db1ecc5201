gossipfab generate --topology path:3 --token-bits 13 --link-bits 1 --ports node -o out > /dev/null && ls out/*_nodes.v &&
grep -hE '_01|s01|m01|assign' out/*_nodes.v; sed -n '/_axis_nodes/,$p' out/README.md
gossipfab generate --topology path:2 --token-bits 16 --ports node-tkeep -o keep > /dev/null && grep -h tkeep keep/*_nodes.v
gossipfab generate --topology path:2 --ports nodes -o refused 2>&1
echo "exit $?"
