(* SPDX-License-Identifier: MIT *)
(* The trunk tokens of one line of the comb: which links they cross when (Lemma 1), and that they and the spine tokens
   that have entered are enough for rounds 1 to n - 1 (Lemma 2). *)
From Coq Require Import Arith Lia ZArith ZifyNat.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

Section Trunks.

(* Trunk tokens start at the positions of parity c. Over link k, round t brings the one from k - t up, or the one from
   k - 1 + t down. *)
Variables n c : nat.
Definition trunk (k t : nat) : bool := if (k + t) mod 2 =? c then t <=? k else k + t <=? n.

(* How many by the end of round t. *)
Definition trunks_by (k t : nat) : nat :=
  (min t k + (k + c) mod 2) / 2 + (min t (n - k) + (1 - (k + c) mod 2)) / 2.

Hypothesis c_ok : c < 2.

Lemma trunks_step k t : 1 <= k < n -> trunks_by k (S t) = trunks_by k t + if trunk k (S t) then 1 else 0.
Proof.
  intro K. unfold trunks_by, trunk. assert (C : (k + c) mod 2 = 0 \/ (k + c) mod 2 = 1) by lia.
  destruct (Nat.eqb_spec ((k + S t) mod 2) c) as [E|E].
  - destruct (Nat.leb_spec (S t) k); destruct C as [C|C]; rewrite C; lia.
  - destruct (Nat.leb_spec (k + S t) n); destruct C as [C|C]; rewrite C; lia.
Qed.

Lemma trunks_none k : trunks_by k 0 = 0.
Proof. unfold trunks_by. assert (C : (k + c) mod 2 = 0 \/ (k + c) mod 2 = 1) by lia. destruct C as [-> | ->];
reflexivity. Qed.

Lemma trunks_all k t : 1 <= k < n -> n - 1 <= t -> trunks_by k t = (n + 1 - c) / 2.
Proof. intros K T. unfold trunks_by. rewrite !Nat.min_r by lia. lia. Qed.

Lemma trunks_most k t : 1 <= k < n -> trunks_by k t <= (n + 1 - c) / 2.
Proof.
  intro K. unfold trunks_by. assert (C : (k + c) mod 2 = 0 \/ (k + c) mod 2 = 1) by lia.
  destruct C as [C|C]; rewrite C; lia.
Qed.

Lemma trunk_over k t : 1 <= k < n -> k < t -> n < k + t -> trunk k t = false.
Proof.
  intros K A B. unfold trunk. destruct (_ =? c); apply Nat.leb_gt; lia.
Qed.

(* Lemma 2, delays even and odd. *)
Lemma enough_even m e k t : n = 2 * m \/ n = 2 * m + 1 -> 1 <= k < n -> S t <= n - 1 -> trunk k (S t) = false ->
  min m (1 + t / 2) <= e -> S t <= trunks_by k t + e.
Proof.
  intros N K T F E. unfold trunk in F. unfold trunks_by.
  assert (C : (k + c) mod 2 = 0 \/ (k + c) mod 2 = 1) by lia.
  destruct (Nat.eqb_spec ((k + S t) mod 2) c) as [Q|Q]; apply Nat.leb_gt in F; destruct C as [C|C]; rewrite C; lia.
Qed.

Lemma enough_odd m e k t : n = 2 * m + 1 -> 1 <= k < n -> S t <= n - 1 -> trunk k (S t) = false ->
  min m ((t + 1) / 2) <= e -> S t <= trunks_by k t + e.
Proof.
  intros N K T F E. unfold trunk in F. unfold trunks_by.
  assert (C : (k + c) mod 2 = 0 \/ (k + c) mod 2 = 1) by lia.
  destruct (Nat.eqb_spec ((k + S t) mod 2) c) as [Q|Q]; apply Nat.leb_gt in F; destruct C as [C|C]; rewrite C; lia.
Qed.

End Trunks.
