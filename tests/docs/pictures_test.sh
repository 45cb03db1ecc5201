#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# pictures_test.sh GOSSIPFAB SOURCE_DIR [--large]: the quick pictures of the docs, or all, are what they are drawn as; one
# that is not is seen; the one that moves is XML, and all that moves in it is a class that there is.
set -euo pipefail
gossipfab=$1
root=$2
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

if [ "${3-}" = --large ]; then
    "$root/scripts/draw-pictures.sh" "$gossipfab" "$temp/drawn"
    # All but the screenshot.
    [ "$(ls "$temp/drawn")" = "$(ls "$root/docs/pictures" | grep -v '[.]png$')" ]
else
    "$root/scripts/draw-pictures.sh" "$gossipfab" "$temp/drawn" --quick
    [ "$(ls "$temp/drawn" | wc -l)" = 9 ]
fi
same() { # FOLDER
    local picture
    for picture in "$temp"/drawn/*; do
        cmp "$picture" "$1/${picture##*/}" || return 1
    done
}
same "$root/docs/pictures" || { echo 'make pictures draws it anew'; exit 1; }
cp -r "$root/docs/pictures" "$temp/mutant"
sed -i 's/10 rounds/11 rounds/' "$temp/mutant/gossip-4x4-moves.svg"
! same "$temp/mutant" > /dev/null || { echo 'a picture of 11 rounds is taken for one of 10'; exit 1; }

python3 - "$temp/drawn/gossip-4x4-moves.svg" << 'END'
import re, sys, xml.etree.ElementTree as tree
text = open(sys.argv[1]).read()
names = {name for e in tree.fromstring(text).iter() for name in e.get("class", "").split()}
moving = {name for name in names if re.fullmatch(r"(say|[tacs])\d+", name)}
assert moving <= set(re.findall(r"@keyframes (\w+)", text)) and {f"a{r}" for r in range(1, 11)} <= moving, moving
# Every block but its own comes to every node once, and those of block 0 are seen twice.
assert len(re.findall(r'class="m c\d+"', text)) == 16 * 15 and len(re.findall(r'class="m w s\d+"', text)) == 15
END
