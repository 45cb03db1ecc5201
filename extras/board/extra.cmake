# SPDX-License-Identifier: MIT
# A fabric on a board, behind a serial line: what its host needs, and nothing of what made it.
gfab_layer(board
    SOURCES extras/board/frame.c extras/board/host.c extras/board/port.c
    HEADERS include/gossipfab/board/host.h extras/board/frame.h extras/board/port.h
    USES base)

# Its commands, and what it does in others.
gfab_commands(extras/board/cli/cli_board.c extras/board/cli/cmd_board.c)
