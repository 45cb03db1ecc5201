gossipfab table optimal --max-n 8 --topologies torus --format csv
