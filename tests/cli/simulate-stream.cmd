gossipfab simulate path:3 --collective all-reduce --stream --token-bits 8 --link-bits 8 --beats 9 --repeat 2 --pauses short --token-seed 7
gossipfab simulate cycle:4 --collective broadcast --root 2 --stream --token-bits 12 --link-bits 2 --beats 7 --pauses long | tail -n 3
gossipfab simulate mesh:2x2 --stream --store wide --token-bits 16 --link-bits 16 --beats 5 --late 2:70000 --json | tail -n 8
gossipfab simulate mesh:2x2 -c reduce --stream --token-bits 8 --link-bits 8 --host-words 2 --vcd - | tail -n 1
gossipfab simulate path:3 -c all-reduce --stream --token-bits 8 --link-bits 8 --pauses often 2>&1; echo $?
gossipfab simulate path:3 -c all-reduce --stream --token-bits 8 --link-bits 8 --late 3:5 2>&1; echo $?
gossipfab simulate path:3 -c all-reduce --stream --token-bits 8 --link-bits 8 --late 2 2>&1; echo $?
gossipfab simulate path:3 -c all-reduce --stream --token-bits 8 --link-bits 8 --heat a.csv 2>&1; echo $?
gossipfab simulate path:3 --beats 5 2>&1; echo $?
