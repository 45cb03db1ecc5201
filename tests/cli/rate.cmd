gossipfab bound --topology mesh:4x4 --collective all-reduce --link-mode full --bytes 1000000 --bandwidth 25 --certificate c.txt | tail -n 3
gossipfab bound --check c.txt
sed -i "s/^demand 30/demand 31/" c.txt
gossipfab bound --check c.txt 2>&1
