#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# random.sh FIRST LAST MOST_NODES: random fabrics number FIRST to LAST, each a topology of 4 to MOST_NODES nodes, a link
# width of 1 to 64 bits, a token of 1 to 64 flits, a link mode, a latency, a gap and a schedule, all drawn from its
# number: generated, linted (where Icarus does not take minutes to elaborate the registers of a host for so many bits)
# and run in lockstep. Of any six in a row each is of another kind (random_fabric.py). The environment is run.sh's.
set -euo pipefail
first=$1 last=$2 most_nodes=$3
here=$(dirname "$0") work=$WORK status=0
for ((number = first; number <= last; number++)); do
    mapfile -t arguments < <("$here/random_fabric.py" "$number" "$most_nodes")
    printf '%s:' "$number"
    printf ' %q' "${arguments[@]}"
    echo
    WORK=$work/$number ROM_ROUNDS=0 "$here/run.sh" "${arguments[@]}" ||
        { status=1; echo "random: number $number fails" >&2; }
    rm -rf -- "${work:?}/$number"
done
exit $status
