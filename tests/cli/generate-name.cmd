gossipfab generate --topology path:4 --link-mode full --link-latency 2 --chips 2 --name ring --token-bits 16 -o out > /dev/null &&
ls -R out && grep -E '"(name|rom)' out/manifest.json | sed 's/": "[0-9a-f]\{8\}"/"/' && grep -E '^name|rom/' out/ring.core && grep -hE '^module' out/*.v
cd out && grep -n gossip_ ./*.core ./*.f ./*.vlt
cd .. && for name in 1st two-words module small logic gfab_node tb_mine board_top gossip_chip_0 TOP bool aux CON \
    Signal entity component BEGIN a__b ab_ main \
    a2345678901234567890123456789012345678901; do
    gossipfab generate --topology mesh:2x2 --name $name -o refused 2>&1
    echo "exit $?"
done
ls
