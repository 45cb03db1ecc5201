#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# release_test.sh SOURCE_DIR WORK_DIR: two clones in folders of different names make the same release, byte for byte; one
# in which the versions do not agree makes none.
set -euo pipefail
source=$1
work=$2
for tool in git dpkg-buildpackage dh; do
    command -v $tool > /dev/null || { echo "release: skipped, $tool is missing" >&2; exit 77; }
done
(cd "$source" && dpkg-checkbuilddeps) || { echo 'release: skipped, what the packages want is missing' >&2; exit 77; }
rm -rf "$work"
mkdir -p "$work/a" "$work/another/folder"
# Both before either is built: of one commit, whatever is committed in between.
git clone --quiet "$source" "$work/a/b"
git clone --quiet "$work/a/b" "$work/another/folder/c"
for clone in "$work/a/b" "$work/another/folder/c"; do
    (cd "$clone" && BUILD=$clone/build SETUP=true cmake/release.sh) || { status=$?; echo 'no release'; exit $status; }
done
diff "$work/a/b/build/release/SHA256SUMS" "$work/another/folder/c/build/release/SHA256SUMS" || exit 1
sed -i '1s/(.*)/(9.9.9)/' "$work/a/b/debian/changelog"
if (cd "$work/a/b" && cmake/release.sh "$work/none" > "$work/log" 2>&1) || ! grep -q 'debian/changelog is not of' "$work/log"; then
    echo 'versions that do not agree make a release'
    exit 1
fi
echo 'release: the same bytes from two folders'
