(* SPDX-License-Identifier: MIT *)
(* Rings of one graph are rings of another one with the same nodes by other names, and all of its links. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule torus.Group rings.Rings.

(* ---- m rows of n nodes ---- *)

Lemma by_row n m v : v < m * n -> exists r x, r < m /\ x < n /\ v = x + n * r.
Proof.
  intro V. assert (N : n <> 0) by nia. destruct (below n m v N ltac:(lia)) as [X R]. exists (v / n), (v mod n).
  repeat split; auto. pose proof (Nat.div_mod v n N). lia.
Qed.

(* The same with rows for columns. *)
Definition exchanged (m n v : nat) : nat := v / m + n * (v mod m).

Lemma exchanged_at m n x y : x < m -> exchanged m n (x + m * y) = y + n * x.
Proof. intro X. unfold exchanged. now destruct (digits x y m X) as [-> ->]. Qed.

(* ---- rings ---- *)

(* Node v of g is node name v of h, and node w of h is node old w of g. *)
Record renamed (g h : graph) (name old : nat -> nat) : Prop := {
  as_many : nodes h = nodes g;
  name_old : forall v, v < nodes g -> name v < nodes g /\ old (name v) = v;
  old_name : forall w, w < nodes g -> old w < nodes g /\ name (old w) = w;
  links_too : forall u v, u < nodes g -> v < nodes g -> weight g u v <= weight h (name u) (name v) }.

Definition carried (name old : nat -> nat) (c : rings) : rings :=
  Rings (ring_count c) (fun i k => name (node_at c i k)) (fun i v => place_of c i (old v)).

Section Carry.

Variables (l : link_mode) (g h : graph) (name old : nat -> nat) (c : rings).
Hypothesis same : renamed g h name old.
Hypothesis ok : rings_ok l g c.

Local Notation n := (nodes g).

Lemma carried_onward i v : onward (carried name old c) n i v 1 = name (onward c n i (old v) 1).
Proof. reflexivity. Qed.

Lemma onward_lt i v : i < ring_count c -> v < n -> onward c n i v 1 < n.
Proof. intros I V. apply (visited _ _ _ ok); auto. apply Nat.mod_upper_bound. lia. Qed.

Lemma name_inj u v : u < n -> v < n -> name u = name v -> u = v.
Proof.
  intros U V E. destruct (name_old _ _ _ _ same u U) as [_ <-], (name_old _ _ _ _ same v V) as [_ <-]. now rewrite E.
Qed.

Theorem carried_ok : rings_ok l h (carried name old c).
Proof.
  split; rewrite (as_many _ _ _ _ same).
  - intros i v I V. destruct (old_name _ _ _ _ same v V) as [O E]. destruct (placed _ _ _ ok i (old v) I O) as [P F].
    split; [exact P|]. cbn [carried node_at place_of]. now rewrite F.
  - intros i k I K. destruct (visited _ _ _ ok i k I K) as [V E].
    destruct (name_old _ _ _ _ same _ V) as [N F]. split; [exact N|]. cbn [carried node_at place_of]. now rewrite F.
  - intros i v I V. rewrite carried_onward. destruct (old_name _ _ _ _ same v V) as [O E].
    pose proof (links_too _ _ _ _ same (old v) _ O (onward_lt i (old v) I O)) as L. rewrite E in L.
    pose proof (linked _ _ _ ok i (old v) I O). lia.
  - intros i j v I J V E. rewrite !carried_onward in E. destruct (old_name _ _ _ _ same v V) as [O _].
    apply name_inj in E; auto using onward_lt. now apply (arcs_apart _ _ _ ok i j (old v)).
  - intros H i j v I J V E. rewrite !carried_onward in E. destruct (old_name _ _ _ _ same v V) as [O N].
    pose proof (onward_lt i (old v) I O) as L. destruct (name_old _ _ _ _ same _ L) as [_ F]. rewrite F in E.
    apply (links_apart _ _ _ ok H i j (old v)); auto. apply name_inj; auto using onward_lt. congruence.
Qed.

End Carry.
