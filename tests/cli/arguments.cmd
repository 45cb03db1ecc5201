# What goes without the name of an option: a topology, by its family; a schedule file, by a dot or a slash.
gossipfab schedule mesh:2x3 -o s.gfs > with && gossipfab schedule --topology mesh:2x3 | diff with - && cp s.gfs file
for command in 'show' 'simulate --token-bits 8'; do
    gossipfab $command mesh:2x3 > with
    for source in '-t mesh:2x3' s.gfs ./file '--schedule file'; do
        gossipfab $command $source | diff with - || echo "$command $source"
    done
    gossipfab $command - < s.gfs | diff with - || echo "$command -"
done
gossipfab generate s.gfs --token-bits 8 -o out | tail -n 1
gossipfab convert s.gfs --to csv -o s.csv
gossipfab verify mesh:2x3 s.csv | tail -n 1
gossipfab verify s.csv mesh:2x3 | tail -n 1
gossipfab convert mesh:2x2 --to smi
gossipfab table collectives mesh:2x2 --blocks 4 | sed -n 1p
