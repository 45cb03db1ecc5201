gossipfab simulate --topology path:2 --token-bits 8 --link-bits 4 --trace t.csv --vcd t.vcd | tail -1
cat t.csv
head -20 t.vcd
ls
