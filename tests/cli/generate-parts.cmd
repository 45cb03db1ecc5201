gossipfab schedule --topology torus:3x3 --solver highdimgo --solver-options shares=colours --link-mode full --routing wormhole \
    --packet-tokens 18 -o colours.gfs > schedule.txt
gossipfab generate --schedule colours.gfs --token-bits 32 --link-bits 2 --board hx8k -o out &&
grep -E '"(token_bits|parts|part_bits|slots|slot_bits|index_bits|load_bits|words|token_flits)"' out/manifest.json &&
grep -E 'cut in|part' out/README.md
grep -E 'i_load_word|i_read_token|localparam (PARTS|SLOTS)|OWN_SLOT' out/gossip_fabric.v | head -n 8
# A part of four flits would do for wide nodes, which take whole tokens: auto has narrow ones.
gossipfab generate --schedule colours.gfs --token-bits 16 --link-bits 2 -o small | grep -E 'tokens  |store  '
