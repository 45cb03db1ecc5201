(* SPDX-License-Identifier: MIT *)
(* Which messages a repeating schedule has: those of its group, each period again, with blocks of their own. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat check.Packets check.Combined.
Import ListNotations.

#[local] Arguments there : simpl never.

Lemma flat_map_nil {A B} (f : A -> list B) l : (forall a, In a l -> f a = []) -> flat_map f l = [].
Proof.
  induction l as [|a l IH]; cbn; intro H; auto. rewrite (H a), IH; auto.
Qed.

Lemma flat_map_one {A B} (f : A -> list B) l i :
  NoDup l -> In i l -> (forall j, In j l -> j <> i -> f j = []) -> flat_map f l = f i.
Proof.
  induction l as [|a l IH]; cbn; [tauto|]. intros N I H. inversion N as [|? ? Na Nl]; subst.
  destruct I as [->|I].
  - rewrite (flat_map_nil f l); [apply app_nil_r|]. intros b Ib. apply H; auto. congruence.
  - rewrite (H a), IH; auto. congruence.
Qed.

Lemma filter_flat_map {A B} (f : A -> list B) g l : filter g (flat_map f l) = flat_map (fun a => filter g (f a)) l.
Proof. induction l as [|a l IH]; cbn; auto. now rewrite filter_app, IH. Qed.

Lemma filter_map {A B} (f : A -> B) g l : filter g (map f l) = map f (filter (fun a => g (f a)) l).
Proof. induction l as [|a l IH]; cbn; auto. destruct (g (f a)); cbn; now rewrite IH. Qed.

Lemma existsb_map {A B} (f : A -> B) g l : existsb g (map f l) = existsb (fun a => g (f a)) l.
Proof. induction l as [|a l IH]; cbn; auto. now rewrite IH. Qed.

Section Unroll.

Variable r : repeating.
Hypothesis shape : repeats_ok r.
Hypothesis base_ok : forall p, In p (packets (base r)) -> packet_ok (base r) p.
Variable l : nat.
Hypothesis some : 1 <= l.

Local Notation s := (base r).
Local Notation P := (period r).
Local Notation k := (share r).

Lemma k_some : 1 <= k.
Proof. apply shape. Qed.

Lemma P_some : 1 <= P.
Proof. apply shape. Qed.

(* Places in the vector: of owner q the i-th group's x-th block. *)
Lemma named_div i b : there r l i b = true -> named r l i b / l = b / k.
Proof.
  unfold there, named. rewrite Nat.ltb_lt. intro H.
  rewrite <- Nat.add_assoc, Nat.div_add_l by lia. rewrite (Nat.div_small (i * k + b mod k)) by auto. lia.
Qed.

Lemma named_mod i b : there r l i b = true -> named r l i b mod l = i * k + b mod k.
Proof.
  unfold there, named. rewrite Nat.ltb_lt. intro H.
  rewrite <- Nat.add_assoc, Nat.add_comm, Nat.mod_add by lia. now apply Nat.mod_small.
Qed.

Lemma named_inj i j a b :
  there r l i a = true -> there r l j b = true -> named r l i a = named r l j b -> i = j /\ a = b.
Proof.
  intros A B E. pose proof (named_div i a A) as D. rewrite E, (named_div j b B) in D.
  pose proof (named_mod i a A) as M. rewrite E, (named_mod j b B) in M. pose proof k_some.
  pose proof (Nat.mod_upper_bound a k ltac:(lia)). pose proof (Nat.mod_upper_bound b k ltac:(lia)).
  pose proof (Nat.div_mod a k ltac:(lia)). pose proof (Nat.div_mod b k ltac:(lia)).
  assert (i = j) by (destruct (Nat.lt_trichotomy i j) as [?|[?|?]]; auto; exfalso; nia).
  split; auto. subst. lia.
Qed.

(* And every place has a name. *)
Lemma named_all b :
  b < owners (on s) (aim s) * l ->
  exists i b0, i < groups r l /\ b0 < owners (on s) (aim s) * k /\ there r l i b0 = true /\ b = named r l i b0.
Proof.
  intro L. pose proof k_some. pose proof (Nat.mod_upper_bound b l ltac:(lia)) as Mb.
  pose proof (Nat.div_mod b l ltac:(lia)) as Db. set (x := b mod l) in *. set (q := b / l) in *.
  pose proof (Nat.mod_upper_bound x k ltac:(lia)) as Mx. pose proof (Nat.div_mod x k ltac:(lia)) as Dx.
  exists (x / k), (q * k + x mod k).
  assert (E : (q * k + x mod k) mod k = x mod k).
  { rewrite Nat.add_comm, Nat.mod_add by lia. now apply Nat.mod_small. }
  assert (F : (q * k + x mod k) / k = q).
  { rewrite Nat.div_add_l by lia. rewrite Nat.div_small; lia. }
  repeat split.
  - unfold groups. assert (x / k <= (l - 1) / k) by (apply Nat.div_le_mono; lia). lia.
  - assert (q < owners (on s) (aim s)) by (apply Nat.div_lt_upper_bound; lia). nia.
  - unfold there. rewrite E. apply Nat.ltb_lt. lia.
  - unfold named. rewrite E, F. lia.
Qed.

Lemma named_below i b :
  b < owners (on s) (aim s) * k -> there r l i b = true -> named r l i b < owners (on s) (aim s) * l.
Proof.
  intros L T. pose proof k_some. pose proof (named_div i b T) as D.
  assert (b / k < owners (on s) (aim s)) by (apply Nat.div_lt_upper_bound; lia).
  pose proof (Nat.div_mod (named r l i b) l ltac:(lia)).
  pose proof (Nat.mod_upper_bound (named r l i b) l ltac:(lia)). nia.
Qed.

Definition shift (i : nat) (m : message) : message :=
  Message (when m + i * P) (named r l i (what m)) (from m) (to m) (adds m).

Lemma messages_shifted i p :
  simple p ->
  (if forallb (fun x => there r l i (block x)) (items p) then messages_of (shifted r l i p) else []) =
  map (shift i) (filter (fun m => there r l i (what m)) (messages_of p)).
Proof.
  destruct p as [t pa [|x [|]]]; intros [_ L]; try discriminate L. clear.
  unfold messages_of, shifted. cbn [items round path map forallb filter what].
  rewrite andb_true_r. destruct (there r l i (block x)); reflexivity.
Qed.

Lemma messages_group i :
  flat_map messages_of (group r l i) = map (shift i) (filter (fun m => there r l i (what m)) (messages s)).
Proof.
  unfold group, messages. assert (S : forall p, In p (packets s) -> simple p) by apply shape.
  clear base_ok. induction (packets s) as [|p ps IH]; auto. cbn [filter flat_map].
  rewrite filter_app, map_app, <- IH, <- messages_shifted by (intros; apply S; cbn; auto).
  now destruct (forallb _ (items p)).
Qed.

Lemma messages_unroll :
  messages (unroll r l) =
  flat_map (fun i => map (shift i) (filter (fun m => there r l i (what m)) (messages s))) (seq 0 (groups r l)).
Proof.
  unfold unroll, messages at 1. cbn [packets]. induction (seq 0 (groups r l)) as [|i is IH]; auto.
  cbn [flat_map]. now rewrite flat_map_app, IH, messages_group.
Qed.

Lemma in_unroll m' :
  In m' (messages (unroll r l)) <->
  exists i m, i < groups r l /\ In m (messages s) /\ there r l i (what m) = true /\ m' = shift i m.
Proof.
  rewrite messages_unroll, in_flat_map. split.
  - intros (i & I & M). apply in_map_iff in M. destruct M as (m & <- & M). apply filter_In in M. rewrite in_seq in I.
    exists i, m. repeat split; try tauto.
  - intros (i & m & L & I & T & ->). exists i. split; [apply in_seq; lia|]. apply in_map, filter_In. auto.
Qed.

Lemma when_base m : In m (messages s) -> 1 <= when m.
Proof. now apply when_above. Qed.

(* Of a node at one end of messages, `at_end`. *)
Lemma selected_unroll (at_end : message -> nat) i b t v :
  (forall j m, at_end (shift j m) = at_end m) -> i < groups r l -> there r l i b = true ->
  filter (fun m => (when m =? t) && (what m =? named r l i b) && (at_end m =? v)) (messages (unroll r l)) =
  map (shift i) (filter (fun m => (when m =? t - i * P) && (what m =? b) && (at_end m =? v)) (messages s)).
Proof.
  intros Same L T. rewrite messages_unroll, filter_flat_map.
  rewrite (flat_map_one _ _ i); [|apply seq_NoDup|apply in_seq; lia|].
  - rewrite filter_map. f_equal. rewrite filter_filter. pose proof when_base as W. clear - W T Same some shape.
    induction (messages s) as [|m ms IH]; auto. cbn [filter].
    rewrite IH by (intros; apply W; cbn; auto). specialize (W m (or_introl eq_refl)).
    match goal with |- (if ?a then _ else _) = (if ?b then _ else _) => assert (E : a = b) end; [|now rewrite E].
    apply eq_true_iff_eq. rewrite Same. unfold shift; cbn [when what]. rewrite !andb_true_iff, !Nat.eqb_eq. split.
    + intros (Th & (Ew & En) & Et). destruct (named_inj i i (what m) b Th T En) as [_ ->]. repeat split; auto. lia.
    + intros ((Ew & ->) & Et). repeat split; auto. lia.
  - intros j Ij Nj. rewrite filter_map.
    destruct (filter _ _) as [|m ms] eqn:E; auto. exfalso.
    assert (I : In m (m :: ms)) by (cbn; auto). rewrite <- E in I. apply filter_In in I. destruct I as [I Q].
    apply filter_In in I. destruct I as [I Th]. rewrite Same in Q. unfold shift in Q; cbn [when what] in Q.
    rewrite !andb_true_iff, !Nat.eqb_eq in Q. destruct Q as ((_ & En) & _).
    destruct (named_inj j i _ _ Th T En). auto.
Qed.

Lemma arriving_unroll i b t v :
  i < groups r l -> there r l i b = true ->
  arriving (unroll r l) (named r l i b) t v = map (shift i) (arriving s b (t - i * P) v).
Proof. now apply (selected_unroll to). Qed.

Lemma leaving_unroll i b t v :
  i < groups r l -> there r l i b = true ->
  leaving (unroll r l) (named r l i b) t v = map (shift i) (leaving s b (t - i * P) v).
Proof. now apply (selected_unroll from). Qed.

Lemma arriving_none b v : arriving s b 0 v = [].
Proof.
  destruct (arriving s b 0 v) as [|m ms] eqn:E; auto. assert (I : In m (arriving s b 0 v)) by (rewrite E; cbn; auto).
  apply in_arriving in I. destruct I as (I & W & _). apply when_base in I. lia.
Qed.

Lemma part_unroll i b : i < groups r l -> there r l i b = true ->
  forall t v u, part (unroll r l) (named r l i b) t v u = part s b (t - i * P) v u.
Proof.
  intros L T. induction t as [|t IH]; intros v u; [reflexivity|].
  cbn [part]. rewrite (arriving_unroll i b (S t) v L T).
  destruct (Nat.le_gt_cases (S t) (i * P)) as [G|G].
  - replace (S t - i * P) with 0 by lia. rewrite arriving_none. cbn [map existsb].
    rewrite orb_false_r, IH. f_equal. lia.
  - replace (S t - i * P) with (S (t - i * P)) by lia. cbn [part]. rewrite !existsb_map, IH.
    assert (B : existsb (fun a => part (unroll r l) (named r l i b) t (from (shift i a)) u)
                  (arriving s b (S (t - i * P)) v) =
                existsb (fun m => part s b (t - i * P) (from m) u) (arriving s b (S (t - i * P)) v)).
    { apply existsb_ext. intros m _. apply IH. }
    now rewrite B.
Qed.

Lemma has_unroll i b t v : i < groups r l -> there r l i b = true ->
  has (unroll r l) (named r l i b) t v <-> has s b (t - i * P) v.
Proof.
  intros L T. unfold has. change (on (unroll r l)) with (on s). split; (intros [M|M]; [left; auto|right]).
  - destruct M as (m' & I & E & To & W). apply in_unroll in I. destruct I as (j & m & Lj & I & Tj & ->).
    cbn in *. destruct (named_inj _ _ _ _ Tj T E) as [-> Eb]. exists m. repeat split; auto. lia.
  - destruct M as (m & I & <- & <- & W). exists (shift i m). repeat split; auto.
    + apply in_unroll. exists i, m. auto.
    + cbn. lia.
Qed.

(* What is true once a block's last message came stays so. *)
Lemma part_stays b x y v u :
  x <= y -> (forall m, In m (messages s) -> what m = b -> when m <= x) -> part s b y v u = part s b x v u.
Proof.
  intros L H. induction y as [|y IH]; [now replace x with 0 by lia|].
  destruct (Nat.eq_dec x (S y)) as [->|N]; auto. cbn [part].
  assert (E : arriving s b (S y) v = []).
  { destruct (arriving s b (S y) v) as [|m ms] eqn:E; auto.
    assert (I : In m (arriving s b (S y) v)) by (rewrite E; cbn; auto).
    apply in_arriving in I. destruct I as (I & W & B & _). apply H in I; auto. lia. }
  rewrite E. cbn. rewrite orb_false_r. apply IH. lia.
Qed.

End Unroll.
