(* SPDX-License-Identifier: MIT *)
(* Waves and rings backwards, and then forwards again: reduce-scatter and all-reduce of long vectors at the count bound,
   with one port on graphs with a cycle of even length through all nodes, with all ports on tori. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting bounds.Plain bounds.Room bounds.Rounds.
From Gossipfab Require Import bounds.OnePort torus.Group torus.Translates torus.Optimal rings.Rings rings.Optimal.
From Gossipfab Require Import waves.Waves reverse.Reverse reverse.Gossip.

Lemma share_of s b : 1 <= nodes (on s) -> aim s = AllGather (nodes (on s) * b) -> share s = b.
Proof. intros N A. unfold share. rewrite A. cbn [blocks]. rewrite Nat.mul_comm. apply Nat.div_mul. lia. Qed.

Lemma scatter_aim s b i : 1 <= nodes (on s) -> aim s = AllGather (nodes (on s) * b) ->
  aim (scatter_of s i) = ReduceScatter (nodes (on s) * b) i.
Proof. intros N A. cbn. now rewrite (share_of s b). Qed.

Lemma reduce_aim s b i : 1 <= nodes (on s) -> aim s = AllGather (nodes (on s) * b) ->
  aim (reduce_of s i) = AllReduce (nodes (on s) * b) i.
Proof. intros N A. cbn. now rewrite (share_of s b). Qed.

(* ---- one port ---- *)

Section Waves.

Variables (l : link_mode) (g : graph) (c : rings) (b : nat) (i : bool).
Hypothesis cycle : even_cycle g c.
Hypothesis weight_1 : forall u v, weight g u v <= 1.
Hypothesis some : 1 <= b.

Local Notation n := (nodes g).
Local Notation w := (wave_gossip l g c b).

Lemma waves_reversible : reversible w.
Proof.
  split; [now exists (n * b)|]. split; [apply (no_relays g c cycle)|]. split; [apply (both_directions g c cycle)|].
  split; reflexivity.
Qed.

Lemma waves_rounds : rounds w = nodes_a_packet l * (b * (n - 1)).
Proof. destruct (waves_optimal l g c b cycle weight_1 some) as (_ & _ & _ & _ & R & _). rewrite R. lia. Qed.

Theorem waves_scatter_optimal :
  let s := scatter_of w i in
  valid s /\ aim s = ReduceScatter (n * b) i /\ rounds s = nodes_a_packet l * (b * (n - 1)) /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intro s. destruct (scatter_of_valid w i) as [V L]; [now apply waves_valid|apply waves_reversible|].
  fold s in V, L. pose proof (some_nodes g c cycle) as N. rewrite waves_rounds in L.
  assert (A : aim s = ReduceScatter (n * b) i) by (now apply (scatter_aim w b i)).
  assert (Least : forall s', valid s' -> on s' = g -> under s' = one_port l -> aim s' = aim s ->
    nodes_a_packet l * (b * (n - 1)) <= rounds s').
  { intros s' V' On Un A'. rewrite A in A'. pose proof (reduce_scatter_messages s' _ i V' A') as M. rewrite On in M.
    rewrite (size_plain g (no_relays g c cycle)) in M. apply (least_rounds s' g c); auto. lia. }
  assert (R : rounds s = nodes_a_packet l * (b * (n - 1))) by (apply Nat.le_antisymm; [exact L|now apply Least]).
  split; [exact V|]. split; [exact A|]. split; [exact R|]. intros s' V' On Un A'. rewrite R. now apply Least.
Qed.

Theorem waves_reduce_optimal :
  let s := reduce_of w i in
  valid s /\ aim s = AllReduce (n * b) i /\ rounds s = nodes_a_packet l * (2 * b * (n - 1)) /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intro s. destruct (reduce_of_valid w i) as [V L]; [now apply waves_valid|apply waves_reversible|].
  fold s in V, L. pose proof (some_nodes g c cycle) as N. rewrite waves_rounds in L.
  change (hop_rounds (under w)) with 1 in L.
  assert (A : aim s = AllReduce (n * b) i) by (now apply (reduce_aim w b i)).
  assert (Least : forall s', valid s' -> on s' = g -> under s' = one_port l -> aim s' = aim s ->
    nodes_a_packet l * (2 * b * (n - 1)) <= rounds s').
  { intros s' V' On Un A'. rewrite A in A'. pose proof (all_reduce_messages s' _ i V' A') as M. rewrite On in M.
    rewrite (size_plain g (no_relays g c cycle)) in M. apply (least_rounds s' g c); auto. nia. }
  assert (R : rounds s = nodes_a_packet l * (2 * b * (n - 1))).
  { apply Nat.le_antisymm; [|now apply Least].
    replace (nodes_a_packet l * (2 * b * (n - 1))) with (2 * (nodes_a_packet l * (b * (n - 1)))) by ring.
    now rewrite Nat.add_sub in L. }
  split; [exact V|]. split; [exact A|]. split; [exact R|]. intros s' V' On Un A'. rewrite R. now apply Least.
Qed.

End Waves.

(* ---- all ports, on tori ---- *)

Section Rings.

Variables (l : link_mode) (sides : list nat) (c : rings) (i : bool).
Hypothesis sides_3 : sides_ok sides.
Hypothesis two : 2 <= product sides.
Hypothesis all_ways : ring_count c = ways l sides.
Hypothesis some : 1 <= ring_count c.
Hypothesis ok : rings_ok l (torus sides) c.

Local Notation n := (product sides).
Local Notation w := (ring_gossip l (torus sides) c).

Lemma rings_reversible : reversible w.
Proof.
  split; [now exists (n * ring_count c)|]. split; [reflexivity|]. split; [exact (torus_symmetric sides)|].
  split; reflexivity.
Qed.

Lemma gather : valid w /\ aim w = AllGather (n * ways l sides) /\ rounds w = n - 1.
Proof. destruct (rings_optimal l sides c sides_3 two all_ways some ok) as (V & A & R & _). auto. Qed.

(* N ways messages in a round. *)
Lemma least_torus s q : on s = torus sides -> under s = plain l -> n * ways l sides * q <= all_room s -> q <= rounds s.
Proof.
  intros On Un H. unfold all_room in H. rewrite On, Un in H. cbn [packet_tokens plain link] in H.
  pose proof (torus_room sides l) as T. rewrite all_ways in some. set (r := room _ _) in *.
  set (x := ways l sides) in *.
  assert (1 <= n * x) by nia. assert (n * x * q <= rounds s * (n * x)) by nia. nia.
Qed.

Theorem rings_scatter_optimal :
  let s := scatter_of w i in
  valid s /\ aim s = ReduceScatter (n * ways l sides) i /\ rounds s = n - 1 /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intro s. destruct gather as (G & Aw & Rw). destruct (scatter_of_valid w i G rings_reversible) as [V L].
  fold s in V, L. rewrite Rw in L.
  assert (A : aim s = ReduceScatter (n * ways l sides) i) by (apply (scatter_aim w); [cbn; lia|exact Aw]).
  assert (Least : forall s', valid s' -> on s' = torus sides -> under s' = plain l -> aim s' = aim s ->
    n - 1 <= rounds s').
  { intros s' V' On Un A'. rewrite A in A'. pose proof (reduce_scatter_count s' _ i V' A') as M.
    rewrite On, torus_size in M. now apply (least_torus s'). }
  assert (R : rounds s = n - 1) by (apply Nat.le_antisymm; [exact L|now apply Least]).
  split; [exact V|]. split; [exact A|]. split; [exact R|]. intros s' V' On Un A'. rewrite R. now apply Least.
Qed.

Theorem rings_reduce_optimal :
  let s := reduce_of w i in
  valid s /\ aim s = AllReduce (n * ways l sides) i /\ rounds s = 2 * (n - 1) /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intro s. destruct gather as (G & Aw & Rw). destruct (reduce_of_valid w i G rings_reversible) as [V L].
  fold s in V, L. rewrite Rw in L. change (hop_rounds (under w)) with 1 in L.
  assert (A : aim s = AllReduce (n * ways l sides) i) by (apply (reduce_aim w); [cbn; lia|exact Aw]).
  assert (Least : forall s', valid s' -> on s' = torus sides -> under s' = plain l -> aim s' = aim s ->
    2 * (n - 1) <= rounds s').
  { intros s' V' On Un A'. rewrite A in A'. pose proof (all_reduce_count s' _ i V' A') as M.
    rewrite On, torus_size in M. replace (2 * n - 2) with (2 * (n - 1)) in M by lia. now apply (least_torus s'). }
  assert (R : rounds s = 2 * (n - 1)) by (apply Nat.le_antisymm; [lia|now apply Least]).
  split; [exact V|]. split; [exact A|]. split; [exact R|]. intros s' V' On Un A'. rewrite R. now apply Least.
Qed.

End Rings.
