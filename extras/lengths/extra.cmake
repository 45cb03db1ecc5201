# SPDX-License-Identifier: MIT
# Above the solvers: which of them, under which model, in how many blocks, for a message of a length.
gfab_layer(advise
    SOURCES extras/lengths/advise.c extras/lengths/lengths.c
    HEADERS include/gossipfab/solvers/advise.h include/gossipfab/solvers/lengths.h
    USES registry verify compile)

# Its commands, and what it does in others.
gfab_commands(extras/lengths/cli/advise_chip.c extras/lengths/cli/advise_length.c extras/lengths/cli/advise_svg.c
              extras/lengths/cli/advise_sweep.c extras/lengths/cli/cmd_advise.c)
