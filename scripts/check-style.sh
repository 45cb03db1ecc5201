#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One style in C and C++: what clang-format makes of it (.clang-format), null pointers tested as p and !p, and a comment
# behind the licence of each .c file, which says what the file is for:
# check-style.sh [--write] [ROOT [FILE...]], all files if none are named. --write brings the layout up to date. Exit
# status 77 where clang-format 14 is missing, once the rest is checked: other versions put some lines differently.
set -euo pipefail

write=
if [ "${1:-}" = --write ]; then
    write=yes
    shift
fi
cd "${1:-$(dirname "$0")/..}"
shift $(($# > 0))

files=("$@")
if [ $# -eq 0 ]; then
    mapfile -t files < <(find bench cli cmodel core extras formal gen include tb tests -type f -regextype posix-extended \
        -regex '.*\.([ch]|cc|cpp|hpp)' ! -path 'tests/reject/*' ! -path 'gen/templates/*' | sort)
fi

status=0
if grep -nE '[!=]= *(NULL|nullptr)\b|\b(NULL|nullptr) *[!=]=' "${files[@]}" >&2; then
    echo "check-style: null pointers are tested as p and !p" >&2
    status=1
fi

# Line 2 has the comment's first words: three at least.
while IFS= read -r file; do
    echo "$file: does not open, behind the licence, with a comment that says what the file is for" >&2
    status=1
done < <(printf '%s\n' "${files[@]}" | sed -n '/\.c$/p' | xargs -r awk '
    FNR == 1 { if (open) print last; open = 1; last = FILENAME }
    FNR == 2 && /^\/\* [^-]/ && NF > 4 { open = 0 }
    END { if (open) print last }')

format=
for name in clang-format-14 clang-format; do
    if [ -z "$format" ] && "$name" --version 2> /dev/null | grep -q 'version 14\.'; then
        format=$name
    fi
done
if [ -z "$format" ]; then
    [ $status -ne 0 ] || status=77
    echo "check-style: clang-format 14 is missing: layout not checked" >&2
elif [ -n "$write" ]; then
    "$format" -i "${files[@]}"
elif ! printf '%s\n' "${files[@]}" | xargs -n 20 -P 2 "$format" --dry-run -Werror --ferror-limit=2; then
    echo "check-style: not as clang-format has it; run make format" >&2
    status=1
fi
exit $status
