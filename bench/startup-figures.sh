#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# startup-figures.sh GOSSIPFAB WORK DEST: Figures 5 and 6 of Sibeyn, Juurlink & Rao on our fabrics. Writes into DEST
# startup-ring64.svg and startup-torus8x8.svg: cycles a byte against the length of a message, predicted by `gossipfab
# advise` and, as circles, measured on the C model: 100 cycles of startup (--gap 100), links of 8 bits. Parts that are
# no whole bytes have no circles. The curves and the measured points stay in WORK as CSV. Then prints what the two take
# that the last crossover is between, measured at lengths around it. Exit status 1 where a measurement is not what its
# schedule's cost says: startups x 100 + transfers x F, F the length of a part rounded up to a round of the fabric; the
# fabric's constant c once, and where packets follow paths each round's drain (docs/reference/fabric-timing.md).
set -euo pipefail
[ "${1:-}" != --help ] || { sed -n '3,/^set/s/^# //p' "$0"; exit; }

[ $# -eq 3 ] || { echo "usage: startup-figures.sh GOSSIPFAB WORK DEST" >&2; exit 2; }
gossipfab=$1 work=$2 dest=$3
mkdir -p "$work" "$dest"

startup=100
lengths="8 16 32 64 128 256 512" # whole rounds of the fabric
model="--link-mode full --routing circuit --packet-tokens 16777216"

measure() { # TOPOLOGY SOLVER[/K=V...] LENGTH: cycles a byte, or nothing
    local settings=() name=${2%%/*}
    [ "$name" = "$2" ] || settings=(--solver-options "$(echo "${2#*/}" | tr / ,)")
    "$gossipfab" schedule --topology "$1" --solver "$name" "${settings[@]}" $model \
        --startup "$startup/$3" -o "$work/s.gfs" --json > "$work/schedule.json"
    "$gossipfab" simulate --schedule "$work/s.gfs" --gap $startup --token-bits $((8 * $3)) --link-bits 8 --json \
        > "$work/run.json" 2> "$work/refused" || { grep -q 'cannot play' "$work/refused"; return; }
    python3 - "$work" "$3" $startup << 'PYTHON'
import json
import sys

work, length, startup = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
schedule, run = (json.load(open(f"{work}/{name}.json")) for name in ("schedule", "run"))
timing = run["timing"]
lanes = timing["lanes"]
part = max((length // schedule["parts"] + lanes - 1) // lanes * lanes, 2 * lanes)
predicted = schedule["startups"] * startup + schedule["transfers"] * part
constant = timing["overhead_cycles"]
if run["path_links"] > run["startups"]: # drain(h) = 2 K - 3 + x + h a round
    constant += (2 * lanes - 3 + (timing["words"] > 2)) * run["startups"] + run["path_links"]
if run["cycles"] - constant != predicted:
    sys.exit(f"startup-figures: {run['cycles']} cycles measured, {predicted} + {constant} predicted")
print(f"{run['cycles'] / length:.4f}")
PYTHON
}

figure() { # NAME TOPOLOGY SOLVERS
    local points="$work/$1.measured.csv" solver length time
    echo "bytes,solver,link_mode,cycles_per_byte" > "$points"
    for solver in ${3//,/ }; do
        for length in $lengths; do
            time=$(measure "$2" "$solver" "$length")
            [ -z "$time" ] || echo "$length,$solver,full,$time" >> "$points"
        done
    done
    "$gossipfab" advise --topology "$2" $model --sweep length --startup-cycles $startup --link-bits 8 --from 1 --to 4096 \
        --solvers "$3" --measured "$points" --svg "$dest/$1.svg" --csv "$work/$1.csv"
}

crossover() { # TOPOLOGY SOLVER SOLVER LENGTH...: the cycles a byte of both
    local topology=$1 first=$2 second=$3 length
    shift 3
    for length; do
        echo "$topology $length bytes: $first $(measure "$topology" "$first" "$length"), $second $(measure "$topology" "$second" "$length")"
    done
}

figure startup-ring64 cycle:64 approach1,approach2,approach1/parts=1,circgo/parts=1,circgo,ring,recursive-doubling,neighbour-exchange
figure startup-torus8x8 torus:8x8 \
    highdimgo/phases=1:1,highdimgo/phases=2:2,highdimgo,highdimgo/shares=one/cut=1,torgo/shares=one/cut=1,torgo,mesh-telephone,greedy,ring,recursive-doubling
crossover cycle:64 circgo approach1 24 28 32 36 40 44 48
crossover torus:8x8 highdimgo highdimgo/phases=1:1 12 16 20 24 28 32
