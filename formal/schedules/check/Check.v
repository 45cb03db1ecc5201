(* SPDX-License-Identifier: MIT *)
(* The checker: a program. That it says true of valid schedules alone is proved in check/Correct.v. *)
From Coq Require Import List Arith Bool.
From Gossipfab Require Import spec.Schedule spec.Valid check.Tables.
Import ListNotations.

Definition model_okb (m : model) : bool := (1 <=? packet_tokens m) && (1 <=? hop_rounds m).

Definition goal_okb (g : graph) (c : goal) : bool :=
  (1 <=? blocks g c) &&
  match c with
  | AllGather n | ReduceScatter n _ => n mod size g =? 0
  | Broadcast _ root | Reduce _ root _ => root <? size g
  | _ => true
  end.

(* ---- holds and wants, from tables of what they ask of the graph ---- *)

Record facts := Facts { fact_member : nat -> bool; fact_rank : nat -> nat; fact_size : nat; fact_first : nat -> nat }.

Definition first_block (c : goal) (v : nat) : nat :=
  match c with Gossip load => list_sum (firstn v load) | _ => 0 end.

Definition facts_of (g : graph) (c : goal) : facts :=
  let n := S (nodes g) in
  Facts (memo n (member g)) (memo n (rank g)) (size g) (memo (S n) (first_block c)).

Definition holdsb (f : facts) (c : goal) (v b : nat) : bool :=
  fact_member f v &&
  match c with
  | AllGather n => b * fact_size f / n =? fact_rank f v
  | Gossip load => (fact_first f v <=? b) && (b <? fact_first f (S v))
  | Broadcast _ root => root =? fact_rank f v
  | AllToAll => b / fact_size f =? fact_rank f v
  | _ => true
  end.

Definition wantsb (f : facts) (c : goal) (v b : nat) : bool :=
  fact_member f v &&
  match c with
  | ReduceScatter n _ => b * fact_size f / n =? fact_rank f v
  | Reduce _ root _ => root =? fact_rank f v
  | AllToAll => b mod fact_size f =? fact_rank f v
  | _ => true
  end.

(* ---- packets, links, ports ---- *)

Fixpoint distinct (l : list nat) : bool :=
  match l with [] => true | a :: l => negb (existsb (Nat.eqb a) l) && distinct l end.

Definition packet_okb (g : graph) (m : model) (all : nat) (p : packet) : bool :=
  (1 <=? round p) && (2 <=? length (path p)) && distinct (path p) && forallb (fun v => v <? nodes g) (path p) &&
  match route m with StoreAndForward => length (path p) =? 2 | Circuit => true end &&
  (1 <=? length (items p)) && (length (items p) <=? packet_tokens m) && distinct (map block (items p)) &&
  forallb (fun i => block i <? all) (items p).

Definition hop_keys (ps : list packet) : list key :=
  flat_map (fun p => map (fun h => (round p, h)) (hops (path p))) ps.

Definition links_okb (s : schedule) : bool :=
  let keys := hop_keys (packets s) in
  let t := tally keys in
  let w := weight (on s) in
  forallb (fun k =>
    let u := fst (snd k) in
    let v := snd (snd k) in
    (count t k <=? w u v) &&
    match link (under s) with
    | Half => count t k + count t (fst k, (v, u)) <=? max (w u v) (w v u)
    | Full => true
    end) keys.

Definition once (keys : list key) : bool := let t := tally keys in forallb (fun k => count t k <=? 1) keys.

Definition link_of (p : packet) : nat * nat := (min (origin p) (target p), max (origin p) (target p)).
Definition link_eqb (a b : nat * nat) : bool := (fst a =? fst b) && (snd a =? snd b).

Definition ports_okb (s : schedule) : bool :=
  match port (under s) with
  | AllPorts => true
  | OnePort =>
      let started := map (fun p => (round p, (origin p, 0))) (packets s) in
      let taken := map (fun p => (round p, (target p, 0))) (packets s) in
      match route (under s) with
      | StoreAndForward =>
          one_value link_eqb (flat_map (fun p => map (fun v => ((round p, (v, 0)), link_of p)) (path p)) (packets s))
      | Circuit =>
          match link (under s) with
          | Full => once started && once taken
          | Half => once (started ++ taken)
          end
      end
  end.

(* ---- blocks that are moved as they are ---- *)

Definition place (m : message) : key := (what m, (to m, 0)).

Definition stored_okb (s : schedule) : bool :=
  let f := facts_of (on s) (aim s) in
  let c := aim s in
  let ms := messages s in
  let came := least place when ms in
  let hop := hop_rounds (under s) in
  let last := rounds s in
  forallb (fun m =>
    negb (adds m) &&
    (holdsb f c (from m) (what m) || (hop <=? when m) && at_most came (what m, (from m, 0)) (when m - hop))) ms &&
  let all := seq 0 (blocks (on s) c) in
  forallb (fun v =>
    negb (fact_member f v) ||
    forallb (fun b => negb (wantsb f c v b) || holdsb f c v b || at_most came (b, (v, 0)) last) all)
    (seq 0 (nodes (on s))).

(* ---- contributions that are combined: sets of nodes as lists of bits ---- *)

Fixpoint union (a b : list bool) : list bool :=
  match a, b with
  | [], _ => b
  | _, [] => a
  | x :: a, y :: b => (x || y) :: union a b
  end.

Fixpoint disjoint (a b : list bool) : bool :=
  match a, b with
  | x :: a, y :: b => negb (x && y) && disjoint a b
  | _, _ => true
  end.

Fixpoint all_disjoint (a : list bool) (l : list (list bool)) : bool :=
  match l with [] => true | b :: l => disjoint a b && all_disjoint (union a b) l end.

(* Has b every node that a has? *)
Fixpoint covers (a b : list bool) : bool :=
  match a, b with
  | [], _ => true
  | x :: a, [] => negb x && covers a []
  | x :: a, y :: b => (negb x || y) && covers a b
  end.

(* What a node has of a block: contributions, and the last round in which a message came, 0 if none did. *)
Definition holding : Type := list bool * nat.
Definition state : Type := M.t holding.

Definition lookup (own : nat -> option holding) (st : state) (b v : nat) : option holding :=
  match M.find (b, (v, 0)) st with Some h => Some h | None => own v end.
Definition set_of (h : option holding) : list bool := match h with Some h => fst h | None => [] end.

Definition own_of (g : graph) (v : nat) : option holding :=
  if member g v then Some (repeat false v ++ [true], 0) else None.

(* One round: the messages of it, by receiver. *)
Definition message_okb (hop : nat) (idem : bool) (get_own : nat -> option holding) (st : state)
    (came : M.t (list message)) (m : message) : bool :=
  let here := get came (place m) in
  match lookup get_own st (what m) (from m) with
  | None => false
  | Some (_, since) => (since =? 0) || (since + hop <=? when m)
  end &&
  if adds m
  then match lookup get_own st (what m) (to m) with
       | None => false
       | Some (set, _) =>
           idem || existsb (fun m => negb (adds m)) here ||
           all_disjoint set (map (fun m => set_of (lookup get_own st (what m) (from m))) here)
       end
  else length here =? 1.

Definition after (get_own : nat -> option holding) (st : state) (came : M.t (list message)) (m : message) : holding :=
  let here := get came (place m) in
  let brought := fold_right (fun m set => union (set_of (lookup get_own st (what m) (from m))) set) [] here in
  (if existsb (fun m => negb (adds m)) here then brought
   else union (set_of (lookup get_own st (what m) (to m))) brought, when m).

Definition round_of (hop : nat) (idem : bool) (get_own : nat -> option holding) (st : state) (ms : list message) :
    option state :=
  let came := bucket place ms in
  if forallb (message_okb hop idem get_own st came) ms
  then Some (fold_left (fun st' m => M.add (place m) (after get_own st came m) st') ms st)
  else None.

(* Rounds r + 1 .. r + k. *)
Fixpoint replay (hop : nat) (idem : bool) (get_own : nat -> option holding) (by_round : M.t (list message)) (r k : nat)
    (st : state) : option state :=
  match k with
  | 0 => Some st
  | S k =>
      match round_of hop idem get_own st (get by_round (S r, (0, 0))) with
      | Some st' => replay hop idem get_own by_round (S r) k st'
      | None => None
      end
  end.

Definition combined_okb (s : schedule) : bool :=
  let g := on s in
  let c := aim s in
  let f := facts_of g c in
  let get_own := memo (nodes g) (own_of g) in
  let by_round := bucket (fun m => (when m, (0, 0))) (messages s) in
  match replay (hop_rounds (under s)) (idempotent c) get_own by_round 0 (rounds s) (M.empty holding) with
  | None => false
  | Some st =>
      let everybody := map (fact_member f) (seq 0 (nodes g)) in
      let all := seq 0 (blocks g c) in
      forallb (fun v =>
        negb (fact_member f v) ||
        forallb (fun b => negb (wantsb f c v b) || covers everybody (set_of (lookup get_own st b v))) all)
        (seq 0 (nodes g))
  end.

(* ---- relays that do not copy, or do not combine ---- *)

Definition source (m : message) : key := (what m, (from m, 0)).

(* Came something that may be sent in round r, and has it not been sent? *)
Definition waits (hop r : nat) (came left : list message) : bool :=
  existsb (fun a => (when a + hop <=? r) &&
                    forallb (fun x => (r <=? when x) || (when x <=? when a)) (came ++ left)) came.

(* Came something before round r, and has it not been sent by then? *)
Definition stays (r : nat) (came left : list message) : bool :=
  existsb (fun a => (when a <? r) && forallb (fun x => (r <? when x) || (when x <=? when a)) left) came.

Definition relays_okb (s : schedule) : bool :=
  let g := on s in
  let ms := messages s in
  let came := bucket place ms in
  let left := bucket source ms in
  forallb (fun m =>
    (copies g (from m) ||
     (length (filter (fun x => when x =? when m) (get left (source m))) =? 1) &&
     waits (hop_rounds (under s)) (when m) (get came (source m)) (get left (source m))) &&
    (negb (adds m) ||
     combines_at g (to m) && (copies g (to m) || stays (when m) (get came (place m)) (get left (place m))))) ms.

Definition check (s : schedule) : bool :=
  let all := blocks (on s) (aim s) in
  model_okb (under s) && goal_okb (on s) (aim s) && forallb (packet_okb (on s) (under s) all) (packets s) &&
  links_okb s && (ports_okb s && relays_okb s) && (if combines (aim s) then combined_okb s else stored_okb s).
