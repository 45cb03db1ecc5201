#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Set-up, build with -Werror, all tests, the ten slowest and those near their time limit, and ctest's verdict last.
# --large adds the tests that take minutes; any other arguments go to ctest.
set -euo pipefail
cd "$(dirname "$0")/.."

large=OFF
boards=(test)
if [ "${1:-}" = --large ]; then
    large=ON
    boards=()
    shift
fi

build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
"${SETUP:-scripts/setup.sh}"
# Beside the build: much of it waits for the network.
boards_pid=
if [ "${SETUP:-}" != true ]; then
    scripts/setup-boards.sh "${boards[@]}" &
    boards_pid=$!
    trap 'kill "$boards_pid" 2> /dev/null || true' EXIT
fi
# Verilator's run-time library is compiled once for all benches, and what is built again (python.module) not at all.
if command -v ccache > /dev/null; then
    export OBJCACHE=${OBJCACHE-ccache} CCACHE_DIR=${CCACHE_DIR:-$build/ccache} CCACHE_NOHASHDIR=1
fi
scripts/build.sh -DGFAB_WERROR=ON -DGFAB_TESTS=ON -DGFAB_TESTS_LARGE=$large
if [ -n "$boards_pid" ] && ! wait "$boards_pid"; then
    echo "test: without them what places for the ECP5 and Gowin's parts is skipped" >&2
fi
trap - EXIT

# Temporary files are in memory where there is room and programs may run: on a disk a file that is written again and
# again waits for what was there.
if [ -z "${TMPDIR:-}" ] && [ "$(df --output=avail /dev/shm 2> /dev/null | tail -1)" -ge 4000000 ] 2> /dev/null; then
    memory=$(mktemp -d /dev/shm/gossipfab-XXXXXX)
    trap 'rm -rf "$memory"' EXIT
    cp /bin/true "$memory/true"
    ! "$memory/true" 2> /dev/null || export TMPDIR=$memory
fi

# One test more than there are processors, since some wait: for MPI to end its ranks, for a browser, for a signal.
# Everything up to ctest's closing lines as it comes; those after the slowest tests.
log=$build/test.log
junit=$build/junit.xml
status=0
ctest --test-dir "$build" -j "${JOBS:-$(($(nproc) + 1))}" --output-on-failure --output-junit "$junit" "$@" 2>&1 < /dev/null |
    tee "$log" | sed -u '/tests passed, /,$d' || status=$?
echo
ctest --test-dir "$build" --show-only=json-v1 > "$build/tests.json"
python3 scripts/slowest-tests.py "$junit" "$build/tests.json"
echo
sed -n '/tests passed, /,$p' "$log"
exit "$status"
