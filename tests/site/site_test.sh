#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# site_test.sh SOURCE_DIR BUILD_DIR: the site is made, with the player, all pages and a search of its own, and takes
# nothing from elsewhere; one with a link that leads nowhere is not.
set -euo pipefail

source=$1
export BUILD=$2
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
"$source/docs/site/site.sh" "$temp/site"

cd "$temp/site"
grep -q '<iframe src="player.html"' index.html
[ -s player.html ]
for page in api/schedule-verify.html docs/guide/library.html docs/theory/optimal-gossip.html rtl/README.html; do
    [ -s "$page" ] || [ -s "${page/README/index}" ] || { echo "no $page"; exit 1; }
done
grep -q 'gfab_verify' search/index.js
grep -q 'translates' search/index.js
if grep -rnE '<(script|link|img|iframe)[^>]*(src|href)="(https?:)?//' --include='*.html' .; then
    echo 'the lines above take something from elsewhere'
    exit 1
fi

# A mutant: a copy of the sources with a link that leads nowhere.
mkdir "$temp/mutant"
cp -r "$source/README.md" "$source/CONTRIBUTING.md" "$source/CHANGELOG.md" "$source/docs" "$source/rtl" "$source/formal" \
    "$source/bench" "$source/examples" "$source/extras" "$source/include" "$source/scripts" "$temp/mutant"
sed -i '1a [nowhere](nowhere.md)' "$temp/mutant/docs/glossary.md"
if "$temp/mutant/docs/site/site.py" "$BUILD/site-tools/bin/mkdocs" "$temp/out" > "$temp/said" 2>&1; then
    echo 'a link that leads nowhere is not found'
    exit 1
fi
grep -q 'nowhere.md' "$temp/said" || { cat "$temp/said"; exit 1; }
echo 'site: made, whole and alone'
