#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# random.sh COUNT SEED: ring fabrics drawn over all that --store ring takes, each played as run.sh does: every flit by
# arithmetic, and the C model in every cycle, also under inputs at random. Prints the line of one that is wrong.
# From the environment: what run.sh needs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
RANDOM=$2
between() { echo $(($1 + RANDOM % ($2 - $1 + 1))); }
for ((number = 1; number <= $1; number++)); do
    case $((RANDOM % 7)) in
    0) topology=cycle:$(between 3 17) ;;
    1) topology=mesh:$((2 * $(between 1 3)))x$(between 2 5) ;;
    2) topology=torus:$(between 3 5)x$(between 3 6) ;;
    3) topology=complete:$(between 3 9) ;;
    4) topology=hypercube:$(between 2 4) ;;
    5) topology=torus:$(between 2 3)x$(between 2 3)x$(between 2 3) ;;
    6) topology=twisted-torus:$(between 3 4)x$(between 4 5),$(between 1 2) ;;
    esac
    link_bits=$(between 1 9)
    flits=$(between 1 13)
    ((RANDOM % 2)) && mode=half || mode=full
    collective=
    case $((RANDOM % 4)) in
    0) collective=all-reduce ;;
    1) collective=reduce-scatter ;;
    esac
    nodes=$("$GOSSIPFAB" bound "$topology" --json | sed -n 's/^ *"nodes": \([0-9]*\),*$/\1/p')
    if [ $collective ] && [ "$nodes" -le 12 ]; then # Icarus is slow on more
        operators=(sum sum sum and or xor min max umin umax)
        operator=${operators[RANDOM % 10]}
        ((RANDOM % 2)) || { link_bits=$(between 1 70); flits=1; }
        case $operator in m* | um*) flits=1 ;; esac
        [ "$operator" = sum ] && [ $flits = 1 ] || link_bits=$((link_bits > 64 ? 64 : link_bits))
        flits=$((flits > 5 ? 5 : flits))
        collective="$collective $((nodes * $(between 1 9))) $operator"
    fi
    [[ $collective = *" "* ]] || collective=
    row="$topology $mode $((link_bits * flits)) $link_bits $collective"
    # shellcheck disable=SC2086 # words
    "$here/run.sh" $row > "$WORK.log" 2>&1 || { echo "random ring $number: $row"; cat "$WORK.log"; exit 1; } >&2
done
echo "$1 random ring fabrics right, seed $2"
