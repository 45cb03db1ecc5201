gossipfab schedule --topology mesh:3x3 --collective all-reduce -o s.gfs
sed -n 8,13p s.gfs
gossipfab verify s.gfs | tail -n 1
gossipfab schedule --topology path:4 --collective reduce-scatter --format csv 2> summary
grep -E '^(collective|verified)' summary
gossipfab schedule --topology path:3 --blocks 6 | grep -E '^(rounds|verified)'
printf "round,from,to,block,combine\n1,0,1,0,1\n1,2,1,0,1\n2,1,0,0,0\n2,1,2,0,1\n" >s.csv
gossipfab verify --topology path:3 --collective all-reduce --blocks 1 --json s.csv | head -n 14
gossipfab bound --topology mesh:4x4 --collective all-reduce --link-mode full | grep '^\*'
gossipfab show --schedule s.gfs --expression 4
gossipfab show --topology path:4 --collective reduce-scatter --expression 2
gossipfab show --schedule s.gfs --round 12 | sed -n '2p;6,8p'
gossipfab show --schedule s.gfs --svg s.svg
grep -c 'stroke-dasharray="3 2"' s.svg
