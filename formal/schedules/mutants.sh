#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Faulty variants of the definitions, the checker and the theorems, after prove.sh: of each some proof must fail. A line
# says the file, the change (for sed), and the part of the development that must not go through any more.
set -euo pipefail
cd "$(dirname "$0")/../.."

proofs=${BUILD:-build}/proofs
command -v coqc > /dev/null || { echo "skipped: coqc is missing"; exit 77; }
[ -f "$proofs/assumptions.txt" ] || { echo "skipped: formal/schedules/prove.sh has not been run"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count=0
survived=0
mutant() {
    local name=$1 file=$2 change=$3 target=$4
    rm -rf "$work/proofs"
    cp -Rp "$proofs" "$work/proofs"
    sed -i -E "$change" "$work/proofs/$file"
    count=$((count + 1))
    if cmp -s "$work/proofs/$file" "$proofs/$file"; then
        echo "$name: the change of $file changes nothing"
        survived=$((survived + 1))
    elif make -s -C "$work/proofs" "$target" > "$work/log" 2>&1; then
        echo "$name: $target still goes through"
        survived=$((survived + 1))
    else
        echo "$name: fails, $(sed -nE 's/^File "\.\/([^"]*)", line ([0-9]*),.*/\1 line \2/p' "$work/log" | head -n 1)"
    fi
}

while IFS='|' read -r name file change target; do
    [ -z "$name" ] || mutant "$name" "$file" "${change//¦/|}" "$target"
done < formal/schedules/mutants.txt
echo "$count mutants, $survived survived"
[ "$survived" -eq 0 ] && [ "$count" -ge 12 ]
