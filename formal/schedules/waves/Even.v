(* SPDX-License-Identifier: MIT *)
(* Cycles of even length through all nodes: of meshes, and of tori of any number of axes, of which a cycle is one and a
   hypercube, with all sides 2, another. So waves meet the bound there. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat bounds.OnePort mesh.Bound torus.Group.
From Gossipfab Require Import rings.Rings rings.Carry waves.Waves.
Import ListNotations.

(* ---- meshes of an even number of rows ---- *)

(* To and fro through the rows, but for the first column, which leads back. *)
Definition snake (m n : nat) : rings :=
  let w := n - 1 in
  Rings 1
    (fun _ k => if k <? m * w then let r := k / w in
                  (if Nat.even r then k mod w + 1 else n - 1 - k mod w) + n * r
                else n * (m - 1 - (k - m * w)))
    (fun _ v => let r := v / n in let x := v mod n in
                if x =? 0 then m * w + (m - 1 - r)
                else r * w + if Nat.even r then x - 1 else n - 1 - x).

Lemma mesh_link m n r x s y : x < n -> y < n ->
  (r = s /\ next_to x y = true) \/ (x = y /\ next_to r s = true) -> weight (mesh m n) (x + n * r) (y + n * s) = 1.
Proof.
  intros X Y H. cbn [weight mesh]. destruct (digits x r n X) as [-> ->], (digits y s n Y) as [-> ->].
  destruct H as [[-> ->]|[-> ->]]; rewrite Nat.eqb_refl; cbn; now rewrite ?orb_true_r.
Qed.

Lemma next_to_next a : next_to a (a + 1) = true /\ next_to (a + 1) a = true.
Proof. unfold next_to. rewrite Nat.add_1_r, Nat.eqb_refl, orb_true_r. auto. Qed.

Section Snake.

Variables m n : nat.
Hypothesis rows : 2 <= m.
Hypothesis columns : 2 <= n.
Hypothesis even_rows : Nat.even m = true.

Local Notation w := (n - 1).
Local Notation node := (node_at (snake m n) 0).
Local Notation place := (place_of (snake m n) 0).

(* Nodes and places by row and column. *)
Lemma snake_place r x : r < m -> x < n ->
  place (x + n * r) = if x =? 0 then m * w + (m - 1 - r) else r * w + if Nat.even r then x - 1 else n - 1 - x.
Proof. intros R X. cbn [snake place_of]. destruct (digits x r n X) as [-> ->]. reflexivity. Qed.

Lemma snake_row r o : r < m -> o < w -> node (r * w + o) = (if Nat.even r then o + 1 else n - 1 - o) + n * r.
Proof.
  intros R O. cbn [snake node_at]. replace (r * w + o) with (o + w * r) by lia.
  destruct (digits o r w O) as [-> ->]. rewrite (proj2 (Nat.ltb_lt _ _)) by nia. reflexivity.
Qed.

Lemma snake_back j : j < m -> node (m * w + j) = n * (m - 1 - j).
Proof.
  intro J. cbn [snake node_at]. rewrite (proj2 (Nat.ltb_ge _ _)) by lia. f_equal. lia.
Qed.

Lemma a_place k : k < m * n -> (exists r o, r < m /\ o < w /\ k = r * w + o) \/ (exists j, j < m /\ k = m * w + j).
Proof.
  intro K. destruct (Nat.lt_ge_cases k (m * w)) as [L|L].
  - left. exists (k / w), (k mod w). pose proof (Nat.div_mod k w ltac:(lia)).
    pose proof (Nat.mod_upper_bound k w ltac:(lia)). repeat split; try lia. apply Nat.div_lt_upper_bound; lia.
  - right. exists (k - m * w). split; [nia|lia].
Qed.

Lemma snake_placed v : v < m * n -> place v < m * n /\ node (place v) = v.
Proof.
  intro V. destruct (by_row n m v V) as (r & x & R & X & ->). rewrite snake_place by auto.
  destruct (Nat.eqb_spec x 0) as [->|Z].
  - split; [nia|]. rewrite snake_back by lia. cbn. f_equal. lia.
  - assert (O : (if Nat.even r then x - 1 else n - 1 - x) < w) by (destruct (Nat.even r); lia).
    split; [nia|]. rewrite snake_row by auto. destruct (Nat.even r); lia.
Qed.

Lemma snake_visited k : k < m * n -> node k < m * n /\ place (node k) = k.
Proof.
  intro K. destruct (a_place k K) as [(r & o & R & O & ->)|(j & J & ->)].
  - rewrite snake_row by auto. set (x := if Nat.even r then o + 1 else n - 1 - o).
    assert (X : 1 <= x < n) by (unfold x; destruct (Nat.even r); lia). split; [nia|].
    rewrite snake_place by lia. destruct (Nat.eqb_spec x 0); [lia|]. unfold x. destruct (Nat.even r); lia.
  - rewrite snake_back by auto. split; [nia|]. change (n * (m - 1 - j)) with (0 + n * (m - 1 - j)).
    rewrite snake_place by lia. cbn [Nat.eqb]. lia.
Qed.

Lemma snake_linked v : v < m * n -> weight (mesh m n) v (node ((place v + 1) mod (m * n))) = 1.
Proof.
  intro V. destruct (by_row n m v V) as (r & x & R & X & ->). rewrite snake_place by auto.
  destruct (next_to_next (r - 1)) as [_ Up]. destruct (next_to_next r) as [Down _].
  destruct (Nat.eqb_spec x 0) as [->|Z].
  - destruct (Nat.eq_dec r 0) as [->|P].
    + replace (m * w + (m - 1 - 0) + 1) with (1 * (m * n)) by nia. rewrite Nat.mod_mul by nia.
      change (node 0) with (node (0 * w + 0)). rewrite snake_row by lia. apply (mesh_link m n 0 0 0 1); try lia.
      left. split; auto.
    + rewrite Nat.mod_small by nia. replace (m * w + (m - 1 - r) + 1) with (m * w + (m - r)) by lia.
      rewrite snake_back by lia. replace (n * (m - 1 - (m - r))) with (0 + n * (r - 1)) by (cbn; f_equal; lia).
      apply (mesh_link m n r 0 (r - 1) 0); try lia. right. split; auto.
      replace (r - 1 + 1) with r in Up by lia. exact Up.
  - set (o := if Nat.even r then x - 1 else n - 1 - x).
    assert (O : o < w) by (unfold o; destruct (Nat.even r); lia).
    rewrite Nat.mod_small by nia. destruct (Nat.eq_dec (o + 1) w) as [E|E].
    + replace (r * w + o + 1) with ((r + 1) * w) by nia. destruct (Nat.eq_dec (r + 1) m) as [L|L].
      * rewrite L. rewrite <- (Nat.add_0_r (m * w)), snake_back by lia.
        replace (n * (m - 1 - 0)) with (0 + n * r) by (cbn; f_equal; lia).
        apply (mesh_link m n r x r 0); try lia. left. split; auto.
        assert (Odd : Nat.even r = false).
        { rewrite <- L, Nat.even_add in even_rows. now destruct (Nat.even r). }
        unfold o in E. rewrite Odd in E. replace x with (0 + 1) by lia. apply next_to_next.
      * rewrite <- (Nat.add_0_r ((r + 1) * w)), snake_row by lia.
        replace (Nat.even (r + 1)) with (negb (Nat.even r)) by (rewrite Nat.even_add; now destruct (Nat.even r)).
        unfold o in E. apply mesh_link; [lia|destruct (Nat.even r); cbn; lia|]. right. split; auto.
        destruct (Nat.even r); cbn; lia.
    + rewrite <- Nat.add_assoc, snake_row by lia. unfold o in *.
      apply mesh_link; [lia|destruct (Nat.even r); lia|]. left. split; auto. destruct (Nat.even r).
      * replace (x - 1 + 1 + 1) with (x + 1) by lia. apply next_to_next.
      * replace x with (n - 1 - (n - 1 - x + 1) + 1) at 1 by lia. apply next_to_next.
Qed.

Lemma snake_ok : rings_ok Full (mesh m n) (snake m n).
Proof.
  split; change (ring_count (snake m n)) with 1; change (nodes (mesh m n)) with (m * n).
  - intros i v I. assert (i = 0) by lia. subst i. apply snake_placed.
  - intros i k I. assert (i = 0) by lia. subst i. apply snake_visited.
  - intros i v I V. assert (i = 0) by lia. subst i. unfold onward. rewrite snake_linked by auto. lia.
  - intros i j v I J. lia.
  - intro E. discriminate E.
Qed.

End Snake.

(* ---- meshes ---- *)

Lemma mesh_exchanged m n : renamed (mesh n m) (mesh m n) (exchanged m n) (exchanged n m).
Proof.
  split; cbn [nodes mesh].
  - apply Nat.mul_comm.
  - intros v V. destruct (by_row m n v V) as (y & x & Y & X & ->). rewrite exchanged_at by auto.
    split; [nia|]. now rewrite exchanged_at.
  - intros v V. rewrite Nat.mul_comm in V. destruct (by_row n m v V) as (y & x & Y & X & ->).
    rewrite exchanged_at by auto. split; [nia|]. now rewrite exchanged_at.
  - intros u v U V. destruct (by_row m n u U) as (y & x & Y & X & ->), (by_row m n v V) as (y' & x' & Y' & X' & ->).
    rewrite !exchanged_at by auto. cbn [weight mesh].
    destruct (digits x y m X) as [-> ->], (digits x' y' m X') as [-> ->].
    destruct (digits y x n Y) as [-> ->], (digits y' x' n Y') as [-> ->].
    rewrite (orb_comm ((y =? y') && _)). lia.
Qed.

Definition mesh_cycle (m n : nat) : rings :=
  if Nat.even m then snake m n else carried (exchanged m n) (exchanged n m) (snake n m).

Lemma mesh_cycle_ok m n : 2 <= m -> 2 <= n -> Nat.even (m * n) = true ->
  rings_ok Full (mesh m n) (mesh_cycle m n) /\ ring_count (mesh_cycle m n) = 1.
Proof.
  intros M N E. rewrite Nat.even_mul in E. unfold mesh_cycle. destruct (Nat.even m) eqn:Em.
  - split; [now apply snake_ok|reflexivity].
  - split; [|reflexivity]. apply (carried_ok Full (mesh n m)); [apply mesh_exchanged|now apply snake_ok].
Qed.

Theorem mesh_even_cycle : forall m n, 2 <= m -> 2 <= n -> Nat.even (m * n) = true ->
  even_cycle (mesh m n) (mesh_cycle m n).
Proof.
  intros m n M N E. destruct (mesh_cycle_ok m n M N E) as [O C]. split; auto.
  - cbn. nia.
  - apply mesh_symmetric.
Qed.

Theorem mesh_waves_optimal : forall l m n b, 2 <= m -> 2 <= n -> Nat.even (m * n) = true -> 1 <= b ->
  let s := wave_gossip l (mesh m n) (mesh_cycle m n) b in
  valid s /\ aim s = AllGather (m * n * b) /\ rounds s = nodes_a_packet l * b * (m * n - 1) /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intros l m n b M N E B. destruct (waves_optimal l (mesh m n) (mesh_cycle m n) b) as (V & _ & _ & A & R & O); auto.
  - now apply mesh_even_cycle.
  - intros u v. cbn. destruct (_ || _); lia.
Qed.

(* ---- tori ---- *)

(* A way through all nodes of a torus: to and fro along the first axis, one step of the way of the others between. *)
Fixpoint way_node (sides : list nat) (k : nat) : nat :=
  match sides with
  | [] => 0
  | n :: rest => (if Nat.even (k / n) then k mod n else n - 1 - k mod n) + n * way_node rest (k / n)
  end.
Fixpoint way_place (sides : list nat) (v : nat) : nat :=
  match sides with
  | [] => 0
  | n :: rest => let r := way_place rest (v / n) in
      (if Nat.even r then v mod n else n - 1 - v mod n) + n * r
  end.

Definition two_or_more (sides : list nat) : Prop := forall n, In n sides -> 2 <= n.

Lemma product_1 sides : two_or_more sides -> 1 <= product sides.
Proof.
  induction sides as [|n sides IH]; intro H; [cbn; lia|]. cbn. fold (product sides).
  specialize (IH (fun m I => H m (or_intror I))). specialize (H n (or_introl eq_refl)). nia.
Qed.

Lemma add_0 sides v : two_or_more sides -> v < product sides -> plus sides v 0 = v.
Proof.
  revert v. induction sides as [|n sides IH]; intros v H V; [cbn in *; lia|]. cbn in V. fold (product sides) in V.
  pose proof (H n (or_introl eq_refl)). destruct (below n (product sides) v) as [X Y]; [lia|lia|].
  cbn [plus]. rewrite Nat.mod_0_l, Nat.div_0_l, Nat.add_0_r, Nat.mod_mod by lia.
  rewrite IH; auto; [pose proof (Nat.div_mod v n); lia|]. intros m I. apply H. cbn. auto.
Qed.

Section Axis.

Variables (n : nat) (rest : list nat).
Hypothesis n_2 : 2 <= n.
Hypothesis rest_2 : two_or_more rest.
Local Notation M := (product rest).

Lemma step_first x y : x + 1 < n -> y < M -> weight (torus (n :: rest)) (x + n * y) (x + 1 + n * y) = 1.
Proof.
  intros X Y. cbn [weight torus units existsb]. replace (plus (n :: rest) (x + n * y) 1) with (x + 1 + n * y).
  - now rewrite Nat.eqb_refl.
  - cbn [plus]. destruct (digits x y n) as [-> ->]; [lia|]. rewrite (Nat.mod_small 1), (Nat.div_small 1) by lia.
    rewrite (Nat.mod_small (x + 1)), add_0 by auto. reflexivity.
Qed.

Lemma step_other x y z : x < n -> 1 <= weight (torus rest) y z ->
  weight (torus (n :: rest)) (x + n * y) (x + n * z) = 1.
Proof.
  intros X W. cbn [weight torus] in *. destruct (existsb _ (units rest)) eqn:E; [|lia]. apply existsb_exists in E.
  destruct E as (e & I & E). replace (existsb _ _) with true; auto. symmetry. apply existsb_exists. exists (n * e).
  split; [cbn; right; now apply in_map|].
  assert (P : forall a, plus (n :: rest) (x + n * a) (n * e) = x + n * plus rest a e).
  { intro a. cbn [plus]. destruct (digits x a n X) as [-> ->]. rewrite (Nat.mul_comm n e), Nat.mod_mul, Nat.div_mul,
      Nat.add_0_r, Nat.mod_small by lia. reflexivity. }
  rewrite !P. apply orb_true_iff in E. apply orb_true_iff. rewrite !Nat.eqb_eq in *. destruct E as [<-|<-]; auto.
Qed.

End Axis.

Lemma flipped n x (e : bool) : x < n ->
  (if e then (if e then x else n - 1 - x) else n - 1 - (if e then x else n - 1 - x)) = x.
Proof. destruct e; lia. Qed.

Lemma way_ok sides : two_or_more sides ->
  (forall v, v < product sides -> way_place sides v < product sides /\ way_node sides (way_place sides v) = v) /\
  (forall k, k < product sides -> way_node sides k < product sides /\ way_place sides (way_node sides k) = k) /\
  (forall k, k + 1 < product sides -> 1 <= weight (torus sides) (way_node sides k) (way_node sides (k + 1))).
Proof.
  induction sides as [|n rest IH]; intro H; [cbn; repeat split; lia|].
  pose proof (H n (or_introl eq_refl)) as N. assert (H' : two_or_more rest) by (intros m I; apply H; cbn; auto).
  destruct (IH H') as (P & V & W). change (product (n :: rest)) with (n * product rest).
  assert (N0 : n <> 0) by lia. split; [|split].
  - intros v L. destruct (below n (product rest) v N0 L) as [X Y]. destruct (P _ Y) as [Q E].
    cbn [way_place way_node]. set (r := way_place rest (v / n)) in *.
    assert (F : (if Nat.even r then v mod n else n - 1 - v mod n) < n) by (destruct (Nat.even r); lia).
    destruct (digits _ r n F) as [-> ->]. split; [nia|]. rewrite flipped, E by auto.
    pose proof (Nat.div_mod v n N0). lia.
  - intros k L. destruct (below n (product rest) k N0 L) as [X Y]. destruct (V _ Y) as [Q E].
    cbn [way_place way_node].
    assert (F : (if Nat.even (k / n) then k mod n else n - 1 - k mod n) < n) by (destruct (Nat.even (k / n)); lia).
    destruct (digits _ (way_node rest (k / n)) n F) as [-> ->]. split; [nia|]. rewrite E, flipped by auto.
    pose proof (Nat.div_mod k n N0). lia.
  - intros k L. destruct (below n (product rest) k N0 ltac:(lia)) as [X Y]. cbn [way_node].
    pose proof (Nat.div_mod k n N0) as D. set (r := k / n) in *. set (x := k mod n) in *.
    destruct (V r Y) as [Q _]. destruct (Nat.eq_dec (x + 1) n) as [E|E].
    + replace (k + 1) with (0 + n * (r + 1)) by lia. destruct (digits 0 (r + 1) n) as [-> ->]; [lia|].
      replace (Nat.even (r + 1)) with (negb (Nat.even r)) by (rewrite Nat.even_add; now destruct (Nat.even r)).
      assert (r + 1 < product rest) by nia. specialize (W r H0).
      destruct (Nat.even r); cbn [negb].
      * replace (n - 1 - 0) with x by lia. rewrite step_other; auto.
      * replace (n - 1 - x) with 0 by lia. rewrite step_other; auto. lia.
    + replace (k + 1) with (x + 1 + n * r) by lia. destruct (digits (x + 1) r n) as [-> ->]; [lia|].
      destruct (Nat.even r).
      * rewrite step_first; auto. lia.
      * rewrite torus_symmetric. replace (n - 1 - x) with (n - 1 - (x + 1) + 1) by lia. rewrite step_first; auto. lia.
Qed.

(* Row r of a mesh is the r-th node of the way through the other axes. *)
Definition onto (n : nat) (row : nat -> nat) (v : nat) : nat := v mod n + n * row (v / n).

Lemma mesh_in_torus n rest : 2 <= n -> two_or_more rest ->
  renamed (mesh (product rest) n) (torus (n :: rest)) (onto n (way_node rest)) (onto n (way_place rest)).
Proof.
  intros N H. destruct (way_ok rest H) as (P & V & W).
  split; cbn [nodes mesh torus].
  - change (product (n :: rest)) with (n * product rest). lia.
  - intros v L. destruct (by_row n _ v L) as (y & x & Y & X & ->). unfold onto. destruct (V y Y) as [Q E].
    destruct (digits x y n X) as [-> ->]. destruct (digits x (way_node rest y) n X) as [-> ->]. rewrite E. split; auto.
    nia.
  - intros v L. destruct (by_row n _ v L) as (y & x & Y & X & ->). unfold onto. destruct (P y Y) as [Q E].
    destruct (digits x y n X) as [-> ->]. destruct (digits x (way_place rest y) n X) as [-> ->]. rewrite E. split; auto.
    nia.
  - intros u v Lu Lv. destruct (by_row n _ u Lu) as (y & x & Y & X & ->).
    destruct (by_row n _ v Lv) as (t & z & T & Z & ->). unfold onto.
    cbn [weight mesh]. destruct (digits x y n X) as [-> ->], (digits z t n Z) as [-> ->].
    destruct (_ || _) eqn:E; [|lia]. apply Nat.eq_le_incl. symmetry.
    apply orb_true_iff in E. unfold next_to in E. rewrite !andb_true_iff, !orb_true_iff, !Nat.eqb_eq in E.
    destruct (V y Y) as [Q _]. destruct E as [[<- [->| ->]]|[<- [->| ->]]].
    + rewrite torus_symmetric. rewrite <- (Nat.add_1_r z). apply step_first; auto. lia.
    + rewrite <- (Nat.add_1_r x). apply step_first; auto. lia.
    + rewrite torus_symmetric. apply step_other; auto. specialize (W t ltac:(lia)). now rewrite Nat.add_1_r in W.
    + apply step_other; auto. specialize (W y ltac:(lia)). now rewrite Nat.add_1_r in W.
Qed.

Definition torus_cycle (sides : list nat) : rings :=
  match sides with
  | n :: (_ :: _) as rest => carried (onto n (way_node rest)) (onto n (way_place rest)) (mesh_cycle (product rest) n)
  | _ => Rings 1 (fun _ k => k) (fun _ v => v)
  end.

Lemma one_axis n : 2 <= n -> rings_ok Full (torus [n]) (Rings 1 (fun _ k => k) (fun _ v => v)).
Proof.
  intro N. split; cbn [ring_count node_at place_of]; auto.
  - intros i v _ V. cbn [nodes torus product fold_right] in *. rewrite Nat.mul_1_r in *. unfold onward.
    cbn [node_at place_of]. rewrite mod_below by lia. destruct (Nat.ltb_spec (v + 1) n) as [L|L].
    + assert (E : two_or_more []) by (intros m []).
      pose proof (step_first n [] ltac:(lia) E v 0 L ltac:(cbn; lia)) as S. rewrite Nat.mul_0_r, !Nat.add_0_r in S.
      rewrite S. lia.
    + cbn [weight torus units existsb]. replace (plus [n] v 1 =? v + 1 - n) with true; [cbn; lia|]. symmetry.
      apply Nat.eqb_eq. cbn [plus]. replace v with (n - 1) by lia.
      rewrite (Nat.mod_small (n - 1)), (Nat.mod_small 1) by lia.
      replace (n - 1 + 1) with n by lia. rewrite Nat.mod_same by lia. lia.
  - intros i j v I J. lia.
  - intro E. discriminate E.
Qed.

Theorem torus_even_cycle : forall sides, sides <> [] -> two_or_more sides -> Nat.even (product sides) = true ->
  even_cycle (torus sides) (torus_cycle sides).
Proof.
  intros sides S H E.
  assert (O : rings_ok Full (torus sides) (torus_cycle sides) /\ ring_count (torus_cycle sides) = 1).
  { destruct sides as [|n [|k rest]]; [congruence| |].
    - split; [|reflexivity]. apply one_axis. apply H. cbn. auto.
    - assert (H' : two_or_more (k :: rest)) by (intros m I; apply H; cbn; auto).
      pose proof (product_1 rest (fun m I => H' m (or_intror I))). pose proof (H' k (or_introl eq_refl)).
      pose proof (H n (or_introl eq_refl)) as N.
      destruct (mesh_cycle_ok (product (k :: rest)) n) as [O C]; auto.
      + change (product (k :: rest)) with (k * product rest). nia.
      + change (product (n :: k :: rest)) with (n * product (k :: rest)) in E. now rewrite Nat.mul_comm.
      + split; [|exact C]. apply (carried_ok Full (mesh (product (k :: rest)) n)); auto. now apply mesh_in_torus. }
  destruct O as [O C]. split; auto.
  - now apply product_1.
  - apply torus_symmetric.
Qed.

Theorem torus_waves_optimal : forall l sides b, sides <> [] -> two_or_more sides ->
  Nat.even (product sides) = true -> 1 <= b ->
  let s := wave_gossip l (torus sides) (torus_cycle sides) b in
  valid s /\ aim s = AllGather (product sides * b) /\ rounds s = nodes_a_packet l * b * (product sides - 1) /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intros l sides b S H E B.
  destruct (waves_optimal l (torus sides) (torus_cycle sides) b) as (V & _ & _ & A & R & O); auto.
  - now apply torus_even_cycle.
  - intros u v. cbn. destruct (existsb _ _); lia.
Qed.
