#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# by-hand.sh GOSSIPFAB WORK SEED...: what a person writes by hand for an all-gather among 16 nodes on one chip, a ring
# of RAMs and a bus (ring.v, bus.v), as ring fabrics are measured: every flit compared in Icarus, SB_LUT4 and block RAM
# of Yosys, MHz of nextpnr-ice40 on an HX8K in the harness of a ring fabric of the same ports, the median over the seeds.
# A row each: cycles, SB_LUT4 a node, block RAM a node, MHz, ns. From the environment: NODES (16), BITS of a token (32),
# KIND, one alone with the bits of its links, as bus:32.
set -euo pipefail
[ "${1:-}" != --help ] || { sed -n '3,/^set/s/^# //p' "$0"; exit; }
[ $# -ge 3 ] || { echo "usage: by-hand.sh GOSSIPFAB WORK SEED..." >&2; exit 2; }
for tool in yosys nextpnr-ice40 iverilog; do
    command -v $tool > /dev/null || { echo "by-hand: skipped, $tool is missing" >&2; exit 77; }
done
own=$(cd "$(dirname "$0")" && pwd)
gossipfab=$1 work=$2
shift 2
mkdir -p "$work"
nodes=${NODES:-16} token=${BITS:-32}
for kind in ${KIND:-ring:16 bus:32}; do
    name=${kind%:*} bits=${kind#*:} folder=$work/${kind%:*}
    rm -rf "$folder"
    "$gossipfab" generate "cycle:$nodes" --store ring --token-bits "$token" --link-bits "$bits" -o "$folder" > /dev/null
    group=4
    while [ $((nodes % group)) != 0 ]; do group=$((group - 1)); done
    sed "s/N = 16/N = $nodes/; s/W = 32/W = $token/; s/ L = [0-9]*/ L = $bits/; s/G = 4/G = $group/" "$own/$name.v" \
        > "$folder/by_hand.v"
    sed "s/N = 16, W = 32/N = $nodes, W = $token/; s/S = 4/S = \$clog2(N)/" "$own/tb.v" > "$folder/by_hand_tb.v"
    iverilog -g2005 -Ptb.L="$bits" -o "$folder/by_hand.vvp" "$folder/by_hand_tb.v" "$folder/by_hand.v"
    cycles=$(vvp -N "$folder/by_hand.vvp")
    [[ $cycles =~ ^[0-9]+$ ]] || { echo "by-hand: $name: $cycles" >&2; exit 1; }
    # In the place of the folder's own top, which has trace ports, too.
    sed 's/^module by_hand/module gossip_fabric/' "$folder/by_hand.v" > "$folder/gossip_fabric.v"
    sed -i '/\.o_trace_/d; s/\.o_read_data(read_data),$/.o_read_data(read_data)/' "$folder/gossip_fabric_harness.v"
    make -s -C "$folder" synth > "$work/synth.log" 2>&1
    for seed; do
        make -s -C "$folder" fabric-pnr SEED="$seed" > "$work/pnr.log" 2>&1
    done
    python3 - "$folder" "$name by hand, $bits bits" "$cycles" "$nodes" "$@" << 'EOF'
import json
import statistics
import sys

folder, name, cycles, nodes, seeds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:]
cells = json.load(open(f"{folder}/build/fabric_stat.json"))["design"]["num_cells_by_type"]
reports = [json.load(open(f"{folder}/build/harness_seed{seed}.json")) for seed in seeds]
if reports[0]["utilization"]["ICESTORM_RAM"]["used"] != cells.get("SB_RAM40_4K", 0):
    sys.exit(f"by-hand: {name}: RAMs have been folded away")
mhz = statistics.median(min(clock["achieved"] for clock in report["fmax"].values()) for report in reports)
print(f"| {name} | {cycles} | {cells['SB_LUT4'] / nodes:.1f} | {cells.get('SB_RAM40_4K', 0) // nodes} | {mhz:.1f} | {1000 * cycles / mhz:.0f} |")
EOF
done
