(* SPDX-License-Identifier: MIT *)
(* The trees of the comb as lists of tokens: which spine tokens a line has, which teeth a position needs, how many. *)
From Coq Require Import List Arith Bool Lia ZArith ZifyNat.
From Gossipfab Require Import bounds.Counting comb.Line.
Import ListNotations.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(* ---- every second number ---- *)

Definition every (c h : nat) : list nat := map (fun i => 2 * i + c) (seq 0 h).

Lemma in_every c h a : In a (every c h) <-> a mod 2 = c mod 2 /\ c <= a < c + 2 * h.
Proof.
  unfold every. rewrite in_map_iff. split.
  - intros (i & <- & I). apply in_seq in I. lia.
  - intros [E L]. exists ((a - c) / 2). rewrite in_seq. lia.
Qed.

Lemma every_once c h : NoDup (every c h).
Proof. apply NoDup_map_inj; [apply seq_NoDup|]. intros a b _ _ E. lia. Qed.

Lemma every_length c h : length (every c h) = h.
Proof. unfold every. now rewrite map_length, seq_length. Qed.

Definition but (l : nat) (s : list nat) : list nat := filter (fun a => negb (a =? l)) s.

Lemma in_but l s a : In a (but l s) <-> In a s /\ a <> l.
Proof. unfold but. now rewrite filter_In, negb_true_iff, Nat.eqb_neq. Qed.

Lemma but_length l s : NoDup s -> length (but l s) + (if existsb (Nat.eqb l) s then 1 else 0) = length s.
Proof.
  unfold but. induction s as [|a s IH]; intro N; auto. inversion N as [|? ? Na Ns]; subst. specialize (IH Ns). cbn.
  rewrite (Nat.eqb_sym l a). destruct (Nat.eqb_spec a l) as [->|D]; cbn; [|lia].
  destruct (existsb (Nat.eqb l) s) eqn:E; [|lia]. exfalso. apply existsb_exists in E. destruct E as (b & I & E).
  apply Nat.eqb_eq in E. subst. auto.
Qed.

Lemma but_in l s : NoDup s -> In l s -> length (but l s) = length s - 1.
Proof.
  intros N I. pose proof (but_length l s N) as H.
  assert (E : existsb (Nat.eqb l) s = true) by (apply existsb_exists; exists l; split; auto; apply Nat.eqb_refl).
  rewrite E in H. lia.
Qed.

Lemma but_le l s : length (but l s) <= length s.
Proof. apply filter_length. Qed.

(* ---- the nodes, by line and position ---- *)

Section Tokens.

Variable n : nat.
Definition square : list token := list_prod (seq 0 n) (seq 0 n).

Lemma in_square x : In x square <-> fst x < n /\ snd x < n.
Proof. destruct x as [a p]. unfold square, token. rewrite in_prod_iff, !in_seq. cbn. lia. Qed.

Lemma square_once : NoDup square.
Proof. apply NoDup_list_prod; apply seq_NoDup. Qed.

(* A part of the square that is two products. *)
Lemma products f la lp la' lp' : NoDup la -> NoDup lp -> NoDup la' -> NoDup lp' ->
  (forall a p, In a la -> In p lp -> In a la' -> In p lp' -> False) ->
  (forall a p, a < n /\ p < n /\ f (a, p) = true <-> (In a la /\ In p lp) \/ (In a la' /\ In p lp')) ->
  length (filter f square) = length la * length lp + length la' * length lp'.
Proof.
  intros Na Np Na' Np' D H.
  replace (length la * length lp + length la' * length lp') with (length (list_prod la lp ++ list_prod la' lp'))
    by (now rewrite app_length, !prod_length).
  apply Nat.le_antisymm.
  - apply NoDup_incl_length; [apply NoDup_filter, square_once|]. intros [a p] I. apply filter_In in I.
    rewrite in_square in I. cbn in I. rewrite in_app_iff, !in_prod_iff. apply H. tauto.
  - apply NoDup_incl_length.
    + apply NoDup_app; [apply NoDup_list_prod; auto..|]. intros [a p] I J. apply in_prod_iff in I.
      apply in_prod_iff in J. apply (D a p); tauto.
    + intros [a p] I. rewrite in_app_iff, !in_prod_iff in I. apply H in I. apply filter_In.
      rewrite in_square. cbn. tauto.
Qed.

(* Axis 0: lines are rows; axis 1: columns. Token (a, p) seen from an axis is the one of position p of line a. Its trunk
   is line a of axis 0 if a + p is even, of axis 1 if it is odd. The spine tokens of lines of an axis have their trunk
   along the other one, where they start at position a of line p: of which parity are their spines? *)
Definition spine_parity (axis a : nat) : nat :=
  if axis =? 0 then a mod 2 else if (n mod 2 =? 0) || (a =? 0) then a mod 2 else 1 - a mod 2.
Definition is_spine (axis l : nat) (x : token) : bool :=
  ((fst x + snd x) mod 2 =? 1 - axis) && (spine_parity axis (fst x) =? l mod 2).
Definition spines (axis l : nat) : list token := filter (is_spine axis l) square.
Definition delay (l : nat) (x : token) : nat := (fst x - l) + (l - fst x).
Definition trunk_parity (axis l : nat) : nat := (l + axis) mod 2.

(* The teeth that position j of line l needs, as seen from the other axis: spine tokens of its lines of the other parity
   than j, but those that enter line l. *)
Definition is_tooth (axis l j : nat) (x : token) : bool :=
  negb (snd x =? l) && ((fst x + snd x) mod 2 =? axis) && negb (spine_parity (1 - axis) (fst x) =? j mod 2).
Definition teeth (axis l j : nat) : list token := filter (is_tooth axis l j) square.

Lemma spines_once axis l : NoDup (spines axis l).
Proof. apply NoDup_filter, square_once. Qed.

Lemma teeth_once axis l j : NoDup (teeth axis l j).
Proof. apply NoDup_filter, square_once. Qed.

Lemma spines_inside axis l x : l < n -> In x (spines axis l) -> snd x < n /\ delay l x <= n - 1.
Proof. intros L I. apply filter_In in I. destruct I as [I _]. apply in_square in I. unfold delay. lia. Qed.

Lemma spine_parity_lt axis a : spine_parity axis a < 2.
Proof. unfold spine_parity. destruct (axis =? 0); [|destruct ((n mod 2 =? 0) || (a =? 0))]; lia. Qed.

Variable m : nat.
Hypothesis big : 16 <= m.
Hypothesis n_is : n = 2 * m \/ n = 2 * m + 1.

Definition rich_parity (axis l : nat) : nat := if (axis =? 1) && (n mod 2 =? 0) then l else l + 1.

Lemma entered_least axis l p t s : p < n -> NoDup s ->
  (forall a, In a s -> a < n /\ is_spine axis l (a, p) = true /\ (a - l) + (l - a) <= t) ->
  length s <= entered (spines axis l) (delay l) p t.
Proof.
  intros P N H. unfold entered, count. rewrite <- (map_length (fun a => (a, p)) s). apply NoDup_incl_length.
  - apply NoDup_map_inj; auto. intros a b _ _ E. now injection E.
  - intros x I. apply in_map_iff in I. destruct I as (a & <- & I). destruct (H a I) as (A & S1 & D).
    apply filter_In. split.
    + apply filter_In. split; auto. apply in_square. cbn. auto.
    + cbn. rewrite Nat.eqb_refl. cbn. now apply Nat.leb_le.
Qed.

Lemma is_spine_same axis l a p : axis = 0 \/ axis = 1 /\ n = 2 * m -> a mod 2 = l mod 2 ->
  p mod 2 = rich_parity axis l mod 2 -> is_spine axis l (a, p) = true.
Proof.
  unfold is_spine, rich_parity, spine_parity. intros [->|[-> N]] A P; cbn [fst snd Nat.eqb andb] in *;
    rewrite andb_true_iff, !Nat.eqb_eq.
  - lia.
  - assert (Z : n mod 2 = 0) by lia. rewrite Z in *. cbn [Nat.eqb orb] in *. lia.
Qed.

Lemma is_spine_other l a p : n = 2 * m + 1 -> a <> 0 -> a mod 2 <> l mod 2 -> p mod 2 = rich_parity 1 l mod 2 ->
  is_spine 1 l (a, p) = true.
Proof.
  unfold is_spine, rich_parity, spine_parity. intros N Z A P. cbn [fst snd Nat.eqb andb] in *.
  assert (O : n mod 2 = 1) by lia. rewrite O in *. cbn [Nat.eqb orb] in *. rewrite (proj2 (Nat.eqb_neq a 0) Z).
  rewrite andb_true_iff, !Nat.eqb_eq. lia.
Qed.

Lemma rich_even axis l : l < n -> axis = 0 \/ axis = 1 /\ n = 2 * m -> forall p t, p < n ->
  p mod 2 = rich_parity axis l mod 2 -> min m (1 + t / 2) <= entered (spines axis l) (delay l) p t.
Proof.
  intros L A p t P R. set (d := t / 2). assert (D : 2 * d <= t) by (unfold d; lia). clearbody d.
  destruct (Nat.le_gt_cases (2 * d) l) as [C|C]; [|destruct (Nat.lt_ge_cases (l + 2 * d) n) as [C'|C']].
  - eapply Nat.le_trans; [|apply (entered_least axis l p t (map (fun i => l - 2 * i) (seq 0 (1 + d)))); auto].
    + rewrite map_length, seq_length. lia.
    + apply NoDup_map_inj; [apply seq_NoDup|]. intros i j I J E. apply in_seq in I, J. lia.
    + intros a I. apply in_map_iff in I. destruct I as (i & <- & I). apply in_seq in I. split; [lia|].
      split; [|lia]. apply is_spine_same; auto. lia.
  - eapply Nat.le_trans; [|apply (entered_least axis l p t (map (fun i => l + 2 * i) (seq 0 (1 + d)))); auto].
    + rewrite map_length, seq_length. lia.
    + apply NoDup_map_inj; [apply seq_NoDup|]. intros i j I J E. lia.
    + intros a I. apply in_map_iff in I. destruct I as (i & <- & I). apply in_seq in I. split; [lia|].
      split; [|lia]. apply is_spine_same; auto. lia.
  - eapply Nat.le_trans; [|apply (entered_least axis l p t (every (l mod 2) m)); auto using every_once].
    + rewrite every_length. lia.
    + intros a I. apply in_every in I. split; [lia|]. split; [|lia]. apply is_spine_same; auto. lia.
Qed.

Lemma rich_odd l : l < n -> n = 2 * m + 1 -> forall p t, p < n ->
  p mod 2 = rich_parity 1 l mod 2 -> min m ((t + 1) / 2) <= entered (spines 1 l) (delay l) p t.
Proof.
  intros L N p t P R. set (d := (t + 1) / 2). assert (D : 2 * d <= t + 1) by (unfold d; lia). clearbody d.
  destruct (Nat.le_gt_cases (2 * d) l) as [C|C]; [|destruct (Nat.le_gt_cases (l + 2 * d) n) as [C'|C']].
  - eapply Nat.le_trans; [|apply (entered_least 1 l p t (map (fun i => l - 1 - 2 * i) (seq 0 d))); auto].
    + rewrite map_length, seq_length. lia.
    + apply NoDup_map_inj; [apply seq_NoDup|]. intros i j I J E. apply in_seq in I, J. lia.
    + intros a I. apply in_map_iff in I. destruct I as (i & <- & I). apply in_seq in I. split; [lia|].
      split; [|lia]. apply is_spine_other; auto; lia.
  - eapply Nat.le_trans; [|apply (entered_least 1 l p t (map (fun i => l + 1 + 2 * i) (seq 0 d))); auto].
    + rewrite map_length, seq_length. lia.
    + apply NoDup_map_inj; [apply seq_NoDup|]. intros i j I J E. lia.
    + intros a I. apply in_map_iff in I. destruct I as (i & <- & I). apply in_seq in I. split; [lia|].
      split; [|lia]. apply is_spine_other; auto; lia.
  - eapply Nat.le_trans; [|apply (entered_least 1 l p t (every (1 + l mod 2) m)); auto using every_once].
    + rewrite every_length. lia.
    + intros a I. apply in_every in I. split; [lia|]. split; [|lia]. apply is_spine_other; auto; lia.
Qed.

End Tokens.
