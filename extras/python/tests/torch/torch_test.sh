#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# torch_test.sh SOURCE_DIR WORK_DIR: gossipfab.torch by processes with Gloo: 500 cases, the hook, messages. It takes the
# PyTorch of $TORCH_PYTHON, or of python3, and installs none: PyPI's is 2.6 GB to download. WORK_DIR has the module, by
# python_test.sh.
set -euo pipefail

cd "$2"
[ -x venv/bin/python ] || { echo 'torch_test: skipped, there is no module' >&2; exit 77; }
python=${TORCH_PYTHON:-python3}
"$python" -c 'import cffi, numpy, torch; assert torch.distributed.is_gloo_available()' 2> /dev/null ||
    { echo "torch_test: skipped, $python has no torch with Gloo, or no numpy or cffi" >&2; exit 77; }
module=$(venv/bin/python -c 'import gossipfab, os; print(os.path.dirname(gossipfab.__file__))')
rm -rf with-torch
mkdir with-torch
cp -r "$module" with-torch
export PYTHONPATH=$PWD/with-torch
if "$python" -c 'import mypy' 2> /dev/null; then
    "$python" -m mypy --strict --follow-imports=silent with-torch/gossipfab/torch.py
fi
"$python" "$1/extras/python/tests/torch/test_torch.py" 500
