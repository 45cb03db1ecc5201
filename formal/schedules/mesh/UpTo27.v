(* SPDX-License-Identifier: MIT *)
(* The comb at sizes 2 to 27: minutes. *)
From Coq Require Import List.
From Gossipfab Require Import mesh.Size.

Lemma up_to_27 : all_fine (seq 2 26) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
