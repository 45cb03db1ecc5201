#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# rerouted.sh TOPOLOGY TOKEN_BITS LINK_BITS DROPS LINK: a board with a dead link. Its top, with the programs in block
# RAMs and link number LINK, which is the one that DROPS names, stuck at 1, is placed and routed once. Read back as
# Verilog from the text of its bitstream, it must say FAIL. `gossipfab reroute` and icebram then put other programs into
# that bitstream, with neither Yosys nor nextpnr at hand: now it must say PASS, in their number of cycles. All that is
# written is in $WORK.
set -euo pipefail

topology=$1 drops=$4 link=$5
for tool in yosys nextpnr-ice40 icepack icebram icebox_vlog iverilog; do
    command -v $tool > /dev/null || { echo "rerouted: skipped, $tool is missing" >&2; exit 77; }
done
cells=$(dirname "$(realpath "$(command -v yosys)")")/../share/yosys/ice40/cells_sim.v
[ -e "$cells" ] || { echo "rerouted: skipped, Yosys' iCE40 cells are missing" >&2; exit 77; }

mkdir -p "$WORK"
cd "$WORK"
rm -rf -- fabric broken
"$GOSSIPFAB" schedule --topology "$topology" -o s.gfs > schedule.log
options=(--token-bits "$2" --link-bits "$3" --board hx8k --rom block -o fabric)
"$GOSSIPFAB" generate --schedule s.gfs "${options[@]}" > generate.log

cp -r fabric broken
sed -i "s/^\( *assign gen_node.*\.in\[LANE.*\] = \)link;/\1(l == $link) ? {FLIT_BITS{1'b1}} : link;/" \
    broken/rtl/gfab_fabric.v
[ "$(diff fabric/rtl/gfab_fabric.v broken/rtl/gfab_fabric.v | grep -c '^>')" = 2 ]
make --no-print-directory -C broken bitstream
if make --no-print-directory -C broken sim-placed > dead.log 2>&1; then
    echo "rerouted: the dead link is not seen" >&2
    exit 1
fi
grep -m 1 "^board: $topology FAIL node=[0-9]* token=[0-9]*$" dead.log

"$GOSSIPFAB" reroute s.gfs "$drops" "${options[@]}"
cp fabric/rom/*.hex broken/rom
cp -r fabric/Makefile fabric/family.mk fabric/make broken
cp fabric/tb/*.vh broken/tb
make --no-print-directory -C broken bitstream sim-placed YOSYS_DATA="$(dirname "$cells")/.." YOSYS=false NEXTPNR=false |
    tee placed.log
cycles=$(sed -n 's/^ *"cycles": *\([0-9]*\).*/\1/p' fabric/manifest.json | head -n 1)
grep -qxF "$(printf 'board: %s PASS cycles=%05d' "$topology" "$cycles")" placed.log || {
    echo "rerouted: the serial line did not say PASS in $cycles cycles" >&2
    exit 1
}
