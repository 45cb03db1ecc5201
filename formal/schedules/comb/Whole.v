(* SPDX-License-Identifier: MIT *)
(* The comb on the n x n mesh for n >= 32: what each link sends in each round is a valid gossip. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid comb.Trunks comb.Line comb.Path comb.Teeth comb.Tokens comb.Sizes
  comb.Quotas comb.Play comb.Moves.
Import ListNotations.

Section Whole.

Variables n m : nat.
Hypothesis big : 16 <= m.
Hypothesis n_is : n = 2 * m \/ n = 2 * m + 1.

Notation node := (node n).
(* A trunk token, else a spine token, else a tooth; a token is the node where it starts. *)
Definition send (t axis l k : nat) : option (bool * nat) :=
  if trunk n (trunk_parity axis l) k (S t)
  then if (k + S t) mod 2 =? trunk_parity axis l then Some (true, node axis l (k - S t))
       else Some (false, node axis l (k + t))
  else match pick m (spines n axis l) (delay l) (trunk n (trunk_parity axis l)) (over n m axis l t) t k with
       | Some x => Some (snd x <? k, node axis (fst x) (snd x))
       | None => match tooth n m axis l t k with
                 | Some (d, x) => Some (d, node (1 - axis) (fst x) (snd x))
                 | None => None
                 end
       end.

Notation there := (sends_there n (all_rounds n) send).

(* Node q of a line has the token by the end of round t. *)
Definition has_it (v s t : nat) : Prop :=
  v = s \/ exists t' axis l k d, t' < t /\ there t' axis l k d s /\ sink n axis l k d = v.

Lemma node_other axis l p : axis < 2 -> node (1 - axis) l p = node axis p l.
Proof. intro A. unfold Moves.node. destruct axis as [|[|axis]]; [| |lia]; reflexivity. Qed.

Lemma rounds_long : 2 * n <= all_rounds n.
Proof. unfold all_rounds. apply Nat.div_le_lower_bound; nia. Qed.

(* Lemma 1. *)
Lemma trunk_comes axis l p q t : axis < 2 -> l < n -> p < n -> q < n -> (l + p) mod 2 = axis ->
  (p - q) + (q - p) <= t -> has_it (node axis l q) (node axis l p) t.
Proof.
  intros A L P Q Par T. destruct (Nat.eq_dec p q) as [->|D]; [now left|]. right. pose proof rounds_long as Lo.
  assert (C : p mod 2 = trunk_parity axis l).
  { unfold trunk_parity. pose proof (mod_two p) as Mp. pose proof (mod_two l) as Ml.
    apply parity_of_sum in Par; [|lia]. destruct axis as [|[|axis]]; [| |lia]; cbn [Nat.eqb] in Par.
    - rewrite Nat.add_0_r. auto.
    - rewrite next_parity. lia. }
  destruct (Nat.lt_ge_cases p q) as [U|U].
  - exists (q - p - 1), axis, l, q, true. split; [lia|]. split; [|reflexivity].
    split; [lia|]. split; [auto|]. split; [auto|]. split; [lia|]. unfold send.
    assert (E : (q + S (q - p - 1)) mod 2 = trunk_parity axis l).
    { rewrite <- C. replace (q + S (q - p - 1)) with (p + (q - p) * 2) by lia. apply Nat.mod_add. lia. }
    unfold trunk. rewrite E, Nat.eqb_refl, (proj2 (Nat.leb_le _ _)) by lia.
    now replace (q - S (q - p - 1)) with p by lia.
  - exists (p - q - 1), axis, l, (S q), false. split; [lia|]. split; [|cbn; f_equal; lia].
    split; [lia|]. split; [auto|]. split; [auto|]. split; [lia|]. unfold send.
    assert (E : (S q + S (p - q - 1)) mod 2 <> trunk_parity axis l).
    { rewrite <- C. replace (S q + S (p - q - 1)) with (p + 1) by lia. rewrite next_parity. pose proof (mod_two p).
      lia. }
    unfold trunk. rewrite (proj2 (Nat.eqb_neq _ _) E), (proj2 (Nat.leb_le _ _)) by lia.
    now replace (S q + (p - q - 1)) with p by lia.
Qed.

Lemma over_when axis l t k x : over n m axis l t k x = true -> exists t', t' < t /\
  pick m (spines n axis l) (delay l) (trunk n (trunk_parity axis l)) (over n m axis l t') t' k = Some x.
Proof.
  unfold over. induction t as [|t IH]; cbn [Line.over]; intro H; [discriminate H|]. apply orb_true_iff in H.
  destruct H as [H|H].
  - destruct (IH H) as (t' & L & P). exists t'. split; [lia|exact P].
  - destruct (pick _ _ _ _ _ t k) as [y|] eqn:P; [|discriminate H]. apply same_eq in H. subst y. exists t.
    split; [lia|exact P].
Qed.

Lemma spine_token axis l x : In x (spines n axis l) ->
  fst x < n /\ snd x < n /\ (fst x + snd x) mod 2 = 1 - axis /\ spine_parity n axis (fst x) = l mod 2.
Proof.
  intro I. apply filter_In in I. destruct I as [I F]. apply in_square in I. unfold is_spine in F.
  rewrite andb_true_iff, !Nat.eqb_eq in F. tauto.
Qed.

(* What has arrived on a line is there. *)
Lemma arrived_has axis l q t x : axis < 2 -> l < n -> q < n -> t <= all_rounds n -> In x (spines n axis l) ->
  arrived (delay l) (over n m axis l t) t q x = true -> has_it (node axis l q) (node axis (fst x) (snd x)) t.
Proof.
  intros A L Q T I R. destruct (spine_token axis l x I) as (X & Y & P & _). unfold arrived in R.
  destruct (Nat.eqb_spec (snd x) q) as [E|E].
  - apply Nat.leb_le in R. unfold delay in R. rewrite <- !(node_other axis) by auto. rewrite E.
    apply trunk_comes; auto; try lia; rewrite <- E, Nat.add_comm; exact P.
  - right.
    assert (H : forall k, 1 <= k < n -> over n m axis l t k x = true -> (if snd x <? k then k else k - 1) = q ->
      exists t' axis0 l0 k0 d, t' < t /\ there t' axis0 l0 k0 d (node axis (fst x) (snd x)) /\
        sink n axis0 l0 k0 d = node axis l q).
    { intros k K O W. destruct (over_when _ _ _ _ _ O) as (t' & Lt & Pk).
      exists t', axis, l, k, (snd x <? k). split; auto. split.
      - split; [lia|]. split; [auto|]. split; [auto|]. split; [auto|]. unfold send.
        destruct (picked _ _ _ _ _ _ _ Pk) as (_ & B & _). rewrite B, Pk. reflexivity.
      - unfold sink. destruct (snd x <? k); now rewrite W. }
    destruct (Nat.ltb_spec (snd x) q) as [B|B].
    + apply (H q); auto; [lia|]. now rewrite (proj2 (Nat.ltb_lt _ _) B).
    + apply (H (S q)); auto; [lia|]. rewrite (proj2 (Nat.ltb_ge _ _)) by lia. lia.
Qed.

Lemma tooth_is axis l t k d x : axis < 2 -> tooth n m axis l t k = Some (d, x) ->
  1 <= k < n /\ In x (teeth n axis l (if d then k else k - 1)) /\ know n m axis l t (if d then k - 1 else k) x = true.
Proof. intros A H. apply tooth_some in H. destruct d; tauto. Qed.

Lemma tooth_token axis l j x : axis < 2 -> In x (teeth n axis l j) ->
  fst x < n /\ snd x < n /\ snd x <> l /\ (fst x + snd x) mod 2 = axis /\
  spine_parity n (1 - axis) (fst x) = 1 - j mod 2.
Proof.
  intros A I. apply filter_In in I. destruct I as [I F]. apply in_square in I. unfold is_tooth in F.
  rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_neq, Nat.eqb_eq in F. destruct F as ((F1 & F2) & F3).
  pose proof (spine_parity_lt n (1 - axis) (fst x)). pose proof (mod_two j). repeat (split; [tauto|]). lia.
Qed.

Lemma sends_what t axis l k d s : there t axis l k d s -> s < n * n /\ has_it (source n axis l k d) s t.
Proof.
  intros (T & A & L & K & E). unfold send in E.
  assert (Lt : forall a p, a < n -> p < n -> node axis a p < n * n) by (intros; apply node_lt; lia).
  destruct (trunk n (trunk_parity axis l) k (S t)) eqn:B.
  - unfold trunk in B. assert (Two : trunk_parity axis l < 2) by apply mod_two.
    destruct (Nat.eqb_spec ((k + S t) mod 2) (trunk_parity axis l)) as [C|C]; apply Nat.leb_le in B;
      injection E as <- <-; (split; [apply Lt; lia|]); cbn [source]; apply trunk_comes; auto; try lia.
    + replace (l + (k - S t)) with (l + (k - S t)) by lia. unfold trunk_parity in C.
      assert (D : (k - S t) mod 2 = (l + axis) mod 2).
      { rewrite <- C. replace (k + S t) with (k - S t + S t * 2) by lia. symmetry. apply Nat.mod_add. lia. }
      rewrite Nat.add_mod, D, <- Nat.add_mod by lia. replace (l + (l + axis)) with (axis + l * 2) by lia.
      rewrite Nat.mod_add by lia. apply Nat.mod_small. auto.
    + unfold trunk_parity in C. assert (D : (k + t) mod 2 = (l + axis) mod 2).
      { pose proof (next_parity (k + t)) as N. replace (k + t + 1) with (k + S t) in N by lia.
        pose proof (mod_two (k + t)). pose proof (mod_two (l + axis)). lia. }
      rewrite Nat.add_mod, D, <- Nat.add_mod by lia. replace (l + (l + axis)) with (axis + l * 2) by lia.
      rewrite Nat.mod_add by lia. apply Nat.mod_small. auto.
  - destruct (pick _ _ _ _ _ t k) as [x|] eqn:P.
    + injection E as <- <-. destruct (picked _ _ _ _ _ _ _ P) as (I & _ & W).
      destruct (spine_token axis l x I) as (X & Y & _). split; [now apply Lt|]. unfold waits_up, waits_down in W.
      rewrite !andb_true_iff, Nat.ltb_lt, Nat.leb_le in W. unfold source.
      destruct (Nat.ltb_spec (snd x) k) as [U|U]; destruct W as [W|W]; try lia; apply arrived_has; auto; try lia; tauto.
    + destruct (tooth n m axis l t k) as [[d' x]|] eqn:H; [|discriminate E].
      assert (d = d') as -> by congruence. assert (s = node (1 - axis) (fst x) (snd x)) as -> by congruence. clear E.
      destruct (tooth_is _ _ _ _ _ _ A H) as (_ & I & Kn). destruct (tooth_token _ _ _ _ A I) as (X & Y & Z & P2 & Sp).
      split; [rewrite node_other by auto; apply Lt; auto|].
      set (q := if d' then k - 1 else k) in *.
      replace (source n axis l k d') with (node (1 - axis) q l) by (rewrite node_other by auto; now destruct d').
      assert (Q : q < n) by (unfold q; destruct d'; lia).
      apply arrived_has; auto; try lia.
      apply filter_In. split; [apply in_square; auto|]. unfold is_spine. rewrite andb_true_iff, !Nat.eqb_eq.
      split; [lia|]. rewrite Sp. unfold q. pose proof (next_parity (k - 1)) as N.
      replace (k - 1 + 1) with k in N by lia.
      pose proof (mod_two (k - 1)). destruct d'; lia.
Qed.

(* Every node gets every token. *)
Lemma gets axis l j a p : axis < 2 -> l < n -> j < n -> a < n -> p < n -> (a + p) mod 2 = axis ->
  has_it (node axis l j) (node axis a p) (all_rounds n).
Proof.
  intros A L J Aa P Par. pose proof rounds_long as Lo. destruct (Nat.eq_dec a l) as [->|D].
  { apply trunk_comes; auto. lia. }
  assert (A' : 1 - axis < 2) by lia.
  pose proof (spine_parity_lt n (1 - axis) p) as Sl. pose proof (mod_two j) as Mj.
  destruct (Nat.eq_dec (spine_parity n (1 - axis) p) (j mod 2)) as [E|E].
  - rewrite <- !(node_other axis) by auto.
    change (node (1 - axis) p a) with (node (1 - axis) (fst (p, a)) (snd (p, a))).
    assert (I : In (p, a) (spines n (1 - axis) j)).
    { apply filter_In. split; [apply in_square; auto|]. unfold is_spine. cbn [fst snd].
      rewrite andb_true_iff, !Nat.eqb_eq. split; [rewrite Nat.add_comm; lia|auto]. }
    apply arrived_has; auto.
    assert (Th : forall k, 1 <= k < n -> over n m (1 - axis) j (all_rounds n) k (p, a) = true).
    { intros k K. apply all_through; auto. pose proof (quotas_room n m big n_is (1 - axis) j k A' J K) as R.
      pose proof (quota_good n m big n_is (1 - axis) j k A' J K) as G.
      destruct (_ =? good_parity _ _ _); lia. }
    unfold arrived. cbn [snd]. rewrite (proj2 (Nat.eqb_neq a l) D). destruct (Nat.ltb_spec a l); apply Th; lia.
  - right. assert (I : In (p, a) (teeth n axis l j)).
    { apply filter_In. split; [apply in_square; auto|]. unfold is_tooth. cbn [fst snd].
      rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_neq, Nat.eqb_eq. split; [split; [auto|]|auto].
      now rewrite Nat.add_comm. }
    destruct (line_gets n m big n_is axis l j (p, a) A L J I) as (t & T & H).
    assert (Send : forall k d, tooth n m axis l t k = Some (d, (p, a)) -> send t axis l k = Some (d, node axis a p)).
    { intros k d H'. unfold send. pose proof H' as H2. apply tooth_some in H2. destruct H2 as (_ & R & _).
      unfold rests, Path.rests in R. rewrite andb_true_iff, negb_true_iff in R. destruct R as [-> R].
      unfold over. destruct (pick _ _ _ _ _ t k); [discriminate R|]. rewrite H'. cbn [fst snd].
      now rewrite node_other by auto. }
    destruct H as [H|H]; destruct (tooth_is _ _ _ _ _ _ A H) as (K & _ & _).
    + exists t, axis, l, j, true. split; auto. split; [|reflexivity]. repeat (split; [auto|]). auto.
    + exists t, axis, l, (S j), false. split; auto. split; [|cbn; f_equal; lia]. repeat (split; [auto|]). auto.
Qed.

Definition comb_schedule : schedule := gossip_of n (all_rounds n) send.

Lemma node_of v : v < n * n -> exists l p, l < n /\ p < n /\ v = node 0 l p.
Proof.
  intro V. exists (v / n), (v mod n). split; [apply Nat.div_lt_upper_bound; lia|].
  split; [apply Nat.mod_upper_bound; lia|]. unfold Moves.node. cbn [Nat.eqb]. rewrite (Nat.div_mod v n) at 1 by lia.
  lia.
Qed.

Lemma comb_schedule_valid : valid comb_schedule.
Proof.
  apply gossip_valid; [lia| | |].
  - intros t axis l k d s H. now apply sends_what in H.
  - intros t axis l k d s H. apply sends_what in H. destruct H as [_ H]. exact H.
  - intros v s V S1. destruct (node_of v V) as (l & j & L & J & ->). destruct (node_of s S1) as (a & p & Aa & P & ->).
    assert (H : has_it (node 0 l j) (node 0 a p) (all_rounds n)).
    { pose proof (mod_two (a + p)) as Two. destruct (Nat.eq_dec ((a + p) mod 2) 0) as [E|E]; [apply gets; auto; lia|].
      change (node 0 l j) with (node 1 j l). change (node 0 a p) with (node 1 p a). apply gets; auto.
      rewrite Nat.add_comm. lia. }
    destruct H as [H|(t & axis & l' & k & d & _ & H & E)]; [now left|]. right. exists t, axis, l', k, d. auto.
Qed.

End Whole.
