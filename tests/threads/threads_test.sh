#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# threads_test.sh SOURCE_DIR BUILD_DIR: the library in a build of its own with ThreadSanitizer, used by several threads.
# Two threads that change one object must be found.
set -euo pipefail

source=$1
build=$2
flags='-fsanitize=thread -fno-omit-frame-pointer'

cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DGFAB_SHARED=OFF \
    > "$build.log" || { cat "$build.log"; exit 1; }
cmake --build "$build" --target gfab_threads -j "${JOBS:-2}" > "$build.log" || { tail -40 "$build.log"; exit 1; }
rm -rf "$build/folders"
mkdir "$build/folders"
cd "$build/folders"
../bin/gfab_threads
if ../bin/gfab_threads mutant > mutant.log 2>&1 || ! grep -q 'data race' mutant.log; then
    echo 'threads that change one object are not found'
    exit 1
fi
