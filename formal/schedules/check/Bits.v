(* SPDX-License-Identifier: MIT *)
(* Sets of nodes as lists of bits: what the checker's operations on them mean. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import check.Check.
Import ListNotations.

Definition inside (u : nat) (set : list bool) : bool := nth u set false.

#[global] Arguments inside : simpl never.

Lemma inside_nil u : inside u [] = false.
Proof. now destruct u. Qed.

Lemma inside_0 x a : inside 0 (x :: a) = x.
Proof. auto. Qed.

Lemma inside_S x a u : inside (S u) (x :: a) = inside u a.
Proof. auto. Qed.

Lemma inside_union a b u : inside u (union a b) = inside u a || inside u b.
Proof.
  unfold inside. revert b u. induction a as [|x a IH]; intros b u; cbn; [now destruct u|].
  destruct b as [|y b]; destruct u; cbn; rewrite ?orb_false_r; auto.
Qed.

Lemma inside_single v u : inside u (repeat false v ++ [true]) = (u =? v).
Proof.
  unfold inside. revert u. induction v as [|v IH]; intro u; cbn.
  - destruct u as [|[|u]]; auto.
  - destruct u; cbn; auto.
Qed.

Lemma disjoint_spec a b : disjoint a b = true <-> forall u, inside u a && inside u b = false.
Proof.
  revert b. induction a as [|x a IH]; intro b; cbn.
  - split; auto. intros _ u. now rewrite inside_nil.
  - destruct b as [|y b].
    + split; auto. intros _ u. now rewrite inside_nil, andb_false_r.
    + rewrite andb_true_iff, negb_true_iff, IH. split.
      * intros [H T] [|u]; rewrite ?inside_0, ?inside_S; auto.
      * intro H. split; [apply (H 0)|]. intro u. apply (H (S u)).
Qed.

Lemma all_disjoint_spec l a :
  all_disjoint a l = true <-> forall u, length (filter (inside u) (a :: l)) <= 1.
Proof.
  revert a. induction l as [|b l IH]; intro a.
  - cbn. split; auto. intros _ u. destruct (inside u a); cbn; lia.
  - cbn [all_disjoint]. rewrite andb_true_iff, disjoint_spec, IH. split.
    + intros [D T] u. specialize (D u). specialize (T u). cbn [filter] in *. rewrite inside_union in T.
      destruct (inside u a), (inside u b); cbn in *; try discriminate; lia.
    + intro H. split; intro u; specialize (H u); cbn [filter] in *; rewrite ?inside_union;
        destruct (inside u a), (inside u b); cbn in *; auto; lia.
Qed.

Lemma covers_spec a b : covers a b = true <-> forall u, inside u a = true -> inside u b = true.
Proof.
  revert b. induction a as [|x a IH]; intro b; cbn.
  - split; auto. intros _ u. now rewrite inside_nil.
  - destruct b as [|y b]; rewrite andb_true_iff, IH.
    + split.
      * intros [N T] [|u]; rewrite ?inside_0, ?inside_S.
        -- destruct x; discriminate.
        -- intro I. apply T in I. now rewrite inside_nil in I.
      * intro H. split; [destruct x; auto; now specialize (H 0 eq_refl)|].
        intros u I. specialize (H (S u) I). now rewrite inside_nil in *.
    + split.
      * intros [N T] [|u]; rewrite ?inside_0, ?inside_S; [destruct x, y; auto; discriminate|apply T].
      * intro H. split; [destruct x, y; auto; now specialize (H 0 eq_refl)|].
        intros u I. apply (H (S u) I).
Qed.

Lemma inside_map_seq (f : nat -> bool) n u : inside u (map f (seq 0 n)) = (u <? n) && f u.
Proof.
  unfold inside. destruct (Nat.ltb_spec u n) as [L|L]; cbn.
  - rewrite nth_indep with (d' := f 0) by now rewrite map_length, seq_length.
    now rewrite map_nth, seq_nth.
  - apply nth_overflow. now rewrite map_length, seq_length.
Qed.
