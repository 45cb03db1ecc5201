printf 'graph boards { a -- b -- c -- a; c -- d }\n' > own.dot
gossipfab schedule own.dot | head -n 1
gossipfab schedule own.dot+drop-link=0-1 | head -n 1
gossipfab simulate own.dot | head -n 1
gossipfab generate own.dot -o own | head -n 1
for bytes in 1000000 1e6 1MB 1000kB 0.001GB; do
    gossipfab bound torus:4x4 --bytes $bytes --bandwidth 25 --latency 1 | grep '^time'
done
gossipfab bound torus:4x4 --bytes 1MiB --bandwidth 25 | grep '^time'
gossipfab advise torus:4x4 -c all-reduce --link-mode full --bytes 4096,4KiB,1.5kB --bandwidth 25 | grep -cE '^ *(4096|1500) '
gossipfab generate mesh:4x4 --stream -c all-reduce -o stream | grep '^tokens'
gossipfab generate mesh:4x4 --stream --store wide -o words | grep '^tokens'
gossipfab generate mesh:4x4 --stream --store wide -c all-reduce --link-bits 16 -o half | grep '^tokens'
wrong() { gossipfab "$@" 2>&1 || [ $? -eq 2 ] || echo "not 2"; }
for topology in mesh4x4 grid4x4 ring:16 grid:4x4 dgx1 none.dot ./ torsu:3x3 blob; do
    wrong schedule $topology
done
for name in AllReduce all_reduce bcast gather sum; do
    wrong schedule mesh:3x3 -c $name
done
for bytes in 1M 1.5B 99999999999TB 1e99 .5MB 1e 5MBs; do
    wrong bound mesh:3x3 --bytes $bytes --bandwidth 1
done
wrong schedule mesh:3x3 --effort 1kB
wrong mesh:4x4
wrong help model --all
wrong generate mesh:2x2 --stream -o none
