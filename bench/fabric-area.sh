#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# fabric-area.sh [--check] GOSSIPFAB WORK [SEED...]: area and clock of the 4x4 mesh alone on an iCE40-HX8K: no board, no
# AXI4-Stream; 32-bit tokens, 2-bit links; store, sequencer and programs included; the schedule is $SOLVER's,
# lau-zhang's by default, or that of an all-reduce with $OPERATOR; with $FABRIC, generate's options, of any other fabric.
# SB_LUT4, flip-flops and block RAM as Yosys counts them, MHz as nextpnr-ice40 gives them in a harness of registers for
# each seed, and their median.
# With $PLACED, that many nodes of a ring fabric that is too large for the part: each ring goes around these alone, every
# second one backwards, while the counter, stores and addresses are those of the whole.
# --check: exit status 1 above 1 block RAM a node, above $LUTS SB_LUT4 a node (80) or below a median of $MHZ (100). Without
# a seed nothing is placed, and no clock is known.
set -euo pipefail
[ "${1:-}" != --help ] || { sed -n '3,/^set/s/^# //p' "$0"; exit; }

check=no
if [ "${1:-}" = --check ]; then
    check=yes
    shift
fi
[ $# -ge 2 ] || { echo "usage: fabric-area.sh [--check] GOSSIPFAB WORK [SEED...]" >&2; exit 2; }
for tool in yosys nextpnr-ice40; do
    command -v $tool > /dev/null || { echo "fabric-area: skipped, $tool is missing" >&2; exit 77; }
done
gossipfab=$1 work=$2
shift 2
mkdir -p "$work"
if [ -n "${OPERATOR:-}" ]; then
    options=(--collective all-reduce --operator "$OPERATOR" --solver "${SOLVER:-auto}")
else
    options=(--solver "${SOLVER:-lau-zhang}")
fi
options+=(--topology mesh:4x4 --protect "${PROTECT:-none}" --token-bits 32 --link-bits 2)
[ -z "${FABRIC:-}" ] || read -ra options <<< "$FABRIC"
"$gossipfab" generate "${options[@]}" -o "$work/fabric" --force > /dev/null
[ -z "${PLACED:-}" ] || python3 - "$work/fabric" "$PLACED" << 'END'
import json
import pathlib
import re
import sys

folder, placed = pathlib.Path(sys.argv[1]), int(sys.argv[2])
manifest = json.load(open(folder / "manifest.json"))
nodes, rings = manifest["nodes"], manifest["rings"]
around = [[(v + (-1 if ring % 2 == 0 else 1)) % placed for v in range(placed)] for ring in range(rings)]
table = ", ".join(f"16'd{v}" for ring in reversed(around) for v in reversed(ring))
for name in ("gossip_fabric.v", "gossip_fabric_harness.v"):
    text = (folder / name).read_text()
    text = re.sub(rf"\[{nodes}\b", f"[{placed}", text)
    text = re.sub(rf"(NODES *= *){nodes};", rf"\g<1>{placed};", text)
    text = text.replace(f".NODES({nodes})", f".NODES({placed}), .LENGTH({nodes})")
    text = re.sub(r"\.FROM\(\{.*?\}\)", f".FROM({{{table}}})", text, flags=re.DOTALL)
    (folder / name).write_text(text)
END
make -s -C "$work/fabric" synth > "$work/synth.log"
for seed; do
    make -s -C "$work/fabric" fabric-pnr SEED="$seed" > /dev/null
done
CHECK=$check python3 - "$work/fabric" "$@" << 'EOF'
import json
import os
import statistics
import sys

folder, seeds = sys.argv[1], sys.argv[2:]
nodes = int(os.environ.get("PLACED") or json.load(open(f"{folder}/manifest.json"))["nodes"])
cells = json.load(open(f"{folder}/build/fabric_stat.json"))["design"]["num_cells_by_type"]
luts, rams = cells["SB_LUT4"], cells.get("SB_RAM40_4K", 0)
flops = sum(count for kind, count in cells.items() if kind.startswith("SB_DFF"))
print(f"SB_LUT4            {luts:6} = {luts / nodes:.1f} a node")
print(f"flip-flops         {flops:6} = {flops / nodes:.1f} a node")
print(f"block RAM          {rams:6} = {rams / nodes:.1f} a node")
most_luts, least_mhz = int(os.environ.get("LUTS", 80)), int(os.environ.get("MHZ", 100))
slow = False
if seeds:
    reports = [json.load(open(f"{folder}/build/harness_seed{seed}.json")) for seed in seeds]
    clocks = [min(clock["achieved"] for clock in report["fmax"].values()) for report in reports]
    harness = json.load(open(f"{folder}/build/harness_stat.json"))["design"]["num_cells_by_type"]
    extra = sum(harness.values()) - sum(cells.values())
    placed = reports[0]["utilization"]["ICESTORM_LC"]["used"]
    print(f"logic cells placed {placed:6}, of which the harness has at most {extra}: {(placed - extra) / nodes:.1f} a node")
    for seed, clock in zip(seeds, clocks):
        print(f"MHz, seed {seed:9}{clock:7.1f}")
    print(f"block RAM placed   {reports[0]['utilization']['ICESTORM_RAM']['used']:6}")
    print(f"MHz, median        {statistics.median(clocks):6.1f}")
    slow = statistics.median(clocks) < least_mhz
if os.environ["CHECK"] == "yes" and (luts > most_luts * nodes or rams > nodes or slow):
    sys.exit(f"fabric-area: above {most_luts} SB_LUT4 or 1 block RAM a node, or below {least_mhz} MHz")
EOF
