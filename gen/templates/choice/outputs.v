@# SPDX-License-Identifier: MIT
@# Of the module that chooses.
@IF SEVERAL_PROGRAMS@
        .o_program(program_number),
@ELSE@
        .o_program(),
@END@
@IF ALL_OPERATORS@
        .o_operator(operator),
@ELSE@
        .o_operator(),
@END@
