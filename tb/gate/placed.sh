#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# placed.sh TOPOLOGY TOKEN_BITS LINK_BITS: the board top, placed and routed for the iCE40-HX8K and read back as Verilog
# from the text of its bitstream, says over its serial line what docs/reference/host-interface.md has. After one bit of
# a ROM is flipped, the same must say FAIL. All that is written is in $WORK.
set -euo pipefail

for tool in yosys nextpnr-ice40 icepack icebox_vlog iverilog; do
    command -v $tool > /dev/null || { echo "placed: skipped, $tool is missing" >&2; exit 77; }
done
cells=$(dirname "$(realpath "$(command -v yosys)")")/../share/yosys/ice40/cells_sim.v
[ -e "$cells" ] || { echo "placed: skipped, Yosys' iCE40 cells are missing" >&2; exit 77; }

fabric=$WORK/fabric
mkdir -p "$WORK"
rm -rf -- "$fabric"
"$GOSSIPFAB" generate --topology "$1" --token-bits "$2" --link-bits "$3" --board hx8k -o "$fabric" > "$WORK/generate.log"
cycles=$(sed -n 's/^ *"cycles": *\([0-9]*\).*/\1/p' "$fabric/manifest.json" | head -n 1)

make --no-print-directory -C "$fabric" bitstream sim-placed | tee "$WORK/placed.log"
line=$(printf 'board: %s PASS cycles=%05d' "$1" "$cycles")
grep -qxF "$line" "$WORK/placed.log" || { echo "placed: the serial line did not say: $line" >&2; exit 1; }
if grep -w FAIL "$WORK/placed.log"; then
    echo "placed: FAIL is printed where nothing failed" >&2
    exit 1
fi

image=$(find "$fabric/rom" -name 'program_*.hex' | sort | head -n 1)
"$SOURCE/tb/board/flip_rom_bit.sh" "$image" last-recv
if make --no-print-directory -C "$fabric" sim-placed > "$WORK/flipped.log" 2>&1; then
    echo "placed: a flipped bit of a ROM is not seen" >&2
    exit 1
fi
grep -m 1 "^board: $1 FAIL node=[0-9][0-9] token=[0-9][0-9]$" "$WORK/flipped.log" || {
    echo "placed: the serial line names no node and token of a flipped bit" >&2
    exit 1
}
