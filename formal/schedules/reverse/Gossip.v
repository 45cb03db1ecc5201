(* SPDX-License-Identifier: MIT *)
(* The trees of a gossip: of what arrives, the first of each block at each node. So every gossip of one token a packet
   gives a reduce-scatter in as many rounds, and an all-reduce in twice as many and lambda - 1. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting bounds.Room bounds.Ranks bounds.Plain.
From Gossipfab Require Import reverse.Reverse.
Import ListNotations.

Fixpoint earliest (l : list message) : option message :=
  match l with
  | [] => None
  | x :: l => match earliest l with Some y => if when x <=? when y then Some x else Some y | None => Some x end
  end.

Definition comes (s : schedule) (b v : nat) : list message :=
  filter (fun x => (what x =? b) && (to x =? v)) (messages s).
Definition pick (s : schedule) (b v : nat) : message :=
  match earliest (comes s b v) with Some x => x | None => Message 0 0 0 0 false end.

Definition forest_of (s : schedule) : forest := Forest (fun b v => when (pick s b v)) (fun b v => from (pick s b v)).

(* The blocks of a node. *)
Definition share (s : schedule) : nat := blocks (on s) (aim s) / nodes (on s).

(* A reduce-scatter and an all-reduce out of an all-gather. *)
Definition scatter_of (s : schedule) (i : bool) : schedule :=
  reverse_scatter (on s) (under s) (share s) (forest_of s) (rounds s) i.
Definition reduce_of (s : schedule) (i : bool) : schedule :=
  reverse_reduce (on s) (under s) (share s) (forest_of s) (rounds s) i.

(* Where that can be done: no relays, links alike in both directions, one token a packet. *)
Definition reversible (s : schedule) : Prop :=
  (exists b, aim s = AllGather b) /\ (forall v, relay (on s) v = false) /\
  (forall u v, weight (on s) u v = weight (on s) v u) /\
  route (under s) = StoreAndForward /\ packet_tokens (under s) = 1.

Lemma earliest_least l : l <> [] -> exists x, earliest l = Some x /\ In x l /\ forall y, In y l -> when x <= when y.
Proof.
  induction l as [|x l IH]; intro N; [congruence|]. cbn. destruct l as [|z l].
  - exists x. repeat split; cbn; auto. intros y [->|[]]. auto.
  - destruct IH as (y & E & I & L); [congruence|]. rewrite E. destruct (Nat.leb_spec (when x) (when y)).
    + exists x. repeat split; auto. intros w [->|J]; auto. specialize (L w J). lia.
    + exists y. repeat split; auto. intros w [->|J]; [lia|auto].
Qed.

Section Gossip.

Variable s : schedule.
Hypothesis s_valid : valid s.
Hypothesis s_reversible : reversible s.

Local Notation g := (on s).
Local Notation n := (nodes (on s)).

Lemma g_members v : relay g v = false.
Proof. apply s_reversible. Qed.

Lemma g_member v : member g v = (v <? n).
Proof. unfold member. rewrite g_members. apply andb_true_r. Qed.

Lemma g_aim : 1 <= n /\ 1 <= share s /\ aim s = AllGather (n * share s).
Proof.
  destruct s_reversible as ((b & A) & _). destruct s_valid as (_ & G & _). unfold share. rewrite A in *.
  destruct G as [B G]. cbn [blocks] in *. rewrite (size_plain g g_members) in G.
  assert (N : n <> 0) by (intro Z; rewrite Z in G; cbn in G; lia). pose proof (Nat.div_mod b n N).
  assert (b = n * (b / n)) by lia. repeat split; [lia|nia|congruence].
Qed.

Lemma g_holds v b : b < n * share s -> holds g (aim s) v b = true -> b / share s = v.
Proof.
  destruct g_aim as (N & K & A). intros B H. unfold holds in H. rewrite A, andb_true_iff, g_member, Nat.ltb_lt in H.
  destruct H as [V H]. rewrite block_owner, rank_plain in H by (auto using g_members; lia). now apply Nat.eqb_eq in H.
Qed.

Lemma stored : stored_ok s.
Proof. destruct s_valid as (_ & _ & _ & _ & _ & D). destruct g_aim as (_ & _ & A). now rewrite A in D. Qed.

(* Packets have one item and two nodes. *)
Lemma packet_shape p : In p (packets s) -> exists r u v i, p = Packet r [u; v] [i] /\
  1 <= r <= rounds s /\ u < n /\ v < n /\ u <> v /\ block i < n * share s.
Proof.
  intro I. pose proof (round_between s s_valid p I) as R.
  destruct (packets_valid s s_valid p I) as (_ & _ & N & V & L & T & _ & B).
  destruct s_reversible as (_ & _ & _ & Ro & Pt). destruct g_aim as (_ & _ & A). specialize (L Ro). rewrite Pt in T.
  rewrite A in B. cbn in B.
  destruct p as [r l k]. cbn in *. destruct l as [|u [|v [|w l]]]; try discriminate L.
  destruct k as [|i [|j k]]; cbn in T; try lia. exists r, u, v, i. repeat split; try lia.
  - apply V. cbn. auto.
  - apply V. cbn. auto.
  - inversion N as [|? ? Nu _]. intros ->. apply Nu. cbn. auto.
  - apply B. cbn. auto.
Qed.

Lemma message_shape x : In x (messages s) -> 1 <= when x <= rounds s /\ from x < n /\ to x < n /\ from x <> to x
  /\ what x < n * share s.
Proof.
  intro I. apply in_flat_map in I. destruct I as (p & P & I). destruct (packet_shape p P) as (r & u & v & i & -> & S).
  destruct I as [<-|[]]. exact S.
Qed.

Lemma picked b v : In (b, v) (pairs n (share s)) ->
  In (pick s b v) (messages s) /\ what (pick s b v) = b /\ to (pick s b v) = v /\
  forall y, In y (messages s) -> what y = b -> to y = v -> when (pick s b v) <= when y.
Proof.
  intro I. apply in_pairs in I. destruct I as (B & V & N).
  assert (C : comes s b v <> []).
  { destruct stored as [_ D]. destruct g_aim as (_ & _ & A).
    assert (W0 : wants g (aim s) v b = true).
    { unfold wants. rewrite A, g_member, andb_true_r. now apply Nat.ltb_lt. }
    assert (B0 : b < blocks g (aim s)) by now rewrite A.
    destruct (D v b B0 W0) as [H|(x & I & W & T)]; [apply g_holds in H; tauto|].
    intro E. assert (J : In x (comes s b v)) by (apply filter_In; rewrite W, T, !Nat.eqb_refl; auto).
    rewrite E in J. destruct J. }
  destruct (earliest_least _ C) as (x & E & I & L). unfold pick. rewrite E.
  apply filter_In in I. rewrite andb_true_iff, !Nat.eqb_eq in I. repeat split; try tauto.
  intros y J W T. apply L. apply filter_In. rewrite W, T, !Nat.eqb_refl. auto.
Qed.

(* Packets over an arc in a round are messages. *)
Lemma uses_messages r x y :
  uses s r x y = length (filter (fun m => (when m =? r) && ((from m =? x) && (to m =? y))) (messages s)).
Proof.
  unfold uses, in_round, messages. pose proof packet_shape as H. induction (packets s) as [|p ps IH]; auto.
  destruct (H p (or_introl eq_refl)) as (r' & u & v & i & -> & _). specialize (IH (fun q I => H q (or_intror I))).
  cbn [filter flat_map round messages_of items map app origin target path hd last when from to].
  destruct (r' =? r); cbn [flat_map andb hops path app]; auto. cbn [count_occ]. rewrite IH.
  destruct (hop_dec (u, v) (x, y)) as [E|E].
  - injection E as -> ->. now rewrite !Nat.eqb_refl.
  - destruct (Nat.eqb_spec u x), (Nat.eqb_spec v y); subst; auto. congruence.
Qed.

Lemma crossing_uses r x y : crossing (forest_of s) n (share s) r x y <= uses s r x y.
Proof.
  rewrite uses_messages. unfold crossing. cbn [at_round above forest_of].
  rewrite <- (map_length (fun a => pick s (fst a) (snd a))). apply NoDup_incl_length.
  - apply NoDup_map_inj; [apply NoDup_filter; apply pairs_distinct|].
    intros [b v] [b' v'] I J E. cbn [fst snd] in E. apply filter_In in I, J. destruct I as [I _], J as [J _].
    destruct (picked b v I) as (_ & W & T & _), (picked b' v' J) as (_ & W' & T' & _). congruence.
  - intros z I. apply in_map_iff in I. destruct I as ([b v] & <- & I). cbn [fst snd] in *. apply filter_In in I.
    destruct I as [I Q]. cbn [fst snd] in Q. destruct (picked b v I) as (M & _ & T & _). apply filter_In. split; auto.
    now rewrite T.
Qed.

(* One port: in a round a node has one link. *)
Lemma picked_ports : port (under s) = OnePort -> forall b v c w x,
  In (b, v) (pairs n (share s)) -> In (c, w) (pairs n (share s)) -> when (pick s b v) = when (pick s c w) ->
  x = v \/ x = from (pick s b v) -> x = w \/ x = from (pick s c w) ->
  v = w /\ from (pick s b v) = from (pick s c w) \/ v = from (pick s c w) /\ from (pick s b v) = w.
Proof.
  intros One b v c w x I J R X Y. destruct s_valid as (_ & _ & _ & _ & (P & _) & _). specialize (P One).
  destruct s_reversible as (_ & _ & _ & Ro & _). rewrite Ro in P.
  assert (Q : forall b v, In (b, v) (pairs n (share s)) -> exists p, In p (packets s) /\
    round p = when (pick s b v) /\ path p = [from (pick s b v); v]).
  { intros d u D. destruct (picked d u D) as (M & _ & T & _). unfold messages in M. apply in_flat_map in M.
    destruct M as (p & Ip & M). exists p. split; auto. destruct (packet_shape p Ip) as (r & y & z & i & -> & _).
    destruct M as [M|[]]. rewrite <- M in T |- *. cbn in *. now subst. }
  destruct (Q b v I) as (p & Ip & Rp & Ep), (Q c w J) as (q & Iq & Rq & Eq).
  specialize (P p q x Ip Iq ltac:(congruence)). rewrite Ep, Eq in P. cbn in P.
  destruct P as [E|E]; [intuition|intuition|injection E; auto|injection E; auto].
Qed.

Lemma gossip_forest : forest_ok g (under s) (share s) (forest_of s) (rounds s).
Proof.
  split; cbn [at_round above forest_of].
  - intros b v P. destruct (picked b v P) as (I & _). apply (message_shape _ I).
  - intros b v P. destruct (picked b v P) as (I & _). apply (message_shape _ I).
  - intros b v P. destruct (picked b v P) as (I & W & T & _). destruct stored as [D _].
    pose proof P as Q. apply in_pairs in Q. destruct Q as (B & V & N).
    destruct (D _ I) as [_ [H|(y & J & W' & T' & L)]].
    + left. rewrite W in H. apply g_holds in H; auto.
    + destruct (message_shape _ I) as (_ & F & _ & Nf & _). rewrite T in Nf.
      destruct (Nat.eq_dec (from (pick s b v)) (b / share s)) as [E|E]; auto. right. split; auto.
      destruct (picked b (from (pick s b v))) as (_ & _ & _ & Le); [apply in_pairs; auto|].
      specialize (Le y J ltac:(congruence) T'). lia.
  - intros r x y. destruct s_valid as (_ & _ & _ & L & _). destruct (L r x y) as [L1 L2].
    pose proof (crossing_uses r x y). pose proof (crossing_uses r y x). split; [lia|]. intro Q. specialize (L2 Q). lia.
  - exact picked_ports.
Qed.

Lemma reversed_both i (both : bool) :
  let s' := if both then reduce_of s i else scatter_of s i in
  valid s' /\ rounds s' <= if both then 2 * rounds s + hop_rounds (under s) - 1 else rounds s.
Proof.
  destruct s_reversible as (_ & R & S & Ro & _). pose proof gossip_forest as F. destruct g_aim as (G & K & _).
  assert (M : model_ok (under s)) by apply s_valid. cbn zeta. split.
  - exact (it_valid g (under s) (share s) (forest_of s) (rounds s) i G K R S M Ro F both).
  - pose proof (it_rounds g (under s) (share s) (forest_of s) (rounds s) i G K M F both) as H. unfold offset in H.
    unfold reduce_of, scatter_of. unfold it in H. destruct M. destruct both; lia.
Qed.

End Gossip.

Theorem scatter_of_valid : forall s i, valid s -> reversible s ->
  valid (scatter_of s i) /\ rounds (scatter_of s i) <= rounds s.
Proof. intros s i V R. exact (reversed_both s V R i false). Qed.

Theorem reduce_of_valid : forall s i, valid s -> reversible s ->
  valid (reduce_of s i) /\ rounds (reduce_of s i) <= 2 * rounds s + hop_rounds (under s) - 1.
Proof. intros s i V R. exact (reversed_both s V R i true). Qed.
