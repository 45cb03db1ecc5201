#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# sanitize_test.sh SOURCE_DIR BUILD_DIR: the unit tests in a build of their own with AddressSanitizer (leaks too) and
# UndefinedBehaviorSanitizer. A mutant that reads past the end of an array, and one that overflows, must be found first.
set -euo pipefail

source=$1
build=$2
flags='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'

mkdir -p "$build/mutants"
cat >"$build/mutants/past.c" <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
    (void)argv;
    int *numbers = calloc(4, sizeof *numbers);
    const int seen = numbers[3 + argc];
    free(numbers);
    return seen;
}
END
cat >"$build/mutants/overflow.c" <<'END'
#include <limits.h>
int main(int argc, char **argv)
{
    (void)argv;
    volatile int most = INT_MAX;
    most += argc;
    return 0;
}
END
for mutant in past overflow; do
    # shellcheck disable=SC2086
    cc -O1 -g1 $flags -o "$build/mutants/$mutant" "$build/mutants/$mutant.c"
    if "$build/mutants/$mutant" 2>"$build/mutants/$mutant.log"; then
        echo "the mutant $mutant is not found"
        exit 1
    fi
    grep -qE 'AddressSanitizer|runtime error' "$build/mutants/$mutant.log"
done

cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" \
    -DGFAB_TESTS=ON >"$build/configure.log" || { cat "$build/configure.log"; exit 1; }
cmake --build "$build" --target gfab_unit_tests -j "${JOBS:-2}" >"$build/build.log" || { tail -40 "$build/build.log"; exit 1; }
ctest --test-dir "$build" -L '^unit$' -j "${JOBS:-2}" --output-on-failure
