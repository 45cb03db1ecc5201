#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compare-builds.py: a build is like itself, and one that makes another schedule, image or figure is not.
# compare_builds_test.sh GOSSIPFAB
set -u
gossipfab=$1
compare=$(cd "$(dirname "$0")/../.." && pwd)/scripts/compare-builds.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

cat >"$work/list" <<'LIST'
# three kinds
schedule --topology mesh:3x3
schedule --topology mesh:3x3 --link-mode full --port-mode one --packet-tokens 9 --solver mesh-telephone
fabric --topology mesh:3x3 --token-bits 32 --link-bits 2
print bound --topology mesh:3x3 --json
LIST

# altered NAME EXPRESSION: the program, with sed's expression applied to each of its arguments.
altered() {
    cat >"$work/$1" <<PROGRAM
#!/usr/bin/env bash
arguments=()
for word in "\$@"; do
    arguments+=("\$(sed -E '$2' <<<"\$word")")
done
exec "$gossipfab" "\${arguments[@]}"
PROGRAM
    chmod +x "$work/$1"
}

# Other tokens are other values on the links, and nothing else.
cat >"$work/values" <<PROGRAM
#!/usr/bin/env bash
[ "\$1" = simulate ] && set -- "\$@" --token-seed 2
exec "$gossipfab" "\$@"
PROGRAM
chmod +x "$work/values"

# expect STATUS WORDS PROGRAM [OPTION]
expect() {
    "$compare" "$gossipfab" "${@:3}" --list "$work/list" >"$work/out" 2>&1
    local status=$?
    if [ $status -ne "$1" ] || ! grep -q "$2" "$work/out"; then
        echo "FAILED: status $status, not $1, or no '$2':"
        cat "$work/out"
        failed=1
    fi
}

altered schedule 's/^mesh:3x3$/mesh:3x4/'
altered figures 's/^bound$/list/; s/^--topology$/--json/; s/^mesh:/--json/'
altered images 's/^generate$/generate/; s/^2$/4/'
expect 0 '4 comparisons, 0 differ' "$gossipfab"
expect 1 'DIFFERS  schedule.*: .*rounds' "$work/schedule"
expect 1 'DIFFERS  print bound' "$work/figures"
expect 1 'DIFFERS  fabric.*: cycles, links' "$work/images"
expect 1 'DIFFERS  fabric[^:]*:[^:]*: links$' "$work/values" --without-images
[ $failed -ne 0 ] || echo "compare-builds.py sees what it must see"
exit $failed
