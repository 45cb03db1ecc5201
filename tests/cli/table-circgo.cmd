gossipfab table circgo
gossipfab table circgo --sides 64 --startups 0.5,10 --format csv
