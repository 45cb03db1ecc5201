(* SPDX-License-Identifier: MIT *)
(* Path tokens of one line of the comb: trunk tokens and spine tokens together. When a link rests, and what is known
   where. *)
From Coq Require Import List Arith Bool Lia ZArith ZifyNat.
From Gossipfab Require Import bounds.Counting comb.Flow comb.Trunks comb.Line.
Import ListNotations.

Section Path.

Variables n m c : nat.
Hypothesis big : 16 <= m.
Hypothesis n_is : n = 2 * m \/ n = 2 * m + 1.
Hypothesis c_ok : c < 2.

Variable spines : list token.
Hypothesis once : NoDup spines.
Variable delay : token -> nat.
Hypothesis inside : forall x, In x spines -> snd x < n /\ delay x <= n - 1.
Variable rho : nat.
Hypothesis rich :
  (forall p t, p < n -> p mod 2 = rho mod 2 -> min m (1 + t / 2) <= entered spines delay p t) \/
  n = 2 * m + 1 /\ forall p t, p < n -> p mod 2 = rho mod 2 -> min m ((t + 1) / 2) <= entered spines delay p t.

Notation over := (over m spines delay (trunk n c)).
Notation ups := (ups m spines delay (trunk n c)).
Notation downs := (downs m spines delay (trunk n c)).
Notation pick := (pick m spines delay (trunk n c)).
Notation entered := (entered spines delay).
Notation crossed := (crossed ups downs (trunks_by n c)).

Definition trunk_tokens : nat := (n + 1 - c) / 2.
Definition path_tokens : nat := trunk_tokens + length spines.

(* No path token in round t + 1. *)
Definition rests (k t : nat) : bool :=
  negb (trunk n c k (S t)) && match pick (over t) t k with Some _ => false | None => true end.
Notation rested := (rested rests).

Lemma step k t : 1 <= k < n -> crossed k (S t) = crossed k t + if rests k t then 0 else 1.
Proof.
  intro K. unfold crossed, rests. rewrite trunks_step by auto. destruct (trunk n c k (S t)) eqn:B; cbn [negb andb].
  - assert (P : pick (over t) t k = None) by (unfold pick; now rewrite B).
    destruct (step_none m spines delay _ t k P) as [-> ->]. lia.
  - destruct (pick (over t) t k) as [y|] eqn:P.
    + pose proof (step_some m spines once delay _ t k y P) as H. destruct (snd y <? k); lia.
    + destruct (step_none m spines delay _ t k P) as [-> ->]. lia.
Qed.

Lemma none_at k : ups k 0 = 0 /\ downs k 0 = 0.
Proof. split; apply count_none; intros; apply andb_false_r. Qed.

Lemma rested_is k t : 1 <= k < n -> rested k t + crossed k t = t.
Proof.
  intro K. induction t as [|t IH].
  - unfold crossed. destruct (none_at k) as [-> ->]. now rewrite trunks_none.
  - cbn [rested]. rewrite step by auto. destruct (rests k t); lia.
Qed.

Lemma rests_both k t : rests k t = true -> trunk n c k (S t) = false /\
  find (waits_up delay (over t) t k) spines = None /\ find (waits_down delay (over t) t k) spines = None.
Proof.
  unfold rests. rewrite andb_true_iff, negb_true_iff. intros [B P]. split; auto.
  apply (pick_none m spines delay (trunk n c)); auto. now destruct (pick (over t) t k).
Qed.

Lemma rich_some p t : p < n -> p mod 2 = rho mod 2 -> min m ((t + 1) / 2) <= entered p t.
Proof.
  intros L C. destruct rich as [H|[_ H]]; auto. eapply Nat.le_trans; [|apply H; auto].
  apply Nat.min_le_compat_l. apply Nat.div_le_upper_bound; [lia|]. pose proof (Nat.div_mod t 2).
  pose proof (Nat.mod_upper_bound t 2). lia.
Qed.

Lemma early k t : 1 <= k < n -> t <= n - 1 -> crossed k t = t.
Proof.
  intros K. induction t as [|t IH]; intro L.
  - pose proof (rested_is k 0 K). lia.
  - rewrite step by auto. specialize (IH ltac:(lia)). rewrite IH. destruct (rests k t) eqn:R; [|lia]. exfalso.
    destruct (rests_both k t R) as (B & Fu & Fd). apply none_up in Fu; [|lia]. apply none_down in Fd.
    unfold crossed in IH.
    assert (E : exists e, (e = k - 1 \/ e = k) /\ e mod 2 = rho mod 2).
    { assert (O : (k - 1 + k) mod 2 = 1).
      { replace (k - 1 + k) with (1 + (k - 1) * 2) by lia. now rewrite Nat.mod_add. }
      destruct (parity _ _ rho O); eauto. }
    destruct E as (e & Ek & Er).
    assert (H : S t <= trunks_by n c k t + entered e t).
    { destruct rich as [H|[N H]]; specialize (H e t ltac:(lia) Er).
      - apply (enough_even n c c_ok m); auto.
      - apply (enough_odd n c c_ok m); auto. }
    destruct Ek as [-> | ->]; lia.
Qed.

Lemma entered_below k t : below entered k t = count spines (fun x => (snd x <? k) && (delay x <=? t)).
Proof.
  induction k as [|k IH]; cbn [below]; [symmetry; now apply count_none|]. rewrite IH. unfold entered.
  rewrite <- count_plus.
  - apply count_eq. intros x _. destruct (Nat.ltb_spec (snd x) (S k)), (Nat.ltb_spec (snd x) k),
      (Nat.eqb_spec (snd x) k); try lia; cbn [andb orb]; auto using orb_false_r.
  - intros x _. destruct (Nat.ltb_spec (snd x) k), (Nat.eqb_spec (snd x) k); try lia; cbn [andb]; auto using
      andb_false_r.
Qed.

Lemma count_true l f : (forall x, In x l -> f x = true) -> count l f = length l.
Proof.
  unfold count. induction l as [|x l IH]; intro H; auto. cbn. rewrite (H x (or_introl eq_refl)). cbn. f_equal.
  apply IH. intros y I. apply H. cbn. auto.
Qed.

Lemma all_enter : path_tokens = trunk_tokens + below entered n (n - 1).
Proof.
  unfold path_tokens. f_equal. rewrite entered_below. symmetry. apply count_true. intros x I.
  destruct (inside x I). rewrite andb_true_iff, Nat.ltb_lt, Nat.leb_le. auto.
Qed.

Lemma below_more i k t : below entered k t <= below entered (k + i) t.
Proof. induction i as [|i IH]; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r. cbn [below]. lia. Qed.

Lemma trunks_some : m <= trunk_tokens.
Proof. unfold trunk_tokens. apply Nat.div_le_lower_bound; lia. Qed.

Lemma many : 4 * m + 3 <= path_tokens.
Proof.
  rewrite all_enter. pose proof trunks_some.
  assert (P : forall p, S p < n -> m <= entered p (n - 1) + entered (S p) (n - 1)).
  { intros p L. assert (Q : min m ((n - 1 + 1) / 2) = m).
    { apply Nat.min_l. apply Nat.div_le_lower_bound; lia. }
    assert (O : (p + S p) mod 2 = 1) by (replace (p + S p) with (1 + p * 2) by lia; now rewrite Nat.mod_add).
    destruct (parity _ _ rho O) as [C|C].
    - pose proof (rich_some p (n - 1) ltac:(lia) C). lia.
    - pose proof (rich_some (S p) (n - 1) ltac:(lia) C). lia. }
  pose proof (below_more (n - 8) 8 (n - 1)) as B. replace (8 + (n - 8)) with n in B by lia. cbn [below] in B.
  pose proof (P 0 ltac:(lia)). pose proof (P 2 ltac:(lia)). pose proof (P 4 ltac:(lia)). pose proof (P 6 ltac:(lia)).
  lia.
Qed.

Lemma one k t : 1 <= k < n -> crossed k (S t) = crossed k t \/ crossed k (S t) = S (crossed k t).
Proof. intro K. rewrite step by auto. destruct (rests k t); lia. Qed.

Lemma none k t : 1 <= k < n -> crossed k (S t) = crossed k t ->
  ups k t = ups (k - 1) t + entered (k - 1) t /\ downs k t = downs (S k) t + entered k t.
Proof.
  intros K E. rewrite step in E by auto. destruct (rests k t) eqn:R; [|lia].
  destruct (rests_both k t R) as (_ & Fu & Fd). apply none_up in Fu; [|lia]. now apply none_down in Fd.
Qed.

Lemma up_goes_first k t : 1 <= k <= m -> k < S t -> n < k + S t -> ups k (S t) = ups k t ->
  ups k t = ups (k - 1) t + entered (k - 1) t.
Proof.
  intros K T B E. apply none_up; [lia|]. apply (Line.up_first m spines once delay); auto; [lia|].
  apply trunk_over; lia.
Qed.

Lemma down_goes_first k t : m < k < n -> n - k < S t -> k < S t -> downs k (S t) = downs k t ->
  downs k t = downs (S k) t + entered k t.
Proof.
  intros K T B E. apply none_down. apply (Line.down_first m spines once delay); auto; [lia|].
  apply trunk_over; lia.
Qed.

Lemma trunks_through k t : 1 <= k < n -> n - 1 <= t -> trunks_by n c k t = trunk_tokens.
Proof. apply trunks_all. auto. Qed.

(* Lemmas 5 and 6 of this line. *)
Lemma never_late k t : 1 <= k < n -> min path_tokens (t - (m - 1)) <= crossed k t.
Proof.
  apply (idles_less n m path_tokens trunk_tokens big n_is ups downs entered (trunks_by n c)) with (rho := rho);
    auto using ups_grows, downs_grows, entered_grows, ups_after, downs_after, one, none, up_goes_first,
    down_goes_first, trunks_through, trunks_some, all_enter, many, rich_some, early.
Qed.

Lemma hardly_late k t : 1 <= k < n -> t <= 4 * m + 3 -> t <= crossed k t + (8 - min k (n - k)).
Proof.
  apply (idles_late n m path_tokens trunk_tokens big n_is ups downs entered (trunks_by n c)) with (rho := rho);
    auto using ups_grows, downs_grows, entered_grows, ups_after, downs_after, one, none, up_goes_first,
    down_goes_first, trunks_through, trunks_some, all_enter, many, rich_some, early.
Qed.

(* What the teeth need. *)
Lemma rested_early k t : 1 <= k < n -> t <= n - 1 -> rested k t = 0.
Proof. intros K T. pose proof (rested_is k t K). rewrite early in H by auto. lia. Qed.

Lemma rested_ever k t : 1 <= k < n -> t <= path_tokens + (m - 1) -> rested k t <= m - 1.
Proof. intros K T. pose proof (rested_is k t K). pose proof (never_late k t K). lia. Qed.

Lemma rested_late k t : 1 <= k < n -> t <= 4 * m + 3 -> rested k t <= 8 - min k (n - k).
Proof. intros K T. pose proof (rested_is k t K). pose proof (hardly_late k t K T). lia. Qed.

Lemma rested_enough k t : 1 <= k < n -> t <= rested k t + path_tokens.
Proof.
  intros K. pose proof (rested_is k t K) as H. unfold crossed in H.
  pose proof (trunks_most n c c_ok k t K). unfold path_tokens, trunk_tokens. rewrite all_over in H.
  pose proof (filter_length (over t k) spines). unfold count in H. lia.
Qed.

Lemma spines_done k t x : 1 <= k < n -> path_tokens + (m - 1) <= t -> In x spines -> over t k x = true.
Proof.
  intros K T. apply count_all. pose proof (never_late k t K) as H. unfold crossed in H. rewrite all_over in H.
  pose proof (trunks_most n c c_ok k t K). unfold path_tokens, trunk_tokens in *. lia.
Qed.

(* Those that are known at a position and came over a link. *)
Lemma known_there k q t : 1 <= k < n -> q = k \/ k = S q -> t <= rested k t + trunk_tokens +
  count spines (fun x => negb (snd x =? q) && arrived delay (over t) t q x) + count spines (fun x => snd x =? q).
Proof.
  intros K Q. pose proof (rested_is k t K) as H. unfold crossed in H. rewrite all_over in H.
  pose proof (trunks_most n c c_ok k t K). unfold trunk_tokens.
  assert (L : count spines (over t k) <=
    count spines (fun x => negb (snd x =? q) && arrived delay (over t) t q x) + count spines (fun x => snd x =? q)).
  { eapply Nat.le_trans; [|apply count_or]. apply count_le. intros x _ O.
    pose proof (over_came_now _ _ _ _ _ _ _ O) as A.
    destruct (Nat.eqb_spec (snd x) q) as [E|E]; [now rewrite orb_true_r|]. cbn [negb andb]. rewrite orb_false_r.
    destruct Q as [-> | ->].
    - destruct (Nat.ltb_spec (snd x) k) as [B|B]; auto. unfold arrived. rewrite (proj2 (Nat.eqb_neq _ _) E).
      now rewrite (proj2 (Nat.ltb_lt _ _) B).
    - destruct (Nat.ltb_spec (snd x) (S q)) as [B|B].
      + now replace (S q - 1) with q in A by lia.
      + unfold arrived. rewrite (proj2 (Nat.eqb_neq _ _) E), (proj2 (Nat.ltb_ge _ _)) by lia. auto. }
  lia.
Qed.

End Path.
