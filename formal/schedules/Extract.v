(* SPDX-License-Identifier: MIT *)
(* The checker as a program. Numbers become OCaml's int of 63 bits; the driver refuses files in which one could grow
   beyond. *)
From Coq Require Import Arith Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Gossipfab Require Import spec.Schedule spec.Repeat check.Check check.CheckRepeat bounds.Parts.

Extract Constant Nat.div => "fun n m -> if m = 0 then 0 else n / m".
Extract Constant Nat.modulo => "fun n m -> if m = 0 then n else n mod m".

Extraction "proved.ml" check check_repeating translates blocks certificate_ok.
