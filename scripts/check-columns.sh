#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No line of C, C++, Verilog, Markdown or the player's page is longer than 120 characters: check-columns.sh [ROOT].
# Tables are lines, too. Left out are inputs of tests, and the rows of a table that begin with a command and its options,
# which cannot be broken. In gen/templates what stands between two @ is filled in, and counts as four characters.
set -euo pipefail
cd "${1:-.}"

places=()
for place in bench cli cmodel core docs examples extras formal gen include rtl tb tests ./*.md; do
    [ ! -e "$place" ] || places+=("$place")
done
# In the C locale awk counts bytes: of a character of several it is not to count those behind the first.
find "${places[@]}" -type f -regextype posix-extended -regex '.*\.([ch]|cc|cpp|v|vh|md|html|css|js)' \
    ! -path 'tests/golden/*' ! -path 'tests/reject/*' ! -path '*/build/*' | sort | LC_ALL=C xargs awk '
    FILENAME ~ /\.md$/ && /^\| `[a-z-]+ [^`]*-/ { next }
    { line = $0; gsub(/[\200-\277]/, "", line) }
    FILENAME ~ /^gen\/templates\// { gsub(/@[A-Z_ ]+@/, "1234", line) }
    length(line) > 120 { printf "%s:%d: %d columns, more than 120\n", FILENAME, FNR, length(line); status = 1 }
    END { exit status }' >&2
