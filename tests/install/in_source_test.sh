#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# CMake refuses to build inside the sources, and says what to do instead.
set -euo pipefail
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cp "$(dirname "$0")/../../CMakeLists.txt" "$temp"
if cmake -S "$temp" -B "$temp" > "$temp/said" 2>&1; then
    echo 'an in-source build was configured'
    exit 1
fi
grep -qF 'cmake -S . -B build' "$temp/said" || { cat "$temp/said"; exit 1; }
