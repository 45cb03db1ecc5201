(* SPDX-License-Identifier: MIT *)
(* How many messages a block needs, whatever the schedule, and so how many rounds (docs/theory/collectives.md, "Count").
   A message moves a block over a path: one link in a store-and-forward model. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting bounds.Room bounds.Ranks.
Import ListNotations.

(* ---- who can know of whom: if each message brought all that its sender had in any order ---- *)

(* Messages, the latest first. *)
Fixpoint know (l : list message) (v u : nat) : Prop :=
  match l with
  | [] => v = u
  | m :: l => know l v u \/ (v = to m /\ know l (from m) u)
  end.

Lemma know_more l k v u : know k v u -> know (l ++ k) v u.
Proof. intro H. induction l as [|m l IH]; cbn; auto. Qed.

Lemma know_from l v u : know l v u -> v = u \/ In u (map from l).
Proof.
  revert v. induction l as [|m l IH]; cbn; auto. intros v [H|[_ H]]; apply IH in H; intuition.
Qed.

Lemma know_other m l v u : know (m :: l) v u -> v <> to m -> know l v u.
Proof. cbn. intuition. Qed.

Lemma remove_distinct u N : NoDup N -> NoDup (remove Nat.eq_dec u N).
Proof.
  induction 1 as [|a N Na D IH]; cbn; [constructor|]. destruct (Nat.eq_dec u a); auto. constructor; auto.
  intro I. apply in_remove in I. tauto.
Qed.

Lemma remove_length u N : NoDup N -> length N <= S (length (remove Nat.eq_dec u N)).
Proof.
  induction 1 as [|a N Na D IH]; cbn; auto. destruct (Nat.eq_dec u a) as [->|]; cbn; [|lia].
  rewrite notin_remove; auto.
Qed.

(* Gossip by one-way calls (Harary & Schwenk 1974): until somebody knows all there were as many calls as all others, and
   then as many as there are more who know all in the end. *)
Lemma calls (N : list nat) (l : list message) (W : list nat) :
  NoDup N -> N <> [] -> NoDup W -> W <> [] -> (forall w u, In w W -> In u N -> know l w u) ->
  length N + length W <= length l + 2.
Proof.
  intros HN SN. revert W. induction l as [|m l IH]; intros W HW SW K.
  - destruct N as [|u N]; [congruence|]. destruct W as [|w W]; [congruence|]. cbn in K.
    assert (W = []).
    { destruct W as [|w' W]; auto. exfalso. inversion HW as [|? ? Nw _]; subst. apply Nw.
      rewrite (K w u), <- (K w' u); cbn; auto. }
    assert (N = []).
    { destruct N as [|u' N]; auto. exfalso. inversion HN as [|? ? Nu _]; subst. apply Nu.
      rewrite <- (K w u), (K w u'); cbn; auto. }
    subst. cbn. lia.
  - destruct (in_dec Nat.eq_dec (to m) W) as [I|I].
    + destruct (in_split _ _ I) as (A & B & ->).
      assert (D : NoDup (A ++ B) /\ ~ In (to m) (A ++ B)) by (apply NoDup_remove; auto). destruct D as [D1 D2].
      rewrite app_length. cbn [length].
      destruct (A ++ B) as [|x C] eqn:E.
      * apply app_eq_nil in E. destruct E as [-> ->]. cbn [length app] in *.
        assert (Sub : incl (remove Nat.eq_dec (to m) N) (map from (m :: l))).
        { intros u Iu. apply in_remove in Iu. destruct Iu as [Iu Nu].
          assert (Kn : know (m :: l) (to m) u) by (apply K; cbn; auto). apply know_from in Kn.
          destruct Kn as [Eq|F]; [congruence|auto]. }
        apply NoDup_incl_length in Sub; [|now apply remove_distinct].
        rewrite map_length in Sub. cbn [length] in Sub. pose proof (remove_length (to m) N HN). lia.
      * assert (L : length N + length (A ++ B) <= length l + 2).
        { apply IH; auto.
          - now rewrite E.
          - now rewrite E.
          - intros w u Iw Iu. apply (know_other m).
            + apply K; auto. apply in_app_iff in Iw. apply in_app_iff. cbn. tauto.
            + intros ->. rewrite E in Iw. auto. }
        rewrite app_length in L. lia.
    + assert (L : length N + length W <= length l + 2); [|cbn; lia]. apply IH; auto.
      intros w u Iw Iu. apply (know_other m); auto. intros ->. auto.
Qed.

(* ---- the messages of a block, and what its partial results can have ---- *)

Definition of_block (s : schedule) (b : nat) : list message := filter (fun m => what m =? b) (messages s).

Fixpoint latest (s : schedule) (b r : nat) : list message :=
  match r with
  | 0 => []
  | S r' => filter (fun m => when m =? r) (of_block s b) ++ latest s b r'
  end.

Lemma know_round l k v u m : In m l -> v = to m -> know k (from m) u -> know (l ++ k) v u.
Proof.
  induction l as [|x l IH]; cbn; [tauto|]. intros [->|I] E K; auto. right. split; auto. now apply know_more.
Qed.

Lemma part_know s b r v u : part s b r v u = true -> know (latest s b r) v u.
Proof.
  revert v u. induction r as [|r IH]; intros v u; cbn [part latest].
  - rewrite andb_true_iff, Nat.eqb_eq. intros [_ ->]. reflexivity.
  - assert (B : existsb (fun m => part s b r (from m) u) (arriving s b (S r) v) = true ->
                know (filter (fun m => when m =? S r) (of_block s b) ++ latest s b r) v u).
    { intro E. apply existsb_exists in E. destruct E as (m & I & P). unfold arriving in I.
      apply filter_In in I. rewrite !andb_true_iff, !Nat.eqb_eq in I. destruct I as (I & (W & Eb) & T).
      apply know_round with (m := m); auto. unfold of_block. rewrite !filter_In, !Nat.eqb_eq. auto. }
    destruct (existsb (fun m => negb (adds m)) (arriving s b (S r) v)); auto.
    intro P. apply orb_true_iff in P. destruct P as [P|P]; auto. apply know_more. auto.
Qed.

Lemma latest_length s b r : length (latest s b r) <= length (of_block s b).
Proof.
  assert (E : length (latest s b r) =
              list_sum (map (fun t => length (filter (fun m => when m =? t) (of_block s b))) (seq 1 r))).
  { induction r as [|r IH]; auto. cbn [latest]. rewrite app_length, IH, seq_S, map_app, list_sum_app. cbn. lia. }
  rewrite E. apply (by_key_le when Nat.eqb Nat.eqb_eq). apply seq_NoDup.
Qed.

Section Needs.

Variable s : schedule.
Hypothesis s_valid : valid s.

Local Notation g := (on s).
Local Notation c := (aim s).

Definition wanters (b : nat) : list nat := filter (fun v => wants g c v b) (seq 0 (nodes g)).

Lemma in_wanters b v : In v (wanters b) <-> wants g c v b = true.
Proof.
  unfold wanters. rewrite filter_In, in_seq. split; [tauto|]. intro W. split; auto.
  unfold wants, member in W. rewrite !andb_true_iff, Nat.ltb_lt in W. lia.
Qed.

(* A block that is combined: as many messages as there are others, and as many as want it, but for the first. *)
Theorem combined_block_needs b :
  combines c = true -> b < blocks g c -> 1 <= length (wanters b) ->
  size g + length (wanters b) <= length (of_block s b) + 2.
Proof.
  intros C L W. destruct s_valid as (_ & _ & _ & _ & _ & D). rewrite C in D. destruct D as (_ & _ & D).
  eapply Nat.le_trans; [|apply Nat.add_le_mono_r, (latest_length s b (rounds s))].
  destruct (wanters b) as [|w0 ws] eqn:E; [cbn in W; lia|]. rewrite <- E in *.
  assert (W0 : wants g c w0 b = true) by (apply in_wanters; rewrite E; cbn; auto).
  apply calls.
  - apply members_distinct.
  - intro N. assert (I : In w0 (members g)); [|rewrite N in I; auto]. apply in_members.
    unfold wants in W0. rewrite andb_true_iff in W0. tauto.
  - apply NoDup_filter, seq_NoDup.
  - now rewrite E.
  - intros w u Iw Iu. apply part_know. apply D; [auto| |now apply in_members]. now apply in_wanters.
Qed.

(* A block that moves as it is: a message to each that wants it and has it not. *)
Definition lacking (b : nat) : list nat := filter (fun v => negb (holds g c v b)) (wanters b).

Theorem stored_block_needs b : combines c = false -> b < blocks g c -> length (lacking b) <= length (of_block s b).
Proof.
  intros C L. destruct s_valid as (_ & _ & _ & _ & _ & D). rewrite C in D. destruct D as (_ & D).
  rewrite <- (map_length to (of_block s b)). apply NoDup_incl_length.
  - apply NoDup_filter, NoDup_filter, seq_NoDup.
  - intros v I. unfold lacking in I. apply filter_In in I. destruct I as [I N]. apply in_wanters in I.
    destruct (D v b L I) as [H|(m & Im & E & <-)]; [now rewrite H in N|]. apply in_map. unfold of_block.
    apply filter_In. now rewrite Nat.eqb_eq.
Qed.

(* All blocks together. *)
Lemma all_blocks_need n :
  (forall b, b < blocks g c -> n <= length (of_block s b)) -> blocks g c * n <= length (messages s).
Proof.
  intro H. rewrite <- (seq_length (blocks g c) 0) at 1.
  eapply Nat.le_trans; [|apply (by_key_le what Nat.eqb Nat.eqb_eq) with (ks := seq 0 (blocks g c)); apply seq_NoDup].
  apply sum_least. intros b I. apply in_seq in I. apply H. lia.
Qed.

Lemma rounds_for n :
  (forall b, b < blocks g c -> n <= length (of_block s b)) ->
  blocks g c * n <= packet_tokens (under s) * (rounds s * room g (link (under s))).
Proof. intro H. eapply Nat.le_trans; [now apply all_blocks_need|]. now apply room_of_all_rounds. Qed.

Lemma wanters_all b : (forall v, wants g c v b = member g v) -> wanters b = members g.
Proof. intro H. unfold wanters, members. now apply filter_ext. Qed.

Lemma one_holder b r : (forall v, holds g c v b = true -> member g v = true /\ rank g v = r) ->
  wanters b = members g -> size g - 1 <= length (lacking b).
Proof.
  intros H E. unfold lacking. rewrite E. unfold size.
  assert (D : length (filter (fun v => holds g c v b) (members g)) <= 1).
  { destruct (filter (fun v => holds g c v b) (members g)) as [|x [|y l]] eqn:F; cbn; try lia. exfalso.
    assert (Ix : In x (filter (fun v => holds g c v b) (members g))) by (rewrite F; cbn; auto).
    assert (Iy : In y (filter (fun v => holds g c v b) (members g))) by (rewrite F; cbn; auto).
    apply filter_In in Ix, Iy. destruct (H x (proj2 Ix)) as [Mx Rx], (H y (proj2 Iy)) as [My Ry].
    assert (x = y) by (apply (rank_inj g); congruence). subst y.
    assert (N : NoDup (filter (fun v => holds g c v b) (members g))) by apply NoDup_filter, members_distinct.
    rewrite F in N. inversion N as [|? ? Nx _]. apply Nx. cbn. auto. }
  pose proof (filter_length_split (fun v => holds g c v b) (members g)) as S. cbv beta in S. lia.
Qed.

End Needs.
