(* SPDX-License-Identifier: MIT *)
(* The comb of one size, and whether what it makes is accepted. *)
From Coq Require Import List Arith NArith Bool.
From Gossipfab Require Import spec.Schedule mesh.Bound mesh.Fast mesh.Comb.
Import ListNotations.

Definition comb (n : nat) : schedule := fast_schedule (N.of_nat n) (comb_hops (N.of_nat n) (triangle n)).
Definition comb_fine (n : nat) : bool := fast (N.of_nat n) (comb_hops (N.of_nat n) (triangle n)).

(* Stops at the first that is not. *)
Fixpoint all_fine (l : list nat) : bool := match l
  with [] => true | n :: l => if comb_fine n then all_fine l else false end.

Lemma all_fine_each l : all_fine l = true -> forall n, In n l -> comb_fine n = true.
Proof.
  induction l as [|a l IH]; intros H n I; [destruct I|]. cbn in H. destruct (comb_fine a) eqn:E; [|discriminate H].
  destruct I as [<-|I]; auto.
Qed.

Lemma all_fine_app l k : all_fine l = true -> all_fine k = true -> all_fine (l ++ k) = true.
Proof. induction l as [|a l IH]; cbn; auto. destruct (comb_fine a); auto. Qed.
