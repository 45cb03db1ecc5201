(* SPDX-License-Identifier: MIT *)
(* Rings (docs/theory/rings.md): where R directed Hamiltonian cycles share no arc, half duplex no link, every node sends
   a block along each, and all have gone round in N - 1 rounds. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting bounds.Room bounds.Ranks bounds.Plain.
From Gossipfab Require Import torus.Translates.
Import ListNotations.

(* Ring i has node_at i k in place k, and node v is in place_of i v. *)
Record rings := Rings { ring_count : nat; node_at : nat -> nat -> nat; place_of : nat -> nat -> nat }.

(* The node k places behind v on ring i of n nodes. *)
Definition onward (c : rings) (n i v k : nat) : nat := node_at c i ((place_of c i v + k) mod n).

Record rings_ok (l : link_mode) (g : graph) (c : rings) : Prop := {
  placed : forall i v, i < ring_count c -> v < nodes g ->
    place_of c i v < nodes g /\ node_at c i (place_of c i v) = v;
  visited : forall i k, i < ring_count c -> k < nodes g ->
    node_at c i k < nodes g /\ place_of c i (node_at c i k) = k;
  linked : forall i v, i < ring_count c -> v < nodes g -> 1 <= weight g v (onward c (nodes g) i v 1);
  arcs_apart : forall i j v, i < ring_count c -> j < ring_count c -> v < nodes g ->
    onward c (nodes g) i v 1 = onward c (nodes g) j v 1 -> i = j;
  links_apart : l = Half -> forall i j v, i < ring_count c -> j < ring_count c -> v < nodes g ->
    onward c (nodes g) j (onward c (nodes g) i v 1) 1 <> v }.

(* Node v's block for ring i, block v R + i, goes from place t - 1 behind v to place t in round t. *)
Definition ring_packet (c : rings) (n : nat) (x : nat * nat * nat) : packet :=
  let '(t, i, v) := x in
  Packet t [onward c n i v (t - 1); onward c n i v t] [Item (v * ring_count c + i) false].

Definition ring_gossip (l : link_mode) (g : graph) (c : rings) : schedule :=
  Schedule g (plain l) (AllGather (nodes g * ring_count c))
    (map (ring_packet c (nodes g))
      (list_prod (list_prod (seq 1 (nodes g - 1)) (seq 0 (ring_count c))) (seq 0 (nodes g)))).

Lemma mod_below a k n : a < n -> k < n -> (a + k) mod n = if a + k <? n then a + k else a + k - n.
Proof.
  intros A K. destruct (Nat.ltb_spec (a + k) n) as [L|L].
  - now apply Nat.mod_small.
  - replace (a + k) with (a + k - n + 1 * n) at 1 by lia. rewrite Nat.mod_add by lia. apply Nat.mod_small. lia.
Qed.

Lemma mod_cancel a b k n : a < n -> b < n -> (a + k) mod n = (b + k) mod n -> a = b.
Proof.
  intros A B. assert (N : n <> 0) by lia. rewrite <- (Nat.add_mod_idemp_r a k n N), <- (Nat.add_mod_idemp_r b k n N).
  pose proof (Nat.mod_upper_bound k n N). rewrite !mod_below by auto.
  destruct (Nat.ltb_spec (a + k mod n) n), (Nat.ltb_spec (b + k mod n) n); lia.
Qed.

Section Rings.

Variables (l : link_mode) (g : graph) (c : rings).
Hypothesis all_members : forall v, relay g v = false.
Hypothesis two : 2 <= nodes g.
Hypothesis some : 1 <= ring_count c.
Hypothesis ok : rings_ok l g c.

Local Notation n := (nodes g).
Local Notation R := (ring_count c).
Local Notation go := (onward c (nodes g)).
Local Notation s := (ring_gossip l g c).

(* ---- along a ring ---- *)

Lemma go_lt i v k : i < R -> go i v k < n.
Proof. intro I. apply (visited l g c ok); auto. apply Nat.mod_upper_bound. lia. Qed.

Lemma go_place i v k : i < R -> place_of c i (go i v k) = (place_of c i v + k) mod n.
Proof. intro I. apply (visited l g c ok); auto. apply Nat.mod_upper_bound. lia. Qed.

Lemma go_0 i v : i < R -> v < n -> go i v 0 = v.
Proof.
  intros I V. destruct (placed l g c ok i v I V) as [L E]. unfold onward. rewrite Nat.add_0_r, Nat.mod_small; auto.
Qed.

Lemma go_go i v a b : i < R -> go i (go i v a) b = go i v (a + b).
Proof.
  intro I. unfold onward at 1. rewrite go_place by auto. rewrite Nat.add_mod_idemp_l by lia.
  unfold onward. now rewrite Nat.add_assoc.
Qed.

Lemma go_inj i v w k : i < R -> v < n -> w < n -> go i v k = go i w k -> v = w.
Proof.
  intros I V W E. apply (f_equal (place_of c i)) in E. rewrite !go_place in E by auto.
  destruct (placed l g c ok i v I V) as [Lv <-], (placed l g c ok i w I W) as [Lw <-].
  f_equal. now apply (mod_cancel _ _ k n).
Qed.

Lemma go_differs i v : i < R -> v < n -> go i v 1 <> v.
Proof.
  intros I V E. apply (f_equal (place_of c i)) in E. rewrite go_place in E by auto.
  destruct (placed l g c ok i v I V) as [L _]. rewrite mod_below in E by lia.
  destruct (Nat.ltb_spec (place_of c i v + 1) n); lia.
Qed.

(* Every node is some places behind every other. *)
Lemma go_onto i v w : i < R -> v < n -> w < n -> exists k, k < n /\ go i v k = w.
Proof.
  intros I V W. destruct (placed l g c ok i v I V) as [Lv Ev], (placed l g c ok i w I W) as [Lw Ew].
  exists ((n + place_of c i w - place_of c i v) mod n). split; [apply Nat.mod_upper_bound; lia|].
  unfold onward. rewrite Nat.add_mod_idemp_r by lia.
  replace (place_of c i v + (n + place_of c i w - place_of c i v)) with (place_of c i w + 1 * n) by lia.
  rewrite Nat.mod_add, Nat.mod_small by lia. exact Ew.
Qed.

(* ---- packets ---- *)

Lemma in_packets p : In p (packets s) <->
  exists t i v, 1 <= t < n /\ i < R /\ v < n /\ p = ring_packet c n (t, i, v).
Proof.
  cbn. rewrite in_map_iff. split.
  - intros (((t & i) & v) & <- & I). apply in_prod_iff in I. destruct I as [I V]. apply in_prod_iff in I.
    destruct I as [T I]. apply in_seq in T, I, V. exists t, i, v. repeat split; auto; lia.
  - intros (t & i & v & T & I & V & ->). exists (t, i, v). split; auto.
    rewrite !in_prod_iff, !in_seq. lia.
Qed.

Lemma in_messages m : In m (messages s) <->
  exists t i v, 1 <= t < n /\ i < R /\ v < n /\ m = Message t (v * R + i) (go i v (t - 1)) (go i v t) false.
Proof.
  unfold messages. rewrite in_flat_map. split.
  - intros (p & P & I). apply in_packets in P. destruct P as (t & i & v & T & Li & V & ->).
    destruct I as [<-|[]]. exists t, i, v. repeat split; auto; lia.
  - intros (t & i & v & T & I & V & ->). exists (ring_packet c n (t, i, v)). split; [|cbn; auto].
    apply in_packets. exists t, i, v. auto.
Qed.

Lemma last_step i v t : i < R -> 1 <= t -> go i v t = go i (go i v (t - 1)) 1.
Proof. intros I T. rewrite go_go by auto. f_equal. lia. Qed.

Lemma all_packets_ok p : In p (packets s) -> packet_ok s p.
Proof.
  intro P. apply in_packets in P. destruct P as (t & i & v & T & I & V & ->). unfold packet_ok. cbn.
  pose proof (go_lt i v (t - 1) I). pose proof (go_lt i v t I). repeat split; auto; try lia.
  - constructor; [|constructor; [tauto|constructor]]. cbn. intros [E|[]]. rewrite last_step in E by lia.
    now apply (go_differs i (go i v (t - 1))) in E.
  - constructor; [cbn; tauto|constructor].
  - intros x [<-|[]]. cbn. nia.
Qed.

(* ---- links ---- *)

Definition arc_of (x : nat * nat * nat) : nat * nat := let '(t, i, v) := x in (go i v (t - 1), go i v t).

Local Notation triples := (list_prod (list_prod (seq 1 (nodes g - 1)) (seq 0 (ring_count c))) (seq 0 (nodes g))).

Lemma hops_of_round r :
  flat_map (fun p => hops (path p)) (in_round s r) = map arc_of (filter (fun x => fst (fst x) =? r) triples).
Proof.
  unfold in_round. cbn [packets ring_gossip]. generalize triples. intro xs.
  induction xs as [|((t & i) & v) xs IH]; auto. cbn [map filter ring_packet round fst].
  destruct (t =? r); cbn [flat_map map]; now rewrite IH.
Qed.

Lemma in_triples t i v : In (t, i, v) triples <-> 1 <= t < n /\ i < R /\ v < n.
Proof. rewrite !in_prod_iff, !in_seq. lia. Qed.

Lemma arcs_once r : NoDup (map arc_of (filter (fun x => fst (fst x) =? r) triples)).
Proof.
  apply NoDup_map_inj.
  - apply NoDup_filter. repeat apply NoDup_list_prod; apply seq_NoDup.
  - intros ((t & i) & v) ((t' & j) & w) A B E. apply filter_In in A, B. destruct A as [A At], B as [B Bt].
    cbn in At, Bt. apply Nat.eqb_eq in At, Bt. subst t t'. apply in_triples in A, B.
    destruct A as (T & I & V), B as (_ & J & W). cbn in E. injection E as E1 E2.
    rewrite (last_step i) in E2 by lia. rewrite (last_step j) in E2 by lia. rewrite E1 in E2.
    apply (arcs_apart l g c ok) in E2; auto using go_lt. subst j. apply go_inj in E1; auto; now subst w.
Qed.

Lemma used_arc r u v : In (u, v) (map arc_of (filter (fun x => fst (fst x) =? r) triples)) ->
  exists i, i < R /\ u < n /\ v = go i u 1.
Proof.
  intro A. apply in_map_iff in A. destruct A as (((t & i) & w) & E & F). apply filter_In in F. destruct F as [F _].
  apply in_triples in F. destruct F as (T & I & W). cbn in E. injection E as <- <-. exists i.
  repeat split; auto using go_lt. apply last_step; lia.
Qed.

Lemma uses_once r u v : uses s r u v <= 1 /\ (1 <= uses s r u v -> exists i, i < R /\ u < n /\ v = go i u 1).
Proof.
  unfold uses. rewrite hops_of_round. split.
  - apply NoDup_count_occ. apply arcs_once.
  - intro L. apply (used_arc r). apply (count_occ_In hop_dec). lia.
Qed.

Lemma all_links_ok : links_ok s.
Proof.
  intros r u v. destruct (uses_once r u v) as [U1 U2], (uses_once r v u) as [V1 V2].
  assert (A : uses s r u v <= weight g u v).
  { destruct (uses s r u v) as [|[|k]]; [lia| |lia]. destruct U2 as (i & I & U & ->); auto.
    now apply (linked l g c ok). }
  split; [exact A|]. intro H. change (l = Half) in H. cbn [on ring_gossip] in *.
  assert (B : uses s r v u <= weight g v u).
  { destruct (uses s r v u) as [|[|k]]; [lia| |lia]. destruct V2 as (i & I & U & ->); auto.
    now apply (linked l g c ok). }
  pose proof (Nat.le_max_l (weight g u v) (weight g v u)). pose proof (Nat.le_max_r (weight g u v) (weight g v u)).
  destruct (Nat.eq_dec (uses s r u v) 0) as [Z|Z]; [lia|]. destruct (Nat.eq_dec (uses s r v u) 0) as [Y|Y]; [lia|].
  exfalso. destruct U2 as (i & I & U & E); [lia|]. destruct V2 as (j & J & V & F); [lia|].
  apply (links_apart l g c ok H i j u I J U). now rewrite <- E.
Qed.

(* ---- blocks ---- *)

Lemma owner_holds v i : i < R -> v < n -> holds g (aim s) v (v * R + i) = true.
Proof. now apply plain_holds. Qed.

Lemma all_stored : stored_ok s.
Proof.
  split.
  - intros m M. apply in_messages in M. destruct M as (t & i & v & T & I & V & ->). split; auto.
    cbn [what from when]. destruct (Nat.eq_dec t 1) as [->|N].
    + left. cbn [Nat.sub]. rewrite go_0 by auto. now apply owner_holds.
    + right. exists (Message (t - 1) (v * R + i) (go i v (t - 1 - 1)) (go i v (t - 1)) false).
      repeat split; cbn; [|lia]. apply in_messages. exists (t - 1), i, v. repeat split; auto; lia.
  - intros w b B W. destruct (plain_wants g R w b some B W) as (Lw & V & I & Eb).
    destruct (go_onto (b mod R) (b / R) w I V Lw) as (k & K & E). rewrite Eb.
    destruct (Nat.eq_dec k 0) as [->|N].
    + left. rewrite go_0 in E by auto. subst w. now apply owner_holds.
    + right. exists (Message k (b / R * R + b mod R) (go (b mod R) (b / R) (k - 1)) (go (b mod R) (b / R) k) false).
      repeat split; auto. apply in_messages. exists k, (b mod R), (b / R). repeat split; auto; lia.
Qed.

Theorem rings_valid : valid s.
Proof.
  split; [split; cbn; lia|]. split.
  - split; [cbn; nia|]. cbn [aim on ring_gossip]. rewrite size_plain by auto.
    rewrite (Nat.mul_comm n R). apply Nat.mod_mul. lia.
  - split; [exact all_packets_ok|]. split; [exact all_links_ok|]. split; [|exact all_stored].
    split; [intro E; discriminate E|]. apply relays_none. exact all_members.
Qed.

Theorem rings_rounds : rounds s = n - 1.
Proof.
  apply Nat.le_antisymm.
  - unfold rounds. apply list_max_le, Forall_forall. intros r I. apply in_map_iff in I. destruct I as (p & <- & P).
    apply in_packets in P. destruct P as (t & i & v & T & _ & _ & ->). cbn. lia.
  - assert (P : In (ring_packet c n (n - 1, 0, 0)) (packets s)).
    { apply in_packets. exists (n - 1), 0, 0. repeat split; lia. }
    destruct (round_between s rings_valid _ P) as [_ Q]. exact Q.
Qed.

End Rings.
