(* SPDX-License-Identifier: MIT *)
(* Gossip on n x n meshes, half duplex, in n (n + 1) / 2 rounds, by the comb: the sizes at which what it makes is
   checked here. *)
From Coq Require Import List Arith NArith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid torus.Translates mesh.Bound mesh.Fast mesh.Comb mesh.Size
  mesh.UpTo27 mesh.UpTo31 comb.Large.
Import ListNotations.

Lemma comb_length n all k st : length (comb_rounds n all k st) = k.
Proof. revert st. induction k as [|k IH]; intro st; auto. cbn. destruct (comb_round n all st). cbn. now rewrite IH. Qed.

Lemma packets_last l r p : In p (packets_of r l) -> round p < r + length l.
Proof.
  revert r. induction l as [|ms l IH]; intros r I; [destruct I|]. cbn in I. apply in_app_iff in I. destruct I as [I|I].
  - apply in_map_iff in I. destruct I as (m & <- & _). cbn. lia.
  - apply IH in I. cbn. lia.
Qed.

Lemma comb_rounds_le n : rounds (comb n) <= triangle n.
Proof.
  unfold rounds. apply list_max_le. rewrite Forall_forall. intros r I. apply in_map_iff in I.
  destruct I as (p & <- & I).
  cbn [packets comb fast_schedule] in I. apply packets_last in I. unfold comb_hops in I. rewrite comb_length in I. lia.
Qed.

Theorem comb_optimal : forall n, 2 <= n < 32 ->
  let s := comb n in
  valid s /\ on s = mesh n n /\ under s = plain Half /\ aim s = AllGather (n * n) /\
  rounds s = n * (n + 1) / 2 /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intros n L s. assert (F : comb_fine n = true) by (apply (all_fine_each (seq 2 26 ++ seq 28 4)); [|apply in_app_iff;
    rewrite !in_seq; lia];
    apply all_fine_app; [exact up_to_27|exact up_to_31]).
  assert (V : valid s) by (apply fast_valid; [lia|exact F]).
  assert (O : on s = mesh n n) by (unfold s, comb, fast_schedule; cbn [on]; now rewrite Nat2N.id).
  assert (A : aim s = AllGather (n * n)) by (unfold s, comb, fast_schedule; cbn [aim]; now rewrite Nat2N.id).
  assert (R : rounds s = triangle n).
  { apply Nat.le_antisymm; [apply comb_rounds_le|apply triangle_least; auto; lia]. }
  split; auto. split; auto. split; auto. split; auto. split; auto.
  intros s' V' O' U' A'. rewrite R. apply triangle_least; auto; [lia|congruence..].
Qed.

(* Every square mesh. *)
Theorem mesh_optimal : forall n, 2 <= n -> exists s,
  valid s /\ on s = mesh n n /\ under s = plain Half /\ aim s = AllGather (n * n) /\
  rounds s = n * (n + 1) / 2 /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intros n L. destruct (Nat.lt_ge_cases n 32) as [S1|S1].
  - exists (comb n). apply comb_optimal. auto.
  - exists (large_comb n). apply comb_optimal_large. auto.
Qed.
