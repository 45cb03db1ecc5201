#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# generated_test.sh GOSSIPFAB WORK CASE
#   same      the same inputs give the same bytes, whatever the folder's name, and none that tell where or when; made
#             again in their place they are not newer, as every file of another fabric is
#   alone     copied elsewhere, with gossipfab off the PATH: make sim sim-icarus sim-axis sim-board lint synth pass; with
#             one bit of one ROM flipped the benches say FAIL, the board top on its UART with node and token
#   shared    Icarus' benches and the lint of a mesh whose nodes share programs; a bit flipped in one is seen
#   board-full, board-paths
#             full duplex, and packets over paths with gaps: lint, the board top as above down to a bitstream; with a
#             bit of a path flipped the folder's benches say FAIL, and with another gap the board FAIL with the cycles
#   wide      wide nodes: the benches pass; a flipped bit is seen, and so is a register that its reset does not reach,
#             by what it has at power-up
#   blocks    wide nodes that play an all-to-all: the benches and the lint pass; a flipped bit is seen in a program, in
#             where a block is loaded to, and in where it is read
#   order     an operator whose order counts, bfloat16 and the user's: the benches pass; operands that change
#             places are seen, and a message that comes from another node
#   parts     tokens cut in parts: all of the above; parts that are swapped on the way in are seen
#   names     two fabrics of two sizes with names of their own: each one's own benches pass, and both in one design, in
#             both simulators and on one chip; a bit flipped in one is seen
#   force     --force replaces what gossipfab wrote, keeps build/, and refuses where anything else is in the folder
#   blank     the scripts work below a folder with a blank in its name
#   memory    the block RAMs that generate counts are those that Yosys takes
#   cells     what nextpnr packs is within 10 % of the cells that generate says, and not of those for links twice as wide
#   axis      what gfab_axis_ctrl and gfab_axis_host do about errors: each rule left out is seen
#   begin     a ROM's file that is not there is named, one of every kind; cycles before the first reset are no fault, and
#             a link that both ends drive is one
#   reroute   programs that go round dead links, and a dead node, play on the same Verilog with noise on what is dead, on
#             which those from before fail; a folder of other hardware is refused and left alone
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
# core_is_whole FOLDER: its FuseSoC core names every ROM, every header, and the sources of its .f, which are those that the
# Makefile calls FABRIC.
core_is_whole() {
    local file sources made core
    core=$(echo "$1"/*.core)
    sources=$(grep '\.v$' "${core%.core}.f")
    made=$(make -s -C "$1" -f Makefile -f - <<< 'print: ; @printf "%s\n" $(FABRIC)' print)
    [ "$sources" = "$made" ] || { printf '%s has\n%s\nthe Makefile\n%s\n' "${core%.core}.f" "$sources" "$made"; exit 1; }
    for file in $(cd "$1" && find rom tb \( -name '*.hex' -o -name messages.txt \) && echo rtl/*.vh) $sources; do
        grep -qE -- "^ +- $file(:|\$)" "$core" || { echo "$core has no $file"; exit 1; }
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
begin)
    # fails REASON COMMAND...: in fabric/ the command fails and says REASON; of links it speaks only where REASON does.
    fails() {
        local reason=$1 said
        shift
        said=$(cd fabric && timeout 60 "$@" 2>&1) && { echo "$row: passed, and not '$reason': $*"; exit 1; }
        if ! grep -q "$reason" <<< "$said" || { [[ $reason != *ends* ]] && grep -q 'both ends' <<< "$said"; }; then
            printf '%s: not "%s": %s\n%s\n' "$row" "$reason" "$*" "$said"
            exit 1
        fi
    }
    cat > late.v << 'EOF'
module late;
    reg clk = 1'b0, rst = 1'b0, start = 1'b0;
    wire done;
    always #5 clk = ~clk;
    gossip_fabric u_fabric (.i_clk(clk), .i_rst(rst), .i_start(start), .o_done(done), .i_load_valid({`NODES{1'b0}}));
    initial begin
        repeat (3) @(negedge clk);
        rst = 1'b1;
        repeat (2) @(negedge clk);
        rst   = 1'b0;
        start = 1'b1;
        @(negedge clk) start = 1'b0;
        while (done !== 1'b1)
            @(negedge clk);
        $finish;
    end
endmodule
EOF
    # A fabric that is reset in the fourth cycle, and then plays; until then its registers have what they have.
    make_late() {
        rm -rf late
        iverilog -g2005 "-DNODES=$nodes" -Ifabric/rtl -s late -o late.vvp late.v fabric/gossip_fabric.v fabric/rtl/*.v
        [ -z "$verilated" ] || verilator --binary -Wno-lint --x-initial unique "-DNODES=$nodes" -Ifabric/rtl \
            --top-module late --Mdir late late.v fabric/gossip_fabric.v fabric/rtl/*.v > late.log
    }
    late() { # COMMAND... for each simulator, with random registers where it has no X
        "$@" vvp -N ../late.vvp
        for seed in ${verilated:+1 2 3 4 5 6}; do
            "$@" ../late/Vlate +verilator+rand+reset+2 "+verilator+seed+$seed"
        done
    }
    plays() { (cd fabric && timeout 60 "$@"); }
    while read -r verilated nodes row; do
        [ "$verilated" = both ] || verilated=
        read -ra options <<< "$row"
        rm -rf fabric
        "$gossipfab" generate --topology "${options[@]}" -o fabric > /dev/null
        make -s -C fabric sim-icarus ${verilated:+sim}
        for kind in $(find fabric/rom -name '*.hex' -printf '%f\n' | sed 's/[_.].*//' | sort -u); do
            file=rom/$(find fabric/rom -name "$kind*.hex" -printf '%f\n' | sort | head -n 1)
            mv "fabric/$file" hidden
            fails "no file $file where the simulation was started" vvp -N build/tb_fabric.vvp
            [ -z "$verilated" ] || fails "$file.*not found" "$(cd fabric && echo build/sim/V*_fabric)"
            mv hidden "fabric/$file"
        done
        mv fabric/rom hidden
        fails 'no file rom/.* where the simulation was started' vvp -N build/tb_fabric.vvp
        mv hidden fabric/rom
        make_late
        late plays
    done << EOF
both 3 path:3
icarus 3 path:3 --gap 2
icarus 3 path:3 --link-bits 32
icarus 3 path:3 --collective all-to-all
icarus 3 path:3 --collective all-to-all --store wide --link-bits 32
icarus 5 cycle:5 --solver circgo --startup 50 --link-mode full --routing circuit --packet-tokens 9
EOF
    row='two ends that drive' nodes=3 verilated=both
    rm -rf fabric
    generate path:3 auto 32 2 fabric
    sed -i "s/i_data(send_q)/i_data(1'b1)/" fabric/rtl/gfab_lane.v
    make_late
    late fails 'both ends of a link drive'
    ;;
same)
    generate torus:5x5 lau-zhang 32 2 first --board hx8k
    mkdir elsewhere
    generate torus:5x5 lau-zhang 32 2 elsewhere/second --board hx8k
    diff -r first elsewhere/second
    if grep -rIF -e "$PWD" -e "$(hostname)" -e "$(date +%Y-%m-%d)" first; then
        echo "a generated file tells where or when it was made"
        exit 1
    fi
    # The same again leaves make nothing to do; another fabric leaves no file as old as it was.
    find first -type f -exec touch -d 2001-01-01 {} +
    generate torus:5x5 lau-zhang 32 2 first --board hx8k --force
    [ -z "$(find first -type f -newermt 2001-01-02)" ] || { echo "the same files are newer"; exit 1; }
    generate torus:5x5 lau-zhang 32 2 first --board hx8k --protect detect --force
    [ -z "$(find first -type f ! -newermt 2001-01-02)" ] || { echo "an old file is kept in another fabric"; exit 1; }
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
    make -C elsewhere/fabric sim sim-icarus sim-axis sim-board lint synth
    "$flip" elsewhere/fabric/rom/program_4.hex 0 2
    expect_fail sim.log make -C elsewhere/fabric sim
    expect_fail icarus.log make -C elsewhere/fabric sim-icarus
    expect_fail axis.log make -C elsewhere/fabric sim-axis
    (cd elsewhere/fabric && vvp -N build/tb_board.vvp +expect_fail)
    expect_fail board.log make -C elsewhere/fabric sim-board
    ;;
shared)
    generate mesh:4x4 symmetric 16 2 fabric --frame rotated
    make -C fabric sim-icarus sim-axis lint
    "$flip" fabric/rom/program_05.hex 0 2
    expect_fail icarus.log make -C fabric sim-icarus
    ;;
arty)
    # Nothing open places for it: what would need that fails with a line.
    generate mesh:2x2 auto 16 2 fabric --board arty
    for what in fabric-pnr bitstream prog; do
        status=0
        make -s -C fabric $what VIVADO=no-vivado > said 2>&1 || status=$?
        [ $status = 2 ] || { echo "make $what without Vivado: status $status"; exit 1; }
        grep -E "make ($what:|$what: no-vivado is not here;) no open place and route is known of for xc7a35" said
        [ "$(grep -Ecv '^make(\[[0-9]+\])?: ' said)" -eq 1 ] || { cat said; exit 1; }
    done
    # Vivado is played: the script is run by the Tcl of Yosys, each of its commands looks at what it is given.
    cat > vivado.tcl << 'END'
foreach name {opt_design place_design phys_opt_design route_design report_utilization report_timing_summary} {
    proc $name args "puts $name"
}
foreach name {read_verilog read_xdc} {
    proc $name file { if {![file isfile $file]} { error "$file is not there" } }
}
proc set_msg_config args { puts "set_msg_config $args" }
proc synth_design args { puts "synth_design $args" }
proc get_timing_paths {} { return path }
proc get_property {name path} { return $::env(SLACK) }
proc write_bitstream {force file} { close [open $file w] }
set argv [split $env(SOURCES)]
source vivado.tcl
END
    cat > vivado << 'END'
#!/bin/sh
while [ "$1" != -tclargs ]; do shift; done
shift
SOURCES=$* exec yosys -q -c ../vivado.tcl
END
    chmod +x vivado
    for slack in -0.25 1.5; do
        made=yes
        SLACK=$slack make -s -C fabric bitstream VIVADO=../vivado > said 2>&1 || made=no
        [ $made = $([ $slack = 1.5 ] && echo yes || echo no) ] || { cat said; exit 1; }
        [ $made = yes ] || ! test -e fabric/build/board_top.bit
    done
    grep '^synth_design -top board_top -part xc7a35ticsg324-1L -include_dirs rtl$' said
    grep '^set_msg_config -id {Synth 8-4445} -new_severity ERROR$' said
    grep '^slack of the board top at 100 MHz: 1.5 ns$' said
    test -e fabric/build/board_top.bit
    mv fabric/board_top.v .
    ! SLACK=1 make -s -C fabric bitstream VIVADO=../vivado > said 2>&1 || { echo 'a bitstream of nothing'; exit 1; }
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
    cp fabric/rom/sequence.hex sequence.hex
    "$flip" fabric/rom/sequence.hex $(($(grep -n -m 1 '[1-9a-f].$' sequence.hex | cut -d : -f 1) - 1)) 4
    (cd fabric && vvp -N build/tb_board.vvp +expect_cycles_fail)
    cp sequence.hex fabric/rom/sequence.hex
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
    sed -i 's/CYCLES(WRITE_DELAY - WAITS), .RESET(1)/CYCLES(WRITE_DELAY - WAITS), .RESET(0)/' fabric/rtl/gfab_banks.v
    if cmp -s fabric/rtl/gfab_banks.v banks.v; then echo 'gfab_banks.v is not edited'; exit 1; fi
    expect_fail icarus.log make -C fabric sim-icarus
    cp banks.v fabric/rtl/gfab_banks.v
    "$flip" fabric/rom/program_0.hex 0 "$(highest_bit fabric/rom/program_0.hex)" # of what is stored in round 1
    expect_fail sim.log make -C fabric sim
    expect_fail icarus.log make -C fabric sim-icarus
    expect_fail axis.log make -C fabric sim-axis
    ;;
blocks)
    generate cycle:5 auto 12 4 fabric --store wide --collective all-to-all --link-mode full
    make -C fabric sim sim-icarus lint
    for file in program_0 loads_1 places_2; do
        cp "fabric/rom/$file.hex" whole.hex
        "$flip" "fabric/rom/$file.hex" 0 0 # of an address; of program_0 what bank 0 gives
        expect_fail sim.log make -C fabric sim
        expect_fail icarus.log make -C fabric sim-icarus
        cp whole.hex "fabric/rom/$file.hex"
    done
    for refused in "--board hx8k" "--protect detect"; do
        status=0
        # shellcheck disable=SC2086
        generate cycle:5 auto 12 4 refused --store wide --collective all-to-all $refused 2> refused.log || status=$?
        [ $status -eq 2 ] && [ "$(wc -l < refused.log)" -eq 1 ] && [ ! -e refused ] ||
            { echo "$refused gives status $status: $(cat refused.log)"; exit 1; }
    done
    ;;
parts)
    "$gossipfab" schedule --topology torus:3x3 --solver highdimgo --solver-options shares=colours --link-mode full \
        --routing circuit --packet-tokens 18 -o colours.gfs > /dev/null
    "$gossipfab" generate --schedule colours.gfs --token-bits 28 --link-bits 2 --board hx8k -o fabric > /dev/null
    make -C fabric sim sim-icarus sim-axis sim-board lint
    # One node takes its parts in the other order: all tokens are there, but its own is not what was loaded.
    sed -i 's/{{NODE_LOAD_BITS{1.b0}}, i_load_word\[v\*LOAD_BITS+:LOAD_BITS\]}/& ^ (v == 0 ? 2 : 0)/' fabric/rtl/gfab_fabric.v
    grep -q ' ^ (v == 0' fabric/rtl/gfab_fabric.v
    expect_fail sim.log make -C fabric sim
    expect_fail icarus.log make -C fabric sim-icarus
    expect_fail axis.log make -C fabric sim-axis
    expect_fail board.log make -C fabric sim-board
    ;;
names)
    generate mesh:2x3 auto 16 2 a --name six
    generate cycle:5 auto 12 4 b --name five --store wide --link-mode full
    for folder in a b; do
        core_is_whole $folder
        make -s -C $folder sim-icarus lint
        # In what a design takes of it nothing has the name that fabrics without one have.
        if grep -rw 'gossip_fabric\(_axis\|_harness\)\?' $folder/*.v $folder/*.f $folder/*.core $folder/*.vlt $folder/Makefile; then
            echo "$folder: another fabric's name"
            exit 1
        fi
    done
    make -s -C b sim-axis
    # Started where no programs are, a simulation ends; told where they are it does not.
    mkdir elsewhere
    for folder in rom/six "$PWD/a/rom/six"; do
        iverilog -g2005 -Ia/rtl -s six "-Psix.ROM_FOLDER=\"$folder\"" -o elsewhere/six.vvp a/six.v a/rtl/*.v
        (cd elsewhere && vvp -N six.vvp > "simulation.log" 2>&1) || echo "$folder" >> elsewhere/lost
    done
    [ "$(cat elsewhere/lost)" = rom/six ]
    mkdir -p design/rtl design/rom
    for file in $(cd a && echo rtl/*); do
        [ ! -e "b/$file" ] || cmp "a/$file" "b/$file"
    done
    for folder in a b; do cp -r $folder/rtl $folder/rom $folder/*.v design; done
    cp "$(dirname "$flip")/../../tests/generated/pair.v" design
    number() { sed -n "s/^\`define GF_$2 //p" "$1/tb/gossip_fabric_parameters.vh"; }
    sizes=(-DSIX_NODES="$(number a NODES)" -DSIX_BITS="$(number a TOKEN_BITS)"
        -DFIVE_NODES="$(number b NODES)" -DFIVE_BITS="$(number b TOKEN_BITS)")
    cd design
    iverilog -g2005 -Irtl "${sizes[@]}" -s pair -o pair.vvp ./*.v rtl/*.v
    vvp -N pair.vvp
    verilator --binary -Wno-lint -Wno-INITIALDLY -Irtl "${sizes[@]}" --top-module pair --Mdir obj ./*.v rtl/*.v > verilator.log
    obj/Vpair
    "$flip" rom/five/program_0.hex 0 0 # what bank 0 gives
    expect_fail icarus.log vvp -N pair.vvp
    expect_fail verilator.log obj/Vpair
    if command -v nextpnr-ice40 > /dev/null && command -v icepack > /dev/null; then
        yosys -q -p "read_verilog -Irtl ${sizes[*]} pair.v six.v six_harness.v five.v five_harness.v $(echo rtl/*.v)
            synth_ice40 -device hx -top pair_chip; write_json pair.json"
        nextpnr-ice40 -q --hx8k --package ct256 --json pair.json --pcf-allow-unconstrained --asc pair.asc --timing-allow-fail \
            2> nextpnr.log
        icepack pair.asc pair.bin
        [ -s pair.bin ]
    fi
    ;;
order)
    options=(--topology mesh:2x2 --token-bits 32 --link-bits 16 --collective all-reduce --operator)
    "$gossipfab" generate "${options[@]}" bfloat16 --operator-latency 1 -o sums > /dev/null
    "$gossipfab" generate "${options[@]}" user:"$(dirname "$flip")/../lockstep/turned_difference.v" --operator-latency 2 \
        -o fabric > /dev/null
    core_is_whole fabric
    make -s -C sums sim-icarus sim-axis
    core_is_whole sums
    cd fabric
    make -s sim sim-icarus sim-axis
    cp rtl/gfab_wide_chain.v sound.v
    sed -i 's/\(o_lefts.*\)= so_far;/\1= met;/; s/\(o_rights.*\)= met;/\1= so_far;/' rtl/gfab_wide_chain.v
    ! cmp -s rtl/gfab_wide_chain.v sound.v || { echo "the operands have other names"; exit 1; }
    for bench in sim-icarus sim-axis; do expect_fail $bench.log make -s $bench; done
    cp sound.v rtl/gfab_wide_chain.v # of a new time, for make
    make -s sim-icarus
    awk '$6 == 1 && n++ == 1 { $3 = ($3 + 1) % 4 } 1' tb/messages.txt > other.txt
    mv other.txt tb/messages.txt
    expect_fail other.log make -s sim-icarus
    ;;
selftest)
    # Blocks that are combined, and that are moved, on a board; then a sum without carries, a block that does not come.
    "$gossipfab" generate --topology path:3 --collective all-reduce,all-to-all --token-bits 16 --link-bits 2 \
        --board ulx3s --host self-test -o fabric > /dev/null
    core_is_whole fabric
    only_used fabric
    make -s -C fabric lint sim-board
    cp fabric/rtl/gfab_operator.v sound.v
    sed -i 's/carry_q <= ~i_clear & total.*/carry_q <= 1'"'"'b0;/' fabric/rtl/gfab_operator.v
    ! cmp -s fabric/rtl/gfab_operator.v sound.v || { echo "the carry has another name"; exit 1; }
    expect_fail carry.log make -s -C fabric sim-board
    grep -q 'FAIL node=00 block=0' carry.log
    cp sound.v fabric/rtl/gfab_operator.v
    "$flip" fabric/rom/program_1.hex last-recv
    expect_fail board.log make -s -C fabric sim-board
    grep -q 'FAIL node=0. block=0' board.log
    ;;
force)
    generate mesh:2x2 auto 16 2 fabric
    make -s -C fabric sim-icarus
    echo mine > fabric/rom/notes.txt
    echo mine > "fabric/my notes"
    cp -r fabric before
    if generate mesh:2x2 auto 32 2 fabric --force 2> said; then
        echo "a file of the user's is deleted"
        exit 1
    fi
    grep -qx 'gossipfab: generate: fabric: my notes, rom/notes.txt: gossipfab did not write them; .*' said
    diff -r before fabric
    rm fabric/rom/notes.txt "fabric/my notes"
    # Files of gossipfab's own that are not as it wrote them, the manifest among them, and what another file stands for.
    for changed in rtl/gfab_fabric.v rom/program_0.hex README.md manifest.json Makefile; do
        rm -rf before
        cp -r fabric before
        case $changed in
        manifest.json) sed -i 's/"token_seed": 1/"token_seed": 2/' fabric/$changed ;;
        Makefile) ln -sf ../before/Makefile fabric/Makefile ;;
        *) echo '// mine' >> fabric/$changed ;;
        esac
        ! diff -r --no-dereference fabric before > /dev/null || { echo "$changed is as it was"; exit 1; }
        cp -rP fabric mine
        if generate mesh:2x2 auto 32 2 fabric --force 2> said; then
            echo "what the user made of $changed is deleted"
            exit 1
        fi
        grep -qx "gossipfab: generate: fabric: $changed: not as gossipfab wrote it; move it elsewhere first" said
        diff -r --no-dereference mine fabric
        rm -rf fabric mine
        mv before fabric
    done
    cp -r fabric before
    rm fabric/rtl/gfab_fabric.v # what is gone is nobody's
    generate mesh:2x2 auto 32 2 fabric --force
    [ -e fabric/build/tb_fabric.vvp ]
    make -s -C fabric sim-icarus | grep 'tokens of 32 bits'
    left=$(find . -maxdepth 1 -mindepth 1 | sort)
    diff <(printf './%s\n' before fabric said) - <<< "$left"
    ;;
blank)
    mkdir 'a b'
    generate mesh:2x2 auto 16 2 'a b/my fabric' --board hx8k
    make -C 'a b/my fabric' sim-icarus sim-axis sim-board lint synth gate
    if make -s -C 'a b/my fabric' sim 2> said; then
        echo "make sim works there, and the Makefile says it does not"
        exit 1
    fi
    grep '^make sim: Verilator builds nothing below a folder with a blank in its name; ' said
    ;;
memory)
    while read -r options; do
        rm -rf fabric
        # shellcheck disable=SC2086
        "$gossipfab" generate $options --board hx8k -o fabric --json > fabric.json
        counted=$(sed -n 's/.*"block_rams": \([0-9]*\).*/\1/p' fabric.json)
        sources=$(make -s -C fabric -f Makefile -f - <<< 'print: ; @echo $(FABRIC)' print)
        (cd fabric && yosys -q -p "read_verilog -Irtl $sources; synth_ice40 -device hx -top gossip_fabric \
            -run begin:map_ffram; tee -q -o ../stat.txt stat")
        taken=$(awk '$1 == "SB_RAM40_4K" { count = $2 } END { print count + 0 }' stat.txt)
        echo "$options: $counted block RAMs counted, $taken taken"
        [ "$counted" = "$taken" ]
    done << 'EOF'
--topology path:4 --token-bits 16
--topology mesh:2x2 --token-bits 32
--topology mesh:2x2 --token-bits 256 --link-bits 1
--topology mesh:2x3 --token-bits 512 --link-bits 8
--topology torus:3x3 --token-bits 8 --link-bits 8
--topology mesh:2x2 --token-bits 64 --link-bits 32
--topology hypercube:3 --link-mode full --token-bits 64 --link-bits 4 --rom block
--topology path:3 --token-bits 64 --link-bits 32 --store wide --rom block
EOF
    ;;
cells)
    command -v nextpnr-ice40 > /dev/null || { echo "generated: skipped, nextpnr-ice40 is missing" >&2; exit 77; }
    said() {
        "$gossipfab" generate --topology mesh:3x3 --link-bits "$1" --board hx8k --host uart -o "fabric$1" --json |
            sed -n 's/.*"cells": \([0-9]*\).*/\1/p'
    }
    near() { [ $((100 * $1)) -ge $((90 * packed)) ] && [ $((100 * $1)) -le $((110 * packed)) ]; }
    estimate=$(said 2) twice=$(said 4)
    make -s -C fabric2 build/board_top.json
    nextpnr-ice40 --hx8k --package ct256 --json fabric2/build/board_top.json --pack-only -q --log packed.log
    packed=$(sed -n 's/.*ICESTORM_LC: *\([0-9]*\)\/.*/\1/p' packed.log)
    echo "$packed cells, $estimate by estimate, $twice for links twice as wide"
    near "$estimate"
    if near "$twice"; then exit 1; fi
    ;;
axis)
    generate mesh:2x2 auto 8 2 protected --protect detect # after power-up it wants more than an edge of reset
    make -s -C protected sim-axis
    generate mesh:2x2 auto 16 2 fabric
    make -s -C fabric sim-axis
    cp -r fabric/rtl rtl
    while IFS=: read -r file sound faulty; do
        grep -qF -- "$sound" "rtl/$file"
        python3 -c 'import sys; a, b, sound, faulty = sys.argv[1:]; open(b, "w").write(open(a).read().replace(sound, faulty))' \
            "rtl/$file" "fabric/rtl/$file" "$sound" "$faulty"
        expect_fail axis.log make -s -C fabric sim-axis
        echo "$sound -> $faulty: $(grep -m 1 FAIL axis.log)"
        cp "rtl/$file" fabric/rtl
    done << 'EOF'
gfab_axis_ctrl.v:late  = load & overdue:late  = 1'b0
gfab_axis_ctrl.v:stuck = run & overdue & ~i_done:stuck = 1'b0
gfab_axis_ctrl.v:stuck = run & overdue & ~i_done:stuck = run & overdue
gfab_axis_ctrl.v:long  = |i_node_long:long  = 1'b0
gfab_axis_ctrl.v:(i_error & ~failed):1'b0
gfab_axis_ctrl.v:o_fabric_rst  = failed:o_fabric_rst  = 1'b0
gfab_axis_ctrl.v:(fault | error_q) ?:fault ?
gfab_axis_ctrl.v:late ? ~i_node_done:late ? i_node_done
gfab_axis_ctrl.v:LONGEST - LOAD_LIMIT:LONGEST - LOAD_LIMIT + 1
gfab_axis_host.v:assign s_axis_tready = skip_q |:assign s_axis_tready =
gfab_axis_host.v:~done_q & ~skip_q &:~done_q &
EOF
    ;;
reroute)
    "$gossipfab" schedule --topology mesh:3x3+relay=4 --collective all-gather -o relay.gfs > /dev/null
    "$gossipfab" schedule --topology mesh:3x3 -o s.gfs > /dev/null
    options=(--token-bits 16 --link-bits 2 --frame absolute --rom-rounds 32)
    # play: the gossip, with noise on each of the links $dead.
    play() {
        local link
        {
            echo 'module noise;'
            for link in $dead; do
                echo "    always @(negedge tb_fabric.clk) force tb_fabric.u_fabric.u_fabric.gen_link[$link].link = \$random;"
            done
            echo 'endmodule'
        } > noise.v
        (cd fabric && iverilog -g2005 -DGFAB_TRACE -Itb -s tb_fabric -s noise -o ../noisy.vvp -c gossip_fabric.f tb/tb_fabric.v \
            ../noise.v && vvp -N ../noisy.vvp)
    }
    # Of a schedule: what is dropped, what is right after that, which links that leaves dead.
    while read -r schedule drops right dead; do
        slots=()
        [ $schedule = s ] || slots=(--relay-slots 8)
        rm -rf fabric before
        "$gossipfab" generate --schedule $schedule.gfs "${options[@]}" "${slots[@]}" -o fabric > /dev/null
        expect_fail old.log play
        cp -r fabric before
        "$gossipfab" reroute $schedule.gfs "$drops" "${options[@]}" "${slots[@]}" -o fabric
        { diff -rq before fabric || true; } | sed 's/^Files before.\([^ ]*\) .*/\1/' | grep -v '^rom/' | sort > changed
        printf '%s\n' README.md manifest.json player.html tb/gossip_fabric_parameters.h tb/gossip_fabric_parameters.vh |
            diff - changed
        play > new.log
        grep "^PASS: ${right//_/ }" new.log
    done << 'EOF'
relay +drop-link=0-3 64_blocks_of_16_bits_right; 6
relay +drop-node=4 64_blocks_of_16_bits_right; 2 3 8 9
s +drop-link=3-4 9_tokens_of_16_bits_right_in_9_nodes 2
s +drop-link=0-1+drop-link=5-8 9_tokens_of_16_bits_right_in_9_nodes 0 11
s +drop-node=4 8_tokens_of_16_bits_right_in_8_nodes 2 3 8 9
EOF
    make -s -C fabric sim
    # Programs that are not as they were written are the user's.
    echo '// mine' >> fabric/README.md
    cp -r fabric mine
    if "$gossipfab" reroute s.gfs +drop-link=3-4 "${options[@]}" -o fabric 2> said; then
        echo "what the user made of a page is gone"
        exit 1
    fi
    grep -qx "gossipfab: reroute: fabric: README.md: not as gossipfab wrote it; move it elsewhere first" said
    diff -r mine fabric
    rm -rf mine
    sed -i '$d' fabric/README.md
    # Another fabric is left alone.
    rm -rf before
    cp -r fabric before
    for other in 32:2:32 16:1:32 16:2:64; do
        IFS=: read -r token_bits link_bits rounds <<< $other
        if "$gossipfab" reroute s.gfs +drop-link=3-4 --token-bits "$token_bits" --link-bits "$link_bits" \
            --frame absolute --rom-rounds "$rounds" -o fabric 2> said; then
            echo "programs for another fabric are taken"
            exit 1
        fi
        grep 'fabric/.* is not that of this fabric; give the schedule and the options that generate had' said
        diff -r before fabric
    done
    # On a board the self-test then knows the new number of cycles.
    rm -rf fabric
    "$gossipfab" generate --schedule s.gfs "${options[@]}" --board hx8k -o fabric > /dev/null
    "$gossipfab" reroute s.gfs +drop-link=3-4 "${options[@]}" --board hx8k -o fabric
    make -s -C fabric sim-board
    ;;
*)
    echo "generated: no case $case" >&2
    exit 2
    ;;
esac
