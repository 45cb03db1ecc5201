gossipfab schedule --topology torus:5x5 --link-mode full --port-mode all --packet-tokens 1 --hop-rounds 1 -o s.gfs >summary
grep -e model -e verified summary
head -6 s.gfs
ls
