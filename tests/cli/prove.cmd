# Two shards prove together what each leaves open; the checker wants every cube, and every proof.
question='--topology mesh:2x3 --rounds 4 --cubes 3'
gossipfab prove $question --shard 1/2 -o proof | grep -e cubes -e proofs -e answer
gossipfab prove $question --check proof 2>&1; echo "exit $?"
gossipfab prove $question --shard 2/2 -o proof --json
gossipfab prove $question --check proof
sed -i 2d proof/cubes
gossipfab prove $question --check proof 2>&1; echo "exit $?"
gossipfab prove $question -o proof 2>&1; echo "exit $?"
rm proof/cubes
: >proof/cube-3.drat
truncate -s -1 proof/cube-4.drat
printf '10\n' >proof/cube-5.drat
gossipfab prove $question -o proof | grep -e proofs -e answer
gossipfab prove $question -o proof --json | grep -e proofs -e kept -e answer
gossipfab prove $question --check proof | grep -e proofs -e answer
: >proof/cube-3.drat
gossipfab prove $question --check proof 2>&1; echo "exit $?"
gossipfab prove $question -o proof >/dev/null
sed -i '$d' proof/cube-3.drat
gossipfab prove $question --check proof 2>&1; echo "exit $?"
echo 0 >proof/cube-3.drat
gossipfab prove $question --check proof 2>&1; echo "exit $?"
gossipfab prove --topology mesh:2x3 --rounds 5 --check proof 2>&1; echo "exit $?"
gossipfab prove --topology mesh:2x3 --rounds 5 -o possible | grep answer
gossipfab verify possible/schedule.gfs >/dev/null && echo verified
