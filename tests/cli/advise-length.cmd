gossipfab advise --topology path:4 --link-mode full -c broadcast --bytes 100 --bandwidth 1 --latency 0.008
gossipfab advise --topology torus:3x3 -c all-reduce --bytes 1000,1000000 --bandwidth 25 --latency 0.5 --csv -
gossipfab advise --topology mesh:2x2 -c all-to-all --bytes 64 --bandwidth 1 --json
gossipfab advise --topology mesh:2x2 -c barrier --bytes 1 --bandwidth 1 --latency 3
gossipfab advise --topology graph:3:0-2,1-2+relay=2:switch -c broadcast --bytes 100 --bandwidth 1 --latency 1 --solvers library/algorithm=binomial
gossipfab advise --topology graph:3:0-2,1-2+relay=2:switch --link-mode half -c broadcast --bytes 100 --bandwidth 1 --latency 1 --solvers library/algorithm=binomial
$(gossipfab advise --topology path:4 --link-mode full -c broadcast --bytes 100 --bandwidth 1 --latency 0.008 | sed -n 's/^first *//p') | grep '^verified'
