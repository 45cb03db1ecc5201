gossipfab schedule --topology path:4 --port-mode one --hop-rounds 2 --prove --json | sed -n '/"rounds"/p; /"optimal"/p; /"proof"/,$p' |
    sed -E 's/("(variables|clauses|conflicts)": )[0-9]+/\1N/'
