(* SPDX-License-Identifier: MIT *)
(* The comb on n x n meshes (docs/theory/optimal-gossip.md, section 2) as a program: trees, quotas, and what each link
   sends in each round. Nothing is proved of it in general: what it makes is checked, size by size, in mesh/Optimal.v.
     *)
From Coq Require Import List NArith Bool FMapPositive.
From Gossipfab Require Import mesh.Fast.
Import ListNotations.
Local Open Scope N_scope.

Section Comb.

Variable n : N.
Definition half : N := n / 2.
Definition nodes_of_mesh : list N := range n.

(* A trunk along a row? Of which parity are its spines? *)
Definition row_trunk (s : N) : bool := N.even (s / n + s mod n).
Definition spines (s : N) : N :=
  if negb (row_trunk s) then (s / n) mod 2
  else if N.even n || (s mod n =? 0) then (s mod n) mod 2 else 1 - (s mod n) mod 2.

(* Lines along axis true are rows, and a step forward is one to the right; the others are columns, a step is one down.
   *)
Definition place (v : N) (axis : bool) : N := if axis then v mod n else v / n.
Definition line (v : N) (axis : bool) : N := if axis then v / n else v mod n.
Definition neighbour (v : N) (axis forward : bool) : option N :=
  let k := if axis then 1 else n in
  if forward then (if place v axis + 1 <? n then Some (v + k) else None)
  else if 1 <=? place v axis then Some (v - k) else None.

(* How many teeth node v takes by steps this way. *)
Definition quota (v : N) (axis forward : bool) : N :=
  let m := half in
  let l := line v axis in
  let r := place v axis / 2 in
  let o := place v axis mod 2 in
  if N.even n then
    if eqb axis (N.even l) then (if forward then r * m else m * (m - r - o))
    else if forward then (r + o) * m else m * (m - 1 - r)
  else if N.even l then (if forward then (r + o) * m else m * (m - r))
  else if axis then
    (if forward then r * (m + 1) + o else if o =? 0 then (m + 1) * (m - r) else m * m - r * (m + 1))
  else if forward then r * (m + 1) else (m + 1) * (m - r - o).

(* What waits, for each way out of a node: trunk tokens, spine tokens, teeth. Who has which token, and quotas that are
   left for each way into a node. *)
Inductive kind := Trunk | Spine | Tooth.
Record state := State { waits : P.t (list N); there : P.t unit; left_over : P.t N }.

Definition way (v : N) (axis forward : bool) (k : kind) : positive :=
  N.succ_pos (16 * v + (if axis then 8 else 0) + (if forward then 4 else 0) +
              match k with Trunk => 0 | Spine => 1 | Tooth => 2 end).
Definition queue (st : P.t (list N)) (v : N) (axis forward : bool) (k : kind) : list N :=
  match P.find (way v axis forward k) st with Some l => l | None => [] end.
Definition put (st : P.t (list N)) (v : N) (axis forward : bool) (k : kind) (l : list N) : P.t (list N) :=
  P.add (way v axis forward k) l st.
Definition push (v : N) (axis forward : bool) (k : kind) (s : N) (st : P.t (list N)) : P.t (list N) :=
  match neighbour v axis forward with
  | Some _ => put st v axis forward k (s :: queue st v axis forward k)
  | None => st
  end.

(* Token s comes to v along its trunk, and goes on; so along a spine. *)
Definition along_trunk (s v : N) (forward : bool) (st : P.t (list N)) : P.t (list N) :=
  push v (row_trunk s) forward Trunk s st.
Definition off_trunk (s v : N) (st : P.t (list N)) : P.t (list N) :=
  if place v (row_trunk s) mod 2 =? spines s
  then push v (negb (row_trunk s)) true Spine s (push v (negb (row_trunk s)) false Spine s st) else st.
Definition along_spine (s v : N) (forward : bool) (st : P.t (list N)) : P.t (list N) :=
  push v (negb (row_trunk s)) forward Spine s
    (push v (row_trunk s) true Tooth s (push v (row_trunk s) false Tooth s st)).

Definition start : state :=
  State
    (fold_left (fun st s => along_trunk s s true (along_trunk s s false (off_trunk s s st))) nodes_of_mesh (P.empty _))
    (at_first n)
    (fold_left (fun st a => P.add (way (fst a) (fst (snd a)) (snd (snd a)) Trunk)
                              (quota (fst a) (fst (snd a)) (snd (snd a))) st)
      (list_prod nodes_of_mesh (list_prod [true; false] [true; false])) (P.empty _)).

(* What a link sends: from, to, axis, forward, kind, token. *)
Record move := Move { m_from : N; m_to : N; m_axis : bool; m_forward : bool; m_kind : kind; m_token : N }.

(* The first trunk or spine token. *)
Definition path_move (st : state) (k : kind) (axis : bool) (u v : N) (forward : bool) : option move :=
  let a := if forward then u else v in
  match queue (waits st) a axis forward k with
  | s :: _ => Some (Move a (if forward then v else u) axis forward k s)
  | [] => None
  end.

(* The first tooth that the receiver has not. *)
Fixpoint drop_had (got : P.t unit) (v : N) (l : list N) : list N :=
  match l with
  | s :: l' => if known (pair_key n s v) got then drop_had got v l' else l
  | [] => []
  end.

Definition count_left (st : state) (v : N) (axis forward : bool) : N :=
  match P.find (way v axis forward Trunk) (left_over st) with Some c => c | None => 0 end.

Definition tooth_move (st : state) (axis : bool) (u v : N) (forward : bool) : option move :=
  let a := if forward then u else v in
  let b := if forward then v else u in
  if count_left st b axis forward =? 0 then None
  else match drop_had (there st) b (queue (waits st) a axis forward Tooth) with
       | s :: _ => Some (Move a b axis forward Tooth s)
       | [] => None
       end.

Definition either (f : bool -> option move) (first : bool) : option move :=
  match f first with Some m => Some m | None => f (negb first) end.

(* Link u - v, v one further than u: trunk tokens, then spine tokens, inwards first, then teeth. *)
Definition choose (st : state) (axis : bool) (u v : N) : option move :=
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
  State (put (waits st) (m_from m) (m_axis m) (m_forward m) (m_kind m) (tl q))
    (P.add (pair_key n (m_token m) w) tt (there st))
    (match m_kind m with
     | Tooth => P.add (way w (m_axis m) (m_forward m) Trunk) (count_left st w (m_axis m) (m_forward m) - 1) (left_over
       st)
     | _ => left_over st
     end).

Definition land (st : P.t (list N)) (m : move) : P.t (list N) :=
  match m_kind m with
  | Trunk => along_trunk (m_token m) (m_to m) (m_forward m) (off_trunk (m_token m) (m_to m) st)
  | Spine => along_spine (m_token m) (m_to m) (m_forward m) st
  | Tooth => st
  end.

Definition links : list (bool * (N * N)) :=
  flat_map (fun a => match neighbour (fst a) (snd a) true with Some w => [(snd a, (fst a, w))] | None => [] end)
    (list_prod nodes_of_mesh [true; false]).

Definition comb_round (all : list (bool * (N * N))) (st : state) : state * list move :=
  let '(st, sent) := fold_left (fun '(st, sent) l =>
    match choose st (fst l) (fst (snd l)) (snd (snd l)) with
    | Some m => (take st m, m :: sent)
    | None => (st, sent)
    end) all (st, []) in
  (State (fold_left land sent (waits st)) (there st) (left_over st), sent).

Fixpoint comb_rounds (all : list (bool * (N * N))) (k : nat) (st : state) : list (list hop) :=
  match k with
  | O => []
  | S k =>
      let '(st, sent) := comb_round all st in
      map (fun m => (m_from m, (m_to m, m_token m))) sent :: comb_rounds all k st
  end.

Definition comb_hops (rounds : nat) : list (list hop) := comb_rounds links rounds start.

End Comb.
