#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From n to a placed fabric: a 4x4 half-duplex mesh, 32-bit tokens over 2-bit links, simulated in lockstep with the C
# model and packed into a bitstream for the iCE40-HX8K breakout board. SOLVER=lau-zhang takes that schedule instead of
# the best.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${BUILD:-build}
demo=$build/demo
fabric=$demo/fabric
shape=(--topology mesh:4x4 --solver "${SOLVER:-auto}")
widths=(--token-bits 32 --link-bits 2)
gossipfab=$build/bin/gossipfab

# step TITLE COMMAND...: says what is done, does it.
step() {
    printf '\n== %s\n' "$1"
    shift
    printf '   %s\n' "$*"
    "$@"
}

"${SETUP:-scripts/setup.sh}"
step 'Build the library and the command' scripts/build.sh
mkdir -p "$demo"

step 'Schedule: which token moves over which link in which round' \
    "$gossipfab" schedule "${shape[@]}" -o "$demo/mesh-4x4.gfs"
step 'For comparison: what is in the literature' "$gossipfab" schedule --topology mesh:4x4 --solver lau-zhang
step 'Verify ours, by a checker that knows nothing of how it was made' "$gossipfab" verify "$demo/mesh-4x4.gfs"
step 'Generate the fabric: RTL, ROM images, benches, board top' \
    "$gossipfab" generate "${shape[@]}" "${widths[@]}" --board hx8k -o "$fabric" --force
step 'Run the C model' "$gossipfab" simulate "${shape[@]}" "${widths[@]}"
"$gossipfab" simulate "${shape[@]}" "${widths[@]}" --json > "$demo/simulate.json"
step 'Run the RTL in Verilator in lockstep with the C model: every link, every store write, every cycle' \
    ctest --test-dir "$build" --no-tests=error --output-on-failure -R '^lockstep\.mesh:4x4\.32/2$'
step "Run the folder's own Verilator bench: every token in every node, cycles against the formula" \
    make --no-print-directory -C "$fabric" sim
step 'Synthesize (yosys)' make --no-print-directory -C "$fabric" synth
step 'Place and route the fabric alone (nextpnr-ice40)' make --no-print-directory -C "$fabric" fabric-pnr
step 'Place and route with the board top, and pack (nextpnr-ice40, icepack)' \
    make --no-print-directory -C "$fabric" bitstream

printf '\n== 4x4 half-duplex mesh, 32-bit tokens, 2-bit links, iCE40-HX8K\n'
python3 scripts/fabric-report.py --simulate "$demo/simulate.json" --manifest "$fabric/manifest.json" \
    --stat "$fabric/build/fabric_stat.json" --pnr "$fabric/build/harness_seed1.json" \
    --board-pnr "$fabric/build/board_report.json"
