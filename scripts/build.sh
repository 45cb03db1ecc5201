#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Configures and builds into $BUILD (build), all or $TARGETS alone. Arguments go to CMake and stay in its cache.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${BUILD:-build}
generator=()
if [ ! -f "$build/CMakeCache.txt" ] && command -v ninja > /dev/null; then
    generator=(-G Ninja)
fi
# On stderr, so that a caller's stdout stays its own; quiet unless it fails.
mkdir -p "$build"
if ! cmake -S . -B "$build" "${generator[@]}" "$@" > "$build/configure.log" 2>&1; then
    cat "$build/configure.log" >&2
    exit 1
fi
read -ra targets <<< "${TARGETS:-}"
cmake --build "$build" --parallel "${JOBS:-$(nproc)}" ${targets:+--target "${targets[@]}"} >&2
