(* SPDX-License-Identifier: MIT *)
(* Tables with keys of three numbers, and what the checker fills them with. *)
From Coq Require Import List Arith Bool Lia FMapAVL FMapFacts OrderedTypeEx.
Import ListNotations.

Module Key2 := PairOrderedType Nat_as_OT Nat_as_OT.
Module Key := PairOrderedType Nat_as_OT Key2.
Module M := FMapAVL.Make Key.
Module F := FMapFacts.WFacts_fun Key M.

#[global] Arguments M.find : simpl never.
#[global] Arguments M.add : simpl never.
#[global] Arguments M.empty : simpl never.

Notation key := (nat * (nat * nat))%type.

Definition key_eqb (a b : key) : bool :=
  (fst a =? fst b) && ((fst (snd a) =? fst (snd b)) && (snd (snd a) =? snd (snd b))).

Lemma key_eqb_eq a b : key_eqb a b = true <-> a = b.
Proof.
  destruct a as [x [y z]], b as [x' [y' z']]; unfold key_eqb; cbn.
  rewrite !andb_true_iff, !Nat.eqb_eq. intuition congruence.
Qed.

Lemma key_eqb_refl a : key_eqb a a = true.
Proof. now apply key_eqb_eq. Qed.

Lemma key_eqb_neq a b : key_eqb a b = false <-> a <> b.
Proof. rewrite <- key_eqb_eq. destruct (key_eqb a b); intuition congruence. Qed.

Definition key_dec (a b : key) : {a = b} + {a <> b}.
Proof.
  destruct (key_eqb a b) eqn:E; [left; now apply key_eqb_eq | right; now apply key_eqb_neq].
Defined.

Lemma Key_eq (a b : key) : Key.eq a b <-> a = b.
Proof.
  destruct a as [x [y z]], b as [x' [y' z']]; cbv. intuition congruence.
Qed.

Lemma find_add {A} (k k' : key) (v : A) m : M.find k (M.add k' v m) = if key_eqb k' k then Some v else M.find k m.
Proof.
  destruct (key_eqb k' k) eqn:E.
  - apply F.add_eq_o. now apply Key_eq, key_eqb_eq.
  - apply F.add_neq_o. intro H. apply Key_eq in H. now apply key_eqb_neq in E.
Qed.

Lemma find_empty {A} k : M.find k (M.empty A) = None.
Proof. apply F.empty_o. Qed.

(* ---- how often each key is in a list ---- *)

Definition count (m : M.t nat) (k : key) : nat := match M.find k m with Some c => c | None => 0 end.
Definition tally (l : list key) : M.t nat := fold_left (fun m k => M.add k (S (count m k)) m) l (M.empty nat).

Lemma tally_from l m k :
  count (fold_left (fun m k => M.add k (S (count m k)) m) l m) k = count m k + count_occ key_dec l k.
Proof.
  revert m. induction l as [|a l IH]; intro m; cbn; [lia|].
  rewrite IH. unfold count at 1. rewrite find_add.
  destruct (key_dec a k) as [->|N].
  - rewrite key_eqb_refl. lia.
  - apply key_eqb_neq in N. rewrite N. fold (count m k). lia.
Qed.

Lemma count_tally l k : count (tally l) k = count_occ key_dec l k.
Proof. unfold tally. rewrite tally_from. unfold count. now rewrite find_empty. Qed.

(* ---- the entries of each key, in their order ---- *)

Definition get {A} (m : M.t (list A)) (k : key) : list A := match M.find k m with Some l => l | None => [] end.
Definition bucket {A} (f : A -> key) (l : list A) : M.t (list A) :=
  fold_right (fun a m => M.add (f a) (a :: get m (f a)) m) (M.empty (list A)) l.

Lemma get_bucket {A} (f : A -> key) l k : get (bucket f l) k = filter (fun a => key_eqb (f a) k) l.
Proof.
  induction l as [|a l IH].
  - unfold get, bucket. cbn [fold_right]. now rewrite find_empty.
  - change (bucket f (a :: l)) with (M.add (f a) (a :: get (bucket f l) (f a)) (bucket f l)).
    cbn [filter]. unfold get at 1. rewrite find_add. destruct (key_eqb (f a) k) eqn:E.
    + apply key_eqb_eq in E. subst k. now rewrite IH.
    + exact IH.
Qed.

(* ---- the least number that each key has ---- *)

Definition lower (m : M.t nat) (k : key) (n : nat) : M.t nat :=
  match M.find k m with
  | Some c => if c <=? n then m else M.add k n m
  | None => M.add k n m
  end.
Definition least {A} (f : A -> key) (n : A -> nat) (l : list A) : M.t nat :=
  fold_left (fun m a => lower m (f a) (n a)) l (M.empty nat).
Definition at_most (m : M.t nat) (k : key) (x : nat) : bool :=
  match M.find k m with Some c => c <=? x | None => false end.

Lemma at_most_lower m k n k' x :
  at_most (lower m k n) k' x = at_most m k' x || (key_eqb k k' && (n <=? x)).
Proof.
  unfold lower, at_most.
  destruct (key_eqb k k') eqn:E.
  - apply key_eqb_eq in E. subst k'. cbn. destruct (M.find k m) as [c|] eqn:Fk.
    + destruct (Nat.leb_spec c n).
      * rewrite Fk. destruct (Nat.leb_spec c x), (Nat.leb_spec n x); cbn; auto; lia.
      * rewrite find_add, key_eqb_refl. destruct (Nat.leb_spec c x), (Nat.leb_spec n x); cbn; auto; lia.
    + now rewrite find_add, key_eqb_refl.
  - cbn. rewrite orb_false_r. destruct (M.find k m) as [c|]; [destruct (c <=? n)|]; rewrite ?find_add, ?E; auto.
Qed.

Lemma at_most_least {A} (f : A -> key) n l k x :
  at_most (least f n l) k x = existsb (fun a => key_eqb (f a) k && (n a <=? x)) l.
Proof.
  unfold least.
  assert (H : forall m, at_most (fold_left (fun m a => lower m (f a) (n a)) l m) k x =
                        at_most m k x || existsb (fun a => key_eqb (f a) k && (n a <=? x)) l).
  { induction l as [|a l IH]; intro m; cbn; [now rewrite orb_false_r|].
    now rewrite IH, at_most_lower, orb_assoc. }
  rewrite H. unfold at_most at 1. now rewrite find_empty.
Qed.

(* ---- has each key one value alone? ---- *)

Definition table {A} (l : list (key * A)) : M.t A := fold_right (fun e m => M.add (fst e) (snd e) m) (M.empty A) l.
Definition one_value {A} (eqb : A -> A -> bool) (l : list (key * A)) : bool :=
  let t := table l in
  forallb (fun e => match M.find (fst e) t with Some a => eqb a (snd e) | None => false end) l.

Lemma find_table {A} (l : list (key * A)) k a : M.find k (table l) = Some a -> In (k, a) l.
Proof.
  induction l as [|[k' a'] l IH]; cbn; [now rewrite find_empty|].
  rewrite find_add. destruct (key_eqb k' k) eqn:E; [|auto].
  apply key_eqb_eq in E. subst. intros [= ->]. auto.
Qed.

Lemma find_table_some {A} (l : list (key * A)) k a : In (k, a) l -> exists a', M.find k (table l) = Some a'.
Proof.
  induction l as [|[k' a'] l IH]; cbn; [tauto|].
  rewrite find_add. intros [[= -> ->]|I].
  - rewrite key_eqb_refl. eauto.
  - destruct (key_eqb k' k); eauto.
Qed.

Lemma one_value_spec {A} (eqb : A -> A -> bool) (l : list (key * A)) :
  (forall a b, eqb a b = true <-> a = b) ->
  one_value eqb l = true <-> (forall k a b, In (k, a) l -> In (k, b) l -> a = b).
Proof.
  intro E. unfold one_value. rewrite forallb_forall. split; intro H.
  - intros k a b Ia Ib. pose proof (H _ Ia) as Ha. pose proof (H _ Ib) as Hb. cbn in *.
    destruct (M.find k (table l)) as [c|]; [|discriminate].
    apply E in Ha, Hb. congruence.
  - intros [k a] I. cbn. destruct (find_table_some _ _ _ I) as [a' Fa]. rewrite Fa.
    apply E. eapply H; eauto using find_table.
Qed.

(* ---- values of a function, kept ---- *)

Definition memo {A} (n : nat) (f : nat -> A) : nat -> A :=
  let t := table (map (fun v => ((v, (0, 0)), f v)) (seq 0 n)) in
  fun v => match M.find (v, (0, 0)) t with Some a => a | None => f v end.

Lemma memo_eq {A} n (f : nat -> A) v : memo n f v = f v.
Proof.
  unfold memo. destruct (M.find _ _) as [a|] eqn:E; [|auto].
  apply find_table, in_map_iff in E. destruct E as (w & [= <- <-] & _). auto.
Qed.
