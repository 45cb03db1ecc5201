# SPDX-License-Identifier: MIT
# core/schedule/verify_contributions.c
s/r->came\[from\] > 0 \&\& m\[i\].round - r->came\[from\] < r->model.hop_rounds)$/false)/
s/m\[i\].round - r->came\[from\] < r->model.hop_rounds)$/m[i].round - r->came[from] + 1 < r->model.hop_rounds)/
s/m\[i\].combine ? r->gave\[from\] || r->gave\[to\] : had\[i\] != r->members || /m[i].combine ? r->gave[from] : had[i] != r->members || /
s/m\[i\].combine ? r->gave\[from\] || r->gave\[to\] : had\[i\] != r->members || /m[i].combine ? r->gave[to] : had[i] != r->members || /
s/: had\[i\] != r->members || r->came\[to\] == m\[i\].round/: r->came[to] == m[i].round/
s/: had\[i\] != r->members || r->came\[to\] == m\[i\].round/: had[i] != r->members/
s/r->gave\[from\] = r->gave\[from\] || m\[i\].combine;//
s/had\[i\] = r->held\[from\];/had[i] = r->members;/
s/r->held\[to\] + had\[i\] : had\[i\]/r->held[to] + r->held[from] : had[i]/
s/if (r->held\[v\] != r->members \&\& gfab_goal_node_wants/if (false \&\& gfab_goal_node_wants/
s/trees = !gfab_topology_is_relay(topology, v) || gfab_topology_is_switch(topology, v);/trees = true;/
s/(broken || idle_missing)/true/
s/report->missing += idle_missing;//
s/idle ? report->missing - missing : idle_missing/report->missing - missing/
