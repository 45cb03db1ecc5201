#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# floats.sh [--float32 PAIRS|--bfloat16]: gfab_float_add against the processor's float (floats.cc), of bfloat16 and of
# float32 numbers at several latencies, all in one model, with mutants beside them, each of which must be seen. --float32:
# that alone, corners of all exponents and so many random pairs; --bfloat16: every pair of numbers, which takes minutes.
# From the environment, as lockstep/run.sh has them: SOURCE, WORK, LIBRARIES, CXX, MODEL_FLAGS.
set -euo pipefail

command -v verilator > /dev/null || { echo "floats: skipped, verilator is missing" >&2; exit 77; }
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"
adder=$SOURCE/rtl/wide/gfab_float_add.v

# One for each line: a file of its own, in which the text is changed.
cat > mutants.txt << 'MUTANTS'
s/aligned3\[3\] & (aligned3\[4\] | (|aligned3\[2:0\]))/aligned3[3]/
s/, |shifted\[MOST:0\]}/, 1'b0}/
s/{BITS{~far}}/{BITS{1'b1}}/
s/swap ? a_normal : b_normal, low,/swap ? a_normal : b_normal, low \& {FRACTION{a_normal \& b_normal}},/
s/ | (a_odd & b_odd & differ)//
s/sign3 & ~(differ3 &/sign3 \& ~(1'b0 \&/
s/{total | stop,/{total,/
s/| over ?/?/
MUTANTS
latencies=(0 2 5)
[ "${1-}" = "" ] || latencies=(5)
[ "${1-}" != --bfloat16 ] || latencies=(0)
{
    echo "module floats(input wire i_clk, input wire i_enable, input wire [31:0] i_a, input wire [31:0] i_b,"
    echo "    output wire [${#latencies[@]}*16-1:0] o_bfloat16, output wire [${#latencies[@]}*32-1:0] o_float32,"
    echo "    output wire [$(wc -l < mutants.txt)*32-1:0] o_mutants);"
    for i in "${!latencies[@]}"; do
        echo "    gfab_float_add #(.FRACTION(7), .LATENCY(${latencies[i]})) u_bfloat16_$i (.i_clk(i_clk)," \
            ".i_enable(i_enable), .i_a(i_a[15:0]), .i_b(i_b[15:0]), .o_sum(o_bfloat16[16*$i+:16]));"
        echo "    gfab_float_add #(.FRACTION(23), .LATENCY(${latencies[i]})) u_float32_$i (.i_clk(i_clk)," \
            ".i_enable(i_enable), .i_a(i_a), .i_b(i_b), .o_sum(o_float32[32*$i+:32]));"
    done
    [ "${1-}" != "" ] || for ((i = 0; i < $(wc -l < mutants.txt); i++)); do
        echo "    mutant_$i #(.FRACTION(23), .LATENCY(0)) u_mutant_$i (.i_clk(i_clk), .i_enable(i_enable)," \
            ".i_a(i_a), .i_b(i_b), .o_sum(o_mutants[32*$i+:32]));"
    done
    echo endmodule
} > floats.v
mutants=()
while read -r change; do
    sed "$change" "$adder" > changed.v
    ! cmp -s "$adder" changed.v || { echo "floats: $change does not apply" >&2; exit 1; }
    sed "s/module gfab_float_add/module mutant_${#mutants[@]}/" changed.v > "mutant_${#mutants[@]}.v"
    mutants+=("mutant_${#mutants[@]}.v")
done < mutants.txt
[ "${1-}" = "" ] || mutants=()

verilator --cc --top-module floats --Mdir obj -Wno-fatal "$SOURCE/rtl/common/gfab.vlt" floats.v "$adder" \
    "${mutants[@]}" "$SOURCE/rtl/common/gfab_held_delay.v" > verilator.txt 2>&1
# One translation unit.
{
    for part in obj/*.cpp; do
        printf '#include "%s"\n' "$(basename "$part")"
    done
    printf 'static const size_t latencies[] = {%s};\n' "$(IFS=,; echo "${latencies[*]}")"
    printf 'static const size_t mutants = %s;\n' "${#mutants[@]}"
    printf '#include "%s"\n' "$SOURCE/tb/modules/floats.cc"
} > obj/all.cc
# shellcheck disable=SC2086
$CXX $MODEL_FLAGS -O1 -w -Iobj obj/all.cc $LIBRARIES -pthread -o bench
./bench "$@"
