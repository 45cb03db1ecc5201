#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# jax_test.sh SOURCE_DIR WORK_DIR GOSSIPFAB MODEL: gossipfab.jax with the JAX of requirements.txt, on virtual devices: its
# types, 40 graphs, 2000 random shapes, its mutants, the lines of docs/guide/jax.md, the bench, and the training of
# examples/training beside MODEL's. WORK_DIR has the module, by python_test.sh.
set -euo pipefail

source=$1
own=$1/extras/python/tests/jax
cd "$2"
[ -x venv/bin/python ] || { echo 'jax_test: skipped, there is no module' >&2; exit 77; }
python=$PWD/venv/bin/python
venv/bin/pip --quiet --disable-pip-version-check install --target with-jax --upgrade --no-deps --require-hashes \
    -r "$own/requirements.txt" -r "$own/../user/requirements.txt" ||
    { echo 'jax_test: skipped, pip does not bring what it needs' >&2; exit 77; }
export PYTHONPATH=$PWD/with-jax
module=$("$python" -c 'import gossipfab, os; print(os.path.dirname(gossipfab.__file__))')
for file in _plan _spmd jax; do
    "$python" -m mypy --strict --follow-imports=silent "$module/$file.py"
done
"$python" -m mypy --strict "$own/typed.py"
"$python" "$own/test_jax.py" rest
"$python" "$own/test_jax.py" mutants
"$python" "$own/test_jax.py" graphs
"$python" "$own/test_jax.py" random 2000
sed -n '/^```python$/,/^```$/p' "$source/docs/guide/jax.md" | sed '/^```/d' > page.py
"$python" page.py > page.txt
awk '/page.py prints/ { fences = 2 } /^```$/ { fences--; next } fences == 1' "$source/docs/guide/jax.md" | diff - page.txt
"$python" "$source/bench/long/devices.py" mesh:2x4 torus:4x4
rm -rf training
make -s -C "$source/examples/training" model devices OUT="$PWD/training" STEPS=100 PYTHON="$python" GOSSIPFAB="$3" MODEL="$4"
make -s -C "$source/examples/training" numpy OUT="$PWD/training" STEPS=100 PYTHON="$python" GOSSIPFAB="$3" \
    FILES="$PWD/training/model.bin $PWD/training/devices.bin" | grep 'model.bin, .*devices.bin'
