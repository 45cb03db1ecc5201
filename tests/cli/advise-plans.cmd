lengths="--bandwidth 10 --latency 1 --link-mode full"
gossipfab advise complete:4 -c all-reduce --bytes 64,1MB $lengths --plans p | sed -n '/^plans/,$p'
for file in p/*; do gossipfab verify $file | tail -n 1; done
gossipfab advise complete:4 -c all-gather --bytes 64 $lengths --plans x --plan-format msccl | sed -n '/^plans/,$p'
grep -o 'minBytes.*Bytes="[0-9]*"' x/*
gossipfab advise complete:4 --bytes 64,1MB $lengths --plans j --plan-format msccl-microsoft --json | sed -n '/"plans"/,$p'
grep -o 'minBytes.*Bytes="[0-9]*"' j/*
gossipfab advise complete:4 --bytes 64 $lengths --plans x 2>&1 | tail -n 1
gossipfab advise complete:4 --bytes 64,64 $lengths --plans q 2>&1
gossipfab advise complete:4 --bytes 64 $lengths --plans q --plan-format sccl 2>&1
gossipfab advise complete:4 --bytes 64 $lengths --plans q --plan-format ncl 2>&1
gossipfab advise complete:4 --bytes 64 $lengths --plan-format sccl 2>&1
gossipfab advise complete:4 -c barrier --bytes 64 $lengths --plans q 2>&1 | tail -n 1
ls -d q 2>&1
