#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# life_test.sh OUT ARGUMENTS...: make watch of the Game of Life agrees with plain C for some generations; where a node's
# program leaves out its last word, it does not.
set -euo pipefail
command -v verilator > /dev/null || { echo "life: skipped, verilator is missing" >&2; exit 77; }
out=$1
here=$(dirname "$0")
shift
rm -rf -- "$out"
watch() {
    make -s -C "$here/life" watch OUT="$out" GENERATIONS=12 "$@"
}
said=$(watch "$@") || { echo "$said"; exit 1; }
[[ $said == *"generation 12, "* ]] || { echo "$said"; exit 1; }
"$here/../tb/board/flip_rom_bit.sh" "$out/fabric/rom/program_3.hex" last-recv
if said=$(watch "$@" 2> /dev/null); then
    echo "a token that does not arrive is not seen: $said"
    exit 1
fi
[[ $said == *"a cell of node 3"* ]] || { echo "$said"; exit 1; }
