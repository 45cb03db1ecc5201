(* SPDX-License-Identifier: MIT *)
(* The checker is right about models, goals, packets, links and ports. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid check.Tables check.Check.
Import ListNotations.

Lemma model_okb_spec m : model_okb m = true <-> model_ok m.
Proof. unfold model_okb, model_ok. now rewrite andb_true_iff, !Nat.leb_le. Qed.

Lemma goal_okb_spec g c : goal_okb g c = true <-> goal_ok g c.
Proof.
  unfold goal_okb, goal_ok. rewrite andb_true_iff, Nat.leb_le.
  destruct c; rewrite ?Nat.eqb_eq, ?Nat.ltb_lt; intuition.
Qed.

Lemma distinct_spec l : distinct l = true <-> NoDup l.
Proof.
  induction l as [|a l IH]; cbn; [intuition constructor|].
  rewrite andb_true_iff, negb_true_iff, IH. split.
  - intros [N D]. constructor; [|tauto]. intro I.
    rewrite (proj2 (existsb_exists (Nat.eqb a) l)) in N; [discriminate|]. exists a. now rewrite Nat.eqb_refl.
  - inversion 1 as [|? ? N D]; subst. split; [|tauto].
    destruct (existsb (Nat.eqb a) l) eqn:E; [|auto]. apply existsb_exists in E. destruct E as (b & I & E).
    apply Nat.eqb_eq in E. now subst.
Qed.

Lemma packet_okb_spec s p :
  packet_okb (on s) (under s) (blocks (on s) (aim s)) p = true <-> packet_ok s p.
Proof.
  unfold packet_okb, packet_ok. rewrite !andb_true_iff, !Nat.leb_le, !distinct_spec, !forallb_forall.
  assert (V : (forall x, In x (path p) -> (x <? nodes (on s)) = true) <-> (forall v, In v (path p) -> v < nodes (on
  s))).
  { split; intros H v I; [apply Nat.ltb_lt|apply Nat.ltb_lt]; auto. }
  assert (B : (forall x, In x (items p) -> (block x <? blocks (on s) (aim s)) = true) <->
              (forall i, In i (items p) -> block i < blocks (on s) (aim s))).
  { split; intros H v I; [apply Nat.ltb_lt|apply Nat.ltb_lt]; auto. }
  assert (R : match route (under s) with StoreAndForward => length (path p) =? 2 | Circuit => true end = true <->
              (route (under s) = StoreAndForward -> length (path p) = 2)).
  { destruct (route (under s)); rewrite ?Nat.eqb_eq; intuition congruence. }
  rewrite V, B, R. tauto.
Qed.

(* ---- links ---- *)

Lemma count_occ_map {A B} (dA : forall a b : A, {a = b} + {a <> b}) (dB : forall a b : B, {a = b} + {a <> b})
    (f : A -> B) l a : (forall a b, f a = f b -> a = b) -> count_occ dB (map f l) (f a) = count_occ dA l a.
Proof.
  intro I. induction l as [|b l IH]; cbn; auto.
  destruct (dA b a) as [->|N].
  - destruct (dB (f a) (f a)); [|congruence]. now rewrite IH.
  - destruct (dB (f b) (f a)) as [E|_]; [exfalso; auto|auto].
Qed.

Lemma count_hop_keys ps r h :
  count_occ key_dec (hop_keys ps) (r, h) =
  count_occ hop_dec (flat_map (fun p => hops (path p)) (filter (fun p => round p =? r) ps)) h.
Proof.
  unfold hop_keys. induction ps as [|p ps IH]; cbn; auto.
  rewrite count_occ_app, IH. destruct (Nat.eqb_spec (round p) r) as [->|N]; cbn.
  - rewrite count_occ_app. f_equal.
    apply (count_occ_map hop_dec key_dec (fun h => (r, h))). intros a b [= ->]. auto.
  - assert (C : count_occ key_dec (map (fun h => (round p, h)) (hops (path p))) (r, h) = 0); [|lia].
    apply count_occ_not_In. rewrite in_map_iff. intros (x & [= ? ?] & _). auto.
Qed.

Lemma uses_keys s r u v : uses s r u v = count_occ key_dec (hop_keys (packets s)) (r, (u, v)).
Proof. unfold uses, in_round. now rewrite count_hop_keys. Qed.

Lemma links_okb_spec s : links_okb s = true <-> links_ok s.
Proof.
  unfold links_okb, links_ok. rewrite forallb_forall. split.
  - intros H r u v. rewrite !uses_keys. set (keys := hop_keys (packets s)) in *.
    assert (A : forall u v, count_occ key_dec keys (r, (u, v)) <= weight (on s) u v).
    { intros a b. destruct (in_dec key_dec (r, (a, b)) keys) as [I|N].
      - specialize (H _ I). apply andb_true_iff in H. destruct H as [H _]. cbn in H.
        now rewrite count_tally, Nat.leb_le in H.
      - apply count_occ_not_In with (eq_dec := key_dec) in N. lia. }
    assert (B : forall u v, link (under s) = Half -> In (r, (u, v)) keys ->
              count_occ key_dec keys (r, (u, v)) + count_occ key_dec keys (r, (v, u)) <=
              max (weight (on s) u v) (weight (on s) v u)).
    { intros a b Hf I. specialize (H _ I). apply andb_true_iff in H. destruct H as [_ H]. cbn in H.
      rewrite Hf in H. now rewrite !count_tally, Nat.leb_le in H. }
    split; [auto|]. intro Hf.
    destruct (in_dec key_dec (r, (u, v)) keys) as [I|N]; [auto|].
    destruct (in_dec key_dec (r, (v, u)) keys) as [I|N'].
    + specialize (B _ _ Hf I). lia.
    + apply count_occ_not_In with (eq_dec := key_dec) in N, N'. lia.
  - intros H [r [u v]] _. cbn. rewrite !count_tally, <- !uses_keys. specialize (H r u v).
    destruct H as [A B]. apply andb_true_iff. split; [now apply Nat.leb_le|].
    destruct (link (under s)); auto. now apply Nat.leb_le, B.
Qed.

(* ---- ports ---- *)

Lemma once_spec keys : once keys = true <-> (forall k, count_occ key_dec keys k <= 1).
Proof.
  unfold once. rewrite forallb_forall. split; intros H k.
  - destruct (in_dec key_dec k keys) as [I|N].
    + specialize (H k I). now rewrite count_tally, Nat.leb_le in H.
    + apply count_occ_not_In with (eq_dec := key_dec) in N. lia.
  - intros _. rewrite count_tally. apply Nat.leb_le. auto.
Qed.

Lemma count_ends ps (f : packet -> nat) r v x :
  count_occ key_dec (map (fun p => (round p, (f p, 0))) ps) (r, (v, x)) =
  if x =? 0 then count_occ Nat.eq_dec (map f (filter (fun p => round p =? r) ps)) v else 0.
Proof.
  induction ps as [|p ps IH]; cbn [map count_occ filter]; [now destruct x|].
  rewrite IH. destruct (key_dec _ _) as [E|N].
  - injection E as E1 E2 <-. rewrite E1, !Nat.eqb_refl. cbn. rewrite E2. destruct (Nat.eq_dec v v); [auto|congruence].
  - destruct x as [|x]; cbn [Nat.eqb]; auto.
    destruct (Nat.eqb_spec (round p) r) as [E|]; auto. cbn. destruct (Nat.eq_dec (f p) v); congruence.
Qed.

Lemma link_eqb_eq a b : link_eqb a b = true <-> a = b.
Proof.
  destruct a, b. unfold link_eqb. cbn. rewrite andb_true_iff, !Nat.eqb_eq. intuition congruence.
Qed.

Lemma same_link p q :
  length (path p) = 2 -> length (path q) = 2 ->
  link_of p = link_of q <-> (path p = path q \/ path p = rev (path q)).
Proof.
  unfold link_of, origin, target. destruct (path p) as [|a [|b [|]]], (path q) as [|c [|d [|]]]; try discriminate.
  intros _ _. cbn. split.
  - intros [= A B]. assert ((a = c /\ b = d) \/ (a = d /\ b = c)) as [[-> ->]|[-> ->]] by lia; auto.
  - intros [[= -> ->]|[= -> ->]]; f_equal; lia.
Qed.

Lemma ports_okb_spec s :
  (forall p, In p (packets s) -> packet_ok s p) -> ports_okb s = true <-> ports_ok s.
Proof.
  intro P. unfold ports_okb, ports_ok.
  destruct (port (under s)) eqn:Ep; [intuition congruence|].
  assert (K : forall A, (A <-> (OnePort = OnePort -> A))) by intuition.
  rewrite <- K. destruct (route (under s)) eqn:Er.
  - rewrite one_value_spec by apply link_eqb_eq.
    assert (L : forall p, In p (packets s) -> length (path p) = 2).
    { intros p I. destruct (P p I) as (_ & _ & _ & _ & H & _). auto. }
    split.
    + intros H p q v Ip Iq E Vp Vq. apply same_link; auto.
      apply (H (round p, (v, 0))); apply in_flat_map; [exists p|exists q]; split; auto; apply in_map_iff; exists v;
      auto.
      now rewrite E.
    + intros H k a b Ia Ib. apply in_flat_map in Ia, Ib.
      destruct Ia as (p & Ip & Ia), Ib as (q & Iq & Ib). apply in_map_iff in Ia, Ib.
      destruct Ia as (v & Ea & Va), Ib as (w & Eb & Vb). injection Ea as <- <-. injection Eb as E1 E2 <-.
      subst w. apply same_link; auto. eapply H; eauto.
  - assert (S1 : once (map (fun p => (round p, (origin p, 0))) (packets s)) = true <-> forall r v, starts s r v <= 1).
    { rewrite once_spec. unfold starts, in_round. split.
      - intros H r v. specialize (H (r, (v, 0))). now rewrite count_ends in H.
      - intros H [r [v x]]. rewrite count_ends. destruct (x =? 0); auto. }
    assert (S2 : once (map (fun p => (round p, (target p, 0))) (packets s)) = true <-> forall r v, takes s r v <= 1).
    { rewrite once_spec. unfold takes, in_round. split.
      - intros H r v. specialize (H (r, (v, 0))). now rewrite count_ends in H.
      - intros H [r [v x]]. rewrite count_ends. destruct (x =? 0); auto. }
    destruct (link (under s)).
    + rewrite once_spec. unfold starts, takes, in_round. split.
      * intros H r v. specialize (H (r, (v, 0))). now rewrite count_occ_app, !count_ends in H.
      * intros H [r [v x]]. rewrite count_occ_app, !count_ends. destruct (x =? 0); auto.
    + rewrite andb_true_iff, S1, S2. split; [intros [A B] r v; auto|intro H; split; intros r v; apply H].
Qed.

(* ---- what the tables of facts say ---- *)

Lemma holdsb_eq g c v b : holdsb (facts_of g c) c v b = holds g c v b.
Proof.
  unfold holdsb, holds, facts_of, owner; cbn [fact_member fact_rank fact_size fact_first].
  destruct c; now rewrite !memo_eq.
Qed.

Lemma wantsb_eq g c v b : wantsb (facts_of g c) c v b = wants g c v b.
Proof.
  unfold wantsb, wants, facts_of, owner; cbn [fact_member fact_rank fact_size fact_first].
  destruct c; now rewrite !memo_eq.
Qed.

Lemma fact_member_eq g c v : fact_member (facts_of g c) v = member g v.
Proof. unfold facts_of; cbn [fact_member]. apply memo_eq. Qed.

Lemma member_below g v : member g v = true -> v < nodes g.
Proof. unfold member. rewrite andb_true_iff, Nat.ltb_lt. tauto. Qed.

Lemma wants_member g c v b : wants g c v b = true -> member g v = true.
Proof. unfold wants. rewrite andb_true_iff. tauto. Qed.

Lemma when_below s m : In m (messages s) -> when m <= rounds s.
Proof.
  unfold messages. rewrite in_flat_map. intros (p & Ip & Im).
  unfold messages_of in Im. apply in_map_iff in Im. destruct Im as (i & <- & _). cbn.
  unfold rounds. pose proof (proj1 (list_max_le (map round (packets s)) (list_max (map round (packets s)))) (le_n _))
  as H.
  rewrite Forall_forall in H. apply H. apply in_map_iff. eauto.
Qed.

Lemma when_above s m : (forall p, In p (packets s) -> packet_ok s p) -> In m (messages s) -> 1 <= when m.
Proof.
  intro P. unfold messages. rewrite in_flat_map. intros (p & Ip & Im).
  unfold messages_of in Im. apply in_map_iff in Im. destruct Im as (i & <- & _). cbn. apply (P p Ip).
Qed.

(* ---- blocks that are moved as they are ---- *)

Lemma came_before (ms : list message) b v x :
  at_most (least place when ms) (b, (v, 0)) x = true <->
  exists m, In m ms /\ what m = b /\ to m = v /\ when m <= x.
Proof.
  rewrite at_most_least, existsb_exists. split.
  - intros (m & I & H). apply andb_true_iff in H. destruct H as [K W]. apply key_eqb_eq in K. injection K as <- <-.
    apply Nat.leb_le in W. eauto.
  - intros (m & I & <- & <- & W). exists m. split; auto. rewrite andb_true_iff. split; [apply key_eqb_refl|].
    now apply Nat.leb_le.
Qed.

Lemma stored_okb_spec s : stored_okb s = true <-> stored_ok s.
Proof.
  unfold stored_okb, stored_ok. rewrite andb_true_iff, !forallb_forall. split; intros [A B]; split.
  - intros m I. specialize (A m I). apply andb_true_iff in A. destruct A as [N A]. apply negb_true_iff in N.
    split; auto. apply orb_true_iff in A. rewrite holdsb_eq in A. destruct A as [A|A]; auto. right.
    apply andb_true_iff in A. destruct A as [H A]. apply Nat.leb_le in H. apply came_before in A.
    destruct A as (m' & I' & E & T & W). exists m'. repeat split; auto. lia.
  - intros v b Lb W. pose proof (member_below _ _ (wants_member _ _ _ _ W)) as Lv.
    specialize (B v). rewrite in_seq in B. specialize (B ltac:(lia)).
    rewrite fact_member_eq, (wants_member _ _ _ _ W) in B. cbn in B. rewrite forallb_forall in B.
    specialize (B b). rewrite in_seq in B. specialize (B ltac:(lia)). rewrite wantsb_eq, holdsb_eq, W in B. cbn in B.
    apply orb_true_iff in B. destruct B as [B|B]; auto. right. apply came_before in B.
    destruct B as (m & I & E & T & _). eauto.
  - intros m I. destruct (A m I) as [N H]. rewrite N. cbn. rewrite holdsb_eq. apply orb_true_iff.
    destruct H as [H|(m' & I' & E & T & W)]; auto. right. apply andb_true_iff. split; [apply Nat.leb_le; lia|].
    apply came_before. exists m'. repeat split; auto. lia.
  - intros v Iv. rewrite fact_member_eq. destruct (member (on s) v) eqn:M; cbn; auto. apply forallb_forall.
    intros b Ib. rewrite in_seq in Ib. rewrite wantsb_eq, holdsb_eq.
    destruct (wants (on s) (aim s) v b) eqn:W; cbn; auto.
    apply orb_true_iff. destruct (B v b) as [H|(m & I & E & T)]; auto; [lia|]. right. apply came_before.
    exists m. repeat split; auto. now apply when_below.
Qed.
