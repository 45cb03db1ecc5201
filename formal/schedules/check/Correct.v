(* SPDX-License-Identifier: MIT *)
(* The checker accepts the valid schedules and no others. *)
From Coq Require Import List Arith Bool.
From Gossipfab Require Import spec.Schedule spec.Valid check.Check check.Packets check.Combined check.Relays.

Theorem check_correct : forall s, check s = true <-> valid s.
Proof.
  intro s. unfold check, valid. rewrite !andb_true_iff, model_okb_spec, goal_okb_spec, forallb_forall.
  rewrite links_okb_spec, relays_okb_spec.
  assert (P : (forall p, In p (packets s) -> packet_okb (on s) (under s) (blocks (on s) (aim s)) p = true) <->
              (forall p, In p (packets s) -> packet_ok s p)).
  { split; intros H p I; apply packet_okb_spec; auto. }
  rewrite P. split.
  - intros (((((M & G) & Q) & L) & O & R) & D). rewrite ports_okb_spec in O by auto.
  refine (conj M (conj G (conj Q (conj L (conj (conj O R) _))))).
    destruct (combines (aim s)); [now apply combined_okb_spec|now apply stored_okb_spec].
  - intros (M & G & Q & L & (O & R) & D). rewrite ports_okb_spec by auto.
  refine (conj (conj (conj (conj (conj M G) Q) L) (conj O R)) _).
    destruct (combines (aim s)); [now apply combined_okb_spec|now apply stored_okb_spec].
Qed.
