gossipfab list boards
gossipfab list boards --json | sed -n 1,30p
