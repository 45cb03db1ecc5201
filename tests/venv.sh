# SPDX-License-Identifier: MIT
# Sourced. venv NAME REQUIREMENTS [FOLDER]: the virtual environment FOLDER, or ./venv, has these packages, by version and
# hash, and no others; where pip does not bring them the test, or whatever else is called NAME, is skipped.
venv() {
    local folder=${3-venv}
    ! cmp -s "$2" "$folder/requirements.txt" || return 0
    rm -rf -- "$folder"
    python3 -m venv "$folder"
    if ! "$folder/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$2" < /dev/null >&2; then
        echo "$1: skipped, pip does not bring what it needs" >&2
        exit 77
    fi
    cp "$2" "$folder/requirements.txt"
}
# needs_icarus NAME: the test NAME is skipped without Icarus Verilog.
needs_icarus() {
    command -v iverilog > /dev/null || { echo "$1: skipped, Icarus Verilog is missing" >&2; exit 77; }
}
