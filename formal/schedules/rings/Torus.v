(* SPDX-License-Identifier: MIT *)
(* Every torus of two axes, sides 3 and more, splits into two cycles through all nodes (docs/theory/rings.md, "Products
   of two cycles"): the rows and the columns, in which the squares of a stair are turned. So rings meet the count bound
   there. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat torus.Group torus.Translates torus.Optimal.
From Gossipfab Require Import rings.Rings rings.Carry rings.Optimal rings.Walk rings.Stair.
Import ListNotations.

(* ---- the links of a torus by row and column ---- *)

Lemma next_mod n a : a < n -> (a + 1) mod n = next n a.
Proof.
  intro A. unfold next. destruct (Nat.eqb_spec (a + 1) n) as [->|N]; [apply Nat.mod_same; lia|].
  apply Nat.mod_small. lia.
Qed.

Definition touching (n m c r c' r' : nat) : bool :=
  (r =? r') && ((next n c =? c') || (next n c' =? c)) || (c =? c') && ((next m r =? r') || (next m r' =? r)).

Lemma same_node n c r c' r' : c < n -> c' < n -> (c + n * r =? c' + n * r') = (r =? r') && (c =? c').
Proof.
  intros C C'. destruct (Nat.eqb_spec (c + n * r) (c' + n * r')) as [E|E].
  - destruct (digits c r n C) as [M D], (digits c' r' n C') as [M' D']. rewrite E, M' in M. rewrite E, D' in D.
    subst c' r'. now rewrite !Nat.eqb_refl.
  - destruct (Nat.eqb_spec r r') as [<-|]; auto. destruct (Nat.eqb_spec c c') as [<-|]; auto.
Qed.

Lemma torus_weight n m c r c' r' : 3 <= n -> 3 <= m -> c < n -> r < m -> c' < n -> r' < m ->
  weight (torus [n; m]) (c + n * r) (c' + n * r') = if touching n m c r c' r' then 1 else 0.
Proof.
  intros N M C R C' R'. cbn [weight torus units map existsb]. rewrite Nat.mul_1_r, orb_false_r.
  assert (E : forall x y, x < n -> y < m -> plus [n; m] (x + n * y) 1 = next n x + n * y).
  { intros x y X Y. cbn [plus]. destruct (digits x y n X) as [-> ->].
    rewrite (Nat.mod_small 1 n), (Nat.div_small 1 n), next_mod, Nat.mod_0_l by lia.
    rewrite (Nat.mod_small y m), (Nat.add_0_r y), (Nat.mod_small y m) by lia. lia. }
  assert (S : forall x y, x < n -> y < m -> plus [n; m] (x + n * y) n = x + n * next m y).
  { intros x y X Y. cbn [plus]. destruct (digits x y n X) as [-> ->].
    rewrite (Nat.mod_same n), (Nat.div_same n), (Nat.mod_small 1 m), (Nat.mod_small y m), next_mod by lia.
    rewrite (Nat.add_0_r x), (Nat.mod_small x n) by lia. lia. }
  rewrite !E, !S, !same_node by (auto using next_lt). unfold touching.
  rewrite (Nat.eqb_sym r' r), (Nat.eqb_sym c' c).
  destruct (r =? r'), (c =? c'), (next n c =? c'), (next n c' =? c), (next m r =? r'), (next m r' =? r); reflexivity.
Qed.

Lemma torus_product m n : product [n; m] = m * n.
Proof. cbn. lia. Qed.

(* ---- which edge is in which cycle ---- *)

Inductive direction := East | West | South | North.

Definition opposite (d : direction) : direction :=
  match d with East => West | West => East | South => North | North => South end.

Section Edges.

Variables m n k q : nat.

(* Is the square below and right of node (x, y) turned? *)
Definition square (x y : nat) : bool := (y <? q) && (stair k y =? x).

(* Is the edge that goes right from (r, c), or down from it, in the cycle of the rows? *)
Definition flat (r c : nat) : bool := negb (square r c || square (back m r) c).
Definition steep (r c : nat) : bool := square r c || square r (back n c).

Definition go (d : direction) (v : nat) : nat :=
  let r := v / n in let c := v mod n in
  match d with
  | East => next n c + n * r | West => back n c + n * r | South => c + n * next m r | North => c + n * back m r
  end.
Definition in_rows (d : direction) (v : nat) : bool :=
  let r := v / n in let c := v mod n in
  match d with East => flat r c | West => flat r (back n c) | South => steep r c | North => steep (back m r) c end.

(* The two neighbours of a node in the cycle of the rows, or in that of the columns. *)
Definition directions (b : bool) (v : nat) : list direction :=
  filter (fun d => eqb (in_rows d v) b) [East; West; South; North].
Definition first (b : bool) (v : nat) : nat := go (nth 0 (directions b v) East) v.
Definition second (b : bool) (v : nat) : nat := go (nth 1 (directions b v) East) v.

Hypothesis rows : 3 <= m.
Hypothesis columns : m <= n.
Hypothesis some : 1 <= k.
Hypothesis of_columns : q + 1 = n \/ (q = n /\ Nat.even n = false /\ 4 <= m).
Hypothesis of_rows : q + 3 = 2 * k + m \/ (q + 2 = 2 * k + m /\ q + 1 = n /\ Nat.even m = false).

Lemma go_at d r c : c < n -> go d (c + n * r) =
  match d with
  | East => next n c + n * r | West => back n c + n * r | South => c + n * next m r | North => c + n * back m r
  end.
Proof. intro C. unfold go. now destruct (digits c r n C) as [-> ->]. Qed.

Lemma in_rows_at d r c : c < n -> in_rows d (c + n * r) =
  match d with East => flat r c | West => flat r (back n c) | South => steep r c | North => steep (back m r) c end.
Proof. intro C. unfold in_rows. now destruct (digits c r n C) as [-> ->]. Qed.

Lemma go_lt d v : v < m * n -> go d v < m * n.
Proof.
  intro V. destruct (by_row n m v V) as (r & c & R & C & ->). rewrite go_at by auto.
  pose proof (next_lt n c C). pose proof (back_lt n c C). pose proof (next_lt m r R). pose proof (back_lt m r R).
  destruct d; nia.
Qed.

Lemma go_back d v : v < m * n -> go (opposite d) (go d v) = v.
Proof.
  intro V. destruct (by_row n m v V) as (r & c & R & C & ->). rewrite (go_at d) by auto.
  destruct d; cbn [opposite]; rewrite go_at by (auto using next_lt, back_lt);
    rewrite ?next_back, ?back_next by auto; reflexivity.
Qed.

Lemma same_edge d v : v < m * n -> in_rows (opposite d) (go d v) = in_rows d v.
Proof.
  intro V. destruct (by_row n m v V) as (r & c & R & C & ->). rewrite (go_at d) by auto.
  destruct d; cbn [opposite]; rewrite !in_rows_at by (auto using next_lt, back_lt);
    rewrite ?next_back, ?back_next by auto; reflexivity.
Qed.

Lemma go_inj d e v : v < m * n -> go d v = go e v -> d = e.
Proof.
  intros V E. destruct (by_row n m v V) as (r & c & R & C & ->). rewrite !go_at in E by auto.
  apply Nat.eqb_eq in E.
  destruct d, e; auto; exfalso; rewrite same_node, andb_true_iff, !Nat.eqb_eq in E by (auto using next_lt, back_lt);
    unfold next, back in E; destruct (Nat.eqb_spec (c + 1) n), (Nat.eqb_spec c 0), (Nat.eqb_spec (r + 1) m),
    (Nat.eqb_spec r 0); lia.
Qed.

Lemma go_differs d v : v < m * n -> go d v <> v.
Proof.
  intros V E. destruct (by_row n m v V) as (r & c & R & C & ->). rewrite go_at in E by auto.
  apply Nat.eqb_eq in E.
  destruct d; rewrite same_node, andb_true_iff, !Nat.eqb_eq in E by (auto using next_lt, back_lt);
    unfold next, back in E; destruct (Nat.eqb_spec (c + 1) n), (Nat.eqb_spec c 0), (Nat.eqb_spec (r + 1) m),
    (Nat.eqb_spec r 0); lia.
Qed.

Lemma go_weight d v : v < m * n -> weight (torus [n; m]) v (go d v) = 1.
Proof.
  intro V. destruct (by_row n m v V) as (r & c & R & C & ->). rewrite go_at by auto.
  destruct d; rewrite torus_weight by (auto using next_lt, back_lt; lia); unfold touching;
    rewrite ?next_back, !Nat.eqb_refl by auto; cbn; now rewrite ?orb_true_r.
Qed.

(* ---- two neighbours in each ---- *)

(* No two turned squares share an edge, so that each turned one takes an edge of each cycle from a node. *)
Lemma two_directions b v : v < m * n -> exists d e, d <> e /\ directions b v = [d; e].
Proof.
  intro V. destruct (by_row n m v V) as (r & c & R & C & ->). unfold directions. cbn [filter].
  rewrite !in_rows_at by auto. unfold flat, steep.
  assert (A : forall x y, (square x y && square (back m x) y && (x <? m)) = false).
  { intros x y. unfold square. destruct (Nat.ltb_spec y q), (Nat.eqb_spec (stair k y) x),
      (Nat.eqb_spec (stair k y) (back m x)), (Nat.ltb_spec x m); auto. exfalso. unfold back in *.
    destruct (Nat.eqb_spec x 0); lia. }
  assert (B : forall x y, y < n -> square x y && square x (back n y) = false).
  { intros x y Y. unfold square. destruct (Nat.ltb_spec y q) as [Q|], (Nat.eqb_spec (stair k y) x) as [E|],
      (Nat.ltb_spec (back n y) q) as [P|], (Nat.eqb_spec (stair k (back n y)) x) as [F|]; auto. exfalso.
    apply (stair_moves m n k q rows columns some of_columns of_rows y); auto. congruence. }
  pose proof (A r c) as H1. pose proof (A r (back n c)) as H2. pose proof (B r c C) as H3.
  pose proof (B (back m r) c C) as H4. rewrite (proj2 (Nat.ltb_lt r m) R), andb_true_r in H1, H2.
  destruct (square r c), (square (back m r) c), (square r (back n c)), (square (back m r) (back n c)), b;
    try discriminate; cbn; repeat eexists; discriminate.
Qed.

Lemma directions_of b v d : v < m * n -> In d (directions b v) <-> in_rows d v = b.
Proof.
  intro V. unfold directions. rewrite filter_In, eqb_true_iff. split; [tauto|]. intro E. split; auto.
  destruct d; cbn; auto.
Qed.

(* An edge of the cycle leads to one of the two. *)
Lemma edge_leads b v d : v < m * n -> in_rows d v = b -> first b v = go d v \/ second b v = go d v.
Proof.
  intros V D. apply directions_of in D; auto. unfold first, second.
  destruct (two_directions b v V) as (x & y & _ & E). rewrite E in *. destruct D as [->|[->|[]]]; cbn; auto.
Qed.

Lemma leads_along b v u : v < m * n -> near (first b) (second b) u v -> exists d, in_rows d v = b /\ u = go d v.
Proof.
  intros V H. unfold near, first, second in H. destruct (two_directions b v V) as (x & y & _ & E). rewrite E in H.
  cbn [nth] in H. destruct H as [-> | ->]; eexists; (split; [|reflexivity]); apply directions_of; auto; rewrite E;
    cbn; auto.
Qed.

Lemma cycle_connected b (f : nat -> bool) : (forall v, v < m * n -> f (first b v) = f v /\ f (second b v) = f v) ->
  forall v, v < m * n -> f v = f 0.
Proof.
  intros H v V. set (F := fun r c => f (c + n * r)).
  assert (Go : forall d r c, r < m -> c < n -> in_rows d (c + n * r) = b -> f (go d (c + n * r)) = F r c).
  { intros d r c R C D. assert (L : c + n * r < m * n) by nia. destruct (H _ L) as [A B].
    destruct (edge_leads b _ d L D) as [<-|<-]; auto. }
  assert (Right : forall r c, r < m -> c < n -> flat r c = b -> F r (next n c) = F r c).
  { intros r c R C D. rewrite <- (Go East r c) by (auto; now rewrite in_rows_at). now rewrite go_at. }
  assert (Down : forall r c, r < m -> c < n -> steep r c = b -> F (next m r) c = F r c).
  { intros r c R C D. rewrite <- (Go South r c) by (auto; now rewrite in_rows_at). now rewrite go_at. }
  destruct (by_row n m v V) as (r & c & R & C & ->). replace (f 0) with (F 0 0) by (unfold F; f_equal; lia).
  change (F r c = F 0 0).
  assert (No : forall x y, (y < q -> stair k y <> x) -> square x y = false).
  { intros x y D. unfold square. destruct (Nat.ltb_spec y q), (Nat.eqb_spec (stair k y) x); auto. exfalso.
    now apply D. }
  assert (Yes : forall y, y < q -> square (stair k y) y = true).
  { intros y Y. unfold square. rewrite Nat.eqb_refl. apply Nat.ltb_lt in Y. now rewrite Y. }
  assert (Lt : forall y, y < q -> stair k y < m /\ y < n).
  { intros y Y. split; [now apply (stair_lt m n k q)|lia]. }
  destruct b.
  - apply (rows_alike m n k q); auto.
    + intros x y X Y D E. apply Right; auto. unfold flat. rewrite !No by auto. reflexivity.
    + intros y Y. destruct (Lt y Y) as [X L]. split.
      * apply Down; auto. unfold steep. now rewrite Yes.
      * apply Down; auto using next_lt. unfold steep. rewrite back_next, Yes, orb_true_r by auto. reflexivity.
  - apply (columns_alike m n k q); auto.
    + intros x y X Y D E. apply Down; auto. unfold steep. rewrite !No by auto. reflexivity.
    + intros y Y. destruct (Lt y Y) as [X L]. split.
      * apply Right; auto. unfold flat. now rewrite Yes.
      * apply Right; auto using next_lt. unfold flat. rewrite back_next, Yes, orb_true_r by auto. reflexivity.
Qed.

Lemma cycle_neighbours b : two_neighbours (m * n) (first b) (second b).
Proof.
  assert (Mutual : forall v d, v < m * n -> in_rows d v = b -> first b (go d v) = v \/ second b (go d v) = v).
  { intros v d V D. rewrite <- (go_back d v V) at 2 4. apply edge_leads; [now apply go_lt|]. now rewrite same_edge. }
  split.
  - intros v V. split; now apply go_lt.
  - intros v V. unfold first, second. destruct (two_directions b v V) as (d & e & D & E). rewrite E. cbn [nth].
    repeat split; try (now apply go_differs). intro F. apply D. now apply (go_inj d e v).
  - intros v V. split.
    + destruct (leads_along b v (first b v) V) as (d & D & ->); [now left|]. now apply Mutual.
    + destruct (leads_along b v (second b v) V) as (d & D & ->); [now right|]. now apply Mutual.
  - apply cycle_connected.
Qed.

(* ---- the two cycles as rings ---- *)

Definition two_cycles : rings :=
  Rings 2 (fun i => walk_node (first (i =? 0)) (second (i =? 0)))
    (fun i => walk_place (m * n) (first (i =? 0)) (second (i =? 0))).

Lemma on_edge i v : v < m * n -> exists d, in_rows d v = (i =? 0) /\ onward two_cycles (m * n) i v 1 = go d v.
Proof.
  intro V. apply leads_along; auto. unfold onward. cbn [two_cycles node_at place_of].
  apply walk_near; [nia|apply cycle_neighbours|auto].
Qed.

Lemma two_cycles_ok : rings_ok Half (torus [n; m]) two_cycles.
Proof.
  assert (P : forall i v, v < m * n ->
    place_of two_cycles i v < m * n /\ node_at two_cycles i (place_of two_cycles i v) = v).
  { intros i v V. apply walk_places; [nia|apply cycle_neighbours|auto]. }
  assert (Q : forall i j, j < m * n ->
    node_at two_cycles i j < m * n /\ place_of two_cycles i (node_at two_cycles i j) = j).
  { intros i j J. apply walk_visits; [nia|apply cycle_neighbours|auto]. }
  split; change (nodes (torus [n; m])) with (product [n; m]); rewrite torus_product;
    change (ring_count two_cycles) with 2.
  - intros i v _. apply P.
  - intros i j _. apply Q.
  - intros i v _ V. destruct (on_edge i v V) as (d & _ & ->). rewrite go_weight by auto. lia.
  - intros i j v I J V E. destruct (on_edge i v V) as (d & D & A), (on_edge j v V) as (e & D' & B).
    rewrite A, B in E. apply go_inj in E; auto. subst e. rewrite D in D'.
    destruct i as [|[|i]], j as [|[|j]]; try lia; discriminate.
  - intros _ i j v I J V E. destruct (on_edge i v V) as (d & D & A).
    assert (W : go d v < m * n) by now apply go_lt. rewrite A in E.
    destruct (on_edge j (go d v) W) as (e & D' & B). rewrite B in E.
    rewrite <- (go_back d v V) in E at 2. apply go_inj in E; auto. subst e. rewrite same_edge, D in D' by auto.
    assert (i = j) by (destruct i as [|[|i]], j as [|[|j]]; try lia; discriminate). subst j.
    rewrite go_back in B by auto. unfold onward in A, B. destruct (P i v V) as [L Fv].
    set (p := place_of two_cycles i v) in *.
    assert (N : 3 <= m * n) by nia.
    assert (L1 : (p + 1) mod (m * n) < m * n) by (apply Nat.mod_upper_bound; lia).
    rewrite <- A, (proj2 (Q i _ L1)) in B. rewrite <- Fv in B. apply (f_equal (place_of two_cycles i)) in B.
    rewrite (proj2 (Q i _ L)), (proj2 (Q i _ ltac:(apply Nat.mod_upper_bound; lia))) in B.
    rewrite (mod_below p 1) in B by lia. destruct (Nat.ltb_spec (p + 1) (m * n)).
    + rewrite mod_below in B by lia. destruct (Nat.ltb_spec (p + 1 + 1) (m * n)); lia.
    + rewrite mod_below in B by lia. destruct (Nat.ltb_spec (p + 1 - m * n + 1) (m * n)); lia.
Qed.

End Edges.

(* ---- of any two sides ---- *)

(* Of m rows and at least as many columns: half the squares that are turned in the first three rows, and all. *)
Definition half_block (m n : nat) : nat :=
  if Nat.even (n - m) then (n - m) / 2 + 1 else if Nat.even m then (n - m + 3) / 2 else (n - m + 1) / 2.
Definition all_squares (m n : nat) : nat := if negb (Nat.even (n - m)) && Nat.even m then n else n - 1.

Definition wide_rings (m n : nat) : rings := two_cycles m n (half_block m n) (all_squares m n).

Lemma wide_rings_ok m n : 3 <= m -> m <= n -> rings_ok Half (torus [n; m]) (wide_rings m n).
Proof.
  intros M N. unfold wide_rings, half_block, all_squares.
  assert (Sum : Nat.even n = eqb (Nat.even (n - m)) (Nat.even m)).
  { replace n with (n - m + m) at 1 by lia. apply Nat.even_add. }
  destruct (Nat.even (n - m)) eqn:D; [|destruct (Nat.even m) eqn:Em]; cbn [negb andb eqb] in *.
  - apply Nat.even_spec in D. destruct D as [h D]. rewrite D. replace (2 * h / 2) with h by
      (rewrite Nat.mul_comm, Nat.div_mul; lia). apply two_cycles_ok; auto; lia.
  - assert (O : Nat.odd (n - m) = true) by (rewrite <- Nat.negb_even, D; reflexivity). apply Nat.odd_spec in O.
    destruct O as [h O]. replace (n - m + 3) with ((h + 2) * 2) by lia. rewrite Nat.div_mul by lia.
    assert (m <> 3) by (intros ->; discriminate Em).
    apply two_cycles_ok; auto; [lia| |lia]. right. split; [auto|]. split; [exact Sum|lia].
  - assert (O : Nat.odd (n - m) = true) by (rewrite <- Nat.negb_even, D; reflexivity). apply Nat.odd_spec in O.
    destruct O as [h O]. replace (n - m + 1) with ((h + 1) * 2) by lia. rewrite Nat.div_mul by lia.
    apply two_cycles_ok; auto; [lia|lia|]. right. split; [lia|]. split; [lia|exact Em].
Qed.

Lemma torus_exchanged m n : 3 <= m -> 3 <= n ->
  renamed (torus [m; n]) (torus [n; m]) (exchanged m n) (exchanged n m).
Proof.
  intros M N. split; cbn [nodes torus]; rewrite !torus_product.
  - apply Nat.mul_comm.
  - intros v V. destruct (by_row m n v V) as (y & x & Y & X & ->). rewrite exchanged_at by auto.
    split; [nia|]. now apply exchanged_at.
  - intros v V. rewrite Nat.mul_comm in V. destruct (by_row n m v V) as (y & x & Y & X & ->).
    rewrite exchanged_at by auto. split; [nia|]. now apply exchanged_at.
  - intros u v U V. destruct (by_row m n u U) as (y & x & Y & X & ->), (by_row m n v V) as (t & z & T & Z & ->).
    rewrite !exchanged_at, !torus_weight by auto. unfold touching. rewrite orb_comm. auto.
Qed.

(* Two cycles that share no link; in full duplex each of them both ways. *)
Definition half_torus_rings (m n : nat) : rings :=
  if m <=? n then wide_rings m n else carried (exchanged m n) (exchanged n m) (wide_rings n m).
Definition torus_rings (l : link_mode) (m n : nat) : rings :=
  match l with Half => half_torus_rings m n | Full => both_ways (m * n) (half_torus_rings m n) end.

Theorem torus_rings_ok : forall l m n, 3 <= m -> 3 <= n -> rings_ok l (torus [n; m]) (torus_rings l m n).
Proof.
  intros l m n M N.
  assert (H : rings_ok Half (torus [n; m]) (half_torus_rings m n)).
  { unfold half_torus_rings. destruct (Nat.leb_spec m n); [now apply wide_rings_ok|].
    apply (carried_ok Half (torus [m; n])); [now apply torus_exchanged|]. apply wide_rings_ok; lia. }
  destruct l; [exact H|]. unfold torus_rings. rewrite <- (torus_product m n).
  apply (both_ways_ok (torus [n; m])); auto.
  - cbn. nia.
  - apply torus_symmetric.
Qed.

(* (m n - 1) / ways rounds for each block of every node: 14 / 4 on 3 x 5 in full duplex. *)
Theorem torus_rings_optimal : forall l m n, 3 <= m -> 3 <= n ->
  let s := ring_gossip l (torus [n; m]) (torus_rings l m n) in
  valid s /\ aim s = AllGather (m * n * ways l [n; m]) /\ rounds s = m * n - 1 /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intros l m n M N. pose proof (rings_optimal l [n; m] (torus_rings l m n)) as H.
  rewrite (torus_product m n) in H. apply H.
  - now apply pair_ok.
  - nia.
  - destruct l; cbn; unfold half_torus_rings; now destruct (m <=? n).
  - destruct l; cbn; unfold half_torus_rings; destruct (m <=? n); cbn; lia.
  - now apply torus_rings_ok.
Qed.
