#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bench_help_test.sh BENCH: every script of the folder ends well with --help and prints its own name; none fetches or
# compiles a program of other people, which a bench takes built, by its path. Scripts that do not are found: planted.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

wrong() { # FOLDER: a line for each script that is wrong
    local script said
    while read -r script; do
        said=$("$script" --help < /dev/null 2>&1) || { echo "$script: --help ends with $?"; continue; }
        grep -qF "$(basename "$script")" <<< "$said" || echo "$script: --help does not name it"
        ! grep -nE 'git.{1,4}clone|cmake.{1,4}--build|\bprotoc\b|(^|["'"'"' ])(c\+\+|g\+\+|gcc|cc|clang)["'"'"' ]' "$script" ||
            echo "$script: builds a program"
    done < <(find "$1" -name '*.py' -o -name '*.sh' | sort)
}

found=$(wrong "$1")
[ -z "$found" ] || { echo "$found"; exit 1; }

plant() { # TEXT: a script of it is wrong
    printf '%s\n' "$1" > "$work/planted.sh"
    chmod +x "$work/planted.sh"
    [ -n "$(wrong "$work")" ] || { echo "not found: $1"; exit 1; }
}
name='echo planted.sh'
for line in 'cmake --build theirs' 'git clone theirs' 'c++ -o theirs theirs.cpp'; do
    plant "$(printf '#!/bin/sh\n%s\nexit 0\n%s' "$name" "$line")"
done
plant "$(printf '#!/bin/sh\nexit 2')"
plant "$(printf '#!/bin/sh\necho other')"
