(* SPDX-License-Identifier: MIT *)
(* The comb at sizes 28 to 31: minutes. *)
From Coq Require Import List.
From Gossipfab Require Import mesh.Size.

Lemma up_to_31 : all_fine (seq 28 4) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
