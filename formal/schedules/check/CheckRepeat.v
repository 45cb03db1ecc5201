(* SPDX-License-Identifier: MIT *)
(* The checker for schedules that repeat: its group alone, and what falls in one round. *)
From Coq Require Import List Arith Bool.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat check.Check.
Import ListNotations.

Definition simpleb (p : packet) : bool := (length (path p) =? 2) && (length (items p) =? 1).

Definition repeats_okb (r : repeating) : bool :=
  can_repeat (aim (base r)) && (1 <=? share r) && (1 <=? period r) &&
  (blocks (on (base r)) (aim (base r)) =? owners (on (base r)) (aim (base r)) * share r) &&
  match route (under (base r)) with StoreAndForward => true | Circuit => false end &&
  forallb simpleb (packets (base r)).

Definition check_repeating (r : repeating) : bool :=
  repeats_okb r && check (base r) && links_okb (folded r) && ports_okb (folded r).
