gossipfab advise --chip 16 --token-bits 32
gossipfab advise --chip 12 --token-bits 16 | grep -v ' generate '
gossipfab advise --chip 8 --token-bits 16 -c all-reduce --json | grep -v '"version"'
gossipfab generate --nodes 16 --token-bits 32 -o ring | grep -E '^(topology|cycles)'
gossipfab generate --nodes 8 --token-bits 16 -o chords | grep -E '^(topology|cycles)'
gossipfab generate --nodes 9 --token-bits 16 -c all-reduce -o sums | grep -E '^(topology|cycles|blocks)'
for options in '--chip 2' '--chip 16 --part up5k' '--chip 16 --part none' '--chip 16 -c broadcast' '--chip 16 -c none' \
    '--chip 16 --token-bits 257' '--chip 257' '--chip 16 mesh:4x4' '--chip 16 --startup 5' '--chip 16 --bytes 5' '--part hx8k' \
    '--chip 16 --link-bits 8'; do
    gossipfab advise $options 2>&1
    echo "exit $?"
done
for options in 'mesh:4x4' '--store ring' '--link-bits 2' '--link-mode full' '--blocks 4' '-c broadcast' '--token-bits 300'; do
    gossipfab generate --nodes 8 $options -o no 2>&1
    echo "exit $?"
done
ls
