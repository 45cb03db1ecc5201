(* SPDX-License-Identifier: MIT *)
(* The quotas of the comb: they add up to the teeth that a position needs, and to the rounds that a link has left. *)
From Coq Require Import Arith Bool Lia ZArith ZifyNat.
From Gossipfab Require Import comb.Line comb.Tokens comb.Sizes.

(* A number as two times and a rest. *)
Lemma halves j : exists r o, j = 2 * r + o /\ o < 2 /\ j / 2 = r /\ j mod 2 = o.
Proof.
  exists (j / 2), (j mod 2). pose proof (Nat.div_mod j 2). pose proof (Nat.mod_upper_bound j 2). lia.
Qed.

Section Quotas.

Variables n m : nat.
Hypothesis big : 16 <= m.
Hypothesis n_is : n = 2 * m \/ n = 2 * m + 1.

(* How many teeth position j of a line takes from below and from above, j = 2 r + o. *)
Definition quota_below (axis l j : nat) : nat :=
  let r := j / 2 in
  let o := j mod 2 in
  if n mod 2 =? 0 then if (l + axis) mod 2 =? 0 then r * m else (r + o) * m
  else if l mod 2 =? 0 then (r + o) * m
  else if axis =? 0 then r * (m + 1) + o else r * (m + 1).
Definition quota_above (axis l j : nat) : nat :=
  let r := j / 2 in
  let o := j mod 2 in
  if n mod 2 =? 0 then if (l + axis) mod 2 =? 0 then m * (m - r - o) else m * (m - 1 - r)
  else if l mod 2 =? 0 then m * (m - r)
  else if axis =? 0 then if o =? 0 then (m + 1) * (m - r) else m * m - r * (m + 1)
  else (m + 1) * (m - r - o).

Definition all_rounds : nat := n * (n + 1) / 2.

Lemma all_rounds_are : all_rounds = if n mod 2 =? 0 then m * (2 * m + 1) else (2 * m + 1) * (m + 1).
Proof.
  unfold all_rounds. destruct n_is as [-> | ->].
  - replace (2 * m * (2 * m + 1)) with (m * (2 * m + 1) * 2) by lia. rewrite Nat.div_mul by lia.
    replace ((2 * m) mod 2) with 0; [reflexivity|]. symmetry. rewrite Nat.mul_comm. apply Nat.mod_mul. lia.
  - replace ((2 * m + 1) * (2 * m + 1 + 1)) with ((2 * m + 1) * (m + 1) * 2) by lia. rewrite Nat.div_mul by lia.
    replace ((2 * m + 1) mod 2) with 1; [reflexivity|]. symmetry. rewrite Nat.add_comm, Nat.mul_comm.
    rewrite Nat.mod_add; auto.
Qed.

Lemma odd_after r : (2 * r + 0 + 1) mod 2 = 1.
Proof. replace (2 * r + 0 + 1) with (1 + r * 2) by lia. now rewrite Nat.mod_add. Qed.
Lemma even_after r : (2 * r + 1 + 1) mod 2 = 0.
Proof. replace (2 * r + 1 + 1) with (0 + (r + 1) * 2) by lia. now rewrite Nat.mod_add. Qed.
Lemma half_even : n = 2 * m -> n mod 2 = 0 /\ (n + 1 - 0) / 2 = m /\ (n + 1 - 1) / 2 = m.
Proof.
  intro N. subst n. repeat split.
  - rewrite Nat.mul_comm. apply Nat.mod_mul. lia.
  - replace (2 * m + 1 - 0) with (1 + m * 2) by lia. now rewrite Nat.div_add.
  - replace (2 * m + 1 - 1) with (m * 2) by lia. now rewrite Nat.div_mul.
Qed.
Lemma half_odd : n = 2 * m + 1 -> n mod 2 = 1 /\ (n + 1 - 0) / 2 = m + 1 /\ (n + 1 - 1) / 2 = m.
Proof.
  intro N. subst n. repeat split.
  - rewrite Nat.add_comm, Nat.mul_comm. now rewrite Nat.mod_add.
  - replace (2 * m + 1 + 1 - 0) with ((m + 1) * 2) by lia. now rewrite Nat.div_mul.
  - replace (2 * m + 1 + 1 - 1) with (1 + m * 2) by lia. now rewrite Nat.div_add.
Qed.

Lemma quotas_enough axis l j : axis < 2 -> l < n -> j < n ->
  length (teeth n axis l j) <= quota_below axis l j + quota_above axis l j.
Proof.
  intros A L J. unfold quota_below, quota_above.
  destruct (halves l) as (x & y & Ll & Y & _ & Lm). destruct (halves j) as (r & o & Jj & O & Jd & Jm).
  assert (C : y = 0 \/ y = 1) by lia. assert (D : o = 0 \/ o = 1) by lia.
  destruct axis as [|[|axis]]; [| |lia]; destruct n_is as [N|N].
  - rewrite (even_row_teeth n m) by auto. destruct (half_even N) as (Z & _ & _).
    rewrite Z, Nat.add_0_r, Lm, Jd, Jm. cbn [Nat.eqb].
    assert (E : exists u, m = r + 1 + u) by (exists (m - r - 1); lia). destruct E as (u & E).
    destruct C as [-> | ->], D as [-> | ->]; cbn [Nat.eqb].
    + replace (m - r - 0) with (u + 1) by lia. rewrite Nat.sub_0_r. nia.
    + replace (m - r - 1) with u by lia. nia.
    + replace (m - 1 - r) with u by lia. nia.
    + replace (m - 1 - r) with u by lia. rewrite Nat.sub_0_r. nia.
  - rewrite (odd_row_teeth n m) by auto. destruct (half_odd N) as (Z & _ & _). rewrite Z, Lm, Jd, Jm. cbn [Nat.eqb].
    assert (E : exists u, m = r + u) by (exists (m - r); lia). destruct E as (u & E).
    destruct C as [-> | ->], D as [-> | ->]; cbn [Nat.eqb].
    + replace (m - r) with u by lia. nia.
    + replace (m - r) with u by lia. nia.
    + replace (m - r) with u by lia. nia.
    + assert (r * (m + 1) <= m * m) by nia. nia.
  - rewrite (column_teeth n m) by auto. destruct (half_even N) as (Z & H0 & H1). rewrite Z, Lm, Jd, Jm. cbn [Nat.eqb].
    assert (E : exists u, m = r + 1 + u) by (exists (m - r - 1); lia). destruct E as (u & E). rewrite Jj, Ll.
    destruct C as [-> | ->], D as [-> | ->]; cbn [Nat.eqb]; rewrite ?odd_after, ?even_after, H0, H1; cbn [Nat.eqb].
    + replace (m - 1 - r) with u by lia. nia.
    + replace (m - 1 - r) with u by lia. rewrite Nat.sub_0_r. nia.
    + replace (m - r - 0) with (u + 1) by lia. rewrite Nat.sub_0_r. nia.
    + replace (m - r - 1) with u by lia. nia.
  - rewrite (column_teeth n m) by auto. destruct (half_odd N) as (Z & H0 & H1). rewrite Z, Lm, Jd, Jm. cbn [Nat.eqb].
    assert (E : exists u, m = r + u) by (exists (m - r); lia). destruct E as (u & E). rewrite Jj.
    destruct C as [-> | ->], D as [-> | ->]; cbn [Nat.eqb]; rewrite ?odd_after, ?even_after, H0, H1; cbn [Nat.eqb].
    + replace (m - r) with u by lia. nia.
    + replace (m - r) with u by lia. rewrite Nat.sub_0_r. nia.
    + replace (m - r - 0) with u by lia. rewrite Nat.sub_0_r. nia.
    + replace (m - r - 1) with (u - 1) by lia. assert (1 <= u) by lia. nia.
Qed.

Lemma quota_bottom axis l : axis < 2 -> quota_below axis l 0 = 0.
Proof.
  intro A. unfold quota_below. change (0 / 2) with 0. change (0 mod 2) with 0.
  destruct (n mod 2 =? 0), ((l + axis) mod 2 =? 0), (l mod 2 =? 0), (axis =? 0); reflexivity.
Qed.

Lemma quota_top axis l : axis < 2 -> quota_above axis l (n - 1) = 0.
Proof.
  intro A. unfold quota_above. destruct (halves (n - 1)) as (r & o & E & O & -> & ->). destruct n_is as [N|N].
  - destruct (half_even N) as (-> & _ & _). cbn [Nat.eqb]. assert (r = m - 1 /\ o = 1) as [-> ->] by lia.
    destruct ((l + axis) mod 2 =? 0); rewrite Nat.eq_mul_0; lia.
  - destruct (half_odd N) as (-> & _ & _). cbn [Nat.eqb]. assert (r = m /\ o = 0) as [-> ->] by lia.
    destruct (l mod 2 =? 0), (axis =? 0); cbn [Nat.eqb]; rewrite Nat.eq_mul_0; lia.
Qed.

(* Link k, from k - 1 to k. *)
Lemma quotas_room axis l k : axis < 2 -> l < n -> 1 <= k < n ->
  quota_below axis l k + quota_above axis l (k - 1) + paths n m axis l <= all_rounds.
Proof.
  intros A L K. unfold quota_below, quota_above, paths. rewrite all_rounds_are.
  destruct (halves l) as (x & y & Ll & Y & _ & Lm). assert (C : y = 0 \/ y = 1) by lia.
  destruct (halves (k - 1)) as (r & o & Jj & O & -> & ->). assert (D : o = 0 \/ o = 1) by lia.
  assert (F : k / 2 = (if o =? 0 then r else r + 1) /\ k mod 2 = 1 - o).
  { destruct (halves k) as (r' & o' & E' & O' & -> & ->). destruct D as [-> | ->]; cbn [Nat.eqb]; lia. }
  destruct F as [-> ->]. destruct n_is as [N|N].
  - destruct (half_even N) as (-> & _ & _). cbn [Nat.eqb].
    assert (E : exists u, m = r + 1 + u) by (exists (m - r - 1); lia). destruct E as (u & E).
    destruct ((l + axis) mod 2 =? 0); destruct D as [-> | ->]; cbn [Nat.eqb Nat.sub].
    + replace (m - r - 0) with (u + 1) by lia. nia.
    + replace (m - r - 1) with u by lia. nia.
    + replace (m - 1 - r) with u by lia. nia.
    + replace (m - 1 - r) with u by lia. nia.
  - destruct (half_odd N) as (-> & _ & _). cbn [Nat.eqb]. rewrite Lm.
    assert (E : exists u, m = r + u) by (exists (m - r); lia). destruct E as (u & E).
    destruct axis as [|[|axis]]; [| |lia]; cbn [Nat.eqb andb];
      destruct C as [-> | ->], D as [-> | ->]; cbn [Nat.eqb Nat.sub]; replace (m - r) with u by lia.
    + nia.
    + nia.
    + nia.
    + assert (r * (m + 1) <= m * m) by nia. nia.
    + nia.
    + nia.
    + replace (u - 0) with u by lia. nia.
    + assert (1 <= u) by lia. nia.
Qed.

(* The end of a link that may send teeth early: in its crossing line this one is no rich position. *)
Definition good_parity (axis l : nat) : nat := if (axis =? 0) && (n mod 2 =? 0) then (l + 1) mod 2 else l mod 2.

Lemma quota_good axis l k : axis < 2 -> l < n -> 1 <= k < n ->
  if (k - 1) mod 2 =? good_parity axis l then m <= quota_below axis l k else m <= quota_above axis l (k - 1).
Proof.
  intros A L K. unfold quota_below, quota_above, good_parity.
  destruct (halves l) as (x & y & Ll & Y & _ & Lm). assert (C : y = 0 \/ y = 1) by lia.
  destruct (halves (k - 1)) as (r & o & Jj & O & -> & ->). assert (D : o = 0 \/ o = 1) by lia.
  assert (F : k / 2 = (if o =? 0 then r else r + 1) /\ k mod 2 = 1 - o).
  { destruct (halves k) as (r' & o' & E' & O' & -> & ->). destruct D as [-> | ->]; cbn [Nat.eqb]; lia. }
  destruct F as [-> ->]. rewrite Lm.
  assert (G : (l + 1) mod 2 = 1 - y) by (rewrite Ll; destruct C as [-> | ->]; [apply odd_after|apply even_after]).
  destruct n_is as [N|N].
  - destruct (half_even N) as (-> & _ & _). assert (E : exists u, m = r + 1 + u) by (exists (m - r - 1); lia).
    destruct E as (u & E). destruct axis as [|[|axis]]; [| |lia]; cbn [Nat.eqb andb]; rewrite ?Nat.add_0_r, ?G, ?Lm;
      destruct C as [-> | ->], D as [-> | ->]; cbn [Nat.eqb Nat.sub];
      try replace (m - r - 0) with (u + 1) by lia; try replace (m - r - 1) with u by lia;
      try replace (m - 1 - r) with u by lia; nia.
  - destruct (half_odd N) as (-> & _ & _). assert (E : exists u, m = r + u) by (exists (m - r); lia).
    destruct E as (u & E). destruct axis as [|[|axis]]; [| |lia]; cbn [Nat.eqb andb];
      destruct C as [-> | ->], D as [-> | ->]; cbn [Nat.eqb Nat.sub]; replace (m - r) with u by lia;
      try replace (u - 0) with u by lia; assert (1 <= u) by lia; nia.
Qed.

End Quotas.
