(* SPDX-License-Identifier: MIT *)
(* Graphs without relays: every node is a member and its own rank, and block b of n k is that of node b / k. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule bounds.Counting bounds.Ranks.
Import ListNotations.

Section Plain.

Variable g : graph.
Hypothesis all_members : forall v, relay g v = false.
Local Notation n := (nodes g).

Lemma rank_plain v : v <= n -> rank g v = v.
Proof.
  intro L. unfold rank. rewrite filter_true; [apply seq_length|]. intros a I. apply in_seq in I. unfold member.
  rewrite all_members, andb_true_r. apply Nat.ltb_lt. lia.
Qed.

Lemma size_plain : size g = n.
Proof. rewrite <- rank_size. now apply rank_plain. Qed.

Lemma member_plain v : v < n -> member g v = true.
Proof. intro L. unfold member. rewrite all_members, andb_true_r. now apply Nat.ltb_lt. Qed.

(* Of k blocks a node block v k + i is node v's. *)
Lemma plain_owner k v i : i < k -> v < n -> owner g (n * k) (v * k + i) = v.
Proof.
  intros I V. unfold owner. rewrite size_plain, (Nat.mul_comm n k), Nat.div_mul_cancel_r by lia.
  replace (v * k + i) with (i + v * k) by lia. rewrite Nat.div_add by lia. now rewrite Nat.div_small by lia.
Qed.

Lemma block_place k b : 1 <= k -> b < n * k -> b / k < n /\ b mod k < k /\ b = b / k * k + b mod k.
Proof.
  intros Z B. pose proof (Nat.div_mod b k ltac:(lia)). pose proof (Nat.mod_upper_bound b k ltac:(lia)).
  repeat split; auto; [|lia]. apply Nat.div_lt_upper_bound; lia.
Qed.

Lemma block_owner k b : 1 <= k -> b < n * k -> owner g (n * k) b = b / k.
Proof.
  intros Z B. destruct (block_place k b Z B) as (V & I & E). rewrite E at 1. now apply plain_owner.
Qed.

Lemma plain_holds k v i : i < k -> v < n -> holds g (AllGather (n * k)) v (v * k + i) = true.
Proof.
  intros I V. unfold holds. rewrite member_plain, plain_owner, rank_plain by (auto; lia). now rewrite Nat.eqb_refl.
Qed.

(* All blocks that a node wants. *)
Lemma plain_wants k w b : 1 <= k -> b < n * k -> wants g (AllGather (n * k)) w b = true ->
  w < n /\ b / k < n /\ b mod k < k /\ b = b / k * k + b mod k.
Proof.
  intros Z B W. assert (M : member g w = true) by (unfold wants in W; now apply andb_true_iff in W).
  unfold member in M. apply andb_true_iff in M. destruct M as [M _]. apply Nat.ltb_lt in M. split; [exact M|].
  now apply block_place.
Qed.

End Plain.
