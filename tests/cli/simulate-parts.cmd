gossipfab schedule --topology cycle:9 --solver circgo --solver-options parts=2 --link-mode full --routing circuit \
    --packet-tokens 18 --startup 50 -o halves.gfs > schedule.txt
grep '^parts' halves.gfs
gossipfab simulate --schedule halves.gfs --token-bits 8 --link-bits 1 --gap 5 --repeat 2 &&
gossipfab simulate --schedule halves.gfs --token-bits 16 --link-bits 2 --json | grep -A 9 '"timing"' &&
gossipfab show --schedule halves.gfs --rom 8 | head -n 6
