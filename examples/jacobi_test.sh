#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# jacobi_test.sh [--board] OUT ARGUMENTS...: make sim of the solver passes; where its bench expects another x, it fails.
# --board: the simulated board gives the x of the C program, for several c; where it has another matrix, it does not.
set -euo pipefail
board=no
if [ "$1" = --board ]; then
    command -v verilator > /dev/null || { echo "jacobi: skipped, verilator is missing" >&2; exit 77; }
    board=yes
    shift
fi
out=$1
jacobi() {
    make -s -C "$(dirname "$0")/jacobi" OUT="$out" "$@"
}
shift
if [ $board = no ]; then
    jacobi sim "$@"
    x=$out/fabric/build/data/x.hex
    sed -i '$ s/^./z/; $ y/z/8/' "$x"
    if said=$(cd "$out/fabric" && vvp -N build/jacobi.vvp); then
        echo "another x is not seen: $said"
        exit 1
    fi
    [[ $said == *"FAIL: an entry of x"* ]] || { echo "$said"; exit 1; }
    exit 0
fi

# solve: on a board that is simulated for as long as this takes.
solve() {
    local simulation port
    exec 3< <(cd "$out/fabric" && exec build/host/Vboard_top)
    simulation=$!
    read -r port <&3
    said=$(jacobi board PORT="$port" "$@" 2>&1) || { kill $simulation && return 1; }
    kill $simulation
}
jacobi build/host/Vboard_top "$@"
solve "$@" || { echo "$said"; exit 1; }
echo "$said"
[[ $said == *"on the board, c 2:"* ]] || exit 1
coefficients=$out/fabric/build/data/r_01.hex
sed -i '1 s/^..../7000/' "$coefficients"
if solve "$@"; then
    echo "another matrix is not seen: $said"
    exit 1
fi
[[ $said == *"jacobi: board: "* ]] || { echo "$said"; exit 1; }
