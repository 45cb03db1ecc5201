/* SPDX-License-Identifier: MIT */
/* What is on a top, the whole fabric or one chip: its nodes, links and ROMs, numbered as its tables have them. */
#include "gen.h"

#include <stdlib.h>

static void find_roms(const gfab_gen *gen, gfab_gen_top *top)
{
    for (size_t node = 0; node < gen->nodes; node++)
        if (gfab_gen_has_node(gen, node))
            top->rom_of[gen->sharing->rom[node]] = 1;
    for (uint32_t rom = 0; rom < gen->nodes; rom++) {
        const bool needed = top->rom_of[rom] != 0;
        top->rom_of[rom] = (uint32_t)top->rom_count;
        if (!needed)
            continue;
        const uint32_t *lanes = gen->sharing->lanes + (size_t)rom * gen->lanes;
        for (uint32_t lane = 0; lane < gen->lanes; lane++)
            top->lane_maps = top->lane_maps || (!gen->banks && lanes[lane] != lane);
        top->roms[top->rom_count++] = rom;
    }
    for (size_t node = gen->nodes; node-- > 0;) /* a ROM is that of the lowest node that has it */
        top->rom_of[node] = top->rom_of[gen->sharing->rom[node]];
    top->shared = gen->sharing->programs < gen->nodes;
}

gfab_status gfab_gen_top_create(const gfab_gen *gen, gfab_gen_top *top)
{
    *top = (gfab_gen_top){0};
    top->nodes = calloc(gen->nodes, sizeof *top->nodes);
    top->place_of = calloc(gen->nodes, sizeof *top->place_of);
    top->joined = calloc(gen->links + 1, sizeof *top->joined);
    top->cut = calloc(gen->links + 1, sizeof *top->cut);
    top->roms = calloc(gen->nodes, sizeof *top->roms);
    top->rom_of = calloc(gen->nodes, sizeof *top->rom_of);
    if (!top->nodes || !top->place_of || !top->joined || !top->cut || !top->roms || !top->rom_of) {
        gfab_gen_top_destroy(top);
        return GFAB_ERR_NO_MEMORY;
    }
    for (uint32_t node = 0; node < gen->nodes; node++)
        if (gfab_gen_has_node(gen, node)) {
            top->place_of[node] = (uint32_t)top->node_count;
            top->nodes[top->node_count++] = node;
        }
    for (uint32_t link = 0; link < gen->links; link++) {
        const gfab_link ends = gfab_topology_link(gen->topology, link);
        const bool here[] = {gfab_gen_has_node(gen, ends.node[0]), gfab_gen_has_node(gen, ends.node[1])};
        if (here[0] && here[1])
            top->joined[top->joined_count++] = link;
        else if (here[0] || here[1])
            top->cut[top->cut_count++] = link;
    }
    find_roms(gen, top);
    return GFAB_OK;
}

void gfab_gen_top_destroy(gfab_gen_top *top)
{
    GFAB_FREE(top->nodes, top->place_of, top->joined, top->cut, top->roms, top->rom_of);
    *top = (gfab_gen_top){0};
}
