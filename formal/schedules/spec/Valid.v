(* SPDX-License-Identifier: MIT *)
(* When a schedule is valid. Nothing here is a program: every rule is a statement about all packets of the schedule. *)
From Coq Require Import List Arith Bool.
From Gossipfab Require Import spec.Schedule.
Import ListNotations.

Definition hop_dec : forall a b : nat * nat, {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Defined.

(* ---- model and goal are ones that there are ---- *)

Definition model_ok (m : model) : Prop := 1 <= packet_tokens m /\ 1 <= hop_rounds m.

Definition goal_ok (g : graph) (c : goal) : Prop :=
  1 <= blocks g c /\
  match c with
  | AllGather n | ReduceScatter n _ => n mod size g = 0
  | Broadcast _ root | Reduce _ root _ => root < size g
  | _ => True
  end.

(* ---- packets ---- *)

Definition packet_ok (s : schedule) (p : packet) : Prop :=
  1 <= round p /\
  2 <= length (path p) /\ NoDup (path p) /\ (forall v, In v (path p) -> v < nodes (on s)) /\
  (route (under s) = StoreAndForward -> length (path p) = 2) /\
  1 <= length (items p) <= packet_tokens (under s) /\ NoDup (map block (items p)) /\
  (forall i, In i (items p) -> block i < blocks (on s) (aim s)).

(* ---- links and ports: the packets of one round together ---- *)

Definition in_round (s : schedule) (r : nat) : list packet := filter (fun p => round p =? r) (packets s).

(* How many packets of round r go from u straight to v. *)
Definition uses (s : schedule) (r u v : nat) : nat :=
  count_occ hop_dec (flat_map (fun p => hops (path p)) (in_round s r)) (u, v).

Definition links_ok (s : schedule) : Prop :=
  forall r u v,
    uses s r u v <= weight (on s) u v /\
    (link (under s) = Half -> uses s r u v + uses s r v u <= max (weight (on s) u v) (weight (on s) v u)).

Definition starts (s : schedule) (r v : nat) : nat := count_occ Nat.eq_dec (map origin (in_round s r)) v.
Definition takes (s : schedule) (r v : nat) : nat := count_occ Nat.eq_dec (map target (in_round s r)) v.

(* One port: a node uses one link in a round. Circuits: a node starts at most one packet and takes at most one; half
   duplex, one of the two. *)
Definition ports_ok (s : schedule) : Prop :=
  port (under s) = OnePort ->
  match route (under s) with
  | StoreAndForward =>
      forall p q v, In p (packets s) -> In q (packets s) -> round p = round q -> In v (path p) -> In v (path q) ->
        path p = path q \/ path p = rev (path q)
  | Circuit =>
      forall r v, match link (under s) with
                  | Full => starts s r v <= 1 /\ takes s r v <= 1
                  | Half => starts s r v + takes s r v <= 1
                  end
  end.

(* ---- blocks that are moved as they are ---- *)

Definition stored_ok (s : schedule) : Prop :=
  (forall m, In m (messages s) ->
     adds m = false /\
     (holds (on s) (aim s) (from m) (what m) = true \/
      exists m', In m' (messages s) /\ what m' = what m /\ to m' = from m /\ when m' + hop_rounds (under s) <= when m))
  /\
  (forall v b, b < blocks (on s) (aim s) -> wants (on s) (aim s) v b = true ->
     holds (on s) (aim s) v b = true \/ exists m, In m (messages s) /\ what m = b /\ to m = v).

(* ---- contributions that are combined ---- *)

(* The messages of block b that reach node v in round r. *)
Definition arriving (s : schedule) (b r v : nat) : list message :=
  filter (fun m => (when m =? r) && (what m =? b) && (to m =? v)) (messages s).

(* Is node u's contribution in the partial result of block b that node v has after round r? All messages of a round
   carry what their senders had before it. *)
Fixpoint part (s : schedule) (b r v u : nat) : bool :=
  match r with
  | 0 => member (on s) v && (u =? v)
  | S before =>
      let came := arriving s b r v in
      let brought := existsb (fun m => part s b before (from m) u) came in
      if existsb (fun m => negb (adds m)) came then brought else part s b before v u || brought
  end.

(* Has node v anything of block b before round r? A relay has nothing until a message comes. *)
Definition has (s : schedule) (b r v : nat) : Prop :=
  member (on s) v = true \/ exists m, In m (messages s) /\ what m = b /\ to m = v /\ when m < r.

Definition combined_ok (s : schedule) : Prop :=
  (forall m, In m (messages s) ->
     (* what is sent is there, and has been for lambda rounds *)
     has s (what m) (when m) (from m) /\
     (forall m', In m' (messages s) -> what m' = what m -> to m' = from m -> when m' < when m ->
        when m' + hop_rounds (under s) <= when m) /\
     (* something is there to combine it with; what is stored comes alone *)
     (adds m = true -> has s (what m) (when m) (to m)) /\
     (adds m = false -> arriving s (what m) (when m) (to m) = [m]))
  /\
  (* no contribution counts twice: of a receiver and those that it combines at most one has it *)
  (idempotent (aim s) = false ->
   forall b r v u, (forall m, In m (arriving s b (S r) v) -> adds m = true) ->
     length (filter (fun w => part s b r w u) (v :: map from (arriving s b (S r) v))) <= 1)
  /\
  (forall v b, b < blocks (on s) (aim s) -> wants (on s) (aim s) v b = true ->
     forall u, member (on s) u = true -> part s b (rounds s) v u = true).

(* ---- relays that do not copy, or do not combine ---- *)

(* The messages of block b that node v sends in round r. *)
Definition leaving (s : schedule) (b r v : nat) : list message :=
  filter (fun m => (when m =? r) && (what m =? b) && (from m =? v)) (messages s).

Definition relays_ok (s : schedule) : Prop :=
  forall m, In m (messages s) ->
    (* a node that does not copy sends what came last, lambda rounds after it came, and sends it once *)
    (copies (on s) (from m) = false ->
       leaving s (what m) (when m) (from m) = [m] /\
       exists a, In a (messages s) /\ what a = what m /\ to a = from m /\ when a + hop_rounds (under s) <= when m /\
         forall x, In x (messages s) -> what x = what m -> to x = from m \/ from x = from m ->
           when x < when m -> when x <= when a) /\
    (* what is combined comes to a node that combines, and that has not sent away what it had *)
    (adds m = true ->
       combines_at (on s) (to m) = true /\
       (copies (on s) (to m) = false ->
        exists a, In a (messages s) /\ what a = what m /\ to a = to m /\ when a < when m /\
          forall x, In x (messages s) -> what x = what m -> from x = to m -> when x <= when m -> when x <= when a)).

(* Where no node is a relay that says nothing. *)
Lemma relays_none s : (forall v, relay (on s) v = false) -> relays_ok s.
Proof.
  intros R m _. unfold copies, combines_at. rewrite !R. cbn. split; [intro E; discriminate E|].
  intros _. split; [auto|intro E; discriminate E].
Qed.

(* ---- all of it ---- *)

Definition valid (s : schedule) : Prop :=
  model_ok (under s) /\ goal_ok (on s) (aim s) /\
  (forall p, In p (packets s) -> packet_ok s p) /\
  links_ok s /\ (ports_ok s /\ relays_ok s) /\
  (if combines (aim s) then combined_ok s else stored_ok s).
