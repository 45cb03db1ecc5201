gossipfab schedule --topology torus:3x3 --solver highdimgo --solver-options shares=colours --link-mode full --routing circuit \
    --packet-tokens 18 -o colours.gfs > schedule.txt
gossipfab generate --schedule colours.gfs --token-bits 32 --link-bits 2 --board hx8k -o out &&
grep -E '"(token_bits|parts|part_bits|slots|slot_bits|index_bits|load_bits|words|token_flits)"' out/manifest.json &&
grep -E 'cut in|part' out/README.md
grep -E 'i_load_word|i_read_token|PARTS\(|OWN_SLOT' out/gossip_fabric.v
# Tokens of a few flits are for wide nodes, but these do not cut them: auto takes narrow ones.
cat > pair.gfs << 'END'
gossipfab-schedule 1
topology path:2
link-mode full
port-mode all
packet-tokens 1
hop-rounds 1
solver -
parts 2
rounds 2
packets 4
round 1
0 1:0
1 0:2
round 2
0 1:1
1 0:3
end
END
gossipfab generate --schedule pair.gfs --token-bits 2 --link-bits 1 -o small | grep -E 'tokens  |nodes  |round  |store  '
