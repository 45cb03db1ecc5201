#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the campaigns and writes docs/reference/trust.md of what they found; --write: of what is in $BUILD/trust, without
# running any; what is not there stays on the page as it is. A campaign that fails has its figures on the page all the
# same, and gives status 1.
set -euo pipefail
cd "$(dirname "$0")/.."

build=${BUILD:-build}
campaigns=(mutate faults fuzz coverage inject plans)
declare -A heading=([mutate]='Mutants of the netlist' [faults]=Faults [fuzz]='Fuzzed inputs' [coverage]=Coverage
    [inject]='Memory that runs out' [plans]='Plans and files of others')
# The page's section of a campaign.
section() { awk -v heading="## ${heading[$1]}" '/^## / { on = $0 == heading } on' docs/reference/trust.md; }
status=0
if [ "${1:-}" != --write ]; then
    for campaign in "${campaigns[@]}"; do
        make "$campaign" || status=1
    done
fi

page=$(mktemp)
trap 'rm -f "$page"' EXIT
{
    cat << 'EOF'
# Trust

This page says how faults are searched for, and what was found. Each section is written by the command that it names.
`make trust` runs all six commands, which takes hours, and writes this page. `make test` has a short form of each.
EOF
    for campaign in "${campaigns[@]}"; do
        echo
        if [ -s "$build/trust/$campaign.md" ]; then
            cat "$build/trust/$campaign.md"
        else
            printf '%s\n' "$(section "$campaign")"
        fi
    done
} > "$page"
cp "$page" docs/reference/trust.md
exit $status
