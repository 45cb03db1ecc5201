(* SPDX-License-Identifier: MIT *)
(* Tori of two axes: nodes as pairs of coordinates, the first on an axis of side A, the second on one of side B,
   whichever of the two is the torus's faster one; a tree in coordinates. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat torus.Group torus.Translates.
Import ListNotations.

(* Of side A and B; `turned`: the first axis is the one on which node numbers rise by 1. *)
Record plane := Plane { sideA : nat; sideB : nat; turned : bool }.

Definition plane_sides (p : plane) : list nat := if turned p then [sideA p; sideB p] else [sideB p; sideA p].

Definition node (p : plane) (i j : nat) : nat := if turned p then i + sideA p * j else j + sideB p * i.
Definition first (p : plane) (v : nat) : nat := if turned p then v mod sideA p else v / sideB p.
Definition second (p : plane) (v : nat) : nat := if turned p then v / sideA p else v mod sideB p.

(* A tree in coordinates: a node's round, whether it is reached by a step along the first axis, and whether that step is
   one back. *)
Record plan := Plan { when_at : nat -> nat -> nat; along_first : nat -> nat -> bool; back : nat -> nat -> bool }.

(* One further, one back on a cycle. *)
Definition next (n i : nat) : nat := if S i =? n then 0 else S i.
Definition prev (n i : nat) : nat := if i =? 0 then n - 1 else i - 1.

Definition from_i (p : plane) (t : plan) (i j : nat) : nat :=
  if along_first t i j then (if back t i j then next (sideA p) i else prev (sideA p) i) else i.
Definition from_j (p : plane) (t : plan) (i j : nat) : nat :=
  if along_first t i j then j else if back t i j then next (sideB p) j else prev (sideB p) j.
Definition step_i (p : plane) (t : plan) (i j : nat) : nat :=
  if along_first t i j then (if back t i j then sideA p - 1 else 1) else 0.
Definition step_j (p : plane) (t : plan) (i j : nat) : nat :=
  if along_first t i j then 0 else if back t i j then sideB p - 1 else 1.

Definition plan_tree (p : plane) (t : plan) : tree :=
  let at2 (f : nat -> nat -> nat) v := f (first p v) (second p v) in
  Tree (at2 (when_at t)) (at2 (fun i j => node p (from_i p t i j) (from_j p t i j)))
    (at2 (fun i j => node p (step_i p t i j) (step_j p t i j))).

Section Plane.

Variable p : plane.
Local Notation A := (sideA p).
Local Notation B := (sideB p).
Local Notation sides := (plane_sides p).
Hypothesis A_3 : 3 <= A.
Hypothesis B_3 : 3 <= B.

Lemma plane_sides_ok : sides_ok sides.
Proof. intros n I. unfold plane_sides in I. destruct (turned p); cbn in I; intuition subst; auto. Qed.

Lemma plane_product : product sides = A * B.
Proof. unfold plane_sides. destruct (turned p); cbn; lia. Qed.

Lemma node_coordinates i j : i < A -> j < B -> first p (node p i j) = i /\ second p (node p i j) = j.
Proof.
  intros I J. unfold first, second, node. destruct (turned p).
  - destruct (digits i j A I). auto.
  - destruct (digits j i B J). auto.
Qed.

Lemma coordinates_lt v : v < product sides -> first p v < A /\ second p v < B.
Proof.
  rewrite plane_product. intro L. unfold first, second. destruct (turned p).
  - apply below; lia.
  - destruct (below B A v); lia.
Qed.

Lemma node_of_coordinates v : node p (first p v) (second p v) = v.
Proof.
  unfold node, first, second. destruct (turned p).
  - rewrite Nat.add_comm. symmetry. apply Nat.div_mod. lia.
  - rewrite Nat.add_comm. symmetry. apply Nat.div_mod. lia.
Qed.

Lemma node_lt i j : i < A -> j < B -> node p i j < product sides.
Proof. intros. rewrite plane_product. unfold node. destruct (turned p); nia. Qed.

Lemma node_plus i j i' j' : i < A -> j < B -> i' < A -> j' < B ->
  plus sides (node p i j) (node p i' j') = node p ((i + i') mod A) ((j + j') mod B).
Proof.
  intros I J I' J'. unfold plane_sides, node. destruct (turned p); cbn [plus].
  - destruct (digits i j A I) as [-> ->], (digits i' j' A I') as [-> ->].
    rewrite (Nat.mod_small j B), (Nat.mod_small j' B) by auto. lia.
  - destruct (digits j i B J) as [-> ->], (digits j' i' B J') as [-> ->].
    rewrite (Nat.mod_small i A), (Nat.mod_small i' A) by auto. lia.
Qed.

Lemma node_0 : node p 0 0 = 0.
Proof. unfold node. destruct (turned p); lia. Qed.

Lemma node_inj i j i' j' : i < A -> j < B -> i' < A -> j' < B -> node p i j = node p i' j' -> i = i' /\ j = j'.
Proof.
  intros I J I' J' E. destruct (node_coordinates i j I J) as [X Y], (node_coordinates i' j' I' J') as [X' Y'].
  rewrite E in X, Y. split; congruence.
Qed.

Lemma wrap n a : a < n -> a mod n = a.
Proof. apply Nat.mod_small. Qed.

Lemma wrap_n n a : n <> 0 -> n <= a < 2 * n -> a mod n = a - n.
Proof. intros N L. symmetry. apply (Nat.mod_unique a n 1); lia. Qed.

Lemma step_forward n i : 3 <= n -> i < n -> (prev n i + 1) mod n = i.
Proof.
  intros N L. unfold prev. destruct (Nat.eqb_spec i 0) as [->|Z].
  - replace (n - 1 + 1) with n by lia. apply Nat.mod_same. lia.
  - rewrite wrap; lia.
Qed.

Lemma step_back n i : 3 <= n -> i < n -> (next n i + (n - 1)) mod n = i.
Proof.
  intros N L. unfold next. destruct (Nat.eqb_spec (S i) n) as [E|Z].
  - rewrite wrap; lia.
  - rewrite wrap_n; lia.
Qed.

Lemma next_lt n i : 3 <= n -> i < n -> next n i < n.
Proof. intros. unfold next. destruct (Nat.eqb_spec (S i) n); lia. Qed.

Lemma prev_lt n i : 3 <= n -> i < n -> prev n i < n.
Proof. intros. unfold prev. destruct (Nat.eqb_spec i 0); lia. Qed.

Variable t : plan.

Lemma from_lt i j : i < A -> j < B -> from_i p t i j < A /\ from_j p t i j < B.
Proof.
  intros. unfold from_i, from_j. destruct (along_first t i j), (back t i j); split; auto using next_lt, prev_lt.
Qed.

Lemma step_lt i j : step_i p t i j < A /\ step_j p t i j < B.
Proof. unfold step_i, step_j. destruct (along_first t i j), (back t i j); lia. Qed.

Lemma node_step i j : is_step sides (node p (step_i p t i j) (step_j p t i j)).
Proof.
  split; [apply node_lt; apply step_lt|].
  assert (U1 : In (node p 1 0) (units sides) /\ In (node p 0 1) (units sides)).
  { unfold plane_sides, node. destruct (turned p); cbn; lia. }
  destruct U1 as [U1 U2]. unfold step_i, step_j. destruct (along_first t i j), (back t i j).
  - exists (node p 1 0). split; auto. right. rewrite node_plus by lia. transitivity (node p 0 0); [|apply node_0].
    f_equal; [|apply wrap; lia].
    replace (A - 1 + 1) with A by lia. apply Nat.mod_same. lia.
  - exists (node p 1 0). auto.
  - exists (node p 0 1). split; auto. right. rewrite node_plus by lia. transitivity (node p 0 0); [|apply node_0].
    f_equal; [apply wrap; lia|].
    replace (B - 1 + 1) with B by lia. apply Nat.mod_same. lia.
  - exists (node p 0 1). auto.
Qed.

Definition off_origin (i j : nat) : Prop := i < A /\ j < B /\ (i <> 0 \/ j <> 0).

(* What a plan has to be. *)
Record plan_ok (l : link_mode) : Prop := {
  p_grown : forall i j, off_origin i j -> 1 <= when_at t i j;
  p_after : forall i j, off_origin i j ->
    from_i p t i j = 0 /\ from_j p t i j = 0 \/ when_at t (from_i p t i j) (from_j p t i j) < when_at t i j;
  (* Full duplex: in a round each of four ways once. Half duplex: each axis once. *)
  p_apart : forall i j i' j', off_origin i j -> off_origin i' j' -> when_at t i j = when_at t i' j' ->
    along_first t i j = along_first t i' j' -> (l = Half \/ back t i j = back t i' j') -> i = i' /\ j = j' }.

Lemma inner_off v : inner sides v -> off_origin (first p v) (second p v).
Proof.
  intros [L M]. destruct (coordinates_lt v M) as [X Y]. repeat split; auto.
  destruct (Nat.eq_dec (first p v) 0) as [E|]; auto. destruct (Nat.eq_dec (second p v) 0) as [F|]; auto.
  exfalso. pose proof (node_of_coordinates v) as Q. rewrite E, F, node_0 in Q. lia.
Qed.

Lemma plan_tree_ok l : plan_ok l -> tree_ok l sides (plan_tree p t).
Proof.
  intro H. pose proof plane_sides_ok as S3. split; cbn.
  - intros v V. apply (p_grown l H). now apply inner_off.
  - intros v V. destruct (inner_off v V) as (X & Y & _). destruct (from_lt _ _ X Y) as [FX FY].
    repeat split; [now apply node_lt|apply node_step|apply node_step|].
    destruct (step_lt (first p v) (second p v)) as [SX SY]. rewrite node_plus by auto.
    transitivity (node p (first p v) (second p v)); [|apply node_of_coordinates]. f_equal.
    + unfold from_i, step_i. destruct (along_first t (first p v) (second p v)), (back t (first p v) (second p v));
        rewrite ?step_back, ?step_forward, ?Nat.add_0_r; auto; now apply wrap.
    + unfold from_j, step_j. destruct (along_first t (first p v) (second p v)), (back t (first p v) (second p v));
        rewrite ?step_back, ?step_forward, ?Nat.add_0_r; auto; now apply wrap.
  - intros v V. pose proof (inner_off v V) as O. destruct O as (X & Y & Z). destruct (from_lt _ _ X Y) as [FX FY].
    destruct (node_coordinates _ _ FX FY) as [-> ->]. destruct (p_after l H (first p v) (second p v)) as [[-> ->]|Q].
    + repeat split; auto.
    + left. apply node_0.
    + auto.
  - intros v w V W T E. rewrite <- (node_of_coordinates v), <- (node_of_coordinates w).
    pose proof (inner_off v V) as OV. pose proof (inner_off w W) as OW.
    destruct (step_lt (first p v) (second p v)) as [SX SY], (step_lt (first p w) (second p w)) as [SX' SY'].
    destruct (node_inj _ _ _ _ SX SY SX' SY' E) as [P Q]. unfold step_i, step_j in P, Q.
    assert (D : first p v = first p w /\ second p v = second p w); [|destruct D; congruence].
    apply (p_apart l H); auto.
    + destruct (along_first t (first p v) (second p v)), (along_first t (first p w) (second p w)); auto;
        destruct (back t (first p v) (second p v)), (back t (first p w) (second p w)); lia.
    + right. destruct (along_first t (first p v) (second p v)), (along_first t (first p w) (second p w));
        destruct (back t (first p v) (second p v)), (back t (first p w) (second p w)); auto; lia.
  - intros -> v w V W T E. pose proof (inner_off v V) as OV. pose proof (inner_off w W) as OW.
    destruct (step_lt (first p v) (second p v)) as [SX SY], (step_lt (first p w) (second p w)) as [SX' SY'].
    rewrite node_plus in E by auto. apply (fun e => eq_trans e (eq_sym node_0)) in E.
    apply node_inj in E; try (apply Nat.mod_upper_bound; lia); try lia. destruct E as [P Q].
    unfold step_i, step_j in P, Q. clear SX SY SX' SY'.
    destruct (along_first t (first p v) (second p v)) eqn:F, (along_first t (first p w) (second p w)) eqn:F'.
    + destruct (p_apart Half H _ _ _ _ OV OW T) as [D1 D2]; auto; [congruence|]. rewrite <- D1, <- D2 in P.
      destruct (back t (first p v) (second p v)); [rewrite wrap_n in P; lia|rewrite wrap in P; lia].
    + destruct (back t (first p v) (second p v)); rewrite wrap in P; lia.
    + destruct (back t (first p v) (second p v)); rewrite wrap in Q; lia.
    + destruct (p_apart Half H _ _ _ _ OV OW T) as [D1 D2]; auto; [congruence|]. rewrite <- D1, <- D2 in Q.
      destruct (back t (first p v) (second p v)); [rewrite wrap_n in Q; lia|rewrite wrap in Q; lia].
Qed.

Lemma plan_rounds l k :
  (forall i j, off_origin i j -> when_at t i j <= k) -> rounds (tree_gossip l sides (plan_tree p t)) <= k.
Proof. intro H. apply tree_rounds. intros v V. cbn. apply H. now apply inner_off. Qed.

End Plane.
