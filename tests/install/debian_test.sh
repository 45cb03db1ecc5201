#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# debian_test.sh SOURCE_DIR WORK_DIR: builds the Debian packages, source and binary, asks lintian, installs them beside
# the system's, plays with what they have, and removes them: nothing is left.
set -euo pipefail

source=$1
work=$2
for tool in dpkg-buildpackage dh lintian git; do
    command -v $tool > /dev/null || { echo "debian: skipped, $tool is missing" >&2; exit 77; }
done
(cd "$source" && dpkg-checkbuilddeps) || { echo 'debian: skipped, what the build wants is missing' >&2; exit 77; }
rm -rf "$work"
mkdir -p "$work/gossipfab" "$work/root/var/lib/dpkg/updates" "$work/root/var/lib/dpkg/info"
# Also what is not committed yet; nothing that git passes over.
(cd "$source" && git ls-files -z --cached --others --exclude-standard | xargs -0 tar c) | tar x -C "$work/gossipfab"
(cd "$work/gossipfab" && dpkg-buildpackage -us -uc) > "$work/build.log" 2>&1 || { tail -40 "$work/build.log"; exit 1; }

cd "$work"
# Debian 12's lintian does not know a field that policy has since; every other error or warning is a fault.
lintian --allow-root ./*.changes | grep '^[EW]:' | grep -v 'unknown-field Static-Built-Using$' && exit 1
touch root/var/lib/dpkg/status
find root | sort > before
dpkg_in() { dpkg --root="$work/root" --force-not-root --force-depends --log=/dev/null "$@"; }
mapfile -t debs < <(ls ./*.deb | grep -v dbgsym)
[ ${#debs[@]} = 8 ]
# Not configured: python3-gossipfab would be compiled by the Python of a root that has none.
dpkg_in --unpack "${debs[@]}" > install.log 2>&1 || { cat install.log; exit 1; }
[ -s root/usr/share/man/man1/gossipfab-generate.1.gz ]
lib=$(dirname "$(find root -name 'libgossipfab.so.0.1')")
cc -std=c17 -Iroot/usr/include "$source/tests/install/user.c" -L"$lib" -lgossipfab -o user
[ "$(LD_LIBRARY_PATH=$lib ./user)" = 'mesh:3x4 12 17' ]
root/usr/bin/gossipfab simulate --topology mesh:3x3 > simulate.log
LD_LIBRARY_PATH=$lib PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -c \
    'import gossipfab; assert gossipfab.solve("mesh:4x4").rounds == 10'
preloaded=$(find "$PWD/root" -name libgossipfab_pmpi.so)
LD_PRELOAD=$preloaded /bin/true
[ -n "$preloaded" ]
for command in root/usr/bin/*; do
    [ -s "root/usr/share/man/man1/$(basename "$command").1.gz" ] || { echo "$command has no manual page"; exit 1; }
done
mapfile -t packages < <(for deb in "${debs[@]}"; do dpkg-deb -f "$deb" Package; done)
dpkg_in --purge "${packages[@]}" > remove.log 2>&1 || { cat remove.log; exit 1; }
find root ! -path '*/var/lib/dpkg/*' | sort > after
grep -v /var/lib/dpkg/ before > before.files
diff before.files after || { echo 'left behind, or taken away'; exit 1; }
echo 'debian: built, sound, installed and removed'
