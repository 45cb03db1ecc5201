(* SPDX-License-Identifier: MIT *)
(* A graph in which each node has two neighbours, and which is connected, is a cycle: who goes on from node to node, and
   never back, comes past all. So a cycle through all nodes need not be written down place by place. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import bounds.Counting.
Import ListNotations.

(* Of n nodes. Connected: what is alike in neighbours is alike in all nodes. *)
Record two_neighbours (n : nat) (first second : nat -> nat) : Prop := {
  inside : forall v, v < n -> first v < n /\ second v < n;
  differ : forall v, v < n -> first v <> second v /\ first v <> v /\ second v <> v;
  mutual : forall v, v < n -> (first (first v) = v \/ second (first v) = v) /\
                              (first (second v) = v \/ second (second v) = v);
  connected : forall f : nat -> bool, (forall v, v < n -> f (first v) = f v /\ f (second v) = f v) ->
    forall v, v < n -> f v = f 0 }.

Section Walk.

Variables (n : nat) (first second : nat -> nat).

(* On to v from u: the neighbour that is not u. *)
Definition other (u v : nat) : nat := if first v =? u then second v else first v.

(* Node k of the walk from node 0, and the next. *)
Fixpoint walk (k : nat) : nat * nat :=
  match k with 0 => (0, first 0) | S k => let (u, v) := walk k in (v, other u v) end.
Definition walk_node (k : nat) : nat := fst (walk k).
Definition walk_place (v : nat) : nat := hd 0 (filter (fun k => walk_node k =? v) (seq 0 n)).

Definition near (u v : nat) : Prop := u = first v \/ u = second v.

Hypothesis some : 1 <= n.
Hypothesis ok : two_neighbours n first second.

Local Notation node := walk_node.

Lemma node_on k : node (S (S k)) = other (node k) (node (S k)).
Proof. unfold walk_node. cbn [walk]. destruct (walk k) as [u v]. reflexivity. Qed.

Lemma near_sym u v : v < n -> near u v -> near v u /\ u < n.
Proof.
  intros V [-> | ->]; destruct (mutual _ _ _ ok v V) as [A B]; destruct (inside _ _ _ ok v V) as [C D];
    (split; [|auto]); unfold near; intuition.
Qed.

Lemma other_near u v : near (other u v) v.
Proof. unfold other. destruct (first v =? u); [right|left]; reflexivity. Qed.

Lemma other_differs u v : v < n -> other u v <> u.
Proof.
  intro V. unfold other. destruct (differ _ _ _ ok v V) as (D & _ & _). destruct (Nat.eqb_spec (first v) u); congruence.
Qed.

Lemma node_near k : node k < n /\ near (node (S k)) (node k).
Proof.
  induction k as [|k [L N]].
  - split; [exact some|]. left. reflexivity.
  - destruct (near_sym _ _ L N) as [_ M]. split; [exact M|]. rewrite node_on. apply other_near.
Qed.

Lemma node_lt k : node k < n.
Proof. apply node_near. Qed.

Lemma near_differs u v : v < n -> near u v -> u <> v.
Proof. intros V [-> | ->]; now apply (differ _ _ _ ok). Qed.

(* No three neighbours. *)
Lemma near_three u v w x : near u x -> near v x -> near w x -> u <> v -> u <> w -> v <> w -> False.
Proof. unfold near. intros [-> | ->] [-> | ->] [-> | ->]; congruence. Qed.

Lemma both_near u v x : near u x -> near v x -> u <> v ->
  (first x = u \/ first x = v) /\ (second x = u \/ second x = v).
Proof. unfold near. intros [-> | ->] [-> | ->]; intuition congruence. Qed.

(* ---- where the walk comes back ---- *)

Definition all_new (k : nat) : Prop := forall i j, i <= k -> j <= k -> node i = node j -> i = j.

Lemma new_or_back K : all_new K \/ exists k i, k < K /\ all_new k /\ i <= k /\ node (S k) = node i.
Proof.
  induction K as [|K [N|(k & i & L & H)]].
  - left. intros i j I J _. lia.
  - destruct (in_dec Nat.eq_dec (node (S K)) (map node (seq 0 (S K)))) as [I|I].
    + right. apply in_map_iff in I. destruct I as (i & E & I). apply in_seq in I. exists K, i.
      split; [lia|]. split; [exact N|]. split; [lia|auto].
    + left. assert (D : forall i, i <= K -> node (S K) <> node i).
      { intros i Li E. apply I. rewrite E. apply in_map, in_seq. lia. }
      intros i j Li Lj E. destruct (Nat.eq_dec i (S K)) as [->|Ni], (Nat.eq_dec j (S K)) as [->|Nj]; auto.
      * exfalso. apply (D j); [lia|auto].
      * exfalso. apply (D i); [lia|auto].
      * apply N; [lia|lia|auto].
  - right. exists k, i. split; [lia|auto].
Qed.

Lemma new_few k : all_new k -> k < n.
Proof.
  intro N. assert (L : length (map node (seq 0 (S k))) <= length (seq 0 n)).
  { apply NoDup_incl_length.
    - apply NoDup_map_inj; [apply seq_NoDup|]. intros i j I J. apply in_seq in I, J. apply N; lia.
    - intros v I. apply in_map_iff in I. destruct I as (i & <- & _). apply in_seq. pose proof (node_lt i). lia. }
  rewrite map_length, !seq_length in L. lia.
Qed.

(* It comes back to node 0, and not before it has been everywhere. *)
Lemma back_to_start k i : all_new k -> i <= k -> node (S k) = node i -> i = 0 /\ 2 <= k.
Proof.
  intros N I E. destruct (node_near k) as [Lk Nk].
  assert (i <> k) by (intros ->; now apply (near_differs _ _ Lk Nk)).
  destruct k as [|k]; [lia|].
  assert (i <> k). { intros ->. rewrite node_on in E. now apply (other_differs (node k) (node (S k)) Lk). }
  destruct i as [|i]; [split; [auto|lia]|]. exfalso.
  destruct (node_near i) as [Li Ni], (node_near (S i)) as [Lj Nj].
  destruct (near_sym _ _ Li Ni) as [Back _]. destruct (near_sym _ _ Lk Nk) as [End _]. rewrite E in End.
  apply (near_three _ _ _ _ Back Nj End); intro F; apply N in F; lia.
Qed.

Lemma all_seen k : all_new k -> 2 <= k -> node (S k) = node 0 -> k + 1 = n.
Proof.
  intros N Two E. pose proof (new_few k N) as Few.
  set (f := fun v => existsb (fun j => node j =? v) (seq 0 (S k))).
  assert (Seen : forall v, f v = true <-> exists j, j <= k /\ node j = v).
  { intro v. unfold f. rewrite existsb_exists. split.
    - intros (j & I & Q). apply in_seq in I. apply Nat.eqb_eq in Q. exists j. split; [lia|auto].
    - intros (j & I & Q). exists j. rewrite in_seq, Nat.eqb_eq. split; [lia|auto]. }
  assert (Closed : forall v, f v = true -> f (first v) = true /\ f (second v) = true).
  { intros v V. apply Seen in V. destruct V as (j & J & <-). rewrite !Seen.
    assert (H : exists a b, a <= k /\ b <= k /\ a <> b /\ near (node a) (node j) /\ near (node b) (node j)).
    { destruct (node_near j) as [_ Nj]. destruct j as [|j].
      - destruct (node_near k) as [Lk Nk]. destruct (near_sym _ _ Lk Nk) as [B _]. rewrite E in B.
        exists 1, k. repeat split; auto; lia.
      - destruct (node_near j) as [Li Ni]. destruct (near_sym _ _ Li Ni) as [B _].
        destruct (Nat.eq_dec (S j) k) as [K|K].
        + rewrite K, E, <- K in Nj. exists j, 0. repeat split; auto; lia.
        + exists j, (S (S j)). repeat split; auto; lia. }
    destruct H as (a & b & A & B & D & Na & Nb).
    destruct (both_near _ _ _ Na Nb) as [F S]; [intro Q; apply N in Q; auto|].
    split; [destruct F as [-> | ->]|destruct S as [-> | ->]]; eauto. }
  assert (All : forall v, v < n -> f v = f 0).
  { apply (connected _ _ _ ok). intros v V. destruct (mutual _ _ _ ok v V) as [M1 M2].
    destruct (f v) eqn:Fv; [now apply Closed|].
    assert (C : forall u, f u = true -> (first u = v \/ second u = v) -> f v = true).
    { intros u Fu. destruct (Closed u Fu). intros [<-|<-]; auto. }
    split; [destruct (f (first v)) eqn:Fu|destruct (f (second v)) eqn:Fu]; auto.
    - rewrite <- Fv. symmetry. now apply (C (first v)).
    - rewrite <- Fv. symmetry. now apply (C (second v)). }
  assert (L : length (seq 0 n) <= length (map node (seq 0 (S k)))).
  { apply NoDup_incl_length; [apply seq_NoDup|]. intros v I. apply in_seq in I.
    assert (V : f v = true). { rewrite (All v) by lia. apply Seen. exists 0. split; [lia|reflexivity]. }
    apply Seen in V. destruct V as (j & J & <-). apply in_map, in_seq. lia. }
  rewrite map_length, !seq_length in L. lia.
Qed.

Lemma whole_walk : all_new (n - 1) /\ 3 <= n /\ node n = node 0.
Proof.
  destruct (new_or_back n) as [N|(k & i & L & N & I & E)].
  - apply new_few in N. lia.
  - destruct (back_to_start k i N I E) as [-> Two]. pose proof (all_seen k N Two E) as K.
    replace (n - 1) with k by lia. replace n with (S k) at 2 by lia. split; [exact N|]. split; [lia|exact E].
Qed.

Lemma walk_visits k : k < n -> node k < n /\ walk_place (node k) = k.
Proof.
  intro K. split; [apply node_lt|]. destruct whole_walk as (N & _ & _). unfold walk_place.
  assert (I : In k (filter (fun j => node j =? node k) (seq 0 n))).
  { apply filter_In. rewrite in_seq, Nat.eqb_eq. split; [lia|auto]. }
  destruct (filter _ (seq 0 n)) as [|j l] eqn:F; [destruct I|]. cbn [hd].
  assert (J : In j (filter (fun j => node j =? node k) (seq 0 n))) by (rewrite F; cbn; auto).
  apply filter_In in J. rewrite in_seq, Nat.eqb_eq in J. apply N; [lia|lia|apply J].
Qed.

Lemma walk_places v : v < n -> walk_place v < n /\ node (walk_place v) = v.
Proof.
  intro V. destruct whole_walk as (N & _ & _).
  assert (I : In v (map node (seq 0 n))).
  { apply (NoDup_length_incl (l := map node (seq 0 n)) (l' := seq 0 n)).
    - apply NoDup_map_inj; [apply seq_NoDup|]. intros i j I J. apply in_seq in I, J. apply N; lia.
    - now rewrite map_length.
    - intros w I. apply in_map_iff in I. destruct I as (i & <- & _). apply in_seq. pose proof (node_lt i). lia.
    - apply in_seq. lia. }
  apply in_map_iff in I. destruct I as (k & <- & K). apply in_seq in K. destruct (walk_visits k) as [_ ->]; [lia|].
  split; [lia|auto].
Qed.

(* From place to place along the graph, the last one and the first one, too. *)
Lemma walk_near v : v < n -> near (node ((walk_place v + 1) mod n)) v.
Proof.
  intro V. destruct (walk_places v V) as [L E]. destruct whole_walk as (_ & Three & Home).
  destruct (node_near (walk_place v)) as [_ N]. rewrite E in N. destruct (Nat.eq_dec (walk_place v + 1) n) as [W|W].
  - rewrite W, Nat.mod_same by lia. rewrite <- Nat.add_1_r, W, Home in N. exact N.
  - rewrite Nat.mod_small by lia. now rewrite Nat.add_1_r.
Qed.

End Walk.
