(* SPDX-License-Identifier: MIT *)
(* Trees backwards (docs/theory/reversed-gossip.md): a tree for each block, from its owner to all nodes, that together
   are a gossip. Read backwards they are a reduce-scatter; and then forwards again, an all-reduce. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting bounds.Room bounds.Ranks bounds.Plain.
Import ListNotations.

(* In which round the token of block b reaches node v, and from where. *)
Record forest := Forest { at_round : nat -> nat -> nat; above : nat -> nat -> nat }.

(* All pairs of a block and another node than its owner: of k blocks a node block b is that of node b / k. *)
Definition pairs (n k : nat) : list (nat * nat) :=
  filter (fun a => negb (fst a / k =? snd a)) (list_prod (seq 0 (n * k)) (seq 0 n)).

(* How many tokens go from x to y in round r. *)
Definition crossing (f : forest) (n k r x y : nat) : nat :=
  length (filter (fun a => (at_round f (fst a) (snd a) =? r) && ((above f (fst a) (snd a) =? x) && (snd a =? y)))
    (pairs n k)).

Record forest_ok (g : graph) (m : model) (k : nat) (f : forest) (last : nat) : Prop := {
  f_round : forall b v, In (b, v) (pairs (nodes g) k) -> 1 <= at_round f b v <= last;
  f_above : forall b v, In (b, v) (pairs (nodes g) k) -> above f b v < nodes g;
  f_after : forall b v, In (b, v) (pairs (nodes g) k) ->
    above f b v = b / k \/ above f b v <> v /\ at_round f b (above f b v) + hop_rounds m <= at_round f b v;
  f_links : forall r x y, crossing f (nodes g) k r x y <= weight g x y /\
    (link m = Half ->
     crossing f (nodes g) k r x y + crossing f (nodes g) k r y x <= max (weight g x y) (weight g y x));
  (* one port: what comes to a node or leaves it in a round goes over one link *)
  f_ports : port m = OnePort -> forall b v c w x, In (b, v) (pairs (nodes g) k) -> In (c, w) (pairs (nodes g) k) ->
    at_round f b v = at_round f c w -> x = v \/ x = above f b v -> x = w \/ x = above f c w ->
    v = w /\ above f b v = above f c w \/ v = above f c w /\ above f b v = w }.

Definition backwards (f : forest) (last : nat) (a : nat * nat) : packet :=
  Packet (S last - at_round f (fst a) (snd a)) [snd a; above f (fst a) (snd a)] [Item (fst a) true].
Definition forwards (f : forest) (offset : nat) (a : nat * nat) : packet :=
  Packet (offset + at_round f (fst a) (snd a)) [above f (fst a) (snd a); snd a] [Item (fst a) false].

(* The last partial results come in round `last`, and may leave lambda rounds later. *)
Definition offset (m : model) (last : nat) : nat := last + hop_rounds m - 1.

Definition reverse_scatter (g : graph) (m : model) (k : nat) (f : forest) (last : nat) (i : bool) : schedule :=
  Schedule g m (ReduceScatter (nodes g * k) i) (map (backwards f last) (pairs (nodes g) k)).
Definition reverse_reduce (g : graph) (m : model) (k : nat) (f : forest) (last : nat) (i : bool) : schedule :=
  Schedule g m (AllReduce (nodes g * k) i)
    (map (backwards f last) (pairs (nodes g) k) ++ map (forwards f (offset m last)) (pairs (nodes g) k)).

Lemma in_pairs n k b v : In (b, v) (pairs n k) <-> b < n * k /\ v < n /\ b / k <> v.
Proof.
  unfold pairs. rewrite filter_In, in_prod_iff, !in_seq. cbn [fst snd]. rewrite negb_true_iff, Nat.eqb_neq. lia.
Qed.

Lemma pairs_distinct n k : NoDup (pairs n k).
Proof. apply NoDup_filter, NoDup_list_prod; apply seq_NoDup. Qed.

Section Reverse.

Variables (g : graph) (m : model) (k : nat) (f : forest) (last : nat) (idem : bool).
Local Notation n := (nodes g).
Local Notation time := (at_round f).
Local Notation up := (above f).
Local Notation hop := (hop_rounds m).

Hypothesis some : 1 <= n.
Hypothesis some_blocks : 1 <= k.
Hypothesis no_relay : forall v, relay g v = false.
Hypothesis symmetric : forall u v, weight g u v = weight g v u.
Hypothesis m_ok : model_ok m.
Hypothesis m_route : route m = StoreAndForward.
Hypothesis ok : forest_ok g m k f last.

(* One of the two. *)
Variable both : bool.
Definition it : schedule := if both then reverse_reduce g m k f last idem else reverse_scatter g m k f last idem.

Lemma it_on : on it = g. Proof. unfold it. now destruct both. Qed.
Lemma it_under : under it = m. Proof. unfold it. now destruct both. Qed.
Lemma it_blocks : blocks (on it) (aim it) = n * k. Proof. unfold it. now destruct both. Qed.
Lemma it_packets : packets it =
  map (backwards f last) (pairs n k) ++ if both then map (forwards f (offset m last)) (pairs n k) else [].
Proof. unfold it. destruct both; auto. cbn. now rewrite app_nil_r. Qed.

Lemma timed b v : In (b, v) (pairs n k) -> 1 <= time b v <= last.
Proof. apply (f_round _ _ _ _ _ ok). Qed.

Lemma up_lt b v : In (b, v) (pairs n k) -> up b v < n.
Proof. apply (f_above _ _ _ _ _ ok). Qed.

Lemma up_after b v : In (b, v) (pairs n k) ->
  up b v = b / k \/ In (b, up b v) (pairs n k) /\ time b (up b v) + hop <= time b v.
Proof.
  intro I. pose proof (up_lt b v I). pose proof I as J. apply in_pairs in J.
  destruct (Nat.eq_dec (up b v) (b / k)) as [E|N]; auto. right. rewrite in_pairs.
  destruct (f_after _ _ _ _ _ ok b v I) as [Q|[_ Q]]; [tauto|]. repeat split; try tauto; lia.
Qed.

Lemma hop_1 : 1 <= hop. Proof. apply m_ok. Qed.

Lemma up_other b v : In (b, v) (pairs n k) -> up b v <> v.
Proof.
  intros I E. pose proof I as J. apply in_pairs in J. destruct J as (_ & _ & J). pose proof hop_1.
  destruct (up_after b v I) as [Q|[_ Q]]; [congruence|]. rewrite E in Q. lia.
Qed.

Lemma it_member v : member g v = (v <? n).
Proof. unfold member. rewrite no_relay. apply andb_true_r. Qed.

(* ---- messages ---- *)

Definition back_message (b v : nat) : message := Message (S last - time b v) b v (up b v) true.
Definition fore_message (b v : nat) : message := Message (offset m last + time b v) b (up b v) v false.

Lemma it_messages : messages it =
  map (fun a => back_message (fst a) (snd a)) (pairs n k) ++
  if both then map (fun a => fore_message (fst a) (snd a)) (pairs n k) else [].
Proof.
  assert (M : forall h (x : nat * nat -> message), (forall a, messages_of (h a) = [x a]) ->
    forall l, flat_map messages_of (map h l) = map x l).
  { intros h x H. induction l as [|a l IH]; auto. cbn. now rewrite H, IH. }
  unfold messages. rewrite it_packets, flat_map_app. f_equal; [now apply M|]. destruct both; [now apply M|reflexivity].
Qed.

(* What stands for each pair on its way back and, where both are gone, on its way there. *)
Lemma in_ways {A} (back fore : nat * nat -> A) x :
  In x (map back (pairs n k) ++ if both then map fore (pairs n k) else []) <->
  exists b v, In (b, v) (pairs n k) /\ (x = back (b, v) \/ both = true /\ x = fore (b, v)).
Proof.
  rewrite in_app_iff. split.
  - intros [I|I].
    + apply in_map_iff in I. destruct I as ([b v] & <- & I). exists b, v. auto.
    + destruct both; [|destruct I]. apply in_map_iff in I. destruct I as ([b v] & <- & I). exists b, v. auto.
  - intros (b & v & I & [->|[E ->]]).
    + left. now apply in_map.
    + right. rewrite E. now apply in_map.
Qed.

Lemma in_messages x : In x (messages it) <->
  exists b v, In (b, v) (pairs n k) /\ (x = back_message b v \/ both = true /\ x = fore_message b v).
Proof. rewrite it_messages. apply in_ways. Qed.

Lemma messages_distinct : NoDup (messages it).
Proof.
  rewrite it_messages. apply NoDup_app.
  - apply NoDup_map_inj; [apply pairs_distinct|]. intros [b v] [b' v'] _ _ E. now injection E as _ -> -> _.
  - destruct both; [|constructor]. apply NoDup_map_inj; [apply pairs_distinct|].
    intros [b v] [b' v'] _ _ E. now injection E as _ -> _ ->.
  - intros x I J. apply in_map_iff in I. destruct I as (a & <- & _). destruct both; [|destruct J].
    apply in_map_iff in J. destruct J as (a' & E & _). discriminate E.
Qed.

Lemma back_early b v : In (b, v) (pairs n k) -> 1 <= when (back_message b v) <= last.
Proof. intro I. pose proof (timed b v I). cbn [when back_message]. lia. Qed.

Lemma fore_late b v : In (b, v) (pairs n k) -> last < when (fore_message b v).
Proof. intro I. pose proof (timed b v I). pose proof hop_1. cbn [when fore_message]. unfold offset. lia. Qed.

(* ---- who has whose contribution: those above in the tree ---- *)

Section Block.

Variable b : nat.
Hypothesis b_lt : b < n * k.

Inductive over : nat -> nat -> Prop :=
| over_self : forall u, over u u
| over_next : forall w u, In (b, w) (pairs n k) -> over w u -> over (up b w) u.

Definition depth (v : nat) : nat := if v =? b / k then 0 else time b v.

Lemma depth_up w : In (b, w) (pairs n k) -> depth (up b w) < depth w.
Proof.
  intro I. unfold depth. pose proof I as J. apply in_pairs in J. pose proof (timed b w I). pose proof hop_1.
  destruct (Nat.eqb_spec w (b / k)); [lia|]. destruct (Nat.eqb_spec (up b w) (b / k)); [lia|].
  destruct (up_after b w I) as [Q|[_ Q]]; [congruence|lia].
Qed.

Lemma over_depth v u : over v u -> v = u \/ depth v < depth u.
Proof.
  induction 1 as [|w u I O IH]; auto. right. pose proof (depth_up w I). destruct IH as [->|]; lia.
Qed.

Lemma over_first w u : over w u -> w = u \/ (In (b, u) (pairs n k) /\ over w (up b u)).
Proof.
  induction 1 as [|x u I O IH]; auto. right. destruct IH as [->|[J Q]]; split; auto; now constructor.
Qed.

Lemma over_chain v w u : over v u -> over w u -> over v w \/ over w v.
Proof.
  intros O. revert w. induction O as [u|x u I O IH]; intros w W; auto.
  destruct (IH w W) as [Q|Q]; [left; now constructor|].
  apply over_first in Q. destruct Q as [->|[_ Q]]; auto. left. constructor; auto. constructor.
Qed.

Lemma over_once w w' u :
  In (b, w) (pairs n k) -> In (b, w') (pairs n k) -> over w u -> over w' u -> up b w = up b w' -> w = w'.
Proof.
  assert (H : forall w w', In (b, w) (pairs n k) -> In (b, w') (pairs n k) -> over w w' -> up b w = up b w' -> w = w').
  { intros x y I J O E. apply over_first in O. destruct O as [->|[_ O]]; auto. exfalso. rewrite <- E in O.
    pose proof (depth_up x I). apply over_depth in O. destruct O as [Q|Q]; [|lia]. rewrite <- Q in H. lia. }
  intros I J O O' E. destruct (over_chain w w' u O O') as [Q|Q]; [auto|symmetry; auto].
Qed.

Lemma over_trans v w u : over v w -> over w u -> over v u.
Proof. induction 1; auto. intro. constructor; auto. Qed.

Lemma over_root u : u < n -> over (b / k) u.
Proof.
  remember (depth u) as d eqn:D. revert u D. induction d as [d IH] using lt_wf_ind. intros u -> L.
  destruct (Nat.eq_dec (b / k) u) as [->|N]; [constructor|].
  assert (I : In (b, u) (pairs n k)) by (apply in_pairs; auto).
  pose proof (depth_up u I) as Q. specialize (IH _ Q (up b u) eq_refl (up_lt b u I)).
  apply over_trans with (up b u); auto. constructor; auto. constructor.
Qed.

Local Notation has_part r v u := (part it b r v u).

(* Who sends in the first rounds, who hears of it. *)
Lemma early r v x : r <= last -> In x (arriving it b r v) ->
  exists w, In (b, w) (pairs n k) /\ x = back_message b w /\ up b w = v /\ r = S last - time b w.
Proof.
  intros L I. unfold arriving in I. rewrite filter_In, !andb_true_iff, !Nat.eqb_eq in I.
  destruct I as (I & (W & B) & T).
  apply in_messages in I. destruct I as (b' & w & P & [->|[_ ->]]).
  - cbn [when what to back_message] in W, B, T. subst b'. exists w. auto.
  - pose proof (fore_late b' w P). lia.
Qed.

Lemma early_adds r v : r <= last -> existsb (fun x => negb (adds x)) (arriving it b r v) = false.
Proof.
  intro L. destruct (existsb _ _) eqn:E; auto. apply existsb_exists in E. destruct E as (x & I & A).
  apply early in I; auto. destruct I as (w & _ & -> & _). discriminate A.
Qed.

Lemma part_early r v : r < last -> forall u,
  has_part (S r) v u = has_part r v u || existsb (fun x => has_part r (from x) u) (arriving it b (S r) v).
Proof. intros L u. cbn [part]. now rewrite early_adds by lia. Qed.

Lemma part_from r v u : r <= last -> has_part r v u = true -> over v u /\
  (v = u \/ exists w, In (b, w) (pairs n k) /\ up b w = v /\ over w u /\ S last - time b w <= r).
Proof.
  revert v. induction r as [|r IH]; intros v L P.
  - cbn in P. apply andb_true_iff in P. destruct P as [_ P]. apply Nat.eqb_eq in P. subst. split; auto. constructor.
  - rewrite part_early in P by lia. apply orb_true_iff in P. destruct P as [P|P].
    + destruct (IH v) as [O Q]; auto; [lia|]. split; auto. destruct Q as [Q|(w & ? & ? & ? & ?)]; auto.
      right. exists w. repeat split; auto.
    + apply existsb_exists in P. destruct P as (x & I & P). apply early in I; auto.
      destruct I as (w & W & -> & U & T). cbn [from back_message] in P. destruct (IH w) as [O _]; auto; [lia|]. split.
      * rewrite <- U. now constructor.
      * right. exists w. repeat split; auto. lia.
Qed.

Lemma part_stays r r' v u : r <= r' <= last -> has_part r v u = true -> has_part r' v u = true.
Proof.
  intros [L L'] P. induction L as [|r' L IH]; auto. rewrite part_early by lia. now rewrite IH by lia.
Qed.

Lemma in_arriving w : In (b, w) (pairs n k) -> In (back_message b w) (arriving it b (S last - time b w) (up b w)).
Proof.
  intro I. unfold arriving. apply filter_In. split; [apply in_messages; exists b, w; auto|].
  cbn [when what to back_message]. now rewrite !Nat.eqb_refl.
Qed.

(* The contribution of u has come to v before v sends. *)
Lemma part_sent v u : over v u -> u < n -> forall r, r <= last ->
  (v = b / k -> r = last) -> (In (b, v) (pairs n k) -> S r = S last - time b v) -> has_part r v u = true.
Proof.
  induction 1 as [u|w u I O IH]; intros U r L B T.
  - apply part_stays with 0; [lia|]. cbn. rewrite it_on, it_member, Nat.eqb_refl.
    now rewrite (proj2 (Nat.ltb_lt _ _) U).
  - pose proof (timed b w I) as Tw. set (q := last - time b w).
    assert (Q : has_part q w u = true).
    { apply IH; auto; unfold q; [lia| |lia]. intros ->. apply in_pairs in I. tauto. }
    apply part_stays with (S q).
    + split; auto. unfold q. destruct (Nat.eq_dec (up b w) (b / k)) as [E|E]; [rewrite (B E); lia|].
      destruct (up_after b w I) as [|[J K]]; [congruence|]. specialize (T J). pose proof hop_1. lia.
    + rewrite part_early by (unfold q; lia). apply orb_true_iff. right. apply existsb_exists.
      exists (back_message b w). split; auto. replace (S q) with (S last - time b w) by (unfold q; lia).
      now apply in_arriving.
Qed.

Lemma root_total u : u < n -> has_part last (b / k) u = true.
Proof.
  intro U. apply part_sent; auto using over_root. intro I. apply in_pairs in I. tauto.
Qed.

(* ---- forwards: what is stored is the total ---- *)

Lemma late r v x : last < r -> In x (arriving it b r v) ->
  both = true /\ In (b, v) (pairs n k) /\ x = fore_message b v /\ r = offset m last + time b v.
Proof.
  intros L I. unfold arriving in I. rewrite filter_In, !andb_true_iff, !Nat.eqb_eq in I.
  destruct I as (I & (W & B) & T).
  apply in_messages in I. destruct I as (b' & w & P & [->|[E ->]]).
  - pose proof (back_early b' w P). lia.
  - cbn [when what to fore_message] in W, B, T. subst. auto.
Qed.

Lemma NoDup_single {A} (l : list A) a : NoDup l -> In a l -> (forall x, In x l -> x = a) -> l = [a].
Proof.
  intros N I E. destruct l as [|x [|y l]]; [destruct I| |].
  - now rewrite (E x) by (cbn; auto).
  - exfalso. inversion N as [|? ? Nx _]. apply Nx. rewrite (E x), (E y) by (cbn; auto). cbn. auto.
Qed.

Lemma arriving_distinct r v : NoDup (arriving it b r v).
Proof. apply NoDup_filter, messages_distinct. Qed.

Lemma late_alone v : both = true -> In (b, v) (pairs n k) ->
  arriving it b (offset m last + time b v) v = [fore_message b v].
Proof.
  intros E I. apply NoDup_single; [apply arriving_distinct| |].
  - unfold arriving. apply filter_In. split; [apply in_messages; exists b, v; auto|].
    cbn [when what to fore_message]. now rewrite !Nat.eqb_refl.
  - intros x J. pose proof (fore_late b v I) as L. cbn [when fore_message] in L. apply late in J; tauto.
Qed.

Lemma root_keeps r u : u < n -> last <= r -> has_part r (b / k) u = true.
Proof.
  intros U L. induction L as [|r L IH]; [now apply root_total|]. cbn [part].
  assert (E : arriving it b (S r) (b / k) = []).
  { destruct (arriving it b (S r) (b / k)) as [|x l] eqn:E; auto. exfalso.
    destruct (late (S r) (b / k) x) as (_ & J & _); [lia|rewrite E; cbn; auto|]. apply in_pairs in J. tauto. }
  rewrite E. cbn. now rewrite IH.
Qed.

Lemma total_at v : both = true -> In (b, v) (pairs n k) ->
  forall u r, u < n -> offset m last + time b v <= r -> has_part r v u = true.
Proof.
  intros E. remember (time b v) as d eqn:D. revert v D. induction d as [d IH] using lt_wf_ind. intros v -> I u r U L.
  pose proof (fore_late b v I) as F. cbn [when fore_message] in F. pose proof hop_1.
  induction L as [|r L IHr].
  - remember (offset m last + time b v) as j eqn:K. destruct j as [|j]; [lia|]. cbn [part].
    pose proof (late_alone v E I) as A. rewrite <- K in A. rewrite A. cbn [existsb adds negb fore_message from orb].
    rewrite orb_false_r. destruct (up_after b v I) as [->|[J Q]].
    + apply root_keeps; auto. lia.
    + apply (IH (time b (up b v))); auto; lia.
  - cbn [part].
    assert (A : arriving it b (S r) v = []).
    { destruct (arriving it b (S r) v) as [|x l] eqn:A; auto. exfalso.
      destruct (late (S r) v x) as (_ & _ & _ & Q); [lia|rewrite A; cbn; auto|]. lia. }
    rewrite A. cbn. now rewrite IHr.
Qed.

(* ---- no contribution counts twice ---- *)

Lemma at_most_one {A} (l : list A) : NoDup l -> (forall x y, In x l -> In y l -> x = y) -> length l <= 1.
Proof.
  intros N E. destruct l as [|x [|y l]]; cbn; auto. exfalso. inversion N as [|? ? Nx _]. apply Nx.
  rewrite (E x y) by (cbn; auto). cbn. auto.
Qed.

Lemma counted_once r v u : (forall x, In x (arriving it b (S r) v) -> adds x = true) ->
  length (filter (fun w => has_part r w u) (v :: map from (arriving it b (S r) v))) <= 1.
Proof.
  intro A. destruct (Nat.lt_ge_cases r last) as [L|L].
  - assert (Sender : forall w, In w (map from (arriving it b (S r) v)) ->
      In (b, w) (pairs n k) /\ up b w = v /\ S r = S last - time b w).
    { intros w I. apply in_map_iff in I. destruct I as (x & <- & I). apply early in I; auto.
      destruct I as (w & W & -> & U & T). auto. }
    apply at_most_one.
    + apply NoDup_filter. constructor.
      * intro I. destruct (Sender v I) as (I' & U & _). now apply (up_other b v).
      * apply NoDup_map_inj; [apply arriving_distinct|]. intros x y I J E. apply early in I, J; auto.
        destruct I as (w & _ & -> & _), J as (w' & _ & -> & _). cbn in E. now subst.
    + assert (Up : forall w, In w (map from (arriving it b (S r) v)) -> has_part r w u = true ->
                     has_part r v u = true -> False).
      { intros w I P P'. destruct (Sender w I) as (W & U & T). apply part_from in P, P'; try lia.
        destruct P as [O _], P' as [O' Q].
        destruct Q as [->|(w' & W' & U' & O'' & T')].
        - pose proof (depth_up w W). rewrite U in H. apply over_depth in O. destruct O as [->|O]; lia.
        - assert (w = w') by (apply (over_once w w' u); auto; congruence). subst. lia. }
      intros x y I J. apply filter_In in I, J. destruct I as [[<-|I] P], J as [[<-|J] P']; auto.
      * exfalso. eauto.
      * exfalso. eauto.
      * destruct (Sender x I) as (W & U & T), (Sender y J) as (W' & U' & T'). apply part_from in P, P'; try lia.
        apply (over_once x y u); auto; [tauto|tauto|congruence].
  - assert (E : arriving it b (S r) v = []).
    { destruct (arriving it b (S r) v) as [|x l] eqn:E; auto. exfalso.
      assert (I : In x (arriving it b (S r) v)) by (rewrite E; cbn; auto).
      specialize (A x ltac:(cbn; auto)). apply late in I; [|lia]. destruct I as (_ & _ & -> & _). discriminate A. }
    rewrite E. cbn. destruct (has_part r v u); cbn; lia.
Qed.

End Block.

(* ---- links ---- *)

Definition back_uses (r x y : nat) : nat :=
  length (filter (fun a => (S last - time (fst a) (snd a) =? r) && ((snd a =? x) && (up (fst a) (snd a) =? y)))
    (pairs n k)).
Definition fore_uses (r x y : nat) : nat :=
  length (filter (fun a => (offset m last + time (fst a) (snd a) =? r) && ((up (fst a) (snd a) =? x) && (snd a =? y)))
    (pairs n k)).

Lemma uses_of (l : list (nat * nat)) (h : nat * nat -> packet) (t : nat * nat -> nat)
  (arc : nat * nat -> nat * nat) r x y :
  (forall a, h a = Packet (t a) [fst (arc a); snd (arc a)] (items (h a))) ->
  count_occ hop_dec (flat_map (fun p => hops (path p)) (filter (fun p => round p =? r) (map h l))) (x, y) =
  length (filter (fun a => (t a =? r) && ((fst (arc a) =? x) && (snd (arc a) =? y))) l).
Proof.
  intro H. induction l as [|a l IH]; auto. cbn [map filter]. rewrite (H a) at 1. cbn [round].
  destruct (t a =? r); cbn [andb]; auto. cbn [flat_map]. rewrite count_occ_app, IH, (H a), count_filter.
  cbn [path hops filter].
  unfold pair_eqb. cbn [fst snd]. destruct (_ && _); reflexivity.
Qed.

Lemma it_uses r x y : uses it r x y = back_uses r x y + if both then fore_uses r x y else 0.
Proof.
  unfold uses, in_round. rewrite it_packets, filter_app, flat_map_app, count_occ_app. f_equal.
  - now apply (uses_of (pairs n k) (backwards f last) _ (fun a => (snd a, up (fst a) (snd a)))).
  - destruct both; auto.
    now apply (uses_of (pairs n k) (forwards f (offset m last)) _ (fun a => (up (fst a) (snd a), snd a))).
Qed.

Lemma none {A} (test : A -> bool) l : (forall a, In a l -> test a = false) -> length (filter test l) = 0.
Proof. induction l as [|a l IH]; intro H; auto. cbn. rewrite H by (cbn; auto). apply IH. intros. apply H. cbn. auto.
  Qed.

Lemma back_uses_le r x y : back_uses r x y <= (if r <=? last then crossing f n k (S last - r) y x else 0).
Proof.
  destruct (Nat.leb_spec r last) as [L|L].
  - unfold back_uses, crossing. apply filter_le. intros [b v] I. pose proof (timed b v I). cbn [fst snd].
    rewrite !andb_true_iff, !Nat.eqb_eq. lia.
  - apply Nat.eq_le_incl, none. intros [b v] I. pose proof (timed b v I). cbn [fst snd].
    destruct (Nat.eqb_spec (S last - time b v) r); [lia|reflexivity].
Qed.

Lemma fore_uses_le r x y : fore_uses r x y <= (if r <=? last then 0 else crossing f n k (r - offset m last) x y).
Proof.
  pose proof hop_1. destruct (Nat.leb_spec r last) as [L|L].
  - apply Nat.eq_le_incl, none. intros [b v] I. pose proof (timed b v I). cbn [fst snd]. unfold offset.
    destruct (Nat.eqb_spec (last + hop - 1 + time b v) r); [lia|reflexivity].
  - unfold fore_uses, crossing. apply filter_le. intros [b v] I. pose proof (timed b v I). cbn [fst snd].
    rewrite !andb_true_iff, !Nat.eqb_eq. lia.
Qed.

Lemma it_uses_le r x y : exists r' x' y', uses it r x y <= crossing f n k r' x' y'
  /\ uses it r y x <= crossing f n k r' y' x' /\
  (x' = x /\ y' = y \/ x' = y /\ y' = x).
Proof.
  rewrite !it_uses. pose proof (back_uses_le r x y). pose proof (back_uses_le r y x).
  pose proof (fore_uses_le r x y). pose proof (fore_uses_le r y x).
  destruct (r <=? last).
  - exists (S last - r), y, x. destruct both; lia.
  - exists (r - offset m last), x, y. destruct both; lia.
Qed.

Lemma it_links : links_ok it.
Proof.
  intros r x y. rewrite it_on, it_under. destruct (it_uses_le r x y) as (r' & x' & y' & U & U' & E).
  destruct (f_links _ _ _ _ _ ok r' x' y') as [L L'].
  assert (W : weight g x' y' = weight g x y /\ weight g y' x' = weight g x y /\ weight g y x = weight g x y).
  { rewrite (symmetric y x). destruct E as [[-> ->]|[-> ->]]; rewrite ?(symmetric y x); auto. }
  destruct W as (W1 & W2 & W3). rewrite W1, W2 in *. rewrite W3. split; [lia|]. intro H. specialize (L' H). lia.
Qed.

(* ---- all rules ---- *)

Lemma in_packets p : In p (packets it) <->
  exists b v, In (b, v) (pairs n k) /\ (p = backwards f last (b, v) \/ both = true
    /\ p = forwards f (offset m last) (b, v)).
Proof. rewrite it_packets. apply in_ways. Qed.

(* A round is before `last` or after it, and has the packets of one round of the trees. *)
Lemma it_ports : ports_ok it.
Proof.
  intro One. rewrite it_under in *. rewrite m_route. intros p q x P Q R Xp Xq. apply in_packets in P, Q.
  destruct P as (b & v & I & E), Q as (c & w & J & F). pose proof (timed b v I). pose proof (timed c w J).
  pose proof hop_1.
  destruct E as [->|[E ->]], F as [->|[F ->]]; cbn [round path backwards forwards fst snd rev app In] in *;
    unfold offset in *; try lia;
    (destruct (f_ports _ _ _ _ _ ok One b v c w x) as [[-> ->]|[-> ->]]; auto; [lia| |]; intuition).
Qed.

Lemma it_packet_ok p : In p (packets it) -> packet_ok it p.
Proof.
  intro I. apply in_packets in I. destruct I as (b & v & I & E). pose proof (timed b v I). pose proof (up_lt b v I).
  pose proof (up_other b v I). pose proof hop_1. apply in_pairs in I. destruct I as (B & V & N). unfold packet_ok.
  rewrite it_blocks, it_on, it_under.
  assert (T : 1 <= packet_tokens m) by apply m_ok.
  destruct E as [->|[_ ->]]; cbn [round path items backwards forwards fst snd length map block]; (split; [lia|]);
    (split; [auto|]); (split; [repeat constructor; cbn; intuition|]); (split; [intros w [<-|[<-|[]]]; auto|]);
    (split; [auto|]); (split; [lia|]); (split; [repeat constructor; cbn; intuition|]); intros i [<-|[]]; exact B.
Qed.

Lemma rounds_least x : In x (messages it) -> when x <= rounds it.
Proof.
  intro I. unfold messages in I. apply in_flat_map in I. destruct I as (p & P & I). unfold messages_of in I.
  apply in_map_iff in I. destruct I as (i & <- & _). cbn [when]. unfold rounds.
  pose proof (proj1 (list_max_le (map round (packets it)) (list_max (map round (packets it)))) (le_n _)) as H.
  rewrite Forall_forall in H. apply H, in_map, P.
Qed.

Lemma quiet b r v : rounds it <= r -> arriving it b (S r) v = [].
Proof.
  intro L. destruct (arriving it b (S r) v) as [|x l] eqn:E; auto. exfalso.
  assert (I : In x (arriving it b (S r) v)) by (rewrite E; cbn; auto). unfold arriving in I.
  rewrite filter_In, !andb_true_iff, !Nat.eqb_eq in I. destruct I as (I & (W & _) & _). apply rounds_least in I. lia.
Qed.

Lemma in_the_end b r v u : rounds it <= r -> part it b r v u = part it b (rounds it) v u.
Proof. induction 1 as [|r L IH]; auto. cbn [part]. rewrite (quiet b r v L). cbn. now rewrite orb_false_r. Qed.

Lemma it_combined : combined_ok it.
Proof.
  pose proof hop_1. split; [|split].
  - intros x I. pose proof I as Ix. apply in_messages in I. destruct I as (b & v & I & E). pose proof I as J.
    apply in_pairs in J. destruct J as (B & V & N). pose proof (up_lt b v I) as U. rewrite it_under.
    assert (H' : forall w r, w < n -> has it b r w).
    { intros w r W. left. rewrite it_on, it_member. now apply Nat.ltb_lt. }
    destruct E as [->|[E ->]]; cbn [what when from to adds back_message fore_message];
      (split; [auto|]); (split; [|split; [intro; auto|intro Q; try discriminate Q]]).
    + intros y M Wy Ty L. apply in_messages in M. destruct M as (b' & w & K & [->|[_ ->]]).
      * cbn [what when to back_message] in *. subst b'. pose proof (timed b w K).
        destruct (up_after b w K) as [Q|[_ Q]]; [congruence|].
        rewrite Ty in Q. lia.
      * pose proof (fore_late b' w K). pose proof (back_early b v I). cbn [when back_message fore_message] in *. lia.
    + intros y M Wy Ty L. apply in_messages in M. pose proof (timed b v I). destruct M as (b' & w & K & [->|[_ ->]]).
      * cbn [what when to back_message] in *. pose proof (back_early b' w K) as Z. cbn [when back_message] in Z.
        unfold offset. lia.
      * cbn [what when to fore_message] in *. subst b'. destruct (up_after b v I) as [Q|[_ Q]].
        -- apply in_pairs in K. rewrite Q in Ty. subst. tauto.
        -- rewrite <- Ty in Q. lia.
    + now apply late_alone.
  - intros _ b r v u A. destruct (Nat.lt_ge_cases b (n * k)) as [B|B]; [now apply counted_once|].
    assert (E : arriving it b (S r) v = []).
    { destruct (arriving it b (S r) v) as [|x l] eqn:E; auto. exfalso.
      assert (I : In x (arriving it b (S r) v)) by (rewrite E; cbn; auto). unfold arriving in I.
      rewrite filter_In, !andb_true_iff, !Nat.eqb_eq in I. destruct I as (I & (_ & W) & _). apply in_messages in I.
      destruct I as (b' & w & K & Q). apply in_pairs in K.
      destruct Q as [->|[_ ->]]; cbn [what back_message fore_message] in W; lia. }
    rewrite E. cbn. destruct (part it b r v u); cbn; lia.
  - intros v b. rewrite it_blocks, it_on. intros B W u U. rewrite it_member in U. apply Nat.ltb_lt in U.
    assert (V : v < n).
    { unfold wants in W. rewrite andb_true_iff, it_member, Nat.ltb_lt in W. tauto. }
    set (r := max (rounds it) (offset m last + last)). rewrite <- (in_the_end b r) by (unfold r; lia).
    pose proof hop_1. assert (last <= r) by (unfold r, offset; lia).
    destruct (Nat.eq_dec (b / k) v) as [<-|N]; [now apply root_keeps|].
    assert (I : In (b, v) (pairs n k)) by now apply in_pairs. pose proof (timed b v I).
    apply total_at; auto; [|unfold r; lia].
    (* Who wants a block of a reduce-scatter owns it. *)
    destruct both eqn:E; auto. exfalso. apply N. unfold wants, it in W. rewrite E in W. cbn in W.
    apply andb_true_iff in W. destruct W as [_ W]. apply Nat.eqb_eq in W.
    rewrite block_owner, rank_plain in W by (auto; lia). exact W.
Qed.

Lemma it_valid : valid it.
Proof.
  split; [now rewrite it_under|]. split.
  { unfold goal_ok. rewrite it_blocks. split; [nia|]. rewrite it_on. unfold it. destruct both; cbn; auto.
    rewrite size_plain, Nat.mul_comm by auto. apply Nat.mod_mul. lia. }
  split; [exact it_packet_ok|]. split; [exact it_links|]. split; [split|].
  { exact it_ports. }
  { apply relays_none. now rewrite it_on. }
  replace (combines (aim it)) with true by (unfold it; now destruct both). exact it_combined.
Qed.

Lemma it_rounds : rounds it <= if both then offset m last + last else last.
Proof.
  unfold rounds. apply list_max_le. rewrite Forall_forall. intros r I. apply in_map_iff in I.
  destruct I as (p & <- & I). apply in_packets in I. destruct I as (b & v & I & E). pose proof (timed b v I).
  pose proof hop_1.
  destruct E as [->|[E ->]]; cbn [round backwards forwards fst snd]; unfold offset; destruct both; try discriminate E;
    lia.
Qed.

End Reverse.
