(* SPDX-License-Identifier: MIT *)
(* Schedules that repeat (docs/theory/periodic.md) and trees that stand for all their translates
   (docs/theory/optimal-gossip.md, section 1): which schedule a file of few packets means. *)
From Coq Require Import List Arith Bool.
From Gossipfab Require Import spec.Schedule spec.Valid.
Import ListNotations.

(* ---- one group that repeats ---- *)

(* The same collective with so many blocks. *)
Definition with_blocks (c : goal) (n : nat) : goal :=
  match c with
  | AllGather _ => AllGather n
  | ReduceScatter _ i => ReduceScatter n i
  | AllReduce _ i => AllReduce n i
  | Broadcast _ r => Broadcast n r
  | Reduce _ r i => Reduce n r i
  | other => other
  end.

Definition can_repeat (c : goal) : bool :=
  match c with Gossip _ | Barrier _ | AllToAll => false | _ => true end.

(* Of the all-gather and the reduce-scatter every member has its own blocks, of the others all are alike. *)
Definition owners (g : graph) (c : goal) : nat :=
  match c with AllGather _ | ReduceScatter _ _ => size g | _ => 1 end.

(* A group of owners * share blocks, its packets, and the rounds from one group to the next. *)
Record repeating := Repeating { base : schedule; share : nat; period : nat }.

(* What a repeating schedule is made of: one link and one block a packet. *)
Definition simple (p : packet) : Prop := length (path p) = 2 /\ length (items p) = 1.
Definition repeats_ok (r : repeating) : Prop :=
  can_repeat (aim (base r)) = true /\ 1 <= share r /\ 1 <= period r /\
  aim (base r) = with_blocks (aim (base r)) (owners (on (base r)) (aim (base r)) * share r) /\
  route (under (base r)) = StoreAndForward /\
  (forall p, In p (packets (base r)) -> simple p).

(* For vectors of owners * l blocks: block b of the group is in group i this one of all. *)
Definition named (r : repeating) (l i b : nat) : nat := b / share r * l + i * share r + b mod share r.
(* Has the vector this block? The last group may have fewer. *)
Definition there (r : repeating) (l i b : nat) : bool := i * share r + b mod share r <? l.

Definition shifted (r : repeating) (l i : nat) (p : packet) : packet :=
  Packet (round p + i * period r) (path p) (map (fun x => Item (named r l i (block x)) (combined x)) (items p)).

Definition group (r : repeating) (l i : nat) : list packet :=
  map (shifted r l i) (filter (fun p => forallb (fun x => there r l i (block x)) (items p)) (packets (base r))).

Definition groups (r : repeating) (l : nat) : nat := (l - 1) / share r + 1.

(* The whole schedule: every period a group. *)
Definition unroll (r : repeating) (l : nat) : schedule :=
  let s := base r in
  Schedule (on s) (under s) (with_blocks (aim s) (owners (on s) (aim s) * l))
    (flat_map (group r l) (seq 0 (groups r l))).

(* All rounds that are the same modulo the period, as one round. *)
Definition folded (r : repeating) : schedule :=
  let s := base r in
  Schedule (on s) (under s) (aim s)
    (map (fun p => Packet (S (round p mod period r)) (path p) (items p)) (packets s)).

(* ---- one tree and its translates ---- *)

(* Nodes of a torus are added coordinate by coordinate, each modulo its side; sides are given fastest first. *)
Fixpoint plus (sides : list nat) (v w : nat) : nat :=
  match sides with
  | [] => 0
  | n :: rest => (v mod n + w mod n) mod n + n * plus rest (v / n) (w / n)
  end.

(* The packets of token 0 stand for those of all tokens: token v goes where token 0 goes, v further on. *)
Definition translate (sides : list nat) (v : nat) (p : packet) : packet :=
  Packet (round p) (map (plus sides v) (path p)) (map (fun x => Item v (combined x)) (items p)).

Definition translates (sides : list nat) (s : schedule) : schedule :=
  Schedule (on s) (under s) (aim s)
    (flat_map (fun v => map (translate sides v) (packets s)) (seq 0 (nodes (on s)))).
