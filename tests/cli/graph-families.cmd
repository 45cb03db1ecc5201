for topology in complete:6 hypercube:4 knoedel:4 knoedel:3,10 ccc:3 butterfly:3 debruijn:4 shuffle-exchange:4 star:4 \
    pancake:4 random:n=24,m=40,seed=1 graph:4:0-1,1-2,2-3,1-3 mesh:4x4+drop-link=5-6; do
    gossipfab bound --topology $topology | head -n 1
done
gossipfab simulate --topology mesh:4x4+drop-link=5-6 --token-bits 32 --link-bits 2
