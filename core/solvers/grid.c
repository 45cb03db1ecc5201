/* SPDX-License-Identifier: MIT */
/* What the solvers with startup costs share (highdimgo, torgo, cubgo; Sibeyn, Juurlink & Rao;
 * docs/theory/startup-cost-tori.md): they think in lines of a grid and boxes of data, and this file turns that into
 * nodes, links and tokens. A plan for "send the box of 3 x 2 nodes along axis 1" is the same for every share of the
 * data, though shares start with different axes or live on the white or black nodes alone. Costs of several shares
 * that run at the same time are added up in runs of equal rounds, because listing every round would take longer than
 * making the plan. */
#include "grid.h"

#include <stdlib.h>

gfab_status gfab_grid_applies(const gfab_topology *topology, const gfab_model *model, const char *name, gfab_diag *diag)
{
    GFAB_TRY(gfab_model_check(model, diag));
    size_t axes = 0;
    for (size_t i = 0; i < gfab_topology_dimensions(topology); i++)
        axes += gfab_topology_side(topology, i) > 1;
    if (axes < 2)
        return GFAB_REFUSE(diag, "%s is for meshes and tori of two sides and more, not for %s", name,
                           gfab_topology_name(topology));
    if (model->link_mode != GFAB_LINK_FULL || model->routing != GFAB_ROUTING_CIRCUIT || model->hop_rounds != 1)
        return GFAB_REFUSE(diag, "%s is for full-duplex links, circuit routing and 1 round a hop", name);
    return GFAB_OK;
}

static void take_axes(gfab_grid *grid)
{
    uint32_t stride = 1;
    for (size_t i = gfab_topology_dimensions(grid->topology); i-- > 0;) {
        const uint32_t side = gfab_topology_side(grid->topology, i);
        if (side == 1)
            continue;
        for (size_t j = grid->axes++; j > 0; j--) {
            grid->side[j] = grid->side[j - 1];
            grid->wraps[j] = grid->wraps[j - 1];
            grid->stride[j] = grid->stride[j - 1];
        }
        grid->side[0] = side;
        grid->wraps[0] = gfab_topology_get_kind(grid->topology) == GFAB_TOPOLOGY_TORUS && side > 2;
        grid->stride[0] = stride;
        stride *= side;
    }
}

static gfab_status halve(gfab_grid *grid, gfab_diag *diag)
{
    if (!grid->one_port || grid->cut > 1 || grid->axes != 2 || grid->side[0] % 2 || grid->side[1] % 2 ||
        grid->side[0] == 2 || grid->side[1] == 2)
        return GFAB_REFUSE(diag, "black and white nodes are for one port, whole tokens, and two even sides from 4 on");
    grid->side[0] /= 2;
    grid->side[1] /= 2;
    grid->spacing = 2;
    grid->share_count = 4;
    grid->items = 4;
    return GFAB_OK;
}

gfab_status gfab_grid_init(gfab_grid *grid, const gfab_topology *topology, const gfab_model *model,
                           gfab_grid_split split, gfab_diag *diag)
{
    *grid = (gfab_grid){.topology = topology,
                        .shares = split.shares,
                        .spacing = 1,
                        .share_count = 1,
                        .parts = split.cut,
                        .cut = split.cut,
                        .items = split.cut,
                        .first_axis = split.first_axis,
                        .one_port = model->port_mode == GFAB_PORT_ONE,
                        .uniform = true,
                        .longest = model->packet_tokens};
    take_axes(grid);
    for (size_t i = 1; i < grid->axes; i++)
        grid->uniform = grid->uniform && grid->side[i] == grid->side[0] && grid->wraps[i] == grid->wraps[0];
    if (split.shares == GFAB_GRID_BLACK_WHITE)
        return halve(grid, diag);
    if (split.shares == GFAB_GRID_ONE)
        return GFAB_OK;
    if (grid->one_port)
        return GFAB_REFUSE(diag, "colours use several ports of a node at once");
    grid->share_count = grid->axes;
    grid->parts = split.cut * (uint32_t)grid->axes;
    return GFAB_OK;
}

size_t gfab_grid_nodes(const gfab_grid *grid)
{
    size_t nodes = 1;
    for (size_t i = 0; i < grid->axes; i++)
        nodes *= grid->side[i];
    return nodes;
}

gfab_cost gfab_grid_opening_cost(const gfab_grid *grid)
{
    const bool blocks = grid->shares == GFAB_GRID_BLACK_WHITE;
    return (gfab_cost){.startups = blocks ? 2 : 0, .transfers = blocks ? 3 : 0, .parts = grid->parts};
}

uint64_t gfab_grid_box_pieces(const gfab_grid *grid, const gfab_grid_box *box)
{
    uint64_t pieces = grid->items;
    for (size_t i = 0; i < grid->axes; i++)
        pieces *= box->count[i];
    return pieces;
}

void gfab_grid_node(const gfab_grid *grid, size_t node, uint32_t *coordinates)
{
    for (size_t i = grid->axes; i-- > 0; node /= grid->side[i])
        coordinates[i] = (uint32_t)(node % grid->side[i]);
}

/* The topology's node for a node of the grid: its own, or with black and white nodes that of a place in its block. */
static uint32_t real_node(const gfab_grid *grid, const uint32_t *coordinates, size_t place)
{
    uint32_t node = 0;
    for (size_t i = 0; i < grid->axes; i++)
        node += (coordinates[i] * grid->spacing + (grid->spacing == 2 ? (uint32_t)(place >> (1 - i)) & 1 : 0)) *
                grid->stride[i];
    return node;
}

static gfab_status reserve_tokens(gfab_grid_writer *writer, size_t count)
{
    if (count <= writer->token_capacity)
        return GFAB_OK;
    void *grown =
        count > SIZE_MAX / sizeof *writer->tokens ? NULL : realloc(writer->tokens, count * sizeof *writer->tokens);
    GFAB_NEED(grown);
    writer->tokens = grown;
    writer->token_capacity = count;
    return GFAB_OK;
}

/* Piece number `index` of a box: within a node the places of a block, then the axes from the one before `slowest` down,
 * round to `slowest` itself. */
static uint32_t piece_token(const gfab_grid *grid, size_t share, const gfab_grid_box *box, size_t slowest,
                            uint64_t index)
{
    const uint32_t own = (uint32_t)(index % grid->items), piece = own % grid->cut;
    uint32_t coordinates[GFAB_MAX_DIMENSIONS];
    index /= grid->items;
    for (size_t turn = 0; turn < grid->axes; turn++) {
        const size_t at = (slowest + 2 * grid->axes - 1 - turn) % grid->axes;
        const uint64_t offset = index % box->count[at] * box->step[at];
        coordinates[at] = (uint32_t)((box->start[at] + offset) % grid->side[at]);
        index /= box->count[at];
    }
    const uint32_t first = real_node(grid, coordinates, own / grid->cut) * grid->parts;
    return first + (grid->shares == GFAB_GRID_COLOURS ? (uint32_t)share * grid->cut : 0) + piece;
}

gfab_status gfab_grid_send(gfab_grid_writer *writer, gfab_grid_way way, const gfab_grid_box *box, size_t slowest,
                           gfab_grid_part part)
{
    const gfab_grid *grid = writer->grid;
    const size_t axis = way.axis;
    int64_t steps = way.steps;
    if (part.count == 0)
        return GFAB_OK;
    if (part.count > SIZE_MAX / 8)
        return GFAB_ERR_NO_MEMORY;
    GFAB_TRY(reserve_tokens(writer, (size_t)part.count));
    const uint64_t pieces = gfab_grid_box_pieces(grid, box);
    for (uint64_t i = 0; i < part.count; i++) {
        const uint64_t index = part.begin + i + (i < part.hole ? 0 : part.left_out);
        writer->tokens[i] = piece_token(grid, way.share, box, slowest, index % pieces);
    }
    const int64_t side = grid->side[axis];
    if (!grid->wraps[axis] && way.from[axis] + steps >= side)
        steps -= side;
    else if (!grid->wraps[axis] && way.from[axis] + steps < 0)
        steps += side;
    const size_t hops = (size_t)(steps < 0 ? -steps : steps) * grid->spacing;
    const uint32_t length = grid->side[axis] * grid->spacing, stride = grid->stride[axis];
    uint32_t node = real_node(grid, way.from, way.share);
    uint32_t place = node / stride % length;
    for (size_t i = 0; i < hops; i++) {
        const uint32_t next = steps < 0 ? (place + length - 1) % length : (place + 1) % length;
        const uint32_t to = node - place * stride + next * stride;
        if (!gfab_topology_find_arc(grid->topology, node, to, &writer->arcs[i]))
            return GFAB_ERR_INVALID;
        node = to;
        place = next;
    }
    return gfab_schedule_append_packet(writer->schedule, writer->round, writer->arcs, hops, writer->tokens,
                                       (size_t)part.count);
}

/* Both pairs of a block along axis 1 exchange their tokens, then both pairs along axis 0 what they have. */
static gfab_status gossip_blocks(gfab_grid_writer *writer)
{
    const gfab_grid *grid = writer->grid;
    uint32_t at[GFAB_MAX_DIMENSIONS];
    for (size_t turn = 0; turn < 2; turn++) {
        const size_t flip = turn == 0 ? 1 : 2; /* place = 2 * (along axis 0) + (along axis 1) */
        writer->round++;
        for (size_t node = 0; node < gfab_grid_nodes(grid); node++)
            for (size_t place = 0; place < 4; place++) {
                gfab_grid_node(grid, node, at);
                const uint32_t from = real_node(grid, at, place), to = real_node(grid, at, place ^ flip);
                const uint32_t tokens[2] = {from, real_node(grid, at, place ^ 1)};
                gfab_arc arc;
                if (!gfab_topology_find_arc(grid->topology, from, to, &arc))
                    return GFAB_ERR_INVALID;
                GFAB_TRY(gfab_schedule_append_packet(writer->schedule, writer->round, &arc, 1, tokens, turn + 1));
            }
    }
    return GFAB_OK;
}

gfab_status gfab_grid_writer_open(gfab_grid_writer *writer, const gfab_grid *grid, gfab_schedule *schedule)
{
    *writer = (gfab_grid_writer){.grid = grid, .schedule = schedule};
    uint32_t longest = 1;
    for (size_t i = 0; i < grid->axes; i++)
        if (grid->side[i] * grid->spacing > longest)
            longest = grid->side[i] * grid->spacing;
    writer->arcs = malloc(longest * sizeof *writer->arcs);
    GFAB_NEED(writer->arcs);
    GFAB_TRY(gfab_schedule_set_load(schedule, NULL, grid->parts));
    return grid->shares == GFAB_GRID_BLACK_WHITE ? gossip_blocks(writer) : GFAB_OK;
}

void gfab_grid_writer_close(gfab_grid_writer *writer)
{
    GFAB_FREE(writer->tokens, writer->arcs);
}

void gfab_grid_runs_add(gfab_grid_runs *runs, uint64_t rounds, uint64_t size)
{
    if (rounds == 0)
        return;
    runs->rounds[runs->count] = rounds;
    runs->size[runs->count++] = size;
}

uint64_t gfab_grid_runs_rounds(const gfab_grid_runs *runs)
{
    uint64_t rounds = 0;
    for (size_t i = 0; i < runs->count; i++)
        rounds += runs->rounds[i];
    return rounds;
}

/* Goes from one place where some share's size changes to the next. */
void gfab_grid_runs_price(const gfab_grid_runs *runs, size_t shares, gfab_cost *cost, uint64_t *longest)
{
    size_t at[GFAB_MAX_DIMENSIONS] = {0};
    uint64_t used[GFAB_MAX_DIMENSIONS] = {0};
    for (;;) {
        uint64_t rounds = UINT64_MAX, size = 0;
        for (size_t s = 0; s < shares; s++)
            if (at[s] < runs[s].count) {
                const uint64_t left = runs[s].rounds[at[s]] - used[s];
                rounds = left < rounds ? left : rounds;
                size = runs[s].size[at[s]] > size ? runs[s].size[at[s]] : size;
            }
        if (rounds == UINT64_MAX)
            return;
        cost->startups += rounds;
        cost->transfers += rounds * size;
        *longest = size > *longest ? size : *longest;
        for (size_t s = 0; s < shares; s++)
            if (at[s] < runs[s].count && (used[s] += rounds) == runs[s].rounds[at[s]]) {
                at[s]++;
                used[s] = 0;
            }
    }
}
