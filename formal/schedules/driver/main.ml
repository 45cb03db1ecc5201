(* SPDX-License-Identifier: MIT *)
(* gfab-proved-check FILE..: says of each schedule whether it is valid, and of each certificate whether it counts right.
   Exit status 0: all do; 1: one does not; 2: one is neither.

   gfab-proved-check --compare reads schedules with the verdicts of another checker from standard input, each as a line
   "BYTES STATUS" and so many bytes, and counts where the two differ. *)

let verdict text =
  let first = "gossipfab-certificate " in
  let length = String.length first in
  if String.length text >= length && String.sub text 0 length = first then Certificates.verdict text
  else Gfs.verdict text

let status_of = function Ok true -> 0 | Ok false -> 1 | Error _ -> 2

let read_file name =
  let channel = if name = "-" then stdin else open_in_bin name in
  let buffer = Buffer.create 65536 in
  (try
     while true do
       Buffer.add_channel buffer channel 1
     done
   with End_of_file -> ());
  if name <> "-" then close_in channel;
  Buffer.contents buffer

let check_file name =
  let verdict = verdict (read_file name) in
  (match verdict with
   | Ok true -> Printf.printf "%s: valid\n" name
   | Ok false -> Printf.printf "%s: not valid\n" name
   | Error reason -> Printf.eprintf "%s: %s\n" name reason);
  status_of verdict

let words = [| "valid"; "not valid"; "no schedule" |]

let compare_all () =
  set_binary_mode_in stdin true;
  let counts = Array.make_matrix 3 3 0 in
  (try
     while true do
       let bytes, theirs = Scanf.sscanf (input_line stdin) "%d %d" (fun a b -> (a, b)) in
       let text = really_input_string stdin bytes in
       let verdict = verdict text in
       let ours = status_of verdict in
       counts.(theirs).(ours) <- counts.(theirs).(ours) + 1;
       if ours <> theirs then
         Printf.printf "they say %s, the proved checker %s%s:\n%s\n" words.(theirs) words.(ours)
           (match verdict with Error reason -> ", " ^ reason | Ok _ -> "") text
     done
   with End_of_file -> ());
  let differ = ref 0 in
  Array.iteri (fun theirs row -> Array.iteri (fun ours n -> if ours <> theirs then differ := !differ + n) row) counts;
  Printf.printf "%d valid, %d not valid, %d no schedule for both; %d differ\n" counts.(0).(0) counts.(1).(1)
    counts.(2).(2) !differ;
  if !differ > 0 then 1 else 0

let usage () =
  prerr_endline "usage: gfab-proved-check FILE.. or gfab-proved-check --compare";
  2

(* Lists are as long as a schedule has packets, and the proved functions go down them: the stack has to be deep. *)
let with_deep_stack () =
  if Sys.getenv_opt "GFAB_PROVED_STACK" = None then begin
    Unix.putenv "GFAB_PROVED_STACK" "1";
    let quoted = String.concat " " (List.map Filename.quote (Array.to_list Sys.argv)) in
    let self = Filename.quote Sys.executable_name in
    let rest = if Array.length Sys.argv > 1 then String.concat " " (List.tl (String.split_on_char ' ' quoted)) else "" in
    Unix.execv "/bin/sh" [| "/bin/sh"; "-c"; "ulimit -s unlimited 2> /dev/null || ulimit -s $(ulimit -H -s); exec "
                                             ^ self ^ " " ^ rest |]
  end

let () =
  with_deep_stack ();
  exit
    (match List.tl (Array.to_list Sys.argv) with
     | [] -> usage ()
     | [ "--compare" ] -> compare_all ()
     | files when not (List.exists (fun f -> String.length f > 1 && f.[0] = '-') files) ->
       List.fold_left (fun worst file ->
           max worst (try check_file file with Sys_error reason -> prerr_endline reason; 2)) 0 files
     | _ -> usage ())
