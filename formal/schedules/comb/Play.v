(* SPDX-License-Identifier: MIT *)
(* The comb on the n x n mesh, n >= 32: each line with its path tokens and its teeth. Lemma 7, and that every position
   gets all its teeth. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import bounds.Counting comb.Trunks comb.Line comb.Path comb.Teeth comb.Tokens comb.Sizes
  comb.Quotas.
Import ListNotations.

Lemma mod_two a : a mod 2 < 2.
Proof. apply Nat.mod_upper_bound. lia. Qed.

Lemma next_parity a : (a + 1) mod 2 = 1 - a mod 2.
Proof.
  rewrite Nat.add_mod by lia. pose proof (mod_two a). assert (C : a mod 2 = 0 \/ a mod 2 = 1) by lia.
  destruct C as [-> | ->]; reflexivity.
Qed.

Lemma parity_of_sum a b r : (a + b) mod 2 = r -> r < 2 -> if r =? 0 then a mod 2 = b mod 2 else a mod 2 = 1 - b mod 2.
Proof.
  intros E R. rewrite Nat.add_mod in E by lia. pose proof (mod_two a). pose proof (mod_two b).
  assert (C : a mod 2 = 0 \/ a mod 2 = 1) by lia. assert (D : b mod 2 = 0 \/ b mod 2 = 1) by lia.
  destruct C as [C|C], D as [D|D]; rewrite C, D in *; cbn in E; subst r; cbn; lia.
Qed.

Section Play.

Variables n m : nat.
Hypothesis big : 16 <= m.
Hypothesis n_is : n = 2 * m \/ n = 2 * m + 1.

Definition over (axis l : nat) : nat -> nat -> token -> bool :=
  Line.over m (spines n axis l) (delay l) (trunk n (trunk_parity axis l)).
Definition rests (axis l : nat) : nat -> nat -> bool :=
  Path.rests n m (trunk_parity axis l) (spines n axis l) (delay l).
(* Spine tokens of the crossing line at a position, as far as they are known where it crosses line l. *)
Definition know (axis l t q : nat) (x : token) : bool := arrived (delay q) (over (1 - axis) q t) t l x.
Definition tooth (axis l : nat) : nat -> nat -> option (bool * token) :=
  tooth_at n (rests axis l) (know axis l) (teeth n axis l) (quota_below n m axis l) (quota_above n m axis l).

Lemma parity_lt axis l : trunk_parity axis l < 2.
Proof. apply Nat.mod_upper_bound. lia. Qed.

Lemma line_rich axis l : axis < 2 -> l < n ->
  (forall p t, p < n -> p mod 2 = rich_parity n axis l mod 2 ->
     min m (1 + t / 2) <= entered (spines n axis l) (delay l) p t) \/
  n = 2 * m + 1 /\ (forall p t, p < n -> p mod 2 = rich_parity n axis l mod 2 ->
     min m ((t + 1) / 2) <= entered (spines n axis l) (delay l) p t).
Proof.
  intros A L. destruct axis as [|[|axis]]; [| |lia].
  - left. intros p t. apply (rich_even n m); auto.
  - destruct n_is as [N|N].
    + left. intros p t. apply (rich_even n m); auto.
    + right. split; auto. intros p t. apply (rich_odd n m); auto.
Qed.

Lemma line_paths axis l : axis < 2 -> l < n ->
  path_tokens n (trunk_parity axis l) (spines n axis l) = paths n m axis l.
Proof. apply paths_are; auto. Qed.

(* Of any line, and its rounds without a path token. *)
Section OneLine.
Variables axis l : nat.
Hypothesis axis_ok : axis < 2.
Hypothesis line_ok : l < n.
Local Notation idle := (rested (rests axis l)).

Lemma idle_early k t : 1 <= k < n -> t <= n - 1 -> idle k t = 0.
Proof.
  apply (rested_early n m (trunk_parity axis l) big n_is (parity_lt axis l) (spines n axis l)
    (spines_once n axis l) (delay l) (fun x => spines_inside n axis l x line_ok) (rich_parity n axis l)
    (line_rich axis l axis_ok line_ok)).
Qed.

Lemma idle_ever k t : 1 <= k < n -> t <= paths n m axis l + (m - 1) -> idle k t <= m - 1.
Proof.
  rewrite <- line_paths by auto.
  apply (rested_ever n m (trunk_parity axis l) big n_is (parity_lt axis l) (spines n axis l)
    (spines_once n axis l) (delay l) (fun x => spines_inside n axis l x line_ok) (rich_parity n axis l)
    (line_rich axis l axis_ok line_ok)).
Qed.

Lemma idle_late k t : 1 <= k < n -> t <= 4 * m + 3 -> idle k t <= 8 - min k (n - k).
Proof.
  apply (rested_late n m (trunk_parity axis l) big n_is (parity_lt axis l) (spines n axis l)
    (spines_once n axis l) (delay l) (fun x => spines_inside n axis l x line_ok) (rich_parity n axis l)
    (line_rich axis l axis_ok line_ok)).
Qed.

Lemma idle_enough k t : 1 <= k < n -> t <= idle k t + paths n m axis l.
Proof.
  rewrite <- line_paths by auto.
  apply (rested_enough n m (trunk_parity axis l) big n_is (parity_lt axis l) (spines n axis l)
    (spines_once n axis l) (delay l) (fun x => spines_inside n axis l x line_ok) (rich_parity n axis l)
    (line_rich axis l axis_ok line_ok)).
Qed.

Lemma all_through k t x : 1 <= k < n -> paths n m axis l + (m - 1) <= t -> In x (spines n axis l) ->
  over axis l t k x = true.
Proof.
  rewrite <- line_paths by auto.
  apply (spines_done n m (trunk_parity axis l) big n_is (parity_lt axis l) (spines n axis l)
    (spines_once n axis l) (delay l) (fun x => spines_inside n axis l x line_ok) (rich_parity n axis l)
    (line_rich axis l axis_ok line_ok)).
Qed.

Lemma known_at k q t : 1 <= k < n -> q = k \/ k = S q ->
  t <= idle k t + trunk_tokens n (trunk_parity axis l) +
    count (spines n axis l) (fun x => negb (snd x =? q) && arrived (delay l) (over axis l t) t q x) +
    count (spines n axis l) (fun x => snd x =? q).
Proof.
  apply (known_there n m (trunk_parity axis l) big n_is (parity_lt axis l) (spines n axis l)
    (spines_once n axis l) (delay l) (fun x => spines_inside n axis l x line_ok) (rich_parity n axis l)
    (line_rich axis l axis_ok line_ok)).
Qed.

Lemma idle_step k t : idle k (S t) <= S (idle k t).
Proof. clear. cbn [rested]. destruct (rests axis l k t); lia. Qed.

Lemma idle_since k t : 1 <= k < n -> idle k t <= t - (n - 1).
Proof.
  intro K. induction t as [|t IH]; [cbn; lia|].
  destruct (Nat.le_gt_cases (S t) (n - 1)) as [L|L]; [rewrite idle_early by auto; lia|].
  pose proof (idle_step k t). lia.
Qed.

End OneLine.

(* ---- what a good end knows ---- *)

Lemma count_filter f g (s : list token) : count (filter f s) g = count s (fun x => f x && g x).
Proof.
  unfold count. induction s as [|x s IH]; auto. cbn. destruct (f x); cbn; auto. destruct (g x); cbn; now rewrite IH.
Qed.

Lemma knows_teeth axis l q j t : axis < 2 -> q mod 2 <> j mod 2 ->
  count (spines n (1 - axis) q) (fun x => negb (snd x =? l) && know axis l t q x) <=
  count (teeth n axis l j) (know axis l t q).
Proof.
  intros A D. unfold spines, teeth. rewrite !count_filter. apply count_le. intros x _.
  unfold is_spine, is_tooth. rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_eq, !Nat.eqb_neq.
  intros ((P & Q) & Z & K). split; [|exact K]. split; [|congruence]. split; [exact Z|]. lia.
Qed.

(* What the good end has from its trunk tokens and its own entries, and can't use. *)
Lemma no_use axis l q : axis < 2 -> l < n -> q < n -> q mod 2 = good_parity n axis l ->
  trunk_tokens n (trunk_parity (1 - axis) q) + count (spines n (1 - axis) q) (fun x => snd x =? l) <= n - m.
Proof.
  intros A L Q G. unfold good_parity in G. unfold trunk_tokens, trunk_parity. pose proof (mod_two l) as Ml.
  assert (None : (forall x, In x (spines n (1 - axis) q) -> snd x <> l) ->
    count (spines n (1 - axis) q) (fun x => snd x =? l) = 0).
  { intro H. apply count_none. intros x I. apply Nat.eqb_neq. auto. }
  assert (Is : forall x, In x (spines n (1 - axis) q) -> snd x = l ->
    fst x < n /\ (fst x + l) mod 2 = 1 - (1 - axis) /\ spine_parity n (1 - axis) (fst x) = q mod 2).
  { intros x I E. apply filter_In in I. destruct I as [I F]. apply in_square in I. unfold is_spine in F.
    rewrite andb_true_iff, !Nat.eqb_eq, E in F. tauto. }
  destruct axis as [|[|axis]]; [| |lia]; cbn [Nat.sub] in *; cbn [Nat.eqb andb] in G.
  - destruct n_is as [N|N].
    + destruct (half_even n m big n_is N) as (Z & H0 & H1). rewrite Z in G. cbn [Nat.eqb] in G. rewrite None.
      * rewrite next_parity. pose proof (mod_two q). assert (C : q mod 2 = 0 \/ q mod 2 = 1) by lia.
        destruct C as [-> | ->]; cbn [Nat.sub]; lia.
      * intros x I E. destruct (Is x I E) as (_ & P & S1). apply (parity_of_sum _ _ 0) in P; [|lia].
        cbn [Nat.eqb] in P. unfold spine_parity in S1. rewrite Z in S1. cbn [Nat.eqb orb] in S1.
        rewrite next_parity in G. lia.
    + destruct (half_odd n m big n_is N) as (Z & H0 & H1). rewrite Z in G. cbn [Nat.eqb] in G. rewrite next_parity, G.
      assert (C : l mod 2 = 0 \/ l mod 2 = 1) by lia. destruct C as [C|C]; rewrite C; cbn [Nat.sub].
      * rewrite H1. assert (W : count (spines n 1 q) (fun x => snd x =? l) <= length [(0, l)]); [|cbn in W; lia].
        apply NoDup_incl_length; [apply NoDup_filter, spines_once|]. intros x I. apply filter_In in I.
        destruct I as [I E]. apply Nat.eqb_eq in E. destruct (Is x I E) as (_ & P & S1).
        apply (parity_of_sum _ _ 0) in P; [|lia]. cbn [Nat.eqb] in P. unfold spine_parity in S1. rewrite Z in S1.
        cbn [Nat.eqb orb] in S1. destruct (Nat.eqb_spec (fst x) 0) as [F|F].
        -- left. destruct x. cbn in *. now subst.
        -- lia.
      * replace (n + 1 - 0) with (n + 1) in * by lia. rewrite None; [lia|]. intros x I E.
        destruct (Is x I E) as (_ & P & S1). apply (parity_of_sum _ _ 0) in P; [|lia]. cbn [Nat.eqb] in P.
        unfold spine_parity in S1. rewrite Z in S1. cbn [Nat.eqb orb] in S1.
        destruct (Nat.eqb_spec (fst x) 0) as [F|F]; [rewrite F in P; cbn in P|]; lia.
  - rewrite None.
    + rewrite Nat.add_0_r, Nat.add_0_r. pose proof (mod_two q). assert (C : q mod 2 = 0 \/ q mod 2 = 1) by lia.
      destruct n_is as [N|N].
      * destruct (half_even n m big n_is N) as (_ & H0 & H1). destruct C as [-> | ->]; lia.
      * destruct (half_odd n m big n_is N) as (_ & H0 & H1). destruct C as [-> | ->]; lia.
    + intros x I E. destruct (Is x I E) as (_ & P & S1). apply (parity_of_sum _ _ 1) in P; [|lia].
      cbn [Nat.eqb] in P. unfold spine_parity in S1. cbn [Nat.eqb] in S1. lia.
Qed.

Definition most_paths : nat := if n mod 2 =? 0 then m * m + m else (m + 1) * (m + 1).
Definition spines_end : nat := most_paths + (m - 1).

Lemma most_paths_are axis l : paths n m axis l <= most_paths <= paths n m axis l + 1.
Proof.
  unfold paths, most_paths. destruct (n mod 2 =? 0); [lia|].
  destruct ((axis =? 0) && (l mod 2 =? 1)); nia.
Qed.

Lemma two_links k k' r1 r2 : 32 <= n -> 1 <= k < n -> 1 <= k' < n -> k' = S k \/ k = S k' ->
  r1 <= 8 - min k (n - k) -> r2 <= 8 - min k' (n - k') -> r1 + r2 <= 13.
Proof. clear. lia. Qed.

(* Rounds without a path token of a link beside, if there is one. *)
Definition beside (axis l k t : nat) : nat := if (1 <=? k) && (k <? n) then rested (rests axis l) k t else 0.

Lemma beside_cases axis l k t : beside axis l k t = 0 \/ 1 <= k < n /\ beside axis l k t = rested (rests axis l) k t.
Proof.
  unfold beside. destruct ((1 <=? k) && (k <? n)) eqn:E; auto. rewrite andb_true_iff, Nat.leb_le, Nat.ltb_lt in E. auto.
Qed.

Lemma both_links axis l k k' t : axis < 2 -> l < n -> 1 <= k < n -> k' = S k \/ k = S k' -> t <= 4 * m + 2 ->
  rested (rests axis l) k t + beside axis l k' (S t) <= min 13 (t - (n - 1) + (S t - (n - 1))).
Proof.
  intros A L K N T.
  assert (Y1 : rested (rests axis l) k t <= 8 - min k (n - k)) by (apply idle_late; auto; clear - T; lia).
  pose proof (idle_since axis l A L k t K) as Z1. destruct (beside_cases axis l k' (S t)) as [->|[K' ->]].
  - clear - Y1 Z1 K. lia.
  - assert (Y2 : rested (rests axis l) k' (S t) <= 8 - min k' (n - k')) by (apply idle_late; auto; clear - T; lia).
    pose proof (idle_since axis l A L k' (S t) K') as Z2.
    pose proof (two_links k k' _ _ ltac:(clear - big n_is; lia) K K' N Y1 Y2). apply Nat.min_glb; [assumption|].
    apply Nat.add_le_mono; assumption.
Qed.

Lemma beside_ever axis l k t : axis < 2 -> l < n -> t <= paths n m axis l + (m - 1) -> beside axis l k (S t) <= m.
Proof.
  intros A L T. destruct (beside_cases axis l k (S t)) as [->|[K ->]]; [lia|].
  pose proof (idle_step axis l k t). pose proof (idle_ever axis l A L k t K T). lia.
Qed.

(* Lemma 7. *)
Lemma good_end axis l q j k k' t : axis < 2 -> l < n -> q < n -> q mod 2 = good_parity n axis l ->
  q mod 2 <> j mod 2 -> 1 <= k < n -> k' = S k \/ k = S k' -> t < spines_end -> rests axis l k t = true ->
  rested (rests axis l) k t + beside axis l k' (S t) < count (teeth n axis l j) (know axis l t q) /\
  rested (rests axis l) k t <= m - 1.
Proof.
  intros A L Q G D K K' T R. assert (A' : 1 - axis < 2) by (clear - A; lia).
  pose proof (most_paths_are axis l) as P1. pose proof (most_paths_are (1 - axis) q) as P2. unfold spines_end in T.
  assert (T1 : t <= paths n m axis l + (m - 1)) by (clear - P1 T; lia).
  assert (T2 : t <= paths n m (1 - axis) q + (m - 1)) by (clear - P2 T; lia). clear T P1 P2.
  assert (Late : n - 1 <= t).
  { destruct (Nat.le_gt_cases (n - 1) t) as [H|H]; auto. exfalso.
    pose proof (idle_early axis l A L k (S t) K H) as E. cbn [rested] in E. rewrite R in E. clear - E. lia. }
  assert (I : exists i, 1 <= i < n /\ (l = i \/ i = S l)).
  { destruct l as [|l']; [exists 1|exists (S l')]; clear - big n_is L; lia. }
  destruct I as (i & Ki & I).
  pose proof (known_at (1 - axis) q A' Q i l t Ki I) as Kn.
  pose proof (knows_teeth axis l q j t A D) as Te. pose proof (no_use axis l q A L Q G) as Nu.
  change (fun x : token => negb (snd x =? l) && arrived (delay q) (over (1 - axis) q t) t l x)
    with (fun x : token => negb (snd x =? l) && know axis l t q x) in Kn.
  pose proof (idle_ever axis l A L k t K T1) as X1. pose proof (idle_ever (1 - axis) q A' Q i t Ki T2) as X3.
  pose proof (idle_since (1 - axis) q A' Q i t Ki) as Z3. split; [|exact X1].
  destruct (Nat.le_gt_cases t (4 * m + 2)) as [B|B].
  - pose proof (both_links axis l k k' t A L K K' B) as X2.
    assert (Y3 : rested (rests (1 - axis) q) i t <= 8 - min i (n - i)) by (apply idle_late; auto; clear - B; lia).
    assert (Y7 : rested (rests (1 - axis) q) i t <= 7) by (clear - Y3 Ki; lia).
    clear - Kn Te Nu X2 Y7 Z3 Late big n_is. lia.
  - pose proof (beside_ever axis l k' t A L T1) as X2. clear - Kn Te Nu X1 X2 X3 B big n_is. lia.
Qed.

(* Everything that the teeth of a line need. *)
Lemma line_gets axis l j x : axis < 2 -> l < n -> j < n -> In x (teeth n axis l j) ->
  exists t, t < all_rounds n /\ (tooth axis l t j = Some (true, x) \/ tooth axis l t (S j) = Some (false, x)).
Proof.
  intros A L J I.
  assert (H : In x (has (got n (rests axis l) (know axis l) (teeth n axis l) (quota_below n m axis l)
    (quota_above n m axis l) (all_rounds n)) j)).
  { apply (all_got n spines_end (all_rounds n)); auto.
    - intro i. apply teeth_once.
    - intros i Li. apply quotas_enough; auto.
    - apply quota_bottom. auto.
    - apply quota_top; auto.
    - intros k K. pose proof (quotas_room n m big n_is axis l k A L K) as Q.
      pose proof (idle_enough axis l A L k (all_rounds n) K). lia.
    - intros k t K T R. pose proof (quota_good n m big n_is axis l k A L K) as Q.
      assert (P : k mod 2 = 1 - (k - 1) mod 2).
      { rewrite <- next_parity. f_equal. lia. }
      pose proof (mod_two (k - 1)) as M1.
      destruct (Nat.eqb_spec ((k - 1) mod 2) (good_parity n axis l)) as [E|E].
      + left. pose proof (good_end axis l (k - 1) k k (S k) t A L ltac:(clear - K; lia) E ltac:(clear - P M1; lia) K
          (or_introl eq_refl) T R) as [G1 G2]. split; [clear - Q G2 big; lia|exact G1].
      + right. assert (E' : k mod 2 = good_parity n axis l).
        { assert (X : good_parity n axis l < 2) by (unfold good_parity; destruct (_ && _); apply mod_two).
          clear - X E P M1. lia. }
        pose proof (good_end axis l k (k - 1) k (k - 1) t A L (proj2 K) E' ltac:(clear - P M1; lia) K
          ltac:(clear - K; lia) T R) as [G1 G2]. split; [clear - Q G2 big; lia|]. unfold beside in G1.
        replace ((1 <=? k - 1) && (k - 1 <? n)) with (1 <? k) in G1; [exact G1|].
        rewrite (proj2 (Nat.ltb_lt (k - 1) n)) by (clear - K; lia). rewrite andb_true_r.
        destruct (Nat.ltb_spec 1 k), (Nat.leb_spec 1 (k - 1)); auto; clear - H H0; lia.
    - intros k t K T. assert (Kn : forall q i, q < n -> q mod 2 <> i mod 2 -> forall y, In y (teeth n axis l i) ->
        know axis l t q y = true).
      { intros q i Q D y Iy. unfold teeth in Iy. apply filter_In in Iy. destruct Iy as [Sq F]. unfold is_tooth in F.
        rewrite !andb_true_iff, !negb_true_iff, !Nat.eqb_neq, Nat.eqb_eq in F. destruct F as ((F1 & F2) & F3).
        apply in_square in Sq as B.
        assert (S1 : In y (spines n (1 - axis) q)).
        { apply filter_In. split; auto. unfold is_spine. rewrite andb_true_iff, !Nat.eqb_eq. split; [lia|].
          pose proof (spine_parity_lt n (1 - axis) (fst y)). pose proof (mod_two q). pose proof (mod_two i). lia. }
        pose proof (most_paths_are (1 - axis) q) as P2. unfold spines_end in T.
        assert (Th : forall i, 1 <= i < n -> over (1 - axis) q t i y = true).
        { intros i' Hi. apply all_through; auto; lia. }
        unfold know, arrived. rewrite (proj2 (Nat.eqb_neq _ _) F1). destruct (Nat.ltb_spec (snd y) l); apply Th; lia. }
      assert (P : k mod 2 = 1 - (k - 1) mod 2).
      { rewrite <- next_parity. f_equal. lia. }
      pose proof (mod_two (k - 1)). split; apply Kn; lia. }
  apply got_when in H; [exact H| |]; [now apply quota_bottom|now apply (quota_top n m)].
Qed.

End Play.
