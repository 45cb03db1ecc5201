gossipfab schedule --topology path:6 --prove --cnf path.cnf --proof path.drat | grep -e rounds -e proof
ls
