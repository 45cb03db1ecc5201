#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# training_test.sh [--all] OUT PYTHON ARGUMENTS...: the C model trains for some steps, and NumPy has the same bits; where
# NumPy adds up in another order, or a total has another bit, that is seen. --all: by RTL and by ranks, too, and to the
# end.
set -euo pipefail
here=$(dirname "$0")/training
goal=model steps=20
if [ "$1" = --all ]; then
    goal='model rtl ranks' steps=500
    shift
fi
out=$1 python=$2
shift 2
"$python" -c 'import numpy' 2> /dev/null || python=python3
"$python" -c 'import numpy' 2> /dev/null || { echo "training: skipped, NumPy is missing" >&2; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1
if [[ $goal = *rtl* ]]; then
    for tool in verilator mpirun; do
        command -v $tool > /dev/null || { echo "training: skipped, $tool is missing" >&2; exit 77; }
    done
fi
rm -rf -- "$out"
train() {
    # shellcheck disable=SC2086
    make -s -C "$here" $1 OUT="$out" STEPS=$steps PYTHON="$python" "${@:2}"
}
train "$goal" "$@"
files=()
for way in $goal; do
    files+=("$out/$way.bin")
done
train numpy FILES="${files[*]}" "$@" | tee "$out/said.txt"
[ ${#files[@]} = 1 ] || cmp "$out/training.svg" "$here/../../docs/pictures/training.svg"
[ "$(grep -o '[a-z]*\.bin' "$out/said.txt" | wc -l)" = ${#files[@]} ]
other() {
    if "$python" "$here/train.py" "$out/expressions.txt" $steps "$@" > /dev/null 2> "$out/other.txt" ||
        ! grep -q "totals have other bits, the first: step" "$out/other.txt"; then
        echo "other bits are not seen: $*" && exit 1
    fi
}
other --mutant "${files[@]}"
for file in "${files[@]}"; do
    # Byte 3000 is of step 2, element 476: another last bit.
    "$python" -c 'import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[3000] ^= 1
open(sys.argv[2], "wb").write(data)' "$file" "$out/flipped.bin"
    other "$out/flipped.bin"
done
