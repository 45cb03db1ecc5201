#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# python_test.sh SOURCE_DIR WORK_DIR: pip install . into a fresh virtual environment, then the tests of the module and
# what README.md and docs/guide/python.md show.
set -euo pipefail

source=$1
work=$2
rm -rf "$work/venv"
mkdir -p "$work"
python3 -m venv "$work/venv"
pip=("$work/venv/bin/pip" --quiet --disable-pip-version-check)
if ! "${pip[@]}" install --require-hashes -r "$source/python/requirements.txt" < /dev/null > "$work/pip.log" 2>&1; then
    cat "$work/pip.log" >&2
    echo 'python: skipped, pip does not bring what the module needs' >&2
    exit 77
fi
"${pip[@]}" install --no-build-isolation --no-index --config-settings=build-dir="$work/build" "$source"
cd "$work"
sed -n '/^```python$/,/^```$/p' "$source/README.md" | sed '/^```/d' > readme.py
[ "$(venv/bin/python readme.py | head -c 3)" = '20 ' ] || { echo 'the example of README.md fails'; exit 1; }
GFAB_PYTHON_PAGE=$source/docs/guide/python.md venv/bin/python "$source/tests/python/test_gossipfab.py"
