#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# short_test.sh BUILD: the short form of `make mutate`, which must kill what it makes; and a mutant of the campaign
# itself, which switches no mutant on and must be refused because it kills none.
set -euo pipefail
run=$(dirname "$0")/run.py build=$1
for tool in yosys berkeley-abc verilator; do
    command -v $tool > /dev/null || { echo "mutate: skipped, $tool is missing" >&2; exit 77; }
done
"$run" "$build" --short
result=0
said=$("$run" "$build" --short --blind --class sequencer 2>&1) || result=$?
none=$(grep -cE ': (15|80) mutants, 0 equivalent, 0 of (15|80) killed \(0.0 %\)' <<< "$said") || true
if [ $result -ne 1 ] || [ "$none" -ne 1 ]; then
    printf 'mutate: a campaign that switches no mutant on is not refused (status %s):\n%s\n' $result "$said" >&2
    exit 1
fi
echo "mutate: a campaign that switches no mutant on is refused"
