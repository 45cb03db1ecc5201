#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs to a fresh prefix and builds a program with nothing but pkg-config: install_test.sh BUILD CC.
set -euo pipefail
build=$1
cc=$2
here=$(cd "$(dirname "$0")" && pwd)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

prefix=$temp/prefix
cmake --install "$build" --prefix "$prefix" > "$temp/log" || { cat "$temp/log"; exit 1; }

pc=$(find "$prefix" -name gossipfab.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
version=$("$prefix/bin/gossipfab" --version)
[[ $version == *"$(pkg-config --modversion gossipfab)"* ]] || { echo "gossipfab --version: $version"; exit 1; }
read -ra flags <<< "$(pkg-config --cflags --libs gossipfab)"
"$cc" -std=c17 -Wall -Werror "$here/user.c" "${flags[@]}" -o "$temp/user"
said=$(LD_LIBRARY_PATH=$(pkg-config --variable=libdir gossipfab) "$temp/user")
[ "$said" = 'mesh:3x4 12 17' ] || { echo "the program says: $said"; exit 1; }

# The shared library has what the headers declare, and nothing else.
nm -D --defined-only "$(pkg-config --variable=libdir gossipfab)/libgossipfab.so" | awk '{ print $3 }' | sort > "$temp/has"
grep -rhv --exclude=gossipfab_mpi.h '^typedef' "$prefix/include" | grep -oE 'gfab_[a-z0-9_]+\(' | tr -d '(' | sort -u > "$temp/declared"
diff "$temp/declared" "$temp/has" || { echo 'not what the headers declare'; exit 1; }

# By CMake.
mkdir "$temp/cmake"
cat > "$temp/cmake/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(gossipfab $(pkg-config --modversion gossipfab) REQUIRED)
add_executable(user "$here/user.c")
target_link_libraries(user PRIVATE gossipfab::gossipfab)
END
{ cmake -S "$temp/cmake" -B "$temp/cmake/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" &&
    cmake --build "$temp/cmake/build"; } > "$temp/log" 2>&1 || { cat "$temp/log"; exit 1; }
[ "$("$temp/cmake/build/user")" = 'mesh:3x4 12 17' ] || { echo 'the program that CMake builds says something else'; exit 1; }

# docs/guide/library.md: from a topology to the folder that the command makes, but for what only the command knows.
LD_LIBRARY_PATH=$(pkg-config --variable=libdir gossipfab)
export LD_LIBRARY_PATH
data=$(pkg-config --variable=datadir gossipfab)
"$cc" -std=c17 -Wall -Wextra -Werror "$data/doc/gossipfab/docs/guide/first-fabric.c" "${flags[@]}" -o "$temp/first-fabric"
said=$("$temp/first-fabric" mesh:4x4 "$temp/fabric")
[ "$said" = "mesh:4x4: 10 rounds, 166 cycles, in $temp/fabric" ] || { echo "first-fabric says: $said"; exit 1; }
"$prefix/bin/gossipfab" generate --topology mesh:4x4 -o "$temp/same" > "$temp/log"
diff -r -x manifest.json -x README.md -x player.html "$temp/same" "$temp/fabric"
diff "$temp/same/manifest.json" "$temp/fabric/manifest.json" > "$temp/log" || true
[ "$(grep -c '^[<>]' "$temp/log")" = 7 ] && grep -q lower_bound "$temp/log" && grep -q player.html "$temp/log" || { cat "$temp/log"; exit 1; }
if said=$("$temp/first-fabric" mesh:4x4 "$temp/fabric" 2>&1) || [[ $said != *exists* ]]; then
    echo "first-fabric over a folder that is there: $said"
    exit 1
fi

# An example, as its page says.
cp -r "$data/doc/gossipfab/examples/jacobi" "$temp/jacobi"
PATH="$prefix/bin:$PATH" make -s -C "$temp/jacobi" run > "$temp/log" 2>&1 || { cat "$temp/log"; exit 1; }
grep -q '18 unknowns: 52 iterations' "$temp/log" || { cat "$temp/log"; exit 1; }

# The Verilog, the docs that the help names, and the headers, each of them.
for file in gossipfab/rtl/narrow/gfab_node.v doc/gossipfab/docs/reference/rom-format.md doc/gossipfab/LICENSE; do
    [ -f "$data/$file" ] || { echo "not installed: $file"; exit 1; }
done
diff -r -x gossipfab_mpi.h "$here/../../include" "$prefix/include"

# Every link from one installed page to another leads there.
python3 "$here/../../scripts/check-links.py" --links "$data/doc/gossipfab"

# No text that is installed knows where it was built or installed.
if grep -rIlF -e "$build" -e "$prefix" "$prefix"; then
    echo 'the files above have absolute paths in them'
    exit 1
fi

# Manual pages and completions.
for file in man/man1/gossipfab.1 man/man1/gossipfab-generate.1 bash-completion/completions/gossipfab \
    zsh/site-functions/_gossipfab; do
    [ -s "$data/$file" ] || { echo "not installed: $file"; exit 1; }
done

# Away again: nothing is left but a file that was not installed.
touch "$prefix/share/gossipfab/own"
cmake -P "$build/uninstall.cmake"
[ "$(find "$prefix" -name '*gossipfab*' -o -path '*gossipfab/*')" = "$prefix/share/gossipfab
$prefix/share/gossipfab/own" ] || { find "$prefix"; exit 1; }
