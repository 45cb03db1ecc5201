gossipfab advise --topology hypercube:3 --link-mode half --routing store-and-forward --sweep startup --from 0.5 --to 20 --csv a.csv --svg a.svg
cat a.csv
grep -c '<path' a.svg
gossipfab advise --topology hypercube:3 --link-mode half --routing store-and-forward --sweep length --startup-cycles 7 --from 5 --to 17 --link-bits 4 --json
