#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bare_steps.sh WHEEL: bare_test.sh's steps within a root; each prints its seconds, and may take LIMIT of them.
set -euo pipefail
cd "$(dirname "$0")"
wheel=$1

for tool in cc gcc clang make yosys; do
    ! command -v $tool || { echo "this root is not bare"; exit 1; }
done
step() {
    local what=$1 began=$EPOCHREALTIME taken
    shift
    "$@" > log 2>&1 || { tail -20 log; echo "failed: $what"; exit 1; }
    taken=$(((${EPOCHREALTIME/[.,]/} - ${began/[.,]/}) / 1000))
    printf '%8d.%03d s  %s\n' $((taken / 1000)) $((taken % 1000)) "$what"
    [ $((taken / 1000)) -lt "$LIMIT" ] || { echo "more than $LIMIT s"; exit 1; }
}
said() { grep -qF "$1" log || { cat log; echo "not said: $1"; exit 1; }; }

python3 -m venv user
PATH=$PWD/user/bin:$PATH
pip=(pip --quiet --disable-pip-version-check)
"${pip[@]}" download -d wheels "$wheel[fpga]" < /dev/null || { echo 'bare: skipped, pip brings nothing' >&2; exit 77; }

step 'pip install' "${pip[@]}" install --no-index --find-links wheels gossipfab
step 'first schedule' gossipfab schedule mesh:4x4
said 'rounds       10'
step 'first simulation' gossipfab simulate mesh:4x4 --token-bits 32 --link-bits 2
said 'tokens       256 of 256 right'
step 'Python module' python3 -c 'import gossipfab; assert gossipfab.solve("mesh:4x4").rounds == 10'
step 'pip install [fpga]' "${pip[@]}" install --no-index --find-links wheels 'gossipfab[fpga]'
step 'first demo, the tools translated' gossipfab demo -o first
step 'second demo' gossipfab demo -o second
said 'highest clock of the board top'
cmp first/fabric/build/board.bin second/fabric/build/board.bin
