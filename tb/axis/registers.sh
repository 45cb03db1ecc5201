#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# registers.sh OPTIONS [--icarus|--mutants]: the top with registers of a fabric generated with OPTIONS, one word, under
# tb_registers.v in Icarus, with six seeds, and in Verilator, which takes most of the time; --icarus: not in Verilator;
# --mutants: the bench must also refuse the registers and their bus with each of the faults below, in Icarus, under one
# of the seeds.
# From the environment: GOSSIPFAB (the command), WORK (this test's own folder).
set -euo pipefail

for tool in iverilog verilator; do
    command -v $tool > /dev/null || { echo "registers: skipped, $tool is missing" >&2; exit 77; }
done
read -ra options <<< "$1"
mkdir -p "$WORK"
cd "$WORK"
rm -rf -- fabric
"$GOSSIPFAB" generate "${options[@]}" -o fabric > log
cd fabric
if [ "${2-}" != --mutants ]; then
    if [ "${2-}" = --icarus ]; then
        make -s build/tb_registers.vvp
        vvp -N build/tb_registers.vvp
    else
        make -s sim-registers
    fi
    for seed in 2 3 4 5 6; do vvp -N build/tb_registers.vvp +seed=$seed; done
    exit
fi

status=0
make -s build/tb_registers.vvp
vvp -N build/tb_registers.vvp
tried=0
# mutant NAME FILE SED; MUTANTS=N in the environment: the first N are played
mutant() {
    local seed said seen=no
    cp "$2" sound.v
    sed -i "$3" "$2"
    ! cmp -s "$2" sound.v || { echo "registers: mutant '$1' does not apply to $2" >&2; exit 1; }
    if [ $((tried += 1)) -gt "${MUTANTS:-99}" ]; then
        mv sound.v "$2"
        return
    fi
    make -s build/tb_registers.vvp
    for seed in 1 2; do
        said=$(vvp -N build/tb_registers.vvp +seed=$seed 2>&1) || { seen=yes && break; }
    done
    mv sound.v "$2"
    if [ $seen = yes ]; then
        printf '%s: %s\n' "$1" "$(grep -m 1 FAIL <<< "$said")"
    else
        printf "registers: mutant '%s' is not seen\n" "$1" >&2
        status=1
    fi
}
core=rtl/gfab_registers.v
mutant 'strobes ignored' $core 's/ones = i_write_data & mask/ones = i_write_data/'
mutant 'a start while one waits' $core 's/(to_control & (ready | ~asks_start))/to_control/'
mutant 'PROGRAM while a start waits' $core 's/to_program & ready/to_program/'
mutant 'any PROGRAM' $core 's/ & is_program//'
mutant 'any OPERATOR' $core 's/ & is_operator//'
mutant 'the highest bits of PROGRAM' $core 's/to_play\[31:PROGRAM_BITS\] == 0/to_play[30:PROGRAM_BITS] == 0/'
mutant 'the highest bits of OPERATOR' $core 's/to_combine\[31:3\] == 0/to_combine[15:3] == 0/'
mutant 'PROGRAM after an error' $core 's/to_program & ready/to_program \& ~valid_q/'
mutant 'OPERATOR after an error' $core 's/to_operator & ready/to_operator \& ~valid_q/'
mutant 'COLLECTIVES of 16 bits' $core "s/<= collectives_q + 1'b1/<= {16'd0, collectives_q[15:0] + 16'd1}/"
mutant 'CYCLES of 16 bits' $core "s/<= cycles_q + 1'b1/<= {16'd0, cycles_q[15:0] + 16'd1}/"
mutant 'an end not counted' $core 's/ - {1.b0, ended};/;/'
mutant 'starts kept through an error' $core "s/i_error ? 2'd0 : left_q/left_q/"
mutant 'DONE after the first of two' $core "s/(ended & (left_q == 2'd1))/ended/"
mutant 'DONE kept by a start' $core 's/~i_error & ~start & (done_q/~i_error \& (done_q/'
mutant 'CYCLES one too few' $core "s/cycles_q <= 32'd0;\$/cycles_q <= 32'hffffffff;/"
mutant 'CYCLES not from 0' $core 's/if (i_start)$/if (1'"'b0)/"
mutant 'BUSY beside FAILED' $core "s/(left_q != 2'd0) & ~i_error/(left_q != 2'd0)/"
mutant 'RUNNING beside FAILED' $core 's/= running_q & ~i_error;/= running_q;/'
mutant 'an end with an error counted' $core 's/running_q & ~i_done)) & ~i_error/running_q \& ~i_done))/'
mutant 'no CLEAR' $core 's/i_error & (clear_q/1'"'b0 \\& (clear_q/"
mutant 'the interrupts exchanged' $core 's/{i_error, done_q & ~i_error})/{done_q \& ~i_error, i_error})/'
mutant 'another error' $core 's/GFAB_ERROR_WHAT_LSB+:3\] *= i_status/GFAB_ERROR_WHAT_LSB+:3] = ~i_status/'
mutant 'the nodes shifted' $core 's/ERROR_NODES+:NODES\] *= error_nodes/ERROR_NODES+:NODES] = error_nodes << 1/'
if [ -e rtl/gfab_axi_lite.v ]; then
    bus=rtl/gfab_axi_lite.v
    mutant 'a refused write happens' $core 's/write *= i_write & taken/write = i_write/'
    mutant 'an answer taken back' $bus 's/(b_q & ~s_axil_bready)/(b_q \& 1'"'b0)/"
    mutant 'data taken before the address' $bus 's/takes_data = address_q & ~b_q/takes_data = ~b_q/'
    mutant 'the address of the write behind it' $bus 's/if (~address_q)/if (1)/'
    mutant 'a write twice' $bus 's/address_q ? ~o_write : s_axil_awvalid/address_q | s_axil_awvalid/'
    mutant 'what is read moves' $bus 's/if (~r_q)/if (1)/'
    mutant 'never an error' $bus "s/bresp *= {refused_q, 1'b0}/bresp = 2'b0/"
else
    bus=rtl/gfab_wishbone.v
    mutant 'a write in the first cycle' $bus 's/o_write *= answer/o_write = request \& ~second_q/'
    mutant 'an answer to what was taken back' $bus 's/answer *= request & second_q/answer = second_q/'
    mutant 'an answer that stays' $bus 's/request & ~second_q & ~i_rst/request \& ~i_rst/'
    mutant 'never an error' $bus "s/o_wb_err *= answer & refused/o_wb_err = 1'b0/"
    mutant 'sel ignored' $bus "s/o_write_strobe *= i_wb_sel/o_write_strobe = 4'hf/"
fi
exit $status
