#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# user_test.sh SOURCE_DIR WORK_DIR MPIEXEC: a file of a user with types, as mypy --strict reads it; a program with mpi4py
# and networkx. WORK_DIR has the module, by python_test.sh.
set -euo pipefail

user=$1/extras/python/tests/user
cd "$2"
[ -x venv/bin/python ] || { echo 'user_test: skipped, there is no module' >&2; exit 77; }
venv/bin/pip --quiet --disable-pip-version-check install --target more --upgrade --no-deps --require-hashes \
    -r "$user/requirements.txt" || { echo 'user_test: skipped, pip does not bring what it needs' >&2; exit 77; }
export PYTHONPATH=$PWD/more OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
venv/bin/python -m mypy --strict "$user/typed.py"
# A wrong type is seen.
sed 's/^rounds: int/rounds: str/' "$user/typed.py" > wrong.py
if venv/bin/python -m mypy --strict wrong.py > wrong.txt; then exit 1; fi
grep -q 'wrong.py:.*Incompatible types in assignment' wrong.txt
venv/bin/python "$user/typed.py"
"$3" -n 4 venv/bin/python "$user/processes.py" | grep 'user: good'
for ranks in 2 3 4; do # calls, each behind each, by communicators that come and go
    "$3" -n "$ranks" venv/bin/python "$1/extras/mpi/tests/pairs/pairs.py" 0 1 8 | grep ', 0 wrong'
done
