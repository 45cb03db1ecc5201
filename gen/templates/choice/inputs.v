@# SPDX-License-Identifier: MIT
@# Of the fabric, which has no such ports where there is no choice.
@IF SEVERAL_PROGRAMS@
        .i_program(program_number),
@END@
@IF ALL_OPERATORS@
        .i_operator(operator),
@END@
