#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [--verilator] [--mutants] [--lint] [--gate] [--protect] TOPOLOGY MODE TOKEN_BITS LINK_BITS
# [COLLECTIVE BLOCKS OPERATOR]: a generated ring fabric, an all-gather's without a collective, by arithmetic alone, in
# Icarus, whose RAMs answer anything where a word is read as it is written; and in every cycle the C model does the
# same, also under inputs at random. MODE: half or full. --verilator: the bench there, too. --gate: the netlist, too.
# --protect: with --protect detect. --mutants: what must be found out, by the bench and by the comparison.
# From the environment: GOSSIPFAB (the command), RING_LOCKSTEP (ring_lockstep.cc), WORK (this test's own folder).
set -euo pipefail

verilator=no mutants=no lint=no gate=no protect=no
while [[ $1 == --* ]]; do
    declare "${1#--}=yes"
    shift
done
command -v iverilog > /dev/null || { echo "rings: skipped, iverilog is missing" >&2; exit 77; }
if [ $verilator = yes ] && ! command -v verilator > /dev/null; then
    echo "rings: skipped, verilator is missing" >&2
    exit 77
fi
if [ $gate = yes ] && ! command -v yosys > /dev/null; then
    echo "rings: skipped, yosys is missing" >&2
    exit 77
fi
mkdir -p "$WORK"
cd "$WORK"
rm -rf -- fabric
"$GOSSIPFAB" generate "$1" --store ring --link-mode "$2" --token-bits "$3" --link-bits "$4" \
    --protect "$(if [ $protect = yes ]; then echo detect; else echo none; fi)" \
    ${5:+--collective "$5" --blocks "$6" --operator "$7"} -o fabric > /dev/null
cd fabric
make -s build/tb_fabric.vvp
vvp -N build/tb_fabric.vvp +trace +seed=3
"$RING_LOCKSTEP" . ring.trace
[ $verilator = no ] || make -s sim
# README.md's instance, as it is copied into a design: its widths are the ports'.
instance() {
    { echo 'module user (input wire clk, rst, start, output wire busy, done);'
      sed -n '/^```verilog/,/^```/{/^```/!p}' README.md | sed "$1"
      echo endmodule; } > build/instance.v
    [ -z "$(iverilog -g2005 -Irtl -s user -o build/instance.vvp -c gossip_fabric.f build/instance.v 2>&1)" ]
}
if [ $lint = yes ]; then
    make -s lint
    instance '' || { echo "rings: README.md's instance does not fit" >&2; exit 1; }
    ! instance 's/-1:0] load_word/-2:0] load_word/' || { echo 'rings: a wrong width was not found out' >&2; exit 1; }
fi
[ $gate = no ] || make -s gate

[ $mutants = yes ] || exit 0
fails() { # WHAT COMMAND...
    if "${@:2}" > build/mutant.txt 2>&1; then
        echo "rings: not found out: $1" >&2
        exit 1
    fi
}
fails "the model has another arc" "$RING_LOCKSTEP" . ring.trace mutant
mutants=0
# A file, a text in it, and what stands there in its place.
mutant() {
    cp "$1" build/whole.v
    sed "s/$2/$3/" build/whole.v > "$1"
    ! cmp -s "$1" build/whole.v || { echo "rings: no mutant of $1: $2" >&2; exit 1; }
    iverilog -g2005 -Irtl -Itb -s tb_fabric -o build/mutant.vvp -c gossip_fabric.f tb/tb_fabric.v
    fails "$1: $3" timeout 60 vvp -N build/mutant.vvp
    cp build/whole.v "$1"
    mutants=$((mutants + 1))
}
mutant rtl/gfab_ring_distance.v 'NODES+NODE)' 'NODES)'
if grep -q 'GF_BOTH 1' tb/gossip_fabric_parameters.vh; then
    mutant rtl/gfab_ring_distance.v 'assign back  *= i_ring\[0\]' "assign back = 1'b0"
fi
mutant gossip_fabric.v "16'd0, 16'd" "16'd1, 16'd"
counter=$(echo rtl/gfab_ring*_counter.v)
mutant "$counter" '~busy_q | done_q' '~busy_q'
mutant "$counter" 'busy_q \& ~done_q' 'busy_q'
mutant "$counter" 'done_q \& ~start' 'done_q'
if [ -e rtl/gfab_ring_reduce.v ]; then
    mutant "$counter" 'after_q ? ~empties : home' 'after_q ? 1 : home'
    mutant "$counter" '~run2_q | empties2_q' '~run2_q'
    mutant "$counter" "last_q\[SETTLES+1\] | (done" 'last_q[SETTLES] | (done'
    mutant rtl/gfab_ring_reduce_lane.v '(LAST \&\& i_load) ? i_load_data\[s\] : ' ''
    mutant rtl/gfab_ring_reduce_node.v 'settled ? settled_address : i_load_address' 'settled_address'
    if ! grep -q 'GF_RINGS 1$' tb/gossip_fabric_parameters.vh; then
        mutant rtl/gfab_ring_reduce_node.v 'i_load_valid} << i_load_ring' "i_load_valid} << 1'b0"
    fi
    if grep -q 'GF_ALL 1' tb/gossip_fabric_parameters.vh; then
        mutant "$counter" 'after_q ? ~empties : home' 'home'
    fi
    if grep -q 'GF_OPERATOR 1$' tb/gossip_fabric_parameters.vh; then
        mutant "$counter" 'pass2_q    <= pass1_q' "pass2_q    <= 1'b1"
        if grep -q 'GF_FLITS 1$' tb/gossip_fabric_parameters.vh; then
            mutant rtl/gfab_ring_reduce_lane.v 'carries\[s+1\] *= i_link\[BITS+s\]' "carries[s+1] = 1'b0"
            mutant rtl/gfab_ring_reduce_lane.v 'carries\[s\] = result_q\[' "carries[s] = 1'b0 \& result_q["
            mutant rtl/gfab_ring_reduce_lane.v 'load_q ? data_q : ' ''
        else
            mutant rtl/gfab_ring_reduce_lane.v 'carry_q \& ~i_first' "1'b0"
        fi
    fi
    echo "rings: $mutants mutants found out"
    exit 0
fi
[ $protect = yes ] || mutant "$counter" 'next_q <= reads' "next_q <= reads \& ~last"
mutant "$counter" 'place_q == i_last_place' 'place_q + 1 == i_last_place'
if ! grep -q 'GF_ABREAST 1$' tb/gossip_fabric_parameters.vh; then
    mutant rtl/gfab_ring.v 'v+NODES-j\*' 'v+NODES-0*'
    mutant rtl/gfab_ring_shift.v 'flow2_q <= flow1_q' 'flow2_q <= flow'
    mutant rtl/gfab_ring_shift.v 'far - k \* STEPS' 'far'
fi
if grep -q 'GF_SHIFTS 1' tb/gossip_fabric_parameters.vh; then
    mutant rtl/gfab_ring_shift.v 'i_write ? i_link : i_start' 'i_link'
elif [ $protect = yes ]; then
    mutant "$counter" 'next_q <= reads' 'next_q <= run_q'
    mutant rtl/gfab_ring_checked.v 'i_write ? i_write_word' "1'b0 ? i_write_word"
    mutant rtl/gfab_ring_checked.v '{CHECKS{1.b1}}' "{CHECKS{1'b0}}"
    mutant rtl/gfab_ring_checked.v 'tested_q\[0\], i_over' "tested_q[0], 1'b1"
    mutant rtl/gfab_ring_checked.v 'i_over \& ~i_load_valid' 'i_over'
    mutant rtl/gfab_ring_checked.v '~^i_distance' '^i_distance'
    mutant rtl/gfab_ring_checked.v 'PLACE_BITS{turn}' "PLACE_BITS{1'b0}"
    mutant rtl/gfab_ring_pair.v 'seen\[SEEN-1:0\] !=' 'seen[SEEN-1:0] =='
    mutant rtl/gfab_ring.v 'wrote_q & (^' '(^'
else
    mutant "$counter" '(i_rst | ~run_q) ? ' "1'b0 ? "
    mutant "$counter" "write_place_q <= i_rst ? {PLACE_BITS{1'b0}}" "write_place_q <= i_rst ? {PLACE_BITS{1'b1}}"
    mutant rtl/gfab_ring_node.v 'i_write ? i_write_word' "1'b0 ? i_write_word"
    mutant rtl/gfab_ring_node.v 'i_write ? i_link' "i_read ? i_link"
fi
echo "rings: $mutants mutants found out"
