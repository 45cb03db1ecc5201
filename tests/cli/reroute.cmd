gossipfab schedule --topology mesh:3x3 -o s.gfs >/dev/null
gossipfab generate --schedule s.gfs --frame absolute --rom-rounds 16 -o out >/dev/null
gossipfab reroute s.gfs +drop-link=3-4+drop-node=8 --solver greedy --frame absolute --rom-rounds 16 -o out
gossipfab reroute s.gfs +drop-node=4 --solver greedy --frame absolute --rom-rounds 16 -o out --json
grep -e '"dropped"' -e '"survivors"' out/manifest.json
gossipfab generate --schedule s.gfs --board hx8k --rom block -o board >/dev/null
gossipfab reroute s.gfs +drop-link=3-4 --board hx8k --rom block -o board
