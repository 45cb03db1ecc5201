(* SPDX-License-Identifier: MIT *)
(* Tori of any number of axes: their nodes are a group under `plus`, and a link is a step along an axis. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat bounds.Counting.
Import ListNotations.

Definition product (sides : list nat) : nat := fold_right Nat.mul 1 sides.

(* One step along each axis. *)
Fixpoint units (sides : list nat) : list nat :=
  match sides with
  | [] => []
  | n :: rest => 1 :: map (Nat.mul n) (units rest)
  end.

(* Two nodes are linked if one step along some axis brings one to the other. *)
Definition torus (sides : list nat) : graph :=
  Graph (product sides)
    (fun u v => if existsb (fun e => (plus sides u e =? v) || (plus sides v e =? u)) (units sides) then 1 else 0)
    (fun _ => false) (fun _ => true) (fun _ => true).

Definition sides_ok (sides : list nat) : Prop := forall n, In n sides -> 3 <= n.

(* ---- digits ---- *)

Lemma digits a b n : a < n -> (a + n * b) mod n = a /\ (a + n * b) / n = b.
Proof.
  intro L. rewrite (Nat.mul_comm n b). split.
  - rewrite Nat.mod_add by lia. now apply Nat.mod_small.
  - rewrite Nat.div_add by lia. now rewrite Nat.div_small.
Qed.

Lemma same_digits n v w : n <> 0 -> v mod n = w mod n -> v / n = w / n -> v = w.
Proof. intros N M D. rewrite (Nat.div_mod v n N), (Nat.div_mod w n N). congruence. Qed.

Lemma below n k v : n <> 0 -> v < n * k -> v mod n < n /\ v / n < k.
Proof. intros N L. split; [now apply Nat.mod_upper_bound|]. now apply Nat.div_lt_upper_bound. Qed.

Lemma join n k a b : a < n -> b < k -> a + n * b < n * k.
Proof. intros. nia. Qed.

Lemma positive sides : sides_ok sides -> 1 <= product sides.
Proof.
  induction sides as [|n sides IH]; intro H; [cbn; lia|]. cbn. fold (product sides).
  specialize (IH (fun m I => H m (or_intror I))). specialize (H n (or_introl eq_refl)). nia.
Qed.

(* ---- the group ---- *)

Section Axis.

Variables (n : nat) (rest : list nat).
Hypothesis n_ok : 3 <= n.

Lemma plus_digits v w :
  plus (n :: rest) v w mod n = (v mod n + w mod n) mod n /\ plus (n :: rest) v w / n = plus rest (v / n) (w / n).
Proof. cbn [plus]. apply digits. apply Nat.mod_upper_bound. lia. Qed.

End Axis.

Lemma plus_lt sides v w : sides_ok sides -> plus sides v w < product sides.
Proof.
  revert v w. induction sides as [|n sides IH]; intros v w H; [cbn; lia|].
  cbn [plus product fold_right]. fold (product sides). pose proof (H n (or_introl eq_refl)). apply join.
  - apply Nat.mod_upper_bound. lia.
  - apply IH. intros m I. apply H. cbn. auto.
Qed.

Lemma plus_comm sides v w : plus sides v w = plus sides w v.
Proof.
  revert v w. induction sides as [|n sides IH]; intros v w; auto. cbn.
  now rewrite (IH (v / n)), (Nat.add_comm (v mod n)).
Qed.

Ltac axis H :=
  match type of H with sides_ok (?n :: ?sides) =>
    pose proof (H n (or_introl eq_refl)) as n_ok; assert (H' : sides_ok sides) by (intros ? ?; apply H; cbn; auto)
  end.

Lemma plus_assoc sides u v w : sides_ok sides -> plus sides u (plus sides v w) = plus sides (plus sides u v) w.
Proof.
  revert u v w. induction sides as [|n sides IH]; intros u v w H; auto. axis H.
  destruct (plus_digits n sides n_ok u (plus (n :: sides) v w)) as [A B].
  destruct (plus_digits n sides n_ok (plus (n :: sides) u v) w) as [A' B'].
  destruct (plus_digits n sides n_ok v w) as [C D]. destruct (plus_digits n sides n_ok u v) as [C' D'].
  apply (same_digits n); [lia| |].
  - rewrite A, A', C, C'. rewrite (Nat.add_mod_idemp_r (u mod n) (v mod n + w mod n) n),
      (Nat.add_mod_idemp_l (u mod n + v mod n) (w mod n) n) by lia. f_equal. lia.
  - rewrite B, B', D, D'. now apply IH.
Qed.

Lemma plus_0 sides v : sides_ok sides -> v < product sides -> plus sides v 0 = v.
Proof.
  revert v. induction sides as [|n sides IH]; intros v H L; [cbn in *; lia|]. axis H. cbn in L.
  fold (product sides) in L.
  destruct (below n (product sides) v) as [Lm Ld]; [lia|auto|].
  destruct (plus_digits n sides n_ok v 0) as [A B]. apply (same_digits n); [lia| |].
  - rewrite A, Nat.mod_0_l, Nat.add_0_r by lia. now rewrite Nat.mod_mod by lia.
  - rewrite B, Nat.div_0_l by lia. now apply IH.
Qed.

Fixpoint minus (sides : list nat) (v : nat) : nat :=
  match sides with
  | [] => 0
  | n :: rest => (n - v mod n) mod n + n * minus rest (v / n)
  end.

Lemma minus_digits n rest v : 3 <= n ->
  minus (n :: rest) v mod n = (n - v mod n) mod n /\ minus (n :: rest) v / n = minus rest (v / n).
Proof. intro. cbn [minus]. apply digits. apply Nat.mod_upper_bound. lia. Qed.

Lemma minus_lt sides v : sides_ok sides -> minus sides v < product sides.
Proof.
  revert v. induction sides as [|n sides IH]; intros v H; [cbn; lia|]. axis H. cbn. fold (product sides).
  apply join; [apply Nat.mod_upper_bound; lia|auto].
Qed.

Lemma plus_minus sides v : sides_ok sides -> plus sides v (minus sides v) = 0.
Proof.
  revert v. induction sides as [|n sides IH]; intros v H; auto. axis H.
  destruct (plus_digits n sides n_ok v (minus (n :: sides) v)) as [A B].
  destruct (minus_digits n sides v n_ok) as [C D].
  apply (same_digits n); [lia| |].
  - rewrite A, C, Nat.add_mod_idemp_r by lia. rewrite Nat.mod_0_l by lia.
    pose proof (Nat.mod_upper_bound v n). replace (v mod n + (n - v mod n)) with n by lia. apply Nat.mod_same. lia.
  - rewrite B, D, Nat.div_0_l by lia. now apply IH.
Qed.

Lemma plus_cancel sides u v w :
  sides_ok sides -> v < product sides -> w < product sides -> plus sides u v = plus sides u w -> v = w.
Proof.
  intros H V W E. rewrite <- (plus_0 sides v), <- (plus_0 sides w) by auto.
  rewrite <- (plus_minus sides u) by auto. rewrite (plus_comm sides u), !plus_assoc by auto.
  rewrite (plus_comm sides v), (plus_comm sides w), <- !plus_assoc by auto.
  rewrite (plus_comm sides v), (plus_comm sides w). now rewrite E.
Qed.

Lemma plus_onto sides v w : sides_ok sides -> w < product sides ->
  exists u, u < product sides /\ plus sides u v = w.
Proof.
  intros H W. exists (plus sides w (minus sides v)). split; [now apply plus_lt|].
  rewrite <- plus_assoc, (plus_comm sides _ v), plus_minus, plus_0; auto.
Qed.

Lemma unit_lt sides e : sides_ok sides -> In e (units sides) -> e < product sides.
Proof.
  revert e. induction sides as [|n sides IH]; intros e H I; [destruct I|]. axis H. pose proof (positive sides H').
  cbn in *. fold (product sides). destruct I as [<-|I]; [nia|].
  apply in_map_iff in I. destruct I as (x & <- & I). apply IH in I; auto. nia.
Qed.

(* ---- the graph ---- *)

Lemma torus_member sides v : member (torus sides) v = (v <? product sides).
Proof. unfold member. cbn. apply andb_true_r. Qed.

Lemma torus_rank sides v : v <= product sides -> rank (torus sides) v = v.
Proof.
  intro L. unfold rank. rewrite filter_true; [apply seq_length|]. intros a I. apply in_seq in I.
  rewrite torus_member. apply Nat.ltb_lt. lia.
Qed.

Lemma torus_size sides : size (torus sides) = product sides.
Proof. now apply (torus_rank sides (product sides)). Qed.

Lemma torus_symmetric sides u v : weight (torus sides) u v = weight (torus sides) v u.
Proof.
  cbn. replace (existsb (fun e => (plus sides u e =? v) || (plus sides v e =? u)) (units sides))
    with (existsb (fun e => (plus sides v e =? u) || (plus sides u e =? v)) (units sides)); auto.
  induction (units sides) as [|e l IH]; auto. cbn. rewrite IH. f_equal. apply orb_comm.
Qed.

(* A step is one of the units, or back one of them. *)
Definition is_step (sides : list nat) (g : nat) : Prop :=
  g < product sides /\ exists e, In e (units sides) /\ (g = e \/ plus sides g e = 0).

Lemma step_weight sides v g : sides_ok sides -> v < product sides -> is_step sides g ->
  weight (torus sides) v (plus sides v g) = 1.
Proof.
  intros H V (G & e & I & E). cbn. replace (existsb _ _) with true; auto. symmetry. apply existsb_exists. exists e.
  split; auto. apply orb_true_iff. destruct E as [->|E].
  - left. apply Nat.eqb_refl.
  - right. apply Nat.eqb_eq. rewrite <- plus_assoc, E by auto. now apply plus_0.
Qed.
