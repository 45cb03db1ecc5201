#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# unchanged_test.sh UNCHANGED: what has passed is not run again on the same files, and is run again after each change that
# a verdict may depend on; what has failed is always run again.
set -euo pipefail

unchanged=$1
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cd "$work"
mkdir read tools
echo one > read/a
echo two > read/b
tool() { printf '#!/bin/sh\necho %s\n' "$1" > tools/tool && chmod +x tools/tool; }
tool 1
PATH=$work/tools:$PATH

# run WANTED [WORD]: the check passes or fails as the file `verdict` says; does it run WANTED times?
run() {
    : > ran
    "$unchanged" stamp --tools tool --reads read -- sh -c 'echo >> ran; exit "$(cat verdict)"' "${@:2}" > /dev/null ||
        true
    [ "$(wc -l < ran)" -eq "$1" ] || { echo "line ${BASH_LINENO[0]}: ran $(wc -l < ran) times, not $1"; exit 1; }
}
echo 0 > verdict
run 1
run 0
echo three >> read/a
run 1
run 0
touch read/c
run 1
mv read/c read/d
run 1
rm read/d
run 1
tool 2
run 1
PROOFS=1 run 1
run 1
run 1 word
run 0 word
# What fails leaves no stamp of what passed before, nor one of its own.
echo 1 > verdict
run 1
run 1
echo 0 > verdict
run 1 word
run 0 word
# The status of the command is that of the script.
status=0
"$unchanged" other --reads read -- sh -c 'exit 77' || status=$?
[ $status -eq 77 ] && [ ! -e other ]
# What is to be read is there.
if "$unchanged" other --reads missing -- true 2> said; then exit 1; fi
grep -q 'missing' said
