cat >s.gfs <<'END'
gossipfab-schedule 4
topology path:3
link-mode full
port-mode all
packet-tokens 1
hop-rounds 1
solver -
collective all-reduce
blocks any
period 2
group 2
rounds 4
packets 8
round 1
0 1:+0
2 1:+1
round 2
2 1:+0
0 1:+1
round 3
1 0:0
1 2:1
round 4
1 2:0
1 0:1
end
END
gossipfab verify s.gfs
gossipfab verify --json s.gfs | sed -n '/"goal"/,/"solver"/p'
gossipfab verify --blocks 7 s.gfs | grep -v '^lower\|^ '
gossipfab verify --blocks 2000000000 s.gfs | grep '^rounds\|^moves'
gossipfab convert s.gfs --blocks 3 -o three.gfs | tail -n 2
diff s.gfs three.gfs
gossipfab convert three.gfs --blocks any | cmp - s.gfs
gossipfab convert s.gfs --blocks 3 --to csv 2>/dev/null
gossipfab show --schedule s.gfs --expression 0
gossipfab show --schedule s.gfs --expression 1
gossipfab show --schedule s.gfs --expression 1000001
gossipfab show --schedule s.gfs --expression 123 --granule 40
gossipfab show --schedule s.gfs --round 3 | tail -n 5
gossipfab show --schedule s.gfs --blocks 3 | tail -n 6
gossipfab show --schedule s.gfs --html any.html
gossipfab show --schedule s.gfs --blocks 5 --html five.html
gossipfab simulate --schedule s.gfs --blocks 5 --token-bits 8 | grep '^rounds\|^finished\|^good\|^verified\|^result'
gossipfab generate --schedule s.gfs --blocks 5 --token-bits 8 -o made | grep '^rounds'
gossipfab convert s.gfs --blocks 5 --to csv >s.csv 2>/dev/null
listed="--schedule s.csv --topology path:3 -c all-reduce --blocks 5 --link-mode full"
gossipfab generate $listed --token-bits 8 -o listed >/dev/null
diff -rq made/rom listed/rom && echo "the same ROMs"
gossipfab convert three.gfs --to msccl -o three.xml | tail -n 1
gossipfab convert three.xml | gossipfab verify - | grep '^rounds\|^moves\|^good'
sed 's/^period 2/period 1/' s.gfs >bad.gfs
gossipfab verify bad.gfs 2>&1
