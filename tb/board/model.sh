#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# model.sh TOKEN_BITS: `make sim-board` of a generated folder, of a board with four LEDs, passes, and must refuse each of
# the faults below, of which most leave every line right that a person reads. From the environment: GOSSIPFAB, WORK (this
# test's own folder).
set -euo pipefail

command -v iverilog > /dev/null || { echo "model: skipped, Icarus Verilog is missing" >&2; exit 77; }
rm -rf -- "$WORK"
mkdir -p "$WORK"
cd "$WORK"
"$GOSSIPFAB" generate --topology path:3 --token-bits "$1" --board arty -o fabric > generate.log
cp -r fabric/rtl sound
make -s -C fabric sim-board

# mutant NAME FILE SED WHAT: the model says that WHAT is not as it must be.
mutant() {
    cp sound/* fabric/rtl
    sed -i "$3" "fabric/rtl/$2"
    ! cmp -s "sound/$2" "fabric/rtl/$2" || { echo "model: mutant '$1' does not apply" >&2; exit 1; }
    ! make -s -C fabric sim-board > said 2>&1 || { echo "model: mutant '$1' is not seen" >&2; exit 1; }
    grep -q "^board_model: FAIL: $4 is not as it must be" said || { echo "model: $1: $(cat said)" >&2; exit 1; }
    printf '%s: %s\n' "$1" "$(grep FAIL: said)"
}
mutant 'a reset that is a clock short' gfab_reset.v 's/LAST       = CYCLES - 1/LAST       = CYCLES - 2/' 'the reset'
mutant 'other tokens' gfab_selftest.v 's/FIRST_SEED = SEED/FIRST_SEED = SEED + 1/' 'a word that is loaded'
mutant 'a clock of two starts' gfab_selftest.v "s/o_start     = start/o_start     = start | (run \& u_report.decimal_q == 20'd0)/" start
mutant 'a word is checked twice' gfab_selftest.v 's/step       = step_q/step       = step_q \& ~(check \& node_q[0] \& gen_q[0])/' \
    'the place that is read'
mutant 'bits that are a clock short' gfab_uart_tx.v 's/= CLOCKS_PER_BIT - 2/= CLOCKS_PER_BIT - 3/' 'the serial line'
mutant 'a pause between characters' gfab_selftest_report.v 's/fresh_q    <= settled_q/& \& uart_ready/' 'the serial line'
mutant 'a line end of its own' gfab_selftest_report.v "s/{8'd13, 8'd10, 8'd16}/{8'd10, 8'd10, 8'd16}/" 'the serial line'
mutant 'a rest that is a clock longer' gfab_selftest_report.v 's/pause & timer_q\[PAUSE_BITS\]/& \& timer_q[0]/' 'a LED'
mutant 'a light that goes out in the rest' gfab_selftest.v 's/o_fail       = fail_q/& \& ~pause/' 'a LED'
