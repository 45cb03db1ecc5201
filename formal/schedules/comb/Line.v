(* SPDX-License-Identifier: MIT *)
(* The spine tokens of one line of the comb, one by one: a link that no trunk token uses sends the first that waits,
   inwards if there is one. *)
From Coq Require Import List Arith Bool Lia.
Import ListNotations.

Definition token : Type := nat * nat.
Definition same (x y : token) : bool := (fst x =? fst y) && (snd x =? snd y).

Lemma same_eq x y : same x y = true <-> x = y.
Proof.
  unfold same. rewrite andb_true_iff, !Nat.eqb_eq. destruct x, y. cbn. split; [intros [-> ->]; auto|].
  intro E. injection E. auto.
Qed.

(* ---- counting in a list ---- *)

Definition count (l : list token) (f : token -> bool) : nat := length (filter f l).

Lemma count_le l f g : (forall x, In x l -> f x = true -> g x = true) -> count l f <= count l g.
Proof.
  unfold count. induction l as [|x l IH]; intro H; auto. cbn. specialize (IH (fun y I => H y (or_intror I))).
  pose proof (H x (or_introl eq_refl)) as Hx. destruct (f x); [rewrite Hx by auto; cbn; lia|].
  destruct (g x); cbn; lia.
Qed.

Lemma count_eq l f g : (forall x, In x l -> f x = g x) -> count l f = count l g.
Proof. intro H. apply Nat.le_antisymm; apply count_le; intros x I; now rewrite (H x I). Qed.

Lemma count_or l f g : count l (fun x => f x || g x) <= count l f + count l g.
Proof. unfold count. induction l as [|x l IH]; auto. cbn. destruct (f x), (g x); cbn; lia. Qed.

Lemma count_plus l f g : (forall x, In x l -> f x && g x = false) ->
  count l (fun x => f x || g x) = count l f + count l g.
Proof.
  unfold count. induction l as [|x l IH]; intro H; auto. cbn. specialize (IH (fun y I => H y (or_intror I))).
  specialize (H x (or_introl eq_refl)). destruct (f x), (g x); cbn in *; try discriminate; lia.
Qed.

Lemma count_none l f : (forall x, In x l -> f x = false) -> count l f = 0.
Proof.
  unfold count. induction l as [|x l IH]; intro H; auto. cbn. rewrite (H x (or_introl eq_refl)). apply IH.
  intros y I. apply H. cbn. auto.
Qed.

Lemma count_same l y : NoDup l -> In y l -> count l (fun x => same x y) = 1.
Proof.
  unfold count. induction l as [|x l IH]; intros N I; [destruct I|]. inversion N as [|? ? Nx Nl]; subst. cbn.
  destruct (same x y) eqn:E.
  - apply same_eq in E. subst. cbn. replace (filter (fun x => same x y) l) with (@nil token); auto. symmetry.
    clear - Nx. induction l as [|x l IH]; auto. cbn. destruct (same x y) eqn:E.
    + apply same_eq in E. subst. exfalso. apply Nx. cbn. auto.
    + apply IH. intro I. apply Nx. cbn. auto.
  - destruct I as [->|I]; auto. now rewrite (proj2 (same_eq y y) eq_refl) in E.
Qed.

Lemma count_all l f : length l <= count l f -> forall x, In x l -> f x = true.
Proof.
  unfold count. induction l as [|y l IH]; intros H x I; [destruct I|]. cbn in H.
  pose proof (fun A => IH A) as IH'. assert (Le : length (filter f l) <= length l).
  { clear. induction l as [|z l IH]; cbn; auto. destruct (f z); cbn; lia. }
  destruct (f y) eqn:E; cbn in H; [|lia]. destruct I as [->|I]; auto. apply IH; auto. lia.
Qed.

(* Rounds up to t in which link k carries no path token. *)
Fixpoint rested (rests : nat -> nat -> bool) (k t : nat) : nat :=
  match t with 0 => 0 | S t => rested rests k t + if rests k t then 1 else 0 end.

(* ---- a line ---- *)

Section Line.

Variable m : nat.
Variable spines : list token.
Hypothesis once : NoDup spines.
(* Where a token enters, which is its second number, and after how many rounds; whether a trunk token uses a link. *)
Variable delay : token -> nat.
Variable busy : nat -> nat -> bool.

Definition arrived (over : nat -> token -> bool) (t q : nat) (x : token) : bool :=
  if snd x =? q then delay x <=? t else if snd x <? q then over q x else over (S q) x.
Definition waits_up (over : nat -> token -> bool) (t k : nat) (x : token) : bool :=
  (snd x <? k) && arrived over t (k - 1) x && negb (over k x).
Definition waits_down (over : nat -> token -> bool) (t k : nat) (x : token) : bool :=
  (k <=? snd x) && arrived over t k x && negb (over k x).
Definition either (a b : option token) : option token := match a with Some x => Some x | None => b end.
Definition pick (over : nat -> token -> bool) (t k : nat) : option token :=
  if busy k (S t) then None
  else let up := find (waits_up over t k) spines in
       let down := find (waits_down over t k) spines in
       if k <=? m then either up down else either down up.
Fixpoint over (t k : nat) (x : token) : bool :=
  match t with
  | 0 => false
  | S t => over t k x || match pick (over t) t k with Some y => same x y | None => false end
  end.

Definition ups (k t : nat) : nat := count spines (fun x => (snd x <? k) && over t k x).
Definition downs (k t : nat) : nat := count spines (fun x => (k <=? snd x) && over t k x).
Definition entered (p t : nat) : nat := count spines (fun x => (snd x =? p) && (delay x <=? t)).

Lemma over_grows t k x : over t k x = true -> over (S t) k x = true.
Proof. intro H. cbn. now rewrite H. Qed.

Lemma arrived_grows t q x : arrived (over t) t q x = true -> arrived (over (S t)) (S t) q x = true.
Proof.
  unfold arrived. destruct (snd x =? q); [rewrite !Nat.leb_le; lia|]. destruct (snd x <? q); apply over_grows.
Qed.

Lemma picked t k x : pick (over t) t k = Some x ->
  In x spines /\ busy k (S t) = false /\ (waits_up (over t) t k x = true \/ waits_down (over t) t k x = true).
Proof.
  unfold pick. destruct (busy k (S t)); [discriminate|]. intro H.
  destruct (find (waits_up (over t) t k) spines) as [u|] eqn:U; destruct (find (waits_down (over t) t k) spines) as [d|]
    eqn:D; destruct (k <=? m); cbn in H; try discriminate; injection H as <-;
    try (apply find_some in U); try (apply find_some in D); tauto.
Qed.

Lemma over_came t k x : over t k x = true ->
  exists t', t = S t' /\ if snd x <? k then arrived (over t') t' (k - 1) x = true else arrived (over t') t' k x = true.
Proof.
  induction t as [|t IH]; intro H; [discriminate H|]. exists t. split; auto. cbn in H. apply orb_true_iff in H.
  destruct H as [H|H].
  - destruct (IH H) as (t' & -> & A). destruct (snd x <? k); now apply arrived_grows.
  - destruct (pick (over t) t k) as [y|] eqn:P; [|discriminate H]. apply same_eq in H. subst y.
    apply picked in P. destruct P as (_ & _ & P). unfold waits_up, waits_down in P.
    rewrite !andb_true_iff, Nat.ltb_lt, Nat.leb_le in P. destruct (Nat.ltb_spec (snd x) k), P as [P|P]; try lia; tauto.
Qed.

Lemma over_came_now t k x : over t k x = true ->
  if snd x <? k then arrived (over t) t (k - 1) x = true else arrived (over t) t k x = true.
Proof.
  intro H. destruct (over_came t k x H) as (t' & -> & A). destruct (snd x <? k); now apply arrived_grows.
Qed.

Lemma ups_grows k t : ups k t <= ups k (S t).
Proof. apply count_le. intros x _. rewrite !andb_true_iff. intros [A B]. split; auto. now apply over_grows. Qed.

Lemma downs_grows k t : downs k t <= downs k (S t).
Proof. apply count_le. intros x _. rewrite !andb_true_iff. intros [A B]. split; auto. now apply over_grows. Qed.

Lemma entered_grows p t : entered p t <= entered p (S t).
Proof. apply count_le. intros x _. rewrite !andb_true_iff, !Nat.leb_le. intros [A B]. split; auto. Qed.

Lemma ups_after k t : ups (S k) (S t) <= ups k t + entered k t.
Proof.
  unfold ups, entered. eapply Nat.le_trans; [|apply count_or]. apply count_le. intros x _.
  rewrite andb_true_iff, orb_true_iff, !andb_true_iff, !Nat.ltb_lt, Nat.eqb_eq. intros [L H].
  destruct (over_came _ _ _ H) as (t' & E & A). injection E as <-. rewrite (proj2 (Nat.ltb_lt _ _) L) in A.
  unfold arrived in A. replace (S k - 1) with k in A by lia.
  destruct (Nat.eqb_spec (snd x) k); [right; auto|]. destruct (Nat.ltb_spec (snd x) k); [left; auto|lia].
Qed.

Lemma downs_after k t : downs k (S t) <= downs (S k) t + entered k t.
Proof.
  unfold downs, entered. eapply Nat.le_trans; [|apply count_or]. apply count_le. intros x _.
  rewrite andb_true_iff, orb_true_iff, !andb_true_iff, !Nat.leb_le, Nat.eqb_eq. intros [L H].
  destruct (over_came _ _ _ H) as (t' & E & A). injection E as <-. rewrite (proj2 (Nat.ltb_ge _ _) L) in A.
  unfold arrived in A. destruct (Nat.eqb_spec (snd x) k); [right; rewrite <- Nat.leb_le; auto|].
  destruct (Nat.ltb_spec (snd x) k); [lia|left; split; [lia|auto]].
Qed.

Lemma none_up k t : 1 <= k -> find (waits_up (over t) t k) spines = None -> ups k t = ups (k - 1) t + entered (k - 1) t.
Proof.
  intros K F. unfold ups, entered. rewrite <- count_plus.
  - apply count_eq. intros x I. pose proof (find_none _ _ F x I) as W. unfold waits_up in W.
    pose proof (over_came_now t k x) as C. unfold arrived in *.
    destruct (Nat.ltb_spec (snd x) k), (Nat.ltb_spec (snd x) (k - 1)), (Nat.eqb_spec (snd x) (k - 1)); try lia;
      cbn in *; auto.
    + rewrite orb_false_r. destruct (over t (k - 1) x), (over t k x); auto;
        first [discriminate W|discriminate (C eq_refl)].
    + destruct (delay x <=? t), (over t k x); auto;
        first [discriminate W|discriminate (C eq_refl)].
  - intros x _. destruct (Nat.ltb_spec (snd x) (k - 1)), (Nat.eqb_spec (snd x) (k - 1)); try lia; cbn; auto.
Qed.

Lemma none_down k t : find (waits_down (over t) t k) spines = None -> downs k t = downs (S k) t + entered k t.
Proof.
  intros F. unfold downs, entered. rewrite <- count_plus.
  - apply count_eq. intros x I. pose proof (find_none _ _ F x I) as W. unfold waits_down in W.
    pose proof (over_came_now t k x) as C. unfold arrived in *.
    destruct (Nat.leb_spec k (snd x)), (Nat.leb_spec (S k) (snd x)), (Nat.eqb_spec (snd x) k),
      (Nat.ltb_spec (snd x) k); try lia; cbn [andb orb] in *; auto.
    + rewrite orb_false_r. destruct (over t (S k) x), (over t k x); auto;
        first [discriminate W|discriminate (C eq_refl)].
    + destruct (delay x <=? t), (over t k x); auto;
        first [discriminate W|discriminate (C eq_refl)].
  - intros x _. destruct (Nat.leb_spec (S k) (snd x)), (Nat.eqb_spec (snd x) k); try lia; cbn [andb]; auto.
Qed.

(* What a round adds. *)
Lemma step_some t k y : pick (over t) t k = Some y ->
  if snd y <? k then ups k (S t) = S (ups k t) /\ downs k (S t) = downs k t
  else ups k (S t) = ups k t /\ downs k (S t) = S (downs k t).
Proof.
  intro P. destruct (picked _ _ _ P) as (I & _ & W).
  assert (O : over t k y = false).
  { unfold waits_up, waits_down in W. rewrite !andb_true_iff, !negb_true_iff in W. tauto. }
  assert (Add : forall f : token -> bool, f y = true ->
    count spines (fun x => f x && over (S t) k x) = S (count spines (fun x => f x && over t k x))).
  { intros f Fy. rewrite <- (Nat.add_1_r (count _ _)), <- (count_same spines y once I). rewrite <- count_plus.
    - apply count_eq. intros x _. cbn [over]. rewrite P. destruct (same x y) eqn:E.
      + apply same_eq in E. subst x. now rewrite Fy, O.
      + now rewrite !orb_false_r.
    - intros x _. destruct (same x y) eqn:E; [|apply andb_false_r]. apply same_eq in E. subst x. rewrite O.
      now rewrite andb_false_r. }
  assert (Keep : forall f : token -> bool, f y = false ->
    count spines (fun x => f x && over (S t) k x) = count spines (fun x => f x && over t k x)).
  { intros f Fy. apply count_eq. intros x _. cbn [over]. rewrite P. destruct (same x y) eqn:E.
    - apply same_eq in E. subst x. now rewrite Fy.
    - now rewrite orb_false_r. }
  unfold ups, downs. destruct (Nat.ltb_spec (snd y) k) as [L|L].
  - split; [apply (Add (fun x => snd x <? k)); now apply Nat.ltb_lt|].
    apply (Keep (fun x => k <=? snd x)). now apply Nat.leb_gt.
  - split; [apply (Keep (fun x => snd x <? k)); now apply Nat.ltb_ge|].
    apply (Add (fun x => k <=? snd x)). now apply Nat.leb_le.
Qed.

Lemma step_none t k : pick (over t) t k = None -> ups k (S t) = ups k t /\ downs k (S t) = downs k t.
Proof.
  intro P. unfold ups, downs. split; apply count_eq; intros x _; cbn [over]; rewrite P; now rewrite orb_false_r.
Qed.

Lemma pick_none t k : busy k (S t) = false -> pick (over t) t k = None ->
  find (waits_up (over t) t k) spines = None /\ find (waits_down (over t) t k) spines = None.
Proof.
  unfold pick. intros -> H. destruct (find (waits_up _ _ _) _), (find (waits_down _ _ _) _); destruct (k <=? m);
    cbn in H; auto; discriminate H.
Qed.

Lemma up_first t k : k <= m -> busy k (S t) = false -> ups k (S t) = ups k t ->
  find (waits_up (over t) t k) spines = None.
Proof.
  intros L B E. destruct (find (waits_up (over t) t k) spines) as [y|] eqn:F; auto. exfalso.
  assert (P : pick (over t) t k = Some y) by (unfold pick; now rewrite B, F, (proj2 (Nat.leb_le k m) L)).
  apply find_some in F. destruct F as [_ W]. unfold waits_up in W. rewrite !andb_true_iff in W.
  pose proof (step_some _ _ _ P) as S1. rewrite (proj1 (proj1 W)) in S1. lia.
Qed.

Lemma down_first t k : m < k -> busy k (S t) = false -> downs k (S t) = downs k t ->
  find (waits_down (over t) t k) spines = None.
Proof.
  intros L B E. destruct (find (waits_down (over t) t k) spines) as [y|] eqn:F; auto. exfalso.
  assert (P : pick (over t) t k = Some y) by (unfold pick; now rewrite B, F, (proj2 (Nat.leb_gt k m) L)).
  apply find_some in F. destruct F as [_ W]. unfold waits_down in W. rewrite !andb_true_iff in W.
  pose proof (step_some _ _ _ P) as S1. rewrite (proj2 (Nat.ltb_ge (snd y) k)) in S1 by (apply Nat.leb_le; tauto). lia.
Qed.

Lemma ups_border t : ups 0 t = 0.
Proof. apply count_none. auto. Qed.

Lemma all_over t k : ups k t + downs k t = count spines (over t k).
Proof.
  unfold ups, downs. rewrite <- count_plus.
  - apply count_eq. intros x _. destruct (Nat.ltb_spec (snd x) k), (Nat.leb_spec k (snd x)); try lia; cbn;
      [apply orb_false_r|reflexivity].
  - intros x _. destruct (Nat.ltb_spec (snd x) k), (Nat.leb_spec k (snd x)); try lia; cbn; auto.
Qed.

End Line.
