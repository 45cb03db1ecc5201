# Shards, merged, are the whole; a file of another search is none of them.
question='--topology debruijn:4 --link-mode full --port-mode one --packet-tokens 16 --solver anneal --solver-options steps=100'
gossipfab search $question --items 12 --checkpoint whole.search -o whole.gfs
gossipfab search $question --items 12 --shard 1/2 --checkpoint 1.search --json
gossipfab search $question --items 12 --shard 2/2 --checkpoint 2.search >/dev/null
gossipfab merge 1.search
gossipfab merge 1.search 2.search --checkpoint merged.search -o merged.gfs
cmp merged.search whole.search && cmp merged.gfs whole.gfs && echo same
head -n 8 whole.search
gossipfab search $question --items 13 --checkpoint 3.search >/dev/null
gossipfab merge 1.search 3.search 2>&1
gossipfab search $question --items 12 --checkpoint 3.search --resume 2>&1
gossipfab search $question --items 5 --rounds 5 2>&1
