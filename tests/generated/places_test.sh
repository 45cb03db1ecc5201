#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# places_test.sh GOSSIPFAB WORK BOARD: a small fabric for a board, from its folder alone. The board top is clean, passes its
# self-test in simulation with this board's LEDs, and becomes a bitstream that runs at the clock it is to have; it has
# the RAM blocks that gossipfab counted, and its PLL makes that clock out of the board's. Pins that lack one are refused.
set -euo pipefail
gossipfab=$1 work=$2 board=$3
facts=$(cd "$(dirname "$0")/../.." && pwd)/constraints/$board/board.json

rm -rf -- "$work"
mkdir -p "$work"
cd "$work"
"$gossipfab" generate --topology mesh:2x2 --token-bits 64 --link-bits 2 --board "$board" -o fabric --json > fabric.json
cd fabric
# value EXPRESSION: in the folder's Makefile.
value() {
    make -s -f Makefile -f - print <<< "print: ; @echo \$($1)"
}
for tool in "$(value 'firstword $(NEXTPNR)')" "$(value 'firstword $(YOSYS_SYNTH)')" iverilog verilator; do
    command -v "$tool" > /dev/null || { echo "places: skipped, $tool is missing" >&2; exit 77; }
done
make lint sim-board
make bitstream | tee bitstream.log
[ -s "$(value BITSTREAM)" ]

python3 - "$facts" << 'EOF'
import json
import re
import sys
from fractions import Fraction

facts = json.load(open(sys.argv[1]))
clock, fabric = facts["clock_hz"], facts["fabric_hz"]
cells = json.load(open("build/board_stat.json"))["design"]["num_cells_by_type"]
rams = sum(n for kind, n in cells.items() if re.fullmatch("SB_RAM40_4K|DP16KD|PDPW16KD|(SDP|DP)(X9)?B", kind))
counted = json.load(open("../fabric.json"))["block_rams"]
assert rams == counted == 4, f"{rams} RAM blocks in the netlist, {counted} counted"
# What make bitstream says of cells and of RAM blocks.
said = re.findall(r"^of the board top: (\w+) (\d+) of (\d+)$", open("bitstream.log").read(), re.M)
assert sorted(int(most) for _, _, most in said) == sorted([facts["logic_cells"], facts["ram_blocks"]]), said
assert rams in [int(used) for _, used, _ in said], said
plls = sum(n for kind, n in cells.items() if kind in ("SB_PLL40_PAD", "EHXPLLL", "rPLL"))
assert plls == (clock != fabric), f"{plls} PLLs"
if plls:
    text = open("board_top.v").read()
    divide, multiply, output = (int(re.search(rf"\.{name}\((\d+)\)", text).group(1))
                                for name in ("DIVIDE", "MULTIPLY", "OUTPUT"))
    made = Fraction(clock * multiply, divide * (output if facts["family"] == "ice40" else 1))
    assert made == fabric, f"the PLL makes {made} Hz of {clock}, not {fabric}"
    derived = re.search(r"Derived frequency constraint of ([0-9.]+) MHz for net clk", open("build/board_pnr.log").read())
    # nextpnr-ecp5 works out by itself what a PLL makes.
    assert facts["family"] != "ecp5" or float(derived.group(1)) == fabric / 1e6, "nextpnr thinks of another clock"
slowest = min(clock["achieved"] for clock in json.load(open("build/board_report.json"))["fmax"].values())
assert slowest * 1e6 >= fabric, f"{slowest} MHz are less than the fabric's clock"
print(f"{rams} RAM blocks, {slowest:.1f} MHz")
EOF

sed -i '/o_uart_tx/d' "constraints/$board."*
if make bitstream > refused.log 2>&1; then
    echo "places: a pin is missing, and nobody says so"
    exit 1
fi
grep -q o_uart_tx refused.log build/board_pnr.log
