#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# wide_combine.sh [SEEDS]: area and clock of what a bank of a wide node combines by (gfab_wide_combine, K = 4, L = 32),
# for sums and for what compares, with one flit a token and with eight: rows of a table in Markdown. It stands between a
# shift register and a register, whose LUTs are none of its own; the copy of the bank's RAM is in it. LUT4, carries and
# flip-flops are Yosys' (iCE40), MHz is the median of SEEDS seeds, 5, of nextpnr-ice40 for an HX8K.
set -euo pipefail
[ "${1:-}" != --help ] || { sed -n '3,/^set/s/^# //p' "$0"; exit; }
seeds=${1:-5}
rtl=$(cd "$(dirname "$0")/../rtl" && pwd)
for tool in yosys nextpnr-ice40 python3; do
    command -v "$tool" > /dev/null || { echo "wide_combine.sh: skipped, $tool is missing" >&2; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > harness.v << 'END'
`include "gfab_bits.vh"
`include "gfab_op.vh"
module harness #(parameter OPERATOR = 1, parameter WORDS = 1) (input wire i_clk, input wire i_bit, output reg o_bit);
    localparam INDEX = `GFAB_BITS(WORDS), ADDRESS = 4 + (WORDS > 1 ? INDEX : 0), BITS = 4 * 32 + 9 + 2 * INDEX + ADDRESS + 1;
    reg  [BITS-1:0] in_q;
    reg  [31:0]     out_q;
    reg  [4:0]      count_q;
    wire [127:0]    words;
    wire [3:0]      taken, old;
    wire            combines, enable, write;
    wire [INDEX-1:0] ask, word;
    wire [ADDRESS-1:0] address;
    wire [31:0]     result;
    assign {words, taken, old, combines, ask, word, address, enable} = in_q;
    gfab_wide_combine #(.OPERATOR(OPERATOR), .WORDS(WORDS)) u_combine (
        .i_clk(i_clk), .i_rst(1'b0), .i_word(ask), .i_combines(combines), .i_old(old), .i_write_word(word),
        .i_takes(taken), .i_taken(taken), .i_words(words), .i_write_enable(enable), .i_write_address(address), .i_write_data(result),
        .o_write(write), .o_word(result));
    always @(posedge i_clk) begin
        in_q    <= {in_q[BITS-2:0], i_bit};
        count_q <= count_q + 1'b1;
        out_q   <= count_q == 0 ? result : {out_q[30:0], write};
        o_bit   <= out_q[31];
    end
endmodule
END
count() { awk -v cell="$1" '$1 ~ cell { n += $2 } END { print n + 0 }' stat; }
for flits in 1 8; do
    for operator in 1:sum 5:min 7:umin; do
        yosys -q -p "read_verilog -DSYNTHESIS -I$rtl/common harness.v $rtl/wide/gfab_wide_combine.v $rtl/wide/gfab_wide_pick.v \
            $rtl/narrow/gfab_store.v $rtl/common/gfab_delay.v; chparam -set OPERATOR ${operator%:*} -set WORDS $flits harness; \
            synth_ice40 -device hx -top harness -json harness.json" > /dev/null
        yosys -q -p "read_verilog -DSYNTHESIS -I$rtl/common $rtl/wide/gfab_wide_combine.v $rtl/wide/gfab_wide_pick.v \
            $rtl/narrow/gfab_store.v $rtl/common/gfab_delay.v; chparam -set OPERATOR ${operator%:*} -set WORDS $flits \
            gfab_wide_combine; synth_ice40 -device hx -top gfab_wide_combine; tee -q -o stat stat" > /dev/null
        for ((seed = 1; seed <= seeds; seed++)); do
            nextpnr-ice40 --hx8k --package ct256 --json harness.json --freq 100 --timing-allow-fail --seed "$seed" \
                --report report.json -q > /dev/null 2>&1
            python3 -c 'import json; print(min(c["achieved"] for c in json.load(open("report.json"))["fmax"].values()))'
        done | sort -n > clocks
        echo "| ${operator#*:} | $flits | $(count SB_LUT4) | $(count SB_CARRY) | $(count SB_DFF) |" \
            "$(sed -n "$(((seeds + 1) / 2))p" clocks | xargs printf '%.0f') |"
    done
done
