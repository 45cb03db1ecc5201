gossipfab schedule --topology path:6 --packet-tokens 2 --prove | grep -c -e '^c ' -e '^proof .*optimal: 5 rounds are impossible'
