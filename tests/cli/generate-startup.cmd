model="--link-mode full --routing circuit --packet-tokens 16 --startup 101/2"
solver="--topology torus:4x4 --solver highdimgo --solver-options phases=2:2,shares=one,cut=1"
gossipfab generate $solver $model --gap 200 --token-bits 32 -o direct | grep -v "^ *lower bound"
gossipfab schedule $solver $model -o s.gfs > schedule.txt
gossipfab generate --schedule s.gfs --gap 200 --token-bits 32 -o from-file > report.txt
grep -c "^cost " schedule.txt report.txt
diff -r direct from-file
gossipfab simulate --topology cycle:9 --routing circuit --link-mode full --packet-tokens 9 --solver approach2 --startup 5/3 --json | grep -E '"(startups|transfers|startup|cost|cycles)": '
gossipfab simulate --schedule s.gfs --gap 200 --token-bits 32 --startup 101/2 | grep -E "^(cost|cycles|measured)"
gossipfab show --topology path:3 --routing circuit --link-mode full --packet-tokens 3 --solver approach2 --startup 4 --round 1 | grep -v "^ *lower bound"
