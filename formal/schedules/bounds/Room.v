(* SPDX-License-Identifier: MIT *)
(* How many messages a round has room for: of a graph in all, to a node, out of a node, across a cut. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting.
Import ListNotations.

(* What a round has room for: the packets over all arcs that start and end where `here` says, in either link mode. *)
Definition arcs (g : graph) : list (nat * nat) := list_prod (seq 0 (nodes g)) (seq 0 (nodes g)).

Definition room (g : graph) (l : link_mode) : nat :=
  match l with
  | Full => list_sum (map (fun a => if fst a =? snd a then 0 else weight g (fst a) (snd a)) (arcs g))
  | Half => list_sum (map (fun a => if fst a <? snd a then max (weight g (fst a) (snd a)) (weight g (snd a) (fst a))
                                    else 0) (arcs g))
  end.

(* All that the links of node v carry to it. *)
Definition room_in (g : graph) (v : nat) : nat := list_sum (map (fun u => weight g u v) (seq 0 (nodes g))).
Definition room_out (g : graph) (v : nat) : nat := list_sum (map (fun u => weight g v u) (seq 0 (nodes g))).

(* All that the links carry from nodes inside a set to nodes outside. *)
Definition room_across (g : graph) (inside : nat -> bool) : nat :=
  list_sum (map (fun a => if inside (fst a) && negb (inside (snd a)) then weight g (fst a) (snd a) else 0) (arcs g)).

Definition hops_at (s : schedule) (t : nat) : list (nat * nat) := flat_map (fun p => hops (path p)) (in_round s t).

Definition pair_eqb (a b : nat * nat) : bool := (fst a =? fst b) && (snd a =? snd b).

Lemma pair_eqb_eq a b : pair_eqb a b = true <-> a = b.
Proof. destruct a, b. unfold pair_eqb. cbn. rewrite andb_true_iff, !Nat.eqb_eq. intuition congruence. Qed.

Lemma count_filter l a : count_occ hop_dec l a = length (filter (fun b => pair_eqb b a) l).
Proof.
  induction l as [|b l IH]; auto. cbn [count_occ filter]. destruct (hop_dec b a) as [->|N].
  - rewrite (proj2 (pair_eqb_eq a a) eq_refl). cbn [length]. auto.
  - destruct (pair_eqb b a) eqn:E; auto. apply pair_eqb_eq in E. congruence.
Qed.

Lemma uses_filter s t u v : uses s t u v = length (filter (fun b => pair_eqb b (u, v)) (hops_at s t)).
Proof. apply count_filter. Qed.

Section Room.

Variable s : schedule.
Hypothesis s_valid : valid s.

Local Notation g := (on s).

Lemma packets_valid p : In p (packets s) -> packet_ok s p.
Proof. apply s_valid. Qed.

Lemma hop_inside l u v : In (u, v) (hops l) -> In u l /\ In v l.
Proof.
  induction l as [|a [|b l] IH]; cbn; try tauto. intros [[= -> ->]|I]; auto. apply IH in I. cbn in I. tauto.
Qed.

Lemma hop_differs l u v : NoDup l -> In (u, v) (hops l) -> u <> v.
Proof.
  induction l as [|a [|b l] IH]; cbn; try tauto. intros N [[= -> ->]|I].
  - inversion N as [|? ? Na _]; subst. intros ->. apply Na. cbn. auto.
  - inversion N; subst. apply IH; auto.
Qed.

Lemma in_hops_at t u v : In (u, v) (hops_at s t) -> u < nodes g /\ v < nodes g /\ u <> v.
Proof.
  unfold hops_at, in_round. rewrite in_flat_map. intros (p & Ip & I). apply filter_In in Ip. destruct Ip as [Ip _].
  destruct (packets_valid p Ip) as (_ & _ & N & V & _).
  pose proof (hop_inside _ _ _ I) as [Iu Iv]. repeat split; auto. eapply hop_differs; eauto.
Qed.

Lemma uses_le t u v : uses s t u v <= weight g u v.
Proof. destruct s_valid as (_ & _ & _ & L & _). apply L. Qed.

(* The hops of a round that a test picks, by arcs. *)
Lemma picked t (test : nat * nat -> bool) :
  length (filter test (hops_at s t)) <=
  list_sum (map (fun a => if test a then uses s t (fst a) (snd a) else 0) (arcs g)).
Proof.
  apply Nat.le_trans with
    (list_sum (map (fun a => length (filter (fun b => pair_eqb b a) (filter test (hops_at s t)))) (arcs g))).
  - apply (by_key_ge (fun a => a) pair_eqb pair_eqb_eq). intros [u v] I. apply filter_In in I. destruct I as [I _].
    apply in_hops_at in I. apply in_prod_iff. rewrite !in_seq. lia.
  - apply sum_le. intros [u v] _. cbn [fst snd]. rewrite uses_filter. destruct (test (u, v)) eqn:E.
    + apply Nat.eq_le_incl. rewrite !length_filter, sum_filter. f_equal. apply map_ext. intros b.
      destruct (pair_eqb b (u, v)) eqn:Eb; [|now destruct (test b)]. apply pair_eqb_eq in Eb. subst. now rewrite E.
    + rewrite length_filter, sum_filter, sum_zero; auto. intros b _.
      destruct (pair_eqb b (u, v)) eqn:Eb; [|now destruct (test b)]. apply pair_eqb_eq in Eb. subst. now rewrite E.
Qed.

Lemma across_le t inside :
  length (filter (fun a => inside (fst a) && negb (inside (snd a))) (hops_at s t)) <= room_across g inside.
Proof.
  eapply Nat.le_trans; [apply picked|]. apply sum_le. intros [u v] _. cbn [fst snd].
  destruct (inside u && negb (inside v)); auto. apply uses_le.
Qed.

Lemma in_le t v : length (filter (fun a => snd a =? v) (hops_at s t)) <= room_in g v.
Proof.
  assert (H : length (filter (fun a => snd a =? v) (hops_at s t)) <=
    list_sum (map (fun u => length (filter (fun a => fst a =? u) (filter (fun a => snd a =? v) (hops_at s t))))
      (seq 0 (nodes g)))).
  { apply (by_key_ge fst Nat.eqb Nat.eqb_eq). intros [u w] I. apply filter_In in I. destruct I as [I _].
    apply in_hops_at in I. apply in_seq. cbn. lia. }
  eapply Nat.le_trans; [apply H|]. apply sum_le. intros u _. eapply Nat.le_trans; [|apply (uses_le t)].
  rewrite uses_filter, !length_filter, sum_filter. apply sum_le. intros [a b] _. unfold pair_eqb. cbn [fst snd].
  destruct (b =? v), (a =? u); auto.
Qed.

Lemma out_le t v : length (filter (fun a => fst a =? v) (hops_at s t)) <= room_out g v.
Proof.
  assert (H : length (filter (fun a => fst a =? v) (hops_at s t)) <=
    list_sum (map (fun u => length (filter (fun a => snd a =? u) (filter (fun a => fst a =? v) (hops_at s t))))
      (seq 0 (nodes g)))).
  { apply (by_key_ge snd Nat.eqb Nat.eqb_eq). intros [u w] I. apply filter_In in I. destruct I as [I _].
    apply in_hops_at in I. apply in_seq. cbn. lia. }
  eapply Nat.le_trans; [apply H|]. apply sum_le. intros u _. eapply Nat.le_trans; [|apply (uses_le t)].
  rewrite uses_filter, !length_filter, sum_filter. apply sum_le. intros [a b] _. unfold pair_eqb. cbn [fst snd].
  destruct (b =? u), (a =? v); auto.
Qed.

Lemma sum_arcs (f : nat -> nat -> nat) :
  list_sum (map (fun a => f (fst a) (snd a)) (arcs g)) =
  list_sum (map (fun u => list_sum (map (fun v => f u v) (seq 0 (nodes g)))) (seq 0 (nodes g))).
Proof.
  unfold arcs. now rewrite sum_prod.
Qed.

(* Turned, arc by arc. *)
Lemma sum_arcs_turned (f : nat -> nat -> nat) :
  list_sum (map (fun a => f (fst a) (snd a)) (arcs g)) = list_sum (map (fun a => f (snd a) (fst a)) (arcs g)).
Proof. rewrite sum_arcs, (sum_arcs (fun u v => f v u)), sum_swap. reflexivity. Qed.

Lemma hops_le t : length (hops_at s t) <= room g (link (under s)).
Proof.
  assert (E : length (hops_at s t) = length (filter (fun a => negb (fst a =? snd a)) (hops_at s t))).
  { assert (I : forall a, In a (hops_at s t) -> fst a <> snd a) by (intros [u v] I; now apply in_hops_at in I).
    induction (hops_at s t) as [|a l IH]; auto. cbn [filter length].
    rewrite (proj2 (Nat.eqb_neq _ _) (I a (or_introl eq_refl))). cbn [negb length]. rewrite <- IH; auto.
    intros b Ib. apply I. cbn. auto. }
  rewrite E. eapply Nat.le_trans; [apply picked|]. unfold room. destruct (link (under s)) eqn:El.
  - assert (S : list_sum (map (fun a => if negb (fst a =? snd a) then uses s t (fst a) (snd a) else 0) (arcs g)) =
      list_sum (map (fun a => (if fst a <? snd a then uses s t (fst a) (snd a) else 0) +
                              (if snd a <? fst a then uses s t (fst a) (snd a) else 0)) (arcs g))).
    { f_equal. apply map_ext. intros [u v]. cbn [fst snd].
      destruct (Nat.eqb_spec u v), (Nat.ltb_spec u v), (Nat.ltb_spec v u); cbn; lia. }
    rewrite S, sum_plus, (sum_arcs_turned (fun u v => if v <? u then uses s t u v else 0)), <- sum_plus.
    apply sum_le. intros [u v] _. cbn [fst snd]. destruct (u <? v); auto.
    destruct s_valid as (_ & _ & _ & L & _). now apply L.
  - apply sum_le. intros [u v] _. cbn [fst snd]. destruct (u =? v); cbn [negb]; auto. apply uses_le.
Qed.

(* ---- messages by rounds ---- *)

(* Packets of which each has a hop that a test picks: as many as its hops, at most. *)
Lemma packets_by_hops t (which : packet -> bool) (test : nat * nat -> bool) :
  (forall p, In p (in_round s t) -> which p = true -> exists a, In a (hops (path p)) /\ test a = true) ->
  length (filter which (in_round s t)) <= length (filter test (hops_at s t)).
Proof.
  unfold hops_at. induction (in_round s t) as [|p ps IH]; intro H; auto. cbn [filter flat_map].
  rewrite filter_app, app_length. specialize (IH (fun q I => H q (or_intror I))).
  destruct (which p) eqn:W; cbn [length]; [|lia].
  destruct (H p (or_introl eq_refl) W) as (a & Ia & T).
  assert (In a (filter test (hops (path p)))) as F by (apply filter_In; auto).
  destruct (filter test (hops (path p))); [destruct F|cbn; lia].
Qed.

Lemma items_le p : In p (packets s) -> length (items p) <= packet_tokens (under s).
Proof. intro I. destruct (packets_valid p I) as (_ & _ & _ & _ & _ & H & _). lia. Qed.

Lemma round_between p : In p (packets s) -> 1 <= round p <= rounds s.
Proof.
  intro I. split; [apply (packets_valid p I)|]. unfold rounds.
  pose proof (proj1 (list_max_le (map round (packets s)) (list_max (map round (packets s)))) (le_n _)) as H.
  rewrite Forall_forall in H. apply H, in_map, I.
Qed.

(* Messages after round r0 whose packets a test picks, where a round has room for c such packets. *)
Lemma messages_after (r0 c : nat) (which : packet -> bool) :
  (forall t, length (filter which (in_round s t)) <= c) ->
  length (flat_map messages_of (filter (fun p => which p && (r0 <? round p)) (packets s))) <=
  packet_tokens (under s) * ((rounds s - r0) * c).
Proof.
  intro H. set (picks := fun p => which p && (r0 <? round p)).
  rewrite length_flat_map. apply Nat.le_trans with (length (filter picks (packets s)) * packet_tokens (under s)).
  - apply sum_const. intros p I. apply filter_In in I. destruct I as [I _]. unfold messages_of. rewrite map_length.
    now apply items_le.
  - rewrite (Nat.mul_comm _ (packet_tokens _)). apply Nat.mul_le_mono_l.
    apply Nat.le_trans with
      (list_sum (map (fun t => length (filter (fun p => round p =? t) (filter picks (packets s))))
        (seq (S r0) (rounds s - r0)))).
    + apply (by_key_ge round Nat.eqb Nat.eqb_eq). intros p I. apply filter_In in I. destruct I as [I P].
      unfold picks in P. apply andb_true_iff in P. destruct P as [_ P]. apply Nat.ltb_lt in P.
      pose proof (round_between p I). apply in_seq. lia.
    + rewrite <- (seq_length (rounds s - r0) (S r0)) at 2. apply sum_const. intros t _.
      eapply Nat.le_trans; [|apply (H t)]. unfold in_round. rewrite !length_filter, !sum_filter. apply sum_le.
      intros p _. unfold picks. destruct (which p), (r0 <? round p), (round p =? t); cbn; auto.
Qed.

(* ---- the room of all rounds ---- *)

Lemma first_hop p : In p (packets s) -> exists w, In (origin p, w) (hops (path p)).
Proof.
  intro I. destruct (packets_valid p I) as (_ & L & _). unfold origin.
  destruct (path p) as [|u [|v l]]; cbn in *; try lia. eauto.
Qed.

Lemma last_hop l : 2 <= length l -> exists u, In (u, last l 0) (hops l).
Proof.
  induction l as [|a [|b [|c l]] IH]; intro L; try (cbn in L; lia).
  - cbn. eauto.
  - destruct IH as (u & I); [cbn; lia|]. exists u. cbn [hops]. right. exact I.
Qed.

Theorem room_of_all_rounds : length (messages s) <= packet_tokens (under s) * (rounds s * room g (link (under s))).
Proof.
  pose proof (messages_after 0 (room g (link (under s))) (fun _ => true)) as H. rewrite Nat.sub_0_r in H.
  eapply Nat.le_trans; [|apply H].
  - unfold messages. rewrite filter_true; auto. intros p I. apply Nat.ltb_lt. now apply round_between.
  - intro t. eapply Nat.le_trans; [|apply (hops_le t)].
    eapply Nat.le_trans; [apply (packets_by_hops t _ (fun _ => true))|apply filter_length].
    intros p I _. unfold in_round in I. apply filter_In in I. destruct I as [I _].
    destruct (first_hop p I) as [w Iw]. eauto.
Qed.

End Room.
