#!/bin/bash
# SPDX-License-Identifier: MIT
# Beier & Sibeyn's tables whole, ours beside theirs, k up to 14: telephone-tables.sh PAPER_TABLES [NUMBER...]
# Exit status 1 where a figure of ours is above the paper's, or above one published since.
set -u
[ "${1:-}" != --help ] || { sed -n '3,/^set/s/^# //p' "$0"; exit; }
tables=$1
shift
[ $# -gt 0 ] || set -- 1 4 5 6
failed=0
for number in "$@"; do
    "$tables" telephone "$number" --max-n 14 || failed=1
done
exit $failed
