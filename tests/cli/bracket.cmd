for graph in cycle:3 hypercube:2; do
    for bracket in --one-bracket '--bracket binary'; do
        timeout 60 "$binary" schedule -t $graph -c all-reduce --link-mode full --blocks any $bracket -o s.gfs | grep rounds
        gossipfab verify --one-bracket s.gfs | tail -n 1
        gossipfab show --schedule s.gfs --expression 123 --granule 40
    done
done
