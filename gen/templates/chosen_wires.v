@# SPDX-License-Identifier: MIT
@# What a top that drives the fabric has wires for: what is played, and whether the fabric found a fault.
@FOR CHOICE@
    wire @RANGE@@WIRE@;
@END@
@FOR ERROR@
    wire @WIRE@;
@END@
@FOR NO_ERROR@
    wire @WIRE@;@REMARK@
@END@
