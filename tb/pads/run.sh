#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [--full] TOPOLOGY SOLVER CHIPS LATENCY [OPTION...]: a fabric cut into chips, which are joined by tri-state
# wires, in Icarus. Every token must be in every node after the cycles of the formula, and each wire between chips must
# have one driver at most, 0 or 1 where one drives, and the dead cycles when it is turned round: with pads that let go
# late, and with the models of SB_IO. Yosys must make one SB_IO of each pad. Fabrics without the dead cycles must be
# found out, by gossipfab and on the wires.
# --full: a full-duplex fabric, with wires for each way, in the same simulations; chips whose wires are crossed, and
# chips that are a cycle late, must be found out.
# From the environment: GOSSIPFAB (the command), WORK (this test's own folder).
set -euo pipefail

for tool in iverilog verilator yosys; do
    command -v $tool > /dev/null || { echo "pads: skipped, $tool is missing" >&2; exit 77; }
done
full=no
if [ "$1" = --full ]; then
    full=yes
    shift
fi
topology=$1 solver=$2 chips=$3 latency=$4
dead=$((2 * latency))
mkdir -p "$WORK"
cd "$WORK"
rm -rf -- fabric none log
generate() {
    "$GOSSIPFAB" generate --topology "$topology" --solver "$solver" --token-bits 16 --link-bits 2 --chips "$chips" \
        --link-latency "$latency" "${@}"
}
# fails REASON COMMAND...: the command fails and says REASON.
fails() {
    local reason=$1
    shift
    if "$@" > log 2>&1; then
        echo "pads: passed, should fail with '$reason': $*" >&2
        exit 1
    fi
    grep -q -- "$reason" log || { cat log; echo "pads: failed, but not with '$reason': $*" >&2; exit 1; }
    echo "pads: $(grep -m 1 -- "$reason" log)"
}

if [ $full = yes ]; then
    generate "${@:5}" --link-mode full -o fabric > report
else
    fails "is turned round after 0 dead cycles" generate "${@:5}" -o none
    fails "is turned round after $((dead - 1)) dead cycles" generate "${@:5}" --gap $((dead - 1)) -o none
    [ ! -e none ] || { echo "pads: a fabric that was refused was written" >&2; exit 1; }
    generate "${@:5}" --gap $dead -o fabric > report
fi
make -C fabric sim-chips
make -C fabric sim-chips PADS=ice40
make -C fabric lint-chips > /dev/null
make -C fabric synth-chips > /dev/null
bits=2 # of a port; a check bit more where faults are noticed
case " ${*:5} " in
*" --store wide"*" --protect detect "*) bits=4 ;; # one of them the node's own
*" --protect detect "*) bits=3 ;;
esac
pads=0
for chip in fabric/gossip_chip_*.v; do
    ports=$(grep -cE '^    [a-z]+ +wire .* (io|i|o)_link_[0-9]' "$chip")
    cells=$(grep -c 'SB_IO ' "fabric/build/$(basename "$chip" .v)_stat.txt") || cells=0
    [ "$cells" -eq 1 ] || { echo "pads: $chip: no SB_IO" >&2; exit 1; }
    cells=$(awk '$1 == "SB_IO" { print $2 }' "fabric/build/$(basename "$chip" .v)_stat.txt")
    [ "$cells" -eq $((bits * ports)) ] || { echo "pads: $chip: $cells SB_IO for $ports ports of $bits bits" >&2; exit 1; }
    pads=$((pads + cells))
done
grep -q ": $pads pads in all" report || { cat report; echo "pads: $pads SB_IO in all" >&2; exit 1; }
echo "pads: $pads SB_IO"

if [ $full = yes ]; then
    cp fabric/tb/gossip_chips.v fabric/gossip_chip_0.v .
    # One link's two wires change places on one chip: two outputs on one wire, none on the other.
    sed -i '0,/\.o_link_/s/\.o_link_\([0-9]*\)(\([a-z0-9_]*\)), \.i_link_[0-9]*(\([a-z0-9_]*\))/.o_link_\1(\3), .i_link_\1(\2)/' \
        fabric/tb/gossip_chips.v
    cmp -s gossip_chips.v fabric/tb/gossip_chips.v && { echo "pads: no wires to cross" >&2; exit 1; }
    fails "FAIL: " make -C fabric sim-chips
    cp gossip_chips.v fabric/tb/
    sed -i '0,/gfab_pad_duplex/s/\(gfab_pad_duplex .*\)\.LATENCY(\([0-9]*\))/\1.LATENCY(\2 + 1)/' fabric/gossip_chip_0.v
    cmp -s gossip_chip_0.v fabric/gossip_chip_0.v && { echo "pads: no pads to delay" >&2; exit 1; }
    fails "FAIL: " make -C fabric sim-chips PADS=ice40
    exit
fi

# Mutants: one dead cycle too few; none, with pads that let go at once and late; pads that never let go.
cp fabric/rom/sequence.hex sequence.hex
printf -v bad "%0$(($(head -n 1 sequence.hex | tr -d '\n' | wc -c) - 1))x" $((dead - 1))
sed "s/.*[1-9a-f].*\(.\)$/$bad\1/" sequence.hex > fabric/rom/sequence.hex
fails "FAIL: link .*turned round after $((dead - 1)) dead cycles, should be $dead" make -C fabric sim-chips
sed ':a; s/[1-9a-f]\([0-9a-f]\)/0\1/; ta' sequence.hex > fabric/rom/sequence.hex
fails "FAIL: link .*turned round after 0 dead cycles, should be $dead" make -C fabric sim-chips PADS=ice40
fails "FAIL: link .*the ends drive against each other" make -C fabric sim-chips
cp sequence.hex fabric/rom/sequence.hex
sed -i "s/\.i_drive(.*)/.i_drive(1'b1)/" fabric/gossip_chip_0.v
fails "FAIL: link .*\(drive 11\|drive against each other\)" make -C fabric sim-chips PADS=ice40
