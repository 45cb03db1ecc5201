(* SPDX-License-Identifier: MIT *)
(* Gossip on meshes, half duplex: the count bound, which is n (n + 1) / 2 rounds on n x n nodes. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting bounds.Room bounds.Rounds.
From Gossipfab Require Import torus.Translates.
Import ListNotations.

(* m rows of n nodes: nodes that differ by one in one coordinate are linked. *)
Definition next_to (a b : nat) : bool := (a =? S b) || (b =? S a).
Definition mesh (m n : nat) : graph :=
  Graph (m * n)
    (fun u v => if (u / n =? v / n) && next_to (u mod n) (v mod n) || (u mod n =? v mod n) && next_to (u / n) (v / n)
                then 1 else 0)
    (fun _ => false) (fun _ => true) (fun _ => true).

Section Room.

Variables m n : nat.
Hypothesis some : 1 <= n.

Lemma next_to_sym a b : next_to a b = next_to b a.
Proof. apply orb_comm. Qed.

Lemma mesh_symmetric u v : weight (mesh m n) u v = weight (mesh m n) v u.
Proof.
  cbn. rewrite (Nat.eqb_sym (u / n)), (Nat.eqb_sym (u mod n)), (next_to_sym (u mod n)), (next_to_sym (u / n)).
  reflexivity.
Qed.

Definition right (u v : nat) : nat := if (S (u mod n) <? n) && (S u =? v) then 1 else 0.
Definition down (u v : nat) : nat := if (u + n <? m * n) && (u + n =? v) then 1 else 0.

Lemma mesh_weight u v : u < v < m * n -> weight (mesh m n) u v <= right u v + down u v.
Proof.
  intro L. assert (N : n <> 0) by lia. pose proof (Nat.div_mod u n N) as U. pose proof (Nat.div_mod v n N) as V.
  pose proof (Nat.mod_upper_bound u n N) as Mu. pose proof (Nat.mod_upper_bound v n N) as Mv.
  cbn [weight mesh]. unfold next_to, right, down.
  set (a := u / n) in *. set (b := v / n) in *. set (x := u mod n) in *. set (y := v mod n) in *. clearbody a b x y.
  destruct (Nat.eqb_spec a b) as [<-|D], (Nat.eqb_spec x y) as [<-|E]; cbn [andb orb].
  - lia.
  - destruct (Nat.eqb_spec x (S y)); [lia|]. destruct (Nat.eqb_spec y (S x)) as [F|]; cbn [andb orb]; [|lia].
    destruct (Nat.ltb_spec (S x) n); [|lia]. destruct (Nat.eqb_spec (S u) v); cbn [andb]; lia.
  - destruct (Nat.eqb_spec a (S b)) as [->|F]; [lia|].
    destruct (Nat.eqb_spec b (S a)) as [->|G]; cbn [andb orb]; [|lia].
    destruct (Nat.eqb_spec (u + n) v); [|lia]. destruct (Nat.ltb_spec (u + n) (m * n)); cbn [andb]; lia.
  - lia.
Qed.

Lemma one_target (b : bool) k l : NoDup l ->
  list_sum (map (fun v => if b && (k =? v) then 1 else 0) l) <= if b then 1 else 0.
Proof.
  intro N. destruct b; cbn [andb].
  - apply (one_key (fun _ : nat => k) Nat.eqb Nat.eqb_eq 0 l N).
  - now rewrite sum_zero.
Qed.

Lemma rights : list_sum (map (fun u => if S (u mod n) <? n then 1 else 0) (seq 0 (m * n))) <= m * (n - 1).
Proof.
  induction m as [|k IH]; auto. cbn [Nat.mul]. rewrite (Nat.add_comm n), seq_app, map_app, list_sum_app.
  cbn [Nat.add]. rewrite (seq_from (k * n)), map_map.
  assert (E : list_sum (map (fun x => if S ((k * n + x) mod n) <? n then 1 else 0) (seq 0 n)) <= n - 1); [|lia].
  destruct n as [|j]; [lia|]. rewrite seq_S, map_app, list_sum_app. cbn [Nat.add map list_sum fold_right].
  assert (Q : (k * S j + j) mod S j = j) by (rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small; lia).
  rewrite Q, (proj2 (Nat.ltb_ge (S j) (S j))) by lia.
  pose proof (sum_const (fun x => if S ((k * S j + x) mod S j) <? S j then 1 else 0) 1 (seq 0 j)) as H.
  rewrite seq_length in H. cbn [Nat.add]. rewrite Nat.add_0_r. eapply Nat.le_trans; [apply H|lia].
  intros a _. destruct (_ <? _); lia.
Qed.

Lemma downs : list_sum (map (fun u => if u + n <? m * n then 1 else 0) (seq 0 (m * n))) <= (m - 1) * n.
Proof.
  destruct m as [|k]; auto. cbn [Nat.mul Nat.sub]. rewrite Nat.sub_0_r.
  replace (seq 0 (n + k * n)) with (seq 0 (k * n + n)) by (f_equal; lia).
  rewrite seq_app, map_app, list_sum_app. cbn [Nat.add]. rewrite (sum_zero _ (seq (k * n) n)).
  - pose proof (sum_const (fun u => if u + n <? n + k * n then 1 else 0) 1 (seq 0 (k * n))) as H.
    rewrite seq_length in H. rewrite Nat.add_0_r. eapply Nat.le_trans; [apply H|lia]. intros a _.
    destruct (_ <? _); lia.
  - intros a I. apply in_seq in I. apply (f_equal (fun b : bool => if b then 1 else 0) (y := false)). apply Nat.ltb_ge.
    lia.
Qed.

Lemma mesh_room : room (mesh m n) Half <= m * (n - 1) + (m - 1) * n.
Proof.
  unfold room. apply Nat.le_trans
    with (list_sum (map (fun a => right (fst a) (snd a) + down (fst a) (snd a)) (arcs (mesh m n)))).
  - apply sum_le. intros [u v] I. unfold arcs in I. apply in_prod_iff in I. rewrite !in_seq in I.
    cbn [fst snd nodes mesh] in *.
    destruct (Nat.ltb_spec u v); [|lia]. rewrite (mesh_symmetric v u), Nat.max_id. apply mesh_weight. lia.
  - rewrite sum_plus. unfold arcs. rewrite !sum_prod. change (nodes (mesh m n)) with (m * n). cbn [fst snd].
    apply Nat.add_le_mono; (eapply Nat.le_trans; [apply sum_le; intros u _; apply one_target; apply seq_NoDup|]).
    + apply rights.
    + apply downs.
Qed.

Lemma mesh_size : size (mesh m n) = m * n.
Proof.
  unfold size, members. rewrite filter_true, seq_length; auto. intros v I. apply in_seq in I. unfold member.
  rewrite andb_true_r. now apply Nat.ltb_lt.
Qed.

End Room.

Theorem mesh_count : forall s m n, 1 <= n ->
  valid s -> on s = mesh m n -> under s = plain Half -> aim s = AllGather (m * n) ->
  m * n * (m * n - 1) <= rounds s * (m * (n - 1) + (m - 1) * n).
Proof.
  intros s m n N V O U A. pose proof (all_gather_count s _ V A) as C. unfold all_room in C.
  rewrite O, mesh_size, U in C. cbn [packet_tokens link plain] in C. rewrite Nat.mul_1_l in C.
  eapply Nat.le_trans; [exact C|]. apply Nat.mul_le_mono_l. now apply mesh_room.
Qed.

Definition triangle (n : nat) : nat := n * (n + 1) / 2.

Lemma triangle_least s n : 2 <= n ->
  valid s -> on s = mesh n n -> under s = plain Half -> aim s = AllGather (n * n) -> triangle n <= rounds s.
Proof.
  intros N V O U A. pose proof (mesh_count s n n ltac:(lia) V O U A) as C.
  destruct (Nat.le_gt_cases (triangle n) (rounds s)) as [L|L]; auto. exfalso.
  assert (T : 2 * triangle n <= n * (n + 1)).
  { unfold triangle. pose proof (Nat.div_mod (n * (n + 1)) 2). lia. }
  destruct n as [|k]; [lia|]. replace (S k - 1) with k in C by lia.
  assert (E : S k * S k * (S k * S k - 1) = S k * (S k + 1) * (S k * k)) by nia.
  assert (F : rounds s * (S k * k + k * S k) = 2 * rounds s * (S k * k)) by lia.
  rewrite E, F in C. apply Nat.mul_le_mono_pos_r in C; nia.
Qed.
