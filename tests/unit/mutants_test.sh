#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mutants of a checker's argument: each is compiled in the place of its source, and the unit test must fail.
# mutants_test.sh BUILD CC TOPIC: mutants/TOPIC.sed has the source's name in its second line, then a change a line;
# TOPIC_test is the test. MUTANTS=N in the environment: the first N changes.
set -euo pipefail
build=$1
compiler=$2
topic=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
mutants=$root/tests/unit/mutants/$topic.sed
source=$(sed -n '2s/^# //p' "$mutants")
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
command -v ninja > /dev/null || exit 77
# "cc .. test.o -o bin/TOPIC_test libgossipfab.a ..": the mutant goes before the library, which then does not need its
# own copy.
link=$(ninja -C "$build" -t commands "${topic}_test" | tail -n 1)
link=${link/-o bin\/${topic}_test/$temp/mutant.o -o $temp/mutant}

# tests SED: the tests' exit status with the source changed so; "s/^//" changes nothing.
tests() {
    sed "$1" "$root/$source" > "$temp/mutant.c"
    if [ "$1" != 's/^//' ] && cmp -s "$root/$source" "$temp/mutant.c"; then
        echo "changes nothing: $1" >&2
        exit 1
    fi
    "$compiler" -std=c17 -O1 -I"$root/include" -I"$root/core" -I"$root/$(dirname "$source")" -c "$temp/mutant.c" \
        -o "$temp/mutant.o"
    (cd "$build" && eval "$link")
    GTEST_FAIL_FAST=1 timeout 60 "$temp/mutant" > "$temp/said" 2>&1
}

if ! tests 's/^//'; then
    echo "the tests fail without a change" >&2
    cat "$temp/said" >&2
    exit 1
fi
while IFS= read -r change; do
    if tests "$change"; then
        echo "no test notices: $change" >&2
        exit 1
    fi
done < <(sed 1,2d "$mutants" | head -n "${MUTANTS:-99}")
