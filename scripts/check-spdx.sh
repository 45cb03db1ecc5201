#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every source file says its licence in its first two lines, and what begins with #! can be started:
# check-spdx.sh [ROOT].
set -euo pipefail
cd "${1:-.}"

folders=()
for folder in .ci bench cli cmodel constraints core extras formal gen include rtl scripts tb templates tests; do
    [ ! -d "$folder" ] || folders+=("$folder")
done
status=0
while IFS= read -r file; do
    echo "$file: no SPDX-License-Identifier: MIT in its first two lines" >&2
    status=1
done < <({
    for file in CMakeLists.txt Makefile; do [ ! -f "$file" ] || echo "$file"; done
    find "${folders[@]}" -type f -regextype posix-extended \
        \( -regex '.*\.([ch]|cc|cpp|v|vh|vlt|sh|py|ys|smtc|pcf|html|css|js)' -o -name CMakeLists.txt -o -path .ci/run \) \
        ! -path 'tests/golden/*.v' ! -path 'tests/reject/*'
} | sort | tr '\n' '\0' | xargs -0 awk '
    FNR == 1 { if (open) print last; open = 1; last = FILENAME }
    FNR <= 2 && /SPDX-License-Identifier: MIT/ { open = 0 }
    END { if (open) print last }')
while IFS= read -r file; do
    echo "$file: begins with #! and is not executable; chmod +x it" >&2
    status=1
done < <(find "${folders[@]}" -type f ! -perm -u+x -exec awk 'FNR == 1 && /^#!/ { print FILENAME } { nextfile }' {} +)
exit $status
