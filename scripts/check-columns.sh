#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No line of C, C++ or Verilog is longer than 120 characters: check-columns.sh [ROOT].
set -euo pipefail
cd "${1:-.}"

find bench cli cmodel core formal gen include rtl tb tests -type f -regextype posix-extended \
    -regex '.*\.([ch]|cc|cpp|v|vh)' ! -path 'tests/golden/*' ! -path 'tests/reject/*' | sort | LC_ALL=C.UTF-8 xargs awk '
    length($0) > 120 { printf "%s:%d: %d columns, more than 120\n", FILENAME, FNR, length($0); status = 1 }
    END { exit status }' >&2
