#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# release.sh [FOLDER]: everything that a release consists of, from what is committed, in FOLDER ($BUILD/release) and
# nowhere else: the source tarball (pip takes it too), the wheel, the Debian packages, the site, and their SHA256SUMS.
# Each is made of the tarball before it, and tried. docs/release.md is the check list around it.
# PARTS="tarball wheel debian site" leaves some out. Same commit and compiler, same bytes, whatever the folders are.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC
umask 022

build=${BUILD:-build}
mkdir -p "${1:-$build/release}"
folder=$(cd "${1:-$build/release}" && pwd)
parts=${PARTS:-tarball wheel debian site}
has() { [[ " $parts " == *" $1 "* ]]; }
die() { echo "release: $*" >&2; exit 1; }

# What repeats the version must agree with the header.
version=$(sed -n 's/^#define GFAB_VERSION "\(.*\)"$/\1/p' include/gossipfab/base/version.h)
grep -q "^## $version" CHANGELOG.md || die "CHANGELOG.md has no section $version"
grep -q "^version: $version$" CITATION.cff || die "CITATION.cff is not of version $version"
[ "$(sed -n '1s/^gossipfab (\(.*\)) .*/\1/p' debian/changelog)" = "$version" ] || die "debian/changelog is not of version $version"
! has debian || dpkg-checkbuilddeps || die 'Debian packages that the packages want are missing, see above'
[ -z "$(git status --porcelain)" ] || echo 'release: what is not committed is left out' >&2
# The date of a release is debian/changelog's: files are as old, wherever and whenever they are made.
SOURCE_DATE_EPOCH=$(date -d "$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)" +%s)
export SOURCE_DATE_EPOCH

work=$folder/work
rm -rf "$work" "$folder"/gossipfab* "$folder"/*.deb "$folder/SHA256SUMS"
mkdir -p "$work/tree"
git archive HEAD | tar x -C "$work/tree"
. tests/venv.sh
cat extras/python/requirements.txt cmake/release.txt > "$work/requirements.txt"
venv release "$work/requirements.txt" "$work/tools"
python=$work/tools/bin/python
PATH=$work/tools/bin:$PATH

# ---- the tarball: what is committed, and what pip wants to know ----
(cd "$work/tree" && "$python" -c "import scikit_build_core.build as b; b.build_sdist('$folder')" > "$work/sdist.log" 2>&1) ||
    { cat "$work/sdist.log"; die 'no tarball'; }
tar xzf "$folder/gossipfab-$version.tar.gz" -C "$work"
source=$work/gossipfab-$version
diff <(git ls-tree -r --name-only HEAD | sort) <(cd "$source" && find . -type f ! -path ./PKG-INFO -printf '%P\n' | sort) ||
    die 'the tarball is not what is committed'
echo "release: gossipfab-$version.tar.gz"

# ---- the wheel ----
if has wheel; then
    (cd "$work" && "$work/tools/bin/pip" wheel --quiet --disable-pip-version-check --no-index --no-deps \
        --no-build-isolation -w raw --config-settings=build-dir="$work/wheel" \
        --config-settings=cmake.build-type=RelWithDebInfo --config-settings=cmake.define.GFAB_PORTABLE=ON \
        "$source" > wheel.log 2>&1) || { tail -40 "$work/wheel.log"; die 'no wheel'; }
    "$work/tools/bin/auditwheel" repair --strip --plat manylinux_2_34_x86_64 --only-plat -w "$folder" "$work"/raw/*.whl \
        > "$work/auditwheel.log" 2>&1 || { cat "$work/auditwheel.log"; die 'the wheel asks for more than its tag says'; }
    # A user's environment: the wheel, and what it depends on.
    python3 -m venv "$work/user"
    "$work/user/bin/pip" install --quiet --disable-pip-version-check "$folder"/gossipfab-*.whl
    (cd "$work" && user/bin/gossipfab demo torus:3x3 -o demo > demo.log &&
        user/bin/python -c 'import gossipfab; assert gossipfab.solve("mesh:4x4").rounds == 10') ||
        { tail -5 "$work/demo.log"; die 'the wheel does not work'; }
    [ "$("$work/user/bin/gossipfab" --version)" = "gossipfab $version" ]
    echo "release: $(basename "$folder"/gossipfab-*.whl)"
fi

# ---- the Debian packages: the tarball builds by itself ----
if has debian; then
    (cd "$source" && dpkg-buildpackage -us -uc -b) > "$work/debian.log" 2>&1 ||
        { tail -40 "$work/debian.log"; die 'no Debian packages'; }
    cp "$work"/*.deb "$folder"
    echo "release: $(cd "$folder" && ls ./*.deb | grep -v dbgsym | xargs -n 1 basename | paste -sd ' ')"
fi

# ---- the site ----
if has site; then
    [ -x "$build/bin/gossipfab" ] || TARGETS=gossipfab scripts/build.sh > "$work/site.log" 2>&1 ||
        { tail -20 "$work/site.log"; die 'the command does not build'; }
    docs/site/site.sh "$work/site" > "$work/site.log" 2>&1 || { tail -20 "$work/site.log"; die 'no site'; }
    tar c --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$work" site |
        gzip -n > "$folder/gossipfab-$version-site.tar.gz"
    echo "release: gossipfab-$version-site.tar.gz"
fi

rm -rf "$work"
(cd "$folder" && sha256sum -- * > SHA256SUMS.next && grep -v SHA256SUMS SHA256SUMS.next > SHA256SUMS && rm SHA256SUMS.next)
echo "release: all is in $folder"
