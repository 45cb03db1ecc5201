(* SPDX-License-Identifier: MIT *)
(* Every theorem, and what it rests on: formal/schedules/prove.sh refuses anything but nothing. *)
From Gossipfab Require check.Correct check.Repeats.

Print Assumptions check.Correct.check_correct.
Print Assumptions check.Repeats.check_repeating_correct.
Print Assumptions check.Repeats.repeating_valid.
