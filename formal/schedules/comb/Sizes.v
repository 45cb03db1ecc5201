(* SPDX-License-Identifier: MIT *)
(* How many path tokens a line of the comb has, how many teeth a position needs, and the quotas. *)
From Coq Require Import List Arith Bool Lia ZArith ZifyNat.
From Gossipfab Require Import bounds.Counting comb.Line comb.Tokens.
Import ListNotations.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

Section Sizes.

Variables n m : nat.
Hypothesis big : 16 <= m.
Hypothesis n_is : n = 2 * m \/ n = 2 * m + 1.

Definition paths (axis l : nat) : nat :=
  if n mod 2 =? 0 then m * m + m
  else if (axis =? 0) && (l mod 2 =? 1) then (m + 1) * (m + 1) - 1 else (m + 1) * (m + 1).

Ltac split_parity := unfold is_spine, is_tooth, spine_parity; change (1 - 0) with 1; change (1 - 1) with 0;
  cbn [fst snd Nat.eqb andb orb].

Lemma n_even : n = 2 * m -> n mod 2 = 0.
Proof. lia. Qed.
Lemma n_odd : n = 2 * m + 1 -> n mod 2 = 1.
Proof. lia. Qed.

Lemma row_spines l : l < n ->
  length (spines n 0 l) = ((n + 1 - l mod 2) / 2) * ((n + 1 - (l + 1) mod 2) / 2).
Proof.
  intro L. unfold spines. rewrite (products n _ (every (l mod 2) ((n + 1 - l mod 2) / 2))
    (every ((l + 1) mod 2) ((n + 1 - (l + 1) mod 2) / 2)) [] []); auto using every_once, NoDup_nil.
  - rewrite !every_length. cbn. lia.
  - intros a p. rewrite !in_every. split_parity. rewrite andb_true_iff, !Nat.eqb_eq. cbn [In]. lia.
Qed.

Lemma even_column_spines l : l < n -> n = 2 * m -> length (spines n 1 l) = m * m.
Proof.
  intros L N. unfold spines. rewrite (products n _ (every (l mod 2) m) (every (l mod 2) m) [] []);
    auto using every_once, NoDup_nil.
  - rewrite !every_length. cbn. lia.
  - intros a p. rewrite !in_every. split_parity. rewrite (n_even N). cbn [Nat.eqb orb].
    rewrite andb_true_iff, !Nat.eqb_eq. cbn [In]. lia.
Qed.

Lemma one_once : NoDup [0].
Proof. constructor; [intros []|constructor]. Qed.

Lemma odd_column_spines l : l < n -> n = 2 * m + 1 ->
  length (spines n 1 l) = if l mod 2 =? 0 then m * m + (m + 1) else m * (m + 1).
Proof.
  intros L N. unfold spines. destruct (Nat.eqb_spec (l mod 2) 0) as [E|E].
  - rewrite (products n _ (every 1 m) (every 1 m) [0] (every 0 (m + 1))); auto using every_once, one_once.
    + rewrite !every_length. cbn. lia.
    + intros a p A _ B _. apply in_every in A. destruct B as [<-|[]]. lia.
    + intros a p. rewrite !in_every. split_parity. rewrite (n_odd N). cbn [Nat.eqb orb].
      rewrite andb_true_iff, !Nat.eqb_eq. cbn [In]. destruct (Nat.eqb_spec a 0); cbv iota; lia.
  - rewrite (products n _ (every 2 m) (every 0 (m + 1)) [] []); auto using every_once, NoDup_nil.
    + rewrite !every_length. cbn. lia.
    + intros a p. rewrite !in_every. split_parity. rewrite (n_odd N). cbn [Nat.eqb orb].
      rewrite andb_true_iff, !Nat.eqb_eq. cbn [In]. destruct (Nat.eqb_spec a 0); cbv iota; lia.
Qed.

Lemma paths_are axis l : axis < 2 -> l < n ->
  (n + 1 - trunk_parity axis l) / 2 + length (spines n axis l) = paths axis l.
Proof.
  intros A L. unfold paths, trunk_parity. assert (C : l mod 2 = 0 \/ l mod 2 = 1) by lia.
  destruct axis as [|[|axis]]; [| |lia]; cbn [Nat.eqb andb].
  - rewrite row_spines by auto. rewrite Nat.add_0_r. destruct n_is as [N|N].
    + rewrite (n_even N). cbn [Nat.eqb]. assert (Z : (n + 1 - l mod 2) / 2 = m /\
      (n + 1 - (l + 1) mod 2) / 2 = m) by lia.
      destruct Z as [-> ->]. lia.
    + rewrite (n_odd N). cbn [Nat.eqb]. destruct C as [C|C]; rewrite C; cbn [Nat.eqb].
      * assert (Z : (n + 1 - 0) / 2 = m + 1 /\ (n + 1 - (l + 1) mod 2) / 2 = m) by lia. destruct Z as [-> ->]. nia.
      * assert (Z : (n + 1 - 1) / 2 = m /\ (n + 1 - (l + 1) mod 2) / 2 = m + 1) by lia. destruct Z as [-> ->]. nia.
  - destruct n_is as [N|N].
    + rewrite even_column_spines, (n_even N) by auto. cbn [Nat.eqb].
      assert (Z : (n + 1 - (l + 1) mod 2) / 2 = m) by lia. rewrite Z. lia.
    + rewrite odd_column_spines, (n_odd N) by auto. cbn [Nat.eqb]. destruct C as [C|C]; rewrite C; cbn [Nat.eqb].
      * assert (Z : (n + 1 - (l + 1) mod 2) / 2 = m) by lia. rewrite Z. nia.
      * assert (Z : (n + 1 - (l + 1) mod 2) / 2 = m + 1) by lia. rewrite Z. nia.
Qed.

(* ---- teeth ---- *)

Lemma column_teeth l j : l < n -> j < n -> length (teeth n 1 l j) =
  ((n + 1 - (j + 1) mod 2) / 2) * ((n + 1 - j mod 2) / 2 - if l mod 2 =? j mod 2 then 1 else 0).
Proof.
  intros L J. unfold teeth. rewrite (products n _ (every ((j + 1) mod 2) ((n + 1 - (j + 1) mod 2) / 2))
    (but l (every (j mod 2) ((n + 1 - j mod 2) / 2))) [] []); auto using every_once, NoDup_nil.
  - assert (E : length (but l (every (j mod 2) ((n + 1 - j mod 2) / 2))) =
      (n + 1 - j mod 2) / 2 - if l mod 2 =? j mod 2 then 1 else 0).
    { pose proof (but_length l (every (j mod 2) ((n + 1 - j mod 2) / 2)) (every_once _ _)) as B.
      rewrite every_length in B. destruct (existsb _ _) eqn:Q.
      - apply existsb_exists in Q. destruct Q as (b & I & Q). apply Nat.eqb_eq in Q. subst b. apply in_every in I.
        rewrite (proj2 (Nat.eqb_eq _ _)) by lia. lia.
      - destruct (Nat.eqb_spec (l mod 2) (j mod 2)); [|lia]. exfalso. apply not_true_iff_false in Q. apply Q.
        apply existsb_exists. exists l. split; [|apply Nat.eqb_refl]. apply in_every. lia. }
    rewrite E, every_length. cbn [length]. lia.
  - apply NoDup_filter, every_once.
  - intros a p. rewrite in_but, !in_every. split_parity.
    rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_neq, !Nat.eqb_eq. cbn [In]. lia.
Qed.

(* Without those of line l. *)
Lemma but_every l c h : length (but l (every c h)) = h - if (l mod 2 =? c mod 2) && (c <=? l) && (l <? c + 2 * h) then 1
  else 0.
Proof.
  pose proof (but_length l (every c h) (every_once _ _)) as B. rewrite every_length in B.
  destruct (existsb _ _) eqn:Q.
  - apply existsb_exists in Q. destruct Q as (b & I & Q). apply Nat.eqb_eq in Q. subst b. apply in_every in I.
    rewrite (proj2 (Nat.eqb_eq _ _) (proj1 I)), (proj2 (Nat.leb_le c l)), (proj2 (Nat.ltb_lt l _)) by lia. cbn. lia.
  - destruct ((l mod 2 =? c mod 2) && (c <=? l) && (l <? c + 2 * h)) eqn:E; [|lia]. exfalso.
    rewrite !andb_true_iff, Nat.eqb_eq, Nat.leb_le, Nat.ltb_lt in E.
    apply not_true_iff_false in Q. apply Q. apply existsb_exists. exists l. split; [|apply Nat.eqb_refl].
    apply in_every. lia.
Qed.

Lemma even_row_teeth l j : l < n -> j < n -> n = 2 * m ->
  length (teeth n 0 l j) = m * (m - if l mod 2 =? j mod 2 then 0 else 1).
Proof.
  intros L J N. unfold teeth. rewrite (products n _ (every ((j + 1) mod 2) m) (but l (every ((j + 1) mod 2) m)) [] []);
    auto using every_once, NoDup_nil.
  - rewrite but_every, every_length. cbn [length].
    assert (E : (l mod 2 =? (j + 1) mod 2 mod 2) && ((j + 1) mod 2 <=? l) && (l <? (j + 1) mod 2 + 2 * m) =
                negb (l mod 2 =? j mod 2)).
    { assert (C : j mod 2 = 0 /\ (j + 1) mod 2 = 1 \/ j mod 2 = 1 /\ (j + 1) mod 2 = 0) by lia.
      destruct C as [[C D]|[C D]]; rewrite C, D; [change (1 mod 2) with 1|change (0 mod 2) with 0];
        destruct (Nat.eqb_spec (l mod 2) 0), (Nat.eqb_spec (l mod 2) 1); try lia; try reflexivity;
        rewrite (proj2 (Nat.leb_le _ l)), (proj2 (Nat.ltb_lt l _)) by lia; reflexivity. }
    rewrite E. destruct (l mod 2 =? j mod 2); cbn [negb]; lia.
  - apply NoDup_filter, every_once.
  - intros a p. rewrite in_but, !in_every. split_parity. rewrite (n_even N). cbn [Nat.eqb orb].
    rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_neq, !Nat.eqb_eq. cbn [In]. lia.
Qed.

Lemma odd_row_teeth l j : l < n -> j < n -> n = 2 * m + 1 ->
  length (teeth n 0 l j) = if j mod 2 =? 0 then m * (m + 1 - if l mod 2 =? 0 then 1 else 0)
    else m * (m - if l mod 2 =? 0 then 0 else 1) + (m + 1 - if l mod 2 =? 0 then 1 else 0).
Proof.
  intros L J N. assert (X : length (but l (every 0 (m + 1))) = m + 1 - if l mod 2 =? 0 then 1 else 0).
  { rewrite but_every. change (0 mod 2) with 0. rewrite (proj2 (Nat.leb_le 0 l)), (proj2 (Nat.ltb_lt l _)) by lia.
    now destruct (l mod 2 =? 0). }
  unfold teeth. destruct (Nat.eqb_spec (j mod 2) 0) as [E|E].
  - rewrite (products n _ (every 2 m) (but l (every 0 (m + 1))) [] []); auto using every_once, NoDup_nil.
    + rewrite X, every_length. cbn [length]. lia.
    + apply NoDup_filter, every_once.
    + intros a p. rewrite in_but, !in_every. split_parity. rewrite (n_odd N). cbn [Nat.eqb orb].
      rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_neq, !Nat.eqb_eq. cbn [In]. destruct (Nat.eqb_spec a 0);
      cbv iota; lia.
  - assert (Y : length (but l (every 1 m)) = m - if l mod 2 =? 0 then 0 else 1).
    { rewrite but_every. change (1 mod 2) with 1. destruct (Nat.eqb_spec (l mod 2) 1), (Nat.eqb_spec (l mod 2) 0);
      try lia.
      - rewrite (proj2 (Nat.leb_le 1 l)), (proj2 (Nat.ltb_lt l _)) by lia. reflexivity.
      - reflexivity. }
    rewrite (products n _ (every 1 m) (but l (every 1 m)) [0] (but l (every 0 (m + 1))));
    auto using every_once, one_once.
    + rewrite X, Y, every_length. cbn [length]. lia.
    + apply NoDup_filter, every_once.
    + apply NoDup_filter, every_once.
    + intros a p A _ B _. apply in_every in A. destruct B as [<-|[]]. lia.
    + intros a p. rewrite !in_but, !in_every. split_parity. rewrite (n_odd N). cbn [Nat.eqb orb].
      rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_neq, !Nat.eqb_eq. cbn [In]. destruct (Nat.eqb_spec a 0);
      cbv iota; lia.
Qed.

End Sizes.
