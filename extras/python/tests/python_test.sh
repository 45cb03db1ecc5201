#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# python_test.sh SOURCE_DIR WORK_DIR CC CXX: pip install . into a fresh virtual environment, then the tests of the module and
# what README.md, docs/guide/python.md and the notebook show. The library is built as all is built (a compiler's cache has it).
set -euo pipefail

source=$1
work=$2
mkdir -p "$work"
cd "$work"
. "$source/tests/venv.sh"
rm -rf venv
venv python "$source/extras/python/requirements.txt"
CC=$3 CXX=$4 venv/bin/pip --quiet --disable-pip-version-check install --no-build-isolation --no-index \
    --config-settings=build-dir="$work/build" --config-settings=cmake.build-type=RelWithDebInfo \
    --config-settings=cmake.define.GFAB_WERROR=ON "$source"
sed -n '/^```python$/,/^```$/p' "$source/README.md" | sed '/^```/d' > readme.py
[ "$(venv/bin/python readme.py | head -c 3)" = '20 ' ] || { echo 'the example of README.md fails'; exit 1; }
GFAB_PYTHON_PAGE=$source/docs/guide/python.md venv/bin/python "$source/extras/python/tests/test_gossipfab.py"
venv/bin/python "$source/extras/python/tests/test_hostile.py"
venv/bin/python "$source/extras/python/tests/test_plan.py"
venv/bin/python "$source/extras/python/tests/notebook.py" "$source/extras/python/first-schedules.ipynb"
