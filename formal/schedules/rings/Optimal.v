(* SPDX-License-Identifier: MIT *)
(* Rings on tori (docs/theory/rings.md): where they use all arcs, or half duplex all links, they meet the count bound as
   a fraction, (N - 1) / ways rounds for each block of every node. Cycles that share no link are such rings, in full
   duplex both ways. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat bounds.Counting bounds.Room bounds.Rounds.
From Gossipfab Require Import torus.Group torus.Translates torus.Optimal rings.Rings.
Import ListNotations.

(* ---- all arcs ---- *)

Theorem rings_optimal : forall l sides c, sides_ok sides -> 2 <= product sides -> ring_count c = ways l sides ->
  1 <= ring_count c -> rings_ok l (torus sides) c ->
  let s := ring_gossip l (torus sides) c in
  valid s /\ aim s = AllGather (product sides * ways l sides) /\ rounds s = product sides - 1 /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intros l sides c S2 N C C1 O s. assert (P : forall v, relay (torus sides) v = false) by reflexivity.
  assert (R : rounds s = product sides - 1) by now apply rings_rounds.
  split; [now apply rings_valid|]. split; [unfold s; cbn; now rewrite C|]. split; [exact R|].
  intros s' V On Un A. rewrite R. change (aim s) with (AllGather (product sides * ring_count c)) in A. rewrite C in A.
  pose proof (all_gather_count s' _ V A) as B. unfold all_room in B. rewrite On, Un in B.
  change (on s) with (torus sides) in B. change (under s) with (plain l) in B. cbn [packet_tokens plain link] in B.
  rewrite torus_size in B. pose proof (torus_room sides l) as T.
  set (r := room (torus sides) l) in *. set (w := ways l sides) in *. set (n := product sides) in *.
  assert (B' : n * w * (n - 1) <= rounds s' * (w * n)) by nia.
  assert (1 <= n * w) by nia. nia.
Qed.

(* ---- both ways ---- *)

(* Each cycle once more, backwards. *)
Definition both_ways (n : nat) (c : rings) : rings :=
  let R := ring_count c in
  Rings (2 * R)
    (fun i k => if i <? R then node_at c i k else node_at c (i - R) ((n - k) mod n))
    (fun i v => if i <? R then place_of c i v else (n - place_of c (i - R) v) mod n).

Lemma back_back n k : k < n -> (n - (n - k) mod n) mod n = k.
Proof.
  intro K. destruct (Nat.eq_dec k 0) as [->|Z].
  - rewrite Nat.sub_0_r, Nat.mod_same, Nat.sub_0_r, Nat.mod_same by lia. reflexivity.
  - rewrite (Nat.mod_small (n - k)) by lia. rewrite Nat.mod_small by lia. lia.
Qed.

Section BothWays.

Variables (g : graph) (c : rings).
Hypothesis two : 2 <= nodes g.
Hypothesis symmetric : forall u v, weight g u v = weight g v u.
Hypothesis ok : rings_ok Half g c.
Local Notation n := (nodes g).
Local Notation R := (ring_count c).
Local Notation go := (onward c (nodes g)).
Local Notation b := (both_ways (nodes g) c).

Lemma forth i v k : i < R -> onward b n i v k = go i v k.
Proof. intro I. unfold onward, both_ways. cbn [node_at place_of ring_count]. apply Nat.ltb_lt in I. now rewrite I. Qed.

(* A step backwards is one that leads here. *)
Lemma back i v : R <= i < 2 * R -> v < n ->
  onward b n i v 1 < n /\ go (i - R) (onward b n i v 1) 1 = v.
Proof.
  intros I V. assert (J : i - R < R) by lia. unfold onward at 1 3. unfold both_ways. cbn [node_at place_of ring_count].
  assert (F : (i <? R) = false) by (apply Nat.ltb_ge; lia). rewrite F.
  destruct (placed _ _ _ ok (i - R) v J V) as [L E]. set (p := place_of c (i - R) v) in *.
  assert (Q : (n - ((n - p) mod n + 1) mod n) mod n = (p + (n - 1)) mod n).
  { destruct (Nat.eq_dec p 0) as [->|Z].
    - rewrite Nat.sub_0_r, Nat.mod_same, (Nat.mod_small (0 + 1)) by lia. now rewrite Nat.add_0_l.
    - rewrite (Nat.mod_small (n - p)) by lia. destruct (Nat.eq_dec p 1) as [->|O].
      + replace (n - 1 + 1) with (1 * n) by lia. rewrite Nat.mod_mul, Nat.sub_0_r, Nat.mod_same by lia.
        replace (1 + (n - 1)) with (1 * n) by lia. rewrite Nat.mod_mul by lia. reflexivity.
      + rewrite (Nat.mod_small (n - p + 1)) by lia. rewrite Nat.mod_small by lia.
        replace (p + (n - 1)) with (p - 1 + 1 * n) by lia. rewrite Nat.mod_add, Nat.mod_small by lia. lia. }
  rewrite Q. change (node_at c (i - R) ((p + (n - 1)) mod n)) with (go (i - R) v (n - 1)). split.
  - now apply (go_lt Half g c two ltac:(lia) ok).
  - rewrite (go_go Half g c two ltac:(lia) ok) by auto. replace (n - 1 + 1) with n by lia. unfold onward. fold p.
    replace (p + n) with (p + 1 * n) by lia. rewrite Nat.mod_add, Nat.mod_small by lia. exact E.
Qed.

Theorem both_ways_ok : rings_ok Full g b.
Proof.
  split.
  - intros i v I V. cbn [both_ways ring_count node_at place_of] in *. destruct (Nat.ltb_spec i R) as [L|L];
      [now apply (placed _ _ _ ok)|].
    assert (J : i - R < R) by lia. destruct (placed _ _ _ ok (i - R) v J V) as [P E].
    split; [apply Nat.mod_upper_bound; lia|]. now rewrite back_back.
  - intros i k I K. cbn [both_ways ring_count node_at place_of] in *. destruct (Nat.ltb_spec i R) as [L|L];
      [now apply (visited _ _ _ ok)|].
    assert (J : i - R < R) by lia. assert (M : (n - k) mod n < n) by (apply Nat.mod_upper_bound; lia).
    destruct (visited _ _ _ ok (i - R) _ J M) as [P E]. split; [exact P|]. rewrite E. now apply back_back.
  - intros i v I V. change (ring_count b) with (2 * R) in I. destruct (Nat.ltb_spec i R) as [L|L].
    + rewrite forth by auto. now apply (linked _ _ _ ok).
    + destruct (back i v ltac:(lia) V) as [W E]. rewrite symmetric.
      pose proof (linked _ _ _ ok (i - R) _ ltac:(lia) W) as K. now rewrite E in K.
  - intros i j v I J V E. change (ring_count b) with (2 * R) in I, J.
    destruct (Nat.ltb_spec i R) as [L|L], (Nat.ltb_spec j R) as [M|M].
    + rewrite !forth in E by auto. now apply (arcs_apart _ _ _ ok i j v).
    + exfalso. destruct (back j v ltac:(lia) V) as [W F]. rewrite forth in E by auto. rewrite <- E in F.
      apply (links_apart _ _ _ ok eq_refl i (j - R) v); auto; lia.
    + exfalso. destruct (back i v ltac:(lia) V) as [W F]. rewrite (forth j) in E by auto. rewrite E in F.
      apply (links_apart _ _ _ ok eq_refl j (i - R) v); auto; lia.
    + destruct (back i v ltac:(lia) V) as [W F], (back j v ltac:(lia) V) as [W' F']. rewrite <- E in F'.
      assert (i - R = j - R); [|lia]. apply (arcs_apart _ _ _ ok _ _ (onward b n i v 1)); auto; try lia; congruence.
  - intro F. discriminate F.
Qed.

End BothWays.
