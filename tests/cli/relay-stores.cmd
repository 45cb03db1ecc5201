# Relays' stores have slots for what is in transit: how many, in the report, in the folder, and what their ops name.
gossipfab generate --topology mesh:2x3+relay=4 --collective all-gather --token-bits 16 -o out | grep -E '^(store|relays) '
grep -A 8 slots_of_node out/manifest.json
grep -E '"(store_slots|store_bits|relay_store_bits)"' out/manifest.json
grep 'stores of relays' out/README.md
gossipfab generate --topology mesh:2x3+relay=1,4 --collective all-reduce,barrier -o out --force | grep -E '^relays '
gossipfab generate --topology mesh:2x3+relay=1,4 --collective all-reduce,barrier -o out --force --json | grep store_bits
gossipfab show --topology mesh:2x3+relay=4 --rom 4 | head -n 8
gossipfab simulate --topology mesh:2x3+relay=4 --collective all-to-all --token-bits 16 | tail -n 2
