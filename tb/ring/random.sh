#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# random.sh COUNT SEED: ring fabrics drawn over all that --store ring takes, every third all-gather protected, each played
# as run.sh does: every flit by arithmetic, in Icarus, whose stores answer anything where a word is read as it is
# written, and the C model in every cycle, also under inputs at random. Prints the line of one that is wrong.
# From the environment: what run.sh needs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
RANDOM=$2 guarded=0
# Into the variable $1: in a subshell RANDOM would go on from another seed.
between() { printf -v "$1" %d $(($2 + RANDOM % ($3 - $2 + 1))); }
for ((number = 1; number <= $1; number++)); do
    abreast=1
    case $((RANDOM % 8)) in
    0) between a 3 17 && topology=cycle:$a ;;
    1) between a 1 3 && between b 2 5 && topology=mesh:$((2 * a))x$b ;;
    2) between a 3 5 && between b 3 6 && topology=torus:${a}x$b ;;
    3) between a 3 9 && topology=complete:$a ;;
    4) between a 2 4 && topology=hypercube:$a ;;
    5) between a 2 3 && between b 2 3 && between c 2 3 && topology=torus:${a}x${b}x$c ;;
    6) between a 3 4 && between b 4 5 && between c 1 2 && topology=twisted-torus:${a}x$b,$c ;;
    7) # links as wide as several tokens
        between abreast 2 4 && between b 2 5 && topology=circulant:$((abreast * b))
        for ((a = 1; a == 1 || 2 * a <= abreast * b; a = a == 1 ? b : a + b)); do topology+=,$a; done
        ;;
    esac
    between link_bits 1 9
    between flits 1 13
    ((RANDOM % 2)) && mode=half || mode=full
    [ $abreast = 1 ] || { mode=full flits=1; }
    collective=
    case $((RANDOM % 4)) in
    0) collective=all-reduce ;;
    1) collective=reduce-scatter ;;
    esac
    nodes=$("$GOSSIPFAB" bound "$topology" --json | sed -n 's/^ *"nodes": \([0-9]*\),*$/\1/p')
    if [ $collective ] && [ "$nodes" -le 12 ]; then # Icarus is slow on more
        operators=(sum sum sum and or xor min max umin umax)
        operator=${operators[RANDOM % 10]}
        ((RANDOM % 2)) || { between link_bits 1 70 && flits=1; }
        case $operator in m* | um*) flits=1 ;; esac
        [ "$operator" = sum ] && [ $flits = 1 ] || link_bits=$((link_bits > 64 ? 64 : link_bits))
        flits=$((flits > 5 ? 5 : flits))
        between a 1 9
        collective="$collective $((nodes * a)) $operator"
    fi
    [[ $collective = *" "* ]] || collective=
    [ -z "$collective" ] || abreast=1
    protect=
    [ -n "$collective" ] || [ $abreast != 1 ] || ((RANDOM % 3)) || { protect=--protect && guarded=$((guarded + 1)); }
    row="$protect $topology $mode $((link_bits * flits)) $((link_bits * abreast)) $collective"
    [ ! -t 2 ] || printf '\rring fabric %d of %d: %-60s\r' "$number" "$1" "$row" >&2
    # shellcheck disable=SC2086 # words
    "$here/run.sh" $row > "$WORK.log" 2>&1 || { echo "random ring $number: $row"; cat "$WORK.log"; exit 1; } >&2
done
[ ! -t 2 ] || printf '%-90s\r' '' >&2
echo "$1 random ring fabrics right, $guarded of them protected, seed $2"
