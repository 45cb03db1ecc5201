(* SPDX-License-Identifier: MIT *)
(* One tree and its translates (docs/theory/optimal-gossip.md, "Why nothing meets"): a tree of which each step of a
   round goes another way is a gossip, on tori of any number of axes. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat bounds.Counting torus.Group.
Import ListNotations.

(* Packets of p = 1, lambda = 1, all ports. *)
Definition plain (l : link_mode) : model := Model l AllPorts StoreAndForward 1 1.

(* A tree says of every node but 0: in which round the token of node 0 reaches it, from where, by which step. *)
Record tree := Tree { time : nat -> nat; parent : nat -> nat; step : nat -> nat }.

Definition tree_packets (t : tree) (n : nat) : list packet :=
  map (fun v => Packet (time t v) [parent t v; v] [Item 0 false]) (seq 1 (n - 1)).

Definition tree_schedule (l : link_mode) (sides : list nat) (t : tree) : schedule :=
  Schedule (torus sides) (plain l) (AllGather (product sides)) (tree_packets t (product sides)).

Definition tree_gossip (l : link_mode) (sides : list nat) (t : tree) : schedule :=
  translates sides (tree_schedule l sides t).

Section Tree.

Variables (l : link_mode) (sides : list nat) (t : tree).
Local Notation n := (product sides).
Local Notation "u +# v" := (plus sides u v) (at level 50, left associativity).

Definition inner (v : nat) : Prop := 1 <= v < n.

Record tree_ok : Prop := {
  grown : forall v, inner v -> 1 <= time t v;
  steps : forall v, inner v -> parent t v < n /\ is_step sides (step t v) /\ parent t v +# step t v = v;
  after : forall v, inner v -> parent t v = 0 \/ time t (parent t v) < time t v;
  (* in a round each step once; half duplex, not its opposite *)
  apart : forall v w, inner v -> inner w -> time t v = time t w -> step t v = step t w -> v = w;
  one_way : l = Half -> forall v w, inner v -> inner w -> time t v = time t w -> step t v +# step t w <> 0 }.

Hypothesis sides_3 : sides_ok sides.
Hypothesis ok : tree_ok.

Local Notation s := (tree_gossip l sides t).

Lemma gossip_packet p : In p (packets s) <->
  exists u v, u < n /\ inner v /\ p = Packet (time t v) [u +# parent t v; u +# v] [Item u false].
Proof.
  cbn. rewrite in_flat_map. split.
  - intros (u & U & I). apply in_seq in U. apply in_map_iff in I. destruct I as (q & <- & I).
    apply in_map_iff in I. destruct I as (v & <- & V). apply in_seq in V. exists u, v. unfold inner. repeat split; lia.
  - intros (u & v & U & V & ->). exists u. rewrite in_seq. split; [lia|]. apply in_map_iff.
    exists (Packet (time t v) [parent t v; v] [Item 0 false]). split; auto. apply in_map_iff. exists v. split; auto.
    apply in_seq. unfold inner in V. lia.
Qed.

Lemma inner_lt v : inner v -> v < n.
Proof. unfold inner. lia. Qed.

Lemma step_not_0 v : inner v -> step t v <> 0.
Proof.
  intros V E. destruct (steps ok v V) as (P & _ & E'). rewrite E, plus_0 in E' by auto.
  destruct (after ok v V) as [Z|L]; [unfold inner in V; lia|]. rewrite E' in L. lia.
Qed.

Lemma moves u v : u < n -> inner v -> u +# v = (u +# parent t v) +# step t v.
Proof. intros U V. destruct (steps ok v V) as (_ & _ & E). now rewrite <- plus_assoc, E. Qed.

Lemma gossip_packet_ok p : In p (packets s) -> packet_ok s p.
Proof.
  intro I. apply gossip_packet in I. destruct I as (u & v & U & V & ->). unfold packet_ok. cbn.
  pose proof (grown ok v V). destruct (steps ok v V) as (P & G & E). repeat split; auto; try lia.
  - constructor; [|constructor; [tauto|constructor]]. cbn. intros [Q|[]].
    pose proof (moves u v U V) as M. rewrite <- Q in M.
    apply (step_not_0 v V). apply (plus_cancel sides (u +# v)); auto.
    + apply G.
    + now apply positive.
    + rewrite plus_0; auto using plus_lt.
  - intros w [<-|[<-|[]]]; auto using plus_lt.
  - constructor; [cbn; tauto|constructor].
  - intros i [<-|[]]. exact U.
Qed.

(* ---- links ---- *)

Definition arcs_of (r u : nat) : list (nat * nat) :=
  map (fun v => (u +# parent t v, u +# v)) (filter (fun v => time t v =? r) (seq 1 (n - 1))).

Lemma hops_in_round r :
  flat_map (fun p => hops (path p)) (in_round s r) = flat_map (arcs_of r) (seq 0 n).
Proof.
  unfold in_round, arcs_of. cbn [packets tree_gossip translates on tree_schedule nodes torus].
  induction (seq 0 n) as [|u us IH]; auto. cbn [flat_map]. rewrite filter_app, flat_map_app, IH. f_equal.
  clear IH. unfold tree_packets. induction (seq 1 (n - 1)) as [|v vs IHv]; auto. cbn. destruct (time t v =? r); cbn;
    [f_equal|]; apply IHv.
Qed.

Lemma in_arcs r a b : In (a, b) (flat_map (arcs_of r) (seq 0 n)) <->
  exists u v, u < n /\ inner v /\ time t v = r /\ a = u +# parent t v /\ b = u +# v.
Proof.
  rewrite in_flat_map. unfold arcs_of, inner. split.
  - intros (u & U & I). apply in_seq in U. apply in_map_iff in I. destruct I as (v & [= <- <-] & F).
    apply filter_In in F. rewrite in_seq, Nat.eqb_eq in F. exists u, v. repeat split; try lia.
  - intros (u & v & U & V & T & -> & ->). exists u. rewrite in_seq. split; [lia|]. apply in_map_iff. exists v.
    split; auto. apply filter_In. rewrite in_seq, Nat.eqb_eq. lia.
Qed.

(* Which step and which translate used an arc is plain from the arc. *)
Lemma who u v u' v' : u < n -> u' < n -> inner v -> inner v' -> time t v = time t v' ->
  u +# parent t v = u' +# parent t v' -> u +# v = u' +# v' -> u = u' /\ v = v'.
Proof.
  intros U U' V V' T P Q. rewrite (moves u v), (moves u' v'), <- P in Q by auto.
  assert (G : step t v = step t v').
  { apply (plus_cancel sides (u +# parent t v)); auto; eapply (steps ok); eauto. }
  assert (v = v') by now apply (apart ok). subst v'. split; auto.
  apply (plus_cancel sides (parent t v)); auto. now rewrite !(plus_comm sides (parent t v)).
Qed.

Lemma arcs_distinct r : NoDup (flat_map (arcs_of r) (seq 0 n)).
Proof.
  apply NoDup_flat_map; [apply seq_NoDup| |].
  - intros u U. apply in_seq in U. apply NoDup_map_inj; [apply NoDup_filter, seq_NoDup|].
    intros v v' I I' E. apply filter_In in I, I'. rewrite in_seq, Nat.eqb_eq in I, I'. injection E as P Q.
    apply (who u v u v'); unfold inner; auto; lia.
  - intros u u' [a b] U U' I I'. apply in_seq in U, U'. unfold arcs_of in I, I'.
    apply in_map_iff in I, I'. destruct I as (v & [= <- <-] & F), I' as (v' & [= P Q] & F').
    apply filter_In in F, F'. rewrite in_seq, Nat.eqb_eq in F, F'.
    apply (who u v u' v'); unfold inner; auto; lia.
Qed.

Lemma gossip_uses r a b : uses s r a b <= 1.
Proof. unfold uses. rewrite hops_in_round. apply NoDup_count_occ, arcs_distinct. Qed.

Lemma gossip_used r a b : 1 <= uses s r a b ->
  exists u v, u < n /\ inner v /\ time t v = r /\ a = u +# parent t v /\ b = u +# v.
Proof.
  intro L. apply in_arcs. rewrite <- hops_in_round. apply (count_occ_In hop_dec). unfold uses in L. lia.
Qed.

Lemma gossip_arc u v : u < n -> inner v -> weight (torus sides) (u +# parent t v) (u +# v) = 1.
Proof. intros U V. rewrite (moves u v) by auto. apply step_weight; auto using plus_lt. now apply (steps ok). Qed.

Lemma used_weight r a b : 1 <= uses s r a b -> weight (torus sides) a b = 1.
Proof. intro L. destruct (gossip_used r a b L) as (u & v & U & V & _ & -> & ->). now apply gossip_arc. Qed.

Lemma not_both r a b : l = Half -> 1 <= uses s r a b -> 1 <= uses s r b a -> False.
Proof.
  intros H L L'. destruct (gossip_used r a b L) as (u & v & U & V & T & A & B).
  destruct (gossip_used r b a L') as (u' & v' & U' & V' & T' & B' & A').
  apply (one_way ok H v v'); auto; [congruence|].
  rewrite (moves u v), <- A in B by auto. rewrite (moves u' v'), <- B', B, <- plus_assoc in A' by auto.
  assert (La : a < n) by (rewrite A; now apply plus_lt).
  apply (plus_cancel sides a); auto using plus_lt, positive. rewrite plus_0; auto.
Qed.

Lemma gossip_links : links_ok s.
Proof.
  intros r a b. change (on s) with (torus sides). pose proof (gossip_uses r a b). pose proof (gossip_uses r b a). split.
  - destruct (Nat.eq_dec (uses s r a b) 0); [lia|]. rewrite (used_weight r a b); lia.
  - intro H'. rewrite (torus_symmetric sides b a), Nat.max_id.
    destruct (Nat.eq_dec (uses s r a b) 0), (Nat.eq_dec (uses s r b a) 0).
    + lia.
    + rewrite torus_symmetric, (used_weight r b a); lia.
    + rewrite (used_weight r a b); lia.
    + exfalso. apply (not_both r a b); auto; lia.
Qed.

(* ---- blocks ---- *)

Lemma gossip_message m : In m (messages s) <->
  exists u v, u < n /\ inner v /\ m = Message (time t v) u (u +# parent t v) (u +# v) false.
Proof.
  unfold messages. rewrite in_flat_map. split.
  - intros (p & P & I). apply gossip_packet in P. destruct P as (u & v & U & V & ->). destruct I as [<-|[]].
    exists u, v. auto.
  - intros (u & v & U & V & ->). eexists. split; [apply gossip_packet; exists u, v; eauto|]. cbn. auto.
Qed.

Lemma gossip_holds v b : v < n -> b < n -> holds (torus sides) (AllGather n) v b = (b =? v).
Proof.
  intros V B. unfold holds, owner. rewrite torus_member, torus_rank, torus_size by lia.
  rewrite (proj2 (Nat.ltb_lt _ _) V), Nat.div_mul by lia. reflexivity.
Qed.

Theorem translates_valid : valid s.
Proof.
  pose proof (positive sides sides_3) as N.
  split; [cbn; split; cbn; lia|]. split.
  { split; [exact N|]. change (n mod size (torus sides) = 0). rewrite torus_size. apply Nat.mod_same. lia. }
  split; [exact gossip_packet_ok|]. split; [exact gossip_links|].
  split; [split; [intro H; discriminate H|now apply relays_none]|].
  cbn. split.
  - intros m I. apply gossip_message in I. destruct I as (u & v & U & V & ->). split; [reflexivity|].
    change (on s) with (torus sides). cbn [from what to when].
    destruct (steps ok v V) as (P & _ & _). destruct (Nat.eq_dec (parent t v) 0) as [Z|Z].
    + left. change (aim s) with (AllGather n). rewrite Z, plus_0 by auto. rewrite gossip_holds by auto.
      apply Nat.eqb_refl.
    + right. exists (Message (time t (parent t v)) u (u +# parent t (parent t v)) (u +# parent t v) false).
      assert (V' : inner (parent t v)) by (unfold inner; lia). repeat split.
      * apply gossip_message. exists u, (parent t v). auto.
      * cbn. destruct (after ok v V); lia.
  - intros v b B W. change (blocks (on s) (aim s)) with n in B. change (on s) with (torus sides) in *.
    change (aim s) with (AllGather n) in *. unfold wants in W. rewrite torus_member, andb_true_r in W.
    apply Nat.ltb_lt in W. destruct (Nat.eq_dec b v) as [->|D].
    + left. rewrite gossip_holds by auto. apply Nat.eqb_refl.
    + right. destruct (plus_onto sides b v) as (w & Lw & E); auto. rewrite plus_comm in E.
      assert (Vw : inner w).
      { unfold inner. destruct w; [|lia]. rewrite plus_0 in E; auto. congruence. }
      exists (Message (time t w) b (b +# parent t w) (b +# w) false). split; auto. apply gossip_message. eauto.
Qed.

Lemma tree_rounds k : (forall v, inner v -> time t v <= k) -> rounds s <= k.
Proof.
  intro H. unfold rounds. apply list_max_le. rewrite Forall_forall. intros r I. apply in_map_iff in I.
  destruct I as (p & <- & P). apply gossip_packet in P. destruct P as (u & v & _ & V & ->). cbn. auto.
Qed.

End Tree.
