#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# random.sh FIRST LAST MOST_NODES: random fabrics number FIRST to LAST, each a topology of 4 to MOST_NODES nodes, a link
# width of 1 to 64 bits, a token of 1 to 64 flits, a link mode, a latency and a solver, all drawn from its number:
# generated, linted (where Icarus does not take minutes to elaborate the registers of a host for so many bits) and run
# in lockstep. The environment is run.sh's.
set -euo pipefail
first=$1 last=$2 most_nodes=$3
work=$WORK status=0
for ((number = first; number <= last; number++)); do
    IFS=';' read -r topology token_bits link_bits hardware model solver < <(python3 - "$number" "$most_nodes" << 'EOF'
import random, sys
number, most = map(int, sys.argv[1:])
draw = random.Random(number)
while True:
    family = draw.choice(["torus", "torus", "torus", "mesh", "mesh", "path", "cycle", "hypercube", "random"])
    if family in ("torus", "mesh"):
        sides = [draw.randint(2, 9) for _ in range(draw.choice([2, 2, 2, 3]))]
        nodes = 1
        for side in sides:
            nodes *= side
        topology = f"{family}:" + "x".join(map(str, sides))
    elif family == "hypercube":
        dimension = draw.randint(2, 6)
        nodes, topology = 1 << dimension, f"hypercube:{dimension}"
    elif family == "random": # a graph file would do for sparse ones: these are connected with near certainty
        nodes = draw.randint(8, 32)
        topology = f"random:n={nodes},m={min(nodes * (nodes - 1) // 2, 3 * nodes)},seed={number}"
    else:
        nodes = draw.randint(4, 64)
        topology = f"{family}:{nodes}"
    if 4 <= nodes <= most:
        break
link_bits = draw.randint(1, 64)
flits = draw.choice([1, 1, 2, draw.randint(1, 8), draw.randint(1, 64)])
mode = draw.choice(["half", "full"])
latency = draw.choice([0, 0, 0, draw.randint(1, 4)])
solver = draw.choice(["auto", "greedy"])
print(topology, link_bits * flits, link_bits, f"{mode} {latency}", "", solver, sep=";")
EOF
    )
    printf '%s: %s, %s bits over %s, %s, %s\n' "$number" "$topology" "$token_bits" "$link_bits" "$hardware" "$solver"
    lint=(--lint)
    ((token_bits <= 512)) || lint=()
    WORK=$work/$number ROM_ROUNDS=0 "$(dirname "$0")/run.sh" --auto "$hardware" "$model" "$solver" "$topology" "$token_bits" "$link_bits" "${lint[@]}" ||
        { status=1; echo "random: number $number fails" >&2; }
    rm -rf -- "${work:?}/$number"
done
exit $status
