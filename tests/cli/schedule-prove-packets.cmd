gossipfab schedule --topology path:6 --packet-tokens 2 --prove | grep -c -e '^c ' -e '^proof .*optimal: 5 rounds are impossible'
gossipfab schedule --topology mesh:2x2 --collective all-reduce --blocks 4 --packet-tokens 2 --prove | grep -e '^rounds' -e '^proof' -e '^verified'
gossipfab schedule --topology mesh:3x4 --collective all-reduce --blocks 1 --packet-tokens 2 | grep -e '^rounds' -e '^verified'
gossipfab generate --topology mesh:3x4 --collective all-reduce --blocks 1 --packet-tokens 2 --token-bits 8 --link-bits 2 -o g | grep -e '^rounds' -e '^written'
