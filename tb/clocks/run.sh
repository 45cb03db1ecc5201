#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [--mutants | --verilator] TOPOLOGY SOLVER CHIPS ROUNDS [OPTION...]: a fabric cut into chips with clocks of their
# own, with the least latency that gossipfab allows, in Icarus: clocks, cables and phases as bad as they may be, every
# token checked, and so with faults. Less latency must be refused.
# --mutants: also the models of SB_IO, lint, the SB_IO that Yosys makes; what is a cycle early, a buffer that is an entry
# too small, synchronisers that are not there or too short, and cables that notice nothing must be found out.
# --verilator: in Verilator instead, which is faster, for more rounds, and a buffer that is an entry too small.
# From the environment: GOSSIPFAB (the command), WORK (this test's own folder).
set -euo pipefail

for tool in iverilog verilator yosys; do
    command -v $tool > /dev/null || { echo "clocks: skipped, $tool is missing" >&2; exit 77; }
done
form=
case $1 in
--*)
    form=$1
    shift
    ;;
esac
topology=$1 solver=$2 chips=$3 rounds=$4
options=("${@:5}")
mkdir -p "$WORK"
cd "$WORK"
rm -rf -- fabric mutant none log
generate() {
    "$GOSSIPFAB" generate --topology "$topology" --solver "$solver" --link-mode full --chips "$chips" --clocks own \
        "${options[@]}" "$@"
}
# fails REASON COMMAND...: the command fails and says REASON.
fails() {
    local reason=$1
    shift
    if "$@" > log 2>&1; then
        echo "clocks: passed, should fail with '$reason': $*" >&2
        exit 1
    fi
    grep -aq -- "$reason" log || { cat log; echo "clocks: failed, but not with '$reason': $*" >&2; exit 1; }
    echo "clocks: $(grep -am 1 -- "$reason" log)"
}
# mutate FILE SCRIPT...: a copy of the fabric in which sed changes something in each file.
mutate() {
    rm -rf mutant
    cp -r fabric mutant
    rm -rf mutant/build
    while [ $# -gt 0 ]; do
        sed -i "$2" mutant/$1
        cmp -s mutant/$1 fabric/$1 && { echo "clocks: $1 stays as it was: $2" >&2; exit 1; }
        shift 2
    done
}
# What Verilator makes of a folder; it plays as many rounds as it is told.
verilate() {
    (cd "$1" && mkdir -p build && verilator --binary --timing -O3 -Wno-lint -Irtl -Itb --top-module tb_clocks \
        --Mdir build/clocks rtl/gfab.vlt tb/tb_clocks.v tb/gossip_clocks.v tb/gfab_chip_host.v tb/gfab_cable_wires.v \
        gossip_chip_*.v $(make -s print-chips-rtl) > build/clocks.log 2>&1) || { cat "$1/build/clocks.log"; exit 1; }
}

fails "need a latency of [0-9]* cycles or more in this fabric, not 2" generate --link-latency 2 -o none
latency=$(sed -n 's/.*latency of \([0-9]*\) .*/\1/p' log)
fails "need a latency of $latency cycles or more in this fabric, not $((latency - 1))" \
    generate --link-latency $((latency - 1)) -o none
[ ! -e none ] || { echo "clocks: a fabric that was refused was written" >&2; exit 1; }
generate --link-latency $latency -o fabric > report
entries=$(sed -n 's/^clocks .* buffers of \([0-9]*\) flits.*/\1/p' report)
chip_0_late=(gossip_chip_1.v "s/\(ENTRIES  *= \)$entries;/\1$((entries - 1));/" rtl/gfab_chip_control.v
    's/ || ENTRIES <= LATENCY//' rtl/gfab_chip_states.v 's/\(LAST_HOLD  *= \)\(.*\);/\1\2 + 1;/')

if [ "$form" = --verilator ]; then
    verilate fabric
    (cd fabric && build/clocks/Vtb_clocks "+rounds=$rounds" && build/clocks/Vtb_clocks "+rounds=$((rounds / 20))" +faults)
    mutate "${chip_0_late[@]}"
    verilate mutant
    cd mutant
    fails "FAIL: " build/clocks/Vtb_clocks "+rounds=$rounds"
    exit
fi

make -C fabric sim-chips PLAY="+rounds=$rounds"
make -C fabric sim-chips PLAY="+rounds=$rounds +faults"
[ "$form" = --mutants ] || exit 0
make -C fabric sim-chips PADS=ice40 PLAY="+rounds=$rounds"
make -C fabric lint-chips > /dev/null
make -C fabric synth-chips > /dev/null
for chip in fabric/gossip_chip_*.v; do
    # Clocks and valid wires that come in need no cell by name.
    ports=$(sed -nE 's/^ *(in|out)put +wire \[([0-9]+)\*([0-9]+)-1:0\] [io]_flits_.*/\2*\3/p' "$chip" | paste -sd+)
    ports=$(((ports) + 2 * $(grep -c 'output wire o_clock_' "$chip")))
    cells=$(awk '$1 == "SB_IO" { print $2 }' "fabric/build/$(basename "$chip" .v)_stat.txt")
    [ "$cells" -eq "$ports" ] || { echo "clocks: $chip: $cells SB_IO for $ports pads" >&2; exit 1; }
done

# planted REASON PLAY FILE SCRIPT...: what is so changed fails for the reason; with MUTANTS=N in the environment the first
# N are tried.
tried=0
planted() {
    local reason=$1 play=$2
    shift 2
    [ $((tried += 1)) -le "${MUTANTS:-9}" ] || return 0
    mutate "$@"
    fails "$reason" make -C mutant sim-chips PLAY="$play"
}
planted "FAIL: " "+rounds=4000" "${chip_0_late[@]}"
planted "FAIL: .* fault [1-4]" "+rounds=4000 +faults" rtl/gfab_cable.v "s/assign o_fault = .*/assign o_fault = 1'b0;/"
planted "FAIL: " "+rounds=4000" rtl/gfab_synchroniser.v 's/assign o_sync = second_q/assign o_sync = i_async/'
planted "FAIL: " "+rounds=4000" rtl/gfab_synchroniser.v 's/assign o_sync = second_q/assign o_sync = first_q/'
planted "FAIL: " "+rounds=4000" rtl/gfab_chip_states.v 's/LAST_FILL  = LATENCY - 3/LAST_FILL  = LATENCY - 4/' \
    rtl/gfab_cable.v \
    's/assign o_link  = link_q;/reg [WIRES-1:0] l_q; always @(posedge i_clk) l_q <= link_q; assign o_link = l_q;/'
