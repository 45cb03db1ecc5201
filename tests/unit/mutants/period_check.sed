# SPDX-License-Identifier: MIT
# core/schedule/verify_period.c
s/GFAB_THEN(status, verify_residues(topology, model, schedule, progress, report))/GFAB_THEN(status, GFAB_OK)/
s/gfab_status status = replay_group(topology, model, schedule, false, progress, report)/gfab_status status = GFAB_OK/
s/gfab_status status = replay_group(topology, model, schedule, false/gfab_status status = replay_group(topology, model, schedule, true/
s/round += f->period, index++/round += f->period + 1, index++/
s/round += f->period, index++/round += 2 * (uint64_t)f->period, index++/
s/uses\[index\].turn != f->turn/uses[index].turn > f->turn/
s/half && carried\[1\]/false \&\& carried[1]/
s/half && carried\[1\]/carried[1]/
s/use_at(f, f->arcs, arc)/use_at(f, f->arcs, 2 * link)/
s/carried\[0\]->count == room\[0\]/carried[0]->count == 1/
s/carried\[0\]->count == room\[0\]/carried[0]->count > room[0]/
s/carried\[1\]->count == room\[1\]/carried[1]->count == 1/
s/{gfab_topology_arc_weight(f->topology, arc)/{gfab_topology_weight(f->topology, link)/
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
