(* SPDX-License-Identifier: MIT *)
(* Waves around one cycle of even length, with one port (docs/theory/one-port.md): the links of the cycle are coloured
   by turns, a block goes on over a link in each round and finds it open, and all is at the count bound. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting bounds.Plain bounds.Rounds bounds.OnePort.
From Gossipfab Require Import rings.Rings.
Import ListNotations.

(* One port; packets of one token, lambda = 1. *)
Definition one_port (l : link_mode) : model := Model l OnePort StoreAndForward 1 1.

(* A Hamiltonian cycle of even length along links that go both ways. *)
Record even_cycle (g : graph) (c : rings) : Prop := {
  one_ring : ring_count c = 1;
  ring_ok : rings_ok Full g c;
  even_length : Nat.even (nodes g) = true;
  some_nodes : 1 <= nodes g;
  no_relays : forall v, relay g v = false;
  both_directions : forall u v, weight g u v = weight g v u }.

(* In which phase the node in place p starts its wave of block k: half duplex nodes in even and in odd places by turns.
   And which way the wave goes round. *)
Definition phase (l : link_mode) (p k : nat) : nat := match l with Half => 2 * k + p mod 2 | Full => k end.
Definition ahead (l : link_mode) (p k : nat) : bool := match l with Half => true | Full => Nat.even (p + k) end.

(* Where that wave is after j links. *)
Definition place_after (l : link_mode) (n p k j : nat) : nat :=
  if ahead l p k then (p + j) mod n else (p + (n - j)) mod n.

(* Node v's wave of block k goes over its link j, from 0 on, in round j + 1 of the phase. A phase has n - 1 rounds. *)
Definition wave_packet (l : link_mode) (c : rings) (n b : nat) (x : nat * nat * nat) : packet :=
  let '(v, k, j) := x in
  let p := place_of c 0 v in
  Packet (phase l p k * (n - 1) + j + 1)
    [node_at c 0 (place_after l n p k j); node_at c 0 (place_after l n p k (S j))] [Item (v * b + k) false].

Definition wave_gossip (l : link_mode) (g : graph) (c : rings) (b : nat) : schedule :=
  Schedule g (one_port l) (AllGather (nodes g * b))
    (map (wave_packet l c (nodes g) b)
      (list_prod (list_prod (seq 0 (nodes g)) (seq 0 b)) (seq 0 (nodes g - 1)))).

Section Waves.

Variables (l : link_mode) (g : graph) (c : rings) (b : nat).
Hypothesis ok : even_cycle g c.
Hypothesis some_blocks : 1 <= b.

Local Notation n := (nodes g).
Local Notation s := (wave_gossip l g c b).
Local Notation node := (node_at c 0).
Local Notation place := (place_of c 0).
Local Notation after := (place_after l (nodes g)).

Lemma two_nodes : 2 <= n.
Proof.
  pose proof (some_nodes g c ok). pose proof (even_length g c ok).
  destruct n as [|[|k]]; cbn in *; [lia|discriminate|lia].
Qed.

Lemma first_ring : 0 < ring_count c.
Proof. rewrite (one_ring g c ok). lia. Qed.

Lemma place_lt v : v < n -> place v < n /\ node (place v) = v.
Proof. intro V. apply (placed _ _ _ (ring_ok g c ok)); auto using first_ring. Qed.

Lemma node_lt k : k < n -> node k < n /\ place (node k) = k.
Proof. intro K. apply (visited _ _ _ (ring_ok g c ok)); auto using first_ring. Qed.

Lemma node_inj i j : i < n -> j < n -> node i = node j -> i = j.
Proof. intros I J E. destruct (node_lt i I) as [_ <-], (node_lt j J) as [_ <-]. now rewrite E. Qed.

Lemma after_lt p k j : after p k j < n.
Proof. pose proof two_nodes. unfold place_after. destruct (ahead l p k); apply Nat.mod_upper_bound; lia. Qed.

Lemma even_mod x : Nat.even (x mod n) = Nat.even x.
Proof.
  pose proof two_nodes. rewrite (Nat.div_mod x n) at 2 by lia.
  rewrite Nat.even_add, Nat.even_mul, (even_length g c ok). now destruct (Nat.even (x mod n)).
Qed.

Lemma even_next e : Nat.even ((e + 1) mod n) = negb (Nat.even e).
Proof. rewrite even_mod, Nat.even_add. now destruct (Nat.even e). Qed.

(* ---- packets ---- *)

Lemma in_waves p : In p (packets s) <-> exists v k j, v < n /\ k < b /\ j < n - 1 /\ p = wave_packet l c n b (v, k, j).
Proof.
  cbn. rewrite in_map_iff. split.
  - intros (((v & k) & j) & <- & I). rewrite !in_prod_iff, !in_seq in I. exists v, k, j. repeat split; lia.
  - intros (v & k & j & V & K & J & ->). exists (v, k, j). split; auto. rewrite !in_prod_iff, !in_seq. lia.
Qed.

Lemma in_messages m : In m (messages s) <-> exists v k j, v < n /\ k < b /\ j < n - 1 /\
  m = Message (phase l (place v) k * (n - 1) + j + 1) (v * b + k) (node (after (place v) k j))
        (node (after (place v) k (S j))) false.
Proof.
  unfold messages. rewrite in_flat_map. split.
  - intros (p & P & I). apply in_waves in P. destruct P as (v & k & j & V & K & J & ->).
    destruct I as [<-|[]]. exists v, k, j. auto.
  - intros (v & k & j & V & K & J & ->). exists (wave_packet l c n b (v, k, j)). split; [|cbn; auto].
    apply in_waves. exists v, k, j. auto.
Qed.

(* ---- which link is open ---- *)

(* Link e of the cycle is between places e and e + 1. In a round every second link is open. *)
Definition opened (e r : nat) : Prop := e < n /\ Nat.even (e + r) = false.

Lemma even_pred : Nat.even (n - 1) = false.
Proof.
  pose proof two_nodes. rewrite Nat.even_sub by lia. rewrite (even_length g c ok). reflexivity.
Qed.

Lemma wave_link v k j : v < n -> j < n - 1 -> let p := place v in
  exists e, opened e (phase l p k * (n - 1) + j + 1) /\
    if ahead l p k then after p k j = e /\ after p k (S j) = (e + 1) mod n
    else after p k j = (e + 1) mod n /\ after p k (S j) = e.
Proof.
  intros V J p. pose proof two_nodes. destruct (place_lt v V) as [P _]. fold p in P. unfold opened, place_after.
  destruct (ahead l p k) eqn:A.
  - exists ((p + j) mod n). rewrite Nat.add_mod_idemp_l by lia. repeat split.
    + apply Nat.mod_upper_bound. lia.
    + rewrite !Nat.even_add, even_mod, Nat.even_mul, even_pred, Nat.even_add. destruct l; cbn [phase ahead] in *.
      * rewrite Nat.even_add, Nat.even_mul. replace (Nat.even (p mod 2)) with (Nat.even p).
        -- cbn. now destruct (Nat.even p), (Nat.even j).
        -- rewrite (Nat.div_mod p 2) at 1 by lia. rewrite Nat.even_add, Nat.even_mul. now destruct (Nat.even (p mod 2)).
      * rewrite Nat.even_add in A. now destruct (Nat.even p), (Nat.even k), (Nat.even j).
    + f_equal. lia.
  - destruct l; [discriminate A|]. cbn [phase ahead] in *. exists ((p + (n - S j)) mod n).
    rewrite Nat.add_mod_idemp_l by lia. repeat split.
    + apply Nat.mod_upper_bound. lia.
    + rewrite !Nat.even_add, even_mod, Nat.even_mul, even_pred, Nat.even_add in *.
      rewrite Nat.even_sub, Nat.even_succ, <- Nat.negb_even, (even_length g c ok) by lia.
      now destruct (Nat.even p), (Nat.even k), (Nat.even j).
    + f_equal. lia.
Qed.

(* Two open links at a place are the same. *)
Lemma opened_meet e f r : opened e r -> opened f r ->
  e = f \/ (e <> (f + 1) mod n /\ f <> (e + 1) mod n /\ (e + 1) mod n <> (f + 1) mod n).
Proof.
  intros [E O] [F Q]. destruct (Nat.eq_dec e f) as [->|N]; [auto|right].
  rewrite Nat.even_add in O, Q. repeat split; intro H.
  - rewrite H, even_next in O. now destruct (Nat.even f), (Nat.even r).
  - rewrite H, even_next in Q. now destruct (Nat.even e), (Nat.even r).
  - apply mod_cancel in H; auto.
Qed.

(* ---- the packets of a round ---- *)

Lemma same_round v k j w i h : j < n - 1 -> h < n - 1 ->
  phase l (place v) k * (n - 1) + j + 1 = phase l (place w) i * (n - 1) + h + 1 ->
  phase l (place v) k = phase l (place w) i /\ j = h.
Proof.
  intros J H E. assert (phase l (place v) k = phase l (place w) i) by nia. split; auto. nia.
Qed.

(* No node sends twice in a round. *)
Lemma sends_once v k j w i h : v < n -> w < n -> j < n - 1 -> h < n - 1 ->
  phase l (place v) k * (n - 1) + j + 1 = phase l (place w) i * (n - 1) + h + 1 ->
  node (after (place v) k j) = node (after (place w) i h) -> (v, k, j) = (w, i, h).
Proof.
  intros V W J H R E. pose proof two_nodes. destruct (same_round _ _ _ _ _ _ J H R) as [Ph ->].
  apply node_inj in E; auto using after_lt.
  destruct (place_lt v V) as [P Nv], (place_lt w W) as [Q Nw]. clear R. set (p := place v) in *.
  set (q := place w) in *. clearbody p q.
  assert (D : p = q /\ k = i); [|destruct D as [-> ->]; congruence].
  destruct l; cbn [phase ahead] in *; unfold place_after in E; cbn [ahead] in E.
  - apply mod_cancel in E; auto. subst q. lia.
  - subst i. split; auto. destruct (Nat.even (p + k)) eqn:A, (Nat.even (q + k)) eqn:B.
    + now apply mod_cancel in E.
    + exfalso. apply (f_equal Nat.even) in E. rewrite !even_mod, !Nat.even_add, Nat.even_sub, (even_length g c ok) in E
        by lia. rewrite Nat.even_add in A, B. now destruct (Nat.even p), (Nat.even q), (Nat.even k), (Nat.even h).
    + exfalso. apply (f_equal Nat.even) in E. rewrite !even_mod, !Nat.even_add, Nat.even_sub, (even_length g c ok) in E
        by lia. rewrite Nat.even_add in A, B. now destruct (Nat.even p), (Nat.even q), (Nat.even k), (Nat.even h).
    + now apply mod_cancel in E.
Qed.

Lemma wave_path v k j : v < n -> j < n - 1 -> let q := wave_packet l c n b (v, k, j) in
  exists e, opened e (round q) /\
    path q = (if ahead l (place v) k then [node e; node ((e + 1) mod n)] else [node ((e + 1) mod n); node e]).
Proof.
  intros V J q. destruct (wave_link v k j V J) as (e & O & E). exists e. split; [exact O|]. cbn [q wave_packet path].
  destruct (ahead l (place v) k); destruct E as [-> ->]; reflexivity.
Qed.

Lemma next_lt e : (e + 1) mod n < n.
Proof. pose proof two_nodes. apply Nat.mod_upper_bound. lia. Qed.

Lemma next_differs e : e < n -> (e + 1) mod n <> e.
Proof. intros E H. pose proof two_nodes. rewrite mod_below in H by lia. destruct (Nat.ltb_spec (e + 1) n); lia. Qed.

Lemma all_ports_ok : ports_ok s.
Proof.
  intros _. cbn [route under wave_gossip one_port]. intros p q u P Q R Up Uq.
  apply in_waves in P, Q. destruct P as (v & k & j & V & K & J & ->), Q as (w & i & h & W & I & H & ->).
  destruct (wave_path v k j V J) as (e & O & E), (wave_path w i h W H) as (f & O' & E'). rewrite E, E' in *.
  rewrite <- R in O'. destruct (opened_meet e f _ O O') as [<-|(N1 & N2 & N3)].
  - destruct (ahead l (place v) k), (ahead l (place w) i); cbn; auto.
  - exfalso. destruct O as [Le _], O' as [Lf _]. pose proof (next_lt e). pose proof (next_lt f).
    assert (X : forall x y, x < n -> y < n -> u = node x -> u = node y -> x = y).
    { intros x y Lx Ly -> F. now apply node_inj. }
    assert (Cp : u = node e \/ u = node ((e + 1) mod n)) by (destruct (ahead l (place v) k); cbn in Up; intuition).
    assert (Cq : u = node f \/ u = node ((f + 1) mod n)) by (destruct (ahead l (place w) i); cbn in Uq; intuition).
    destruct (Nat.eq_dec e f) as [->|D]; [tauto|].
    destruct Cp as [Cp|Cp], Cq as [Cq|Cq].
    + apply D. now apply X.
    + apply N1. now apply X.
    + apply N2. symmetry. now apply X.
    + apply N3. now apply X.
Qed.

Lemma all_packets_ok p : In p (packets s) -> packet_ok s p.
Proof.
  intro P. apply in_waves in P. destruct P as (v & k & j & V & K & J & ->). pose proof two_nodes. unfold packet_ok.
  destruct (wave_path v k j V J) as (e & [E _] & Path). rewrite Path. pose proof (next_lt e) as F.
  pose proof (next_differs e E) as D.
  assert (N : node e <> node ((e + 1) mod n)) by (intro Q; apply node_inj in Q; auto).
  split. { cbn [round wave_packet]. rewrite Nat.add_1_r. apply le_n_S, Nat.le_0_l. }
  split. { destruct (ahead l (place v) k); cbn; lia. }
  split; [|split; [|split]].
  - destruct (ahead l (place v) k); (constructor; [cbn; intuition|constructor; [cbn; tauto|constructor]]).
  - intros x X. destruct (node_lt e E) as [A _], (node_lt _ F) as [B _]. change (on s) with g.
    destruct (ahead l (place v) k); cbn in X; intuition subst; auto.
  - intros _. now destruct (ahead l (place v) k).
  - split; [cbn; lia|]. split; [constructor; [cbn; tauto|constructor]|]. intros x [<-|[]]. cbn. nia.
Qed.

(* ---- links ---- *)

Local Notation triples := (list_prod (list_prod (seq 0 (nodes g)) (seq 0 b)) (seq 0 (nodes g - 1))).

Definition arc_of (x : nat * nat * nat) : nat * nat :=
  let '(v, k, j) := x in (node (after (place v) k j), node (after (place v) k (S j))).
Definition round_of (x : nat * nat * nat) : nat := round (wave_packet l c n b x).

Lemma hops_of_round r :
  flat_map (fun p => hops (path p)) (in_round s r) = map arc_of (filter (fun x => round_of x =? r) triples).
Proof.
  unfold in_round. cbn [packets wave_gossip]. generalize triples. intro xs.
  induction xs as [|((v & k) & j) xs IH]; auto.
  cbn [map filter]. change (round (wave_packet l c n b (v, k, j))) with (round_of (v, k, j)).
  destruct (round_of (v, k, j) =? r); cbn [flat_map map]; now rewrite IH.
Qed.

Lemma in_triples v k j r : In (v, k, j) (filter (fun x => round_of x =? r) triples) <->
  v < n /\ k < b /\ j < n - 1 /\ phase l (place v) k * (n - 1) + j + 1 = r.
Proof. rewrite filter_In, !in_prod_iff, !in_seq, Nat.eqb_eq. unfold round_of. cbn [round wave_packet]. lia. Qed.

Lemma uses_once r u v : uses s r u v <= 1.
Proof.
  unfold uses. rewrite hops_of_round. apply NoDup_count_occ. apply NoDup_map_inj.
  - apply NoDup_filter. repeat apply NoDup_list_prod; apply seq_NoDup.
  - intros ((x & k) & j) ((w & i) & h) A B E. apply in_triples in A, B. cbn in E. injection E as E _.
    apply sends_once; try tauto. lia.
Qed.

Lemma used r u v : 1 <= uses s r u v -> exists e, opened e r /\
  ((u = node e /\ v = node ((e + 1) mod n)) \/ (l = Full /\ u = node ((e + 1) mod n) /\ v = node e)).
Proof.
  intro U. unfold uses in U. rewrite hops_of_round in U.
  assert (I : In (u, v) (map arc_of (filter (fun x => round_of x =? r) triples))).
  { apply (count_occ_In hop_dec). lia. }
  apply in_map_iff in I. destruct I as (((x & k) & j) & E & I). apply in_triples in I. destruct I as (X & K & J & <-).
  destruct (wave_link x k j X J) as (e & O & F). exists e. split; auto. cbn [arc_of] in E. injection E as <- <-.
  destruct (ahead l (place x) k) eqn:A; destruct F as [-> ->]; auto. right. destruct l; [discriminate A|auto].
Qed.

Lemma cycle_link e : e < n -> 1 <= weight g (node e) (node ((e + 1) mod n)).
Proof.
  intro E. destruct (node_lt e E) as [V P]. pose proof (linked _ _ _ (ring_ok g c ok) 0 _ first_ring V) as L.
  unfold onward in L. now rewrite P in L.
Qed.

Lemma all_links_ok : links_ok s.
Proof.
  assert (A : forall r u v, uses s r u v <= weight g u v).
  { intros r u v. pose proof (uses_once r u v) as O. destruct (Nat.eq_dec (uses s r u v) 0) as [Z|Z]; [lia|].
    destruct (used r u v) as (e & [E _] & [[-> ->]|(_ & -> & ->)]); [lia| |].
    - pose proof (cycle_link e E). lia.
    - rewrite (both_directions g c ok). pose proof (cycle_link e E). lia. }
  intros r u v. split; [apply A|]. intro H. change (l = Half) in H. change (on s) with g.
  pose proof (A r u v). pose proof (A r v u). pose proof (Nat.le_max_l (weight g u v) (weight g v u)).
  pose proof (Nat.le_max_r (weight g u v) (weight g v u)).
  destruct (Nat.eq_dec (uses s r u v) 0) as [Z|Z]; [lia|]. destruct (Nat.eq_dec (uses s r v u) 0) as [Y|Y]; [lia|].
  exfalso. destruct (used r u v) as (e & O & [[Eu Ev]|(F & _)]); [lia| |congruence].
  destruct (used r v u) as (f & O' & [[Fv Fu]|(F & _)]); [lia| |congruence].
  pose proof (proj1 O) as Le. pose proof (proj1 O') as Lf. rewrite Eu in Fu. apply node_inj in Fu; auto using next_lt.
  destruct (opened_meet e f r O O') as [<-|(N & _)]; [now apply (next_differs e)|tauto].
Qed.

(* ---- blocks ---- *)

Lemma after_0 p k : p < n -> after p k 0 = p.
Proof.
  intro P. pose proof two_nodes. unfold place_after. destruct (ahead l p k).
  - now rewrite Nat.add_0_r, Nat.mod_small.
  - replace (p + (n - 0)) with (p + 1 * n) by lia. now rewrite Nat.mod_add, Nat.mod_small by lia.
Qed.

(* A wave comes to every other place. *)
Lemma comes_to p k q : p < n -> q < n -> p <> q -> exists j, j < n - 1 /\ after p k (S j) = q.
Proof.
  intros P Q D. pose proof two_nodes. unfold place_after. destruct (ahead l p k).
  - destruct (Nat.lt_ge_cases p q).
    + exists (q - p - 1). split; [lia|]. rewrite Nat.mod_small by lia. lia.
    + exists (n + q - p - 1). split; [lia|]. replace (p + S (n + q - p - 1)) with (q + 1 * n) by lia.
      now rewrite Nat.mod_add, Nat.mod_small by lia.
  - destruct (Nat.lt_ge_cases q p).
    + exists (p - q - 1). split; [lia|]. replace (p + (n - S (p - q - 1))) with (q + 1 * n) by lia.
      now rewrite Nat.mod_add, Nat.mod_small by lia.
    + exists (n + p - q - 1). split; [lia|]. rewrite Nat.mod_small by lia. lia.
Qed.

Lemma all_stored : stored_ok s.
Proof.
  pose proof (no_relays g c ok) as Plain. split.
  - intros m M. apply in_messages in M. destruct M as (v & k & j & V & K & J & ->). split; auto.
    cbn [what from when]. destruct j as [|j].
    + left. destruct (place_lt v V) as [P E]. rewrite after_0, E by auto. now apply plain_holds.
    + right. exists (Message (phase l (place v) k * (n - 1) + j + 1) (v * b + k) (node (after (place v) k j))
        (node (after (place v) k (S j))) false). repeat split; cbn; [|lia].
      apply in_messages. exists v, k, j. repeat split; auto; lia.
  - intros w x B W. destruct (plain_wants g b w x some_blocks B W) as (Lw & V & K & E). rewrite E.
    set (v := x / b) in *. set (k := x mod b) in *.
    destruct (place_lt v V) as [P Nv], (place_lt w Lw) as [Q Nw]. destruct (Nat.eq_dec (place v) (place w)) as [F|F].
    + left. assert (v = w) by congruence. subst w. now apply plain_holds.
    + right. destruct (comes_to _ k _ P Q F) as (j & J & A).
      exists (Message (phase l (place v) k * (n - 1) + j + 1) (v * b + k) (node (after (place v) k j))
        (node (after (place v) k (S j))) false). cbn. rewrite A at 2. repeat split; auto. apply in_messages.
      exists v, k, j. auto.
Qed.

Theorem waves_valid : valid s.
Proof.
  pose proof two_nodes. pose proof (no_relays g c ok) as Plain. split; [split; cbn; lia|]. split.
  - split; [cbn; nia|]. cbn [aim on wave_gossip]. rewrite size_plain by auto. rewrite (Nat.mul_comm n b).
    apply Nat.mod_mul. lia.
  - split; [exact all_packets_ok|]. split; [exact all_links_ok|]. split; [|exact all_stored].
    split; [exact all_ports_ok|]. now apply relays_none.
Qed.

Lemma waves_end : rounds s <= nodes_a_packet l * b * (n - 1).
Proof.
  unfold rounds. apply list_max_le, Forall_forall. intros r I. apply in_map_iff in I. destruct I as (p & <- & P).
  apply in_waves in P. destruct P as (v & k & j & V & K & J & ->). cbn [round wave_packet].
  assert (phase l (place v) k + 1 <= nodes_a_packet l * b); [|nia].
  destruct l; cbn [phase nodes_a_packet]; [|lia]. pose proof (Nat.mod_upper_bound (place v) 2). lia.
Qed.

End Waves.

(* A round has N messages, half duplex N / 2. So q N messages need q rounds, half duplex 2 q. *)
Lemma least_rounds s g c q : even_cycle g c -> (forall u v, weight g u v <= 1) -> valid s -> on s = g ->
  forall l, under s = one_port l -> q * nodes g <= length (messages s) -> nodes_a_packet l * q <= rounds s.
Proof.
  intros E W V On l Un H.
  assert (R : length (messages s) <= packet_tokens (under s) * (rounds s * (nodes (on s) / nodes_a_packet l))).
  { pose proof (one_port_room s V) as R. rewrite On, Un in *. now apply R. }
  rewrite On, Un in R. cbn [packet_tokens one_port] in R. pose proof (some_nodes g c E).
  assert (A : nodes_a_packet l * (nodes g / nodes_a_packet l) = nodes g).
  { destruct l; cbn [nodes_a_packet]; [|rewrite Nat.div_1_r; lia]. pose proof (even_length g c E) as Q.
    apply Nat.even_spec in Q. destruct Q as [h ->]. rewrite (Nat.mul_comm 2 h), Nat.div_mul; lia. }
  set (h := nodes g / nodes_a_packet l) in *. set (a := nodes_a_packet l) in *.
  apply Nat.mul_le_mono_pos_r with (nodes g); [lia|]. rewrite <- A at 2. nia.
Qed.

(* (N - 1) rounds for each block of every node, half duplex twice as many, and nothing is shorter. *)
Theorem waves_optimal : forall l g c b, even_cycle g c -> (forall u v, weight g u v <= 1) -> 1 <= b ->
  let s := wave_gossip l g c b in
  valid s /\ on s = g /\ under s = one_port l /\ aim s = AllGather (nodes g * b) /\
  rounds s = nodes_a_packet l * b * (nodes g - 1) /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intros l g c b E W B s. assert (V : valid s) by now apply waves_valid.
  assert (Least : forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s ->
    nodes_a_packet l * b * (nodes g - 1) <= rounds s').
  { intros s' V' On Un A. pose proof (all_gather_messages s' _ V' A) as M. rewrite On in M. change (on s) with g in *.
    rewrite (size_plain g (no_relays g c E)) in M. rewrite <- Nat.mul_assoc. apply (least_rounds s' g c); auto. lia. }
  assert (R : rounds s = nodes_a_packet l * b * (nodes g - 1)).
  { apply Nat.le_antisymm; [now apply waves_end|now apply Least]. }
  split; [exact V|]. do 4 (split; [auto|]). intros s' V' On Un A. rewrite R. now apply Least.
Qed.
