#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# extras_test.sh SOURCE_DIR BUILD_DIR: all that there is without any extra, tests too, is built without Expat, and those
# tests pass; the command does the mission, and says of all else which extra it lacks: exit status 2, one line, nothing
# written. An extra that there is not, or that lacks what it builds upon, is refused by the build.
set -euo pipefail

source=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "extras: $1" >&2
    exit 1
}

refused_by_cmake() { # EXTRAS LINE
    ! cmake -S "$source" -B "$work/refused" "-DGFAB_EXTRAS=$1" > "$work/log" 2>&1 || fail "the build takes GFAB_EXTRAS=$1"
    grep -qF "$2" "$work/log" || fail "GFAB_EXTRAS=$1: the line says something else: $(grep -A3 Error "$work/log")"
    rm -rf "$work/refused"
}
refused_by_cmake colours "there is no extra 'colours'"
refused_by_cmake gpu-plans "gpu-plans builds upon formats"

cmake -S "$source" -B "$build" -DGFAB_EXTRAS= -DGFAB_TESTS=ON -DGFAB_SHARED=OFF -DGFAB_WERROR=ON > "$work/log" 2>&1 ||
    fail "$(tail -n 20 "$work/log")"
cmake --build "$build" --parallel "${JOBS:-2}" > "$work/log" 2>&1 || fail "$(tail -n 20 "$work/log")"
if ldd "$build/bin/gossipfab" | grep -qE 'libexpat|libmpi'; then
    fail "the command is linked with what only extras need"
fi

cd "$work"
gossipfab="$build/bin/gossipfab"
for line in 'schedule mesh:4x4 -o s.gfs' 'verify s.gfs' 'bound torus:4x4' 'show s.gfs' 'schedule machine:dgx1 -c all-reduce' \
    'simulate mesh:4x4 --token-bits 32 --link-bits 2' 'generate mesh:2x2 -o out' 'replan s.gfs +drop-link=0-1 -o t.gfs' \
    'prove path:3 --port-mode one --rounds 1 -o proofs' 'list'; do
    # shellcheck disable=SC2086
    "$gossipfab" $line > out.txt 2> err.txt || fail "$line: $(cat err.txt)"
done
[ -f out/gossip_fabric.v ] || fail "no fabric"

printf '<graphml/>\n' > graph.graphml
printf '<algo name="a"/>\n' > program.xml
printf '{"name": "p"}\n' > plan.json
find . -type f ! -name before ! -name 'out.txt' ! -name err.txt | sort > before
while read -r extra line; do
    # shellcheck disable=SC2086
    "$gossipfab" $line > out.txt 2> err.txt && fail "$line: exit status 0"
    [ "$?" = 2 ] || fail "$line: exit status $?, 2 is right"
    if [ -s out.txt ] || [ "$(wc -l < err.txt)" != 1 ] || ! grep -q "without the extra $extra" err.txt; then
        fail "$line: $(cat out.txt err.txt)"
    fi
done <<'LINES'
graphs schedule file:graph.graphml
formats convert s.gfs --to msccl
formats verify program.xml
formats verify plan.json
gpu-plans run plan.json
gpu-plans verify plan.json --html page.html
board board info --port none
shards search mesh:3x3 --items 3
shards merge a b
lengths advise mesh:3x3
draw show s.gfs --svg a.svg
draw show s.gfs --html a.html
draw show s.gfs --animate a.svg
draw simulate mesh:3x3 --heat a.svg
LINES
find . -type f ! -name before ! -name 'out.txt' ! -name err.txt | sort | diff before - || fail "something was written"

# Each test says which extras it wants: one that forgets an extra fails here.
ctest --test-dir "$build" -j "${JOBS:-2}" > "$work/log" 2>&1 || fail "$(sed -n '/tests FAILED/,$p' "$work/log")"
echo "extras: the command does without them, and says so; its tests pass"
