(* SPDX-License-Identifier: MIT *)
(* Reads schedules in the text form of docs/reference/schedule-format.md, versions 1 to 4, and shares no line with
   gossipfab's own reader. *)
open Graphs

type schedule = Listed of Proved.schedule | Repeats of Proved.repeating

type source = { text : string; mutable at : int; mutable line : int }

(* The next line; None at the end of the text. *)
let next_line source =
  let length = String.length source.text in
  if source.at >= length then None
  else
    match String.index_from_opt source.text source.at '\n' with
    | None -> refuse "the last line does not end in LF"
    | Some stop ->
      let line = String.sub source.text source.at (stop - source.at) in
      source.at <- stop + 1;
      source.line <- source.line + 1;
      if String.exists (fun c -> c = '\r' || c = '\000') line then refuse "a carriage return or a NUL byte";
      Some line

let rec content source =
  match next_line source with
  | Some line when line = "" || line.[0] = '#' -> content source
  | other -> other

(* The next line of content stays, to be read again. *)
let peek source =
  let at = source.at and line = source.line in
  let text = content source in
  source.at <- at;
  source.line <- line;
  text

let key_of line = match String.index_opt line ' ' with
  | Some i -> (String.sub line 0 i, String.sub line (i + 1) (String.length line - i - 1))
  | None -> (line, "")

let optional source key =
  match peek source with
  | Some line when starts_with line 0 (key ^ " ") ->
    ignore (content source);
    Some (snd (key_of line))
  | _ -> None

let required source key =
  match optional source key with
  | Some value -> value
  | None -> refuse "the line \"%s\" is expected" key

let count source key least most =
  let value = all_number (required source key) most in
  if value < least then refuse "%s is %d; at least %d" key value least;
  value

let one_of source key choices =
  let value = required source key in
  match List.assoc_opt value choices with
  | Some choice -> choice
  | None -> refuse "%s \"%s\" is not known" key value

(* ---- the header ---- *)

let most32 = (1 lsl 32) - 1
let most_blocks = (1 lsl 31) - 1
let most_holdings = 1 lsl 28
let most_rounds = 1 lsl 24

let read_model source =
  let link = one_of source "link-mode" [ ("half", Proved.Half); ("full", Proved.Full) ] in
  let port = one_of source "port-mode" [ ("all", Proved.AllPorts); ("one", Proved.OnePort) ] in
  let packet_tokens = count source "packet-tokens" 1 most32 in
  let hop_rounds = count source "hop-rounds" 1 most32 in
  let route = match optional source "routing" with
    | None | Some "store-and-forward" -> Proved.StoreAndForward
    | Some ("circuit" | "wormhole") -> Proved.Circuit
    | Some other -> refuse "routing \"%s\" is not known" other in
  { Proved.link; port; route; packet_tokens; hop_rounds }

let check_solver name =
  let fine c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c = '-' in
  if name = "" || String.length name > 63 || not (String.for_all fine name) then
    refuse "solver \"%s\": a name is up to 63 letters, digits and hyphens, or -" name

let numbers text limit =
  let rec go at values =
    let value, at = number text at limit in
    if at = String.length text then List.rev (value :: values)
    else if text.[at] = ' ' then go (at + 1) (value :: values)
    else refuse "unexpected text in \"%s\"" text in
  go 0 []

let members graph = Array.fold_left (fun n relay -> if relay = None then n + 1 else n) 0 graph.relays

let check_holdings graph blocks =
  if graph.count * blocks > most_holdings then refuse "%d nodes times %d tokens" graph.count blocks

(* The lines of version 1: parts and load. *)
let read_load source graph =
  let parts = match optional source "parts" with
    | None -> 1
    | Some text ->
      let parts = all_number text most32 in
      if parts < 2 || parts > 65536 then refuse "parts is %d" parts;
      parts in
  match optional source "load" with
  | None ->
    if parts > 1 then check_holdings graph (members graph * parts);
    Proved.AllGather (members graph * parts)
  | Some text ->
    let load = numbers text most_blocks in
    if List.length load <> graph.count then refuse "%d loads" (List.length load);
    List.iteri (fun v tokens -> if tokens > 0 && graph.relays.(v) <> None then refuse "a relay has a load") load;
    let tokens = List.fold_left ( + ) 0 load in
    if tokens < 1 || tokens > most_blocks then refuse "%d tokens" tokens;
    check_holdings graph tokens;
    Proved.Gossip load

type name = All_gather | Reduce_scatter | All_reduce | Broadcast_ | Reduce_ | Barrier_ | All_to_all

let collectives = [ ("all-gather", All_gather); ("reduce-scatter", Reduce_scatter); ("all-reduce", All_reduce);
                    ("broadcast", Broadcast_); ("reduce", Reduce_); ("barrier", Barrier_); ("all-to-all", All_to_all) ]

(* What gfab_goal_check refuses. *)
let goal_of graph name blocks root idempotent =
  let n = members graph in
  let shared = name = All_gather || name = Reduce_scatter in
  if shared && blocks mod n <> 0 then refuse "%d blocks on %d nodes" blocks n;
  if name = Barrier_ && blocks <> 1 then refuse "a barrier of %d blocks" blocks;
  if name = All_to_all && blocks <> n * n then refuse "all-to-all of %d blocks on %d nodes" blocks n;
  if root >= n then refuse "root %d does not exist" root;
  let storing = name = All_gather || name = Broadcast_ || name = All_to_all in
  if idempotent && storing then refuse "nothing is combined: there is no operator to be idempotent";
  match name with
  | All_gather -> Proved.AllGather blocks
  | Reduce_scatter -> Proved.ReduceScatter (blocks, idempotent)
  | All_reduce -> Proved.AllReduce (blocks, idempotent)
  | Broadcast_ -> Proved.Broadcast (blocks, root)
  | Reduce_ -> Proved.Reduce (blocks, root, idempotent)
  | Barrier_ -> Proved.Barrier idempotent
  | All_to_all -> Proved.AllToAll

(* How a schedule's packets are to be understood. *)
type kind = Plain | Goal | Tree | Group of int * int (* period, blocks *)

(* The lines of versions 2 and 4. *)
let read_goal source graph model repeats =
  let name = one_of source "collective" collectives in
  let blocks = match required source "blocks" with
    | "any" when repeats -> None
    | text ->
      let blocks = all_number text most_blocks in
      if blocks < 1 then refuse "blocks is 0";
      Some blocks in
  let root = if name = Broadcast_ || name = Reduce_ then all_number (required source "root") most32 else 0 in
  let idempotent = match optional source "idempotent" with
    | None -> false
    | Some "yes" -> true
    | Some other -> refuse "idempotent \"%s\": yes, or no such line" other in
  if not repeats then begin
    let blocks = Option.get blocks in
    let goal = goal_of graph name blocks root idempotent in
    check_holdings graph blocks;
    (Goal, goal)
  end
  else begin
    let period = count source "period" 1 most_rounds in
    let group = count source "group" 1 most_blocks in
    if name = Barrier_ || name = All_to_all then refuse "this collective does not repeat";
    if model.Proved.packet_tokens <> 1 || model.Proved.route <> Proved.StoreAndForward then
      refuse "a schedule that repeats has packets of one token over one link";
    ignore (goal_of graph name (Option.value blocks ~default:group) root idempotent);
    let goal = goal_of graph name group root idempotent in
    check_holdings graph group;
    let owners = if name = All_gather || name = Reduce_scatter then members graph else 1 in
    let share = group / owners and length = Option.value blocks ~default:group / owners in
    if (length - 1) / share * period >= most_blocks then refuse "the last group would begin too late";
    (Group (period, share), goal)
  end

(* ---- packets ---- *)

let read_packet line graph blocks kind round =
  let length = String.length line in
  let read_node at =
    let node, at = number line at most32 in
    if node >= graph.count then refuse "node %d does not exist" node;
    (node, at) in
  let rec read_path at nodes =
    let node, at = read_node at in
    (match nodes with
     | before :: _ when not (Hashtbl.mem graph.arcs (before, node)) -> refuse "no link from node %d to node %d" before node
     | _ -> ());
    let nodes = node :: nodes in
    if at < length && line.[at] = ' ' then read_path (at + 1) nodes
    else if at < length && line.[at] = ':' then (List.rev nodes, at)
    else refuse "a packet is nodes, a colon, tokens" in
  let path, at = read_path 0 [] in
  if List.length path < 2 then refuse "a packet's path has at least two nodes";
  let with_plus = kind = `Combines in
  let rec read_items at items =
    let combined = with_plus && at + 1 < length && line.[at + 1] = '+' in
    let block, at = number line (if combined then at + 2 else at + 1) most32 in
    if block >= blocks then refuse "token %d does not exist" block;
    let items = { Proved.block; combined } :: items in
    if at = length then List.rev items
    else if line.[at] = ' ' then read_items at items
    else refuse "unexpected text at the end of \"%s\"" line in
  { Proved.round; path; items = read_items at [] }

let read_rounds source graph blocks kind simple =
  let rounds = count source "rounds" 0 most_rounds in
  let expected = count source "packets" 0 huge in
  let packets = ref [] and made = ref 0 and round = ref 0 and in_round = ref 0 in
  let close () = if !round > 0 && !in_round = 0 then refuse "round %d has no packet; leave its line out" !round in
  let rec go () =
    match content source with
    | None -> refuse "the last line, \"end\", is missing"
    | Some "end" -> ()
    | Some line when starts_with line 0 "round " ->
      let next = all_number (snd (key_of line)) most32 in
      close ();
      if next <= !round then refuse "rounds rise, from 1";
      if next > rounds then refuse "the header says %d rounds" rounds;
      round := next;
      in_round := 0;
      go ()
    | Some line ->
      if !round = 0 then refuse "\"round 1\" or a later round, or \"end\", is expected";
      if !made = expected then refuse "\"end\" is expected after the header's %d packets" expected;
      let packet = read_packet line graph blocks kind !round in
      simple packet;
      packets := packet :: !packets;
      incr made;
      incr in_round;
      go () in
  go ();
  close ();
  if !round <> rounds then refuse "the last round is %d; the header says %d" !round rounds;
  if !made <> expected then refuse "%d packets; the header says %d" !made expected;
  if next_line source <> None then refuse "text after \"end\", which is the last line";
  List.rev !packets

(* ---- the whole ---- *)

let one_link packet = match packet.Proved.path, packet.Proved.items with
  | [ _; _ ], [ item ] -> item
  | _ -> refuse "a packet moves one token over one link"

let proved_graph graph =
  let relay v = if v < graph.count then graph.relays.(v) else None in
  let does what v = match relay v with Some kind -> what kind | None -> true in
  { Proved.nodes = graph.count;
    weight = (fun u v -> Option.value (Hashtbl.find_opt graph.arcs (u, v)) ~default:0);
    relay = (fun v -> relay v <> None);
    copying = does (fun kind -> kind.copies);
    combining = does (fun kind -> kind.combines) }

let most_expanded = 1 lsl 24

let read_translated source graph model sides =
  if required source "translates" <> "yes" then refuse "translates: yes is expected";
  let simple packet = if (one_link packet).Proved.block <> 0 then refuse "a packet of one tree moves token 0" in
  let packets = read_rounds source graph graph.count `Stores simple in
  if List.length packets * graph.count > most_expanded then refuse "too many packets for this checker";
  Proved.translates sides { Proved.on = proved_graph graph; under = model; aim = AllGather graph.count; packets }

let read source =
  let version = match next_line source with
    | Some line when starts_with line 0 "gossipfab-schedule " -> all_number (snd (key_of line)) most32
    | _ -> refuse "not a gossipfab schedule" in
  if version < 1 || version > 4 then refuse "version %d is not known" version;
  let spec = required source "topology" in
  if starts_with spec 0 "file:" then refuse "a schedule has its graph in itself";
  let model = read_model source in
  let solver = required source "solver" in
  let graph = Graphs.read Families.read spec in
  check_solver solver;
  if version = 3 then
    match graph.sides with
    | Some sides -> Listed (read_translated source graph model sides)
    | None -> refuse "translates are those of a torus"
  else begin
    let kind, goal = if version = 1 then (Plain, read_load source graph) else
        read_goal source graph model (version = 4) in
    let combining = match kind, goal with
      | Plain, _ | Group _, Proved.AllGather _ -> `Stores
      | _ -> `Combines in
    let on = proved_graph graph in
    let blocks = Proved.blocks on goal in
    let simple = match kind with Group _ -> fun packet -> ignore (one_link packet) | _ -> fun _ -> () in
    let packets = read_rounds source graph blocks combining simple in
    let base = { Proved.on; under = model; aim = goal; packets } in
    match kind with
    | Group (period, share) -> Repeats { Proved.base; share; period }
    | _ -> Listed base
  end

let check = function
  | Listed schedule -> Proved.check schedule
  | Repeats schedule -> Proved.check_repeating schedule

(* Of a text: is it valid? [Error reason] where it is no schedule at all. *)
let verdict text =
  let source = { text; at = 0; line = 0 } in
  match read source with
  | schedule -> Ok (check schedule)
  | exception Refused reason -> Error (Printf.sprintf "line %d: %s" source.line reason)
