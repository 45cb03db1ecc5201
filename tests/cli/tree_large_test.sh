#!/bin/bash
# SPDX-License-Identifier: MIT
# tree_large_test.sh GOSSIPFAB: a gossip on torus:256x256 is made, verified and lowered to the ROMs of all nodes in less
# than 1 GB of memory each and 30 seconds of processor time in all, in half and in full duplex. Prints what it measured.
set -eu -o pipefail
binary=$(readlink -f "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ulimit -v 1048576

total=0
run() {
    local what=$1 seconds
    shift
    TIMEFORMAT='%U %S'
    { time "$binary" "$@" > out; } 2> times || {
        cat times
        exit 1
    }
    seconds=$(tail -n 1 times | awk '{ printf "%.2f", $1 + $2 }')
    echo "$what: $seconds s"
    total=$(awk -v a="$total" -v b="$seconds" 'BEGIN { print a + b }')
}

for mode in half full; do
    total=0
    run "$mode, schedule" schedule --topology torus:256x256 --link-mode $mode -o t.gfs
    grep -q 'optimal: meets the count bound' out
    run "$mode, verify" verify t.gfs
    grep -q '^good ' out
    run "$mode, ROMs" show --schedule t.gfs --rom 0
    grep -q "^node 0: .* rounds and the halt$" out
    [ "$(grep -c ' recv ' out)" = 65535 ] && [ "$(grep -c ' send ' out)" = 65535 ]
    awk -v s="$total" 'BEGIN { exit s < 30 ? 0 : 1 }' || {
        echo "$mode: $total s of processor time, at most 30"
        exit 1
    }
done
