#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# boards_test.sh BOARDS GOSSIPFAB: what the build, and the command with --board FOLDER, say of a board.json that is wrong,
# in one line with status 2; that a new folder is all that a new board takes; and that a folder of the user's makes what
# the same board in the library makes.
set -euo pipefail
boards=$1
gossipfab=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp"

fresh() {
    rm -rf constraints
    cp -r "$root/constraints" .
}
# refused SAID EDIT [BOARD]: board.json of BOARD, hx8k, after sed's EDIT.
refused() {
    local file=constraints/${3:-hx8k}/board.json status=0
    fresh
    sed -i "$2" "$file"
    "$boards" out.c . "$file" > said 2>&1 || status=$?
    [ "$status" -eq 2 ] || { echo "status $status, not 2: $2"; exit 1; }
    diff -u said - <<< "boards: $file: $1" || exit 1
    status=0
    "$gossipfab" generate mesh:2x2 --token-bits 64 --board "$(dirname "$file")" -o out > said 2>&1 || status=$?
    [ "$status" -eq 2 ] && [ ! -e out ] || { echo "gossipfab: status $status, not 2: $2"; exit 1; }
    diff -u said - <<< "gossipfab: generate: --board: $file: $1" || exit 1
}
refused '"baud" is missing; an integer' '/baud/d'
refused '"summary" must be a string of one line without quotes, \ and @' 's/"Lattice.*"/""/'
refused '"device" must be a word of letters, digits and . _ - + : /' 's/"hx8k"/"hx8k $(x)"/'
refused '"family" must be ice40, ecp5, gowin or xc7' 's/"ice40"/"ice65"/'
refused '"clock_hz" must be an integer of 1000000 .. 1000000000' 's/"clock_hz": 12000000/"clock_hz": 12/'
refused '"leds" must be an integer of 1 .. 8' 's/"leds": 8/"leds": "8"/'
refused '"leds_active_low" must be true or false' 's/false/0/'
refused '"fabric_hz": no settings of the PLL make 40000000 Hz of 12000000' 's/"fabric_hz": 12000000/"fabric_hz": 40000000/'
refused '"fabric_hz" must be "clock_hz": no PLL is made use of in family xc7' 's/"fabric_hz": 100/"fabric_hz": 200/' arty
refused "a key is not one of a board's; docs/guide/adding-a-board.md has them" 's/"baud"/"speed": 1, "baud"/'
refused 'line 8: not JSON: a colon is expected' 's/"fabric_hz":/"fabric_hz"/'
refused "hx8k.lpf, the file of its pins, is not beside it" 's/"ice40"/"ecp5"/'

fresh
cp -r constraints/hx8k constraints/another
mv constraints/another/hx8k.pcf constraints/another/another.pcf
"$boards" out.c . constraints/*/board.json
grep '\.name = ' out.c | tr -d ' ' > names
diff -u names - << EOF
$(for board in constraints/*/; do echo ".name=\"$(basename "$board")\","; done)
{.name=NULL},
EOF

# A board of one's own, by any way to its folder; another's pins are another folder's.
"$gossipfab" generate mesh:2x2 --token-bits 64 --board hx8k -o library > made
for way in constraints/hx8k ./constraints/hx8k/ "$temp/constraints/hx8k"; do
    "$gossipfab" generate mesh:2x2 --token-bits 64 --board "$way" -o own --force > made
    diff -r library own || exit 1
done
(cd constraints/another && "$gossipfab" generate mesh:2x2 --token-bits 64 --board . -o "$temp/own" --force > made)
echo '# mine' >> constraints/another/another.pcf
PATH=/nowhere "$gossipfab" demo path:4 --board constraints/another -o demo > made
if cmp -s demo/fabric/constraints/another.pcf library/constraints/hx8k.pcf; then exit 1; fi
cmp demo/fabric/constraints/another.pcf constraints/another/another.pcf
grep -q '"board": "another"' demo/fabric/manifest.json
