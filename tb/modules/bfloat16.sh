#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bfloat16.sh [--all]: gfab_bfloat16_add against the processor's float (bfloat16.cc), at several latencies; mutants of it
# must be seen. --all: every pair of numbers, which takes minutes.
# From the environment, as lockstep/run.sh has them: SOURCE, WORK, LIBRARIES, CXX, MODEL_FLAGS.
set -euo pipefail

command -v verilator > /dev/null || { echo "bfloat16: skipped, verilator is missing" >&2; exit 77; }
all=${1:-}
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"

# bench NAME LATENCY [SED]: builds NAME; with SED a mutant.
bench() {
    local rtl=$SOURCE/rtl
    mkdir "$1"
    sed "${3:-}" "$rtl/wide/gfab_bfloat16_add.v" > "$1/gfab_bfloat16_add.v"
    if [ -n "${3:-}" ] && cmp -s "$rtl/wide/gfab_bfloat16_add.v" "$1/gfab_bfloat16_add.v"; then
        echo "bfloat16: $3 does not apply" >&2
        exit 1
    fi
    verilator --cc --top-module gfab_bfloat16_add -GLATENCY="$2" --Mdir "$1/obj" -Wno-fatal "$rtl/common/gfab.vlt" \
        "$1/gfab_bfloat16_add.v" "$rtl/common/gfab_delay.v"
    # One translation unit.
    {
        for part in "$1"/obj/*.cpp; do
            printf '#include "%s"\n' "$(basename "$part")"
        done
        printf '#include "%s"\n' "$SOURCE/tb/modules/bfloat16.cc"
    } > "$1/obj/all.cc"
    # shellcheck disable=SC2086
    $CXX $MODEL_FLAGS -O1 -w "-I$1/obj" "$1/obj/all.cc" $LIBRARIES -pthread -o "$1/bench"
}

if [ "$all" = --all ]; then
    bench every 0
    every/bench 0 0 0 0xffff
    exit
fi
for latency in 0 2 5; do
    bench "latency-$latency" $latency
    "latency-$latency/bench" $latency 200000
done
status=0
# mutant WHAT SED
mutant() {
    rm -rf mutant
    bench mutant 0 "$2"
    if said=$(mutant/bench 0 200000); then
        echo "bfloat16: a mutant is not seen, $1" >&2
        status=1
    else
        echo "$1: ${said%%$'\n'*}"
    fi
}
mutant "half is rounded up" 's/aligned\[3\] & (aligned\[4\] | (|aligned\[2:0\]))/aligned[3]/'
mutant "what is lost below does not count" 's/, |shifted\[11:0\]}/, 1'"'"'b0}/'
mutant "subnormal numbers are 0" 's/assign* *augend *= {l_normal/&/; s/{s_normal, low\[6:0\]/{s_normal, low[6:0] \& {7{s_normal}}/'
mutant "infinities of different signs" 's/ & differ));/ \& 1'"'"'b0));/'
exit $status
