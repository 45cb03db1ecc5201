(* SPDX-License-Identifier: MIT *)
(* Gossips on the n x n mesh that say for each link and round what it sends: when they are valid. *)
From Coq Require Import List Arith NArith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid bounds.Counting torus.Translates mesh.Bound mesh.Fast.
Import ListNotations.

Section Moves.

Variables n rounds_in_all : nat.
Hypothesis some : 1 <= n.

(* Position p of line l: axis 0, rows; axis 1, columns. *)
Definition node (axis l p : nat) : nat := if axis =? 0 then l * n + p else p * n + l.

(* What link k of a line sends in round t + 1, up or down. *)
Variable send : nat -> nat -> nat -> nat -> option (bool * nat).
Definition key : Type := nat * (nat * (nat * nat)).
Definition source (axis l k : nat) (d : bool) : nat := if d then node axis l (k - 1) else node axis l k.
Definition sink (axis l k : nat) (d : bool) : nat := if d then node axis l k else node axis l (k - 1).
Definition packets_at (x : key) : list packet :=
  let '(t, (axis, (l, k))) := x in
  match send t axis l k with
  | Some (d, s) => [Packet (S t) [source axis l k d; sink axis l k d] [Item s false]]
  | None => []
  end.
Definition keys : list key :=
  list_prod (seq 0 rounds_in_all) (list_prod [0; 1] (list_prod (seq 0 n) (seq 1 (n - 1)))).
Definition gossip_of : schedule :=
  Schedule (mesh n n) (plain Half) (AllGather (n * n)) (flat_map packets_at keys).

Definition sends_there (t axis l k : nat) (d : bool) (s : nat) : Prop :=
  t < rounds_in_all /\ axis < 2 /\ l < n /\ 1 <= k < n /\ send t axis l k = Some (d, s).
Hypothesis tokens : forall t axis l k d s, sends_there t axis l k d s -> s < n * n.
Hypothesis causal : forall t axis l k d s, sends_there t axis l k d s ->
  source axis l k d = s \/
  exists t' axis' l' k' d', t' < t /\ sends_there t' axis' l' k' d' s /\ sink axis' l' k' d' = source axis l k d.
Hypothesis complete : forall v s, v < n * n -> s < n * n ->
  v = s \/ exists t axis l k d, sends_there t axis l k d s /\ sink axis l k d = v.

Lemma in_keys t axis l k : In (t, (axis, (l, k))) keys <-> t < rounds_in_all /\ axis < 2 /\ l < n /\ 1 <= k < n.
Proof. unfold keys. rewrite !in_prod_iff, !in_seq. cbn [In]. lia. Qed.

Lemma keys_once : NoDup keys.
Proof.
  unfold keys. repeat apply NoDup_list_prod; try apply seq_NoDup. constructor; [cbn; lia|]. constructor; [cbn; lia|].
  constructor.
Qed.

Lemma in_gossip p : In p (packets gossip_of) <-> exists t axis l k d s, sends_there t axis l k d s /\
  p = Packet (S t) [source axis l k d; sink axis l k d] [Item s false].
Proof.
  cbn [packets gossip_of]. rewrite in_flat_map. split.
  - intros ([t [axis [l k]]] & I & H). apply in_keys in I. cbn in H. destruct (send t axis l k) as [[d s]|] eqn:E;
      [|destruct H]. destruct H as [<-|[]]. exists t, axis, l, k, d, s. unfold sends_there. tauto.
  - intros (t & axis & l & k & d & s & (A & B & C & D & E) & ->). exists (t, (axis, (l, k))). split.
    + apply in_keys. tauto.
    + cbn. rewrite E. cbn. auto.
Qed.

Lemma node_lt axis l p : l < n -> p < n -> node axis l p < n * n.
Proof. intros L P. unfold node. destruct (axis =? 0); nia. Qed.

Lemma row_of a b : b < n -> (a * n + b) / n = a.
Proof. intro B. rewrite Nat.add_comm, Nat.div_add, Nat.div_small; lia. Qed.
Lemma column_of a b : b < n -> (a * n + b) mod n = b.
Proof. intro B. rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small; lia. Qed.

Lemma place_inj a b a' b' : b < n -> b' < n -> a * n + b = a' * n + b' -> a = a' /\ b = b'.
Proof.
  intros B B' E. split; [rewrite <- (row_of a b B), E; now apply row_of|].
  rewrite <- (column_of a b B), E. now apply column_of.
Qed.

Lemma link_weight axis l k : axis < 2 -> l < n -> 1 <= k < n ->
  weight (mesh n n) (node axis l (k - 1)) (node axis l k) = 1.
Proof.
  intros A L K. cbn [weight mesh]. unfold node, next_to.
  assert (E : (k =? S (k - 1)) = true) by (apply Nat.eqb_eq; lia).
  destruct (axis =? 0); rewrite !row_of, !column_of, Nat.eqb_refl, E, ?orb_true_r by lia; reflexivity.
Qed.

Lemma way axis l k d : axis < 2 -> l < n -> 1 <= k < n ->
  weight (mesh n n) (source axis l k d) (sink axis l k d) = 1 /\ source axis l k d <> sink axis l k d /\
  source axis l k d < n * n /\ sink axis l k d < n * n.
Proof.
  intros A L K. pose proof (link_weight axis l k A L K) as W.
  assert (D : node axis l (k - 1) <> node axis l k).
  { unfold node. destruct (axis =? 0); [lia|]. intro E. apply place_inj in E; lia. }
  pose proof (node_lt axis l k ltac:(lia) ltac:(lia)). pose proof (node_lt axis l (k - 1) ltac:(lia) ltac:(lia)).
  destruct d; cbn [source sink]; auto. rewrite mesh_symmetric. auto.
Qed.

(* A link has one key. *)
Lemma link_key axis l k axis' l' k' : axis < 2 -> axis' < 2 -> l < n -> l' < n -> 1 <= k < n -> 1 <= k' < n ->
  node axis l (k - 1) = node axis' l' (k' - 1) -> node axis l k = node axis' l' k' -> axis = axis' /\ l = l' /\ k = k'.
Proof.
  intros A A' L L' K K' E F. unfold node in *.
  destruct axis as [|[|axis]]; [| |lia]; destruct axis' as [|[|axis']]; try lia; cbn [Nat.eqb] in *;
    apply place_inj in E; apply place_inj in F; lia.
Qed.

Lemma low_high axis l k : 1 <= k < n -> node axis l (k - 1) < node axis l k.
Proof. intro K. unfold node. destruct (axis =? 0); nia. Qed.

Lemma same_link axis l k d axis' l' k' d' a b : axis < 2 -> axis' < 2 -> l < n -> l' < n -> 1 <= k < n ->
  1 <= k' < n -> source axis l k d = a /\ sink axis l k d = b \/ source axis l k d = b /\ sink axis l k d = a ->
  source axis' l' k' d' = a /\ sink axis' l' k' d' = b \/ source axis' l' k' d' = b /\ sink axis' l' k' d' = a ->
  axis = axis' /\ l = l' /\ k = k'.
Proof.
  intros A A' L L' K K' E F. pose proof (low_high axis l k K). pose proof (low_high axis' l' k' K').
  apply link_key; auto; destruct d, d'; cbn [source sink] in *; lia.
Qed.

Lemma at_most_one {K A} (f : K -> list A) (g : A -> bool) ks : NoDup ks ->
  (forall x, In x ks -> length (f x) <= 1) ->
  (forall x y a b, In x ks -> In y ks -> In a (f x) -> In b (f y) -> g a = true -> g b = true -> x = y) ->
  length (filter g (flat_map f ks)) <= 1.
Proof.
  intros N. induction N as [|x ks Nx N IH]; intros O H; cbn; auto. rewrite filter_app, app_length.
  pose proof (filter_length g (f x)) as Fx. pose proof (O x (or_introl eq_refl)) as Ox.
  destruct (filter g (f x)) as [|a r] eqn:E.
  - cbn. apply IH; intros; [apply O|eapply H]; cbn; eauto.
  - assert (Ia : In a (filter g (f x))) by (rewrite E; cbn; auto). apply filter_In in Ia.
    assert (Z : filter g (flat_map f ks) = []).
    { destruct (filter g (flat_map f ks)) as [|b r'] eqn:E'; auto. exfalso.
      assert (Ib : In b (filter g (flat_map f ks))) by (rewrite E'; cbn; auto). apply filter_In in Ib.
      destruct Ib as [Ib Gb]. apply in_flat_map in Ib. destruct Ib as (y & Iy & Ib). apply Nx.
      rewrite (H x y a b); cbn; auto; tauto. }
    rewrite Z. cbn [length] in *. lia.
Qed.

Lemma gossip_links : links_ok gossip_of.
Proof.
  intros r u v. change (on gossip_of) with (mesh n n). set (L := in_round gossip_of r).
  assert (Sh : forall p, In p L -> exists t axis l k d s, sends_there t axis l k d s /\
    p = Packet (S t) [source axis l k d; sink axis l k d] [Item s false]).
  { intros p I. apply filter_In in I. now apply in_gossip. }
  assert (Us : forall a b, uses gossip_of r a b = length (filter (fun p => (origin p =? a) && (target p =? b)) L)).
  { intros a b. unfold uses. fold L. clear - Sh. induction L as [|p ps IH]; auto.
    destruct (Sh p (or_introl eq_refl)) as (t & axis & l & k & d & s & _ & ->).
    specialize (IH (fun q I => Sh q (or_intror I))).
    cbn [flat_map filter path hops app origin target hd last]. cbn [count_occ]. rewrite IH. unfold origin, target.
    cbn [path hd last]. destruct (hop_dec _ _) as [Q|Q].
    - injection Q as -> ->. now rewrite !Nat.eqb_refl.
    - destruct (Nat.eqb_spec (source axis l k d) a), (Nat.eqb_spec (sink axis l k d) b); subst; auto. congruence. }
  assert (W : forall a b, 1 <= uses gossip_of r a b -> weight (mesh n n) a b = 1 /\ a <> b).
  { intros a b H. rewrite Us in H.
    destruct (filter (fun p => (origin p =? a) && (target p =? b)) L) as [|p ps] eqn:Q; [cbn in H; lia|].
    assert (I : In p (filter (fun p => (origin p =? a) && (target p =? b)) L)) by (rewrite Q; cbn; auto).
    apply filter_In in I. destruct I as [I T].
    destruct (Sh p I) as (t & axis & l & k & d & s & (_ & A & B & C & _) & ->).
    rewrite andb_true_iff, !Nat.eqb_eq in T. unfold origin, target in T. cbn in T. destruct T as [<- <-].
    destruct (way axis l k d A B C) as (X & Y & _). auto. }
  assert (T : uses gossip_of r u v + uses gossip_of r v u <= 1 \/ u = v).
  { destruct (Nat.eq_dec u v) as [|Ne]; auto. left. rewrite !Us.
    pose proof (at_most_one packets_at
      (fun p => (round p =? r) && ((origin p =? u) && (target p =? v) || (origin p =? v) && (target p =? u))) keys
      keys_once) as O.
    eapply Nat.le_trans; [|apply O].
    - unfold L, in_round. cbn [packets gossip_of]. rewrite !length_filter.
      generalize (flat_map packets_at keys). intro ps. induction ps as [|p ps IH]; auto. cbn.
      destruct (round p =? r); cbn [map list_sum fold_right andb]; auto. unfold list_sum in IH. cbn.
      destruct (Nat.eqb_spec (origin p) u), (Nat.eqb_spec (target p) v), (Nat.eqb_spec (origin p) v),
        (Nat.eqb_spec (target p) u); cbn; lia.
    - intros [t [axis [l k]]] _. cbn. destruct (send t axis l k) as [[d s]|]; cbn; auto.
    - intros [t [axis [l k]]] [t' [axis' [l' k']]] a b I I' Ia Ib Ga Gb. apply in_keys in I, I'. cbn in Ia, Ib.
      destruct (send t axis l k) as [[d s]|]; [|destruct Ia].
      destruct (send t' axis' l' k') as [[d' s']|]; [|destruct Ib].
      destruct Ia as [<-|[]]. destruct Ib as [<-|[]]. unfold origin, target in *. cbn [round path hd last] in *.
      rewrite andb_true_iff, orb_true_iff, !andb_true_iff, !Nat.eqb_eq in Ga, Gb.
      destruct (same_link axis l k d axis' l' k' d' u v) as (-> & -> & ->); try tauto.
      replace t' with t by lia. reflexivity. }
  assert (Sy : weight (mesh n n) v u = weight (mesh n n) u v) by apply mesh_symmetric.
  pose proof (W u v) as W1. pose proof (W v u) as W2. rewrite Sy in *.
  assert (G : uses gossip_of r u v + uses gossip_of r v u <= weight (mesh n n) u v).
  { destruct (Nat.eq_dec (uses gossip_of r u v) 0) as [Z|Z];
      [destruct (Nat.eq_dec (uses gossip_of r v u) 0) as [Z'|Z']|].
    - lia.
    - destruct W2 as [-> Ne]; [lia|]. destruct T as [T|T]; [lia|congruence].
    - destruct W1 as [-> Ne]; [lia|]. destruct T as [T|T]; [lia|congruence]. }
  split; [lia|]. intros _. lia.
Qed.

Lemma in_messages t axis l k d s : sends_there t axis l k d s ->
  In (Message (S t) s (source axis l k d) (sink axis l k d) false) (messages gossip_of).
Proof.
  intro H. apply in_flat_map. exists (Packet (S t) [source axis l k d; sink axis l k d] [Item s false]). split.
  - apply in_gossip. exists t, axis, l, k, d, s. auto.
  - cbn. auto.
Qed.

Lemma holds_own v b : v < n * n -> b < n * n -> holds (mesh n n) (AllGather (n * n)) v b = (b =? v).
Proof.
  intros V B. pose proof (mesh_holds (N.of_nat n)) as H. rewrite Nat2N.id in H. apply H; auto. lia.
Qed.

Lemma gossip_valid : valid gossip_of.
Proof.
  split; [split; cbn; lia|]. split; [split; [cbn; nia|]|].
  { change ((n * n) mod size (mesh n n) = 0). rewrite mesh_size by lia. apply Nat.mod_same. nia. }
  split.
  { intros p I. apply in_gossip in I. destruct I as (t & axis & l & k & d & s & H & ->).
    pose proof (tokens _ _ _ _ _ _ H) as Ls. destruct H as (_ & A & B & C & _).
    destruct (way axis l k d A B C) as (_ & Ne & La & Lb). unfold packet_ok. cbn [round path items] in *.
    split; [lia|]. split; [cbn; lia|]. split; [repeat constructor; cbn; intuition lia|].
    split; [intros v [<-|[<-|[]]]; cbn; lia|]. split; [auto|]. split; [cbn; lia|].
    split; [repeat constructor; cbn; auto|]. intros i [<-|[]]. cbn. lia. }
  split; [apply gossip_links|]. split; [split; [intro H; discriminate H|now apply relays_none]|].
  cbn [combines aim gossip_of]. split.
  - intros x I. apply in_flat_map in I. destruct I as (p & Ip & I). apply in_gossip in Ip.
    destruct Ip as (t & axis & l & k & d & s & H & ->). destruct I as [<-|[]]. split; [reflexivity|].
    cbn [from what when to]. change (origin _) with (source axis l k d). change (block _) with s.
    change (on gossip_of) with (mesh n n). change (round _) with (S t).
    pose proof (tokens _ _ _ _ _ _ H) as Ls.
    destruct (causal _ _ _ _ _ _ H) as [E|(t' & axis' & l' & k' & d' & L & H' & E)].
    + left. destruct H as (_ & A & B & C & _). destruct (way axis l k d A B C) as (_ & _ & La & _).
      rewrite holds_own by auto. apply Nat.eqb_eq. auto.
    + right. exists (Message (S t') s (source axis' l' k' d') (sink axis' l' k' d') false).
      split; [now apply in_messages|]. cbn. split; auto. split; auto. lia.
  - intros v b B Wn. change (on gossip_of) with (mesh n n). change (blocks _ _) with (n * n) in B.
    assert (V : v < n * n).
    { unfold wants, member in Wn. rewrite !andb_true_iff in Wn. destruct Wn as [[Wn _] _]. now apply Nat.ltb_lt in Wn. }
    destruct (complete v b V B) as [->|(t & axis & l & k & d & H & E)].
    + left. rewrite holds_own by auto. apply Nat.eqb_refl.
    + right. exists (Message (S t) b (source axis l k d) (sink axis l k d) false).
      split; [now apply in_messages|]. cbn. auto.
Qed.

Lemma gossip_rounds : rounds gossip_of <= rounds_in_all.
Proof.
  unfold rounds. apply list_max_le. rewrite Forall_forall. intros r I. apply in_map_iff in I.
  destruct I as (p & <- & I). apply in_gossip in I. destruct I as (t & axis & l & k & d & s & (T & _) & ->). cbn. lia.
Qed.

End Moves.
