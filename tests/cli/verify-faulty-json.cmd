printf "round,from,to,token\n1,0,1,0\n1,1,0,1\n" >s.csv
gossipfab verify --topology path:2 --json s.csv | head -13
