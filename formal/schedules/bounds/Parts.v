(* SPDX-License-Identifier: MIT *)
(* Certificates of best rates (docs/theory/long-vectors/rates.md): nodes in parts, messages that have to go between
   them,
   and what the links between them carry in a round; counted by a function, and what that says of every schedule. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat.
From Gossipfab Require Import bounds.Counting bounds.Room bounds.Ranks bounds.Count bounds.Distance.
Import ListNotations.

(* ---- what is counted ---- *)

(* A part for each node. *)
Definition apart (side : nat -> nat) (u v : nat) : bool := negb (side u =? side v).

Definition room_between (g : graph) (l : link_mode) (side : nat -> nat) : nat :=
  match l with
  | Full => list_sum (map (fun a => if apart side (fst a) (snd a) then weight g (fst a) (snd a) else 0) (arcs g))
  | Half => list_sum (map (fun a => if (fst a <? snd a) && apart side (fst a) (snd a)
                                    then max (weight g (fst a) (snd a)) (weight g (snd a) (fst a)) else 0) (arcs g))
  end.

(* The parts of the nodes that a test picks, each once. *)
Definition parts_of (g : graph) (side : nat -> nat) (test : nat -> bool) : list nat :=
  nodup Nat.eq_dec (map side (filter test (seq 0 (nodes g)))).

(* Messages of block b between parts: one into each part that wants it and has it not; of contributions, as many as in a
   gossip by one-way calls among the parts. *)
Definition need (g : graph) (c : goal) (side : nat -> nat) (b : nat) : nat :=
  let wanting := parts_of g side (fun v => wants g c v b) in
  if combines c
  then match wanting with [] => 0 | _ => length (parts_of g side (member g)) + length wanting - 2 end
  else length (filter (fun q => negb (existsb (fun v => holds g c v b && (side v =? q)) (seq 0 (nodes g)))) wanting).

(* Does block b have to cross from part 0 to the others? *)
Definition cut_need (g : graph) (c : goal) (side : nat -> nat) (b : nat) : nat :=
  let all := seq 0 (nodes g) in
  if existsb (fun v => negb (side v =? 0) && wants g c v b) all &&
     (if combines c then existsb (fun u => (side u =? 0) && member g u) all
      else forallb (fun w => negb (holds g c w b) || (side w =? 0)) all)
  then 1 else 0.

Record certificate := Certificate { is_cut : bool; part_of : nat -> nat; demand : nat; capacity : nat }.

(* One block of each owner. *)
Definition unit_goal (g : graph) (c : goal) : goal := with_blocks c (owners g c).

Definition demand_of (g : graph) (c : goal) (cut : bool) (side : nat -> nat) : nat :=
  list_sum (map ((if cut then cut_need else need) g (unit_goal g c) side) (seq 0 (owners g c))).
Definition capacity_of (g : graph) (l : link_mode) (cut : bool) (side : nat -> nat) : nat :=
  if cut then room_across g (fun v => side v =? 0) else room_between g l side.

Definition certificate_ok (g : graph) (l : link_mode) (c : goal) (x : certificate) : bool :=
  (demand x =? demand_of g c (is_cut x) (part_of x)) && (capacity x =? capacity_of g l (is_cut x) (part_of x)).

(* ---- messages between parts, of any schedule ---- *)

Section Parts.

Variable s : schedule.
Hypothesis s_valid : valid s.
Variable side : nat -> nat.

Local Notation g := (on s).
Local Notation c := (aim s).
Local Notation test := (fun a : nat * nat => apart side (fst a) (snd a)).

Lemma between_le t : length (filter test (hops_at s t)) <= room_between g (link (under s)) side.
Proof.
  eapply Nat.le_trans; [apply (picked s s_valid)|]. unfold room_between. destruct (link (under s)) eqn:El.
  - set (f := fun u v => if (u <? v) && apart side u v then uses s t u v else 0).
    set (h := fun u v => if (v <? u) && apart side u v then uses s t u v else 0).
    apply Nat.le_trans with (list_sum (map (fun a => f (fst a) (snd a) + h (fst a) (snd a)) (arcs g))).
    + apply sum_le. intros [u v] _. unfold f, h, apart. cbn [fst snd].
      destruct (Nat.ltb_spec u v), (Nat.ltb_spec v u), (Nat.eqb_spec (side u) (side v)); cbn [andb negb]; try lia.
      assert (u = v) by lia. congruence.
    + rewrite sum_plus, (sum_arcs_turned s h), <- sum_plus. apply sum_le. intros [u v] _. unfold f, h, apart.
      cbn [fst snd]. rewrite (Nat.eqb_sym (side v)). destruct ((u <? v) && _); auto.
      destruct s_valid as (_ & _ & _ & L & _). now apply L.
  - apply sum_le. intros [u v] _. cbn [fst snd]. destruct (apart side u v); auto. apply (uses_le s s_valid).
Qed.

Lemma apart_hop l : apart side (hd 0 l) (last l 0) = true -> exists a, In a (hops l) /\ test a = true.
Proof.
  induction l as [|a [|b l] IH]; intro H.
  - unfold apart in H. cbn in H. rewrite Nat.eqb_refl in H. discriminate H.
  - unfold apart in H. cbn in H. rewrite Nat.eqb_refl in H. discriminate H.
  - destruct (apart side a b) eqn:E; [exists (a, b); split; [cbn; auto|exact E]|].
    destruct IH as (x & I & X); [|exists x; split; auto; cbn; auto].
    unfold apart in *. apply negb_false_iff, Nat.eqb_eq in E. cbn [hd] in *. rewrite <- E. exact H.
Qed.

Definition crossing_messages : list message := filter (fun m => apart side (from m) (to m)) (messages s).

Lemma crossing_room :
  length crossing_messages <= packet_tokens (under s) * (rounds s * room_between g (link (under s)) side).
Proof.
  pose proof (messages_after s s_valid 0 (room_between g (link (under s)) side)
    (fun p => apart side (origin p) (target p))) as R. rewrite Nat.sub_0_r in R.
  eapply Nat.le_trans; [|apply R].
  - unfold crossing_messages, messages. pose proof (round_between s s_valid) as B. apply Nat.eq_le_incl. f_equal.
    clear R.
    induction (packets s) as [|p ps IH]; auto. cbn [flat_map filter].
    rewrite filter_app, IH by (intros; apply B; cbn; auto).
    assert (0 <? round p = true) as -> by (apply Nat.ltb_lt; specialize (B p (or_introl eq_refl)); lia).
    rewrite andb_true_r. unfold messages_of at 1.
    destruct (apart side (origin p) (target p)) eqn:E.
    + cbn [flat_map]. f_equal. unfold messages_of. apply filter_true. intros m I. apply in_map_iff in I.
      destruct I as (i & <- & _). exact E.
    + replace (filter _ (map _ (items p))) with (@nil message); auto. induction (items p) as [|i k IHk]; auto.
      cbn [map filter from to]. now rewrite E.
  - intro t. eapply Nat.le_trans; [|apply between_le]. apply packets_by_hops. intros p _ X. now apply apart_hop.
Qed.

Definition moving (b : nat) : list message := filter (fun m => what m =? b) crossing_messages.

Lemma parts_in (f : nat -> bool) q : In q (parts_of g side f) <-> exists v, v < nodes g /\ f v = true /\ side v = q.
Proof.
  unfold parts_of. rewrite nodup_In, in_map_iff. split.
  - intros (v & E & I). apply filter_In in I. rewrite in_seq in I. exists v. repeat split; tauto || lia.
  - intros (v & L & F & E). exists v. split; auto. apply filter_In. rewrite in_seq. split; auto. lia.
Qed.

Lemma wants_lt v b : wants g c v b = true -> v < nodes g.
Proof. unfold wants, member. rewrite !andb_true_iff, Nat.ltb_lt. tauto. Qed.

Lemma holds_lt v b : holds g c v b = true -> v < nodes g.
Proof. unfold holds, member. rewrite !andb_true_iff, Nat.ltb_lt. tauto. Qed.

Lemma stored_need b : combines c = false -> b < blocks g c -> need g c side b <= length (moving b).
Proof.
  intros C L. unfold need. rewrite C. rewrite <- (map_length (fun m => side (to m)) (moving b)).
  apply NoDup_incl_length; [apply NoDup_filter, NoDup_nodup|].
  intros q I. apply filter_In in I. destruct I as [I H]. apply parts_in in I. destruct I as (v & Lv & W & <-).
  apply negb_true_iff in H.
  destruct (crossing_message s s_valid (fun u => negb (side u =? side v)) b) as (m & Im & Wm & F & T).
  - split; auto. exists v. rewrite Nat.eqb_refl. repeat split; auto. rewrite C. intros w Hw.
    apply negb_true_iff. destruct (Nat.eqb_spec (side w) (side v)) as [E|]; auto. exfalso.
    rewrite <- not_true_iff_false in H. apply H. apply existsb_exists. exists w. rewrite in_seq, Hw, E, Nat.eqb_refl.
    split; auto. pose proof (holds_lt w b Hw). lia.
  - apply negb_false_iff, Nat.eqb_eq in T. apply negb_true_iff in F. apply in_map_iff. exists m. split; auto.
    apply filter_In. rewrite Wm, Nat.eqb_refl. split; auto. apply filter_In. split; auto. unfold apart.
    now rewrite T, F.
Qed.

(* Every part taken as one node. *)
Definition contracted (l : list message) : list message :=
  map (fun m => Message (when m) (what m) (side (from m)) (side (to m)) (adds m))
    (filter (fun m => apart side (from m) (to m)) l).

Lemma know_contracted l v u : know l v u -> know (contracted l) (side v) (side u).
Proof.
  revert v. induction l as [|m l IH]; intros v K; [cbn in *; congruence|]. unfold contracted. cbn [filter].
  cbn [know] in K. destruct (apart side (from m) (to m)) eqn:E; cbn [map know from to].
  - destruct K as [K|[-> K]]; [left|right; split; auto]; now apply IH.
  - apply negb_false_iff, Nat.eqb_eq in E. destruct K as [K|[-> K]]; [now apply IH|]. rewrite <- E. now apply IH.
Qed.

Lemma latest_moving b r : length (contracted (latest s b r)) <= length (moving b).
Proof.
  unfold contracted. rewrite map_length.
  assert (E : length (filter (fun m => apart side (from m) (to m)) (latest s b r)) =
    list_sum (map (fun t => length (filter (fun m => when m =? t) (moving b))) (seq 1 r))).
  { induction r as [|r IH]; auto. cbn [latest]. rewrite filter_app, app_length, IH, seq_S, map_app, list_sum_app.
    cbn [map list_sum fold_right Nat.add]. rewrite Nat.add_0_r, Nat.add_comm. f_equal.
    unfold moving, crossing_messages, of_block. rewrite !length_filter, !sum_filter. f_equal. apply map_ext. intro m.
    destruct (when m =? S r), (what m =? b), (apart side (from m) (to m)); reflexivity. }
  rewrite E. apply (by_key_le when Nat.eqb Nat.eqb_eq). apply seq_NoDup.
Qed.

Lemma combined_need b : combines c = true -> b < blocks g c -> need g c side b <= length (moving b).
Proof.
  intros C L. unfold need. rewrite C. destruct (parts_of g side (fun v => wants g c v b)) as [|q qs] eqn:Q; [lia|].
  rewrite <- Q. assert (H : length (parts_of g side (member g)) + length (parts_of g side (fun v => wants g c v b)) <=
                           length (contracted (latest s b (rounds s))) + 2).
  { apply calls; try apply NoDup_nodup; [|rewrite Q; discriminate|].
    - intro E. assert (I : In q (parts_of g side (fun v => wants g c v b))) by (rewrite Q; cbn; auto).
      apply parts_in in I. destruct I as (v & Lv & W & _).
      assert (I : In (side v) (parts_of g side (member g))); [|rewrite E in I; destruct I].
      apply parts_in. exists v. repeat split; auto. unfold wants in W. now apply andb_true_iff in W.
    - intros w u W U. apply parts_in in W, U. destruct W as (v & Lv & W & <-), U as (x & Lx & U & <-).
      apply know_contracted, part_know. destruct s_valid as (_ & _ & _ & _ & _ & D). rewrite C in D. now apply D. }
  pose proof (latest_moving b (rounds s)). lia.
Qed.

Lemma all_needs : list_sum (map (need g c side) (seq 0 (blocks g c))) <=
  packet_tokens (under s) * (rounds s * room_between g (link (under s)) side).
Proof.
  eapply Nat.le_trans; [|apply crossing_room].
  eapply Nat.le_trans; [|apply (by_key_le what Nat.eqb Nat.eqb_eq) with (ks := seq 0 (blocks g c)); apply seq_NoDup].
  apply sum_le. intros b I. apply in_seq in I. destruct (combines c) eqn:C.
  - apply combined_need; auto; lia.
  - apply stored_need; auto; lia.
Qed.

Lemma all_cut_needs : list_sum (map (cut_need g c side) (seq 0 (blocks g c))) <=
  packet_tokens (under s) * (rounds s * room_across g (fun v => side v =? 0)).
Proof.
  set (bs := filter (fun b => cut_need g c side b =? 1) (seq 0 (blocks g c))).
  eapply Nat.le_trans; [|apply (cut_bound s s_valid _ bs)].
  - unfold bs. rewrite length_filter. apply sum_le. intros b _. unfold cut_need. destruct (_ && _); cbn; lia.
  - apply NoDup_filter, seq_NoDup.
  - intros b I. unfold bs in I. apply filter_In in I. rewrite in_seq, Nat.eqb_eq in I. destruct I as [L N].
    split; [lia|]. unfold cut_need in N. destruct (_ && _) eqn:E in N; [|discriminate N].
    apply andb_true_iff in E. destruct E as [E H]. apply existsb_exists in E. destruct E as (v & _ & V).
    apply andb_true_iff in V. destruct V as [V W]. exists v. apply negb_true_iff in V. repeat split; auto.
    destruct (combines c).
    + apply existsb_exists in H. destruct H as (u & _ & U). apply andb_true_iff in U. exists u. tauto.
    + intros w Hw. rewrite forallb_forall in H. specialize (H w). rewrite in_seq, Hw in H.
      pose proof (holds_lt w b Hw). apply H. lia.
Qed.

End Parts.

(* ---- long vectors: n blocks of each owner ask for n times as much ---- *)

Lemma sum_groups f k n : 1 <= n -> list_sum (map (fun b => f (b / n)) (seq 0 (k * n))) = n * list_sum (map f (seq 0 k)).
Proof.
  intro N. induction k as [|k IH]; [cbn; lia|]. rewrite seq_S, map_app, list_sum_app. cbn [Nat.mul].
  rewrite (Nat.add_comm n (k * n)), seq_app, map_app, list_sum_app, IH. cbn [Nat.add map list_sum fold_right].
  rewrite Nat.add_0_r, Nat.mul_add_distr_l. f_equal.
  rewrite (seq_from (k * n)), map_map. rewrite (map_ext_in _ (fun _ => f k)).
  - clear. induction n as [|n IH] using nat_rect; auto. rewrite seq_S, map_app, list_sum_app, IH. cbn. lia.
  - intros x I. apply in_seq in I. f_equal. rewrite Nat.add_comm, Nat.div_add, Nat.div_small by lia. lia.
Qed.

Lemma unit_owner g n b : 1 <= n -> 1 <= size g -> owner g (size g * n) b = owner g (size g) (b / n).
Proof.
  intros N S. unfold owner. rewrite Nat.div_mul by lia. rewrite (Nat.mul_comm b).
  now rewrite Nat.div_mul_cancel_l by lia.
Qed.

(* A barrier has one block. *)
Definition certifiable (c : goal) (n : nat) : Prop := can_repeat c = true \/ (exists i, c = Barrier i) /\ n = 1.

Section Long.

Variables (g : graph) (c : goal) (n : nat).
Hypothesis some : 1 <= n.
Hypothesis c_ok : certifiable c n.
Hypothesis g_some : 1 <= size g.

Local Notation long := (with_blocks c (owners g c * n)).

Lemma long_blocks : blocks g long = owners g c * n.
Proof. destruct c_ok as [R|[[i ->] ->]]; [|reflexivity]. destruct c; try discriminate R; reflexivity. Qed.

Lemma long_combines : combines long = combines (unit_goal g c).
Proof. now destruct c. Qed.

Lemma long_holds v b : holds g long v b = holds g (unit_goal g c) v (b / n).
Proof.
  unfold unit_goal. destruct c_ok as [R|[[i ->] ->]]; [|reflexivity].
  destruct c; try discriminate R; try reflexivity. unfold holds. cbn [with_blocks owners]. now rewrite unit_owner.
Qed.

Lemma long_wants v b : wants g long v b = wants g (unit_goal g c) v (b / n).
Proof.
  unfold unit_goal. destruct c_ok as [R|[[i ->] ->]]; [|reflexivity].
  destruct c; try discriminate R; try reflexivity. unfold wants. cbn [with_blocks owners]. now rewrite unit_owner.
Qed.

Lemma parts_ext side f h : (forall v, f v = h v) -> parts_of g side f = parts_of g side h.
Proof. intro E. unfold parts_of. now rewrite (filter_ext f h E). Qed.

Lemma existsb_ext {A} (f h : A -> bool) l : (forall a, f a = h a) -> existsb f l = existsb h l.
Proof. intro E. induction l as [|a l IH]; auto. cbn. now rewrite E, IH. Qed.

Lemma forallb_ext {A} (f h : A -> bool) l : (forall a, f a = h a) -> forallb f l = forallb h l.
Proof. intro E. induction l as [|a l IH]; auto. cbn. now rewrite E, IH. Qed.

Lemma long_need side b : need g long side b = need g (unit_goal g c) side (b / n).
Proof.
  unfold need. rewrite long_combines, (parts_ext side _ _ (fun v => long_wants v b)). destruct (combines _); auto.
  f_equal. apply filter_ext. intro q. f_equal. apply existsb_ext. intro v. now rewrite long_holds.
Qed.

Lemma long_cut_need side b : cut_need g long side b = cut_need g (unit_goal g c) side (b / n).
Proof.
  unfold cut_need. rewrite long_combines.
  rewrite (existsb_ext _ (fun v => negb (side v =? 0) && wants g (unit_goal g c) v (b / n))) by (intro;
    now rewrite long_wants).
  destruct (combines _); auto.
  rewrite (forallb_ext _ (fun w => negb (holds g (unit_goal g c) w (b / n)) || (side w =? 0))); auto.
  intro. now rewrite long_holds.
Qed.

End Long.

(* A certificate that counts right bounds the rounds of every schedule, for vectors of every length. *)
Theorem certificate_sound : forall s c n x, 1 <= n -> certifiable c n ->
  valid s -> aim s = with_blocks c (owners (on s) c * n) ->
  certificate_ok (on s) (link (under s)) c x = true ->
  n * demand x <= packet_tokens (under s) * (rounds s * capacity x).
Proof.
  intros s c n x N C V A O. unfold certificate_ok in O. rewrite andb_true_iff, !Nat.eqb_eq in O. destruct O as [-> ->].
  destruct (Nat.eq_dec (size (on s)) 0) as [Z|Z].
  - (* without members there is nothing to do *)
    assert (D : demand_of (on s) c (is_cut x) (part_of x) = 0); [|rewrite D; lia].
    assert (M : forall v, member (on s) v = false).
    { intro v. destruct (member (on s) v) eqn:E; auto. apply in_members in E. unfold size in Z.
      destruct (members (on s)); [destruct E|discriminate Z]. }
    unfold demand_of. apply sum_zero. intros b _.
    assert (W : forall d v, wants (on s) d v b = false) by (intros; unfold wants; now rewrite M).
    destruct (is_cut x).
    + unfold cut_need. replace (existsb _ _) with false; auto. symmetry. apply not_true_iff_false. intro E.
      apply existsb_exists in E. destruct E as (v & _ & E). rewrite W, andb_false_r in E. discriminate E.
    + unfold need, parts_of. rewrite (filter_ext _ (fun _ => false) (fun v => W (unit_goal (on s) c) v)).
      replace (filter (fun _ : nat => false) (seq 0 (nodes (on s)))) with (@nil nat); [now destruct (combines _)|].
      induction (seq 0 (nodes (on s))); auto.
  - assert (S : 1 <= size (on s)) by lia. unfold demand_of, capacity_of. rewrite <- sum_groups by auto.
    pose proof (long_blocks (on s) c n N C) as B. destruct (is_cut x).
    + pose proof (all_cut_needs s V (part_of x)) as R. rewrite A, B in R.
      eapply Nat.le_trans; [|exact R]. apply sum_le. intros b _. rewrite long_cut_need; auto.
    + pose proof (all_needs s V (part_of x)) as R. rewrite A, B in R.
      eapply Nat.le_trans; [|exact R]. apply sum_le. intros b _. rewrite long_need; auto.
Qed.
