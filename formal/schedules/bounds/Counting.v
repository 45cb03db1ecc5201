(* SPDX-License-Identifier: MIT *)
(* Counting: sums over lists, and entries of a list by what they are. *)
From Coq Require Import List Arith Bool Lia.
Import ListNotations.

Lemma sum_cons a l : list_sum (a :: l) = a + list_sum l.
Proof. reflexivity. Qed.

Lemma sum_plus {A} (f g : A -> nat) l :
  list_sum (map (fun a => f a + g a) l) = list_sum (map f l) + list_sum (map g l).
Proof. induction l as [|a l IH]; auto. cbn [map]. rewrite !sum_cons. lia. Qed.

Lemma sum_le {A} (f g : A -> nat) l :
  (forall a, In a l -> f a <= g a) -> list_sum (map f l) <= list_sum (map g l).
Proof.
  induction l as [|a l IH]; intro H; auto. cbn [map]. rewrite !sum_cons.
  specialize (IH (fun a I => H a (or_intror I))). specialize (H a (or_introl eq_refl)). lia.
Qed.

Lemma sum_zero {A} (f : A -> nat) l : (forall a, In a l -> f a = 0) -> list_sum (map f l) = 0.
Proof.
  induction l as [|a l IH]; intro H; auto. cbn [map]. rewrite sum_cons, H, IH; cbn; auto.
  intros b I. apply H. cbn. auto.
Qed.

Lemma sum_const {A} (f : A -> nat) c l : (forall a, In a l -> f a <= c) -> list_sum (map f l) <= length l * c.
Proof.
  induction l as [|a l IH]; intro H; auto. cbn [map length]. rewrite sum_cons.
  specialize (IH (fun a I => H a (or_intror I))). specialize (H a (or_introl eq_refl)). lia.
Qed.

Lemma sum_least {A} (f : A -> nat) c l : (forall a, In a l -> c <= f a) -> length l * c <= list_sum (map f l).
Proof.
  induction l as [|a l IH]; intro H; auto. cbn [map length]. rewrite sum_cons.
  specialize (IH (fun a I => H a (or_intror I))). specialize (H a (or_introl eq_refl)). lia.
Qed.

Lemma length_flat_map {A B} (f : A -> list B) l : length (flat_map f l) = list_sum (map (fun a => length (f a)) l).
Proof. induction l as [|a l IH]; auto. cbn [flat_map map]. rewrite app_length, sum_cons. lia. Qed.

Lemma sum_filter {A} (f : A -> nat) (g : A -> bool) l :
  list_sum (map f (filter g l)) = list_sum (map (fun a => if g a then f a else 0) l).
Proof.
  induction l as [|a l IH]; auto. cbn [filter map]. rewrite sum_cons. destruct (g a); cbn [map]; rewrite ?sum_cons; lia.
Qed.

Lemma length_filter {A} (f : A -> bool) l : length (filter f l) = list_sum (map (fun a => if f a then 1 else 0) l).
Proof. induction l as [|a l IH]; auto. cbn [filter map]. rewrite sum_cons. destruct (f a); cbn [length]; lia. Qed.

Lemma sum_prod {A B} (f : A * B -> nat) l k :
  list_sum (map f (list_prod l k)) = list_sum (map (fun a => list_sum (map (fun b => f (a, b)) k)) l).
Proof.
  induction l as [|a l IH]; auto. cbn [list_prod map]. now rewrite map_app, list_sum_app, sum_cons, IH, map_map.
Qed.

Lemma sum_swap {A B} (f : A -> B -> nat) l k :
  list_sum (map (fun a => list_sum (map (f a) k)) l) = list_sum (map (fun b => list_sum (map (fun a => f a b) l)) k).
Proof.
  induction l as [|a l IH]; cbn [map].
  - symmetry. now apply sum_zero.
  - rewrite sum_cons, IH, <- sum_plus. reflexivity.
Qed.

Lemma filter_true {A} (f : A -> bool) l : (forall a, In a l -> f a = true) -> filter f l = l.
Proof.
  induction l as [|a l IH]; intro H; auto. cbn. rewrite H, IH; cbn; auto. intros b I. apply H. cbn. auto.
Qed.

Lemma filter_length {A} (f : A -> bool) l : length (filter f l) <= length l.
Proof. induction l as [|a l IH]; auto. cbn. destruct (f a); cbn; lia. Qed.

Lemma filter_length_split {A} (f : A -> bool) l :
  length (filter f l) + length (filter (fun a => negb (f a)) l) = length l.
Proof. induction l as [|a l IH]; auto. cbn. destruct (f a); cbn; lia. Qed.

Lemma seq_from a n : seq a n = map (fun x => a + x) (seq 0 n).
Proof.
  revert a. induction n as [|n IH]; intro a; auto. cbn [seq map]. rewrite Nat.add_0_r, IH, <- (seq_shift n 0), map_map.
  f_equal. apply map_ext. intro x. lia.
Qed.

Lemma filter_le {A} (f g : A -> bool) l :
  (forall a, In a l -> f a = true -> g a = true) -> length (filter f l) <= length (filter g l).
Proof.
  intro H. rewrite !length_filter. apply sum_le. intros a I. specialize (H a I).
  destruct (f a), (g a); auto; discriminate H; auto.
Qed.

(* Entries sorted by a key: over different keys no more than all, and over all keys that there are just all. *)
Section Keys.

Context {A K : Type}.
Variable key : A -> K.
Variable eqb : K -> K -> bool.
Hypothesis eqb_eq : forall a b, eqb a b = true <-> a = b.

Lemma one_key a ks : NoDup ks -> list_sum (map (fun k => if eqb (key a) k then 1 else 0) ks) <= 1.
Proof.
  induction ks as [|k ks IH]; intro N; [cbn; auto|]. inversion N as [|? ? Nk Ns]; subst. cbn [map]. rewrite sum_cons.
  destruct (eqb (key a) k) eqn:E; [|apply IH; auto].
  rewrite sum_zero; auto. intros k' I. destruct (eqb (key a) k') eqn:E'; auto.
  apply eqb_eq in E, E'. congruence.
Qed.

Lemma some_key a ks : In (key a) ks -> 1 <= list_sum (map (fun k => if eqb (key a) k then 1 else 0) ks).
Proof.
  induction ks as [|k ks IH]; [cbn; tauto|]. cbn [map]. rewrite sum_cons. intros [->|I]; [|specialize (IH I); lia].
  rewrite (proj2 (eqb_eq _ _) eq_refl). lia.
Qed.

Lemma by_key_le l ks :
  NoDup ks -> list_sum (map (fun k => length (filter (fun a => eqb (key a) k) l)) ks) <= length l.
Proof.
  intro N. induction l as [|a l IH].
  - rewrite sum_zero; auto.
  - cbn [filter length]. apply Nat.le_trans with
      (list_sum (map (fun k => (if eqb (key a) k then 1 else 0) + length (filter (fun a => eqb (key a) k) l)) ks)).
    + apply sum_le. intros k _. destruct (eqb (key a) k); cbn [length]; lia.
    + rewrite sum_plus. pose proof (one_key a ks N). lia.
Qed.

Lemma by_key_ge l ks :
  (forall a, In a l -> In (key a) ks) ->
  length l <= list_sum (map (fun k => length (filter (fun a => eqb (key a) k) l)) ks).
Proof.
  intro H. induction l as [|a l IH]; [cbn; lia|].
  cbn [filter length]. apply Nat.le_trans with
      (list_sum (map (fun k => (if eqb (key a) k then 1 else 0) + length (filter (fun a => eqb (key a) k) l)) ks)).
  - rewrite sum_plus. pose proof (some_key a ks (H a (or_introl eq_refl))).
    specialize (IH (fun a I => H a (or_intror I))). lia.
  - apply sum_le. intros k _. destruct (eqb (key a) k); cbn [length]; lia.
Qed.

End Keys.

Lemma NoDup_filter {A} (f : A -> bool) l : NoDup l -> NoDup (filter f l).
Proof.
  induction 1 as [|a l N D IH]; cbn; [constructor|]. destruct (f a); auto. constructor; auto.
  rewrite filter_In. tauto.
Qed.

Lemma NoDup_app {A} (l k : list A) : NoDup l -> NoDup k -> (forall a, In a l -> ~ In a k) -> NoDup (l ++ k).
Proof.
  induction 1 as [|a l N D IH]; cbn; auto. intros Nk S. constructor.
  - rewrite in_app_iff. intros [I|I]; [auto|]. eapply S; eauto.
  - apply IH; auto.
Qed.

Lemma NoDup_list_prod {A B} (l : list A) (k : list B) : NoDup l -> NoDup k -> NoDup (list_prod l k).
Proof.
  intros Nl Nk. induction Nl as [|a l Na Nl IH]; cbn; [constructor|]. apply NoDup_app; auto.
  - clear - Nk. induction Nk as [|b k Nb Nk IH]; cbn; [constructor|]. constructor; auto.
    rewrite in_map_iff. intros (x & [= ->] & I). auto.
  - intros [x y] I. apply in_map_iff in I. destruct I as (b & [= <- <-] & _). rewrite in_prod_iff. tauto.
Qed.

Lemma NoDup_flat_map {A B} (f : A -> list B) k :
  NoDup k -> (forall a, In a k -> NoDup (f a)) ->
  (forall a a' b, In a k -> In a' k -> In b (f a) -> In b (f a') -> a = a') -> NoDup (flat_map f k).
Proof.
  induction 1 as [|a k Na Nk IH]; intros F D; cbn; [constructor|]. apply NoDup_app.
  - apply F. cbn. auto.
  - apply IH; [intros; apply F; cbn; auto|]. intros. eapply D; eauto; cbn; auto.
  - intros b I J. apply in_flat_map in J. destruct J as (a' & Ia & J). apply Na.
    rewrite (D a a' b); cbn; auto.
Qed.

Lemma NoDup_map_inj {A B} (f : A -> B) k :
  NoDup k -> (forall a b, In a k -> In b k -> f a = f b -> a = b) -> NoDup (map f k).
Proof.
  induction 1 as [|a k Na Nk IH]; intros F; cbn; constructor.
  - rewrite in_map_iff. intros (b & E & I). apply Na. rewrite <- (F b a); cbn; auto.
  - apply IH. intros. apply F; cbn; auto.
Qed.
