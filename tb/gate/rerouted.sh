#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# rerouted.sh TOPOLOGY TOKEN_BITS LINK_BITS DROPS: a board top with its programs in block RAMs is placed and routed once.
# `gossipfab reroute` and icebram then put other programs into its bitstream, with neither Yosys nor nextpnr at hand;
# read back as Verilog, it must play them in their number of cycles. After one bit of a ROM is flipped, the same must
# say FAIL. All that is written is in $WORK.
set -euo pipefail

for tool in yosys nextpnr-ice40 icepack icebram icebox_vlog iverilog; do
    command -v $tool > /dev/null || { echo "rerouted: skipped, $tool is missing" >&2; exit 77; }
done
cells=$(dirname "$(realpath "$(command -v yosys)")")/../share/yosys/ice40/cells_sim.v
[ -e "$cells" ] || { echo "rerouted: skipped, Yosys' iCE40 cells are missing" >&2; exit 77; }

fabric=$WORK/fabric
mkdir -p "$WORK"
rm -rf -- "$fabric"
"$GOSSIPFAB" schedule --topology "$1" -o "$WORK/s.gfs" > "$WORK/schedule.log"
options=(--token-bits "$2" --link-bits "$3" --board hx8k --rom block -o "$fabric")
"$GOSSIPFAB" generate --schedule "$WORK/s.gfs" "${options[@]}" > "$WORK/generate.log"
cycles() { sed -n 's/^ *"cycles": *\([0-9]*\).*/\1/p' "$fabric/manifest.json" | head -n 1; }
# plays CYCLES: the serial line says so.
plays() {
    make --no-print-directory -C "$fabric" sim-placed | tee "$WORK/placed.log"
    grep -qxF "$(printf 'board: %s PASS cycles=%05d' "$topology" "$1")" "$WORK/placed.log" || {
        echo "rerouted: the serial line did not say PASS in $1 cycles" >&2
        exit 1
    }
}
topology=$1
before=$(cycles)
make --no-print-directory -C "$fabric" bitstream

cp "$fabric/build/board_top.bin" "$WORK/before.bin"
"$GOSSIPFAB" reroute "$WORK/s.gfs" "$4" "${options[@]}"
after=$(cycles)
[ "$after" -gt "$before" ] || { echo "rerouted: $after cycles round $4, $before before" >&2; exit 1; }
make --no-print-directory -C "$fabric" bitstream YOSYS=false NEXTPNR=false
if cmp -s "$fabric/build/board_top.bin" "$WORK/before.bin"; then
    echo "rerouted: the bitstream is what it was" >&2
    exit 1
fi
plays "$after"

image=$(find "$fabric/rom" -name 'program_*.hex' | sort | head -n 1)
"$SOURCE/tb/board/flip_rom_bit.sh" "$image" last-recv
make --no-print-directory -C "$fabric" bitstream YOSYS=false NEXTPNR=false > "$WORK/bitstream.log"
if make --no-print-directory -C "$fabric" sim-placed > "$WORK/flipped.log" 2>&1; then
    echo "rerouted: a flipped bit of a ROM is not seen" >&2
    exit 1
fi
grep -m 1 "^board: $1 FAIL node=[0-9][0-9] token=[0-9][0-9]$" "$WORK/flipped.log"
