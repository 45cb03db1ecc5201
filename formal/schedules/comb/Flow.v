(* SPDX-License-Identifier: MIT *)
(* The path tokens of one line of the comb, as numbers (docs/theory/optimal-gossip.md, section 3): how many have crossed
   a link by the end of a round, from what has entered where. Lemmas 3, 4, 5 and 6. *)
From Coq Require Import Arith Lia ZArith ZifyNat.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

Lemma parity a b r : (a + b) mod 2 = 1 -> a mod 2 = r mod 2 \/ b mod 2 = r mod 2.
Proof. lia. Qed.

(* ---- sums along a line ---- *)

Section Sums.

Variable E : nat -> nat -> nat.
Hypothesis enters : forall p t, E p t <= E p (S t).

(* A step outwards, a round earlier. *)
Fixpoint side (j p t : nat) : nat := match j with 0 => 0 | S j => E p t + side j (p - 1) (t - 1) end.

Fixpoint below (k t : nat) : nat := match k with 0 => 0 | S k => below k t + E k t end.

Lemma enters_le p t t' : t <= t' -> E p t <= E p t'.
Proof. induction 1; auto. pose proof (enters p m). lia. Qed.

Lemma side_all k : forall t t', t + k <= S t' -> below k t <= side k (k - 1) t'.
Proof.
  induction k as [|k IH]; intros t t' H; auto. cbn [below side]. replace (S k - 1) with k by lia.
  specialize (IH t (t' - 1)). pose proof (enters_le k t t' ltac:(lia)). lia.
Qed.

(* Sums of pairs of neighbours. *)
Lemma four v a t : (forall p r, S p <= a -> t <= 3 + r -> v <= E p r + E (S p) (S r)) -> 3 <= a -> 3 <= t ->
  2 * v <= side 4 a t.
Proof.
  intros H A T. destruct a as [|[|[|a]]]; try lia. destruct t as [|[|[|t]]]; try lia. cbn [side].
  replace (S (S (S a)) - 1) with (S (S a)) by lia. replace (S (S a) - 1) with (S a) by lia.
  replace (S a - 1) with a by lia. replace (S (S (S t)) - 1) with (S (S t)) by lia.
  replace (S (S t) - 1) with (S t) by lia. replace (S t - 1) with t by lia.
  pose proof (H a t ltac:(lia) ltac:(lia)). pose proof (H (S (S a)) (S (S t)) ltac:(lia) ltac:(lia)). lia.
Qed.

Lemma side_split i j a t : side (i + j) a t = side i a t + side j (a - i) (t - i).
Proof.
  revert a t. induction i as [|i IH]; intros a t; [cbn; now rewrite !Nat.sub_0_r|]. cbn [Nat.add side]. rewrite IH.
  replace (a - S i) with (a - 1 - i) by lia. replace (t - S i) with (t - 1 - i) by lia. lia.
Qed.

Lemma eight v a t : (forall p r, S p <= a -> t <= 7 + r -> v <= E p r + E (S p) (S r)) -> 7 <= a -> 7 <= t ->
  4 * v <= side 8 a t.
Proof.
  intros H A T. change 8 with (4 + 4). rewrite side_split.
  pose proof (four v a t) as X. pose proof (four v (a - 4) (t - 4)) as Y.
  assert (2 * v <= side 4 a t) by (apply X; try lia; intros; apply H; lia).
  assert (2 * v <= side 4 (a - 4) (t - 4)) by (apply Y; try lia; intros; apply H; lia). lia.
Qed.

End Sums.

(* ---- one side of a link: Lemma 4 ---- *)

Section Side.

(* Up to link h inward is up. U k t: spine tokens that went up over link k by round t; E p t: those that entered at p by
   then. In rounds in which a trunk token may use the link nothing is said. *)
Variables n h : nat.
Variables U E : nat -> nat -> nat.
Hypothesis grows : forall k t, U k t <= U k (S t).
Hypothesis enters : forall p t, E p t <= E p (S t).
Hypothesis after : forall k t, U (S k) (S t) <= U k t + E k t.
Hypothesis first : forall k t, S k <= h -> S k < S t -> n <= k + S t -> U (S k) (S t) = U (S k) t ->
  U (S k) t = U k t + E k t.

Lemma trace j : forall p t, p <= h -> p < t -> U (S p) t = U p t + E p t -> j <= S p -> 2 * j + n <= p + t + 3 ->
  side E j p t <= U (S p) t.
Proof.
  induction j as [|j IH]; intros p t H L Q J B; cbn [side]; [lia|]. rewrite Q.
  destruct j as [|j]; [cbn; lia|]. destruct p as [|p]; [lia|]. destruct t as [|t]; [lia|].
  assert (S1 : U (S p) (S t) = U (S p) t).
  { pose proof (after (S p) t). pose proof (enters (S p) t). pose proof (grows (S p) t). lia. }
  assert (Q' : U (S p) t = U p t + E p t) by (apply first; auto; lia).
  replace (S p - 1) with p by lia. replace (S t - 1) with t by lia.
  specialize (IH p t ltac:(lia) ltac:(lia) Q' ltac:(lia) ltac:(lia)). lia.
Qed.

End Side.

(* ---- a line ---- *)

Section Flow.

Variables n m P M : nat.
Hypothesis big : 16 <= m.
Hypothesis n_is : n = 2 * m \/ n = 2 * m + 1.

(* Spine tokens that went up, that went down, trunk tokens in both directions. *)
Variables U D E R : nat -> nat -> nat.
Definition crossed (k t : nat) : nat := U k t + D k t + R k t.

Hypothesis up_grows : forall k t, U k t <= U k (S t).
Hypothesis down_grows : forall k t, D k t <= D k (S t).
Hypothesis enters : forall p t, E p t <= E p (S t).
Hypothesis up_after : forall k t, U (S k) (S t) <= U k t + E k t.
Hypothesis down_after : forall k t, D k (S t) <= D (S k) t + E k t.
Hypothesis one : forall k t, 1 <= k < n -> crossed k (S t) = crossed k t \/ crossed k (S t) = S (crossed k t).
Hypothesis none : forall k t, 1 <= k < n -> crossed k (S t) = crossed k t ->
  U k t = U (k - 1) t + E (k - 1) t /\ D k t = D (S k) t + E k t.
Hypothesis up_first : forall k t, 1 <= k <= m -> k < S t -> n < k + S t -> U k (S t) = U k t ->
  U k t = U (k - 1) t + E (k - 1) t.
Hypothesis down_first : forall k t, m < k < n -> n - k < S t -> k < S t -> D k (S t) = D k t ->
  D k t = D (S k) t + E k t.
Hypothesis trunk_done : forall k t, 1 <= k < n -> n - 1 <= t -> R k t = M.
Hypothesis trunks : m <= M.
Hypothesis all_enter : P = M + below E n (n - 1).
Hypothesis many : 4 * m + 3 <= P.
(* Every second position is rich. *)
Variable rho : nat.
Hypothesis rich : forall p t, p < n -> p mod 2 = rho mod 2 -> min m ((t + 1) / 2) <= E p t.
Hypothesis early : forall k t, 1 <= k < n -> t <= n - 1 -> crossed k t = t.

Lemma crossed_le k t : 1 <= k < n -> crossed k t <= t.
Proof.
  intro K. induction t as [|t IH]; [rewrite early by lia; lia|]. pose proof (one k t K). lia.
Qed.

(* Lemma 3. *)
Lemma neighbours k j t : 1 <= k < n -> 1 <= j < n -> j = S k \/ k = S j -> n - 1 <= t ->
  crossed k (S t) = crossed k t -> crossed j t <= crossed k t.
Proof.
  intros K J N T I. destruct (none k t K I) as [A B]. unfold crossed. rewrite !trunk_done by auto.
  destruct t as [|t]; [lia|]. destruct N as [-> | ->].
  - pose proof (up_after k t). pose proof (enters k t). pose proof (up_grows k t). lia.
  - pose proof (down_after j t). pose proof (enters j t). pose proof (down_grows (S j) t).
    replace (S j - 1) with j in A by lia. lia.
Qed.

Lemma spread_one k j x last : 1 <= k < n -> 1 <= j < n -> j = S k \/ k = S j ->
  (forall t, t <= last -> min P (t - x) <= crossed j t) -> forall t, t <= last -> min P (t - S x) <= crossed k t.
Proof.
  intros K J N H t. induction t as [|t IH]; intro L; [lia|].
  destruct (Nat.le_gt_cases (S t) (n - 1)) as [Q|Q]; [rewrite early by auto; lia|].
  destruct (one k t K) as [I|I].
  - pose proof (neighbours k j t K J N ltac:(lia) I). specialize (H t ltac:(lia)). lia.
  - specialize (IH ltac:(lia)). lia.
Qed.

Lemma spread d : forall k j x last, 1 <= k < n -> 1 <= j < n -> j = k + d \/ k = j + d ->
  (forall t, t <= last -> min P (t - x) <= crossed j t) -> forall t, t <= last -> min P (t - (d + x)) <= crossed k t.
Proof.
  induction d as [|d IH]; intros k j x last K J N H t L.
  - assert (k = j) as -> by lia. specialize (H t L). lia.
  - set (i := if j <=? k then k - 1 else S k). assert (I : i = k - 1 /\ j < k \/ i = S k /\ k < j).
    { unfold i. destruct (Nat.leb_spec j k); lia. }
    pose proof (spread_one k i (d + x) last K ltac:(lia) ltac:(lia)) as A. change (S d + x) with (S (d + x)).
    apply A; auto. apply (IH i j x last); auto; lia.
Qed.

(* The other side, as the one side of the line turned round. *)
Definition turned_in (p t : nat) : nat := E (n - 1 - p) t.
Definition turned (k t : nat) : nat := if k <=? n then D (n - k) t else 0.

Lemma turned_enters p t : turned_in p t <= turned_in p (S t).
Proof. apply enters. Qed.

Lemma below_turned d t : d <= n -> below E (n - d) t + below turned_in d t = below E n t.
Proof.
  induction d as [|d IH]; intro L; [cbn; rewrite Nat.sub_0_r; lia|]. cbn [below]. unfold turned_in at 2.
  rewrite <- IH by lia. replace (n - d) with (S (n - S d)) by lia. cbn [below].
  replace (n - 1 - d) with (n - S d) by lia. lia.
Qed.

Lemma up_side j k t : 1 <= k < n -> k <= S m -> k <= t -> crossed k (S t) = crossed k t -> j <= k ->
  2 * j + n <= k + t + 2 -> side E j (k - 1) t <= U k t.
Proof.
  intros K Kh T I J B. destruct k as [|k]; [lia|]. replace (S k - 1) with k by lia.
  apply (trace n m U E); auto; try lia.
  - intros i r A L C Q. specialize (up_first (S i) r). replace (S i - 1) with i in up_first by lia.
    apply up_first; auto; lia.
  - destruct (none (S k) t K I) as [Q _]. now replace (S k - 1) with k in Q by lia.
Qed.

Lemma down_side j k t : 1 <= k < n -> m <= k -> n - k <= t -> crossed k (S t) = crossed k t -> j <= n - k ->
  2 * j + k <= t + 2 -> side turned_in j (n - k - 1) t <= D k t.
Proof.
  intros K Kh T I J B.
  assert (X : side turned_in j (n - k - 1) t <= turned (S (n - k - 1)) t).
  { apply (trace n (n - 1 - m) turned turned_in); try lia.
    - intros i r. unfold turned. destruct (i <=? n); auto.
    - intros p r. apply enters.
    - intros i r. unfold turned. destruct (Nat.leb_spec (S i) n), (Nat.leb_spec i n); try lia. unfold turned_in.
      pose proof (down_after (n - S i) r) as A. replace (S (n - S i)) with (n - i) in A by lia.
      replace (n - 1 - i) with (n - S i) by lia. lia.
    - intros i r A L C Q. unfold turned in *. destruct (Nat.leb_spec (S i) n), (Nat.leb_spec i n); try lia.
      unfold turned_in. pose proof (down_first (n - S i) r ltac:(lia) ltac:(lia) ltac:(lia) Q) as F.
      replace (S (n - S i)) with (n - i) in F by lia. replace (n - 1 - i) with (n - S i) by lia. exact F.
    - destruct (none k t K I) as [_ Q]. unfold turned. destruct (Nat.leb_spec (S (n - k - 1)) n); [|lia].
      destruct (Nat.leb_spec (n - k - 1) n); [|lia]. unfold turned_in.
      replace (n - S (n - k - 1)) with k by lia. replace (n - (n - k - 1)) with (S k) by lia.
      replace (n - 1 - (n - k - 1)) with k by lia. exact Q. }
  unfold turned in X. destruct (Nat.leb_spec (S (n - k - 1)) n); [|lia].
  now replace (n - S (n - k - 1)) with k in X by lia.
Qed.

Lemma pair_rich p q r r' d v : (p + q) mod 2 = 1 -> p < n -> q < n -> d <= r -> d <= r' -> v <= m -> 2 * v <= d + 1 ->
  v <= E p r + E q r'.
Proof.
  intros O Lp Lq Dr Dr' Vm V. assert (C : p mod 2 = rho mod 2 \/ q mod 2 = rho mod 2) by now apply parity.
  assert (H : forall t, d <= t -> v <= min m ((t + 1) / 2)).
  { intros t L. apply Nat.min_glb; auto. apply Nat.div_le_lower_bound; lia. }
  destruct C as [C|C].
  - pose proof (rich p r Lp C). specialize (H r Dr). lia.
  - pose proof (rich q r' Lq C). specialize (H r' Dr'). lia.
Qed.

(* Of the positions nearest to a link every second one is rich. *)
Lemma both_sides v d j : v <= m -> 2 * v <= d + 1 -> forall p q t, (p + (n - 1 - q)) mod 2 = 1 ->
  j <= S p -> j <= S q -> p < n -> q < n -> d + j <= S t -> j * v <= side E j p t + side turned_in j q t.
Proof.
  intros Vm V. induction j as [|j IH]; intros p q t O P1 Q1 Lp Lq T; [lia|]. cbn [side Nat.mul].
  assert (X : v <= E p t + turned_in q t) by (apply (pair_rich p (n - 1 - q) t t d); auto; lia).
  destruct j as [|j]; [cbn; lia|].
  specialize (IH (p - 1) (q - 1) (t - 1)).
  replace (p - 1 + (n - 1 - (q - 1))) with (p + (n - 1 - q)) in IH by lia.
  specialize (IH O ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)). lia.
Qed.

(* Lemma 5: a middle link does not idle. *)
Lemma middle k t : k = m \/ k = S m /\ n = 2 * m + 1 -> min P t <= crossed k t.
Proof.
  intro Mk. induction t as [|t IH]; [lia|]. assert (K : 1 <= k < n) by lia.
  destruct (Nat.le_gt_cases (S t) (n - 1)) as [Q|Q]; [rewrite early by auto; lia|].
  destruct (one k t K) as [I|I]; [|lia].
  destruct (Nat.le_gt_cases (n + max k (n - k)) (t + 2)) as [B|B].
  - assert (A : P <= crossed k t); [|lia]. rewrite all_enter. rewrite <- (below_turned (n - k)) by lia.
    replace (n - (n - k)) with k by lia. unfold crossed. rewrite trunk_done by lia.
    pose proof (up_side k k t K ltac:(lia) ltac:(lia) I ltac:(lia) ltac:(lia)) as A1.
    pose proof (down_side (n - k) k t K ltac:(lia) ltac:(lia) I ltac:(lia) ltac:(lia)) as A2.
    pose proof (side_all E enters k (n - 1) t ltac:(lia)) as A3.
    pose proof (side_all turned_in turned_enters (n - k) (n - 1) t ltac:(lia)) as A4. lia.
  - set (j := (t + 2 - max k (n - k)) / 2). assert (J : 2 * j <= t + 2 - max k (n - k) < 2 * j + 2) by (unfold j; lia).
    clearbody j.
    assert (Jk : j <= k /\ j <= n - k) by lia.
    pose proof (up_side j k t K ltac:(lia) ltac:(lia) I ltac:(lia) ltac:(lia)) as A1.
    pose proof (down_side j k t K ltac:(lia) ltac:(lia) I ltac:(lia) ltac:(lia)) as A2.
    set (v := min m ((S t - j + 1) / 2)).
    assert (V : v <= m /\ 2 * v <= S t - j + 1 /\ (v = m \/ S t - j <= 2 * v)) by (unfold v; lia). clearbody v.
    assert (O : (k - 1 + (n - 1 - (n - k - 1))) mod 2 = 1).
    { replace (k - 1 + (n - 1 - (n - k - 1))) with (1 + (k - 1) * 2) by lia. now rewrite Nat.mod_add. }
    pose proof (both_sides v (S t - j) j ltac:(lia) ltac:(lia) (k - 1) (n - k - 1) t O ltac:(lia) ltac:(lia) ltac:(lia)
      ltac:(lia) ltac:(lia)) as A3.
    assert (J7 : 7 <= j) by lia. assert (A4 : 7 * v <= j * v) by (apply Nat.mul_le_mono_r; auto).
    assert (A5 : S t <= 7 * v + m) by lia.
    unfold crossed in *. rewrite trunk_done in * by lia. lia.
Qed.

Lemma idles_less k t : 1 <= k < n -> min P (t - (m - 1)) <= crossed k t.
Proof.
  intro K. destruct (Nat.le_gt_cases k m) as [L|L].
  - pose proof (spread (m - k) k m 0 t K ltac:(lia) ltac:(lia)) as A.
    enough (min P (t - (m - k + 0)) <= crossed k t) by lia. apply A; auto. intros r _. rewrite Nat.sub_0_r.
    apply middle. auto.
  - set (j := n - m). pose proof (spread (k - j) k j 0 t K ltac:(lia) ltac:(lia)) as A.
    enough (min P (t - (k - j + 0)) <= crossed k t) by lia. apply A; auto. intros r _. rewrite Nat.sub_0_r.
    apply middle. lia.
Qed.

(* Lemma 6. *)
Lemma away k t : 8 <= k -> k + 8 <= n -> t <= 4 * m + 3 -> t <= crossed k t.
Proof.
  intros K1 K2. induction t as [|t IH]; intro L; [lia|]. assert (K : 1 <= k < n) by lia.
  destruct (Nat.le_gt_cases (S t) (n - 1)) as [Q|Q]; [rewrite early by auto; lia|].
  destruct (one k t K) as [I|I]; [|lia]. exfalso. specialize (IH ltac:(lia)).
  unfold crossed in IH, I. rewrite trunk_done in IH by lia.
  assert (O : forall p, (p + S p) mod 2 = 1).
  { intro p. replace (p + S p) with (1 + p * 2) by lia. now rewrite Nat.mod_add. }
  assert (O' : forall p, S p < n -> (n - 1 - p + (n - 1 - S p)) mod 2 = 1).
  { intros p Lp. replace (n - 1 - p + (n - 1 - S p)) with (1 + (n - 1 - S p) * 2) by lia. now rewrite Nat.mod_add. }
  assert (I' : crossed k (S t) = crossed k t) by exact I. clear I.
  assert (X : S t <= U k t + D k t + M).
  { destruct (Nat.le_gt_cases k m) as [H|H], (Nat.le_gt_cases (n + 6) t) as [B|B].
    - pose proof (up_side 8 k t K ltac:(lia) ltac:(lia) I' ltac:(lia) ltac:(lia)) as A.
      pose proof (eight E enters m (k - 1) t) as G. assert (4 * m <= side E 8 (k - 1) t); [|lia]. apply G; try lia.
      intros p r Lp Lr. apply (pair_rich p (S p) r (S r) (n - 1)); auto; lia.
    - pose proof (up_side 4 k t K ltac:(lia) ltac:(lia) I' ltac:(lia) ltac:(lia)) as A.
      pose proof (four E enters (m - 2) (k - 1) t) as G. assert (2 * (m - 2) <= side E 4 (k - 1) t); [|lia].
      apply G; try lia.
      intros p r Lp Lr. apply (pair_rich p (S p) r (S r) (n - 4)); auto; lia.
    - pose proof (down_side 8 k t K ltac:(lia) ltac:(lia) I' ltac:(lia) ltac:(lia)) as A.
      pose proof (eight turned_in turned_enters m (n - k - 1) t) as G.
      assert (4 * m <= side turned_in 8 (n - k - 1) t); [|lia]. apply G; try lia.
      intros p r Lp Lr. apply (pair_rich (n - 1 - p) (n - 1 - S p) r (S r) (n - 1)); try apply O'; lia.
    - pose proof (down_side 4 k t K ltac:(lia) ltac:(lia) I' ltac:(lia) ltac:(lia)) as A.
      pose proof (four turned_in turned_enters (m - 2) (n - k - 1) t) as G.
      assert (2 * (m - 2) <= side turned_in 4 (n - k - 1) t); [|lia]. apply G; try lia.
      intros p r Lp Lr. apply (pair_rich (n - 1 - p) (n - 1 - S p) r (S r) (n - 4)); try apply O'; lia. }
  unfold crossed in IH. assert (Z : U k t + D k t + M = t).
  { pose proof (crossed_le k t K) as C. unfold crossed in C. rewrite trunk_done in C by lia. lia. }
  lia.
Qed.

Lemma idles_late k t : 1 <= k < n -> t <= 4 * m + 3 -> t <= crossed k t + (8 - min k (n - k)).
Proof.
  intros K L. assert (H : forall j r, 8 <= j -> j + 8 <= n -> r <= 4 * m + 3 -> min P (r - 0) <= crossed j r).
  { intros j r A B C. pose proof (away j r A B C). lia. }
  destruct (Nat.le_gt_cases 8 (min k (n - k))) as [B|B].
  - pose proof (away k t ltac:(lia) ltac:(lia) L). lia.
  - destruct (Nat.le_gt_cases k (n - k)) as [C|C].
    + pose proof (spread (8 - k) k 8 0 (4 * m + 3) K ltac:(lia) ltac:(lia)
        (fun r Q => H 8 r ltac:(lia) ltac:(lia) Q) t L). lia.
    + pose proof (spread (k - (n - 8)) k (n - 8) 0 (4 * m + 3) K ltac:(lia) ltac:(lia)
        (fun r Q => H (n - 8) r ltac:(lia) ltac:(lia) Q) t L). lia.
Qed.

End Flow.
