(* SPDX-License-Identifier: MIT *)
(* The checker is right about relays that do not copy, or do not combine. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid check.Tables check.Check check.Combined.
Import ListNotations.

Section Relays.

Variable s : schedule.
Local Notation came := (bucket place (messages s)).
Local Notation left := (bucket source (messages s)).

Lemma in_came a b v : In a (get came (b, (v, 0))) <-> In a (messages s) /\ what a = b /\ to a = v.
Proof.
  rewrite get_bucket, filter_In, key_eqb_eq. unfold place. intuition congruence.
Qed.

Lemma in_left a b v : In a (get left (b, (v, 0))) <-> In a (messages s) /\ what a = b /\ from a = v.
Proof.
  rewrite get_bucket, filter_In, key_eqb_eq. unfold source. intuition congruence.
Qed.

Lemma leaving_eq b r v : filter (fun x => when x =? r) (get left (b, (v, 0))) = leaving s b r v.
Proof.
  rewrite get_bucket, filter_filter. unfold leaving. apply filter_ext. intro m. unfold key_eqb, source; cbn.
  rewrite !andb_true_r. destruct (when m =? r), (what m =? b), (from m =? v); reflexivity.
Qed.

Lemma waits_spec hop r b v :
  waits hop r (get came (b, (v, 0))) (get left (b, (v, 0))) = true <->
  exists a, In a (messages s) /\ what a = b /\ to a = v /\ when a + hop <= r /\
    forall x, In x (messages s) -> what x = b -> to x = v \/ from x = v -> when x < r -> when x <= when a.
Proof.
  unfold waits. rewrite existsb_exists. split.
  - intros (a & I & H). apply in_came in I. destruct I as (I & B & T). apply andb_true_iff in H. destruct H as [H F].
    apply Nat.leb_le in H. rewrite forallb_forall in F. exists a. repeat split; auto. intros x Ix Bx D L.
    specialize (F x). rewrite in_app_iff, in_came, in_left, orb_true_iff, !Nat.leb_le in F.
    destruct F as [F|F]; [destruct D; auto|lia|auto].
  - intros (a & I & B & T & H & F). exists a. split; [apply in_came; auto|].
    apply andb_true_iff. split; [now apply Nat.leb_le|]. apply forallb_forall. intros x Ix.
    rewrite in_app_iff, in_came, in_left in Ix. rewrite orb_true_iff, !Nat.leb_le.
    destruct (Nat.le_gt_cases r (when x)); auto. right. apply F; intuition.
Qed.

Lemma stays_spec r b v :
  stays r (get came (b, (v, 0))) (get left (b, (v, 0))) = true <->
  exists a, In a (messages s) /\ what a = b /\ to a = v /\ when a < r /\
    forall x, In x (messages s) -> what x = b -> from x = v -> when x <= r -> when x <= when a.
Proof.
  unfold stays. rewrite existsb_exists. split.
  - intros (a & I & H). apply in_came in I. destruct I as (I & B & T). apply andb_true_iff in H. destruct H as [H F].
    apply Nat.ltb_lt in H. rewrite forallb_forall in F. exists a. repeat split; auto. intros x Ix Bx D L.
    specialize (F x). rewrite in_left, orb_true_iff, Nat.ltb_lt, Nat.leb_le in F. destruct F as [F|F]; auto. lia.
  - intros (a & I & B & T & H & F). exists a. split; [apply in_came; auto|].
    apply andb_true_iff. split; [now apply Nat.ltb_lt|]. apply forallb_forall. intros x Ix. apply in_left in Ix.
    rewrite orb_true_iff, Nat.ltb_lt, Nat.leb_le. destruct (Nat.lt_ge_cases r (when x)); auto. right.
    apply F; intuition.
Qed.

Lemma alone_spec m :
  In m (messages s) ->
  length (leaving s (what m) (when m) (from m)) = 1 <-> leaving s (what m) (when m) (from m) = [m].
Proof.
  intro I. assert (L : In m (leaving s (what m) (when m) (from m))).
  { apply filter_In. now rewrite !Nat.eqb_refl. }
  split; intro H.
  - destruct (leaving _ _ _ _) as [|x [|]]; try discriminate. now destruct L as [->|[]].
  - now rewrite H.
Qed.

Lemma relays_okb_spec : relays_okb s = true <-> relays_ok s.
Proof.
  unfold relays_okb, relays_ok. rewrite forallb_forall.
  assert (E : forall m, In m (messages s) ->
    (copies (on s) (from m) ||
       (length (filter (fun x => when x =? when m) (get left (source m))) =? 1) &&
       waits (hop_rounds (under s)) (when m) (get came (source m)) (get left (source m))) &&
      (negb (adds m) ||
       combines_at (on s) (to m) && (copies (on s) (to m) || stays (when m) (get came (place m)) (get left (place m))))
    = true <->
    (copies (on s) (from m) = false ->
       leaving s (what m) (when m) (from m) = [m] /\
       exists a, In a (messages s) /\ what a = what m /\ to a = from m /\ when a + hop_rounds (under s) <= when m /\
         forall x, In x (messages s) -> what x = what m -> to x = from m \/ from x = from m ->
           when x < when m -> when x <= when a) /\
    (adds m = true ->
       combines_at (on s) (to m) = true /\
       (copies (on s) (to m) = false ->
        exists a, In a (messages s) /\ what a = what m /\ to a = to m /\ when a < when m /\
          forall x, In x (messages s) -> what x = what m -> from x = to m -> when x <= when m -> when x <= when a))).
  { intros m I. change (source m) with (what m, (from m, 0)). change (place m) with (what m, (to m, 0)).
    rewrite leaving_eq, andb_true_iff, !orb_true_iff, !andb_true_iff, orb_true_iff, Nat.eqb_eq, (alone_spec m I).
    rewrite waits_spec, stays_spec, negb_true_iff.
    destruct (copies (on s) (from m)), (copies (on s) (to m)), (adds m), (combines_at (on s) (to m));
      intuition congruence. }
  split; intros H m I; apply (E m I); auto.
Qed.

End Relays.
