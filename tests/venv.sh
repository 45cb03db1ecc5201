# SPDX-License-Identifier: MIT
# Sourced. venv NAME REQUIREMENTS: ./venv has these packages, by version and hash; the test named NAME is skipped where
# pip does not bring them, or Icarus Verilog is missing.
venv() {
    command -v iverilog > /dev/null || { echo "$1: skipped, Icarus Verilog is missing" >&2; exit 77; }
    if ! cmp -s "$2" venv/requirements.txt; then
        rm -rf venv
        python3 -m venv venv
        if ! venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r "$2" \
            < /dev/null > pip.log 2>&1; then
            cat pip.log >&2
            echo "$1: skipped, pip does not bring what it needs" >&2
            exit 77
        fi
        cp "$2" venv
    fi
}
