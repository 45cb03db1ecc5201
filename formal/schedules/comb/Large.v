(* SPDX-License-Identifier: MIT *)
(* Gossip on n x n meshes, half duplex, in n (n + 1) / 2 rounds, for every n from 32 on: trees, quotas and priorities
   of the comb, by the paper's proof. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid torus.Translates mesh.Bound comb.Quotas comb.Moves comb.Whole.

Definition large_comb (n : nat) : schedule := comb_schedule n (n / 2).

Theorem comb_optimal_large : forall n, 32 <= n ->
  let s := large_comb n in
  valid s /\ on s = mesh n n /\ under s = plain Half /\ aim s = AllGather (n * n) /\
  rounds s = n * (n + 1) / 2 /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intros n N s. destruct (halves n) as (m & o & E & O & H & _).
  assert (V : valid s) by (apply comb_schedule_valid; rewrite ?H; lia).
  assert (R : rounds s = triangle n).
  { apply Nat.le_antisymm; [apply gossip_rounds; lia|]. apply triangle_least; auto; lia. }
  split; auto. split; auto. split; auto. split; auto. split; auto.
  intros s' V' O' U' A'. rewrite R. apply triangle_least; auto; lia.
Qed.
