printf '# four boards in a ring, one more on a cable\n0 1\n1 2\n2 3\n3 0\n3 4\n' > boards.txt
printf 'graph boards { a -- b -- c -- d -- a; d -- e [label="cable"] }\n' > boards.dot
printf '5 5\n2 4\n1 3\n2 4\n1 3 5\n4\n' > boards.graph
gossipfab schedule --topology file:boards.txt -o s.gfs
head -n 2 s.gfs
rm boards.txt
gossipfab verify s.gfs | head -n 1
gossipfab verify --topology file:boards.dot s.gfs | head -n 1
gossipfab verify --topology file:boards.graph s.gfs | head -n 1
gossipfab simulate --schedule s.gfs --token-bits 16 --link-bits 2 | head -n 1
