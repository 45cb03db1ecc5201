#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh GENERATED_DIR, or run.sh TOPOLOGY TOKEN_BITS LINK_BITS [OPTION..], which generates one with $GOSSIPFAB and its
# options: the iCE40 netlist of gossip_fabric, as Yosys makes it, plays the folder's gossip in Icarus under the same
# bench as the RTL. A netlist with one RAM that is never written must fail. All that is written is in $WORK.
set -euo pipefail

for tool in iverilog yosys; do
    command -v $tool > /dev/null || { echo "gate: skipped, $tool is missing" >&2; exit 77; }
done
cells=$(dirname "$(realpath "$(command -v yosys)")")/../share/yosys/ice40/cells_sim.v
[ -e "$cells" ] || { echo "gate: skipped, Yosys' iCE40 cells are missing" >&2; exit 77; }

mkdir -p "$WORK"
if [ $# -eq 1 ]; then
    fabric=$(realpath "$1")
else
    fabric=$WORK/fabric
    rm -rf -- "$fabric"
    "$GOSSIPFAB" generate --topology "$1" --token-bits "$2" --link-bits "$3" "${@:4}" -o "$fabric" > /dev/null
fi
cd "$fabric" # where Yosys finds rom/; the netlist has the ROMs in it
yosys -q -l "$WORK/yosys.log" -p "read_verilog -DGFAB_TRACE -Irtl $(grep '\.v$' gossip_fabric.f | tr '\n' ' '); \
    synth_ice40 -device hx -top gossip_fabric; write_verilog -noattr $WORK/netlist.v; tee -o $WORK/stat.txt stat"
grep SB_ "$WORK/stat.txt"

# play NETLIST SEED
play() {
    iverilog -g2005 -DNO_ICE40_DEFAULT_ASSIGNMENTS -Itb -y rtl -s tb_fabric -o "$WORK/tb.vvp" tb/tb_fabric.v "$1" "$cells"
    vvp -N "$WORK/tb.vvp" +seed="$2"
}
play "$WORK/netlist.v" 1

sed '0,/\.WE(.*)/s//.WE(1'"'"'b0)/' "$WORK/netlist.v" > "$WORK/dead_ram.v"
cmp -s "$WORK/netlist.v" "$WORK/dead_ram.v" && { echo "gate: the netlist has no RAM" >&2; exit 1; }
if play "$WORK/dead_ram.v" 1 > "$WORK/dead_ram.log"; then
    echo "gate: a RAM that is never written is not seen" >&2
    exit 1
fi
echo "dead RAM: $(grep -m 1 FAIL "$WORK/dead_ram.log")"
