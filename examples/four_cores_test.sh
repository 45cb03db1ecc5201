#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# four_cores_test.sh GOSSIPFAB OUT: make sim prints the line of the page, and the page's cycles over wider links; with a
# core that looks for the smallest it fails.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)/four-cores
export GOSSIPFAB=$1 OUT=$2
said=$(make -s -C "$here" sim)
grep -qxF -- "$said" "$here/README.md" || { echo "README.md does not have: $said"; exit 1; }
said=$(make -s -C "$here" sim FLAGS='--link-bits 8')
grep -qF -- "takes $(sed 's/.*times, \([0-9]*\) cycles.*/\1/' <<< "$said") cycles" "$here/README.md" ||
    { echo "README.md does not have: $said"; exit 1; }
rm -rf "$OUT/mutant"
mkdir -p "$OUT"
cp -r "$here" "$OUT/mutant"
sed -i 's/s_axis_tdata > largest/s_axis_tdata < largest/' "$OUT/mutant/core.v"
if said=$(make -s -C "$OUT/mutant" sim 2>&1) || [[ $said != *'FAIL: core'* ]]; then
    echo "a core that looks for the smallest is not seen: $said"
    exit 1
fi
