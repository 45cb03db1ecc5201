gossipfab table torgo --sides 27,81
gossipfab table cubgo --sides 9 --startups 10 --json
