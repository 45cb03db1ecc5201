#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/setup.sh against a pretended apt: the demo's list is less than the tests', and both are those of the docs; quiet where all is there, installs what is missing alone, tries again when
# apt is busy, gives up in the end.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
setup=$root/scripts/setup.sh
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
mkdir "$temp/bin"
cd "$temp"

# A machine on which the packages in `absent` are not installed, and apt-get fails the first `failures` times.
cat > bin/dpkg-query << 'EOF'
#!/bin/bash
status=0
for package in "${@:4}"; do
    if grep -qxF "$package" absent; then status=1; else echo "installed $package"; fi
done
exit $status
EOF
cat > bin/apt-get << 'EOF'
#!/bin/bash
echo "${@:4}" >> calls
left=$(cat failures)
if [ "$left" -gt 0 ]; then
    echo $((left - 1)) > failures
    exit 100
fi
EOF
cat > bin/sudo << 'EOF'
#!/bin/bash
exec "$@"
EOF
printf '#!/bin/bash\n' > bin/sleep
chmod +x bin/*

# expect STATUS FAILURES ABSENT CALLS [LIST]: with FAILURES and ABSENT as above, setup ends with STATUS and calls apt-get so.
expect() {
    local got=0
    printf '%s' "$3" > absent
    echo "$2" > failures
    : > calls
    PATH=$temp/bin:$PATH "$setup" ${5:+"$5"} > said 2>&1 || got=$?
    [ "$got" -eq "$1" ] || { echo "exit status $got, not $1"; cat said; exit 1; }
    diff -u - <(cat calls; [ -s calls ] || echo) <<< "$4" || exit 1
}

install='install -y --no-install-recommends -o APT::Keep-Downloaded-Packages=false'
expect 0 99 '' ''
[ ! -s said ] || { echo 'with all packages there it is not quiet'; cat said; exit 1; }
expect 0 0 $'yosys\ncmake\n' "update
$install cmake yosys"
expect 0 0 $'verilator\nzsh\n' "update
$install verilator" demo
expect 2 0 '' '' dem
grep -qx "setup: no list 'dem'; give demo, test, proofs or release" said
expect 0 2 $'zsh\n' "update
update
update
$install zsh"
expect 1 99 $'zsh\n' 'update
update
update
update
update
update'

# The lists are those of docs/reference/dependencies.md, whose last column says which of them a row is in.
# rows PATTERN: the packages of the first table whose last column has it.
rows() {
    sed -n '/^| package | for | needed by |/,/^$/p' "$root/docs/reference/dependencies.md" | sed 1,2d |
        awk -F '|' -v wanted="$1" '$4 ~ wanted { print $2 }' | sed 's/([^)]*)//g' | tr ',' '\n' | tr -d ' ' | sort
}
diff <("$setup" --list demo | sort) <(rows 'build|demo')
diff <("$setup" --list | sort) <(comm -23 <(rows .) <(rows '^ .make (proofs|release). alone'))
diff <("$setup" --list release | sort) <(rows 'build|demo|gossipfab-mpi|^ .make release. alone')
diff <("$setup" --list proofs | sort) <({ rows '^ .make proofs. alone'; echo make; } | sort)
