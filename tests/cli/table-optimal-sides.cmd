gossipfab table optimal --sides 4,9 --format csv
gossipfab table optimal --sides 5,8 --topologies torus | sed -E 's/ +[0-9]+\.[0-9]{3}  / SECONDS  /'
