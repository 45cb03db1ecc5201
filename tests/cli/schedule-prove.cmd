numbers='s/[0-9]+ (variables|clauses|conflicts)/N \1/g'
gossipfab schedule --topology path:5 --port-mode one --prove --cnf path.cnf --proof path.drat -o path.gfs | sed -E "$numbers"
grep -c '^p cnf' path.cnf
tail -n 1 path.drat
gossipfab verify path.gfs | tail -n 1
ls
