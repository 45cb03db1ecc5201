#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bare_steps.sh WHEEL: bare_test.sh's steps within a root; each prints its seconds, and those of processor time. It may
# take LIMIT seconds, and in any case a minute of processor time: so a quiet machine takes a minute at most, on whatever
# machine this is run.
set -euo pipefail
cd "$(dirname "$0")"
wheel=$1

for tool in cc gcc clang make yosys; do
    ! command -v $tool || { echo "this root is not bare"; exit 1; }
done
step() {
    local what=$1 status=0 real user system TIMEFORMAT='%3R %3U %3S'
    shift
    { time "$@" > log 2>&1; } 2> taken || status=$?
    [ "$status" = 0 ] || { tail -20 log; echo "failed: $what"; exit 1; }
    read -r real user system < taken
    awk -v real="$real" -v processor="$user $system" -v limit="$LIMIT" -v what="$what" 'BEGIN {
        split(processor, part, " ")
        printf "%8.2f s, processor %6.2f s  %s\n", real, part[1] + part[2], what
        exit real >= limit || part[1] + part[2] >= 60
    }' || { echo "more than $LIMIT s, or than 60 s of processor time"; exit 1; }
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
cmp first/fabric/build/board_top.bin second/fabric/build/board_top.bin
