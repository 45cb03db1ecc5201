#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# reset.sh: gfab_reset under tb_reset.v, for several lengths and seeds; the bench must refuse each of the faults below.
# From the environment: SOURCE (the repository), WORK (this test's own folder).
set -euo pipefail

command -v iverilog > /dev/null || { echo "reset: skipped, Icarus Verilog is missing" >&2; exit 77; }
rm -rf -- "$WORK"
mkdir -p "$WORK"
cd "$WORK"
cp "$SOURCE/rtl/board/gfab_reset.v" sound.v

# play FILE: exit status 1 where the bench refuses it.
play() {
    local cycles seed
    for cycles in 1 5 72; do
        iverilog -g2005 -Wall -I"$SOURCE/rtl/common" -Ptb_reset.CYCLES=$cycles -s tb_reset -o reset.vvp \
            "$SOURCE/tb/board/tb_reset.v" "$1"
        for seed in 1 2 3; do
            vvp -N reset.vvp +seed=$seed || return 1
        done
    done
}
play sound.v

# mutant NAME SED
mutant() {
    sed "$2" sound.v > mutant.v
    ! cmp -s sound.v mutant.v || { echo "reset: mutant '$1' does not apply" >&2; exit 1; }
    ! said=$(play mutant.v) || { echo "reset: mutant '$1' is not seen" >&2; exit 1; }
    printf '%s: %s\n' "$1" "$(grep FAIL <<< "$said")"
}
mutant 'does not wait for the lock' 's/locked_q\[1\]/1'"'b1/g"
mutant 'a lock that was lost counts' 's/: {COUNT_BITS{1'"'"'b0}};$/: count_q;/; /reg .*count_q/s/= count_q;/= 0;/'
mutant 'a cycle short' 's/LAST       = CYCLES - 1/LAST       = (CYCLES > 1) ? CYCLES - 2 : 0/'
mutant 'one flip-flop as a synchroniser' 's/locked_q\[1\]/locked_q[0]/g'
mutant 'comes back when the lock is lost' 's/if (rst_q) begin/begin/'
mutant 'not there from the start' "s/rst_q    = 1'b1/rst_q    = 1'b0/"
