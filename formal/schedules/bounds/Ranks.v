(* SPDX-License-Identifier: MIT *)
(* Members and their ranks: each rank below the number of members is one member's. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule bounds.Counting.
Import ListNotations.

Lemma rank_S g v : rank g (S v) = rank g v + if member g v then 1 else 0.
Proof.
  unfold rank. rewrite seq_S, filter_app, app_length. cbn. destruct (member g v); cbn; lia.
Qed.

Lemma rank_le g v w : v <= w -> rank g v <= rank g w.
Proof.
  induction 1 as [|w L IH]; auto. rewrite rank_S. lia.
Qed.

Lemma rank_inj g v w : member g v = true -> member g w = true -> rank g v = rank g w -> v = w.
Proof.
  intros V W E. destruct (Nat.lt_trichotomy v w) as [L|[L|L]]; auto.
  - pose proof (rank_le g (S v) w L) as H. rewrite rank_S, V in H. lia.
  - pose proof (rank_le g (S w) v L) as H. rewrite rank_S, W in H. lia.
Qed.

Lemma rank_size g : rank g (nodes g) = size g.
Proof. reflexivity. Qed.

Lemma rank_onto g r n : r < rank g n -> exists v, v < n /\ member g v = true /\ rank g v = r.
Proof.
  induction n as [|n IH]; [cbn; lia|]. rewrite rank_S. intro L.
  destruct (Nat.lt_ge_cases r (rank g n)) as [H|H].
  - destruct (IH H) as (v & Lv & M & E). exists v. auto.
  - exists n. destruct (member g n) eqn:M; [|lia]. repeat split; auto. lia.
Qed.

Lemma rank_member g r : r < size g -> exists v, member g v = true /\ rank g v = r.
Proof. intro L. destruct (rank_onto g r (nodes g) L) as (v & _ & H). eauto. Qed.

Lemma rank_below g v : member g v = true -> rank g v < size g.
Proof.
  intro M. assert (v < nodes g) as L by (unfold member in M; rewrite andb_true_iff, Nat.ltb_lt in M; tauto).
  pose proof (rank_le g (S v) (nodes g) L) as H. rewrite rank_S, M, rank_size in H. lia.
Qed.

Lemma in_members g v : In v (members g) <-> member g v = true.
Proof.
  unfold members. rewrite filter_In, in_seq. unfold member. rewrite andb_true_iff, Nat.ltb_lt. intuition lia.
Qed.

Lemma members_distinct g : NoDup (members g).
Proof. apply NoDup_filter, seq_NoDup. Qed.
