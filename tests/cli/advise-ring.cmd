gossipfab advise --topology cycle:27 --link-mode full --solvers approach1,approach2,circgo,circgo/a=3/b=1,ring --startup 10
gossipfab advise --topology cycle:27 --link-mode full --routing circuit --solvers approach1,approach2,circgo --sweep startup
printf 'bytes,solver,link_mode,cycles_per_byte\n32,circgo/a=3/b=1,full,90.5\n64,circgo,full,41\n4,ring,full,5\n' >m.csv
gossipfab advise --topology cycle:27 --link-mode full --routing circuit --solvers approach1,circgo/a=3/b=1 --sweep length --startup-cycles 50 --link-bits 8 --svg a.svg --measured m.csv
grep -c '<circle' a.svg
