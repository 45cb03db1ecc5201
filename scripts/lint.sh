#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# All checks of the sources that need no build; each is also a test.
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
scripts/check-spdx.sh . || status=1
scripts/check-columns.sh . || status=1
scripts/check-style.sh . || status=1
python3 scripts/check-sizes.py . || status=1
python3 scripts/check-links.py . || status=1
python3 scripts/check-layers.py . || status=1
python3 scripts/check-lists.py . || status=1
python3 scripts/check-words.py . || status=1
python3 scripts/check-pages.py . || status=1
python3 tests/fuzz/check_readers.py . || status=1
python3 tests/mutate/check_modules.py . || status=1
python3 scripts/check-generate-names.py $(find rtl -name '*.v' | sort) || status=1
scripts/lint-rtl.sh || status=1
[ $status -ne 0 ] || echo "lint: clean"
exit $status
