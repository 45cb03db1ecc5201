(* SPDX-License-Identifier: MIT *)
(* The count bound of each collective, over all valid schedules: blocks B, members N, tokens of a packet p, and what a
   round has room for on all links. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting bounds.Room bounds.Ranks bounds.Count.
Import ListNotations.

(* What R rounds have room for. *)
Definition all_room (s : schedule) : nat := packet_tokens (under s) * (rounds s * room (on s) (link (under s))).

Lemma holds_member g c v b : holds g c v b = true -> member g v = true.
Proof. unfold holds. rewrite andb_true_iff. tauto. Qed.

Lemma wants_members g c b : (forall v, wants g c v b = member g v && true) -> forall v, wants g c v b = member g v.
Proof. intros H v. rewrite H. apply andb_true_r. Qed.

(* Every block comes to all nodes but its owner. *)
Lemma all_gather_messages s n : valid s -> aim s = AllGather n -> n * (size (on s) - 1) <= length (messages s).
Proof.
  intros V A. assert (B : blocks (on s) (aim s) = n) by now rewrite A. rewrite <- B.
  apply (all_blocks_need s). intros b L. eapply Nat.le_trans; [|apply (stored_block_needs s V); auto; now rewrite A].
  apply (one_holder s) with (r := owner (on s) n b).
  - intros v H. split; [eapply holds_member; eauto|]. unfold holds in H. rewrite A, andb_true_iff, Nat.eqb_eq in H.
    destruct H. congruence.
  - apply wanters_all. intro v. unfold wants. rewrite A. apply andb_true_r.
Qed.

Theorem all_gather_count : forall s n, valid s -> aim s = AllGather n ->
  n * (size (on s) - 1) <= all_room s.
Proof.
  intros s n V A. eapply Nat.le_trans; [now apply all_gather_messages|]. now apply room_of_all_rounds.
Qed.

Theorem broadcast_count : forall s n root, valid s -> aim s = Broadcast n root ->
  n * (size (on s) - 1) <= all_room s.
Proof.
  intros s n root V A. assert (B : blocks (on s) (aim s) = n) by now rewrite A. rewrite <- B.
  apply (rounds_for s V). intros b L. eapply Nat.le_trans; [|apply (stored_block_needs s V); auto; now rewrite A].
  apply (one_holder s) with (r := root).
  - intros v H. split; [eapply holds_member; eauto|]. unfold holds in H. rewrite A, andb_true_iff, Nat.eqb_eq in H.
    destruct H. congruence.
  - apply wanters_all. intro v. unfold wants. rewrite A. apply andb_true_r.
Qed.

Lemma some_wanter s b v : wants (on s) (aim s) v b = true -> 1 <= length (wanters s b).
Proof.
  intro W. assert (I : In v (wanters s b)) by now apply in_wanters. destruct (wanters s b); [destruct I|cbn; lia].
Qed.

Theorem reduce_count : forall s n root i, valid s -> aim s = Reduce n root i ->
  n * (size (on s) - 1) <= all_room s.
Proof.
  intros s n root i V A. assert (B : blocks (on s) (aim s) = n) by now rewrite A. rewrite <- B.
  apply (rounds_for s V). intros b L.
  assert (R : root < size (on s)) by (destruct V as (_ & (_ & G) & _); now rewrite A in G).
  destruct (rank_member _ _ R) as (v & M & E).
  assert (W : 1 <= length (wanters s b)).
  { apply (some_wanter s b v). unfold wants. now rewrite A, M, E, Nat.eqb_refl. }
  pose proof (combined_block_needs s V b ltac:(now rewrite A) L W). lia.
Qed.

(* Every contribution but the owner's goes away from where it is. *)
Lemma reduce_scatter_messages s n i : valid s -> aim s = ReduceScatter n i ->
  n * (size (on s) - 1) <= length (messages s).
Proof.
  intros V A. assert (B : blocks (on s) (aim s) = n) by now rewrite A. rewrite <- B.
  apply (all_blocks_need s). intros b L. rewrite B in L.
  assert (R : owner (on s) n b < size (on s)).
  { destruct V as (_ & (S & G) & _). rewrite A in *. cbn in S, G. unfold owner.
    destruct (Nat.eq_dec (size (on s)) 0) as [Z|Z].
    - rewrite Z in G. cbn in G. lia.
    - apply Nat.div_lt_upper_bound; nia. }
  destruct (rank_member _ _ R) as (v & M & E).
  assert (W : 1 <= length (wanters s b)).
  { apply (some_wanter s b v). unfold wants. now rewrite A, M, E, Nat.eqb_refl. }
  pose proof (combined_block_needs s V b ltac:(now rewrite A) ltac:(now rewrite B) W). lia.
Qed.

Theorem reduce_scatter_count : forall s n i, valid s -> aim s = ReduceScatter n i ->
  n * (size (on s) - 1) <= all_room s.
Proof.
  intros s n i V A. eapply Nat.le_trans; [now apply (reduce_scatter_messages s n i)|]. now apply room_of_all_rounds.
Qed.

(* Every node wants every total: 2 N - 2 messages a block. *)
Lemma totals_messages s :
  valid s -> combines (aim s) = true -> (forall v b, wants (on s) (aim s) v b = member (on s) v) ->
  blocks (on s) (aim s) * (2 * size (on s) - 2) <= length (messages s).
Proof.
  intros V C W. apply (all_blocks_need s). intros b L. rewrite Nat.mul_comm.
  destruct (Nat.eq_dec (size (on s)) 0) as [Z|Z]; [rewrite Z; cbn; lia|].
  assert (E : wanters s b = members (on s)) by (apply wanters_all; auto).
  pose proof (combined_block_needs s V b C L) as H. rewrite E in H. unfold size in *. lia.
Qed.

Lemma all_reduce_messages s n i : valid s -> aim s = AllReduce n i ->
  n * (2 * size (on s) - 2) <= length (messages s).
Proof.
  intros V A. replace n with (blocks (on s) (aim s)) by now rewrite A. apply totals_messages; auto; rewrite A; auto.
  intros v b. apply andb_true_r.
Qed.

Theorem all_reduce_count : forall s n i, valid s -> aim s = AllReduce n i ->
  n * (2 * size (on s) - 2) <= all_room s.
Proof.
  intros s n i V A. eapply Nat.le_trans; [now apply (all_reduce_messages s n i)|]. now apply room_of_all_rounds.
Qed.

Theorem barrier_count : forall s i, valid s -> aim s = Barrier i ->
  2 * size (on s) - 2 <= all_room s.
Proof.
  intros s i V A. replace (2 * size (on s) - 2) with (blocks (on s) (aim s) * (2 * size (on s) - 2)).
  - eapply Nat.le_trans; [apply totals_messages|now apply room_of_all_rounds]; auto; rewrite A; auto. intros v b.
    apply andb_true_r.
  - rewrite A. cbn. lia.
Qed.

(* An all-to-all: at least a message for each block that has another owner. *)
Theorem all_to_all_count : forall s, valid s -> aim s = AllToAll ->
  size (on s) * (size (on s) - 1) <= all_room s.
Proof.
  intros s V A. set (n := size (on s)).
  eapply Nat.le_trans; [|apply (room_of_all_rounds s V)].
  eapply Nat.le_trans; [|apply (by_key_le what Nat.eqb Nat.eqb_eq) with (ks := seq 0 (n * n)); apply seq_NoDup].
  set (away := fun b => negb (b / n =? b mod n)).
  assert (L : list_sum (map (fun b => if away b then 1 else 0) (seq 0 (n * n))) <=
              list_sum (map (fun b => length (filter (fun m => what m =? b) (messages s))) (seq 0 (n * n)))).
  { apply sum_le. intros b I. apply in_seq in I. destruct (away b) eqn:Aw; [|lia].
    eapply Nat.le_trans; [|apply (stored_block_needs s V b); [now rewrite A|rewrite A; cbn; fold n; lia]].
    assert (R : b mod n < size (on s)) by (apply Nat.mod_upper_bound; lia).
    destruct (rank_member _ _ R) as (v & M & E).
    assert (I' : In v (lacking s b)).
    { unfold lacking. apply filter_In. split.
      - apply in_wanters. unfold wants. rewrite A, M, E. fold n. now rewrite Nat.eqb_refl.
      - unfold holds. rewrite A, M, E. fold n. exact Aw. }
    destruct (lacking s b); [destruct I'|cbn; lia]. }
  eapply Nat.le_trans; [|apply L]. clear L. unfold away.
  assert (S : forall k, k <= n -> k * (n - 1) <=
    list_sum (map (fun b => if negb (b / n =? b mod n) then 1 else 0) (seq 0 (k * n)))).
  { induction k as [|k IH]; intro Lk; [cbn; lia|].
    replace (S k * n) with (k * n + n) by lia. rewrite seq_app, map_app, list_sum_app.
    specialize (IH ltac:(lia)). enough (n - 1 <=
      list_sum (map (fun b => if negb (b / n =? b mod n) then 1 else 0) (seq (0 + k * n) n))) by lia.
    assert (Q : list_sum (map (fun b => if negb (b / n =? b mod n) then 1 else 0) (seq (0 + k * n) n)) =
                list_sum (map (fun x => if negb (k =? x) then 1 else 0) (seq 0 n))).
    { f_equal. rewrite seq_from, map_map. apply map_ext_in. intros x Ix. apply in_seq in Ix. cbn [Nat.add].
      rewrite Nat.div_add_l by lia. rewrite (Nat.add_comm (k * n)), Nat.mod_add by lia.
      now rewrite Nat.div_small, Nat.mod_small, Nat.add_0_r by lia. }
    rewrite Q. rewrite <- length_filter.
    pose proof (filter_length_split (fun x => k =? x) (seq 0 n)) as F. rewrite seq_length in F.
    assert (O : length (filter (fun x => k =? x) (seq 0 n)) <= 1); [|lia].
    rewrite length_filter. apply (one_key (fun _ : unit => k) Nat.eqb Nat.eqb_eq tt). apply seq_NoDup. }
  now apply S.
Qed.
