#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# negations_test.sh SOURCE_DIR: no script has `! command` as a statement of its own. `set -e` does not end a script there,
# so that a test would ask and never fail. Write: if command; then exit 1; fi
set -euo pipefail
cd "$1"

# find_them FILE...: prints such lines; those that go on a line before, or have || or && themselves, are conditions.
find_them() {
    awk 'FNR == 1 { before = "" }
         /^ *! / && !/\|\||&&|; then$|; do$/ && before !~ /(\|\||&&|\\|[ ;(]if|[ ;(]while|[ ;(]until)$/ {
             print FILENAME ":" FNR ": " $0
         }
         { before = $0 }' "$@"
}

mutant=$(mktemp)
trap 'rm -f -- "$mutant"' EXIT
printf '%s\n' 'set -e' '[ -e a ] ||' '    ! cmp a b' '! cmp a b || exit 1' 'if ! cmp a b; then exit 1; fi' '    ! cmp a b' \
    > "$mutant"
[ "$(find_them "$mutant")" = "$mutant:6:     ! cmp a b" ] || { echo 'negations: the mutant is not found'; exit 1; }

mapfile -t files < <(find . -name '*.sh' ! -path './build*' | sort)
found=$(find_them "${files[@]}")
[ -z "$found" ] || { printf '%s\n' "$found" 'negations: these never end a script'; exit 1; }
echo "negations: none in ${#files[@]} scripts"
