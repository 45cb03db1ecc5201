gossipfab show --topology path:3 | grep -v "^lower bound"
