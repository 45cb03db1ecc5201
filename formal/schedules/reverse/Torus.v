(* SPDX-License-Identifier: MIT *)
(* All-reduce on tori of two axes: the torus gossip backwards and forwards, twice its rounds. That is the count bound of
   all-reduce for some sizes and just above it for the others, where there may be better: on 4 x 4, half duplex, there
   is. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat bounds.Counting bounds.Room bounds.Rounds.
From Gossipfab Require Import torus.Group torus.Translates torus.Plane torus.Optimal reverse.Reverse reverse.Gossip.
From Gossipfab Require Import check.Check check.Correct reverse.Example.
Import ListNotations.

Definition torus_reduce (l : link_mode) (m n : nat) (i : bool) : schedule := reduce_of (torus_gossip l m n) i.
Definition torus_scatter (l : link_mode) (m n : nat) (i : bool) : schedule := scatter_of (torus_gossip l m n) i.

(* The count bound of an all-reduce of a block a node: 2 N (N - 1) messages over 2 N links, or 4 N. *)
Definition least_reduce (l : link_mode) (m n : nat) : nat := match l with Half => m * n - 1 | Full => m * n / 2 end.

(* The sizes at which twice the gossip is no more. *)
Definition meets (l : link_mode) (m n : nat) : Prop :=
  match l with Half => (m * n) mod 2 = 1 | Full => (m * n) mod 4 = 0 \/ (m * n) mod 4 = 1 end.

Lemma meets_exactly l m n : 3 <= m -> 3 <= n -> 2 * torus_rounds l m n = least_reduce l m n <-> meets l m n.
Proof.
  intros M N. assert (L : 9 <= m * n) by nia. unfold torus_rounds, least_reduce, meets. generalize dependent (m * n).
  intros k L. pose proof (Nat.div_mod k 2). pose proof (Nat.mod_upper_bound k 2).
  pose proof (Nat.div_mod k 4). pose proof (Nat.mod_upper_bound k 4).
  pose proof (Nat.div_mod (k + 2) 4). pose proof (Nat.mod_upper_bound (k + 2) 4). destruct l; lia.
Qed.

Lemma torus_reversible l m n : reversible (torus_gossip l m n).
Proof.
  split; [now exists (product [n; m])|]. repeat split; auto. exact (torus_symmetric [n; m]).
Qed.

Lemma torus_share l m n : 3 <= m -> 3 <= n -> share (torus_gossip l m n) = 1.
Proof.
  intros M N. change (share (torus_gossip l m n)) with (product [n; m] / product [n; m]). apply Nat.div_same.
  rewrite pair_product. nia.
Qed.

Lemma least_reduce_rounds l m n i s : 3 <= m -> 3 <= n ->
  valid s -> on s = torus [n; m] -> under s = plain l -> aim s = AllReduce (m * n) i -> least_reduce l m n <= rounds s.
Proof.
  intros M N V O U A. pose proof (all_reduce_count s _ i V A) as C. unfold all_room in C.
  rewrite O, torus_size, pair_product, U in C. cbn [packet_tokens link plain] in C.
  pose proof (torus_room [n; m] l) as R. rewrite pair_product in R. set (r := room _ _) in *.
  unfold least_reduce. assert (L : 9 <= m * n) by nia. generalize dependent (m * n). intros k A C R L.
  assert (Q : 2 * k - 2 <= rounds s * ways l [n; m]).
  { apply Nat.mul_le_mono_pos_l with k; [lia|]. cbn [packet_tokens plain] in C. eapply Nat.le_trans; [exact C|].
    replace (k * (rounds s * ways l [n; m])) with (1 * (rounds s * (ways l [n; m] * k))) by lia.
    now repeat apply Nat.mul_le_mono_l. }
  destruct l; cbn [ways length] in Q.
  - lia.
  - pose proof (Nat.div_mod k 2). pose proof (Nat.mod_upper_bound k 2). lia.
Qed.

Lemma half_of_torus l m n : 3 <= m -> 3 <= n -> 1 <= torus_rounds l m n.
Proof.
  intros M N. assert (L : 9 <= m * n) by nia. unfold torus_rounds. generalize dependent (m * n). intros k L.
  pose proof (Nat.div_mod k 2). pose proof (Nat.mod_upper_bound k 2).
  pose proof (Nat.div_mod (k + 2) 4). pose proof (Nat.mod_upper_bound (k + 2) 4). destruct l; lia.
Qed.

(* Each token comes to each node once, so the last round is used backwards and forwards. *)
Lemma torus_reduce_rounds l m n i : 3 <= m -> 3 <= n -> rounds (torus_reduce l m n i) = 2 * torus_rounds l m n.
Proof.
  intros M N. pose proof (torus_gossip_valid l m n M N) as V. pose proof (torus_reversible l m n) as Re.
  destruct (torus_optimal l m n M N) as (_ & _ & U0 & _ & R & _). cbn zeta in *.
  destruct (reduce_of_valid _ i V Re) as [V' L]. rewrite R, U0 in L. cbn [hop_rounds plain] in L.
  apply Nat.le_antisymm; [unfold torus_reduce; lia|].
  (* A packet of the last round. *)
  assert (P : exists p, In p (packets (torus_gossip l m n)) /\ round p = torus_rounds l m n).
  { assert (Ne : packets (torus_gossip l m n) <> []).
    { intro E. unfold rounds in R. rewrite E in R. cbn in R. pose proof (half_of_torus l m n M N). lia. }
    rewrite <- R. unfold rounds. revert Ne. generalize (packets (torus_gossip l m n)) as k.
    induction k as [|p k IH]; intro Ne; [now destruct Ne|]. cbn [map].
    change (list_max (round p :: map round k)) with (max (round p) (list_max (map round k))).
    destruct k as [|q k]; [exists p; split; [now left|cbn; lia]|].
    assert (Nq : q :: k <> []) by discriminate. destruct (IH Nq) as (w & I & E).
    destruct (Nat.max_spec (round p) (list_max (map round (q :: k)))) as [[_ ->]|[_ ->]].
    - exists w. split; auto. now right.
    - exists p. split; auto. now left. }
  destruct P as (p & P & T). pose proof (pair_ok m n M N) as S3. pose proof P as P'.
  apply gossip_packet in P'. destruct P' as (u & v & U & W & ->). cbn [round] in T.
  set (t := plan_tree _ _) in *. set (s := torus_gossip l m n) in *. set (x := plus [n; m] u v).
  assert (I : In (u, x) (pairs (nodes (on s)) (share s))).
  { apply in_pairs. unfold s. rewrite torus_share by auto. change (nodes (on _)) with (product [n; m]).
    rewrite Nat.div_1_r. repeat split; [lia|now apply plus_lt|].
    intro E. unfold inner in W. assert (v = 0); [|lia]. apply (plus_cancel [n; m] u); auto; [lia|lia|].
    now rewrite plus_0. }
  assert (A : at_round (forest_of s) u x = torus_rounds l m n).
  { cbn [at_round forest_of]. destruct (picked s V Re u x I) as (J & B & X & _). apply gossip_message in J.
    destruct J as (u' & v' & U' & W' & E). rewrite E in B, X |- *. cbn [what to when] in *. subst u'.
    assert (v' = v) as ->; auto. apply (plus_cancel [n; m] u); [exact S3|apply W'|apply W|exact X]. }
  assert (Q : In (forwards (forest_of s) (offset (under s) (rounds s)) (u, x)) (packets (torus_reduce l m n i))).
  { unfold torus_reduce, reduce_of, reverse_reduce. cbn [packets]. apply in_app_iff. right. now apply in_map. }
  pose proof (round_between _ V' _ Q) as [_ B]. cbn [round forwards fst snd] in B. rewrite A, R, U0 in B.
  unfold offset in B. cbn [hop_rounds plain] in B. change (torus_reduce l m n i) with (reduce_of s i). lia.
Qed.

Theorem torus_reduce_optimal : forall l m n i, 3 <= m -> 3 <= n ->
  let s := torus_reduce l m n i in
  valid s /\ on s = torus [n; m] /\ under s = plain l /\ aim s = AllReduce (m * n) i /\
  rounds s = 2 * torus_rounds l m n /\
  (meets l m n -> forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s').
Proof.
  intros l m n i M N s. pose proof (torus_gossip_valid l m n M N) as V.
  destruct (reduce_of_valid _ i V (torus_reversible l m n)) as [V' _].
  pose proof (torus_reduce_rounds l m n i M N) as R.
  assert (A : aim s = AllReduce (m * n) i).
  { change (aim s) with (AllReduce (product [n; m] * share (torus_gossip l m n)) i).
    rewrite torus_share, pair_product by auto. f_equal. lia. }
  split; [exact V'|]. do 2 (split; [reflexivity|]). split; auto. split; auto.
  intros Me s' W O U A'. unfold s in *. rewrite R, (proj2 (meets_exactly l m n M N) Me).
  apply (least_reduce_rounds l m n i); auto. congruence.
Qed.

(* Where twice the gossip is above the bound it need not be the best: 15 rounds on 4 x 4, not 16. *)
Definition example : schedule := Schedule (torus [4; 4]) (plain Half) (AllReduce 16 false) example_packets.

Theorem reduce_below_twice_gossip :
  valid example /\ rounds example = 15 /\ 2 * torus_rounds Half 4 4 = 16.
Proof. split; [apply check_correct; vm_compute; reflexivity|]. split; vm_compute; reflexivity. Qed.
