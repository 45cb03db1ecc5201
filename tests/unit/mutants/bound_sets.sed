# SPDX-License-Identifier: MIT
# core/schedule/bound/bound_sets.c
s/end == s->out/end != s->out/
s/s->room += first > second/s->room += first < second/
s/(least - 1), room/least, room/
s/p \* both, 0/2 * p * both, 0/
s/s->room \* model->packet_tokens/s->room/
s/rooted ? s->distance\[v\] : 1/1/
s/goal->blocks - each/goal->blocks/
s/is_relay(s->topology, v) ? 0/is_relay(s->topology, v) ? 1/
s/better = gfab_flow_run/better = false \&\& gfab_flow_run/
s/s.out == backwards)/s.out != backwards)/
