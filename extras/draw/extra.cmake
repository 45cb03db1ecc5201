# SPDX-License-Identifier: MIT
# Pictures: where nodes stand, and a page that plays a schedule.
gfab_layer(placement
    SOURCES extras/draw/placement.c
    HEADERS include/gossipfab/draw/placement.h
    USES topology
    LIBRARIES m)

gfab_layer(player
    SOURCES extras/draw/player.c extras/draw/player_data.c extras/draw/player_ring.c
            ${CMAKE_CURRENT_BINARY_DIR}/player_files.c
    HEADERS include/gossipfab/draw/player.h extras/draw/player_internal.h
    USES schedule machine ring placement)

# Its commands, and what it does in others.
gfab_commands(extras/draw/cli/blocks_svg.c extras/draw/cli/heat.c extras/draw/cli/show_animate.c
              extras/draw/cli/show_html.c extras/draw/cli/show_sets.c extras/draw/cli/show_svg.c
              extras/draw/cli/show_svg_rounds.c)
