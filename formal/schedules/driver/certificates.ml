(* SPDX-License-Identifier: MIT *)
(* Reads certificates of best rates, docs/reference/certificate-format.md. *)
open Graphs

let line source key =
  match Gfs.next_line source with
  | Some line when starts_with line 0 (key ^ " ") -> snd (Gfs.key_of line)
  | _ -> refuse "the line \"%s ..\" is expected" key

let choice source key choices =
  let value = line source key in
  match List.assoc_opt value choices with
  | Some choice -> choice
  | None -> refuse "%s \"%s\" is not known" key value

let count source key most = all_number (line source key) most

(* Marks the nodes of a part, rising numbers and ranges. *)
let read_part text part_of number =
  let nodes = Array.length part_of in
  let rec go at next =
    let first, at = number_at text at in
    let last, at = if at < String.length text && text.[at] = '-' then number_at text (at + 1) else (first, at) in
    if first < next || last < first || last >= nodes then refuse "rising nodes are expected in \"%s\"" text;
    for v = first to last do
      if part_of.(v) >= 0 then refuse "node %d is in two parts" v;
      part_of.(v) <- number
    done;
    if at < String.length text then
      if text.[at] = ',' then go (at + 1) (last + 1) else refuse "unexpected text in the part \"%s\"" text
  and number_at text at = Graphs.number text at huge in
  go 0 0

let read source =
  if Gfs.next_line source <> Some "gossipfab-certificate 1" then refuse "not a certificate";
  let spec = line source "topology" in
  if starts_with spec 0 "file:" then refuse "a certificate has its graph in itself";
  let graph = Graphs.read Families.read spec in
  let link = choice source "link-mode" [ ("half", Proved.Half); ("full", Proved.Full) ] in
  let name = choice source "collective" Gfs.collectives in
  let root = count source "root" Gfs.most32 in
  let cut = choice source "kind" [ ("cut", true); ("partition", false) ] in
  let blocks = count source "blocks" Gfs.most32 in
  let demand = count source "demand" huge in
  let capacity = count source "capacity" huge in
  let of_members = name = Gfs.All_gather || name = Gfs.Reduce_scatter in
  if name = Gfs.All_to_all || blocks <> (if of_members then Gfs.members graph else 1) then
    refuse "no such certificate of this collective";
  let rooted = name = Gfs.Broadcast_ || name = Gfs.Reduce_ in
  if root <> 0 && not rooted then refuse "a root of a collective that has none";
  let goal = Gfs.goal_of graph name blocks root false in
  let part_of = Array.make graph.count (-1) in
  let rec parts number =
    match Gfs.next_line source with
    | None -> number
    | Some text when starts_with text 0 "part " -> read_part (snd (Gfs.key_of text)) part_of number; parts (number + 1)
    | Some _ -> refuse "a part or the end is expected" in
  let number = parts 0 in
  if Array.exists (fun part -> part < 0) part_of then refuse "a node is in no part";
  if number < 2 || (cut && number > 2) then refuse "%d parts" number;
  (Gfs.proved_graph graph, link, goal,
   { Proved.is_cut = cut; part_of = (fun v -> if v < graph.count then part_of.(v) else 0); demand; capacity })

let verdict text =
  let source = { Gfs.text; at = 0; line = 0 } in
  match read source with
  | graph, link, goal, certificate -> Ok (Proved.certificate_ok graph link goal certificate)
  | exception Refused reason -> Error (Printf.sprintf "line %d: %s" source.line reason)
