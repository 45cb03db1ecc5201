# Reports on graphs with relays speak of members where relays are not meant; where every solver refuses, the line says
# why, not why the last one did.
gossipfab show --topology fat-tree:4 --link-mode full --svg - --style rounds --rounds 1-1 2>&1 | grep -o 'every [a-z]* ends[^<]*'
gossipfab show --topology mesh:2x2 --svg - | grep -o 'every [a-z]* ends[^<]*'
gossipfab schedule --topology mesh:2x2 --load 2,0,1,1 -o load.gfs > load.txt
gossipfab show --schedule load.gfs --svg - --style rounds | grep -o 'every [a-z]* ends[^<]*'
gossipfab show --topology path:3+hosts --collective all-reduce --expression 0
gossipfab show --topology path:3 --collective all-reduce --expression 0
gossipfab bound --topology path:3+hosts | grep apart
gossipfab bound --topology path:3 --collective all-reduce | grep apart
for refused in "schedule --topology mesh:3x3 --collective all-reduce --rounds 2" \
    "schedule --topology mesh:3x3+relay=4:forward --collective all-reduce" \
    "schedule --topology path:3+hosts --collective all-reduce --solver host-tree" \
    "schedule --topology fat-tree:4 --broadcast-from 3" "schedule --topology fat-tree:4 --collective broadcast --root 20" \
    "show --topology path:3+hosts --collective all-reduce --solver host-tree --expression 0"; do
    gossipfab $refused 2>&1
    echo "exit $?"
done
ls
