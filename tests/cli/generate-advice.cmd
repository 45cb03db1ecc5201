for options in "--link-bits 8 --store narrow" "-c all-reduce --operator bfloat16 --link-bits 16"; do
    gossipfab generate mesh:4x4 --token-bits 32 $options --force -o out | grep -E '^(round|padding) '; done
gossipfab generate mesh:4x4 --token-bits 32 --link-bits 8 --board hx8k -o board 2>&1; gossipfab generate mesh:4x4 --token-bits 32 --store narrow --link-bits 4 --board hx8k -o board | grep '^memory '
