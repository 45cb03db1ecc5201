(* SPDX-License-Identifier: MIT *)
(* Full duplex: a tree of ceil((N - 1) / 4) rounds. The axis of side A is the longer. The torus falls into two halves,
   one served by steps forward, the other, mirrored at node 0, by steps back. A half is a queue: a part of column 0; of
   the last whole column the first node; a part of the middle column, where B is even; the other nodes of the columns
   from the last to the first, each downwards; and row 0 from its end. Steps along the first axis take it from its
   front, from the node above; steps along the second from its back, from the node before, which may be of the other
   half. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule torus.Group torus.Translates torus.Plane.

Section Full.

Variables A B : nat.
Hypothesis B_3 : 3 <= B.
Hypothesis B_A : B <= A.

Definition whole : nat := (B - 1) / 2.             (* columns of a half but the middle one *)
Definition mid : nat := B / 2.
Definition even : bool := S whole =? mid.
Definition in_column (b : bool) : nat := if b then A / 2 else A - 1 - A / 2.
Definition in_mid (b : bool) : nat := if even then in_column (negb b) else 0.
Definition in_row (b : bool) : nat := if b then mid else whole.
Definition all_of (b : bool) : nat := in_column b + in_mid b + whole * (A - 1) + in_row b.
Definition fronts (b : bool) : nat := (all_of b + 1) / 2.
Definition full_rounds : nat := (A * B + 2) / 4.

Definition place (b : bool) (x y : nat) : nat :=
  if x =? 0 then all_of b - y
  else if y =? 0 then x - 1
  else if even && (y =? mid) then in_column b + x
  else if (y =? whole) && (x =? 1) then in_column b
  else in_column b + in_mid b + (whole - y) * (A - 1) + (x - 1).

(* Of which half is a node, and where does it lie there? *)
Definition own (i j : nat) : bool :=
  if j =? 0 then i <=? in_column true
  else (j <=? whole) || (even && (j =? mid) && (i <=? in_mid true)).
Definition mirror (n i : nat) : nat := if i =? 0 then 0 else n - i.
Definition local (b : bool) (n i : nat) : nat := if b then i else mirror n i.

Definition in_front (b : bool) (x y : nat) : bool := place b x y <? fronts b.
Definition at_place (b : bool) (x y : nat) : nat :=
  if in_front b x y then S (place b x y) else all_of b - place b x y.

Definition full_plan : plan :=
  Plan (fun i j => let b := own i j in at_place b (local b A i) (local b B j))
    (fun i j => let b := own i j in in_front b (local b A i) (local b B j))
    (fun i j => negb (own i j)).

(* ---- sizes ---- *)

Lemma sides_halves :
  2 * whole + 1 <= B <= 2 * whole + 2 /\ 2 * mid <= B <= 2 * mid + 1 /\ 2 * (A / 2) <= A <= 2 * (A / 2) + 1.
Proof.
  unfold whole, mid. pose proof (Nat.div_mod (B - 1) 2). pose proof (Nat.mod_upper_bound (B - 1) 2).
  pose proof (Nat.div_mod B 2). pose proof (Nat.mod_upper_bound B 2).
  pose proof (Nat.div_mod A 2). pose proof (Nat.mod_upper_bound A 2). lia.
Qed.

Lemma even_cases : even = true /\ B = 2 * whole + 2 /\ mid = S whole \/ even = false /\ B = 2 * whole + 1
  /\ mid = whole.
Proof.
  pose proof sides_halves. unfold even. destruct (Nat.eqb_spec (S whole) mid); [left|right]; repeat split; lia.
Qed.

Ltac parity := destruct even_cases as [(Ev & E & M)|(Ev & E & M)]; rewrite ?Ev in *.

Lemma columns : 1 <= whole /\ whole * (A - 1) + whole = whole * A /\ A - 1 <= whole * (A - 1) /\
  2 * whole <= whole * (A - 1).
Proof. pose proof sides_halves. assert (1 <= whole) by lia. nia. Qed.

Lemma column_facts b : whole <= in_column b /\ 2 * in_column b <= A /\ in_column b + in_column (negb b) = A - 1 /\
  1 <= in_column (negb b).
Proof. pose proof sides_halves. pose proof even_cases. unfold in_column. destruct b; cbn [negb]; lia. Qed.

Lemma row_facts b : whole <= in_row b <= mid /\ 1 <= in_row b.
Proof. pose proof sides_halves. unfold in_row. destruct b; lia. Qed.

Lemma front_facts b : all_of b <= 2 * fronts b <= all_of b + 1.
Proof. unfold fronts. pose proof (Nat.div_mod (all_of b + 1) 2). pose proof (Nat.mod_upper_bound (all_of b + 1) 2).
  lia. Qed.

Lemma front_room b : in_column b + 1 + in_mid b <= fronts b /\ fronts b + in_row b <= all_of b.
Proof.
  pose proof (front_facts b). pose proof columns. pose proof (column_facts b). pose proof (row_facts b).
  unfold all_of in *. unfold in_mid in *. pose proof sides_halves.
  parity; lia.
Qed.

Lemma enough b : fronts b <= full_rounds.
Proof.
  pose proof (front_facts b). pose proof columns. pose proof (column_facts b). pose proof sides_halves.
  assert (L : 2 * all_of b <= A * B).
  { unfold all_of, in_row, in_mid in *. parity.
    - assert (A * B = 2 * (whole * A) + 2 * A) by (rewrite E; lia). destruct b; lia.
    - assert (A * B = 2 * (whole * A) + A) by (rewrite E; lia). destruct b; lia. }
  unfold full_rounds. apply Nat.div_le_lower_bound; lia.
Qed.

Lemma column_step y : 1 <= y <= whole ->
  (whole - y) * (A - 1) + (A - 1) <= whole * (A - 1) /\
  (y = 1 -> (whole - y) * (A - 1) + (A - 1) = whole * (A - 1)) /\
  (2 <= y -> (whole - (y - 1)) * (A - 1) = (whole - y) * (A - 1) + (A - 1)).
Proof. intro L. pose proof columns. nia. Qed.

(* ---- a half ---- *)

Definition inside (b : bool) (x y : nat) : Prop :=
  (y = 0 /\ 1 <= x <= in_column b) \/ (1 <= y <= whole /\ x < A) \/
  (even = true /\ y = mid /\ 1 <= x <= in_mid b) \/ (even = true /\ y = mid /\ x = 0 /\ b = true).

Lemma inside_lt b x y : inside b x y -> x < A /\ y < B /\ (x <> 0 \/ y <> 0).
Proof.
  unfold inside, in_mid. pose proof (column_facts b). pose proof (column_facts (negb b)). pose proof sides_halves.
  pose proof columns. parity; intros [?|[?|[?|?]]]; lia.
Qed.

Lemma mirror_cases n i : i = 0 /\ mirror n i = 0 \/ 1 <= i /\ mirror n i = n - i.
Proof. unfold mirror. destruct (Nat.eqb_spec i 0); lia. Qed.

Ltac tests :=
  repeat match goal with
  | |- context [?u =? ?v] => destruct (Nat.eqb_spec u v)
  | |- context [?u <=? ?v] => destruct (Nat.leb_spec u v)
  end; cbn [orb andb negb]; auto; try lia.

Lemma own_inside b x y : inside b x y -> own (local b A x) (local b B y) = b.
Proof.
  intro I. pose proof (inside_lt b x y I). unfold inside, in_mid in I. unfold own, local, in_mid.
  pose proof (column_facts true) as C. pose proof sides_halves. pose proof columns. cbn [negb] in *.
  pose proof (mirror_cases A x) as MX. pose proof (mirror_cases B y) as MY.
  parity; destruct b; cbn [negb andb] in *; tests.
Qed.

Lemma mirror_mirror n i : i < n -> mirror n (mirror n i) = i.
Proof. intro L. unfold mirror. destruct (Nat.eqb_spec i 0); cbn; auto. destruct (Nat.eqb_spec (n - i) 0); lia. Qed.

Lemma local_local b n i : i < n -> local b n (local b n i) = i.
Proof. intro L. destruct b; cbn; auto. now apply mirror_mirror. Qed.

Lemma local_lt b n i : i < n -> local b n i < n.
Proof. intro L. unfold local, mirror. destruct b; auto. destruct (Nat.eqb_spec i 0); lia. Qed.

Lemma inside_own i j : i < A -> j < B -> i <> 0 \/ j <> 0 ->
  inside (own i j) (local (own i j) A i) (local (own i j) B j).
Proof.
  intros I J O. unfold own, in_mid. pose proof (column_facts true) as C. pose proof sides_halves. pose proof columns.
  cbn [negb] in *. pose proof (mirror_cases A i) as MX. pose proof (mirror_cases B j) as MY.
  parity; cbn [negb andb] in *; tests; unfold inside, in_mid; rewrite Ev; cbn [local negb]; lia.
Qed.

Lemma plan_time b x y : inside b x y -> when_at full_plan (local b A x) (local b B y) = at_place b x y.
Proof.
  intro I. destruct (inside_lt b x y I) as (X & Y & _). cbn [when_at full_plan]. rewrite (own_inside b x y I).
  now rewrite !local_local.
Qed.

Lemma at_front b x y : place b x y < fronts b -> at_place b x y = S (place b x y).
Proof. intro L. unfold at_place, in_front. now rewrite (proj2 (Nat.ltb_lt _ _) L). Qed.

Lemma at_rear b x y : fronts b <= place b x y -> at_place b x y = all_of b - place b x y.
Proof. intro L. unfold at_place, in_front. now rewrite (proj2 (Nat.ltb_ge _ _) L). Qed.

Lemma inside_row b y : inside b 0 y -> 1 <= y <= in_row b.
Proof.
  pose proof sides_halves. pose proof columns. unfold in_row.
  intros [?|[?|[?|(E & -> & _ & ->)]]]; try lia. destruct b; lia.
Qed.

(* The five kinds of places. *)
Lemma place_row b y : place b 0 y = all_of b - y.
Proof. reflexivity. Qed.

Lemma place_column b x : 1 <= x -> place b x 0 = x - 1.
Proof. intro L. unfold place. destruct (Nat.eqb_spec x 0); [lia|]. reflexivity. Qed.

Lemma place_mid b x : even = true -> 1 <= x -> place b x mid = in_column b + x.
Proof.
  intros E L. pose proof sides_halves. unfold place. rewrite E, Nat.eqb_refl.
  destruct (Nat.eqb_spec x 0), (Nat.eqb_spec mid 0); try lia. reflexivity.
Qed.

Lemma not_mid y : y <= whole -> even && (y =? mid) = false.
Proof.
  intro L. parity; auto. cbn [andb]. apply Nat.eqb_neq. lia.
Qed.

Lemma place_first b : place b 1 whole = in_column b.
Proof.
  pose proof columns. unfold place. rewrite not_mid, Nat.eqb_refl by auto. destruct (Nat.eqb_spec whole 0); [lia|].
  reflexivity.
Qed.

Lemma place_other b x y : 1 <= x -> 1 <= y <= whole -> y <> whole \/ x <> 1 ->
  place b x y = in_column b + in_mid b + (whole - y) * (A - 1) + (x - 1).
Proof.
  intros X Y N. unfold place. rewrite not_mid by lia.
  destruct (Nat.eqb_spec x 0), (Nat.eqb_spec y 0), (Nat.eqb_spec y whole), (Nat.eqb_spec x 1); try lia; reflexivity.
Qed.

Lemma row_at b y : 1 <= y <= in_row b -> at_place b 0 y = y.
Proof.
  intro L. pose proof (front_room b). rewrite at_rear; rewrite place_row; lia.
Qed.

Lemma row_time b y : 1 <= y <= in_row b -> when_at full_plan 0 (local b B y) = y.
Proof.
  intro L. pose proof (row_facts b). pose proof sides_halves.
  replace 0 with (local b A 0) by (destruct b; reflexivity). rewrite plan_time; [now apply row_at|].
  destruct (Nat.le_gt_cases y whole); [right; left; lia|right; right; right].
  unfold in_row in L. destruct even_cases as [(E & F & M)|(E & F & M)]; destruct b; repeat split; auto; lia.
Qed.

Lemma column_time b x : 1 <= x <= in_column b -> when_at full_plan (local b A x) 0 = x.
Proof.
  intro L. replace 0 with (local b B 0) by (destruct b; reflexivity). rewrite plan_time by (unfold inside; lia).
  pose proof (front_room b). rewrite at_front; rewrite place_column; lia.
Qed.

(* Row 0 of the other half, where the middle column starts. *)
Lemma mid_time b : even = true -> when_at full_plan 0 (local b B mid) = mid.
Proof.
  intro E. pose proof sides_halves. pose proof columns. destruct even_cases as [(_ & F & M)|(E' & _)]; [|congruence].
  replace (local b B mid) with (local true B mid).
  - apply row_time. unfold in_row. lia.
  - destruct b; cbn [local]; auto. unfold mirror. destruct (Nat.eqb_spec mid 0); lia.
Qed.

(* ---- from where ---- *)

Lemma front_from b x y : inside b x y -> place b x y < fronts b -> 1 <= x /\
  (x = 1 /\ y = 0 \/ when_at full_plan (local b A (x - 1)) (local b B y) < at_place b x y).
Proof.
  intros I L. rewrite at_front by auto. pose proof (front_room b) as R. pose proof (column_facts b) as C.
  pose proof (row_facts b) as W. pose proof columns. pose proof sides_halves.
  destruct (Nat.eq_dec x 0) as [->|X].
  { apply inside_row in I. rewrite place_row in L. lia. }
  split; [lia|]. destruct (Nat.eq_dec x 1) as [->|X1].
  - cbn [Nat.sub]. replace (local b A 0) with 0 by (destruct b; reflexivity).
    destruct I as [(-> & _)|[(Y & _)|[(E & -> & X')|(_ & _ & Q & _)]]]; [auto| | |lia]; right.
    + rewrite row_time by lia. destruct (Nat.eq_dec y whole) as [->|N]; [rewrite place_first; lia|].
      rewrite place_other; lia.
    + rewrite mid_time, place_mid by auto. destruct even_cases as [(_ & F & M)|(E' & _)]; [lia|congruence].
  - right. assert (I' : inside b (x - 1) y).
    { destruct I as [?|[?|[(? & ? & ?)|?]]]; [left; lia|right; left; lia|right; right; left; repeat split; auto;
        lia|lia]. }
    rewrite plan_time by auto.
    assert (P : place b (x - 1) y < place b x y).
    { destruct I as [(-> & Q)|[(Y & Q)|[(E & -> & Q)|(_ & _ & Q & _)]]]; [| | |lia].
      - rewrite !place_column; lia.
      - rewrite (place_other b x y) by lia. destruct (Nat.eq_dec y whole) as [->|N].
        + destruct (Nat.eq_dec x 2) as [->|]; [cbn [Nat.sub]; rewrite place_first; lia|rewrite place_other; lia].
        + rewrite place_other; lia.
      - rewrite !place_mid by (auto; lia). lia. }
    rewrite at_front; lia.
Qed.

Lemma rear_from b x y : inside b x y -> fronts b <= place b x y -> 1 <= y /\
  (x = 0 /\ y = 1 \/ when_at full_plan (local b A x) (local b B (y - 1)) < at_place b x y).
Proof.
  intros I L. rewrite at_rear by auto. pose proof (front_room b) as R. pose proof (column_facts b) as C.
  pose proof (row_facts b) as W. pose proof columns as K. pose proof sides_halves as H.
  destruct (Nat.eq_dec x 0) as [->|X].
  { rewrite place_row in L |- *. pose proof (inside_row b y I) as Y.
    split; [lia|]. destruct (Nat.eq_dec y 1); auto. right.
    replace (local b A 0) with 0 by (destruct b; reflexivity). rewrite row_time; lia. }
  destruct I as [(-> & Q)|[(Y & Q)|[(E & -> & Q)|(_ & _ & Q & _)]]].
  - rewrite place_column in L; lia.
  - destruct (Nat.eq_dec y whole) as [->|N]; [destruct (Nat.eq_dec x 1) as [->|X1]; [rewrite place_first in L; lia|]|].
    + split; [lia|right]. rewrite (place_other b x whole) in L |- * by lia.
      destruct (column_step whole) as (S1 & S2 & S3); [lia|]. destruct (Nat.eq_dec whole 1) as [O|O].
      * rewrite O in *. cbn [Nat.sub] in *. replace (local b B 0) with 0 by (destruct b; reflexivity).
        destruct (Nat.le_gt_cases x (in_column b)); [rewrite column_time by lia; unfold all_of; rewrite O; lia|].
        replace (local b A x) with (local (negb b) A (A - x)).
        -- rewrite column_time by lia. unfold all_of. rewrite O. lia.
        -- unfold local, mirror. destruct b; cbn [negb]; destruct (Nat.eqb_spec x 0), (Nat.eqb_spec (A - x) 0); lia.
      * assert (I' : inside b x (whole - 1)) by (unfold inside; lia). rewrite plan_time by auto.
        rewrite at_rear; rewrite place_other by lia; [|lia]. rewrite S3 by lia. unfold all_of. lia.
    + split; [lia|right]. rewrite (place_other b x y) in L |- * by lia.
      destruct (column_step y) as (S1 & S2 & S3); [lia|]. destruct (Nat.eq_dec y 1) as [->|O].
      * cbn [Nat.sub]. replace (local b B 0) with 0 by (destruct b; reflexivity).
        destruct (Nat.le_gt_cases x (in_column b)); [rewrite column_time by lia; unfold all_of; lia|].
        replace (local b A x) with (local (negb b) A (A - x)).
        -- rewrite column_time by lia. unfold all_of. lia.
        -- unfold local, mirror. destruct b; cbn [negb]; destruct (Nat.eqb_spec x 0), (Nat.eqb_spec (A - x) 0); lia.
      * assert (I' : inside b x (y - 1)) by (unfold inside; lia). rewrite plan_time by auto.
        rewrite at_rear; rewrite place_other by lia; [|rewrite S3 by lia; lia]. rewrite S3 by lia. unfold all_of. lia.
  - rewrite place_mid in L by (auto; lia). lia.
  - lia.
Qed.

Lemma place_distinct b x y x' y' : inside b x y -> inside b x' y' -> place b x y = place b x' y' -> x = x' /\ y = y'.
Proof.
  pose proof (front_room b) as R. pose proof (row_facts b) as W. pose proof columns as K. pose proof sides_halves as H.
  pose proof (column_facts b) as C.
  (* A place says its kind: row, column, middle, first, other. *)
  assert (Kinds : forall x y, inside b x y ->
    (x = 0 /\ 1 <= y <= in_row b /\ place b x y = all_of b - y) \/
    (y = 0 /\ 1 <= x <= in_column b /\ place b x y = x - 1) \/
    (y = mid /\ 1 <= x <= in_mid b /\ place b x y = in_column b + x) \/
    (y = whole /\ x = 1 /\ place b x y = in_column b) \/
    (1 <= y <= whole /\ 1 <= x < A /\ (y <> whole \/ x <> 1) /\
     place b x y = in_column b + in_mid b + (whole - y) * (A - 1) + (x - 1) /\
     place b x y < all_of b - in_row b)).
  { intros u v I. destruct (Nat.eq_dec u 0) as [->|U].
    - left. rewrite place_row. apply inside_row in I. auto.
    - right. destruct I as [(-> & Q)|[(Y & Q)|[(E & -> & Q)|(_ & _ & Q & _)]]]; [left|right; right|right; left|lia].
      + rewrite place_column; lia.
      + destruct (Nat.eq_dec v whole) as [->|N]; [destruct (Nat.eq_dec u 1) as [->|X1]; [left; rewrite place_first;
          lia|]|];
          right; rewrite place_other by lia; (destruct (column_step whole) as (S1 & _); [lia|]) || idtac;
          repeat split; try lia; unfold all_of.
        * lia.
        * destruct (column_step v) as (S2 & _); lia.
      + rewrite place_mid by (auto; lia). lia. }
  intros I I' E.
  destruct (Kinds x y I) as [Q|[Q|[Q|[Q|Q]]]], (Kinds x' y' I') as [Q'|[Q'|[Q'|[Q'|Q']]]]; try lia.
  - destruct Q as (Y & X & N & P & _), Q' as (Y' & X' & N' & P' & _). rewrite P, P' in E.
    assert (E' : x - 1 + (A - 1) * (whole - y) = x' - 1 + (A - 1) * (whole - y')) by lia.
    destruct (digits (x - 1) (whole - y) (A - 1)) as [M D]; [lia|].
    destruct (digits (x' - 1) (whole - y') (A - 1)) as [M' D']; [lia|]. rewrite E' in M, D. lia.
Qed.

(* ---- the plan ---- *)

Lemma at_place_le b x y : at_place b x y <= full_rounds.
Proof.
  pose proof (enough b). pose proof (front_facts b). destruct (Nat.lt_ge_cases (place b x y) (fronts b)) as [L|L].
  - rewrite at_front; lia.
  - rewrite at_rear; lia.
Qed.

Lemma full_plan_rounds i j : when_at full_plan i j <= full_rounds.
Proof. cbn [when_at full_plan]. apply at_place_le. Qed.

Variable p : plane.
Hypothesis p_A : sideA p = A.
Hypothesis p_B : sideB p = B.

Lemma mirror_prev n x : 1 <= x < n -> next n (mirror n x) = mirror n (x - 1).
Proof.
  intro L. unfold next, mirror. destruct (Nat.eqb_spec x 0), (Nat.eqb_spec (x - 1) 0); try lia;
    destruct (Nat.eqb_spec (S (n - x)) n); lia.
Qed.

Lemma local_prev b n x : 1 <= x < n ->
  (if negb b then next n (local b n x) else prev n (local b n x)) = local b n (x - 1).
Proof.
  intro L. destruct b; cbn [negb local]; [|now apply mirror_prev]. unfold prev. destruct (Nat.eqb_spec x 0); lia.
Qed.

Lemma place_lt b x y : inside b x y -> place b x y < all_of b.
Proof.
  intro I. destruct (Nat.lt_ge_cases (place b x y) (fronts b)) as [L|L].
  - pose proof (front_room b). pose proof (row_facts b). lia.
  - destruct (rear_from b x y I L) as [_ [[-> ->]|Q]].
    + rewrite place_row in *. pose proof columns. unfold all_of. lia.
    + rewrite at_rear in Q by auto. lia.
Qed.

Lemma full_plan_ok : plan_ok p full_plan Full.
Proof.
  split; unfold off_origin; rewrite p_A, p_B.
  - intros i j (I & J & O). pose proof (inside_own i j I J O) as D. cbn [when_at full_plan].
    pose proof (place_lt _ _ _ D). unfold at_place. destruct (in_front _ _ _); lia.
  - intros i j (I & J & O). pose proof (inside_own i j I J O) as D.
    unfold from_i, from_j. rewrite p_A, p_B. cbn [along_first back full_plan].
    remember (own i j) as b eqn:Eb.
    assert (W : when_at full_plan i j = at_place b (local b A i) (local b B j)) by (cbn [when_at full_plan];
      now rewrite <- Eb).
    rewrite W. assert (Ei : local b A (local b A i) = i) by now apply local_local.
    assert (Ej : local b B (local b B j) = j) by now apply local_local.
    pose proof (local_lt b A i I) as LX. pose proof (local_lt b B j J) as LY.
    remember (local b A i) as x eqn:Ex. remember (local b B j) as y eqn:Ey.
    rewrite <- Ei, <- Ej. unfold in_front. destruct (Nat.ltb_spec (place b x y) (fronts b)) as [L|L].
    + destruct (front_from b x y D L) as [X [[-> ->]|Q]].
      * left. rewrite local_prev by lia. destruct b; auto.
      * right. rewrite local_prev by lia. exact Q.
    + destruct (rear_from b x y D L) as [Y [[-> ->]|Q]].
      * left. rewrite local_prev by lia. destruct b; auto.
      * right. rewrite local_prev by lia. exact Q.
  - intros i j i' j' (I & J & O) (I' & J' & O') T F [H|H]; [discriminate H|].
    cbn [when_at along_first back full_plan] in T, F, H.
    pose proof (inside_own i j I J O) as D. pose proof (inside_own i' j' I' J' O') as D'.
    assert (Eb : own i j = own i' j') by (destruct (own i j), (own i' j'); cbn in H; congruence).
    rewrite <- Eb in *. remember (own i j) as b eqn:Hb. clear Hb H.
    unfold at_place in T. rewrite F in T. pose proof (place_lt _ _ _ D). pose proof (place_lt _ _ _ D').
    destruct (place_distinct b _ _ _ _ D D') as [X Y]; [destruct (in_front b (local b A i') (local b B j')); lia|].
    rewrite <- (local_local b A i I), <- (local_local b A i' I'), <- (local_local b B j J), <- (local_local b B j' J').
    rewrite X, Y. auto.
Qed.

End Full.
