(* SPDX-License-Identifier: MIT *)
(* The count bound with one port (docs/theory/one-port.md): links of weight 1, store and forward. Full duplex, a node
   takes at most one packet in a round; half duplex, a packet keeps two nodes busy. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting bounds.Room bounds.Rounds.
Import ListNotations.

(* Of so many nodes in a round one packet comes: to each, half duplex to every second one. *)
Definition nodes_a_packet (l : link_mode) : nat := match l with Half => 2 | Full => 1 end.

Section OnePort.

Variable s : schedule.
Hypothesis s_valid : valid s.
Hypothesis one : port (under s) = OnePort.
Hypothesis links : route (under s) = StoreAndForward.
Hypothesis weight_1 : forall u v, weight (on s) u v <= 1.

Local Notation n := (nodes (on s)).
Local Notation l := (link (under s)).

(* Does this hop keep the port of node v busy, half duplex, or the half of it that takes? *)
Definition busy (v : nat) (a : nat * nat) : bool :=
  match l with Half => (fst a =? v) || (snd a =? v) | Full => snd a =? v end.

Lemma busy_ends v a : busy v a = true -> fst a = v \/ snd a = v.
Proof. unfold busy. destruct l; [rewrite orb_true_iff|]; rewrite ?Nat.eqb_eq; tauto. Qed.

Lemma hop_packet t a : In a (hops_at s t) -> exists p, In p (packets s) /\ round p = t /\ path p = [fst a; snd a].
Proof.
  unfold hops_at, in_round. rewrite in_flat_map. intros (p & I & H). apply filter_In in I. destruct I as [I T].
  apply Nat.eqb_eq in T. exists p. repeat split; auto.
  destruct (packets_valid s s_valid p I) as (_ & _ & _ & _ & Two & _). specialize (Two links).
  destruct (path p) as [|u [|v [|w q]]]; try discriminate Two. cbn in H. destruct H as [<-|[]]. reflexivity.
Qed.

(* Two hops at one node in a round are over one link. *)
Lemma one_link t v a b : In a (hops_at s t) -> In b (hops_at s t) -> busy v a = true -> busy v b = true ->
  b = a \/ b = (snd a, fst a).
Proof.
  intros A B Va Vb. destruct (hop_packet t a A) as (p & P & Tp & Ep), (hop_packet t b B) as (q & Q & Tq & Eq).
  apply busy_ends in Va, Vb. destruct s_valid as (_ & _ & _ & _ & (Ports & _) & _). specialize (Ports one).
  rewrite links in Ports. specialize (Ports p q v P Q). rewrite Ep, Eq in Ports.
  destruct a as [x y], b as [z w]. cbn [fst snd In rev app] in *.
  destruct Ports as [E|E]; try intuition congruence.
Qed.

Lemma busy_once t v : length (filter (busy v) (hops_at s t)) <= 1.
Proof.
  destruct (filter (busy v) (hops_at s t)) as [|a f] eqn:F; [cbn; lia|]. rewrite <- F.
  assert (A : In a (filter (busy v) (hops_at s t))) by (rewrite F; cbn; auto).
  clear F f. apply filter_In in A. destruct A as [A V].
  destruct (in_hops_at s s_valid t (fst a) (snd a) ltac:(now destruct a)) as (_ & _ & D).
  destruct s_valid as (_ & _ & _ & L & _).
  destruct (L t (fst a) (snd a)) as [U H], (L t (snd a) (fst a)) as [U' _]. rewrite !uses_filter in *.
  pose proof (weight_1 (fst a) (snd a)). pose proof (weight_1 (snd a) (fst a)).
  destruct l eqn:El.
  - specialize (H eq_refl). apply Nat.le_trans
      with (length (filter (fun b => pair_eqb b (fst a, snd a)) (hops_at s t)) +
            length (filter (fun b => pair_eqb b (snd a, fst a)) (hops_at s t))); [|lia].
    rewrite !length_filter, <- sum_plus. apply sum_le. intros b B. destruct (busy v b) eqn:Vb; [|lia].
    destruct (one_link t v a b A B V Vb) as [->| ->].
    + replace (pair_eqb a (fst a, snd a)) with true; [lia|]. symmetry. apply pair_eqb_eq. now destruct a.
    + rewrite (proj2 (pair_eqb_eq (snd a, fst a) (snd a, fst a)) eq_refl). lia.
  - eapply Nat.le_trans; [|apply (Nat.le_trans _ _ _ U (weight_1 _ _))]. apply filter_le. intros b B Vb.
    apply pair_eqb_eq. destruct (one_link t v a b A B V Vb) as [->| ->]; [now destruct a|]. exfalso. apply D.
    unfold busy in V, Vb. rewrite El in V, Vb. apply Nat.eqb_eq in V, Vb. cbn in Vb. congruence.
Qed.

Lemma hops_one_port t : length (hops_at s t) <= n / nodes_a_packet l.
Proof.
  apply Nat.div_le_lower_bound; [now destruct l|].
  apply Nat.le_trans with (list_sum (map (fun v => length (filter (busy v) (hops_at s t))) (seq 0 n))).
  - assert (From : length (hops_at s t) <=
      list_sum (map (fun v => length (filter (fun a => fst a =? v) (hops_at s t))) (seq 0 n))).
    { apply (by_key_ge fst Nat.eqb Nat.eqb_eq). intros [u v] I. apply in_hops_at in I; auto. apply in_seq. cbn. lia. }
    assert (To : length (hops_at s t) <=
      list_sum (map (fun v => length (filter (fun a => snd a =? v) (hops_at s t))) (seq 0 n))).
    { apply (by_key_ge snd Nat.eqb Nat.eqb_eq). intros [u v] I. apply in_hops_at in I; auto. apply in_seq. cbn. lia. }
    unfold busy, nodes_a_packet. destruct l; [|lia].
    eapply Nat.le_trans; [|apply sum_le with (f := fun v =>
      length (filter (fun a => fst a =? v) (hops_at s t)) + length (filter (fun a => snd a =? v) (hops_at s t)))].
    + rewrite sum_plus. lia.
    + intros v _. rewrite !length_filter, <- sum_plus. apply sum_le. intros [x y] I. cbn [fst snd].
      apply in_hops_at in I; auto. destruct (Nat.eqb_spec x v), (Nat.eqb_spec y v); cbn; lia.
  - rewrite <- (seq_length n 0) at 2. rewrite <- (Nat.mul_1_r (length _)). apply sum_const. intros v _.
    apply busy_once.
Qed.

End OnePort.

(* A round has N messages of p blocks, half duplex N / 2, rounded down. *)
Theorem one_port_room : forall s, valid s -> port (under s) = OnePort -> route (under s) = StoreAndForward ->
  (forall u v, weight (on s) u v <= 1) ->
  length (messages s) <= packet_tokens (under s) * (rounds s * (nodes (on s) / nodes_a_packet (link (under s)))).
Proof.
  intros s V One Links W. set (c := nodes (on s) / nodes_a_packet (link (under s))).
  pose proof (messages_after s V 0 c (fun _ => true)) as H. rewrite Nat.sub_0_r in H. eapply Nat.le_trans; [|apply H].
  - unfold messages. rewrite filter_true; auto. intros p I. apply Nat.ltb_lt. now apply (round_between s V p I).
  - intro t. eapply Nat.le_trans; [|apply (hops_one_port s V One Links W t)].
    eapply Nat.le_trans; [apply (packets_by_hops s t _ (fun _ => true))|apply filter_length].
    intros p I _. unfold in_round in I. apply filter_In in I. destruct I as [I _].
    destruct (first_hop s V p I) as [w Iw]. eauto.
Qed.

Theorem one_port_gather_count : forall s b, valid s -> port (under s) = OnePort ->
  route (under s) = StoreAndForward -> (forall u v, weight (on s) u v <= 1) -> aim s = AllGather b ->
  b * (size (on s) - 1) <=
  packet_tokens (under s) * (rounds s * (nodes (on s) / nodes_a_packet (link (under s)))).
Proof.
  intros s b V One Links W A. eapply Nat.le_trans; [now apply all_gather_messages|]. now apply one_port_room.
Qed.
