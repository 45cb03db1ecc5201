gossipfab generate mesh:4x4 --store ring --link-mode full -o out &&
gossipfab generate torus:3x5 --store ring --link-mode full --token-bits 36 --link-bits 4 --name rings -o rings &&
ls -R rings && grep -E '^module' rings/*.v
gossipfab generate cycle:5 --store ring --link-bits 32 --json -o shifts | grep -vE '"(directory|version)"'
gossipfab generate cycle:5 --store ring --link-bits 32 -o shifts 2>&1 # which is there
gossipfab generate torus:4x4 --store ring --link-mode full --link-bits 32 -c all-reduce --blocks 100 -o sums | grep -v '^topology'
gossipfab generate cycle:5 --store ring --link-bits 8 --token-bits 24 -c reduce-scatter --operator xor --json -o scatter |
    grep -vE '"(directory|version)"'
gossipfab generate cycle:5 --store ring --blocks 5 -o five | grep '^cycles' # which is an all-gather
for options in 'torus:4x4 -c broadcast' 'torus:4x4 -c all-reduce --operator min' 'torus:4x4 -c all-reduce --operator all' \
    'torus:4x4 -c all-reduce --operator float32' 'torus:4x4 -c all-gather,all-reduce' 'torus:4x4 --blocks 32' \
    'torus:4x4 -c reduce-scatter --blocks 17' 'mesh:3x3' 'mesh:4x4 --token-bits 33' 'mesh:4x4 --solver comb' 'mesh:4x4 --operator sum' \
    'mesh:4x4 --ports node' 'mesh:4x4 --board hx8k' 'mesh:4x4 --name module' 'torus:4x4 --protect detect -c all-reduce' \
    'circulant:16,1,8 --protect detect --link-mode full --link-bits 64'; do
    gossipfab generate $options --store ring -o refused 2>&1
    echo "exit $?"
done
gossipfab schedule cycle:5 -o s.gfs > /dev/null && gossipfab generate --schedule s.gfs --store ring -o refused 2>&1
echo "exit $?"
ls
