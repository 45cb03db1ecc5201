(* SPDX-License-Identifier: MIT *)
(* Every theorem, and what it rests on: prove.sh refuses anything but nothing. *)
From Gossipfab Require check.Correct check.Repeats bounds.Room bounds.Count bounds.Rounds bounds.Distance bounds.Parts.
From Gossipfab Require bounds.OnePort torus.Translates torus.Optimal rings.Rings rings.Carry rings.Optimal.
From Gossipfab Require rings.Square rings.Torus waves.Waves waves.Even.
From Gossipfab Require reverse.Gossip reverse.Torus reverse.Cycles.
From Gossipfab Require mesh.Bound mesh.Fast mesh.Optimal comb.Large.

Print Assumptions check.Correct.check_correct.
Print Assumptions check.Repeats.check_repeating_correct.
Print Assumptions check.Repeats.repeating_valid.
Print Assumptions bounds.Room.room_of_all_rounds.
Print Assumptions bounds.Count.combined_block_needs.
Print Assumptions bounds.Count.stored_block_needs.
Print Assumptions bounds.Rounds.all_gather_count.
Print Assumptions bounds.Rounds.broadcast_count.
Print Assumptions bounds.Rounds.reduce_count.
Print Assumptions bounds.Rounds.reduce_scatter_count.
Print Assumptions bounds.Rounds.all_reduce_count.
Print Assumptions bounds.Rounds.barrier_count.
Print Assumptions bounds.Rounds.all_to_all_count.
Print Assumptions bounds.OnePort.one_port_room.
Print Assumptions bounds.OnePort.one_port_gather_count.
Print Assumptions bounds.Distance.late_message.
Print Assumptions bounds.Distance.distance_bound.
Print Assumptions bounds.Distance.degree_bound.
Print Assumptions bounds.Distance.cut_bound.
Print Assumptions bounds.Parts.certificate_sound.
Print Assumptions torus.Translates.translates_valid.
Print Assumptions torus.Optimal.torus_count.
Print Assumptions torus.Optimal.torus_optimal.
Print Assumptions rings.Rings.rings_valid.
Print Assumptions rings.Rings.rings_rounds.
Print Assumptions rings.Carry.carried_ok.
Print Assumptions rings.Optimal.rings_optimal.
Print Assumptions rings.Optimal.both_ways_ok.
Print Assumptions rings.Square.square_rings_ok.
Print Assumptions rings.Square.square_rings_optimal.
Print Assumptions rings.Torus.torus_rings_ok.
Print Assumptions rings.Torus.torus_rings_optimal.
Print Assumptions waves.Waves.waves_valid.
Print Assumptions waves.Waves.waves_optimal.
Print Assumptions waves.Even.mesh_even_cycle.
Print Assumptions waves.Even.mesh_waves_optimal.
Print Assumptions waves.Even.torus_even_cycle.
Print Assumptions waves.Even.torus_waves_optimal.
Print Assumptions reverse.Gossip.scatter_of_valid.
Print Assumptions reverse.Gossip.reduce_of_valid.
Print Assumptions reverse.Torus.torus_reduce_optimal.
Print Assumptions reverse.Torus.reduce_below_twice_gossip.
Print Assumptions reverse.Cycles.waves_scatter_optimal.
Print Assumptions reverse.Cycles.waves_reduce_optimal.
Print Assumptions reverse.Cycles.rings_scatter_optimal.
Print Assumptions reverse.Cycles.rings_reduce_optimal.
Print Assumptions mesh.Bound.mesh_count.
Print Assumptions mesh.Fast.fast_valid.
Print Assumptions mesh.Optimal.comb_optimal.
Print Assumptions comb.Large.comb_optimal_large.
Print Assumptions mesh.Optimal.mesh_optimal.
