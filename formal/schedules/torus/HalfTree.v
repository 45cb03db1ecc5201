(* SPDX-License-Identifier: MIT *)
(* Half duplex: a tree of floor(N / 2) rounds. The axis of side A is the shorter. All nodes but 0 stand in a queue: the
   columns 0 .. B - 1 without row 0, each column downwards, then row 0 from its end to its start. Steps along the first
   axis take the queue from its front, from the node above; steps along the second from its back: in row 0 from the node
   before, elsewhere from the node behind, round the end. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule torus.Group torus.Translates torus.Plane.

Section Half.

Variables A B : nat.
Hypothesis A_3 : 3 <= A.
Hypothesis A_B : A <= B.

Definition half_rounds : nat := A * B / 2.
Definition queue (i j : nat) : nat := if i =? 0 then A * B - 1 - j else i - 1 + j * (A - 1).
Definition front (i j : nat) : bool := queue i j <? half_rounds.
Definition half_plan : plan :=
  Plan (fun i j => if front i j then S (queue i j) else A * B - 1 - queue i j)
    front (fun i j => negb (front i j) && negb (i =? 0)).

Lemma half_of_all : 2 * half_rounds <= A * B <= 2 * half_rounds + 1.
Proof.
  unfold half_rounds. pose proof (Nat.div_mod (A * B) 2). pose proof (Nat.mod_upper_bound (A * B) 2). lia.
Qed.

Lemma area : A * B = (A - 1) * B + B /\ 2 * B <= (A - 1) * B.
Proof. nia. Qed.

Lemma column j : j < B -> j * (A - 1) + (A - 1) <= (A - 1) * B /\ 2 * j <= j * (A - 1).
Proof. intro. nia. Qed.

Lemma queue_row j : j < B -> queue 0 j = A * B - 1 - j /\ half_rounds <= queue 0 j.
Proof. intro L. pose proof half_of_all. pose proof area. unfold queue. cbn [Nat.eqb]. lia. Qed.

Lemma queue_column i j : 1 <= i < A -> queue i j = i - 1 + j * (A - 1).
Proof. intro L. unfold queue. destruct (Nat.eqb_spec i 0); lia. Qed.

Lemma row_time j : j < B -> when_at half_plan 0 j = j.
Proof.
  intro L. destruct (queue_row j L) as [E G]. unfold half_plan, front. cbn [when_at].
  rewrite (proj2 (Nat.ltb_ge _ _) G), E.
  pose proof area. lia.
Qed.

Lemma front_time i j : queue i j < half_rounds -> when_at half_plan i j = S (queue i j).
Proof. intro L. unfold half_plan, front. cbn [when_at]. now rewrite (proj2 (Nat.ltb_lt _ _) L). Qed.

Lemma rear_time i j : half_rounds <= queue i j -> when_at half_plan i j = A * B - 1 - queue i j.
Proof. intro L. unfold half_plan, front. cbn [when_at]. now rewrite (proj2 (Nat.ltb_ge _ _) L). Qed.

Lemma queue_distinct i j i' j' :
  i < A -> j < B -> i' < A -> j' < B -> queue i j = queue i' j' -> i = i' /\ j = j'.
Proof.
  intros I J I' J'. pose proof area. pose proof (column j J). pose proof (column j' J').
  destruct (Nat.eq_dec i 0) as [->|Z], (Nat.eq_dec i' 0) as [->|Z'];
    rewrite ?(proj1 (queue_row j J)), ?(proj1 (queue_row j' J')), ?queue_column by lia; try lia.
  intro E. rewrite !(Nat.mul_comm _ (A - 1)) in E.
  destruct (digits (i - 1) j (A - 1)) as [M D]; [lia|]. destruct (digits (i' - 1) j' (A - 1)) as [M' D']; [lia|].
  rewrite E in M, D. lia.
Qed.

Lemma half_plan_rounds i j : i < A -> j < B -> when_at half_plan i j <= half_rounds.
Proof.
  intros I J. pose proof half_of_all. destruct (Nat.lt_ge_cases (queue i j) half_rounds) as [L|L].
  - rewrite front_time; lia.
  - rewrite rear_time; lia.
Qed.

Variable p : plane.
Hypothesis p_A : sideA p = A.
Hypothesis p_B : sideB p = B.

Lemma half_plan_ok : plan_ok p half_plan Half.
Proof.
  pose proof half_of_all as HT. pose proof area as HA. split; unfold off_origin; rewrite p_A, p_B.
  - intros i j (I & J & O). pose proof (column j J). destruct (Nat.eq_dec i 0) as [->|Z].
    + rewrite row_time; lia.
    + destruct (Nat.lt_ge_cases (queue i j) half_rounds) as [L|L].
      * rewrite front_time; lia.
      * rewrite rear_time by auto. rewrite queue_column in * by lia. lia.
  - intros i j (I & J & O). pose proof (column j J) as C. unfold from_i, from_j. rewrite p_A, p_B.
    cbn [along_first back half_plan]. unfold front. destruct (Nat.eq_dec i 0) as [->|Z].
    + destruct (queue_row j J) as [_ L]. rewrite (proj2 (Nat.ltb_ge _ _) L). cbn [negb andb Nat.eqb].
      unfold prev. destruct (Nat.eqb_spec j 0); [lia|]. destruct (Nat.eq_dec j 1) as [->|N1]; [left; auto|right].
      rewrite !row_time; lia.
    + destruct (Nat.lt_ge_cases (queue i j) half_rounds) as [L|L].
      * rewrite (proj2 (Nat.ltb_lt _ _) L), (front_time i j L). cbn [negb andb]. rewrite queue_column in * by lia.
        unfold prev. destruct (Nat.eqb_spec i 0); [lia|]. destruct (Nat.eq_dec i 1) as [->|N1].
        -- cbn [Nat.sub]. destruct (Nat.eq_dec j 0) as [->|]; [left; auto|right]. rewrite row_time; lia.
        -- right. rewrite front_time; rewrite queue_column; lia.
      * rewrite (proj2 (Nat.ltb_ge _ _) L), (rear_time i j L). cbn [negb andb].
        destruct (Nat.eqb_spec i 0); [lia|]. cbn [negb]. right. rewrite queue_column in * by lia.
        unfold next. destruct (Nat.eqb_spec (S j) B) as [E|N1].
        -- assert (j * (A - 1) + (A - 1) = (A - 1) * B) by nia.
           rewrite front_time; rewrite queue_column; nia.
        -- pose proof (column (S j)). assert (S j * (A - 1) = j * (A - 1) + (A - 1)) by (cbn; lia).
           rewrite rear_time; rewrite queue_column; lia.
  - intros i j i' j' (I & J & O) (I' & J' & O') T F _. cbn [along_first half_plan] in F.
    apply queue_distinct; auto. cbn [when_at half_plan] in T. rewrite F in T.
    assert (Q : forall i j, i < A -> j < B -> queue i j <= A * B - 1).
    { intros x y X Y. pose proof (column y Y). destruct (Nat.eq_dec x 0) as [->|].
      - rewrite (proj1 (queue_row y Y)). lia.
      - rewrite queue_column; lia. }
    pose proof (Q i j I J). pose proof (Q i' j' I' J'). destruct (front i' j'); lia.
Qed.

End Half.
