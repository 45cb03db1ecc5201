gossipfab simulate mesh:4x4 --store ring --link-mode full --repeat 3
gossipfab simulate torus:3x5 --store ring --link-mode full --token-bits 36 --link-bits 4 --json | grep -v '"version"'
gossipfab simulate circulant:8,1,4 --store ring --link-mode full --token-bits 9 --link-bits 18 | tail -3
for blocks in 'cycle:5 --link-bits 8 --token-bits 24 -c reduce-scatter --operator xor' \
    'torus:3x3 --link-mode full --link-bits 32 -c all-reduce --blocks 40 --token-seed 7'; do
    gossipfab simulate $blocks --store ring | tail -3
done
gossipfab generate mesh:4x4 --json -o out | grep ring_cycles
gossipfab generate mesh:3x3 --json -o odd | grep ring_cycles
for options in --links --rounds --speed '--trace t' '--vcd v' '--heat h.svg' '--gap 2' '--link-latency 1' '--solver comb' \
    '--stream --link-mode full' '-c broadcast' '--operator sum'; do
    gossipfab simulate mesh:4x4 --store ring $options 2>&1
    echo "exit $?"
done
ls
