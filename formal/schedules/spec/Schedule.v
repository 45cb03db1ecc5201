(* SPDX-License-Identifier: MIT *)
(* What a schedule is: graphs, models, goals, packets. The words are those of docs/theory/collectives.md. *)
From Coq Require Import List Arith Bool.
Import ListNotations.

(* Nodes are numbered 0 .. nodes - 1. An arc is a link in one direction; it carries as many packets in a round as its
   weight says, and weight 0 says that there is no such arc. A relay holds nothing and wants nothing; of it copying and
   combining say which of the two it does. *)
Record graph := Graph {
  nodes : nat;
  weight : nat -> nat -> nat;
  relay : nat -> bool;
  copying : nat -> bool;
  combining : nat -> bool }.

(* Does node v send what it has as often as is asked? Does it combine what comes with what it has? Members do both. *)
Definition copies (g : graph) (v : nat) : bool := negb (relay g v) || copying g v.
Definition combines_at (g : graph) (v : nat) : bool := negb (relay g v) || combining g v.

Definition member (g : graph) (v : nat) : bool := (v <? nodes g) && negb (relay g v).
Definition members (g : graph) : list nat := filter (member g) (seq 0 (nodes g)).
Definition size (g : graph) : nat := length (members g).
(* The members before v. *)
Definition rank (g : graph) (v : nat) : nat := length (filter (member g) (seq 0 v)).

Inductive link_mode := Half | Full.
Inductive port_mode := AllPorts | OnePort.
Inductive routing := StoreAndForward | Circuit.
Record model := Model {
  link : link_mode;
  port : port_mode;
  route : routing;
  packet_tokens : nat; (* most tokens in a packet *)
  hop_rounds : nat     (* lambda: what came in round t may leave from round t + lambda on *) }.

(* The seven collectives; an all-gather also with a load for each node, blocks numbered node by node. *)
Inductive goal :=
| AllGather (blocks : nat)
| Gossip (load : list nat)
| ReduceScatter (blocks : nat) (idempotent : bool)
| AllReduce (blocks : nat) (idempotent : bool)
| Broadcast (blocks root : nat)
| Reduce (blocks root : nat) (idempotent : bool)
| Barrier (idempotent : bool)
| AllToAll.

Definition blocks (g : graph) (c : goal) : nat :=
  match c with
  | AllGather n | ReduceScatter n _ | AllReduce n _ | Broadcast n _ | Reduce n _ _ => n
  | Gossip load => list_sum load
  | Barrier _ => 1
  | AllToAll => size g * size g
  end.

(* Are there contributions that are combined? May they count more than once? *)
Definition combines (c : goal) : bool :=
  match c with ReduceScatter _ _ | AllReduce _ _ | Reduce _ _ _ | Barrier _ => true | _ => false end.
Definition idempotent (c : goal) : bool :=
  match c with ReduceScatter _ i | AllReduce _ i | Reduce _ _ i | Barrier i => i | _ => false end.

(* Of n blocks shared out among the members block b belongs to the one of this rank. *)
Definition owner (g : graph) (n b : nat) : nat := b * size g / n.

(* Does node v have block b, or a contribution to it, before round 1? *)
Definition holds (g : graph) (c : goal) (v b : nat) : bool :=
  member g v &&
  match c with
  | AllGather n => owner g n b =? rank g v
  | Gossip load => (list_sum (firstn v load) <=? b) && (b <? list_sum (firstn (S v) load))
  | Broadcast _ root => root =? rank g v
  | AllToAll => b / size g =? rank g v
  | _ => true
  end.

(* Does it want the block, or the block's total, at the end? *)
Definition wants (g : graph) (c : goal) (v b : nat) : bool :=
  member g v &&
  match c with
  | ReduceScatter n _ => owner g n b =? rank g v
  | Reduce _ root _ => root =? rank g v
  | AllToAll => b mod size g =? rank g v
  | _ => true
  end.

(* A packet goes along a path of nodes, in one round, and carries blocks. What arrives replaces what the receiver has of
   the block, or is combined with it. *)
Record item := Item { block : nat; combined : bool }.
Record packet := Packet { round : nat; path : list nat; items : list item }.

Definition origin (p : packet) : nat := hd 0 (path p).
Definition target (p : packet) : nat := last (path p) 0.
Fixpoint hops (p : list nat) : list (nat * nat) :=
  match p with
  | u :: (v :: _) as rest => (u, v) :: hops rest
  | _ => []
  end.

Record schedule := Schedule { on : graph; under : model; aim : goal; packets : list packet }.

(* Its length: the last round in which something moves. *)
Definition rounds (s : schedule) : nat := list_max (map round (packets s)).

(* A message is one block of one packet. *)
Record message := Message { when : nat; what : nat; from : nat; to : nat; adds : bool }.
Definition messages_of (p : packet) : list message :=
  map (fun i => Message (round p) (block i) (origin p) (target p) (combined i)) (items p).
Definition messages (s : schedule) : list message := flat_map messages_of (packets s).
