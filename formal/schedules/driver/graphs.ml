(* SPDX-License-Identifier: MIT *)
(* Graphs from the text of a topology line (docs/reference/graph-files.md): path, cycle, mesh, torus, complete,
   hypercube, graph, and what may follow a '+'. families.ml reads others. *)

exception Refused of string

let refuse format =
  Printf.ksprintf (fun text ->
      raise (Refused (if String.length text > 160 then String.sub text 0 160 ^ ".." else text))) format

(* A number at a place of a text, and the place after it: decimal, no sign, no leading zero, at most [limit]. *)
let number text at limit =
  let length = String.length text in
  let is_digit i = i < length && text.[i] >= '0' && text.[i] <= '9' in
  if not (is_digit at) then refuse "a number is expected at column %d of \"%s\"" (at + 1) text;
  if text.[at] = '0' && is_digit (at + 1) then refuse "a leading zero at column %d of \"%s\"" (at + 1) text;
  let rec go i value =
    if not (is_digit i) then (value, i)
    else begin
      let value = (10 * value) + Char.code text.[i] - Char.code '0' in
      if value > limit then refuse "a number above %d in \"%s\"" limit text;
      go (i + 1) value
    end
  in
  go at 0

let huge = 1 lsl 59

let all_number text limit =
  let value, at = number text 0 limit in
  if at <> String.length text then refuse "unexpected text after the number in \"%s\"" text;
  value

let max_nodes = 1 lsl 24

(* What a relay does. *)
type relay = { copies : bool; combines : bool }
let does_all = { copies = true; combines = true }

type t = {
  count : int;
  arcs : (int * int, int) Hashtbl.t; (* both arcs of every link, also those of weight 0 *)
  relays : relay option array; (* None: a member *)
  sides : int list option; (* of a torus, the fastest first *)
}

let add_link arcs u v =
  if u = v then refuse "the link %d-%d is a loop" u v;
  if Hashtbl.mem arcs (u, v) then refuse "the link %d-%d is there twice" u v;
  Hashtbl.replace arcs (u, v) 1;
  Hashtbl.replace arcs (v, u) 1

let of_links count links =
  if count < 2 then refuse "%d nodes in all; at least 2" count;
  let arcs = Hashtbl.create 1024 in
  List.iter (fun (u, v) -> add_link arcs u v) links;
  { count; arcs; relays = Array.make count None; sides = None }

(* ---- families ---- *)

let range n = List.init n (fun i -> i)

let grid ~torus sides =
  let count = List.fold_left (fun n side -> if side = 0 then refuse "a side of 0" else
      if n * side > max_nodes then refuse "too many nodes" else n * side) 1 sides in
  let fastest_first = List.rev sides in
  let links =
    List.concat_map (fun v ->
        let _, links = List.fold_left (fun (stride, links) side ->
            let c = v / stride mod side in
            let next = if c + 1 < side then Some (v + stride)
              else if torus && side >= 3 then Some (v - (c * stride)) else None in
            (stride * side, match next with Some w -> (v, w) :: links | None -> links)) (1, []) fastest_first in
        links) (range count) in
  { (of_links count links) with sides = (if torus then Some fastest_first else None) }

let read_sides text =
  let rec go at sides =
    let side, at = number text at max_nodes in
    let sides = side :: sides in
    if at = String.length text then List.rev sides
    else if text.[at] = 'x' then go (at + 1) sides
    else refuse "unexpected text in the sides \"%s\"" text in
  let sides = go 0 [] in
  if List.length sides > 8 then refuse "at most 8 dimensions";
  sides

let read_pair text at count =
  let u, at = number text at huge in
  if u >= count then refuse "node %d does not exist" u;
  if at >= String.length text || text.[at] <> '-' then refuse "a link U-V is expected in \"%s\"" text;
  let v, at = number text (at + 1) huge in
  if v >= count then refuse "node %d does not exist" v;
  ((u, v), at)

let listed text =
  let count, at = number text 0 max_nodes in
  if at >= String.length text || text.[at] <> ':' then refuse "graph:N:U-V,... is expected";
  if count < 2 then refuse "%d nodes in all; at least 2" count;
  let rec go at links =
    let link, at = read_pair text at count in
    if at = String.length text then link :: links
    else if text.[at] = ',' then go (at + 1) (link :: links)
    else refuse "unexpected text in the links \"%s\"" text in
  of_links count (go (at + 1) [])

let family others name text =
  match name with
  | "mesh" -> grid ~torus:false (read_sides text)
  | "torus" -> grid ~torus:true (read_sides text)
  | "path" -> grid ~torus:false [ all_number text max_nodes ]
  | "cycle" ->
    let n = all_number text max_nodes in
    if n < 3 then refuse "a cycle needs at least 3 nodes";
    grid ~torus:true [ n ]
  | "complete" ->
    let n = all_number text 8192 in
    of_links n (List.concat_map (fun u -> List.map (fun i -> (u, u + 1 + i)) (range (n - 1 - u))) (range n))
  | "hypercube" ->
    let k = all_number text 20 in
    of_links (1 lsl k)
      (List.concat_map (fun v ->
           List.filter_map (fun i -> if v land (1 lsl i) = 0 then Some (v, v lor (1 lsl i)) else None) (range k))
          (range (1 lsl k)))
  | "graph" -> listed text
  | _ ->
    match others name text with
    | Some graph -> graph
    | None -> refuse "the family \"%s\" is not known here" name

(* ---- connected? ---- *)

(* Can node 0 reach every node over arcs that [goes] says are there? *)
let reaches graph goes =
  let next = Array.make graph.count [] in
  Hashtbl.iter (fun (u, v) weight -> if goes (u, v) weight then next.(u) <- v :: next.(u)) graph.arcs;
  let seen = Array.make graph.count false in
  let rec go = function
    | [] -> ()
    | v :: rest ->
      go (List.fold_left (fun rest w -> if seen.(w) then rest else (seen.(w) <- true; w :: rest)) rest next.(v)) in
  seen.(0) <- true;
  go [ 0 ];
  Array.for_all Fun.id seen

let check_connected graph =
  let weight arc = Hashtbl.find graph.arcs arc in
  if not (reaches graph (fun (u, v) _ -> weight (u, v) > 0) && reaches graph (fun (u, v) _ -> weight (v, u) > 0)) then
    refuse "not connected both ways";
  let members = Array.fold_left (fun n relay -> if relay = None then n + 1 else n) 0 graph.relays in
  if members < 2 then refuse "%d members; at least 2" members;
  graph

(* ---- what follows a '+' ---- *)

let read_list text at count which =
  let marks = Array.make count false in
  let rec go at =
    let first, at = number text at huge in
    let last, at = if at < String.length text && text.[at] = '-' then number text (at + 1) huge else (first, at) in
    if last < first || last >= count then refuse "no such nodes in \"%s\"" text;
    for v = first to last do
      if marks.(v) then refuse "node %d is named as a %s twice" v which;
      marks.(v) <- true
    done;
    if at < String.length text && text.[at] = ',' then go (at + 1) else at in
  let at = go at in
  (marks, at)

let starts_with text at word =
  String.length text - at >= String.length word && String.sub text at (String.length word) = word

(* Where the suffixes begin. *)
let suffixes text =
  let rec go at =
    if at >= String.length text then at
    else if List.exists (starts_with text at) [ "+drop-"; "+relay="; "+members="; "+weight="; "+names=" ] then at
    else go (at + 1) in
  go 0

type change = {
  dropped : bool array;
  cut : (int * int, unit) Hashtbl.t;
  kinds : relay option array;
  mutable relay : bool array option; (* those that +relay= names *)
  mutable member : bool array option;
  weights : (int * int, int) Hashtbl.t;
}

let merge which old marks =
  match old with
  | None -> Some marks
  | Some before ->
    Some (Array.mapi (fun v mark ->
        if mark && before.(v) then refuse "node %d is named as a %s twice" v which else mark || before.(v)) marks)

let read_kind text at =
  if at >= String.length text || text.[at] <> ':' then (does_all, at)
  else if starts_with text (at + 1) "switch" then refuse "\"%s\" has switches; this checker knows relays that store" text
  else
    match List.find_opt (fun (word, _) -> starts_with text (at + 1) word)
            [ ("copy", { copies = true; combines = false }); ("combine", { copies = false; combines = true });
              ("forward", { copies = false; combines = false }) ] with
    | Some (word, kind) -> (kind, at + 1 + String.length word)
    | None -> refuse "what relays do is :copy, :combine or :forward in \"%s\"" text

let cut_link change u v =
  if Hashtbl.mem change.cut (u, v) then refuse "the link %d-%d is dropped twice" u v;
  Hashtbl.replace change.cut (u, v) ();
  Hashtbl.replace change.cut (v, u) ()

let read_link base text at =
  let (u, v), at = read_pair text at base.count in
  if not (Hashtbl.mem base.arcs (u, v)) then refuse "there is no link %d-%d" u v;
  (u, v, at)

let read_suffix base change text at =
  let after word = at + String.length word in
  if starts_with text at "+drop-link=" then begin
    let u, v, at = read_link base text (after "+drop-link=") in
    cut_link change u v;
    at
  end
  else if starts_with text at "+drop-node=" then begin
    let v, at = number text (after "+drop-node=") huge in
    if v >= base.count then refuse "node %d does not exist" v;
    if change.dropped.(v) then refuse "node %d is dropped twice" v;
    change.dropped.(v) <- true;
    Hashtbl.iter (fun (a, b) _ -> if a = v && not change.dropped.(b) then cut_link change a b) base.arcs;
    at
  end
  else if starts_with text at "+relay=" then begin
    let marks, at = read_list text (after "+relay=") base.count "relay" in
    change.relay <- merge "relay" change.relay marks;
    let kind, at = read_kind text at in
    Array.iteri (fun v mark -> if mark then change.kinds.(v) <- Some kind) marks;
    at
  end
  else if starts_with text at "+members=" then begin
    let marks, at = read_list text (after "+members=") base.count "member" in
    change.member <- merge "member" change.member marks;
    at
  end
  else if starts_with text at "+weight=" then begin
    let u, v, at = read_link base text (after "+weight=") in
    if at >= String.length text || text.[at] <> ':' then refuse "a weight is expected in \"%s\"" text;
    let there, at = number text (at + 1) 65535 in
    let back, at = if at < String.length text && text.[at] = '/' then number text (at + 1) 65535 else (there, at) in
    if there = 0 && back = 0 then refuse "the link %d-%d has a weight of 0" u v;
    Hashtbl.replace change.weights (u, v) there;
    Hashtbl.replace change.weights (v, u) back;
    at
  end
  else if starts_with text at "+names=" then begin (* what nodes are called has no meaning here *)
    let from = after "+names=" in
    let stop = Option.value (String.index_from_opt text from '+') ~default:(String.length text) in
    let names = String.split_on_char ',' (String.sub text from (stop - from)) in
    if List.length names <> base.count then refuse "%d names; there are %d nodes" (List.length names) base.count;
    stop
  end
  else refuse "unexpected \"%s\" after the topology" (String.sub text at (String.length text - at))

let changed base text at =
  let change = { dropped = Array.make base.count false; cut = Hashtbl.create 16; kinds = Array.copy base.relays;
                 relay = None; member = None; weights = Hashtbl.create 16 } in
  let rec go at = if at < String.length text then go (read_suffix base change text at) in
  go at;
  let fresh = Array.make base.count 0 in
  let count = ref 0 in
  Array.iteri (fun v gone -> fresh.(v) <- !count; if not gone then incr count) change.dropped;
  if !count < 2 then refuse "%d nodes are left; at least 2" !count;
  let arcs = Hashtbl.create 1024 in
  Hashtbl.iter (fun (u, v) weight ->
      if not (change.dropped.(u) || change.dropped.(v) || Hashtbl.mem change.cut (u, v)) then
        let weight = Option.value (Hashtbl.find_opt change.weights (u, v)) ~default:weight in
        Hashtbl.replace arcs (fresh.(u), fresh.(v)) weight) base.arcs;
  let relays = Array.make !count None in
  Array.iteri (fun v gone ->
      if not gone then
        let outside = match change.member with Some marks -> not marks.(v) | None -> false in
        relays.(fresh.(v)) <- (match change.kinds.(v) with None when outside -> Some does_all | kind -> kind))
    change.dropped;
  { count = !count; arcs; relays; sides = None }

(* [others] reads the families that are not here. *)
let read others text =
  let at = suffixes text in
  let base = String.sub text 0 at in
  match String.index_opt base ':' with
  | None -> refuse "sizes are missing in \"%s\"" text
  | Some colon ->
    let numbers = String.sub base (colon + 1) (String.length base - colon - 1) in
    let graph = family others (String.sub base 0 colon) numbers in
    check_connected (if at < String.length text then changed graph text at else graph)
