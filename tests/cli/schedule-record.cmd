telephone() { gossipfab schedule --link-mode full --port-mode one "$@" | grep -E '^(solver|rounds|proof|formula)'; }
telephone --topology shuffle-exchange:7 --packet-tokens 128
telephone --topology ccc:7 --packet-tokens 896 --solver auto
telephone --topology ccc:4 --packet-tokens 64 --solver anneal --solver-options symmetry=translations,steps=20000
telephone --topology ccc:3 --packet-tokens 24 --prove | sed -E 's/[0-9]+ (variables|clauses|conflicts)/N \1/g'
gossipfab schedule --topology ccc:3 --link-mode full --port-mode one --packet-tokens 24 --solver sat --rounds 6 2>&1
telephone --topology star:7 --packet-tokens 5040
gossipfab schedule --topology pancake:8 --link-mode full --port-mode one --packet-tokens 40320
gossipfab schedule --topology star:8 --link-mode full --port-mode one --packet-tokens 40320
gossipfab schedule --topology pancake:8 --link-mode full --port-mode one --packet-tokens 40320 -o s.gfs 2>&1
