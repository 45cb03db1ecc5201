(* SPDX-License-Identifier: MIT *)
(* One check of a group is enough for vectors of every length (docs/theory/long-vectors/periodic.md, "Why one check is
   enough"). *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat check.Check check.CheckRepeat check.Packets
  check.Combined check.Relays check.Correct check.Unroll.
Import ListNotations.

#[local] Arguments there : simpl never.

(* ---- how often an arc is used, as a sum ---- *)

Definition crossings (u v : nat) (p : packet) : nat := count_occ hop_dec (hops (path p)) (u, v).

Lemma sum_cons a l : list_sum (a :: l) = a + list_sum l.
Proof. reflexivity. Qed.

Lemma uses_sum s t u v :
  uses s t u v = list_sum (map (fun p => if round p =? t then crossings u v p else 0) (packets s)).
Proof.
  unfold uses, in_round. induction (packets s) as [|p ps IH]; auto. cbn [filter map]. rewrite sum_cons.
  destruct (round p =? t); cbn [flat_map]; [rewrite count_occ_app|]; now rewrite IH.
Qed.

Lemma sum_flat_map {A B} (f : B -> nat) (g : A -> list B) l :
  list_sum (map f (flat_map g l)) = list_sum (map (fun a => list_sum (map f (g a))) l).
Proof.
  induction l as [|a l IH]; auto. cbn [flat_map map]. rewrite map_app, list_sum_app, IH. reflexivity.
Qed.

Lemma sum_plus {A} (f g : A -> nat) l :
  list_sum (map (fun a => f a + g a) l) = list_sum (map f l) + list_sum (map g l).
Proof. induction l as [|a l IH]; auto. cbn [map]. rewrite !sum_cons. lia. Qed.

Lemma sum_le {A} (f g : A -> nat) l :
  (forall a, In a l -> f a <= g a) -> list_sum (map f l) <= list_sum (map g l).
Proof.
  induction l as [|a l IH]; intro H; auto. cbn [map]. rewrite !sum_cons.
  specialize (IH (fun a I => H a (or_intror I))). specialize (H a (or_introl eq_refl)). lia.
Qed.

Lemma sum_zero {A} (f : A -> nat) l : (forall a, In a l -> f a = 0) -> list_sum (map f l) = 0.
Proof.
  induction l as [|a l IH]; intro H; auto. cbn [map]. rewrite sum_cons, H, IH; cbn; auto.
  intros b I. apply H. cbn. auto.
Qed.

Lemma sum_swap {A B} (f : A -> B -> nat) l k :
  list_sum (map (fun a => list_sum (map (f a) k)) l) = list_sum (map (fun b => list_sum (map (fun a => f a b) l)) k).
Proof.
  induction l as [|a l IH]; cbn [map].
  - symmetry. now apply sum_zero.
  - rewrite sum_cons, IH, <- sum_plus. reflexivity.
Qed.

(* Of the groups at most one makes a packet's move in a given round. *)
Lemma one_group a P t c is :
  1 <= P -> NoDup is ->
  list_sum (map (fun i => if a + i * P =? t then c else 0) is) <= if a mod P =? t mod P then c else 0.
Proof.
  intros HP. induction is as [|i is IH]; intro N; [apply Nat.le_0_l|].
  inversion N as [|? ? Ni Nis]; subst. cbn [map]. rewrite sum_cons.
  destruct (Nat.eqb_spec (a + i * P) t) as [<-|_].
  - rewrite Nat.mod_add, Nat.eqb_refl by lia. rewrite sum_zero; [lia|].
    intros j Ij. destruct (Nat.eqb_spec (a + j * P) (a + i * P)) as [E|]; auto.
    exfalso. assert (j = i) by nia. subst. auto.
  - apply IH. auto.
Qed.

Lemma crossings_shifted r l i u v p : crossings u v (shifted r l i p) = crossings u v p.
Proof. reflexivity. Qed.

Lemma uses_unroll r l t u v :
  1 <= period r -> uses (unroll r l) t u v <= uses (folded r) (S (t mod period r)) u v.
Proof.
  intro HP. rewrite !uses_sum. unfold unroll, folded; cbn [packets]. rewrite sum_flat_map, map_map.
  apply Nat.le_trans with
    (list_sum (map (fun i => list_sum (map (fun p => if round p + i * period r =? t then crossings u v p else 0)
                                           (packets (base r)))) (seq 0 (groups r l)))).
  - apply sum_le. intros i _. unfold group. rewrite map_map.
    induction (packets (base r)) as [|p ps IH]; auto. cbn [filter map]. rewrite sum_cons.
    destruct (forallb _ (items p)); cbn [map]; [rewrite sum_cons|lia].
    change (round (shifted r l i p)) with (round p + i * period r). rewrite crossings_shifted. lia.
  - rewrite sum_swap. apply sum_le. intros p _. cbn [round path].
  change (crossings u v (Packet _ (path p) _)) with (crossings u v p).
    rewrite (Nat.eqb_sym (S _)). cbn [Nat.eqb]. rewrite Nat.eqb_sym. apply one_group; auto. apply seq_NoDup.
Qed.

(* ---- goals ---- *)

Lemma with_blocks_same c n m : with_blocks (with_blocks c n) m = with_blocks c m.
Proof. destruct c; reflexivity. Qed.

Lemma combines_with c n : combines (with_blocks c n) = combines c.
Proof. destruct c; reflexivity. Qed.

Lemma idempotent_with c n : idempotent (with_blocks c n) = idempotent c.
Proof. destruct c; reflexivity. Qed.

Section Repeats.

Variable r : repeating.
Local Notation s := (base r).
Local Notation P := (period r).
Local Notation k := (share r).
Local Notation g := (on (base r)).
Local Notation c := (aim (base r)).
Local Notation o := (owners g c).

Hypothesis shape : repeats_ok r.
Hypothesis base_valid : valid s.
Hypothesis links_folded : links_ok (folded r).
Hypothesis ports_folded : ports_ok (folded r).
Variable l : nat.
Hypothesis some : 1 <= l.

Let s' := unroll r l.

Lemma base_packets : forall p, In p (packets s) -> packet_ok s p.
Proof. apply base_valid. Qed.

Lemma aim_eq : c = with_blocks c (o * k).
Proof. apply shape. Qed.

Lemma blocks_base : blocks g c = o * k.
Proof.
  pose proof aim_eq as E. destruct shape as (R & _). rewrite E at 1. destruct c; cbn in *; try discriminate; auto.
Qed.

Lemma blocks_unroll : blocks (on s') (aim s') = o * l.
Proof.
  destruct shape as (R & _). unfold s', unroll; cbn [on aim]. destruct c; cbn in *; try discriminate; auto.
Qed.

Lemma owner_named i b :
  1 <= size g -> there r l i b = true ->
  owner g (size g * l) (named r l i b) = b / k /\ owner g (size g * k) b = b / k.
Proof.
  intros Hs T. pose proof (k_some r shape). unfold owner.
  rewrite (Nat.mul_comm (named r l i b)), (Nat.mul_comm b), !Nat.div_mul_cancel_l by lia.
  split; auto. now apply named_div.
Qed.

Lemma size_some : (exists n : nat, c = AllGather n) \/ (exists (n : nat) (i : bool), c = ReduceScatter n i) -> 1 <=
size g.
Proof.
  intro H. destruct base_valid as (_ & (B & _) & _). rewrite blocks_base in B.
  destruct H as [(n & E)|(n & i & E)]; rewrite E in B; cbn in B; nia.
Qed.

Lemma holds_named i b v : there r l i b = true -> holds g (aim s') v (named r l i b) = holds g c v b.
Proof.
  intro T. pose proof aim_eq as E. destruct shape as (R & _). pose proof size_some as Z.
  unfold s', unroll, holds; cbn [aim]. f_equal. destruct c as [n|ld|n id|n id|n rt|n rt id|id|] eqn:Ec; cbn in *; try
  discriminate; auto.
  injection E as ->. destruct (owner_named i b) as [-> ->]; eauto.
Qed.

Lemma wants_named i b v : there r l i b = true -> wants g (aim s') v (named r l i b) = wants g c v b.
Proof.
  intro T. pose proof aim_eq as E. destruct shape as (R & _). pose proof size_some as Z.
  unfold s', unroll, wants; cbn [aim]. f_equal. destruct c as [n|ld|n id|n id|n rt|n rt id|id|] eqn:Ec; cbn in *; try
  discriminate; auto.
  injection E as ->. destruct (owner_named i b) as [-> ->]; eauto.
Qed.

Lemma goal_unroll : goal_ok (on s') (aim s').
Proof.
  destruct base_valid as (_ & G & _). pose proof size_some as Z. destruct shape as (R & _). unfold goal_ok in *.
  rewrite blocks_unroll. rewrite blocks_base in G. destruct G as [B G].
  assert (1 <= o) by nia. split; [nia|]. unfold s', unroll; cbn [on aim].
  destruct c as [n|ld|n id|n id|n rt|n rt id|id|] eqn:Ec; cbn in *; try discriminate; auto;
    rewrite Nat.mul_comm; apply Nat.mod_mul; specialize (Z ltac:(eauto)); lia.
Qed.

Lemma in_unrolled p' :
  In p' (packets s') -> exists i p, i < groups r l /\ In p (packets s) /\
    (forall x, In x (items p) -> there r l i (block x) = true) /\ p' = shifted r l i p.
Proof.
  unfold s', unroll; cbn [packets]. rewrite in_flat_map. intros (i & Ii & I). rewrite in_seq in Ii.
  unfold group in I. apply in_map_iff in I. destruct I as (p & <- & I). apply filter_In in I. destruct I as [I F].
  exists i, p. rewrite forallb_forall in F. repeat split; auto. lia.
Qed.

Lemma packets_unroll p' : In p' (packets s') -> packet_ok s' p'.
Proof.
  intro I. apply in_unrolled in I. destruct I as (i & p & Li & I & T & ->).
  destruct (base_packets p I) as (R & L & N & V & Rt & It & Nb & B).
  destruct shape as (_ & _ & _ & _ & _ & Sm). destruct (Sm p I) as [Lp Lx].
  unfold packet_ok. rewrite blocks_unroll. rewrite blocks_base in B. unfold shifted; cbn [round path items].
  rewrite map_length. repeat split; auto; try lia; try apply It.
  - destruct (items p) as [|x [|]]; try discriminate. repeat constructor. auto.
  - intros y Iy. apply in_map_iff in Iy. destruct Iy as (x & <- & Ix). cbn [block].
    apply named_below; auto.
Qed.

Lemma links_unroll : links_ok s'.
Proof.
  intros t u v. destruct shape as (_ & _ & HP & _).
  pose proof (uses_unroll r l t u v HP) as A. pose proof (uses_unroll r l t v u HP) as B. fold s' in A, B.
  destruct (links_folded (S (t mod P)) u v) as [F H].
  change (weight (on (folded r))) with (weight g) in *. change (weight (on s')) with (weight g).
  change (link (under (folded r))) with (link (under s)) in *. change (link (under s')) with (link (under s)).
  split; [lia|]. intro Hf. specialize (H Hf). lia.
Qed.

Lemma ports_unroll : ports_ok s'.
Proof.
  intro O. pose proof (ports_folded O) as H. destruct shape as (_ & _ & HP & _ & Rt & _).
  change (route (under s')) with (route (under s)). change (route (under (folded r))) with (route (under s)) in H.
  rewrite Rt in *. intros p' q' v Ip Iq E Vp Vq.
  apply in_unrolled in Ip, Iq. destruct Ip as (i & p & _ & Ip & _ & ->), Iq as (j & q & _ & Iq & _ & ->).
  cbn [shifted round path] in *.
  apply (H (Packet (S (round p mod P)) (path p) (items p)) (Packet (S (round q mod P)) (path q) (items q)) v); auto.
  - apply (in_map (fun p => Packet (S (round p mod P)) (path p) (items p))). auto.
  - apply (in_map (fun p => Packet (S (round p mod P)) (path p) (items p))). auto.
  - cbn [round]. f_equal. rewrite <- (Nat.mod_add (round p) i P), E, Nat.mod_add by lia. auto.
Qed.

Lemma relays_unroll : relays_ok s -> relays_ok s'.
Proof.
  intros H m' I. apply (in_unroll r shape l some) in I. destruct I as (i & m & Li & I & T & ->).
  destruct (H m I) as [A B]. unfold s'. change (on (unroll r l)) with g. cbn [shift what when from to adds].
  change (hop_rounds (under (unroll r l))) with (hop_rounds (under s)).
  (* A message of the same block is of the same group. *)
  assert (Same : forall x', In x' (messages (unroll r l)) -> what x' = named r l i (what m) ->
            exists x, In x (messages s) /\ what x = what m /\ x' = shift r l i x).
  { intros x' I' E. apply (in_unroll r shape l some) in I'. destruct I' as (j & x & _ & Ix & Tx & ->).
    destruct (named_inj r shape l some _ _ _ _ Tx T E) as [-> Eb]. eauto. }
  assert (There : forall a, In a (messages s) -> what a = what m -> In (shift r l i a) (messages (unroll r l))).
  { intros a Ia E. apply in_unroll; auto. exists i, a. rewrite E. auto. }
  split.
  - intro N. destruct (A N) as [Al (a & Ia & Ea & Ta & Wa & F)]. split.
    + rewrite (leaving_unroll r shape base_packets l some i) by auto. rewrite Nat.add_sub, Al. reflexivity.
    + exists (shift r l i a). repeat split; auto; [cbn; now rewrite Ea|cbn; lia|].
      intros x' I' E D W. destruct (Same x' I' E) as (x & Ix & Ex & ->). cbn [shift when from to] in *.
      specialize (F x Ix Ex D). lia.
  - intro Ad. destruct (B Ad) as [C D]. split; auto. intro N. destruct (D N) as (a & Ia & Ea & Ta & Wa & F).
    exists (shift r l i a). repeat split; auto; [cbn; now rewrite Ea|cbn; lia|].
    intros x' I' E Fr W. destruct (Same x' I' E) as (x & Ix & Ex & ->). cbn [shift when from to] in *.
    specialize (F x Ix Ex Fr). lia.
Qed.

Lemma stored_unroll : stored_ok s -> stored_ok s'.
Proof.
  intros [A B]. split.
  - intros m' I. apply (in_unroll r shape l some) in I. destruct I as (i & m & Li & I & T & ->).
    destruct (A m I) as [N H]. cbn [shift adds from what when]. split; auto.
    change (on s') with g. rewrite holds_named by auto.
    destruct H as [H|(m0 & I0 & E0 & T0 & W0)]; auto. right.
    exists (shift r l i m0). repeat split.
    + apply in_unroll; auto. exists i, m0. rewrite E0. auto.
    + cbn. now rewrite E0.
    + auto.
    + cbn. change (hop_rounds (under s')) with (hop_rounds (under s)). lia.
  - intros v b L W. rewrite blocks_unroll in L. change (on s') with g in *.
    destruct (named_all r shape l some b L) as (i & b0 & Li & L0 & T & ->).
    rewrite wants_named in W by auto. rewrite holds_named by auto.
    destruct (B v b0) as [H|(m & I & E & To)]; auto; [now rewrite blocks_base|]. right.
    exists (shift r l i m). repeat split; auto.
    + apply in_unroll; auto. exists i, m. rewrite E. auto.
    + cbn. now rewrite E.
Qed.

Lemma combined_unroll : combined_ok s -> combined_ok s'.
Proof.
  intros (A & B & C). pose proof base_packets as Q. split; [|split].
  - intros m' I. apply (in_unroll r shape l some) in I. destruct I as (i & m & Li & I & T & ->).
    destruct (A m I) as (H1 & H2 & H3 & H4). unfold s'. cbn [shift what when from to adds].
    rewrite !(has_unroll r shape l some i (what m)) by auto. rewrite Nat.add_sub.
    change (hop_rounds (under (unroll r l))) with (hop_rounds (under s)). repeat split; auto.
    + intros m0 I0 E0 T0 W0. apply (in_unroll r shape l some) in I0. destruct I0 as (j & m1 & Lj & I1 & T1 & ->).
      cbn [shift what when to] in *. destruct (named_inj r shape l some _ _ _ _ T1 T E0) as [-> Eb].
      specialize (H2 m1 I1 Eb T0). lia.
    + intro N. rewrite (arriving_unroll r shape Q l some i) by auto. rewrite Nat.add_sub, H4 by auto. reflexivity.
  - intros Ni b t v u Al. destruct (arriving s' b (S t) v) as [|m' ms] eqn:E.
    + cbn. destruct (part s' b t v u); cbn; lia.
    + assert (I : In m' (arriving s' b (S t) v)) by (rewrite E; cbn; auto). apply in_arriving in I.
      destruct I as (I & W & <- & <-). apply (in_unroll r shape l some) in I. destruct I as (i & m & Li & I & T & ->).
      rewrite <- E in *. clear E. unfold s' in *. cbn [shift what to when] in *.
      pose proof (when_base r Q m I). rewrite (arriving_unroll r shape Q l some i) in * by auto.
      replace (S t - i * P) with (S (t - i * P)) in * by lia.
      unfold s' in Ni. cbn [unroll aim] in Ni. rewrite idempotent_with in Ni.
      specialize (B Ni (what m) (t - i * P) (to m) u).
      rewrite map_map. change (fun x => from (shift r l i x)) with from.
      assert (F : forall w, part (unroll r l) (named r l i (what m)) t w u = part s (what m) (t - i * P) w u)
        by (intro w; now apply part_unroll).
      rewrite (filter_ext _ _ F). apply B. intros m0 I0. apply (Al (shift r l i m0)). now apply in_map.
  - intros v b L W u Mu. rewrite blocks_unroll in L. change (on s') with g in *.
    destruct (named_all r shape l some b L) as (i & b0 & Li & L0 & T & ->). unfold s' in *.
    rewrite wants_named in W by auto. rewrite (part_unroll r shape Q l some i) by auto.
    rewrite <- (C v b0) with (u := u); auto; [|now rewrite blocks_base].
    assert (G1 : forall m, In m (messages s) -> what m = b0 -> when m <= rounds (unroll r l) - i * P).
    { intros m I <-. pose proof (when_below (unroll r l) (shift r l i m)) as Wb.
      cbn [shift when] in Wb. enough (when m + i * P <= rounds (unroll r l)) by lia. apply Wb.
      apply in_unroll; auto. exists i, m. auto. }
    assert (G2 : forall m, In m (messages s) -> what m = b0 -> when m <= rounds s) by (intros; now apply when_below).
    destruct (Nat.le_ge_cases (rounds s) (rounds (unroll r l) - i * P)).
    + apply (part_stays r l some); auto.
    + symmetry. apply (part_stays r l some); auto.
Qed.

Lemma valid_unroll : valid s'.
Proof.
  destruct base_valid as (M & _ & _ & _ & (_ & R) & D).
  refine (conj M (conj goal_unroll (conj packets_unroll (conj links_unroll (conj _ _))))).
  { exact (conj ports_unroll (relays_unroll R)). }
  unfold s' at 1. cbn [unroll aim]. rewrite combines_with.
  destruct (combines c); [now apply combined_unroll|now apply stored_unroll].
Qed.

End Repeats.

Lemma repeats_okb_spec r : repeats_okb r = true <-> repeats_ok r.
Proof.
  unfold repeats_okb, repeats_ok, simpleb, simple. rewrite !andb_true_iff, !Nat.leb_le, Nat.eqb_eq, forallb_forall.
  assert (S : (forall p, In p (packets (base r)) -> (length (path p) =? 2) && (length (items p) =? 1) = true) <->
              (forall p, In p (packets (base r)) -> length (path p) = 2 /\ length (items p) = 1)).
  { split; intros H p I; specialize (H p I); rewrite ?andb_true_iff, ?Nat.eqb_eq in *; auto. }
  rewrite S. clear S.
  assert (R : match route (under (base r)) with StoreAndForward => true | Circuit => false end = true <->
              route (under (base r)) = StoreAndForward).
  { destruct (route _); intuition congruence. }
  rewrite R. clear R.
  assert (B : can_repeat (aim (base r)) = true ->
              (blocks (on (base r)) (aim (base r)) = owners (on (base r)) (aim (base r)) * share r <->
               aim (base r) = with_blocks (aim (base r)) (owners (on (base r)) (aim (base r)) * share r))).
  { destruct (aim (base r)); cbn; intros Rp; try discriminate; split; congruence. }
  tauto.
Qed.

(* What the checker holds a repeating schedule to. *)
Theorem check_repeating_correct : forall r,
  check_repeating r = true <-> repeats_ok r /\ valid (base r) /\ links_ok (folded r) /\ ports_ok (folded r).
Proof.
  intro r. unfold check_repeating. rewrite !andb_true_iff, repeats_okb_spec, check_correct, links_okb_spec.
  assert (Q : valid (base r) -> repeats_ok r -> forall p, In p (packets (folded r)) -> packet_ok (folded r) p).
  { intros V Sh p I. unfold folded in I; cbn [packets] in I. apply in_map_iff in I. destruct I as (q & <- & I).
    destruct V as (_ & _ & Pk & _). destruct (Pk q I) as (_ & H). unfold packet_ok. cbn. split; [lia|apply H]. }
  split.
  - intros (((S & V) & L) & O). rewrite ports_okb_spec in O by auto. auto.
  - intros (S & V & L & O). rewrite ports_okb_spec by auto. auto.
Qed.

(* And why that is enough for every length. *)
Theorem repeating_valid : forall r, check_repeating r = true -> forall l, 1 <= l -> valid (unroll r l).
Proof.
  intros r H l L. apply check_repeating_correct in H. destruct H as (S & V & Lk & Po). now apply valid_unroll.
Qed.
