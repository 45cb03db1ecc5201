@# SPDX-License-Identifier: MIT
@# What is played next, where there is a choice: from who chooses to the fabric.
@IF SEVERAL_PROGRAMS@
    wire [@PROGRAM_BITS@-1:0] program_number;
@END@
@IF ALL_OPERATORS@
    wire [2:0] operator;
@END@
