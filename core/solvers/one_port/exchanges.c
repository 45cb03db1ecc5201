/* SPDX-License-Identifier: MIT */
/* Recursive doubling, for all-reduces of few blocks: in step d every node exchanges the sum that it has with the node
 * whose number differs in bit d, and adds up; after k steps of 2^k nodes all have the whole sum. It wants links between
 * such nodes: hypercubes, complete graphs, and what is recognised as one. With one port the blocks follow each other, k
 * rounds each; with all ports k blocks go at once, each one dimension behind the one before. hypercube:3, one block,
 * one port: 3 rounds, where up a tree and down again takes 6. Thakur, Rabenseifner & Gropp 2005, section 4.4. */
#include "solvers/solvers.h"

static uint32_t dimensions_of(const gfab_topology *topology)
{
    uint32_t bits = 0;
    while ((size_t)1 << bits < gfab_topology_node_count(topology))
        bits++;
    return bits;
}

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    (void)model;
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    gfab_arc arc;
    if ((nodes & (nodes - 1)) != 0 || nodes < 2)
        return GFAB_REFUSE(diag, "exchanges is for 2, 4, 8 .. nodes; %s has %u", gfab_topology_name(topology), nodes);
    for (uint32_t v = 0; v < nodes; v++)
        for (uint32_t bit = 1; bit < nodes; bit *= 2)
            if (!gfab_topology_find_arc(topology, v, v ^ bit, &arc))
                return GFAB_REFUSE(diag,
                                   "exchanges is for links between all nodes whose numbers differ in one bit; in %s %u "
                                   "and %u have none",
                                   gfab_topology_name(topology), v, v ^ bit);
    return GFAB_OK;
}

/* All nodes exchange what they have of a block, along a dimension. */
static gfab_status append_exchange(gfab_schedule *schedule, uint32_t round, uint32_t bit, uint32_t block)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    gfab_arc arc;
    for (uint32_t v = 0; v < gfab_topology_node_count(topology); v++)
        GFAB_TRY(gfab_topology_find_arc(topology, v, v ^ bit, &arc)
                     ? gfab_schedule_append(schedule, round, arc, block | GFAB_COMBINE)
                     : GFAB_ERR_FAULT);
    return GFAB_OK;
}

static gfab_status build(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule *schedule, gfab_diag *diag)
{
    const uint32_t k = dimensions_of(topology), blocks = gfab_schedule_goal(schedule).blocks;
    const uint32_t group = model->port_mode == GFAB_PORT_ALL ? k : 1, period = k * model->hop_rounds;
    const uint32_t kept = blocks > group ? group : blocks;
    GFAB_TRY(blocks > group ? gfab_schedule_set_period(schedule, period, group) : GFAB_OK);
    (void)diag;
    for (uint32_t step = 0; step < k; step++) {
        GFAB_TRY(gfab_solver_report(options, "steps", step, k));
        for (uint32_t block = 0; block < kept; block++)
            GFAB_TRY(append_exchange(schedule, 1 + step * model->hop_rounds, 1u << (step + block) % k, block));
    }
    return GFAB_OK;
}

GFAB_SOLVE(solve, exchanges, build)

const gfab_solver gfab_solver_exchanges = {
    .name = "exchanges",
    .summary = "an all-reduce of few blocks by exchanges, one dimension of a hypercube after the other (full duplex)",
    .source = "Thakur, Rabenseifner & Gropp 2005, recursive doubling",
    .applies = applies,
    .solve = solve,
    .collectives = GFAB_MAKES(GFAB_ALL_REDUCE),
    .repeats = true,
    .only = GFAB_ONLY_FULL | GFAB_ONLY_SINGLE | GFAB_ONLY_STORED,
};
