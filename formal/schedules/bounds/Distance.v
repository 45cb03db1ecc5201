(* SPDX-License-Identifier: MIT *)
(* How far things have to go: something of node u is at v, d arcs away, in round 1 + lambda (d - 1) at the earliest, so
   that what v wants of it comes then or later. And what has to cross a cut. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting bounds.Room bounds.Ranks bounds.Count.
Import ListNotations.

(* A walk of k arcs. *)
Inductive walk (g : graph) : nat -> nat -> nat -> Prop :=
| walk_none v : walk g 0 v v
| walk_more k u v w : walk g k u v -> v < nodes g -> w < nodes g -> 1 <= weight g v w -> walk g (S k) u w.

(* Node v is d arcs away from u, or farther. *)
Definition far (g : graph) (u v d : nat) : Prop := forall k, walk g k u v -> d <= k.

(* The round before which nothing from d arcs away comes. *)
Definition too_early (lambda d : nat) : nat := lambda * (d - 1).

Section Distance.

Variable s : schedule.
Hypothesis s_valid : valid s.
Hypothesis one_link : route (under s) = StoreAndForward.

Local Notation g := (on s).
Local Notation c := (aim s).
Local Notation lambda := (hop_rounds (under s)).

Lemma message_packet m : In m (messages s) ->
  exists p, In p (packets s) /\ In m (messages_of p) /\ when m = round p /\ from m = origin p /\ to m = target p.
Proof.
  unfold messages. rewrite in_flat_map. intros (p & Ip & I). exists p. repeat split; auto;
    unfold messages_of in I; apply in_map_iff in I; destruct I as (i & <- & _); reflexivity.
Qed.

Lemma message_round m : In m (messages s) -> 1 <= when m <= rounds s.
Proof.
  intro I. destruct (message_packet m I) as (p & Ip & _ & -> & _). now apply round_between.
Qed.

(* A message goes over an arc. *)
Lemma message_arc m : In m (messages s) -> from m < nodes g /\ to m < nodes g /\ 1 <= weight g (from m) (to m).
Proof.
  intro I. destruct (message_packet m I) as (p & Ip & _ & _ & -> & ->).
  destruct (packets_valid s s_valid p Ip) as (_ & _ & _ & V & L & _). specialize (L one_link).
  unfold origin, target in *. destruct (path p) as [|u [|v [|]]] eqn:Ep; try discriminate L. cbn [hd last].
  repeat split; try (apply V; cbn; tauto).
  eapply Nat.le_trans; [|apply (uses_le s s_valid (round p))]. rewrite uses_filter.
  assert (H : In (u, v) (filter (fun b => pair_eqb b (u, v)) (hops_at s (round p)))).
  { apply filter_In. split; [|now apply pair_eqb_eq]. unfold hops_at, in_round. apply in_flat_map. exists p. split.
    - apply filter_In. now rewrite Nat.eqb_refl.
    - rewrite Ep. cbn. auto. }
  destruct (filter _ _); [destruct H|cbn; lia].
Qed.

(* Was something of u at v after round t, if it moves by messages alone? *)
Definition reached (t u v : nat) : Prop := exists k, walk g k u v /\ (k = 0 \/ too_early lambda k < t).

Lemma reached_later t t' u v : t <= t' -> reached t u v -> reached t' u v.
Proof. intros L (k & W & [E|E]); exists k; split; auto. right. lia. Qed.

Lemma reached_hop m u t :
  In m (messages s) -> reached t u (from m) -> t + lambda <= when m \/ t = 0 -> reached (when m) u (to m).
Proof.
  intros I (k & W & E) L. destruct (message_arc m I) as (F & T & A). pose proof (message_round m I) as R.
  exists (S k). split; [eapply walk_more; eauto|]. right. unfold too_early in *. cbn [Nat.sub]. rewrite Nat.sub_0_r.
  destruct E as [->|E]; [lia|]. destruct k as [|k]; [lia|]. cbn [Nat.sub] in E. rewrite Nat.sub_0_r in E.
  rewrite Nat.mul_succ_r. destruct L as [L| ->]; lia.
Qed.

(* Blocks that move as they are. *)
Lemma stored_reach : combines c = false ->
  forall n m, when m <= n -> In m (messages s) -> exists u, holds g c u (what m) = true /\ reached (when m) u (to m).
Proof.
  intros C. destruct s_valid as (M & _ & _ & _ & _ & D). rewrite C in D. destruct D as [A _].
  destruct M as [_ Hl].
  induction n as [|n IH]; intros m L I; [pose proof (message_round m I); lia|].
  destruct (A m I) as [_ [H|(m0 & I0 & E0 & T0 & W0)]].
  - exists (from m). split; auto. apply (reached_hop m (from m) 0); auto. exists 0. split; auto. constructor.
  - destruct (IH m0 ltac:(lia) I0) as (u & H & R). exists u. rewrite <- E0. split; auto.
    apply (reached_hop m u (when m0)); auto. now rewrite <- T0.
Qed.

(* Contributions: what has not changed since round t was there in round t. *)
Lemma part_since b t t' v u :
  t <= t' -> (forall m, In m (messages s) -> what m = b -> to m = v -> when m <= t' -> when m <= t) ->
  part s b t' v u = part s b t v u.
Proof.
  intros L H. induction t' as [|t' IH]; [now replace t with 0 by lia|].
  destruct (Nat.eq_dec t (S t')) as [->|N]; auto. cbn [part].
  assert (E : arriving s b (S t') v = []).
  { destruct (arriving s b (S t') v) as [|m ms] eqn:E; auto.
    assert (I : In m (arriving s b (S t') v)) by (rewrite E; cbn; auto). unfold arriving in I.
    apply filter_In in I. rewrite !andb_true_iff, !Nat.eqb_eq in I. destruct I as (I & (W & B) & T).
    specialize (H m I B T). lia. }
  rewrite E. cbn. rewrite orb_false_r. apply IH; [lia|]. intros m I B T W. apply H; auto.
Qed.

Lemma part_reach : combines c = true ->
  forall n b t v u, t <= n -> part s b t v u = true -> reached t u v.
Proof.
  intros C. destruct s_valid as (M & _ & _ & _ & _ & D). rewrite C in D. destruct D as [A _]. destruct M as [_ Hl].
  induction n as [|n IH]; intros b t v u L P.
  - replace t with 0 in * by lia. cbn in P. apply andb_true_iff in P. destruct P as [_ P]. apply Nat.eqb_eq in P.
    subst. exists 0. split; auto. constructor.
  - destruct t as [|t].
    { cbn in P. apply andb_true_iff in P. destruct P as [_ P]. apply Nat.eqb_eq in P. subst. exists 0.
      split; auto. constructor. }
    cbn [part] in P.
    assert (B : existsb (fun m => part s b t (from m) u) (arriving s b (S t) v) = true -> reached (S t) u v).
    { intro E. apply existsb_exists in E. destruct E as (m & I & Q). unfold arriving in I. apply filter_In in I.
      rewrite !andb_true_iff, !Nat.eqb_eq in I. destruct I as (I & (W & Eb) & T). subst b v.
      destruct (A m I) as (_ & Fr & _). rewrite <- W.
      set (t0 := when m - lambda).
      assert (Q' : part s (what m) t0 (from m) u = true).
      { rewrite <- Q. symmetry. apply part_since; [unfold t0; lia|].
        intros m' I' E' T' L'. specialize (Fr m' I' E' T' ltac:(lia)). unfold t0. lia. }
      apply (reached_hop m u t0); auto; [|unfold t0; lia]. apply (IH (what m)); auto. unfold t0. lia. }
    destruct (existsb (fun m => negb (adds m)) (arriving s b (S t) v)); auto.
    apply orb_true_iff in P. destruct P as [P|P]; auto. apply (reached_later t); auto. apply (IH b); auto. lia.
Qed.

Lemma far_late u v d t : far g u v d -> 1 <= d -> reached t u v -> too_early lambda d < t.
Proof.
  intros F L (k & W & [->|E]); specialize (F _ W); [lia|]. unfold too_early in *.
  assert (d - 1 <= k - 1) by lia. nia.
Qed.

(* Does v need something of u in block b? *)
Definition needs (b u v : nat) : Prop :=
  b < blocks g c /\ wants g c v b = true /\
  if combines c then member g u = true
  else holds g c v b = false /\ forall w, holds g c w b = true -> w = u.

(* Then a message of the block comes to v in round 1 + lambda (d - 1) or later. *)
Theorem late_message : forall b u v d,
  needs b u v -> far g u v d -> 1 <= d ->
  exists m, In m (messages s) /\ what m = b /\ to m = v /\ too_early lambda d < when m.
Proof.
  intros b u v d (L & W & H) F Hd. destruct (combines c) eqn:C.
  - assert (P : part s b (rounds s) v u = true).
    { destruct s_valid as (_ & _ & _ & _ & _ & D). rewrite C in D. now apply D. }
    destruct (existsb (fun m => (what m =? b) && (to m =? v) && (too_early lambda d <? when m)) (messages s)) eqn:E.
    + apply existsb_exists in E. destruct E as (m & I & E). rewrite !andb_true_iff, !Nat.eqb_eq, Nat.ltb_lt in E.
      exists m. tauto.
    + exfalso. set (t := min (rounds s) (too_early lambda d)).
      assert (Q : part s b t v u = true).
      { rewrite <- P. symmetry. apply part_since; [unfold t; lia|]. intros m I B T Wm.
        unfold t. apply Nat.min_glb; auto. destruct (Nat.le_gt_cases (when m) (too_early lambda d)) as [G|G]; auto.
        assert (X : existsb (fun m => (what m =? b) && (to m =? v) && (too_early lambda d <? when m)) (messages s) =
        true); [|congruence].
        apply existsb_exists. exists m. split; auto. rewrite !andb_true_iff, !Nat.eqb_eq, Nat.ltb_lt. auto. }
      apply (part_reach C t) in Q; auto. apply (far_late u v d) in Q; auto. unfold t in Q. lia.
  - destruct H as [N O]. destruct s_valid as (_ & _ & _ & _ & _ & D). rewrite C in D. destruct D as [_ D].
    destruct (D v b L W) as [X|(m & I & E & T)]; [congruence|].
    destruct (stored_reach C (when m) m (le_n _) I) as (w & Hw & R). rewrite E in Hw. apply O in Hw. subst w.
    exists m. repeat split; auto. rewrite T in R. now apply (far_late u v d).
Qed.

(* ---- distance: no schedule is shorter ---- *)

Theorem distance_bound : forall b u v d, needs b u v -> far g u v d -> 1 <= d ->
  1 + hop_rounds (under s) * (d - 1) <= rounds s.
Proof.
  intros b u v d N F L. destruct (late_message b u v d N F L) as (m & I & _ & _ & W).
  pose proof (message_round m I). unfold too_early in W. lia.
Qed.

(* ---- degree, with its window ---- *)

(* Blocks of which v needs something from d arcs away or farther: each takes a message to v, after the window. *)
Theorem degree_bound : forall v d bs, NoDup bs -> 1 <= d ->
  (forall b, In b bs -> exists u, needs b u v /\ far g u v d) ->
  length bs <= packet_tokens (under s) * ((rounds s - hop_rounds (under s) * (d - 1)) * room_in g v).
Proof.
  intros v d bs N L H. set (r0 := hop_rounds (under s) * (d - 1)).
  eapply Nat.le_trans; [|apply (messages_after s s_valid r0 (room_in g v) (fun p => target p =? v))].
  - set (late := flat_map messages_of (filter (fun p => (target p =? v) && (r0 <? round p)) (packets s))).
    rewrite <- (map_length what late). apply NoDup_incl_length; auto. intros b Ib.
    destruct (H b Ib) as (u & Ne & F). destruct (late_message b u v d Ne F L) as (m & I & <- & T & W).
    apply in_map. unfold late. apply in_flat_map. destruct (message_packet m I) as (p & Ip & Im & Wp & _ & Tp).
    exists p. split; auto. apply filter_In. split; auto. rewrite andb_true_iff, Nat.eqb_eq, Nat.ltb_lt.
    unfold r0, too_early in *. split; congruence || lia.
  - intro t. eapply Nat.le_trans; [|apply (in_le s s_valid t v)]. apply packets_by_hops. intros p I T.
    unfold in_round in I. apply filter_In in I. destruct I as [I _]. apply Nat.eqb_eq in T.
    destruct (packets_valid s s_valid p I) as (_ & L2 & _). destruct (last_hop (path p) L2) as (x & X).
    exists (x, last (path p) 0). split; auto. cbn. apply Nat.eqb_eq. exact T.
Qed.

End Distance.

(* ---- cuts, for paths of any length ---- *)

Section Cut.

Variable s : schedule.
Hypothesis s_valid : valid s.
Variable inside : nat -> bool.

Local Notation g := (on s).
Local Notation c := (aim s).

(* The block has to cross: something that is inside alone is wanted outside. *)
Definition crosses (b : nat) : Prop :=
  b < blocks g c /\ exists v, inside v = false /\ wants g c v b = true /\
  if combines c then exists u, member g u = true /\ inside u = true
  else forall w, holds g c w b = true -> inside w = true.

Lemma stored_cross b v : combines c = false ->
  (forall w, holds g c w b = true -> inside w = true) ->
  forall n m, when m <= n -> In m (messages s) -> what m = b -> to m = v -> inside v = false ->
  exists m, In m (messages s) /\ what m = b /\ inside (from m) = true /\ inside (to m) = false.
Proof.
  intros C Hh. destruct s_valid as (M & _ & _ & _ & _ & D). rewrite C in D. destruct D as [A _]. destruct M as [_ Hl].
  intro n. revert v. induction n as [|n IH]; intros v m L I B T O.
  - assert (1 <= when m); [|lia]. unfold messages in I. apply in_flat_map in I. destruct I as (p & Ip & I).
    unfold messages_of in I. apply in_map_iff in I. destruct I as (i & <- & _). apply (round_between s s_valid p Ip).
  - destruct (inside (from m)) eqn:F; [exists m; subst; auto|].
    destruct (A m I) as [_ [H|(m0 & I0 & E0 & T0 & W0)]].
    + rewrite B in H. apply Hh in H. congruence.
    + apply (IH (from m) m0); auto; [lia|congruence].
Qed.

Lemma know_cross l v u : know l v u -> inside u = true -> inside v = false ->
  exists m, In m l /\ inside (from m) = true /\ inside (to m) = false.
Proof.
  revert v. induction l as [|m l IH]; cbn; [congruence|]. intros v [K|[-> K]] U V.
  - destruct (IH v K U V) as (x & I & X). eauto.
  - destruct (inside (from m)) eqn:F; [exists m; auto|]. destruct (IH _ K U F) as (x & I & X). eauto.
Qed.

Lemma latest_in b r m : In m (latest s b r) -> In m (messages s) /\ what m = b.
Proof.
  induction r as [|r IH]; cbn; [tauto|]. rewrite in_app_iff, filter_In. unfold of_block. rewrite filter_In, Nat.eqb_eq.
  intuition.
Qed.

Lemma crossing_message b : crosses b ->
  exists m, In m (messages s) /\ what m = b /\ inside (from m) = true /\ inside (to m) = false.
Proof.
  intros (L & v & O & W & H). destruct (combines c) eqn:C.
  - destruct H as (u & M & U). destruct s_valid as (_ & _ & _ & _ & _ & D). rewrite C in D. destruct D as (_ & _ & D).
    specialize (D v b L W u M). apply part_know in D. destruct (know_cross _ _ _ D U O) as (m & I & X).
    apply latest_in in I. exists m. tauto.
  - pose proof s_valid as (_ & _ & _ & _ & _ & D). rewrite C in D. destruct D as [_ D].
    destruct (D v b L W) as [X|(m & I & E & T)]; [apply H in X; congruence|].
    eapply (stored_cross b v C H (when m) m); eauto.
Qed.

Lemma crossing_hop l : inside (hd 0 l) = true -> inside (last l 0) = false ->
  exists a, In a (hops l) /\ inside (fst a) && negb (inside (snd a)) = true.
Proof.
  induction l as [|a [|b l] IH]; intros H O; [cbn in *; congruence..|].
  destruct (inside b) eqn:B.
  - destruct IH as (x & I & X); auto. exists x. split; auto. cbn. auto.
  - exists (a, b). split; [cbn; auto|]. cbn [fst snd hd] in *. now rewrite H, B.
Qed.

Theorem cut_bound : forall bs, NoDup bs -> (forall b, In b bs -> crosses b) ->
  length bs <= packet_tokens (under s) * (rounds s * room_across g inside).
Proof.
  intros bs N H.
  pose proof (messages_after s s_valid 0 (room_across g inside)
    (fun p => inside (origin p) && negb (inside (target p)))) as R. rewrite Nat.sub_0_r in R.
  eapply Nat.le_trans; [|apply R].
  - rewrite <- (map_length what (flat_map _ _)). apply NoDup_incl_length; auto. intros b Ib.
    destruct (crossing_message b (H b Ib)) as (m & I & <- & F & T). apply in_map. unfold messages in I.
    apply in_flat_map in I. destruct I as (p & Ip & I). apply in_flat_map. exists p. split; auto.
    apply filter_In. split; auto. pose proof (round_between s s_valid p Ip).
    unfold messages_of in I. apply in_map_iff in I. destruct I as (i & <- & _). cbn [from to] in *.
    rewrite F, T. cbn [negb andb]. apply Nat.ltb_lt. lia.
  - intro t. eapply Nat.le_trans; [|apply (across_le s s_valid t inside)]. apply packets_by_hops. intros p _ X.
    apply andb_true_iff in X. destruct X as [F T]. apply negb_true_iff in T. now apply crossing_hop.
Qed.

End Cut.
