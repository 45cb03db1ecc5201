(* SPDX-License-Identifier: MIT *)
(* Every theorem, and what it rests on: prove.sh refuses anything but nothing. *)
From Gossipfab Require check.Correct check.Repeats bounds.Room bounds.Count bounds.Rounds bounds.Distance.

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
Print Assumptions bounds.Distance.late_message.
Print Assumptions bounds.Distance.distance_bound.
Print Assumptions bounds.Distance.degree_bound.
Print Assumptions bounds.Distance.cut_bound.
