#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# generated_test.sh GOSSIPFAB WORK CASE
#   same      the same inputs give the same bytes, whatever the folder's name, and none that tell where or when
#   alone     copied elsewhere, with gossipfab off the PATH: make sim sim-icarus sim-axis lint synth pass
#   shared    the benches and the lint of a mesh whose nodes share programs, as above; a bit flipped in one is seen
#   flipped   with one bit of one ROM flipped the folder's own benches say FAIL
#   board     the whole board top says PASS on its UART; with a ROM bit flipped FAIL, with node and token
#   board-full, board-paths
#             full duplex, and packets over paths with gaps: lint, the board top as above down to a bitstream; with a
#             bit of a path flipped the folder's benches say FAIL, and with another gap the board FAIL with the cycles
#   wide      wide nodes: the benches pass; a flipped bit is seen, and so is a register that its reset does not reach,
#             by what it has at power-up
#   parts     tokens cut in parts: all of the above; parts that are swapped on the way in are seen
set -euo pipefail

gossipfab=$1 work=$2 case=$3
flip=$(cd "$(dirname "$0")/../.." && pwd)/tb/board/flip_rom_bit.sh
for tool in verilator iverilog yosys; do
    command -v $tool > /dev/null || { echo "generated: skipped, $tool is missing" >&2; exit 77; }
done
rm -rf -- "$work"
mkdir -p "$work"
cd "$work"
generate() {
    "$gossipfab" generate --topology "$1" --solver "$2" --token-bits "$3" --link-bits "$4" "${@:6}" -o "$5" > /dev/null
}
# expect_fail LOG COMMAND...: the command fails, and its output says FAIL.
expect_fail() {
    local log=$1
    shift
    if "$@" > "$log" 2>&1; then
        echo "passed and should not have: $*"
        exit 1
    fi
    grep -q 'FAIL' "$log" || { cat "$log"; exit 1; }
}

# highest_bit FILE: the number of the highest bit set in its first word.
highest_bit() {
    local word bit=-1
    word=$((16#$(head -n 1 "$1")))
    for (( ; word > 0; word >>= 1)); do bit=$((bit + 1)); done
    echo $bit
}
# core_is_whole FOLDER: its FuseSoC core names every ROM, every header, and the sources of gossip_fabric.f, which are
# those that the Makefile calls FABRIC.
core_is_whole() {
    local file sources made
    sources=$(grep '\.v$' "$1/gossip_fabric.f")
    made=$(make -s -C "$1" -f Makefile -f - <<< 'print: ; @printf "%s\n" $(FABRIC)' print)
    [ "$sources" = "$made" ] || { printf 'gossip_fabric.f has\n%s\nthe Makefile\n%s\n' "$sources" "$made"; exit 1; }
    for file in $(cd "$1" && echo rom/* rtl/*.vh) $sources; do
        grep -qE -- "^ +- $file(:|\$)" "$1/gossip_fabric.core" || { echo "gossip_fabric.core has no $file"; exit 1; }
    done
}
# only_used FOLDER: each module of its rtl/ is in one of its tops.
only_used() {
    local file
    for file in "$1"/rtl/*.v; do
        grep -qE "^ *$(basename "$file" .v) (#\(|u_)" "$1"/*.v "$1"/rtl/*.v || { echo "no top has $file"; exit 1; }
    done
}
# board_top FOLDER: its checks, its self-test in simulation, and a bitstream.
board_top() {
    core_is_whole "$1"
    only_used "$1"
    make -C "$1" lint sim-board
    if command -v nextpnr-ice40 > /dev/null && command -v icepack > /dev/null; then
        make -C "$1" bitstream
        [ -s "$1/build/board_top.bin" ]
    fi
}

case $case in
same)
    generate torus:5x5 lau-zhang 32 2 first --board hx8k
    mkdir elsewhere
    generate torus:5x5 lau-zhang 32 2 elsewhere/second --board hx8k
    diff -r first elsewhere/second
    if grep -rIF -e "$PWD" -e "$(hostname)" -e "$(date +%Y-%m-%d)" first; then
        echo "a generated file tells where or when it was made"
        exit 1
    fi
    ;;
alone)
    generate mesh:3x3 lau-zhang 16 2 made --board hx8k
    mkdir elsewhere
    mv made elsewhere/fabric
    PATH=/usr/local/bin:/usr/bin:/bin
    if command -v gossipfab > /dev/null; then
        echo "generated: skipped, gossipfab is installed in $(command -v gossipfab)" >&2
        exit 77
    fi
    only_used elsewhere/fabric
    make -C elsewhere/fabric sim sim-icarus sim-axis lint synth
    ;;
shared)
    generate mesh:4x4 symmetric 16 2 fabric --frame rotated
    make -C fabric sim sim-icarus sim-axis lint
    "$flip" fabric/rom/program_05.hex 0 2
    expect_fail sim.log make -C fabric sim
    ;;
flipped)
    generate mesh:3x3 lau-zhang 16 2 fabric
    "$flip" fabric/rom/program_4.hex 0 2
    expect_fail sim.log make -C fabric sim
    expect_fail icarus.log make -C fabric sim-icarus
    expect_fail axis.log make -C fabric sim-axis
    ;;
board)
    generate mesh:3x3 lau-zhang 16 2 fabric --board hx8k
    make -C fabric sim-board
    "$flip" fabric/rom/program_4.hex 0 2
    (cd fabric && vvp -N build/tb_board.vvp +expect_fail)
    expect_fail board.log make -C fabric sim-board
    ;;
board-full)
    generate mesh:3x3 greedy 16 2 fabric --board hx8k --link-mode full
    board_top fabric
    "$flip" fabric/rom/program_4.hex 0 2
    expect_fail board.log make -C fabric sim-board
    ;;
board-paths)
    generate cycle:9 circgo 16 2 fabric --board hx8k --link-mode full --routing circuit --packet-tokens 9 --startup 50 \
        --solver-options parts=1 --gap 20
    board_top fabric
    make -C fabric sim sim-icarus sim-axis
    cp fabric/rom/gap.hex gap.hex
    "$flip" fabric/rom/gap.hex $(($(grep -n -m 1 '[1-9a-f]' gap.hex | cut -d : -f 1) - 1)) 0
    (cd fabric && vvp -N build/tb_board.vvp +expect_cycles_fail)
    cp gap.hex fabric/rom/gap.hex
    path=$(grep -l -m 1 '[1-9a-f]' fabric/rom/paths_*.hex | head -n 1)
    "$flip" "$path" $(($(grep -n -m 1 '[1-9a-f]' "$path" | cut -d : -f 1) - 1)) 0
    expect_fail board.log make -C fabric sim-board
    expect_fail sim.log make -C fabric sim
    expect_fail icarus.log make -C fabric sim-icarus
    expect_fail axis.log make -C fabric sim-axis
    ;;
wide)
    generate cycle:5 auto 6 2 full --link-mode full --link-latency 1
    generate mesh:2x3 auto 12 4 fabric
    make -C full sim-icarus sim-axis
    make -C fabric sim sim-icarus sim-axis
    cp fabric/rtl/gfab_banks.v banks.v
    sed -i 's/stores_q  *<= i_rst ? [^:]*:/stores_q <=/' fabric/rtl/gfab_banks.v
    ! cmp fabric/rtl/gfab_banks.v banks.v > /dev/null
    expect_fail icarus.log make -C fabric sim-icarus
    cp banks.v fabric/rtl/gfab_banks.v
    "$flip" fabric/rom/program_0.hex 0 "$(highest_bit fabric/rom/program_0.hex)" # of what is stored in round 1
    expect_fail sim.log make -C fabric sim
    expect_fail icarus.log make -C fabric sim-icarus
    expect_fail axis.log make -C fabric sim-axis
    ;;
parts)
    "$gossipfab" schedule --topology torus:3x3 --solver highdimgo --solver-options shares=colours --link-mode full \
        --routing circuit --packet-tokens 18 -o colours.gfs > /dev/null
    "$gossipfab" generate --schedule colours.gfs --token-bits 28 --link-bits 2 --board hx8k -o fabric > /dev/null
    make -C fabric sim sim-icarus sim-axis sim-board lint
    # One node takes its parts in the other order: all tokens are there, but its own is not what was loaded.
    sed -i 's/i_load_word(i_load_word\[v\*LOAD_BITS+:LOAD_BITS\]/& ^ (v == 0 ? 2 : 0)/' fabric/gossip_fabric.v
    grep -q ' ^ (v == 0' fabric/gossip_fabric.v
    expect_fail sim.log make -C fabric sim
    expect_fail icarus.log make -C fabric sim-icarus
    expect_fail axis.log make -C fabric sim-axis
    expect_fail board.log make -C fabric sim-board
    ;;
*)
    echo "generated: no case $case" >&2
    exit 2
    ;;
esac
