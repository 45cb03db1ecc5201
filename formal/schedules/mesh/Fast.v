(* SPDX-License-Identifier: MIT *)
(* A fast checker of gossips on n x n meshes, half duplex, over binary numbers: what it accepts is valid. It is for the
   sizes at which the checker over unary numbers takes too long inside Coq. *)
From Coq Require Import List Arith NArith Bool Lia FMapPositive.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting bounds.Room torus.Translates mesh.Bound.
Import ListNotations.
Module P := PositiveMap.

(* From, to, token. *)
Definition hop : Type := N * (N * N).

Section Fast.

Variable n : N.
Hypothesis n_ok : (1 <= n)%N.
Local Notation all := (n * n)%N.
Local Notation k := (N.to_nat n).

Definition pair_key (a b : N) : positive := N.succ_pos (a * all + b).
Definition known (q : positive) (m : P.t unit) : bool := match P.find q m with Some _ => true | None => false end.

Definition linked (u v : N) : bool :=
  let lo := N.min u v in
  let hi := N.max u v in
  (hi =? lo + n)%N || (hi =? lo + 1)%N && negb (hi mod n =? 0)%N.

Definition link_key (m : hop) : positive := pair_key (N.min (fst m) (fst (snd m))) (N.max (fst m) (fst (snd m))).

Definition hop_fine (before used : P.t unit) (m : hop) : bool :=
  let '(u, (v, s)) := m in
  (u <? all)%N && (v <? all)%N && (s <? all)%N && linked u v && known (pair_key s u) before &&
  negb (known (link_key m) used).

Fixpoint fast_round (before now used : P.t unit) (l : list hop) : option (P.t unit) :=
  match l with
  | [] => Some now
  | m :: l =>
      if hop_fine before used m
      then fast_round before (P.add (pair_key (snd (snd m)) (fst (snd m))) tt now) (P.add (link_key m) tt used) l
      else None
  end.

Fixpoint fast_rounds (now : P.t unit) (l : list (list hop)) : option (P.t unit) :=
  match l with
  | [] => Some now
  | r :: l => match fast_round now now (P.empty unit) r with Some now => fast_rounds now l | None => None end
  end.

Definition range : list N := map N.of_nat (seq 0 (k * k)).
Definition at_first : P.t unit := fold_left (fun m s => P.add (pair_key s s) tt m) range (P.empty unit).

Definition fast (l : list (list hop)) : bool :=
  match fast_rounds at_first l with
  | Some last => forallb (fun s => forallb (fun v => known (pair_key s v) last) range) range
  | None => false
  end.

(* ---- what it stands for ---- *)

Definition packet_of (r : nat) (m : hop) : packet :=
  Packet r [N.to_nat (fst m); N.to_nat (fst (snd m))] [Item (N.to_nat (snd (snd m))) false].
Fixpoint packets_of (r : nat) (l : list (list hop)) : list packet :=
  match l with
  | [] => []
  | ms :: l => map (packet_of r) ms ++ packets_of (S r) l
  end.
Definition fast_schedule (l : list (list hop)) : schedule :=
  Schedule (mesh k k) (plain Half) (AllGather (k * k)) (packets_of 1 l).

Lemma known_add q q' m : known q (P.add q' tt m) = true -> q = q' \/ known q m = true.
Proof.
  unfold known. destruct (Pos.eq_dec q q') as [->|D]; auto. rewrite P.gso; auto.
Qed.

Lemma known_same q m : known q (P.add q tt m) = true.
Proof. unfold known. now rewrite P.gss. Qed.

Lemma known_other q q' m : known q m = true -> known q (P.add q' tt m) = true.
Proof.
  unfold known. destruct (Pos.eq_dec q q') as [->|D]; [now rewrite P.gss|]. now rewrite P.gso.
Qed.

Lemma pair_key_inj a b a' b' : (b < all)%N -> (b' < all)%N -> pair_key a b = pair_key a' b' -> a = a' /\ b = b'.
Proof.
  unfold pair_key. intros B B' E. assert (E' : (a * all + b = a' * all + b')%N).
  { apply N.succ_inj. rewrite <- !N.succ_pos_spec. now rewrite E. }
  assert (D : (all <> 0)%N) by lia.
  assert (Q : a = a'); [|subst; lia].
  destruct (N.lt_trichotomy a a') as [L|[L|L]]; auto; exfalso.
  - assert ((a + 1) * all <= a' * all)%N by (apply N.mul_le_mono_r; lia). lia.
  - assert ((a' + 1) * all <= a * all)%N by (apply N.mul_le_mono_r; lia). lia.
Qed.

(* A hop, as a round has it. *)
Definition fine (m : hop) : Prop :=
  (fst m < all)%N /\ (fst (snd m) < all)%N /\ (snd (snd m) < all)%N /\ linked (fst m) (fst (snd m)) = true.

Lemma round_sound l before : forall now used after, fast_round before now used l = Some after ->
  (forall m, In m l -> fine m /\ known (pair_key (snd (snd m)) (fst m)) before = true) /\
  NoDup (map link_key l) /\ (forall m, In m l -> known (link_key m) used = false) /\
  (forall q, known q after = true ->
     known q now = true \/ exists m, In m l /\ q = pair_key (snd (snd m)) (fst (snd m))).
Proof.
  induction l as [|[u [v s]] l IH]; intros now used after E; cbn [fast_round] in E.
  - injection E as <-. split; [intros m []|]. split; [constructor|]. split; [intros m []|auto].
  - destruct (hop_fine before used (u, (v, s))) eqn:F; [|discriminate E].
    destruct (IH _ _ _ E) as (A & N & U & K). clear IH E. unfold hop_fine in F.
    rewrite !andb_true_iff, !N.ltb_lt, negb_true_iff in F. destruct F as (((((Lu & Lv) & Ls) & Ll) & Kn) & Un).
    cbn [fst snd] in *. split; [|split; [|split]].
    + intros m [<-|I]; [|auto]. unfold fine. cbn [fst snd]. auto.
    + cbn [map]. constructor; auto. rewrite in_map_iff. intros (m & Q & I). specialize (U m I). rewrite Q in U.
      now rewrite known_same in U.
    + intros m [<-|I]; auto. specialize (U m I). destruct (known (link_key m) used) eqn:Q; auto.
      now rewrite (known_other _ _ _ Q) in U.
    + intros q Q. destruct (K q Q) as [H|(m & I & H)].
      * apply known_add in H. destruct H as [->|H]; auto. right. exists (u, (v, s)). cbn. auto.
      * right. exists m. cbn. auto.
Qed.

Lemma in_packets_of l r p : In p (packets_of r l) -> r <= round p.
Proof.
  revert r. induction l as [|ms l IH]; intros r I; [destruct I|]. cbn in I. apply in_app_iff in I. destruct I as [I|I].
  - apply in_map_iff in I. destruct I as (m & <- & _). cbn. auto.
  - apply IH in I. lia.
Qed.

Definition comes_before (ps : list packet) (r : nat) (u s : N) : Prop :=
  exists r' m, r' < r /\ In (packet_of r' m) ps /\ fst (snd m) = u /\ snd (snd m) = s.

Lemma rounds_sound l : forall now r after, fast_rounds now l = Some after ->
  (forall p, In p (packets_of r l) -> exists m, p = packet_of (round p) m /\ fine m /\
     (known (pair_key (snd (snd m)) (fst m)) now = true \/
      comes_before (packets_of r l) (round p) (fst m) (snd (snd m)))) /\
  (forall q, known q after = true -> known q now = true \/
     exists r' m, In (packet_of r' m) (packets_of r l) /\ fine m /\ q = pair_key (snd (snd m)) (fst (snd m))).
Proof.
  induction l as [|ms l IH]; intros now r after E; cbn [fast_rounds] in E.
  - injection E as <-. split; [intros p []|auto].
  - destruct (fast_round now now (P.empty unit) ms) as [next|] eqn:F; [|discriminate E].
    destruct (round_sound ms now _ _ _ F) as (A & _ & _ & K). destruct (IH _ (S r) _ E) as (C & D). clear IH E F.
    cbn [packets_of]. split.
    + intros p I. apply in_app_iff in I. destruct I as [I|I].
      * apply in_map_iff in I. destruct I as (m & <- & I). destruct (A m I) as [Fm Kn]. exists m.
        split; [reflexivity|]. split; auto.
      * destruct (C p I) as (m & Q & Fm & H). exists m. split; auto. split; auto.
        destruct H as [H|(r' & m' & L & J & X)].
        -- apply K in H. destruct H as [H|(m' & J & X)]; auto. right. destruct (A m' J) as [Fm' _].
           pose proof (in_packets_of _ _ _ I). exists r, m'. repeat split; [lia| | |].
           ++ apply in_app_iff. left. now apply in_map.
           ++ symmetry. destruct Fm, Fm' as (? & ? & ? & ?). now apply (pair_key_inj _ _ _ _) in X.
           ++ symmetry. destruct Fm, Fm' as (? & ? & ? & ?). now apply (pair_key_inj _ _ _ _) in X.
        -- right. exists r', m'. repeat split; try tauto. apply in_app_iff. auto.
    + intros q Q. destruct (D q Q) as [H|(r' & m & J & X)].
      * apply K in H. destruct H as [H|(m & J & X)]; auto. right. exists r, m. destruct (A m J) as [Fm _].
        split; [|auto]. apply in_app_iff. left. now apply in_map.
      * right. exists r', m. split; [|tauto]. apply in_app_iff. tauto.
Qed.

Definition packet_link (p : packet) : positive :=
  pair_key (N.min (N.of_nat (origin p)) (N.of_nat (target p))) (N.max (N.of_nat (origin p)) (N.of_nat (target p))).

Lemma links_once l : forall now r after t, fast_rounds now l = Some after ->
  NoDup (map packet_link (filter (fun p => round p =? t) (packets_of r l))).
Proof.
  induction l as [|ms l IH]; intros now r after t E; cbn [fast_rounds] in E; [constructor|].
  destruct (fast_round now now (P.empty unit) ms) as [next|] eqn:F; [|discriminate E].
  destruct (round_sound ms now _ _ _ F) as (_ & N & _ & _). cbn [packets_of]. rewrite filter_app, map_app.
  destruct (Nat.eq_dec r t) as [->|D].
  - replace (filter _ (packets_of (S t) l)) with (@nil packet).
    + rewrite app_nil_r, filter_true.
      * rewrite map_map. rewrite (map_ext _ link_key); auto. intros [u [v s]]. unfold packet_link, link_key. cbn.
        now rewrite !N2Nat.id.
      * intros p I. apply in_map_iff in I. destruct I as (m & <- & _). apply Nat.eqb_refl.
    + assert (H : forall p, In p (packets_of (S t) l) -> (round p =? t) = false).
      { intros p I. apply in_packets_of in I. apply Nat.eqb_neq. lia. }
      induction (packets_of (S t) l) as [|p ps IHp]; auto. cbn. rewrite H by (cbn; auto). apply IHp. intros. apply H.
      cbn. auto.
  - replace (filter _ (map (packet_of r) ms)) with (@nil packet); [now apply (IH next (S r) after)|].
    clear - D. induction ms as [|m ms IHm]; auto. cbn. now rewrite (proj2 (Nat.eqb_neq r t) D).
Qed.

Lemma linked_weight u v : (u < all)%N -> (v < all)%N -> linked u v = true ->
  weight (mesh k k) (N.to_nat u) (N.to_nat v) = 1 /\ u <> v.
Proof.
  intros U V L. assert (W : forall lo hi, (lo < all)%N -> (hi < all)%N ->
    ((hi =? lo + n)%N || (hi =? lo + 1)%N && negb (hi mod n =? 0)%N) = true ->
    weight (mesh k k) (N.to_nat lo) (N.to_nat hi) = 1).
  { clear. intros lo hi Lo Hi H. cbn [weight mesh]. unfold next_to.
    rewrite <- !N2Nat.inj_div, <- !N2Nat.inj_mod. apply orb_true_iff in H. destruct H as [H|H].
    - apply N.eqb_eq in H. subst hi.
      assert (D : ((lo + n) / n = lo / n + 1)%N).
      { replace (lo + n)%N with (lo + 1 * n)%N by lia. apply N.div_add. lia. }
      assert (M : ((lo + n) mod n = lo mod n)%N).
      { replace (lo + n)%N with (lo + 1 * n)%N by lia. apply N.mod_add. lia. }
      rewrite D, M, Nat.eqb_refl. replace (N.to_nat (lo / n + 1)) with (S (N.to_nat (lo / n))) by lia.
      rewrite Nat.eqb_refl. rewrite !orb_true_r. reflexivity.
    - rewrite andb_true_iff, N.eqb_eq, negb_true_iff, N.eqb_neq in H. destruct H as [-> H].
      assert (Z : (n <> 0)%N) by lia.
      pose proof (N.div_mod lo n Z) as E. pose proof (N.mod_lt lo n Z) as B.
      assert (S1 : (lo mod n + 1 < n)%N).
      { destruct (N.lt_ge_cases (lo mod n + 1) n) as [Q|Q]; auto. exfalso. apply H.
        replace (lo + 1)%N with (0 + (lo / n + 1) * n)%N by lia. rewrite N.mod_add by auto. now apply N.mod_0_l. }
      assert (D : ((lo + 1) / n = lo / n)%N).
      { symmetry. apply (N.div_unique _ _ _ (lo mod n + 1)); lia. }
      assert (M : ((lo + 1) mod n = lo mod n + 1)%N).
      { symmetry. apply (N.mod_unique _ _ (lo / n)); lia. }
      rewrite D, M, Nat.eqb_refl. replace (N.to_nat (lo mod n + 1)) with (S (N.to_nat (lo mod n))) by lia.
      rewrite Nat.eqb_refl. now rewrite !orb_true_r. }
  unfold linked in L. destruct (N.le_ge_cases u v) as [Q|Q].
  - rewrite N.min_l, N.max_r in L by auto. split; [now apply W|]. intros ->.
    rewrite orb_true_iff, andb_true_iff, !N.eqb_eq in L. lia.
  - rewrite N.min_r, N.max_l in L by auto. split; [rewrite mesh_symmetric; now apply W|]. intros ->.
    rewrite orb_true_iff, andb_true_iff, !N.eqb_eq in L. lia.
Qed.

Lemma in_range s : In s range <-> (s < all)%N.
Proof.
  unfold range. rewrite in_map_iff. split.
  - intros (x & <- & I). apply in_seq in I. lia.
  - intro L. exists (N.to_nat s). rewrite N2Nat.id. split; auto. apply in_seq. lia.
Qed.

Lemma known_at_first q : known q at_first = true -> exists s, (s < all)%N /\ q = pair_key s s.
Proof.
  unfold at_first. assert (H : forall l m, known q (fold_left (fun m s => P.add (pair_key s s) tt m) l m) = true ->
    known q m = true \/ exists s, In s l /\ q = pair_key s s).
  { induction l as [|s l IH]; intros m Q; auto. cbn in Q. apply IH in Q. destruct Q as [Q|(x & I & Q)].
    - apply known_add in Q. destruct Q as [->|Q]; auto. right. exists s. cbn. auto.
    - right. exists x. cbn. auto. }
  intro Q. apply H in Q. destruct Q as [Q|(s & I & Q)].
  - unfold known in Q. rewrite P.gempty in Q. discriminate Q.
  - exists s. split; auto. now apply in_range.
Qed.

Lemma mesh_holds v b : v < k * k -> b < k * k -> holds (mesh k k) (AllGather (k * k)) v b = (b =? v).
Proof.
  intros V B. assert (M : forall u, member (mesh k k) u = (u <? k * k)) by (intro; apply andb_true_r).
  unfold holds, owner. rewrite mesh_size, M, (proj2 (Nat.ltb_lt _ _) V) by lia. rewrite Nat.div_mul by lia.
  unfold rank. rewrite filter_true, seq_length; auto. intros u I. apply in_seq in I. rewrite M. apply Nat.ltb_lt. lia.
Qed.

Lemma once {A} (f : A -> positive) (test : A -> bool) q l :
  NoDup (map f l) -> (forall a, In a l -> test a = true -> f a = q) -> length (filter test l) <= 1.
Proof.
  intros N H. destruct (filter test l) as [|a [|b r]] eqn:E; cbn; auto. exfalso.
  assert (D : NoDup (map f (filter test l))).
  { clear - N. induction l as [|a l IH]; cbn; [constructor|]. inversion N; subst. destruct (test a); cbn; auto.
    constructor; auto. rewrite in_map_iff in *. intros (x & Q & I). apply filter_In in I. apply H1. exists x. tauto. }
  assert (F : forall x, In x (filter test l) -> f x = q).
  { intros x I. apply filter_In in I. now apply H. }
  rewrite E in *. cbn in D. inversion D as [|? ? Na _]. apply Na. left.
  rewrite (F a), (F b) by (cbn; auto). reflexivity.
Qed.

Theorem fast_valid : forall l, fast l = true -> valid (fast_schedule l).
Proof.
  intros l F. unfold fast in F. destruct (fast_rounds at_first l) as [last|] eqn:E; [|discriminate F].
  destruct (rounds_sound l _ 1 _ E) as [C D]. set (s := fast_schedule l).
  assert (K1 : 1 <= k) by lia.
  assert (Kk : N.to_nat all = k * k) by lia.
  assert (Shape : forall p, In p (packets s) -> exists r m, p = packet_of r m /\ fine m).
  { intros p I. destruct (C p I) as (m & Q & Fm & _). eauto. }
  split; [split; cbn; lia|]. split; [split; [cbn; nia|]|].
  { change ((k * k) mod size (mesh k k) = 0). rewrite mesh_size by lia. apply Nat.mod_same. nia. }
  split.
  { intros p I. pose proof (in_packets_of _ _ _ I) as R. destruct (Shape p I) as (r & m & -> & Lu & Lv & Ls & Ll).
    destruct (linked_weight _ _ Lu Lv Ll) as [_ Ne]. unfold packet_ok. cbn [round packet_of path items] in *.
    split; [lia|]. split; [cbn; lia|]. split; [repeat constructor; cbn; intuition lia|].
    split; [intros v [<-|[<-|[]]]; cbn; lia|]. split; [auto|]. split; [cbn; lia|].
    split; [repeat constructor; cbn; auto|]. intros i [<-|[]]. cbn. lia. }
  split.
  { intros r u v. change (on s) with (mesh k k).
    set (L := in_round s r). pose proof (links_once l _ 1 _ r E) as N. change (NoDup (map packet_link L)) in N.
    assert (Us : forall a b, uses s r a b = length (filter (fun p => (origin p =? a) && (target p =? b)) L)).
    { intros a b. unfold uses. fold L. assert (Sh : forall p, In p L -> exists r m, p = packet_of r m).
      { intros p I. unfold L, in_round in I. apply filter_In in I. destruct (Shape p (proj1 I)) as (r' & m & Q & _).
        eauto. }
      clear - Sh. induction L as [|p ps IH]; auto. destruct (Sh p (or_introl eq_refl)) as (r' & m & ->).
      specialize (IH (fun q I => Sh q (or_intror I))).
      cbn [flat_map filter packet_of path hops app origin target hd last].
      cbn [count_occ]. rewrite IH. unfold origin, target. cbn [path packet_of hd last].
      destruct (hop_dec _ _) as [Q|Q].
      - injection Q as -> ->. now rewrite !Nat.eqb_refl.
      - destruct (Nat.eqb_spec (N.to_nat (fst m)) a), (Nat.eqb_spec (N.to_nat (fst (snd m))) b); subst; auto.
        congruence. }
    assert (W : forall a b, 1 <= uses s r a b -> weight (mesh k k) a b = 1 /\ a <> b).
    { intros a b H. rewrite Us in H.
      destruct (filter (fun p => (origin p =? a) && (target p =? b)) L) as [|p ps] eqn:Q; [cbn in H; lia|].
      assert (I : In p (filter (fun p => (origin p =? a) && (target p =? b)) L)) by (rewrite Q; cbn; auto).
      apply filter_In in I. destruct I as [I T]. unfold L, in_round in I. apply filter_In in I.
      destruct (Shape p (proj1 I)) as (r' & m & -> & Lu & Lv & Ls & Ll). rewrite andb_true_iff, !Nat.eqb_eq in T.
      unfold origin, target in T. cbn in T. destruct T as [<- <-].
      destruct (linked_weight _ _ Lu Lv Ll) as [X Ne]. split; auto. lia. }
    assert (T : uses s r u v + uses s r v u <= 1 \/ u = v).
    { destruct (Nat.eq_dec u v) as [|Ne]; auto. left. rewrite !Us.
      pose proof (once packet_link (fun p => (origin p =? u) && (target p =? v) || (origin p =? v) && (target p =? u))
        (pair_key (N.min (N.of_nat u) (N.of_nat v)) (N.max (N.of_nat u) (N.of_nat v))) L N) as O.
      assert (Q : length (filter (fun p => (origin p =? u) && (target p =? v)) L) +
                  length (filter (fun p => (origin p =? v) && (target p =? u)) L) <=
                  length (filter (fun p => (origin p =? u) && (target p =? v) || (origin p =? v) && (target p =? u))
                    L)).
      { rewrite !length_filter, <- sum_plus. apply sum_le. intros p _.
        destruct (Nat.eqb_spec (origin p) u), (Nat.eqb_spec (target p) v), (Nat.eqb_spec (origin p) v),
          (Nat.eqb_spec (target p) u); cbn; lia. }
      eapply Nat.le_trans; [exact Q|]. apply O. intros p _ X. unfold packet_link.
      apply orb_true_iff in X. rewrite !andb_true_iff, !Nat.eqb_eq in X. destruct X as [[-> ->]|[-> ->]]; auto.
      now rewrite N.min_comm, N.max_comm. }
    assert (Sy : weight (mesh k k) v u = weight (mesh k k) u v) by apply mesh_symmetric.
    pose proof (W u v) as W1. pose proof (W v u) as W2. rewrite Sy in *.
    assert (G : uses s r u v + uses s r v u <= weight (mesh k k) u v).
    { destruct (Nat.eq_dec (uses s r u v) 0) as [Z|Z]; [destruct (Nat.eq_dec (uses s r v u) 0) as [Z'|Z']|].
      - lia.
      - destruct W2 as [-> Ne]; [lia|]. destruct T as [T|T]; [lia|congruence].
      - destruct W1 as [-> Ne]; [lia|]. destruct T as [T|T]; [lia|congruence]. }
    split; [lia|]. intros _. lia. }
  split; [split; [intro H; discriminate H|now apply relays_none]|]. cbn [combines aim s fast_schedule]. split.
  - intros x I. apply in_flat_map in I. destruct I as (p & Ip & I).
    destruct (C p Ip) as (m & Q & (Lu & Lv & Ls & Ll) & H).
    rewrite Q in I. destruct I as [<-|[]]. split; [reflexivity|]. cbn [from what when to].
    change (origin (packet_of (round p) m)) with (N.to_nat (fst m)).
    change (block _) with (N.to_nat (snd (snd m))).
    destruct H as [H|(r' & m' & L & J & X & Y)].
    + left. apply known_at_first in H. destruct H as (z & Lz & H). apply pair_key_inj in H; auto. destruct H as [Hs Hu].
      change (on s) with (mesh k k). change (aim s) with (AllGather (k * k)). rewrite Hs, Hu.
      rewrite mesh_holds by lia. apply Nat.eqb_refl.
    + right. exists (Message r' (N.to_nat (snd (snd m'))) (N.to_nat (fst m')) (N.to_nat (fst (snd m'))) false).
      repeat split.
      * apply in_flat_map. exists (packet_of r' m'). split; auto. cbn. auto.
      * cbn. now rewrite Y.
      * cbn. now rewrite X.
      * cbn. cbn in L. lia.
  - intros v b B Wa. change (blocks (on s) (aim s)) with (k * k) in B. change (on s) with (mesh k k) in *.
    change (aim s) with (AllGather (k * k)) in *.
    assert (V : v < k * k) by (unfold wants, member in Wa; rewrite !andb_true_iff, Nat.ltb_lt in Wa; apply Wa).
    rewrite forallb_forall in F. specialize (F (N.of_nat b) ltac:(apply in_range; lia)).
    rewrite forallb_forall in F. specialize (F (N.of_nat v) ltac:(apply in_range; lia)).
    destruct (D _ F) as [H|(r' & m & J & (Lu & Lv & Ls & _) & X)].
    + left. apply known_at_first in H. destruct H as (z & Lz & H). apply pair_key_inj in H; try lia.
      rewrite mesh_holds by auto. apply Nat.eqb_eq. lia.
    + right. apply pair_key_inj in X; try lia. destruct X as [X Y].
      exists (Message r' (N.to_nat (snd (snd m))) (N.to_nat (fst m)) (N.to_nat (fst (snd m))) false). repeat split.
      * apply in_flat_map. exists (packet_of r' m). split; auto. cbn. auto.
      * cbn. lia.
      * cbn. lia.
Qed.

End Fast.
