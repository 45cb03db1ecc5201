(* SPDX-License-Identifier: MIT *)
(* The teeth of one line of the comb: in a round in which a link carries no path token it sends a tooth, as long as
   quotas are left. Even links choose first, then odd ones. *)
From Coq Require Import List Arith Bool Lia Permutation.
From Gossipfab Require Import comb.Line.
Import ListNotations.

Definition among (l : list token) (x : token) : bool := existsb (same x) l.

Lemma among_in l x : among l x = true <-> In x l.
Proof.
  unfold among. rewrite existsb_exists. split.
  - intros (y & I & E). apply same_eq in E. now subst.
  - intro I. exists x. split; auto. now apply same_eq.
Qed.

Lemma found l f (got : list token) : NoDup l -> NoDup got -> incl got l -> length got < count l f ->
  find (fun x => f x && negb (among got x)) l <> None.
Proof.
  intros N Ng I L F. assert (H : length (filter f l) <= length got); [|unfold count in L; lia].
  apply NoDup_incl_length; [now apply NoDup_filter|]. intros x J. apply filter_In in J. destruct J as [J Fx].
  pose proof (find_none _ _ F x J) as G. cbn in G. rewrite Fx in G. cbn in G. apply negb_false_iff in G.
  now apply among_in.
Qed.

Section Teeth.

Variables n T0 T : nat.
(* A link carries no path token in round t + 1; a position knows a token by the end of round t; the teeth that a
   position needs; how many of them it takes from below and from above. *)
Variable rests : nat -> nat -> bool.
Variable know : nat -> nat -> token -> bool.
Variable need : nat -> list token.
Variables from_below from_above : nat -> nat.
Notation rested := (rested rests).

Hypothesis once : forall j, NoDup (need j).
Hypothesis quotas : forall j, j < n -> length (need j) <= from_below j + from_above j.
Hypothesis bottom : from_below 0 = 0.
Hypothesis top : from_above (n - 1) = 0.
Hypothesis room : forall k, 1 <= k < n -> from_below k + from_above (k - 1) <= rested k T.
Hypothesis at_first : forall k t, 1 <= k < n -> t < T0 -> rests k t = true ->
  (rested k t < from_below k /\
   rested k t + (if S k <? n then rested (S k) (S t) else 0) < count (need k) (know t (k - 1))) \/
  (rested k t < from_above (k - 1) /\
   rested k t + (if 1 <? k then rested (k - 1) (S t) else 0) < count (need (k - 1)) (know t k)).
Hypothesis at_last : forall k t, 1 <= k < n -> T0 <= t ->
  (forall x, In x (need k) -> know t (k - 1) x = true) /\ (forall x, In x (need (k - 1)) -> know t k x = true).

(* What each position has got from below, and from above. *)
Definition gots : Type := (nat -> list token) * (nat -> list token).
Definition has (g : gots) (j : nat) : list token := fst g j ++ snd g j.
Definition tooth_up (g : gots) (t k : nat) : option token :=
  if length (fst g k) <? from_below k then find (fun x => know t (k - 1) x && negb (among (has g k) x)) (need k)
  else None.
Definition tooth_down (g : gots) (t k : nat) : option token :=
  if length (snd g (k - 1)) <? from_above (k - 1)
  then find (fun x => know t k x && negb (among (has g (k - 1)) x)) (need (k - 1)) else None.
Definition tooth (g : gots) (t k : nat) : option (bool * token) :=
  if (1 <=? k) && (k <? n) && rests k t
  then match tooth_up g t k with
       | Some x => Some (true, x)
       | None => match tooth_down g t k with Some x => Some (false, x) | None => None end
       end
  else None.
Definition add (d : bool) (o : option (bool * token)) (l : list token) : list token :=
  match o with Some (d', x) => if eqb d d' then x :: l else l | None => l end.
Definition move (par : bool) (g : gots) (t : nat) : gots :=
  ((fun j => if eqb (Nat.even j) par then add true (tooth g t j) (fst g j) else fst g j),
   (fun j => if eqb (Nat.even (S j)) par then add false (tooth g t (S j)) (snd g j) else snd g j)).
Fixpoint got (t : nat) : gots :=
  match t with 0 => (fun _ => [], fun _ => []) | S t => move false (move true (got t) t) t end.
Definition before (t k : nat) : gots := if Nat.even k then got t else move true (got t) t.
Definition tooth_at (t k : nat) : option (bool * token) := tooth (before t k) t k.

Definition fine (g : gots) : Prop := forall j, NoDup (has g j) /\ incl (has g j) (need j) /\
  length (fst g j) <= from_below j /\ length (snd g j) <= from_above j.

Lemma tooth_some g t k d x : tooth g t k = Some (d, x) -> 1 <= k < n /\ rests k t = true /\
  if d then length (fst g k) < from_below k /\ In x (need k) /\ know t (k - 1) x = true /\ ~ In x (has g k)
  else length (snd g (k - 1)) < from_above (k - 1) /\ In x (need (k - 1)) /\ know t k x = true /\
       ~ In x (has g (k - 1)).
Proof.
  unfold tooth. destruct ((1 <=? k) && (k <? n) && rests k t) eqn:C; [|discriminate].
  rewrite !andb_true_iff, Nat.leb_le, Nat.ltb_lt in C. intro H. split; [tauto|]. split; [tauto|]. clear C.
  destruct (tooth_up g t k) as [y|] eqn:U.
  - injection H as <- <-. unfold tooth_up in U. destruct (Nat.ltb_spec (length (fst g k)) (from_below k));
    [|discriminate].
    apply find_some in U. rewrite andb_true_iff, negb_true_iff, <- not_true_iff_false, among_in in U. tauto.
  - destruct (tooth_down g t k) as [y|] eqn:D; [|discriminate]. injection H as <- <-. unfold tooth_down in D.
    destruct (Nat.ltb_spec (length (snd g (k - 1))) (from_above (k - 1))); [|discriminate].
    apply find_some in D. rewrite andb_true_iff, negb_true_iff, <- not_true_iff_false, among_in in D. tauto.
Qed.

Lemma move_fine par g t : fine g -> fine (move par g t).
Proof.
  intros F j. destruct (F j) as (N & I & B & A). unfold has, move. cbn [fst snd].
  assert (E : Nat.even (S j) = negb (Nat.even j)) by (rewrite Nat.even_succ; symmetry; apply Nat.negb_even).
  rewrite E. destruct (Bool.eqb (Nat.even j) par) eqn:P.
  - assert (Q : Bool.eqb (negb (Nat.even j)) par = false) by (now destruct (Nat.even j), par). rewrite Q.
    destruct (tooth g t j) as [[[|] x]|] eqn:X; cbn [add Bool.eqb]; auto.
    apply tooth_some in X. destruct X as (_ & _ & L & In & _ & Nx). cbn [length app]. unfold has in *.
    split; [constructor; auto|]. split; [|lia]. intros y [<-|J]; auto.
  - assert (Q : Bool.eqb (negb (Nat.even j)) par = true) by (now destruct (Nat.even j), par). rewrite Q.
    destruct (tooth g t (S j)) as [[[|] x]|] eqn:X; cbn [add Bool.eqb]; auto.
    apply tooth_some in X. destruct X as (_ & _ & L & In & _ & Nx). replace (S j - 1) with j in * by lia.
    unfold has in *. split; [|split; [|cbn; lia]].
    + apply (Permutation_NoDup (Permutation_middle (fst g j) (snd g j) x)). constructor; auto.
    + intros y J. apply (Permutation_in _ (Permutation_sym (Permutation_middle (fst g j) (snd g j) x))) in J.
      destruct J as [<-|J]; auto.
Qed.

Lemma got_fine t : fine (got t).
Proof.
  induction t as [|t IH]; [|cbn; now apply move_fine, move_fine]. intro j. cbn. split; [constructor|].
  split; [intros x []|lia].
Qed.

Lemma before_fine t k : fine (before t k).
Proof. unfold before. destruct (Nat.even k); auto using got_fine, move_fine. Qed.

(* What link k moves in a round. *)
Lemma below_step t k : fst (got (S t)) k = add true (tooth_at t k) (fst (got t) k) /\
  fst (before t k) k = fst (got t) k.
Proof.
  unfold tooth_at, before. cbn [got]. unfold move at 1. cbn [fst]. destruct (Nat.even k) eqn:E; cbn [Bool.eqb].
  - unfold move. cbn [fst]. rewrite E. auto.
  - unfold move at 2 4. cbn [fst]. rewrite E. cbn [Bool.eqb]. auto.
Qed.

Lemma above_step t k : 1 <= k -> snd (got (S t)) (k - 1) = add false (tooth_at t k) (snd (got t) (k - 1)) /\
  snd (before t k) (k - 1) = snd (got t) (k - 1).
Proof.
  intro K. destruct k as [|k]; [lia|]. replace (S k - 1) with k by lia. unfold tooth_at, before. cbn [got].
  unfold move at 1. cbn [snd]. destruct (Nat.even (S k)) eqn:E; cbn [Bool.eqb].
  - unfold move. cbn [snd]. rewrite E. auto.
  - unfold move at 2 4. cbn [snd]. rewrite E. cbn [Bool.eqb]. auto.
Qed.

Lemma add_length d o l : length l <= length (add d o l).
Proof. destruct o as [[[|] x]|], d; cbn; lia. Qed.

(* Of one position, while one of its links moves. *)
Lemma before_between t k j : length (fst (got t) j) <= length (fst (before t k) j) <= length (fst (got (S t)) j) /\
  length (snd (got t) j) <= length (snd (before t k) j) <= length (snd (got (S t)) j).
Proof.
  assert (M : forall par g t, length (fst g j) <= length (fst (move par g t) j) /\
                              length (snd g j) <= length (snd (move par g t) j)).
  { intros par g r. unfold move. cbn [fst snd]. destruct (Bool.eqb _ par), (Bool.eqb _ par); auto using add_length. }
  unfold before. cbn [got]. pose proof (M true (got t) t). pose proof (M false (move true (got t) t) t).
  destruct (Nat.even k); lia.
Qed.

Definition sent (k t : nat) : nat := length (fst (got t) k) + length (snd (got t) (k - 1)).

Lemma sent_step k t : 1 <= k -> sent k (S t) = sent k t + match tooth_at t k with Some _ => 1 | None => 0 end.
Proof.
  intro K. unfold sent. destruct (below_step t k) as [-> _]. destruct (above_step t k K) as [-> _].
  destruct (tooth_at t k) as [[[|] x]|]; cbn; lia.
Qed.

Lemma sent_le k t : 1 <= k -> sent k t <= rested k t.
Proof.
  intro K. induction t as [|t IH]; [cbn; lia|]. rewrite sent_step by auto. cbn [rested].
  destruct (tooth_at t k) as [[d x]|] eqn:E; [|lia]. apply tooth_some in E. destruct E as (_ & -> & _). lia.
Qed.

Lemma grows j t t' : t <= t' -> length (fst (got t) j) <= length (fst (got t') j) /\
  length (snd (got t) j) <= length (snd (got t') j).
Proof. induction 1 as [|t' L IH]; auto. pose proof (before_between t' 0 j). lia. Qed.

(* A link that may send something sends. *)
Lemma sends k t : 1 <= k < n -> rests k t = true ->
  (length (fst (got t) k) < from_below k /\ length (has (before t k) k) < count (need k) (know t (k - 1))) \/
  (length (snd (got t) (k - 1)) < from_above (k - 1) /\
   length (has (before t k) (k - 1)) < count (need (k - 1)) (know t k)) ->
  tooth_at t k <> None.
Proof.
  intros K R H E. unfold tooth_at, tooth in E.
  rewrite R, (proj2 (Nat.leb_le 1 k)), (proj2 (Nat.ltb_lt k n)) in E by lia.
  cbn [andb] in E. destruct (tooth_up (before t k) t k) as [x|] eqn:U; [discriminate|].
  destruct (tooth_down (before t k) t k) as [x|] eqn:D; [discriminate|]. unfold tooth_up in U. unfold tooth_down in D.
  destruct (below_step t k) as [_ Eb]. destruct (above_step t k ltac:(lia)) as [_ Ea]. rewrite Eb in U. rewrite Ea in D.
  destruct H as [[Q H]|[Q H]].
  - rewrite (proj2 (Nat.ltb_lt _ _) Q) in U. destruct (before_fine t k k) as (N & I & _).
    now apply (found _ _ _ (once k) N I H) in U.
  - rewrite (proj2 (Nat.ltb_lt _ _) Q) in D. destruct (before_fine t k (k - 1)) as (N & I & _).
    now apply (found _ _ _ (once (k - 1)) N I H) in D.
Qed.

Lemma sends_at_first k t : 1 <= k < n -> t < T0 -> rests k t = true -> tooth_at t k <> None.
Proof.
  intros K L R. apply sends; auto. pose proof (sent_le k t ltac:(lia)) as S1. unfold sent in S1.
  destruct (at_first k t K L R) as [[Q H]|[Q H]].
  - left. split; [lia|]. eapply Nat.le_lt_trans; [|exact H]. unfold has. rewrite app_length.
    destruct (below_step t k) as [_ ->]. pose proof (before_between t k k) as B.
    destruct (Nat.ltb_spec (S k) n) as [A|A].
    + pose proof (sent_le (S k) (S t) ltac:(lia)) as S2. unfold sent in S2. replace (S k - 1) with k in S2 by lia. lia.
    + destruct (got_fine (S t) k) as (_ & _ & _ & F). replace k with (n - 1) in F at 2 by lia. rewrite top in F. lia.
  - right. split; [lia|]. eapply Nat.le_lt_trans; [|exact H]. unfold has. rewrite app_length.
    destruct (above_step t k ltac:(lia)) as [_ ->]. pose proof (before_between t k (k - 1)) as B.
    destruct (Nat.ltb_spec 1 k) as [A|A].
    + pose proof (sent_le (k - 1) (S t) ltac:(lia)) as S2. unfold sent in S2. lia.
    + destruct (got_fine (S t) (k - 1)) as (_ & _ & F & _). replace (k - 1) with 0 in F at 2 by lia.
      rewrite bottom in F.
      lia.
Qed.

Lemma count_full l f : (forall x, In x l -> f x = true) -> length l <= count l f.
Proof.
  unfold count. induction l as [|x l IH]; intro H; auto. cbn. rewrite (H x (or_introl eq_refl)). cbn.
  apply le_n_S, IH. intros y I. apply H. cbn. auto.
Qed.

(* Lemma 8, and the end. *)
Lemma all_sent k j : 1 <= k < n -> j = k \/ j = k - 1 -> length (has (got T) j) < length (need j) ->
  (if j =? k then length (fst (got T) k) < from_below k else length (snd (got T) (k - 1)) < from_above (k - 1)) ->
  forall t, t <= T -> rested k t <= sent k t.
Proof.
  intros K J Lack Q t. induction t as [|t IH]; intro L; [cbn; lia|]. specialize (IH ltac:(lia)).
  rewrite sent_step by lia. cbn [rested]. destruct (rests k t) eqn:R; [|lia].
  assert (S1 : tooth_at t k <> None); [|destruct (tooth_at t k); [lia|congruence]].
  destruct (Nat.lt_ge_cases t T0) as [E|E]; [now apply sends_at_first|]. apply sends; auto.
  destruct (at_last k t K E) as [Ku Kd]. pose proof (before_between t k j) as B. pose proof (grows j (S t) T L) as G.
  unfold has in Lack. rewrite app_length in Lack.
  assert (Le : length (has (before t k) j) < length (need j)) by (unfold has; rewrite app_length; lia).
  destruct (Nat.eqb_spec j k) as [->|D].
  - left. split; [lia|]. eapply Nat.lt_le_trans; [exact Le|]. now apply count_full.
  - assert (j = k - 1) as -> by lia. right. split; [lia|]. eapply Nat.lt_le_trans; [exact Le|]. now apply count_full.
Qed.

Lemma all_got j x : j < n -> In x (need j) -> In x (has (got T) j).
Proof.
  intros Lj. destruct (got_fine T j) as (N & I & Fb & Fa). revert x.
  apply (NoDup_length_incl N); auto. destruct (Nat.le_gt_cases (length (need j)) (length (has (got T) j))) as [H|H];
  auto.
  exfalso. pose proof (quotas j Lj) as Q. pose proof H as H'. unfold has in H'. rewrite app_length in H'.
  destruct (Nat.lt_ge_cases (length (fst (got T) j)) (from_below j)) as [A|A].
  - assert (J : 1 <= j) by (destruct j; lia).
    pose proof (all_sent j j ltac:(lia) (or_introl eq_refl) H) as X. rewrite Nat.eqb_refl in X.
    specialize (X A T ltac:(lia)). unfold sent in X. pose proof (room j ltac:(lia)).
    destruct (got_fine T (j - 1)) as (_ & _ & _ & F). lia.
  - assert (J : j <> n - 1) by (intros ->; lia).
    pose proof (all_sent (S j) j ltac:(lia) ltac:(lia) H) as X. rewrite (proj2 (Nat.eqb_neq j (S j))) in X by lia.
    replace (S j - 1) with j in X by lia. specialize (X ltac:(lia) T ltac:(lia)). unfold sent in X.
    pose proof (room (S j) ltac:(lia)). replace (S j - 1) with j in * by lia.
    destruct (got_fine T (S j)) as (_ & _ & F & _). lia.
Qed.

(* Each was sent in some round. *)
Lemma got_when t j x : In x (has (got t) j) ->
  exists t', t' < t /\ (tooth_at t' j = Some (true, x) \/ tooth_at t' (S j) = Some (false, x)).
Proof.
  induction t as [|t IH]; intro H; [destruct H|]. unfold has in H. apply in_app_iff in H.
  destruct (below_step t j) as [Eb _]. destruct (above_step t (S j) ltac:(lia)) as [Ea _].
  replace (S j - 1) with j in Ea by lia. rewrite Eb, Ea in H.
  assert (Old : In x (has (got t) j) \/ tooth_at t j = Some (true, x) \/ tooth_at t (S j) = Some (false, x)).
  { unfold has. rewrite in_app_iff.
    destruct H as [H|H]; [destruct (tooth_at t j) as [[[|] y]|]|destruct (tooth_at t (S j)) as [[[|] y]|]];
      cbn in H; try tauto; destruct H as [->|H]; tauto. }
  destruct Old as [Old|Now].
  - destruct (IH Old) as (t' & L & X). exists t'. split; [lia|auto].
  - exists t. split; [lia|auto].
Qed.

End Teeth.
