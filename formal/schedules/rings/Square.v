(* SPDX-License-Identifier: MIT *)
(* Rings of tori of n x n nodes by a formula for each place (docs/theory/rings.md). The solver takes them there. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat bounds.Counting bounds.Room bounds.Rounds.
From Gossipfab Require Import torus.Group torus.Translates torus.Optimal rings.Rings rings.Optimal.
Import ListNotations.

(* Node c + n r is in row r and column c. The first ring goes to the next column, but where r + c is n - 1 modulo n to
   the next row; the second one the other way round. So the first comes through its row from column n - r on, and the
   second through its column. *)
Definition square_rings (n : nat) : rings :=
  Rings 2
    (fun i k => let a := k / n in let b := (k mod n + (n - a)) mod n in if i =? 0 then b + n * a else a + n * b)
    (fun i v => let r := v / n in let c := v mod n in (if i =? 0 then r else c) * n + (r + c) mod n).

Section Square.

Variable n : nat.
Hypothesis three : 3 <= n.

Local Notation g := (torus [n; n]).
Local Notation q := (square_rings n).

Lemma square_nodes : nodes g = n * n.
Proof. cbn. lia. Qed.

(* A number from a higher and a lower digit. *)
Lemma two_digits a s : a < n -> s < n -> a * n + s < n * n /\ (a * n + s) / n = a /\ (a * n + s) mod n = s.
Proof.
  intros A S. replace (a * n + s) with (s + n * a) by lia. destruct (digits s a n S) as [M D]. repeat split; auto. nia.
Qed.

Lemma of_digits v : v < n * n -> v / n < n /\ v mod n < n /\ v = v mod n + n * (v / n).
Proof.
  intro V. destruct (below n n v ltac:(lia) V) as [C R]. pose proof (Nat.div_mod v n ltac:(lia)). lia.
Qed.

(* The other coordinate, from one and the sum modulo n. *)
Lemma other a b : a < n -> b < n -> ((a + b) mod n + (n - a)) mod n = b.
Proof.
  intros A B. rewrite (mod_below a b n) by auto. destruct (Nat.ltb_spec (a + b) n) as [L|L].
  - replace (a + b + (n - a)) with (b + 1 * n) by lia. rewrite Nat.mod_add, Nat.mod_small by lia. reflexivity.
  - replace (a + b - n + (n - a)) with b by lia. now apply Nat.mod_small.
Qed.

Lemma sum_again a s : a < n -> s < n -> (a + (s + (n - a)) mod n) mod n = s.
Proof.
  intros A S. rewrite Nat.add_mod_idemp_r by lia. replace (a + (s + (n - a))) with (s + 1 * n) by lia.
  rewrite Nat.mod_add, Nat.mod_small by lia. reflexivity.
Qed.

Lemma square_place i v : i < 2 -> v < n * n -> place_of q i v < n * n /\ node_at q i (place_of q i v) = v.
Proof.
  intros I V. destruct (of_digits v V) as (R & C & E). unfold square_rings. cbn [place_of node_at].
  set (r := v / n) in *. set (c := v mod n) in *.
  assert (S : (r + c) mod n < n) by (apply Nat.mod_upper_bound; lia).
  destruct (i =? 0).
  - destruct (two_digits r _ R S) as (L & -> & ->). split; auto. rewrite other by auto. lia.
  - destruct (two_digits c _ C S) as (L & -> & ->). split; auto. rewrite (Nat.add_comm r c), other by auto. lia.
Qed.

Lemma square_node i k : i < 2 -> k < n * n -> node_at q i k < n * n /\ place_of q i (node_at q i k) = k.
Proof.
  intros I K. destruct (of_digits k K) as (A & S & E). unfold square_rings. cbn [place_of node_at].
  set (a := k / n) in *. set (s := k mod n) in *.
  assert (B : (s + (n - a)) mod n < n) by (apply Nat.mod_upper_bound; lia).
  destruct (i =? 0).
  - replace ((s + (n - a)) mod n + n * a) with (a * n + (s + (n - a)) mod n) by lia.
    destruct (two_digits a _ A B) as (L & -> & ->). split; auto. rewrite sum_again by auto. lia.
  - replace (a + n * ((s + (n - a)) mod n)) with ((s + (n - a)) mod n * n + a) by lia.
    destruct (two_digits _ a B A) as (L & -> & ->). split; auto. rewrite Nat.add_comm, (Nat.add_comm _ a).
    rewrite sum_again by auto. lia.
Qed.

(* The next column, the next row. *)
Definition right (v : nat) : nat := (v mod n + 1) mod n + n * (v / n).
Definition down (v : nat) : nat := v mod n + n * ((v / n + 1) mod n).

(* From a place to the next: coordinate a and the sum s. *)
Lemma next_place a b : a < n -> b < n ->
  let k := (a * n + (a + b) mod n + 1) mod (n * n) in
  if (a + b) mod n =? n - 1 then k / n = (a + 1) mod n /\ (k mod n + (n - k / n)) mod n = b
  else k / n = a /\ (k mod n + (n - k / n)) mod n = (b + 1) mod n.
Proof.
  intros A B k. subst k. set (s := (a + b) mod n). assert (S : s < n) by (apply Nat.mod_upper_bound; lia).
  destruct (Nat.eqb_spec s (n - 1)) as [E|E].
  - assert (F : a + b = n - 1).
    { unfold s in E. rewrite mod_below in E by auto. destruct (Nat.ltb_spec (a + b) n); lia. }
    rewrite E. replace (a * n + (n - 1) + 1) with ((a + 1) * n) by nia.
    destruct (Nat.eq_dec (a + 1) n) as [Z|N].
    + rewrite Z. rewrite (Nat.mod_same (n * n)) by nia. rewrite Nat.div_0_l, Nat.mod_0_l, Nat.sub_0_r by lia.
      rewrite Nat.add_0_l, Nat.mod_same by lia. split; auto. lia.
    + destruct (two_digits (a + 1) 0 ltac:(lia) ltac:(lia)) as (L & D & M). rewrite Nat.add_0_r in L, D, M.
      rewrite (Nat.mod_small _ (n * n)) by auto. rewrite D, M, (Nat.mod_small (a + 1)) by lia. split; auto.
      rewrite Nat.mod_small; lia.
  - destruct (two_digits a (s + 1) A ltac:(lia)) as (L & D & M). rewrite <- Nat.add_assoc.
    rewrite (Nat.mod_small _ (n * n)) by auto. rewrite D, M. split; auto.
    replace (s + 1 + (n - a)) with (s + (n - a) + 1) by lia. rewrite <- Nat.add_mod_idemp_l by lia.
    unfold s. now rewrite other.
Qed.

Lemma square_next i v : i < 2 -> v < n * n ->
  onward q (n * n) i v 1 = if xorb (i =? 0) ((v / n + v mod n) mod n =? n - 1) then right v else down v.
Proof.
  intros I V. destruct (of_digits v V) as (R & C & _). unfold onward, square_rings, right, down.
  cbn [place_of node_at]. set (r := v / n) in *. set (c := v mod n) in *. destruct (i =? 0).
  - pose proof (next_place r c R C) as P. cbv zeta in P. set (k := (r * n + (r + c) mod n + 1) mod (n * n)) in *.
    destruct ((r + c) mod n =? n - 1); destruct P as [-> ->]; cbn [xorb]; lia.
  - pose proof (next_place c r C R) as P. rewrite (Nat.add_comm c r) in P. cbv zeta in P.
    set (k := (c * n + (r + c) mod n + 1) mod (n * n)) in *.
    destruct ((r + c) mod n =? n - 1); destruct P as [-> ->]; cbn [xorb]; lia.
Qed.

Lemma right_digits v : v < n * n -> right v < n * n /\ right v mod n = (v mod n + 1) mod n /\ right v / n = v / n.
Proof.
  intro V. destruct (of_digits v V) as (R & C & _).
  assert (S : (v mod n + 1) mod n < n) by (apply Nat.mod_upper_bound; lia).
  unfold right. destruct (digits _ (v / n) n S) as [-> ->]. repeat split. nia.
Qed.

Lemma down_digits v : v < n * n -> down v < n * n /\ down v mod n = v mod n /\ down v / n = (v / n + 1) mod n.
Proof.
  intro V. destruct (of_digits v V) as (R & C & _). assert (S : (v / n + 1) mod n < n) by (apply Nat.mod_upper_bound;
    lia).
  unfold down. destruct (digits _ ((v / n + 1) mod n) n C) as [-> ->]. repeat split. nia.
Qed.

Lemma moves_on a : a < n -> (a + 1) mod n <> a /\ ((a + 1) mod n + 1) mod n <> a.
Proof.
  intro A. rewrite Nat.add_mod_idemp_l by lia. split; intro E.
  - rewrite mod_below in E by lia. destruct (Nat.ltb_spec (a + 1) n); lia.
  - rewrite <- Nat.add_assoc, mod_below in E by lia. destruct (Nat.ltb_spec (a + (1 + 1)) n); lia.
Qed.

Lemma two_sides : sides_ok [n; n].
Proof. intros x [<-|[<-|[]]]; auto. Qed.

Lemma right_weight v : v < n * n -> weight g v (right v) = 1.
Proof.
  intro V. destruct (of_digits v V) as (R & C & _).
  assert (E : right v = plus [n; n] v 1).
  { unfold right. cbn [plus]. rewrite (Nat.mod_small 1 n), (Nat.div_small 1 n), Nat.mod_0_l by lia.
    rewrite (Nat.mod_small (v / n) n), (Nat.add_0_r (v / n)), (Nat.mod_small (v / n) n) by lia. lia. }
  rewrite E. apply step_weight; auto using two_sides. { cbn. lia. }
  split; [cbn; nia|]. exists 1. split; auto. cbn. auto.
Qed.

Lemma down_weight v : v < n * n -> weight g v (down v) = 1.
Proof.
  intro V. destruct (of_digits v V) as (R & C & _).
  assert (E : down v = plus [n; n] v n).
  { unfold down. cbn [plus]. rewrite (Nat.mod_same n), (Nat.div_same n), (Nat.mod_small 1 n) by lia.
    rewrite (Nat.mod_small (v / n) n), (Nat.add_0_r (v mod n)), (Nat.mod_small (v mod n) n) by lia. lia. }
  rewrite E. apply step_weight; auto using two_sides. { cbn. lia. }
  split; [cbn; nia|]. exists n. split; auto. cbn. lia.
Qed.

Theorem square_rings_ok : rings_ok Half g q.
Proof.
  assert (N : nodes g = n * n) by apply square_nodes.
  split; rewrite N.
  - exact square_place.
  - exact square_node.
  - intros i v I V. rewrite square_next by auto. destruct (xorb _ _); [rewrite right_weight|rewrite down_weight]; auto.
  - intros i j v I J V E. rewrite !square_next in E by auto.
    assert (D : right v <> down v).
    { intro F. destruct (right_digits v V) as (_ & M & _), (down_digits v V) as (_ & M' & _). rewrite F, M' in M.
      destruct (moves_on (v mod n)) as [P _]; [apply Nat.mod_upper_bound; lia|]. congruence. }
    change (ring_count q) with 2 in I, J.
    destruct i as [|[|i]], j as [|[|j]]; try lia; cbn [Nat.eqb] in E;
      destruct ((v / n + v mod n) mod n =? n - 1); cbn [xorb] in E; congruence.
  - intros _ i j v I J V E. destruct (of_digits v V) as (R & C & _).
    destruct (moves_on (v mod n) C) as [P1 P2], (moves_on (v / n) R) as [Q1 Q2].
    destruct (right_digits v V) as (L1 & M1 & D1), (down_digits v V) as (L2 & M2 & D2).
    rewrite (square_next i) in E by auto. destruct (xorb (i =? 0) _).
    + rewrite square_next in E by auto.
      destruct (right_digits _ L1) as (_ & M & D), (down_digits _ L1) as (_ & M' & D').
      destruct (xorb _ _); [rewrite E, M1 in M; congruence|rewrite E, D1 in D'; congruence].
    + rewrite square_next in E by auto.
      destruct (right_digits _ L2) as (_ & M & D), (down_digits _ L2) as (_ & M' & D').
      destruct (xorb _ _); [rewrite E, M2 in M; congruence|rewrite E, D2 in D'; congruence].
Qed.

End Square.

(* The rings of either link mode. *)
Definition square_torus_rings (l : link_mode) (n : nat) : rings :=
  match l with Half => square_rings n | Full => both_ways (n * n) (square_rings n) end.

(* (N - 1) / ways rounds for each block of every node: 15 / 4 on 4 x 4 in full duplex. *)
Theorem square_rings_optimal : forall l n, 3 <= n ->
  let s := ring_gossip l (torus [n; n]) (square_torus_rings l n) in
  valid s /\ aim s = AllGather (n * n * ways l [n; n]) /\ rounds s = n * n - 1 /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intros l n N. pose proof (rings_optimal l [n; n] (square_torus_rings l n) (two_sides n N)) as H.
  assert (P : product [n; n] = n * n) by (cbn; lia). rewrite P in H. apply H.
  - nia.
  - now destruct l.
  - destruct l; cbn; lia.
  - destruct l; [now apply square_rings_ok|]. unfold square_torus_rings. rewrite <- (square_nodes n N).
    apply both_ways_ok; [rewrite (square_nodes n N); nia|apply torus_symmetric|now apply square_rings_ok].
Qed.
