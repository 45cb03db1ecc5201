#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mutants of the argument by which repeating schedules are checked (core/schedule/verify_period.c): each is compiled in
# its place, and a test of period_check_test must fail.
# period_mutants_test.sh BUILD CC
set -euo pipefail
build=$1
compiler=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
command -v ninja > /dev/null || exit 77
# "cc .. test.o -o bin/period_check_test libgossipfab.a ..": the mutant goes before the library, which then does not
# need its own copy.
link=$(ninja -C "$build" -t commands period_check_test | tail -n 1)
link=${link/-o bin\/period_check_test/$temp/mutant.o -o $temp/mutant}

# tests SED: the tests' exit status with the source changed so; "s/^//" changes nothing.
tests() {
    sed "$1" "$root/core/schedule/verify_period.c" > "$temp/mutant.c"
    if [ "$1" != 's/^//' ] && cmp -s "$root/core/schedule/verify_period.c" "$temp/mutant.c"; then
        echo "changes nothing: $1" >&2
        exit 1
    fi
    "$compiler" -std=c17 -O1 -I"$root/include" -I"$root/core" -I"$root/core/schedule" -c "$temp/mutant.c" \
        -o "$temp/mutant.o"
    (cd "$build" && eval "$link")
    GTEST_FAIL_FAST=1 "$temp/mutant" > "$temp/said" 2>&1
}

if ! tests 's/^//'; then
    echo "the tests fail without a change" >&2
    cat "$temp/said" >&2
    exit 1
fi
while IFS= read -r change; do
    if tests "$change"; then
        echo "no test notices: $change" >&2
        exit 1
    fi
done << 'MUTANTS'
s/status = verify_residues(topology, model, schedule, progress, report)/status = GFAB_OK/
s/gfab_status status = replay_group(topology, model, schedule, false, progress, report)/gfab_status status = GFAB_OK/
s/gfab_status status = replay_group(topology, model, schedule, false/gfab_status status = replay_group(topology, model, schedule, true/
s/round += f->period, index++/round += f->period + 1, index++/
s/round += f->period, index++/round += 2 * (uint64_t)f->period, index++/
s/uses\[index\].turn != f->turn/uses[index].turn > f->turn/
s/f->arcs, half ? 2 \* link : arc/f->arcs, arc/
s/f->arcs, half ? 2 \* link : arc/f->arcs, 2 * link/
s/carried->count == gfab_topology_weight(f->topology, link)/carried->count == 1/
s/carried->count == gfab_topology_weight(f->topology, link)/carried->count > gfab_topology_weight(f->topology, link)/
s/i < 2 \&\& f->model->port_mode == GFAB_PORT_ONE/i < 1 \&\& f->model->port_mode == GFAB_PORT_ONE/
s/i < 2 \&\& f->model->port_mode == GFAB_PORT_ONE/i < 2 \&\& f->model->port_mode != GFAB_PORT_ONE/
s/circuit || port->link != link/circuit/
s/circuit || port->link != link/port->link != link/
s/circuit \&\& !half ? i : 0/0/
s/start <= f->period \&\& start <= rounds/start < f->period \&\& start <= rounds/
s/start <= f->period \&\& start <= rounds/start <= 1 \&\& start <= rounds/
s/report->fault != GFAB_FAULT_NONE \&\& report->round <= round/report->fault != GFAB_FAULT_NONE/
s/(round - other->round) \/ f->period/1/
s/in_last(f->schedule, \&packet) ? f->groups : f->groups - 1/f->groups/
s/index > f->covered ? index : f->covered/index/
s/report->redundant \* (gfab_schedule_group_count(schedule) - 1) + last.redundant/report->redundant * gfab_schedule_group_count(schedule)/
MUTANTS
