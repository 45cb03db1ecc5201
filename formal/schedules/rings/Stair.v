(* SPDX-License-Identifier: MIT *)
(* Which squares of a torus are turned (docs/theory/rings.md, "Products of two cycles"), and that rows and columns are
   each one cycle then: what is alike along each of their edges is alike everywhere. *)
From Coq Require Import List Arith Bool Lia.
Import ListNotations.

(* Around a side of n nodes. *)
Definition next (n a : nat) : nat := if a + 1 =? n then 0 else a + 1.
Definition back (n a : nat) : nat := if a =? 0 then n - 1 else a - 1.

Lemma next_lt n a : a < n -> next n a < n.
Proof. unfold next. destruct (Nat.eqb_spec (a + 1) n); lia. Qed.

Lemma back_lt n a : a < n -> back n a < n.
Proof. unfold back. destruct (Nat.eqb_spec a 0); lia. Qed.

Lemma next_back n a : a < n -> next n (back n a) = a.
Proof.
  intro A. unfold back. destruct (Nat.eqb_spec a 0) as [->|Z]; unfold next.
  - destruct (Nat.eqb_spec (n - 1 + 1) n); lia.
  - destruct (Nat.eqb_spec (a - 1 + 1) n); lia.
Qed.

Lemma back_next n a : a < n -> back n (next n a) = a.
Proof.
  intro A. unfold next. destruct (Nat.eqb_spec (a + 1) n); unfold back.
  - cbn. lia.
  - destruct (Nat.eqb_spec (a + 1) 0); lia.
Qed.

(* ---- a cycle that is cut ---- *)

Section Cut.

Variables (n : nat) (f : nat -> bool).

Lemma along x y : x <= y -> y < n -> (forall p, x <= p < y -> f (next n p) = f p) -> f y = f x.
Proof.
  intros L. induction L as [|y L IH]; intros Y H; auto. rewrite <- IH by (auto; try lia; intros; apply H; lia).
  rewrite <- (H y) by lia. unfold next. destruct (Nat.eqb_spec (y + 1) n); [lia|]. f_equal. lia.
Qed.

Lemma around : 1 <= n -> f (next n (n - 1)) = f (n - 1) -> f 0 = f (n - 1).
Proof. intros N <-. unfold next. destruct (Nat.eqb_spec (n - 1 + 1) n); [auto|lia]. Qed.

Lemma one_cut a : a < n -> (forall p, p < n -> p <> a -> f (next n p) = f p) -> forall p, p < n -> f p = f a.
Proof.
  intros A H p P. destruct (Nat.le_gt_cases p a) as [L|L].
  - symmetry. apply along; auto. intros; apply H; lia.
  - assert (E : f (n - 1) = f p) by (apply along; try lia; intros; apply H; lia). rewrite <- E.
    rewrite <- around by (try lia; apply H; lia). symmetry. apply along; try lia. intros; apply H; lia.
Qed.

Lemma two_cuts_sorted a b : a < b -> b < n -> (forall p, p < n -> p <> a -> p <> b -> f (next n p) = f p) ->
  f (next n a) = f b /\ f (next n b) = f a /\ forall p, p < n -> f p = f a \/ f p = f b.
Proof.
  intros A B H. assert (Na : next n a = a + 1) by (unfold next; destruct (Nat.eqb_spec (a + 1) n); lia).
  assert (Low : forall p, p <= a -> f a = f p) by (intros p P; apply along; try lia; intros; apply H; lia).
  assert (Mid : forall p, a < p <= b -> f b = f p) by (intros p P; apply along; try lia; intros; apply H; lia).
  assert (Top : forall p, b < p < n -> f p = f a).
  { intros p P. assert (E : f (n - 1) = f p) by (apply along; try lia; intros; apply H; lia). rewrite <- E.
    rewrite <- around by (try lia; apply H; lia). symmetry. apply Low. lia. }
  split; [rewrite Na; symmetry; apply Mid; lia|]. split.
  - unfold next. destruct (Nat.eqb_spec (b + 1) n); [symmetry; apply Low; lia|apply Top; lia].
  - intros p P. destruct (Nat.le_gt_cases p a); [left; symmetry; now apply Low|].
    destruct (Nat.le_gt_cases p b); [right; symmetry; apply Mid; lia|left; apply Top; lia].
Qed.

Lemma two_cuts a b : a < n -> b < n -> a <> b -> (forall p, p < n -> p <> a -> p <> b -> f (next n p) = f p) ->
  f (next n a) = f b /\ f (next n b) = f a /\ forall p, p < n -> f p = f a \/ f p = f b.
Proof.
  intros A B D H. destruct (Nat.lt_ge_cases a b) as [L|L]; [now apply two_cuts_sorted|].
  destruct (two_cuts_sorted b a) as (X & Y & Z); [lia|auto|auto|]. repeat split; auto.
  intros p P. destruct (Z p P); auto.
Qed.

End Cut.

(* ---- the stair ---- *)

(* The square between columns y and y + 1 that is turned is between rows 0 and 1, or 1 and 2, by turns in the first 2 k
   columns, and then one row lower in each. *)
Definition stair (k y : nat) : nat := if y <? 2 * k then (if Nat.even y then 0 else 1) else y - 2 * k + 2.

Section Stair.

(* m rows, n columns, q squares. *)
Variables m n k q : nat.
Hypothesis rows : 3 <= m.
Hypothesis columns : m <= n.
Hypothesis some : 1 <= k.
(* A square for each column but one; or, an odd number of columns, for each. *)
Hypothesis of_columns : q + 1 = n \/ (q = n /\ Nat.even n = false /\ 4 <= m).
(* Down to the last row, or from it on to row 0 if the rows are odd. *)
Hypothesis of_rows : q + 3 = 2 * k + m \/ (q + 2 = 2 * k + m /\ q + 1 = n /\ Nat.even m = false).

Local Notation s := (stair k).

Lemma stair_first y : y < 2 * k -> s y = if Nat.even y then 0 else 1.
Proof. intro L. unfold stair. now rewrite (proj2 (Nat.ltb_lt _ _) L). Qed.

Lemma stair_then y : 2 * k <= y -> s y = y - 2 * k + 2.
Proof. intro L. unfold stair. now rewrite (proj2 (Nat.ltb_ge _ _) L). Qed.

Lemma stair_lt y : y < q -> s y < m.
Proof.
  intro L. destruct (Nat.lt_ge_cases y (2 * k)).
  - rewrite stair_first by auto. destruct (Nat.even y); lia.
  - rewrite stair_then by auto. lia.
Qed.

Lemma even_S y : Nat.even (y + 1) = negb (Nat.even y).
Proof. rewrite Nat.even_add. now destruct (Nat.even y). Qed.

Lemma even_2k : Nat.even (2 * k) = true.
Proof. rewrite Nat.even_mul. reflexivity. Qed.

(* Squares side by side are not between the same rows. *)
Lemma stair_moves y : y < n -> y < q -> back n y < q -> s (back n y) <> s y.
Proof.
  intros N L B. unfold back in *. destruct (Nat.eqb_spec y 0) as [->|Z].
  - rewrite (stair_first 0), stair_then by lia. cbn. lia.
  - destruct (Nat.lt_ge_cases y (2 * k)) as [K|K].
    + rewrite !stair_first by lia. replace y with (y - 1 + 1) at 2 by lia. rewrite even_S.
      destruct (Nat.even (y - 1)); cbn; lia.
    + rewrite (stair_then y) by auto. destruct (Nat.lt_ge_cases (y - 1) (2 * k)).
      * rewrite stair_first by auto. destruct (Nat.even (y - 1)); lia.
      * rewrite stair_then by auto. lia.
Qed.

(* What is alike along edges, of node (row, column). *)
Variable F : nat -> nat -> bool.

Section Columns.

(* A column is cut by the squares on both sides of it, which join it to its neighbours. *)
Hypothesis down : forall r c, r < m -> c < n -> (c < q -> s c <> r) -> (back n c < q -> s (back n c) <> r) ->
  F (next m r) c = F r c.
Hypothesis across : forall y, y < q ->
  F (s y) (next n y) = F (s y) y /\ F (next m (s y)) (next n y) = F (next m (s y)) y.

(* The two ends at a square, of two pieces. *)
Local Notation up y := (F (s y) y).
Local Notation low y := (F (next m (s y)) y).

Lemma column_step y : y + 1 < q -> up (y + 1) = low y /\ low (y + 1) = up y /\
  forall r, r < m -> F r (y + 1) = up y \/ F r (y + 1) = low y.
Proof.
  intro L. assert (Next : next n y = y + 1) by (unfold next; destruct (Nat.eqb_spec (y + 1) n); lia).
  assert (Back : back n (y + 1) = y) by (rewrite <- Next; apply back_next; lia).
  destruct (across y) as [A B]; [lia|]. rewrite Next in A, B.
  destruct (two_cuts m (fun r => F r (y + 1)) (s (y + 1)) (s y)) as (X & Y & Z); try (apply stair_lt; lia).
  - pose proof (stair_moves (y + 1)) as M. rewrite Back in M. intro E. apply M; [lia|lia|lia|auto].
  - intros r R Na Nb. apply down; try lia. rewrite Back. auto.
  - rewrite <- A, <- B. repeat split; auto. intros r R. destruct (Z r R) as [E|E]; rewrite E; auto.
Qed.

Lemma columns_by_turns y : y < q -> if Nat.even y then up y = up 0 /\ low y = low 0 else up y = low 0 /\ low y = up 0.
Proof.
  induction y as [|y IH]; intro L; [cbn; auto|]. specialize (IH ltac:(lia)).
  destruct (column_step y ltac:(lia)) as (A & B & _). rewrite <- Nat.add_1_r, A, B, even_S.
  destruct (Nat.even y); cbn [negb]; tauto.
Qed.

(* Column 0 is cut once. Or every column is cut twice: then the two pieces change sides from column to column, and as
   the number of columns is odd, each has become the other one when it comes round. *)
Lemma first_column : up 0 = low 0 /\ forall r, r < m -> F r 0 = up 0.
Proof.
  destruct of_columns as [Q|(Q & Odd & _)].
  - assert (H : forall r, r < m -> F r 0 = up 0).
    { apply (one_cut m (fun r => F r 0)); [apply stair_lt; lia|]. intros r R D. apply down; auto; try lia.
      unfold back. cbn. lia. }
    split; auto. symmetry. apply H, next_lt, stair_lt. lia.
  - assert (Back : back n 0 = n - 1) by reflexivity.
    assert (Next : next n (n - 1) = 0) by (unfold next; destruct (Nat.eqb_spec (n - 1 + 1) n); lia).
    destruct (across (n - 1)) as [A B]; [lia|]. rewrite Next in A, B.
    destruct (two_cuts m (fun r => F r 0) (s 0) (s (n - 1))) as (X & Y & Z); try (apply stair_lt; lia).
    + pose proof (stair_moves 0) as M. rewrite Back in M. intro E. apply M; [lia|lia|lia|auto].
    + intros r R Na Nb. apply down; try lia. rewrite Back. auto.
    + pose proof (columns_by_turns (n - 1) ltac:(lia)) as T.
      replace n with (n - 1 + 1) in Odd at 1 by lia. rewrite even_S in Odd. apply negb_false_iff in Odd.
      rewrite Odd in T. destruct T as [T _].
      assert (E : up 0 = low 0) by congruence. split; auto. intros r R. destruct (Z r R) as [->| ->]; congruence.
Qed.

Lemma columns_alike r c : r < m -> c < n -> F r c = F 0 0.
Proof.
  intros R C. destruct first_column as [E Z]. rewrite (Z 0) by lia. destruct c as [|y]; [now apply Z|].
  rewrite <- Nat.add_1_r in *. pose proof (columns_by_turns y ltac:(lia)) as T.
  assert (S : up y = up 0 /\ low y = up 0) by (destruct (Nat.even y); intuition congruence). destruct S as [U L].
  destruct (Nat.lt_ge_cases (y + 1) q) as [K|K].
  - destruct (column_step y K) as (_ & _ & H). destruct (H r R) as [->| ->]; auto.
  - assert (Next : next n y = y + 1) by (unfold next; destruct (Nat.eqb_spec (y + 1) n); lia).
    assert (Back : back n (y + 1) = y) by (rewrite <- Next; apply back_next; lia).
    destruct (across y) as [A _]; [lia|]. rewrite Next in A. rewrite <- U, <- A.
    apply (one_cut m (fun r => F r (y + 1))); auto; [apply stair_lt; lia|]. intros p P D. apply down; auto; [lia|].
    rewrite Back. auto.
Qed.

End Columns.

Section Rows.

Hypothesis across : forall r c, r < m -> c < n -> (c < q -> s c <> r) -> (c < q -> s c <> back m r) ->
  F r (next n c) = F r c.
Hypothesis down : forall y, y < q ->
  F (next m (s y)) y = F (s y) y /\ F (next m (s y)) (next n y) = F (s y) (next n y).

(* ---- the first three rows, up to column 2 k ---- *)

Lemma next_small a : a + 1 < n -> next n a = a + 1.
Proof. intro A. unfold next. destruct (Nat.eqb_spec (a + 1) n); lia. Qed.

Lemma k_small : 2 * k + 1 <= n /\ 2 * k <= q.
Proof. lia. Qed.

Lemma even_square y : y < 2 * k -> Nat.even y = true -> F 1 y = F 0 y /\ F 1 (y + 1) = F 0 (y + 1).
Proof.
  intros Y E. pose proof k_small. destruct (down y) as [A B]; [lia|]. rewrite stair_first, E in A, B by lia.
  unfold next at 1 in A. unfold next at 1 in B. destruct (Nat.eqb_spec (0 + 1) m); [lia|].
  rewrite next_small in B by lia. auto.
Qed.

Lemma odd_square y : y < 2 * k -> Nat.even y = false -> F 2 y = F 1 y /\ F 2 (y + 1) = F 1 (y + 1).
Proof.
  intros Y E. pose proof k_small. destruct (down y) as [A B]; [lia|]. rewrite stair_first, E in A, B by lia.
  unfold next at 1 in A. unfold next at 1 in B. destruct (Nat.eqb_spec (1 + 1) m); [lia|].
  rewrite next_small in B by lia. auto.
Qed.

Lemma column_alike c : 1 <= c < 2 * k -> F 0 c = F 1 c /\ F 2 c = F 1 c.
Proof.
  intro C. destruct (Nat.even c) eqn:E.
  - destruct (even_square c) as [A _]; [lia|auto|]. destruct (odd_square (c - 1)) as [_ B]; [lia| |].
    + replace c with (c - 1 + 1) in E by lia. rewrite even_S in E. now apply negb_true_iff in E.
    + replace (c - 1 + 1) with c in B by lia. auto.
  - destruct (odd_square c) as [A _]; [lia|auto|]. destruct (even_square (c - 1)) as [_ B]; [lia| |].
    + replace c with (c - 1 + 1) in E by lia. rewrite even_S in E. now apply negb_false_iff in E.
    + replace (c - 1 + 1) with c in B by lia. auto.
Qed.

(* A row without its squares. *)
Lemma row_0 c : c < n -> (c < 2 * k -> Nat.even c = false) -> (c < q -> s c <> m - 1) -> F 0 (next n c) = F 0 c.
Proof.
  intros C E L. apply across; auto; try lia. intros Q Z. destruct (Nat.lt_ge_cases c (2 * k)) as [K|K].
  - rewrite stair_first, E in Z by auto. lia.
  - rewrite stair_then in Z by auto. lia.
Qed.

Lemma row_2 c : c < n -> (c < 2 * k -> Nat.even c = true) -> (c < q -> c <> 2 * k) -> F 2 (next n c) = F 2 c.
Proof.
  intros C E D. apply across; auto; try lia; intros Q Z; destruct (Nat.lt_ge_cases c (2 * k)) as [K|K].
  - rewrite stair_first, E in Z by auto. lia.
  - rewrite stair_then in Z by auto. specialize (D Q). lia.
  - rewrite stair_first, E in Z by auto. discriminate Z.
  - rewrite stair_then in Z by auto. unfold back in Z. cbn in Z. lia.
Qed.

Lemma row_1 c : c < n -> 2 * k <= c -> F 1 (next n c) = F 1 c.
Proof.
  intros C K. apply across; auto; try lia; intros Q Z; rewrite stair_then in Z by auto; unfold back in Z; cbn in Z; lia.
Qed.

Lemma block_alike c : 1 <= c < 2 * k -> F 1 c = F 1 1.
Proof.
  intros [L K]. induction L as [|c L IH]; auto. rewrite <- IH by lia. pose proof k_small.
  destruct (column_alike c) as [A B]; [lia|]. destruct (column_alike (S c)) as [A' B']; [lia|].
  destruct (Nat.even c) eqn:E.
  - rewrite <- B, <- B'. rewrite <- (row_2 c) by (auto; lia). rewrite next_small by lia. f_equal. lia.
  - rewrite <- A, <- A'. rewrite <- (row_0 c); auto; try lia.
    + rewrite next_small by lia. f_equal. lia.
    + intro Q. rewrite stair_first, E by lia. lia.
Qed.

(* Two tracks: of node (0, 0), and of node (1, 1). *)
Local Notation one := (F 0 0).
Local Notation two := (F 1 1).

Lemma rest_of_row_1 c : 2 * k <= c < n -> F 1 c = one.
Proof.
  intro C. pose proof k_small. destruct (even_square 0) as [A _]; [lia|auto|]. rewrite <- A.
  rewrite (around n (F 1)) by (try lia; apply row_1; lia). symmetry. apply (along n); try lia.
  intros p P. apply row_1; lia.
Qed.

Lemma rest_of_row_2 c : c < n -> (2 * k < c \/ c = 0) -> F 2 c = two.
Proof.
  intros C D. pose proof k_small. destruct (column_alike 1) as [_ B]; [lia|]. rewrite <- B.
  assert (Z : F 2 1 = F 2 0).
  { rewrite <- (row_2 0) by (auto; lia). now rewrite next_small by lia. }
  rewrite Z. destruct D as [D| ->]; auto. rewrite (around n (F 2)); [|lia|apply row_2; lia].
  symmetry. apply (along n); try lia. intros p P. apply row_2; lia.
Qed.

Lemma corner : F 2 (2 * k) = one.
Proof.
  pose proof k_small. destruct (odd_square (2 * k - 1)) as [_ B]; [lia| |].
  - pose proof even_2k as E. replace (2 * k) with (2 * k - 1 + 1) in E by lia. rewrite even_S in E.
    now apply negb_true_iff in E.
  - replace (2 * k - 1 + 1) with (2 * k) in B by lia. rewrite B. apply rest_of_row_1. lia.
Qed.

(* Row 0 from the last square of these on, to a square that leads up to the last row, or to the end. *)
Lemma rest_of_row_0 c : 2 * k - 1 <= c < n -> (forall p, 2 * k <= p < c -> p < q -> s p <> m - 1) -> F 0 c = two.
Proof.
  intros C H. pose proof k_small. destruct (column_alike (2 * k - 1)) as [A _]; [lia|].
  rewrite <- (block_alike (2 * k - 1)), <- A by lia. apply (along n); try lia. intros p P. apply row_0; try lia.
  - intro L. replace p with (2 * k - 1) by lia. pose proof even_2k as E.
    replace (2 * k) with (2 * k - 1 + 1) in E by lia. rewrite even_S in E. now apply negb_true_iff in E.
  - intro Q. destruct (Nat.lt_ge_cases p (2 * k)) as [L|L]; [|apply H; lia].
    rewrite stair_first by auto. destruct (Nat.even p); lia.
Qed.

(* ---- down the stair ---- *)

(* The two ends at the square below row r. *)
Local Notation column r := (2 * k + r - 2).
Local Notation left r := (F r (2 * k + r - 2)).
Local Notation right r := (F r (next n (2 * k + r - 2))).

Lemma stair_row r : 2 <= r -> s (column r) = r.
Proof. intro R. rewrite stair_then by lia. lia. Qed.

Lemma row_step r : 2 <= r -> r + 1 < m -> column r < q ->
  F (r + 1) (column r) = left r /\ F (r + 1) (next n (column r)) = right r.
Proof.
  intros R M Q. destruct (down (column r) Q) as [A B]. rewrite stair_row in A, B by auto.
  unfold next at 1 in A. unfold next at 1 in B. destruct (Nat.eqb_spec (r + 1) m); [lia|]. auto.
Qed.

(* Row r below the block is cut at the square below it, if there is one, and at the one above it. *)
Lemma row_uncut r c : 3 <= r < m -> c < n -> (c < q -> c <> column r) -> c <> column (r - 1) ->
  F r (next n c) = F r c.
Proof.
  intros R C D E. apply across; auto; try lia; intros Q Z; destruct (Nat.lt_ge_cases c (2 * k)) as [K|K].
  - rewrite stair_first in Z by auto. destruct (Nat.even c); lia.
  - rewrite stair_then in Z by auto. specialize (D Q). lia.
  - rewrite stair_first in Z by auto. unfold back in Z. destruct (Nat.eqb_spec r 0); destruct (Nat.even c); lia.
  - rewrite stair_then in Z by auto. unfold back in Z. destruct (Nat.eqb_spec r 0); lia.
Qed.

Lemma row_cut r : 3 <= r < m -> column r < q ->
  left r = right (r - 1) /\ right r = left (r - 1) /\ forall c, c < n -> F r c = left r \/ F r c = right r.
Proof.
  intros R Q. assert (Next : next n (column (r - 1)) = column r) by (rewrite next_small; lia).
  destruct (row_step (r - 1)) as [A B]; [lia|lia|lia|]. replace (r - 1 + 1) with r in A, B by lia.
  destruct (two_cuts n (F r) (column r) (column (r - 1))) as (X & Y & Z); try lia.
  - intros c C D E. now apply row_uncut.
  - rewrite Next in *. repeat split; try congruence. intros c C. rewrite X. auto.
Qed.

(* The tracks change sides from row to row. *)
Lemma rows_by_turns r : 2 <= r < m -> column r < q ->
  if Nat.even r then left r = one /\ right r = two else left r = two /\ right r = one.
Proof.
  intros [L M]. induction L as [|r L IH]; intro Q.
  - cbn [Nat.even]. replace (column 2) with (2 * k) in * by lia. split; [apply corner|].
    unfold next. destruct (Nat.eqb_spec (2 * k + 1) n); apply rest_of_row_2; lia.
  - specialize (IH ltac:(lia) ltac:(lia)). destruct (row_cut (S r)) as (A & B & _); [lia|lia|].
    replace (S r - 1) with r in A, B by lia. rewrite A, B.
    replace (Nat.even (S r)) with (negb (Nat.even r)) by (rewrite <- even_S; f_equal; lia).
    destruct (Nat.even r); cbn [negb]; tauto.
Qed.

(* The two tracks are one: by row 0, or by the square between the last row and row 0. *)
Lemma one_track : two = one.
Proof.
  pose proof k_small. destruct of_rows as [Q|(Q & C & Odd)].
  - assert (E : F 0 (n - 1) = two).
    { apply rest_of_row_0; [lia|]. intros p P L. rewrite stair_then by lia. lia. }
    rewrite <- E. symmetry. apply (around n (F 0)); [lia|]. apply row_0; try lia.
    intros L Z. rewrite stair_then in Z by lia. lia.
  - assert (Last : column (m - 1) = q - 1) by lia.
    pose proof (rows_by_turns (m - 1) ltac:(lia) ltac:(lia)) as T.
    replace m with (m - 1 + 1) in Odd at 1 by lia. rewrite even_S in Odd. apply negb_false_iff in Odd.
    rewrite Odd in T. destruct T as [T _]. destruct (down (column (m - 1))) as [A _]; [lia|].
    rewrite stair_row in A by lia. rewrite T in A. rewrite <- A. symmetry.
    replace (next m (m - 1)) with 0 by (unfold next; destruct (Nat.eqb_spec (m - 1 + 1) m); lia).
    apply rest_of_row_0; [lia|]. intros p P L. rewrite stair_then by lia. lia.
Qed.

Lemma block_rows_alike r c : r < 3 -> c < n -> F r c = one.
Proof.
  intros R C. pose proof k_small. pose proof one_track as E.
  destruct (even_square 0) as [Z _]; [lia|auto|].
  assert (One : F 1 c = one).
  { destruct (Nat.lt_ge_cases c (2 * k)) as [L|L]; [|now apply rest_of_row_1].
    destruct (Nat.eq_dec c 0) as [->|P]; [auto|]. rewrite block_alike by lia. exact E. }
  assert (Same : 1 <= c < 2 * k -> F 0 c = F 1 c /\ F 2 c = F 1 c) by apply column_alike.
  destruct r as [|[|[|r]]]; [| | |lia]; auto.
  - destruct (Nat.eq_dec c 0) as [->|P]; [auto|]. destruct (Nat.lt_ge_cases c (2 * k)) as [L|L].
    + rewrite (proj1 (Same ltac:(lia))). exact One.
    + destruct (Nat.eq_dec c (n - 1)) as [->|N]; [destruct of_rows as [Q|(Q & W & _)]|].
      * rewrite <- E. apply rest_of_row_0; [lia|]. intros p I J. rewrite stair_then by lia. lia.
      * symmetry. apply (around n (F 0)); [lia|]. apply row_0; lia.
      * rewrite <- E. apply rest_of_row_0; [lia|]. intros p I J. rewrite stair_then by lia. lia.
  - destruct (Nat.eq_dec c 0) as [->|P]; [rewrite <- E; apply rest_of_row_2; lia|].
    destruct (Nat.lt_trichotomy c (2 * k)) as [L|[->|L]].
    + rewrite (proj2 (Same ltac:(lia))). exact One.
    + apply corner.
    + rewrite <- E. apply rest_of_row_2; lia.
Qed.

Lemma rows_alike r c : r < m -> c < n -> F r c = F 0 0.
Proof.
  intros R C. pose proof one_track as E. destruct (Nat.lt_ge_cases r 3) as [L|L]; [now apply block_rows_alike|].
  destruct (Nat.lt_ge_cases (column r) q) as [Q|Q].
  - destruct (row_cut r) as (_ & _ & H); [lia|auto|]. pose proof (rows_by_turns r ltac:(lia) Q) as T.
    destruct (H c C) as [->| ->]; destruct (Nat.even r); intuition congruence.
  - destruct (row_step (r - 1)) as [A _]; [lia|lia|lia|]. replace (r - 1 + 1) with r in A by lia.
    pose proof (rows_by_turns (r - 1) ltac:(lia) ltac:(lia)) as T.
    assert (O : F r (column (r - 1)) = one) by (rewrite A; destruct (Nat.even (r - 1)); intuition congruence).
    rewrite <- O. apply (one_cut n (F r)); auto; [lia|]. intros p P D. apply row_uncut; auto; lia.
Qed.

End Rows.

End Stair.
