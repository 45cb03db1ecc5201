(* SPDX-License-Identifier: MIT *)
(* Gossip on tori of two axes, all sides >= 3, in as many rounds as the count bound says, in both link modes. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid spec.Repeat bounds.Counting bounds.Room bounds.Rounds.
From Gossipfab Require Import torus.Group torus.Translates torus.Plane torus.HalfTree torus.FullTree.
Import ListNotations.

(* ---- what no gossip on a torus can do, whatever its axes ---- *)

(* Directions in which all nodes can send at once. *)
Definition ways (l : link_mode) (sides : list nat) : nat :=
  match l with Half => length sides | Full => 2 * length sides end.

Section Room.

Variable sides : list nat.
Local Notation n := (product sides).

Lemma units_length : length (units sides) = length sides.
Proof. induction sides as [|a l IH]; auto. cbn. now rewrite map_length, IH. Qed.

Lemma one_unit e :
  list_sum (map (fun a => if plus sides (fst a) e =? snd a then 1 else 0) (arcs (torus sides))) <= n /\
  list_sum (map (fun a => if plus sides (snd a) e =? fst a then 1 else 0) (arcs (torus sides))) <= n.
Proof.
  unfold arcs. change (nodes (torus sides)) with n. rewrite !sum_prod. cbn [fst snd]. split.
  - apply Nat.le_trans with (length (seq 0 n) * 1); [|rewrite seq_length; lia]. apply sum_const. intros u _.
    apply (one_key (plus sides u) Nat.eqb Nat.eqb_eq e). apply seq_NoDup.
  - rewrite (sum_swap (fun u v => if plus sides v e =? u then 1 else 0)).
    apply Nat.le_trans with (length (seq 0 n) * 1); [|rewrite seq_length; lia]. apply sum_const. intros v _.
    apply (one_key (plus sides v) Nat.eqb Nat.eqb_eq e). apply seq_NoDup.
Qed.

Lemma all_arcs :
  list_sum (map (fun a => weight (torus sides) (fst a) (snd a)) (arcs (torus sides))) <= 2 * length sides * n.
Proof.
  rewrite <- units_length. cbn [weight torus]. induction (units sides) as [|e l IH]; cbn [existsb].
  - rewrite sum_zero; auto.
  - destruct (one_unit e) as [U1 U2].
    eapply Nat.le_trans; [apply sum_le with (g := fun a =>
      ((if plus sides (fst a) e =? snd a then 1 else 0) + (if plus sides (snd a) e =? fst a then 1 else 0)) +
      (if existsb (fun e => (plus sides (fst a) e =? snd a) || (plus sides (snd a) e =? fst a)) l then 1 else 0))|].
    + intros a _. destruct (plus sides (fst a) e =? snd a), (plus sides (snd a) e =? fst a), (existsb _ l); cbn; lia.
    + rewrite !sum_plus. cbn [length]. lia.
Qed.

Lemma torus_room l : room (torus sides) l <= ways l sides * n.
Proof.
  pose proof all_arcs as T. destruct l; cbn [room ways].
  - (* Each link twice among all arcs. *)
    set (up := fun a : nat * nat => if fst a <? snd a then weight (torus sides) (fst a) (snd a) else 0).
    set (down := fun a : nat * nat => if snd a <? fst a then weight (torus sides) (fst a) (snd a) else 0).
    assert (E : list_sum (map up (arcs (torus sides))) = list_sum (map down (arcs (torus sides)))).
    { unfold up, down, arcs. rewrite !sum_prod. cbn [fst snd].
      rewrite (sum_swap (fun u v => if u <? v then weight (torus sides) u v else 0)). f_equal. apply map_ext. intro v.
      f_equal. apply map_ext. intro u. now rewrite torus_symmetric. }
    assert (L : list_sum (map up (arcs (torus sides))) + list_sum (map down (arcs (torus sides))) <= 2 * length sides *
      n).
    { rewrite <- sum_plus. eapply Nat.le_trans; [|exact T]. apply sum_le. intros [u v] _. unfold up, down.
      cbn [fst snd].
      destruct (Nat.ltb_spec u v), (Nat.ltb_spec v u); lia. }
    apply Nat.le_trans with (list_sum (map up (arcs (torus sides)))); [|lia].
    apply sum_le. intros [u v] _. unfold up. cbn [fst snd].
    destruct (u <? v); [|lia]. rewrite (torus_symmetric sides v u), Nat.max_id. lia.
  - eapply Nat.le_trans; [|exact T]. apply sum_le. intros [u v] _. cbn [fst snd]. destruct (u =? v); lia.
Qed.

End Room.

Theorem torus_count : forall s sides, valid s -> on s = torus sides -> aim s = AllGather (product sides) ->
  1 <= product sides -> product sides - 1 <= packet_tokens (under s) * (rounds s * ways (link (under s)) sides).
Proof.
  intros s sides V O A P. pose proof (all_gather_count s _ V A) as C. unfold all_room in C. rewrite O, torus_size in C.
  pose proof (torus_room sides (link (under s))) as R.
  set (n := product sides) in *. set (r := room _ _) in *. set (w := ways _ _) in *.
  apply Nat.mul_le_mono_pos_l with n; [lia|].
  replace (n * (packet_tokens (under s) * (rounds s * w))) with (packet_tokens (under s) * (rounds s * (w * n))) by lia.
  eapply Nat.le_trans; [exact C|]. now repeat apply Nat.mul_le_mono_l.
Qed.

(* ---- m rows of n nodes ---- *)

(* floor(mn / 2), and ceil((mn - 1) / 4) *)
Definition torus_rounds (l : link_mode) (m n : nat) : nat :=
  match l with Half => m * n / 2 | Full => (m * n + 2) / 4 end.

(* In half duplex the first axis is the shorter, in full duplex the longer. *)
Definition torus_plane (l : link_mode) (m n : nat) : plane :=
  if match l with Half => m <=? n | Full => n <=? m end then Plane m n false else Plane n m true.

Definition torus_plan (l : link_mode) (m n : nat) : plan :=
  let p := torus_plane l m n in
  match l with Half => half_plan (sideA p) (sideB p) | Full => full_plan (sideA p) (sideB p) end.

Definition torus_gossip (l : link_mode) (m n : nat) : schedule :=
  tree_gossip l [n; m] (plan_tree (torus_plane l m n) (torus_plan l m n)).

Lemma torus_plane_sides l m n : plane_sides (torus_plane l m n) = [n; m].
Proof. unfold torus_plane. destruct l; [destruct (m <=? n)|destruct (n <=? m)]; reflexivity. Qed.

Lemma torus_plan_ok l m n : 3 <= m -> 3 <= n ->
  let p := torus_plane l m n in
  3 <= sideA p /\ 3 <= sideB p /\ plan_ok p (torus_plan l m n) l /\
  forall i j, i < sideA p -> j < sideB p -> when_at (torus_plan l m n) i j <= torus_rounds l m n.
Proof.
  intros M N. cbn zeta. unfold torus_plan, torus_plane, torus_rounds. destruct l.
  - destruct (Nat.leb_spec m n) as [L|L]; cbn [sideA sideB]; (split; [lia|split; [lia|split]]).
    + now apply half_plan_ok.
    + now apply half_plan_rounds.
    + apply half_plan_ok; auto; lia.
    + rewrite (Nat.mul_comm m n). apply half_plan_rounds; auto; lia.
  - destruct (Nat.leb_spec n m) as [L|L]; cbn [sideA sideB]; (split; [lia|split; [lia|split]]).
    + now apply full_plan_ok.
    + intros i j _ _. now apply full_plan_rounds.
    + apply full_plan_ok; auto; lia.
    + intros i j _ _. rewrite (Nat.mul_comm m n). apply full_plan_rounds; auto; lia.
Qed.

Lemma pair_ok m n : 3 <= m -> 3 <= n -> sides_ok [n; m].
Proof. intros M N x [<-|[<-|[]]]; auto. Qed.

Lemma pair_product m n : product [n; m] = m * n.
Proof. cbn. lia. Qed.

Lemma torus_gossip_valid l m n : 3 <= m -> 3 <= n -> valid (torus_gossip l m n).
Proof.
  intros M N. destruct (torus_plan_ok l m n M N) as (A3 & B3 & P & _). unfold torus_gossip.
  rewrite <- (torus_plane_sides l m n). apply translates_valid.
  - now apply plane_sides_ok.
  - now apply plan_tree_ok.
Qed.

Lemma least_rounds l m n s : 3 <= m -> 3 <= n ->
  valid s -> on s = torus [n; m] -> under s = plain l -> aim s = AllGather (m * n) -> torus_rounds l m n <= rounds s.
Proof.
  intros M N V O U A. pose proof (torus_count s [n; m] V O) as C. rewrite pair_product, U in C.
  assert (L : m * n - 1 <= 1 * (rounds s * ways l [n; m])) by (apply C; auto; nia).
  unfold torus_rounds. destruct l; cbn [ways length] in L.
  - pose proof (Nat.div_mod (m * n) 2). pose proof (Nat.mod_upper_bound (m * n) 2). lia.
  - pose proof (Nat.div_mod (m * n + 2) 4). pose proof (Nat.mod_upper_bound (m * n + 2) 4). lia.
Qed.

(* The torus theorem. *)
Theorem torus_optimal : forall l m n, 3 <= m -> 3 <= n ->
  let s := torus_gossip l m n in
  valid s /\ on s = torus [n; m] /\ under s = plain l /\ aim s = AllGather (m * n) /\
  rounds s = torus_rounds l m n /\
  forall s', valid s' -> on s' = on s -> under s' = under s -> aim s' = aim s -> rounds s <= rounds s'.
Proof.
  intros l m n M N s. pose proof (torus_gossip_valid l m n M N) as V. fold s in V.
  assert (A : aim s = AllGather (m * n)) by (unfold s, torus_gossip; cbn [aim tree_gossip translates tree_schedule];
    now rewrite pair_product).
  assert (R : rounds s = torus_rounds l m n).
  { apply Nat.le_antisymm; [|apply least_rounds; auto; reflexivity].
    destruct (torus_plan_ok l m n M N) as (A3 & B3 & P & Q). unfold s, torus_gossip.
    rewrite <- (torus_plane_sides l m n). apply plan_rounds; auto. intros i j (I & J & _). now apply Q. }
  do 2 (split; auto). do 2 (split; [reflexivity || auto|]). split; auto.
  intros s' V' O U A'. rewrite R. apply least_rounds; auto; congruence.
Qed.
