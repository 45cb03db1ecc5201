(* SPDX-License-Identifier: MIT *)
(* The comb on n x n meshes (docs/theory/optimal-gossip.md, section 2) as a program: trees, quotas, and what each link
   sends in each round. Nothing is proved of it in general: what it makes is checked, size by size, in mesh/Optimal.v.
     *)
From Coq Require Import List Arith Bool.
From Gossipfab Require Import spec.Schedule check.Tables torus.Translates.
Import ListNotations.

(* m rows of n nodes: nodes that differ by one in one coordinate are linked. *)
Definition next_to (a b : nat) : bool := (a =? S b) || (b =? S a).
Definition mesh (m n : nat) : graph :=
  Graph (m * n)
    (fun u v => if (u / n =? v / n) && next_to (u mod n) (v mod n) || (u mod n =? v mod n) && next_to (u / n) (v / n)
                then 1 else 0)
    (fun _ => false).

Section Comb.

Variable n : nat.
Definition half : nat := n / 2.

(* A trunk along a row? Of which parity are its spines? *)
Definition row_trunk (s : nat) : bool := Nat.even (s / n + s mod n).
Definition spines (s : nat) : nat :=
  if negb (row_trunk s) then (s / n) mod 2
  else if Nat.even n || (s mod n =? 0) then (s mod n) mod 2 else 1 - (s mod n) mod 2.

(* Lines along axis true are rows, and a step forward is one to the right; the others are columns, a step is one down.
   *)
Definition place (v : nat) (axis : bool) : nat := if axis then v mod n else v / n.
Definition line (v : nat) (axis : bool) : nat := if axis then v / n else v mod n.
Definition neighbour (v : nat) (axis forward : bool) : option nat :=
  let k := if axis then 1 else n in
  if forward then (if S (place v axis) <? n then Some (v + k) else None)
  else if 1 <=? place v axis then Some (v - k) else None.

(* How many teeth node v takes by steps this way. *)
Definition quota (v : nat) (axis forward : bool) : nat :=
  let m := half in
  let l := line v axis in
  let r := place v axis / 2 in
  let o := place v axis mod 2 in
  if Nat.even n then
    if eqb axis (Nat.even l) then (if forward then r * m else m * (m - r - o))
    else if forward then (r + o) * m else m * (m - 1 - r)
  else if Nat.even l then (if forward then (r + o) * m else m * (m - r))
  else if axis then
    (if forward then r * S m + o else if o =? 0 then S m * (m - r) else m * m - r * S m)
  else if forward then r * S m else S m * (m - r - o).

(* What waits, for each way out of a node: trunk tokens, spine tokens, teeth. What there is, and quotas that are left.
   *)
Inductive kind := Trunk | Spine | Tooth.
Record state := State { waits : M.t (list nat); there : M.t nat; left_over : M.t nat }.

Definition way (v : nat) (axis forward : bool) (k : nat) : key :=
  (v, ((if axis then 2 else 0) + (if forward then 1 else 0), k)).
Definition code (k : kind) : nat := match k with Trunk => 0 | Spine => 1 | Tooth => 2 end.
Definition queue (st : M.t (list nat)) (v : nat) (axis forward : bool) (k : kind) : list nat :=
  match M.find (way v axis forward (code k)) st with Some l => l | None => [] end.
Definition put (st : M.t (list nat)) (v : nat) (axis forward : bool) (k : kind) (l : list nat) : M.t (list nat) :=
  M.add (way v axis forward (code k)) l st.
Definition push (v : nat) (axis forward : bool) (k : kind) (s : nat) (st : M.t (list nat)) : M.t (list nat) :=
  match neighbour v axis forward
    with Some _ => put st v axis forward k (s :: queue st v axis forward k) | None => st end.

(* Token s comes to v along its trunk, and goes on. *)
Definition along_trunk (s v : nat) (forward : bool) (st : M.t (list nat)) : M.t (list nat) :=
  push v (row_trunk s) forward Trunk s st.
Definition off_trunk (s v : nat) (st : M.t (list nat)) : M.t (list nat) :=
  if place v (row_trunk s) mod 2 =? spines s
  then push v (negb (row_trunk s)) true Spine s (push v (negb (row_trunk s)) false Spine s st) else st.
Definition along_spine (s v : nat) (forward : bool) (st : M.t (list nat)) : M.t (list nat) :=
  push v (negb (row_trunk s)) forward Spine s
    (push v (row_trunk s) true Tooth s (push v (row_trunk s) false Tooth s st)).

Definition start : state :=
  let all := seq 0 (n * n) in
  State
    (fold_left (fun st s => along_trunk s s true (along_trunk s s false (off_trunk s s st))) all (M.empty _))
    (fold_left (fun st s => M.add (s, (s, 0)) 0 st) all (M.empty _))
    (fold_left (fun st a => M.add (way (fst a) (fst (snd a)) (snd (snd a)) 0)
                              (quota (fst a) (fst (snd a)) (snd (snd a))) st)
      (list_prod all (list_prod [true; false] [true; false])) (M.empty _)).

(* What a link sends: from, to, axis, forward, kind, token. *)
Record move := Move { m_from : nat; m_to : nat; m_axis : bool; m_forward : bool; m_kind : kind; m_token : nat }.

(* The first trunk or spine token, of the ways in this order. *)
Definition path_move (st : state) (k : kind) (axis : bool) (u v : nat) (forward : bool) : option move :=
  let a := if forward then u else v in
  match queue (waits st) a axis forward k with
  | s :: _ => Some (Move a (if forward then v else u) axis forward k s)
  | [] => None
  end.

Fixpoint drop_had (got : M.t nat) (v : nat) (l : list nat) : list nat :=
  match l with
  | s :: l' => match M.find (s, (v, 0)) got with Some _ => drop_had got v l' | None => l end
  | [] => []
  end.

Definition count_left (st : state) (v : nat) (axis forward : bool) : nat := count (left_over st) (way v axis forward 0).

Definition tooth_move (st : state) (axis : bool) (u v : nat) (forward : bool) : option move :=
  let a := if forward then u else v in
  let b := if forward then v else u in
  if count_left st b axis forward =? 0 then None
  else match drop_had (there st) b (queue (waits st) a axis forward Tooth) with
       | s :: _ => Some (Move a b axis forward Tooth s)
       | [] => None
       end.

Definition either (f : bool -> option move) (first : bool) : option move :=
  match f first with Some m => Some m | None => f (negb first) end.

(* Link u - v, v one further than u. *)
Definition choose (st : state) (axis : bool) (u v : nat) : option move :=
  match either (path_move st Trunk axis u v) true with
  | Some m => Some m
  | None =>
      match either (path_move st Spine axis u v) (place v axis <=? half) with
      | Some m => Some m
      | None => either (tooth_move st axis u v) (count_left st u axis false <=? count_left st v axis true)
      end
  end.

(* It leaves its queue and is there; what it is good for comes after the round. *)
Definition take (st : state) (m : move) : state :=
  let w := m_to m in
  let q := queue (waits st) (m_from m) (m_axis m) (m_forward m) (m_kind m) in
  let q := match m_kind m with Tooth => drop_had (there st) w q | _ => q end in
  let k := way w (m_axis m) (m_forward m) 0 in
  State (put (waits st) (m_from m) (m_axis m) (m_forward m) (m_kind m) (tl q))
    (M.add (m_token m, (w, 0)) 0 (there st))
    (match m_kind m with Tooth => M.add k (count (left_over st) k - 1) (left_over st) | _ => left_over st end).

Definition land (st : M.t (list nat)) (m : move) : M.t (list nat) :=
  match m_kind m with
  | Trunk => along_trunk (m_token m) (m_to m) (m_forward m) (off_trunk (m_token m) (m_to m) st)
  | Spine => along_spine (m_token m) (m_to m) (m_forward m) st
  | Tooth => st
  end.

Definition links : list (bool * (nat * nat)) :=
  flat_map (fun a => match neighbour (fst a) (snd a) true with Some w => [(snd a, (fst a, w))] | None => [] end)
    (list_prod (seq 0 (n * n)) [true; false]).

Definition comb_round (all : list (bool * (nat * nat))) (st : state) : state * list move :=
  let '(st, sent) := fold_left (fun '(st, sent) l =>
    match choose st (fst l) (fst (snd l)) (snd (snd l)) with
    | Some m => (take st m, m :: sent)
    | None => (st, sent)
    end) all (st, []) in
  (State (fold_left land sent (waits st)) (there st) (left_over st), sent).

Fixpoint comb_rounds (all : list (bool * (nat * nat))) (r k : nat) (st : state) : list packet :=
  match k with
  | 0 => []
  | S k =>
      let '(st, sent) := comb_round all st in
      map (fun m => Packet r [m_from m; m_to m] [Item (m_token m) false]) sent ++ comb_rounds all (S r) k st
  end.

Definition triangle : nat := n * (n + 1) / 2.

Definition comb : schedule :=
  Schedule (mesh n n) (plain Half) (AllGather (n * n)) (comb_rounds links 1 triangle start).

End Comb.
