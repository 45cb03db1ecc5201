(* SPDX-License-Identifier: MIT *)
(* Links of the families of graphs that are more than a grid, each from its definition in docs/reference/graph-files.md
   and `gossipfab list topologies`. *)
open Graphs

(* Links without loops, each once. *)
let of_all count links =
  let seen = Hashtbl.create 1024 in
  of_links count
    (List.filter (fun (u, v) ->
         let key = (min u v, max u v) in
         u <> v && not (Hashtbl.mem seen key) && (Hashtbl.replace seen key (); true)) links)

let one text least most =
  let k = all_number text ((1 lsl 32) - 1) in
  if k < least || k > most then refuse "the number of \"%s\" is from %d to %d" text least most;
  k

(* Numbers, each but the first after its sign. *)
let several text signs least =
  let rec go at = function
    | [] -> if at <> String.length text then refuse "unexpected text in \"%s\"" text else []
    | sign :: signs ->
      if at >= String.length text || text.[at] <> sign then refuse "'%c' is expected in \"%s\"" sign text;
      let n, at = number text (at + 1) max_nodes in
      n :: go at signs in
  let first, at = number text 0 max_nodes in
  let all = first :: go at signs in
  if List.exists (fun n -> n < least) all then refuse "a number of \"%s\" is below %d" text least;
  all

let limit count = if count > max_nodes then refuse "too many nodes"

(* Sides of n / 2 nodes; node j of one is linked with j + 2^i - 1 of the other. *)
let knoedel degree n =
  if n mod 2 <> 0 || degree < 1 || degree > 24 || n lsr degree = 0 || (degree = 1 && n > 2) then
    refuse "no Knoedel graph of %d nodes with %d links each" n degree;
  limit n;
  let half = n / 2 in
  of_all n (List.concat_map (fun j -> List.map (fun i -> (j, half + ((j + (1 lsl i) - 1) mod half))) (range degree))
              (range half))

let read_knoedel text =
  match String.index_opt text ',' with
  | None -> let k = one text 1 21 in knoedel k (1 lsl k)
  | Some _ -> (match several text [ ',' ] 0 with [ degree; n ] -> knoedel degree n | _ -> assert false)

(* Node (i, j) is number i k + j: cycles of j, and a link at bit j of i. *)
let cycles k cross =
  of_all (k lsl k)
    (List.concat_map (fun i -> List.concat_map (fun j ->
         [ ((i * k) + j, (i * k) + ((j + 1) mod k)); ((i * k) + j, ((i lxor (1 lsl j)) * k) + cross j) ]) (range k))
        (range (1 lsl k)))

(* The rank of a permutation among all in rising order. *)
let rec rank = function
  | [] -> 0
  | first :: rest ->
    let rec factorial n = if n < 2 then 1 else n * factorial (n - 1) in
    (List.length (List.filter (fun x -> x < first) rest) * factorial (List.length rest)) + rank rest

let rec permutations = function
  | [] -> [ [] ]
  | symbols -> List.concat_map (fun x -> List.map (List.cons x) (permutations (List.filter (( <> ) x) symbols))) symbols

let exchanged p c = List.mapi (fun i x -> if i = 0 then List.nth p c else if i = c then List.hd p else x) p
let reversed p c = List.mapi (fun i x -> if i <= c then List.nth p (c - i) else x) p

let cayley text change =
  let k = one text 2 9 in
  let all = permutations (range k) in
  of_all (List.length all)
    (List.concat_map (fun p -> List.map (fun c -> (rank p, rank (change p (c + 1)))) (range (k - 1))) all)

(* The last row is linked with the first one, `twist` columns farther. *)
let twisted rows columns twist =
  if rows < 3 || columns < 3 || twist >= columns then refuse "no twisted torus of %dx%d,%d" rows columns twist;
  limit (rows * columns);
  of_all (rows * columns)
    (List.concat_map (fun v ->
         let row = v / columns and column = v mod columns in
         let below = if row + 1 < rows then v + columns else (column + twist) mod columns in
         [ (v, (row * columns) + ((column + 1) mod columns)); (v, below) ]) (range (rows * columns)))

let with_relays first graph = { graph with relays = Array.init graph.count (fun v -> if v >= first then Some does_all else None) }

(* Hosts; then the switches at the edge, half a pod's ports down and half up; then those above; then the core. *)
let fat_tree ports =
  if ports mod 2 <> 0 then refuse "a fat-tree of odd ports";
  if ports > 256 then refuse "too large a fat-tree";
  let half = ports / 2 in
  let hosts = ports * half * half in
  let edge pod i = hosts + (pod * half) + i in
  let above pod j = hosts + (ports * half) + (pod * half) + j in
  let core j i = hosts + (2 * ports * half) + (j * half) + i in
  with_relays hosts
    (of_all (hosts + (2 * ports * half) + (half * half))
       (List.map (fun h -> (h, hosts + (h / half))) (range hosts)
        @ List.concat_map (fun pod -> List.concat_map (fun i -> List.concat_map (fun j ->
              [ (edge pod i, above pod j); (above pod j, core j i) ]) (range half)) (range half)) (range ports)))

(* Hosts, then routers. The far links of a group, in the order of its routers, go to the next groups in turn. *)
let dragonfly hosts routers far =
  let groups = (routers * far) + 1 in
  if hosts * routers * far > max_nodes then refuse "too large a dragonfly";
  limit (groups * routers * (hosts + 1));
  let terminals = groups * routers * hosts in
  let router g a = terminals + (g * routers) + a in
  let far_link g other = router g (((other - g - 1 + groups) mod groups) / far) in
  with_relays terminals
    (of_all (terminals + (groups * routers))
       (List.map (fun t -> (t, terminals + (t / hosts))) (range terminals)
        @ List.concat_map (fun g ->
            List.concat_map (fun a -> List.map (fun b -> (router g a, router g b)) (range a)) (range routers)
            @ List.map (fun other -> (far_link g other, far_link other g)) (range g)) (range groups)))

(* Words of letters 0 .. d of which no two neighbours are alike, in rising order; arcs shift them. *)
let kautz d length =
  let rec count i = if i = 1 then d + 1 else min (max_nodes + 1) (d * count (i - 1)) in
  limit (count (min length 32));
  let letters_but x = List.filter (( <> ) x) (range (d + 1)) in
  let rec words first n = if n = 0 then [ [] ] else
      List.concat_map (fun x -> List.map (List.cons x) (words (Some x) (n - 1)))
        (match first with None -> range (d + 1) | Some x -> letters_but x) in
  let all = words None length in
  let number = Hashtbl.create 1024 in
  List.iteri (fun i word -> Hashtbl.replace number word i) all;
  let arcs = Hashtbl.create 1024 in
  List.iter (fun word ->
      let u = Hashtbl.find number word in
      List.iter (fun x ->
          let v = Hashtbl.find number (List.tl word @ [ x ]) in
          Hashtbl.replace arcs (u, v) 1;
          if not (Hashtbl.mem arcs (v, u)) then Hashtbl.replace arcs (v, u) 0)
        (letters_but (List.nth word (length - 1)))) all;
  if List.length all < 2 then refuse "at least 2 nodes";
  { count = List.length all; arcs; relays = Array.make (List.length all) None; sides = None }

(* Random graphs: Floyd's sampling of m of all pairs a < b, counted by b, then a; splitmix64 from the seed. *)
let splitmix state =
  let open Int64 in
  let mixed z shift factor = mul (logxor z (shift_right_logical z shift)) factor in
  state := add !state 0x9e3779b97f4a7c15L;
  let z = mixed (mixed !state 30 0xbf58476d1ce4e5b9L) 27 0x94d049bb133111ebL in
  logxor z (shift_right_logical z 31)

(* Below [bound], each as likely: what is above the last whole multiple is drawn again. *)
let draw state bound =
  let bound = Int64.of_int bound in
  let surplus = Int64.unsigned_rem (Int64.succ (Int64.unsigned_rem (-1L) bound)) bound in
  let rec go () =
    let bits = splitmix state in
    if Int64.unsigned_compare bits (Int64.sub (-1L) surplus) > 0 then go ()
    else Int64.to_int (Int64.unsigned_rem bits bound) in
  go ()

let random n m seed =
  limit n;
  if n < 2 || m < n - 1 || m > n * (n - 1) / 2 then refuse "no random graph of %d nodes and %d links" n m;
  let taken = Hashtbl.create 1024 and state = ref seed in
  let pairs = n * (n - 1) / 2 in
  let pair p =
    let rec go b = if b * (b + 1) / 2 > p then (p - (b * (b - 1) / 2), b) else go (b + 1) in
    go 1 in
  of_all n (List.map (fun i ->
      let pick = draw state (pairs - m + i + 1) in
      let pick = if Hashtbl.mem taken pick then pairs - m + i else pick in
      Hashtbl.replace taken pick ();
      pair pick) (range m))

let read_random text =
  match String.split_on_char ',' text with
  | [ n; m; seed ] when starts_with n 0 "n=" && starts_with m 0 "m=" && starts_with seed 0 "seed=" ->
    let after key text = String.sub text (String.length key) (String.length text - String.length key) in
    let seed = after "seed=" seed in
    if seed = "" || String.length seed > 20 || not (String.for_all (fun c -> c >= '0' && c <= '9') seed)
       || (seed.[0] = '0' && seed <> "0") then refuse "no seed: \"%s\"" seed;
    let seed = match Int64.of_string_opt ("0u" ^ seed) with
      | Some number -> number
      | None -> refuse "the seed %s is too large" seed in
    random (all_number (after "n=" n) max_nodes) (all_number (after "m=" m) huge) seed
  | _ -> refuse "random:n=N,m=M,seed=S is expected"

let read name text =
  match name with
  | "random" -> Some (read_random text)
  | "knoedel" -> Some (read_knoedel text)
  | "ccc" -> Some (cycles (one text 3 19) Fun.id)
  | "butterfly" -> let k = one text 3 19 in Some (cycles k (fun j -> (j + 1) mod k))
  | "debruijn" ->
    let n = 1 lsl one text 1 24 in
    Some (of_all n (List.concat_map (fun v -> [ (v, 2 * v mod n); (v, ((2 * v) + 1) mod n) ]) (range n)))
  | "shuffle-exchange" ->
    let n = 1 lsl one text 1 24 in
    let rotated v = (2 * v mod n) + (2 * v / n) in
    Some (of_all n (List.concat_map (fun v -> [ (v, v lxor 1); (v, rotated v) ]) (range n)))
  | "star" -> Some (cayley text exchanged)
  | "pancake" -> Some (cayley text reversed)
  | "twisted-torus" ->
    (match several text [ 'x'; ',' ] 0 with [ a; b; s ] -> Some (twisted a b s) | _ -> assert false)
  | "fat-tree" -> (match several text [] 2 with [ k ] -> Some (fat_tree k) | _ -> assert false)
  | "dragonfly" -> (match several text [ ','; ',' ] 1 with [ p; a; h ] -> Some (dragonfly p a h) | _ -> assert false)
  | "kautz" -> (match several text [ ',' ] 1 with [ d; k ] -> Some (kautz d k) | _ -> assert false)
  | _ -> None
