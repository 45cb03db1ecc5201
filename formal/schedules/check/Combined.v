(* SPDX-License-Identifier: MIT *)
(* The checker is right about contributions that are combined: after each round its table says what each node has. *)
From Coq Require Import List Arith Bool Lia.
From Gossipfab Require Import spec.Schedule spec.Valid check.Tables check.Check check.Packets check.Bits.
Import ListNotations.

Lemma filter_filter {A} (f g : A -> bool) l : filter f (filter g l) = filter (fun a => g a && f a) l.
Proof.
  induction l as [|a l IH]; cbn; auto. destruct (g a); cbn; [|auto]. destruct (f a); cbn; now rewrite IH.
Qed.

Lemma existsb_ext {A} (f g : A -> bool) l : (forall a, In a l -> f a = g a) -> existsb f l = existsb g l.
Proof.
  induction l as [|a l IH]; cbn; intro H; auto. rewrite (H a), IH; auto.
Qed.

Lemma find_fold (f : message -> holding) ms st k x :
  (forall m, In m ms -> place m = k -> f m = x) ->
  M.find k (fold_left (fun st' m => M.add (place m) (f m) st') ms st) =
  if existsb (fun m => key_eqb (place m) k) ms then Some x else M.find k st.
Proof.
  revert st. induction ms as [|m ms IH]; intros st H; cbn; auto.
  rewrite IH by (intros; apply H; cbn; auto). rewrite find_add.
  destruct (key_eqb (place m) k) eqn:E; cbn.
  - apply key_eqb_eq in E. rewrite (H m) by (cbn; auto). now destruct (existsb _ ms).
  - auto.
Qed.

Lemma adds_all l : existsb (fun m => negb (adds m)) l = false <-> forall m, In m l -> adds m = true.
Proof.
  split.
  - intros E m I. destruct (adds m) eqn:A; auto. rewrite <- E. apply existsb_exists. exists m. now rewrite A.
  - intro H. destruct (existsb _ l) eqn:E; auto. apply existsb_exists in E. destruct E as (m & I & N).
    now rewrite (H m I) in N.
Qed.

Section Replay.

Variable s : schedule.
Hypothesis packets_ok : forall p, In p (packets s) -> packet_ok s p.

Variable hop : nat.
Variable idem : bool.
Variable get_own : nat -> option holding.
Hypothesis get_own_eq : forall v, get_own v = own_of (on s) v.

Definition by_round := bucket (fun m => (when m, (0, 0))) (messages s).
Definition of_round r := get by_round (r, (0, 0)).

(* What is said of round r in combined_ok. *)
Definition message_rule (m : message) : Prop :=
  has s (what m) (when m) (from m) /\
  (forall m', In m' (messages s) -> what m' = what m -> to m' = from m -> when m' < when m ->
     when m' + hop <= when m) /\
  (adds m = true -> has s (what m) (when m) (to m)) /\
  (adds m = false -> arriving s (what m) (when m) (to m) = [m]).

Definition sums (b r v : nat) : Prop :=
  (forall m, In m (arriving s b (S r) v) -> adds m = true) ->
  forall u, length (filter (fun w => part s b r w u) (v :: map from (arriving s b (S r) v))) <= 1.

Definition round_rule (r : nat) : Prop :=
  (forall m, In m (messages s) -> when m = S r -> message_rule m) /\ (idem = false -> forall b v, sums b r v).

(* What the table says after round r. *)
Definition right (r : nat) (st : state) : Prop :=
  forall b v,
    (forall u, inside u (set_of (lookup get_own st b v)) = part s b r v u) /\
    match lookup get_own st b v with
    | None => ~ has s b (S r) v
    | Some (_, since) =>
        has s b (S r) v /\
        (since = 0 \/ exists m, In m (messages s) /\ what m = b /\ to m = v /\ when m = since /\ since <= r) /\
        (forall m, In m (messages s) -> what m = b -> to m = v -> when m <= r -> when m <= since)
    end.

Lemma in_of_round r m : In m (of_round r) <-> In m (messages s) /\ when m = r.
Proof.
  unfold of_round, by_round. rewrite get_bucket, filter_In, key_eqb_eq. intuition congruence.
Qed.

Lemma here_eq r b v : get (bucket place (of_round r)) (b, (v, 0)) = arriving s b r v.
Proof.
  unfold of_round, by_round, arriving. rewrite !get_bucket, filter_filter. apply filter_ext. intro m.
  unfold key_eqb, place; cbn. now rewrite !andb_true_r, andb_assoc.
Qed.

Lemma in_arriving b r v m :
  In m (arriving s b r v) <-> In m (messages s) /\ when m = r /\ what m = b /\ to m = v.
Proof. unfold arriving. rewrite filter_In, !andb_true_iff, !Nat.eqb_eq. tauto. Qed.

Lemma count_sets r st b v l u :
  right r st -> (forall m, In m l -> what m = b) ->
  length (filter (inside u) (set_of (lookup get_own st b v) ::
                             map (fun m => set_of (lookup get_own st (what m) (from m))) l)) =
  length (filter (fun w => part s b r w u) (v :: map from l)).
Proof.
  intros R E. cbn. rewrite (proj1 (R b v)).
  assert (H : length (filter (inside u) (map (fun m => set_of (lookup get_own st (what m) (from m))) l)) =
              length (filter (fun w => part s b r w u) (map from l))).
  { induction l as [|m l IH]; auto. cbn. rewrite (proj1 (R _ _)), (E m) by (cbn; auto).
    destruct (part s b r (from m) u); cbn; rewrite IH; auto; intros x I; apply E; cbn; auto. }
  destruct (part s b r v u); cbn; now rewrite H.
Qed.

Lemma fresh_spec r st m :
  right r st -> when m = S r ->
  match lookup get_own st (what m) (from m) with
  | Some (_, since) => (since =? 0) || (since + hop <=? when m)
  | None => false
  end = true <->
  has s (what m) (when m) (from m) /\
  (forall m', In m' (messages s) -> what m' = what m -> to m' = from m -> when m' < when m ->
     when m' + hop <= when m).
Proof.
  intros R W. rewrite W. destruct (R (what m) (from m)) as [_ H].
  destruct (lookup get_own st (what m) (from m)) as [[set since]|]; [|intuition discriminate].
  destruct H as (Hh & He & Hm). rewrite orb_true_iff, Nat.eqb_eq, Nat.leb_le. split.
  - intro F. split; auto. intros m' I' E' T' L. specialize (Hm m' I' E' T' ltac:(lia)).
    pose proof (when_above s m' packets_ok I'). lia.
  - intros [_ F]. destruct He as [->|(m' & I' & E' & T' & <- & L)]; auto. right. apply F; auto. lia.
Qed.

Lemma rest_spec r st m :
  right r st -> In m (messages s) -> when m = S r ->
  (if adds m
   then match lookup get_own st (what m) (to m) with
        | Some (set, _) =>
            idem || existsb (fun m => negb (adds m)) (arriving s (what m) (S r) (to m)) ||
            all_disjoint set (map (fun m => set_of (lookup get_own st (what m) (from m)))
                                  (arriving s (what m) (S r) (to m)))
        | None => false
        end
   else length (arriving s (what m) (S r) (to m)) =? 1) = true <->
  ((adds m = true -> has s (what m) (when m) (to m)) /\
   (adds m = false -> arriving s (what m) (when m) (to m) = [m])) /\
  (adds m = true -> idem = false -> sums (what m) r (to m)).
Proof.
  intros R I W. rewrite W.
  assert (Hin : In m (arriving s (what m) (S r) (to m))) by (apply in_arriving; auto).
  destruct (adds m) eqn:A.
  - assert (C : forall u, length (filter (inside u) (set_of (lookup get_own st (what m) (to m)) ::
                   map (fun m => set_of (lookup get_own st (what m) (from m))) (arriving s (what m) (S r) (to m)))) =
                 length (filter (fun w => part s (what m) r w u)
                                (to m :: map from (arriving s (what m) (S r) (to m))))).
    { intro u. apply count_sets; auto. intros x Ix. apply in_arriving in Ix. tauto. }
    destruct (R (what m) (to m)) as [_ H].
    destruct (lookup get_own st (what m) (to m)) as [[set since]|].
    + destruct H as (Hh & _). cbn [set_of fst] in C. rewrite !orb_true_iff, all_disjoint_spec. split.
      * intros O. repeat split; auto; try discriminate. intros _ Ni Al u. rewrite <- C.
        destruct O as [[O|O]|O]; [congruence| |auto]. apply adds_all in Al. congruence.
      * intros [_ H]. destruct idem; auto.
        destruct (existsb (fun m => negb (adds m)) (arriving s (what m) (S r) (to m))) eqn:E; auto.
        right. intro u. rewrite C. apply H; auto. now apply adds_all.
    + split; [discriminate|]. intros [[H' _] _]. exfalso. apply H. auto.
  - rewrite Nat.eqb_eq. split.
    + intro L. repeat split; try discriminate. intros _.
      destruct (arriving s (what m) (S r) (to m)) as [|x [|]]; try discriminate. now destruct Hin as [->|[]].
    + intros [[_ H] _]. now rewrite H.
Qed.

Lemma message_okb_spec r st m :
  right r st -> In m (messages s) -> when m = S r ->
  message_okb hop idem get_own st (bucket place (of_round (S r))) m = true <->
  message_rule m /\ (adds m = true -> idem = false -> sums (what m) r (to m)).
Proof.
  intros R I W. unfold message_okb. change (place m) with (what m, (to m, 0)). rewrite here_eq, andb_true_iff.
  rewrite (fresh_spec r st m R W). rewrite (rest_spec r st m R I W). unfold message_rule. tauto.
Qed.

Lemma round_okb_spec r st :
  right r st ->
  forallb (message_okb hop idem get_own st (bucket place (of_round (S r)))) (of_round (S r)) = true <-> round_rule r.
Proof.
  intro R. rewrite forallb_forall. unfold round_rule. split.
  - intro H. assert (H' : forall m, In m (messages s) -> when m = S r ->
      message_rule m /\ (adds m = true -> idem = false -> sums (what m) r (to m))).
    { intros m I W. apply (message_okb_spec r st); auto. apply H, in_of_round. auto. }
    split; [intros m I W; now apply H'|]. intros Ni b v.
    destruct (arriving s b (S r) v) as [|m l] eqn:E.
    + unfold sums. rewrite E. cbn. intros _ u. destruct (part s b r v u); cbn; lia.
    + assert (I : In m (arriving s b (S r) v)) by (rewrite E; cbn; auto).
      pose proof I as Im. apply in_arriving in I. destruct I as (I & W & <- & <-). intro Al. apply H'; auto.
  - intros [A B] m I. apply in_of_round in I. destruct I as [I W]. apply (message_okb_spec r st); auto.
Qed.

Lemma inside_brought r st b l u :
  right r st -> (forall m, In m l -> what m = b) ->
  inside u (fold_right (fun m set => union (set_of (lookup get_own st (what m) (from m))) set) [] l) =
  existsb (fun m => part s b r (from m) u) l.
Proof.
  intros R E. induction l as [|m l IH]; cbn; [apply inside_nil|].
  rewrite inside_union, (proj1 (R _ _)), (E m), IH; cbn; auto. intros x I. apply E. cbn. auto.
Qed.

Lemma has_later b r v : has s b r v -> has s b (S r) v.
Proof. intros [H|(m & I & E & T & L)]; [left; auto|right; exists m; repeat split; auto]. Qed.

Lemma right_after r st :
  right r st -> 
  right (S r) (fold_left (fun st' m => M.add (place m) (after get_own st (bucket place (of_round (S r))) m) st')
                         (of_round (S r)) st).
Proof.
  intros R b v. set (here := arriving s b (S r) v).
  set (x := (if existsb (fun m => negb (adds m)) here
             then fold_right (fun m set => union (set_of (lookup get_own st (what m) (from m))) set) [] here
             else union (set_of (lookup get_own st b v))
                        (fold_right (fun m set => union (set_of (lookup get_own st (what m) (from m))) set) [] here),
             S r)).
  assert (X : forall m, In m (of_round (S r)) -> place m = (b, (v, 0)) ->
                after get_own st (bucket place (of_round (S r))) m = x).
  { intros m I P. unfold after. rewrite P, here_eq. apply in_of_round in I. destruct I as [_ ->].
    injection P as -> ->. reflexivity. }
  assert (Here : forall m, In m here -> what m = b) by (intros m I; apply in_arriving in I; tauto).
  unfold lookup at 1 2. rewrite (find_fold _ _ _ _ x X).
  destruct (existsb (fun m => key_eqb (place m) (b, (v, 0))) (of_round (S r))) eqn:E.
  - assert (Ex : exists m, In m here).
    { apply existsb_exists in E. destruct E as (m & I & P). apply key_eqb_eq in P. injection P as <- <-.
      apply in_of_round in I. exists m. apply in_arriving. tauto. }
    split.
    + intro u. cbn [set_of fst x]. cbn [part]. fold here.
      destruct (existsb (fun m => negb (adds m)) here).
      * now apply inside_brought.
      * rewrite inside_union, (proj1 (R b v)). f_equal. now apply inside_brought.
    + unfold x. destruct Ex as [m I]. apply in_arriving in I. destruct I as (I & W & B & T). repeat split.
      * right. exists m. repeat split; auto. lia.
      * right. exists m. repeat split; auto.
      * auto.
  - assert (No : forall m, In m (messages s) -> what m = b -> to m = v -> when m = S r -> False).
    { intros m I B T W. assert (Q : existsb (fun m => key_eqb (place m) (b, (v, 0))) (of_round (S r)) = true);
    [|congruence].
      apply existsb_exists. exists m. split; [now apply in_of_round|]. apply key_eqb_eq. unfold place. congruence. }
    assert (Hn : here = []).
    { destruct here as [|m l] eqn:Eh; auto. exfalso. assert (I : In m (arriving s b (S r) v)).
      { fold here. rewrite Eh. cbn. auto. } apply in_arriving in I. destruct I as (I & W & B & T). eapply No; eauto. }
    change (match M.find (b, (v, 0)) st with Some h => Some h | None => get_own v end) with (lookup get_own st b v).
    destruct (R b v) as [P Q]. split.
    + intro u. cbn [part]. fold here. rewrite Hn. cbn. rewrite orb_false_r. auto.
    + destruct (lookup get_own st b v) as [[set since]|].
      * destruct Q as (Hh & He & Hm). repeat split.
        -- now apply has_later.
        -- destruct He as [He|(m & I & B & T & W & L)]; auto. right. exists m. repeat split; auto.
        -- intros m I B T L. apply Hm; auto. destruct (Nat.eq_dec (when m) (S r)); [exfalso; eauto|lia].
      * intro H. apply Q. destruct H as [H|(m & I & B & T & L)]; [left; auto|].
        right. exists m. repeat split; auto. destruct (Nat.eq_dec (when m) (S r)); [exfalso; eauto|lia].
Qed.

Lemma replay_spec k : forall r st,
  right r st ->
  match replay hop idem get_own by_round r k st with
  | Some st' => right (r + k) st' /\ (forall j, r <= j < r + k -> round_rule j)
  | None => ~ (forall j, r <= j < r + k -> round_rule j)
  end.
Proof.
  induction k as [|k IH]; intros r st R; cbn [replay].
  - rewrite Nat.add_0_r. split; auto. intros; lia.
  - fold (of_round (S r)). unfold round_of.
    destruct (forallb (message_okb hop idem get_own st (bucket place (of_round (S r)))) (of_round (S r))) eqn:E.
    + apply (round_okb_spec r st R) in E. specialize (IH (S r) _ (right_after r st R)).
      destruct (replay _ _ _ _ _ _ _) as [st'|].
      * rewrite <- Nat.add_succ_comm. destruct IH as [A B]. split; auto.
        intros j L. destruct (Nat.eq_dec j r) as [->|]; auto. apply B. lia.
      * intro H. apply IH. intros j L. apply H. lia.
    + intro H. assert (Q : round_rule r) by (apply H; lia). apply (round_okb_spec r st R) in Q. congruence.
Qed.

Lemma right_at_first : right 0 (M.empty holding).
Proof.
  intros b v. unfold lookup. rewrite find_empty, get_own_eq. unfold own_of. destruct (member (on s) v) eqn:E.
  - split.
    + intro u. cbn. now rewrite inside_single, E.
    + repeat split.
      * now left.
      * auto.
      * intros m I _ _ L. auto.
  - split.
    + intro u. cbn. now rewrite inside_nil, E.
    + intros [H|(m & I & _ & _ & L)]; [congruence|]. pose proof (when_above s m packets_ok I). lia.
Qed.

End Replay.

Lemma combined_okb_spec s :
  (forall p, In p (packets s) -> packet_ok s p) -> combined_okb s = true <-> combined_ok s.
Proof.
  intro P. unfold combined_okb.
  pose proof (replay_spec s P (hop_rounds (under s)) (idempotent (aim s)) (memo (nodes (on s)) (own_of (on s)))
    (rounds s) 0 (M.empty holding) (right_at_first s P _ (fun v => memo_eq _ _ v))) as H.
  fold (by_round s). destruct (replay _ _ _ _ _ _ _) as [st|].
  - destruct H as [R H]. cbn in R.
    assert (Rules : forall j, round_rule s (hop_rounds (under s)) (idempotent (aim s)) j).
    { intro j. destruct (Nat.lt_ge_cases j (rounds s)) as [L|L]; [apply H; lia|].
      assert (N : forall m, In m (messages s) -> when m <> S j).
      { intros m I E. pose proof (when_below s m I). lia. }
      split; [intros m I W; exfalso; eapply N; eauto|].
      intros _ b v Al u. destruct (arriving s b (S j) v) as [|m l] eqn:E.
      - cbn. destruct (part s b j v u); cbn; lia.
      - exfalso. assert (I : In m (arriving s b (S j) v)) by (rewrite E; cbn; auto).
        apply in_arriving in I. destruct I as (I & W & _). eapply N; eauto. }
    assert (End : forallb (fun v =>
        negb (fact_member (facts_of (on s) (aim s)) v) ||
        forallb (fun b => negb (wantsb (facts_of (on s) (aim s)) (aim s) v b) ||
          covers (map (fact_member (facts_of (on s) (aim s))) (seq 0 (nodes (on s))))
                 (set_of (lookup (memo (nodes (on s)) (own_of (on s))) st b v)))
          (seq 0 (blocks (on s) (aim s)))) (seq 0 (nodes (on s))) = true <->
      (forall v b, b < blocks (on s) (aim s) -> wants (on s) (aim s) v b = true ->
         forall u, member (on s) u = true -> part s b (rounds s) v u = true)).
    { rewrite forallb_forall. split.
      - intros F v b Lb W u Mu. pose proof (wants_member _ _ _ _ W) as Mv. pose proof (member_below _ _ Mv) as Lv.
        specialize (F v). rewrite in_seq in F. specialize (F ltac:(lia)). rewrite fact_member_eq, Mv in F.
        cbn [negb orb] in F.
        rewrite forallb_forall in F. specialize (F b). rewrite in_seq in F. specialize (F ltac:(lia)).
        rewrite wantsb_eq, W in F. cbn [negb orb] in F. rewrite covers_spec in F. rewrite <- (proj1 (R b v)). apply F.
        rewrite inside_map_seq, fact_member_eq, Mu, andb_true_r. apply Nat.ltb_lt. now apply member_below.
      - intros F v Iv. rewrite fact_member_eq. destruct (member (on s) v) eqn:Mv; cbn [negb orb]; auto.
        apply forallb_forall. intros b Ib. rewrite in_seq in Ib. rewrite wantsb_eq.
        destruct (wants (on s) (aim s) v b) eqn:W; cbn [negb orb]; auto. apply covers_spec. intros u.
        rewrite inside_map_seq, fact_member_eq, (proj1 (R b v)). rewrite andb_true_iff. intros [_ Mu].
        apply F; auto. lia. }
    rewrite End. unfold combined_ok. split.
    + intro F. split; [|split; auto].
      * intros m I. pose proof (when_above s m P I). destruct (when m) as [|j] eqn:W; [lia|]. rewrite <- W.
        destruct (Rules j) as [A _]. now apply A.
      * intros Ni b r v u Al. destruct (Rules r) as [_ B]. now apply B.
    + intros (_ & _ & F). auto.
  - split; [discriminate|]. intros (A & B & _). exfalso. apply H. intros j _. split.
    + intros m I W. now apply A.
    + intros Ni b v Al u. now apply B.
Qed.
