#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh TOPOLOGY TOKEN_BITS LINK_BITS [--mutants]: the AXI4-Stream top of a generated fabric under tb_axis.v, with four
# seeds; --mutants: the bench must also refuse the top with each of the faults below, under one of the seeds.
# run.sh --collective OPTIONS TOPOLOGY ..: a fabric for collectives of blocks, made with these options; other faults.
# run.sh --overlap OPTIONS TOPOLOGY ..: with --axi overlap and these options, the errors too; other faults. Of
# collectives of blocks (--collective among OPTIONS) with the bench for these.
# From the environment: GOSSIPFAB (the command), WORK (this test's own folder).
set -euo pipefail

command -v iverilog > /dev/null || { echo "axis: skipped, Icarus Verilog is missing" >&2; exit 77; }
options=() kind=turns
if [ "$1" = --collective ]; then
    kind=blocks
    read -ra options <<< "--collective $2"
    shift 2
elif [ "$1" = --overlap ]; then
    kind=overlap
    read -ra options <<< "--axi overlap $2"
    shift 2
fi
topology=$1 token_bits=$2 link_bits=$3 mutants=${4-} seeds=(1 2 3 4)
mkdir -p "$WORK"
cd "$WORK"
rm -rf -- fabric
"$GOSSIPFAB" generate --topology "$topology" --token-bits "$token_bits" --link-bits "$link_bits" "${options[@]}" -o fabric > log
cd fabric
make -s build/tb_axis.vvp
for seed in "${seeds[@]}"; do
    vvp -N build/tb_axis.vvp +seed="$seed"
done
if [ $kind = overlap ] && [[ " ${options[*]} " != *" --collective "* ]]; then
    make -s build/tb_axis_errors.vvp
    vvp -N build/tb_axis_errors.vvp
fi

status=0 bench=tb_axis
number() { sed -n "s/^\`define GF_$1 //p" tb/gossip_fabric_parameters.vh; }
tried=0
# mutant NAME FILE SED; MUTANTS=N in the environment: the first N are played
mutant() {
    local seed said seen=no
    cp "$2" sound.v
    sed -i "$3" "$2"
    ! cmp -s "$2" sound.v || { echo "axis: mutant '$1' does not apply to $2" >&2; exit 1; }
    if [ $((tried += 1)) -gt "${MUTANTS:-99}" ]; then
        mv sound.v "$2"
        return
    fi
    make -s "build/$bench.vvp"
    for seed in "${seeds[@]}"; do
        said=$(vvp -N "build/$bench.vvp" +seed="$seed" 2>&1) || { seen=yes && break; }
    done
    mv sound.v "$2"
    if [ $seen = yes ]; then
        printf '%s: %s\n' "$1" "$(tail -n 1 <<< "$said")"
    else
        printf "axis: mutant '%s' is not seen\n" "$1" >&2
        status=1
    fi
}
# In Icarus a word that is written while it is read is anything: whoever looks at it gives false alarms.
if [[ " ${options[*]} " == *" --protect detect "* ]]; then
    if [ ! -e rtl/gfab_twin_guard.v ]; then
        checks=rtl/gfab_lane_store.v
        [ "$(number WIDE)" = 0 ] || checks=rtl/gfab_wide_node.v
        mutant 'a word that is written just then looked at' $checks 's/i_host_reads & ~\(o_\)\?collides/i_host_reads/'
    elif [ $kind = blocks ]; then
        mutant 'a word that is written just then looked at' rtl/gfab_twin_guard.v 's/ & ~(i_collides.*;/;/'
        bench=tb_fabric
        make -s build/tb_fabric.vvp
        for seed in "${seeds[@]}"; do
            vvp -N build/tb_fabric.vvp +seed="$seed"
        done
        mutant 'what nobody wants looked at' rtl/gfab_twin_guard.v 's/ & wants / /'
        bench=tb_axis
    fi
fi
[ "$mutants" = --mutants ] || exit $status
if [ $kind = overlap ]; then
    overlap=rtl/gfab_axis_overlap.v axis=rtl/gfab_axis.v
    mutant 'one half for both' $overlap 's/{~half_q, i_read_slot/{half_q, i_read_slot/'
    mutant 'halves that never swap' $overlap 's/(half_q ^ i_take);/half_q;/'
    mutant 'beats that end before their time' $overlap "s/(unload_q & ~i_given)/1'b0/"
    mutant 'a busy unloader told idle' $overlap "s/o_idle  *= ~unload_q/o_idle = 1'b1/"
    mutant 'what is loaded not kept' $overlap 's/(i_load_valid & i_load_banks\[b\]) | //'
    mutant 'what comes in not kept' $overlap 's/ | i_write\[b\])/)/'
    if [ "$(number WIDE)" = 1 ]; then
        mutant 'a result of another bank' $overlap 's/<< i_read_bank/<< ~i_read_bank/'
    fi
    mutant 'taken before all are idle' $axis 's/(&idle)/(|idle)/'
    if [[ " ${options[*]} " == *" --collective "* || "$(number WIDE)" = 1 ]]; then
        mutant 'loaded to another slot' $overlap 's/load_address = i_load_word/load_address = ~i_load_word/'
        # Looked at behind the first beat for their steps alone, which of wide nodes are 1.
        [[ "$(number PROGRAMS)" = 1 || "$(number WIDE)" = 1 ]] || mutant 'results of the next program' $axis 's/= taken_q;/= o_program;/'
    else
        mutant 'the own slot another' $overlap 's/{i_own_slot, i_load_word}/{~i_own_slot, i_load_word}/'
    fi
    if [[ " ${options[*]} " == *" --protect detect "* ]]; then
        bench=tb_axis_errors
        mutant 'check bits not tested' $overlap "s/tested_q & (~^stored_out | ~^chosen)/1'b0/"
        mutant 'the half not told twice' $overlap "s/half_q == other_q/1'b0/"
        mutant 'beats that go out not told twice' $overlap 's/ | (unload_q == rest_q)//'
        mutant 'faults of second stores not told' $axis 's/ | (|faults)//'
    fi
    exit $status
fi
if [ $kind = blocks ]; then
    blocks=rtl/gfab_axis_blocks.v command=rtl/gfab_axis_command.v
    mutant 'a wrong length not seen' $blocks "s/o_wrong *= .*/o_wrong = 1'b0;/"
    mutant 'the rest of a packet not taken' $blocks "s/last_word : mid_q/last_word : 1'b0/"
    mutant 'the rest of a packet loaded' $blocks 's/ & ~(i_load & mid_q)//'
    mutant 'every node from block 0 on' $blocks "s/loads\[0+:FIELD\]/{FIELD{1'b0}}/"
    mutant 'tlast with every beat' $blocks "s/m_axis_tlast *= last/m_axis_tlast = 1'b1/"
    mutant 'a beat taken back' $blocks 's/(valid_q & ~m_axis_tready)/(valid_q \& word_q[0])/'
    mutant 'commands at any time' $command 's/i_load & ~there_q/~there_q/'
    mutant 'every command the first program' $command "s/o_program *= program_q/o_program = {PROGRAM_BITS{1'b0}}/"
    mutant 'every command a sum' $command "s/o_operator *= operator_q/o_operator = {OPERATOR_BITS{1'b0}}/"
    mutant 'no turn' rtl/gfab_axis_ctrl.v '/UNLOAD:/s/TURN/LOAD/'
    exit $status
fi
top=gossip_fabric_axis.v axis=rtl/gfab_axis.v host=rtl/gfab_axis_host.v control=rtl/gfab_axis_ctrl.v
nodes=$(number NODES)
for ((node = 0; node < nodes; node++)); do
    bit=$nodes\'d$((1 << node))
    for phase in load unload; do
        mutant "node $node not waited for, ${phase}ing" $axis \
            "s/\.i_node_done(node_done)/.i_node_done(node_done | {NODES{$phase}} \& $bit)/"
    done
    mutant "tlast wrong of node $node" $top \
        "s/\.m_axis_tlast(m_axis_tlast)/.m_axis_tlast(last)/; s/^    wire start,/    wire [$nodes-1:0] last;\n&/
         s/^endmodule/    assign m_axis_tlast = last ^ $bit;\n&/"
done
for value in 0 1; do
    mutant "busy stuck at $value" $top "s/\.o_busy(o_busy)/.o_busy()/; s/^endmodule/    assign o_busy = 1'b$value;\n&/"
done
# A token of several words is begun only when tvalid is there.
[ $(($(number PARTS) * $(number WORDS))) -gt 1 ] ||
    mutant 'tready waits for tvalid' $host 's/s_axis_tready = \(.*\);/s_axis_tready = s_axis_tvalid \& (\1);/'
mutant 'tvalid waits for tready' $host 's/m_axis_tvalid = \(.*\);/m_axis_tvalid = m_axis_tready \& (\1);/'
mutant 'no turn' $control '/UNLOAD:/s/TURN/LOAD/'
exit $status
