/* SPDX-License-Identifier: MIT */
/* Which bank, and where in it, a node keeps each block of a collective. What a node has of a block from some round on
 * is a holding: its own, or what it then received. Holdings that arrive in one round, or leave in one, are joined by an
 * edge, and a colouring, in which each has the banks that its lanes can reach, gives the banks. What arrives is at the
 * round's address; a node's own blocks take those at which their bank receives nothing. A block's partial results
 * share a bank, so that the bank combines what arrives with what it has: they are one vertex of the graph. */
#include "banks_internal.h"

#include <gossipfab/base/arena.h>
#include <string.h>

#define NONE UINT32_MAX

typedef struct holding {
    uint32_t slot;
    uint32_t came;   /* round of the ROM; 0: it is the node's own */
    uint32_t old;    /* the holding that what came was combined with, or NONE */
    uint32_t vertex; /* of the conflict graph */
    uint32_t bank, address;
} holding;

/* One node's, in one program. */
typedef struct block_plan {
    const gfab_image *image;
    const gfab_goal *goals; /* of the programs */
    const gfab_goal *goal;
    gfab_crossbar crossbar;
    size_t nodes, lanes, node, program;
    uint32_t before, rounds; /* of the ROM before the program's first; of the program. A round is one of the ROM */
    uint32_t most_rounds;    /* of any program */
    holding *held;
    size_t count;
    size_t vertices;
    uint64_t *allowed; /* [vertex]: banks that it may be in */
    uint32_t *latest;  /* [slot]: the newest holding of it, or NONE */
    uint32_t *sends;   /* [(round - 1) * lanes + lane]: the holding, or NONE */
    uint32_t *arrives; /* likewise */
    size_t *first;     /* the conflict graph, as gfab_banks_colour takes it */
    uint32_t *edges;
    uint32_t *meet; /* of a row */
    uint32_t *colour, *scratch;
    uint8_t *chained;      /* [vertex]: something is combined in it */
    uint8_t *written;      /* [bank * addresses + address] */
    uint32_t addresses;    /* more than can be needed */
    uint32_t address_bits; /* of the highest used */
    gfab_banks *banks;
    gfab_arena arena;
} block_plan;
GFAB_HOLDS_ARENA(block_plan)

/* Banks that the lane reaches. */
static uint64_t reach(const gfab_crossbar *x, uint32_t lane, bool (*has)(const gfab_crossbar *, uint32_t, uint32_t))
{
    uint64_t banks = 0;
    for (uint32_t bank = 0; bank < x->banks; bank++)
        banks |= (uint64_t)has(x, lane, bank) << bank;
    return banks;
}

static uint32_t hold(block_plan *p, uint32_t slot, uint32_t came, uint32_t old)
{
    const uint64_t all = p->crossbar.banks < 64 ? ((uint64_t)1 << p->crossbar.banks) - 1 : UINT64_MAX;
    const uint32_t vertex = old == NONE ? (uint32_t)p->vertices++ : p->held[old].vertex;
    if (old == NONE)
        p->allowed[vertex] = all;
    p->held[p->count] = (holding){.slot = slot, .came = came, .old = old, .vertex = vertex};
    p->latest[slot] = (uint32_t)p->count;
    return (uint32_t)p->count++;
}

/* Of a round, in sends and arrives. */
static size_t row(const block_plan *p, uint32_t round)
{
    return (size_t)(round - p->before - 1) * p->lanes;
}

static gfab_status take_sends(block_plan *p, uint32_t round, gfab_diag *diag)
{
    for (uint32_t lane = 0; lane < p->lanes; lane++) {
        const gfab_op op = gfab_banks_op(p->image, p->node, round, lane, GFAB_OP_SEND);
        uint32_t *sends = &p->sends[row(p, round) + lane];
        *sends = op.kind == GFAB_OP_SEND ? p->latest[op.slot] : NONE;
        if (op.kind != GFAB_OP_SEND)
            continue;
        if (*sends == NONE)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu, round %u: block %u is sent, but it is not there",
                             p->node, (unsigned)round, (unsigned)op.slot);
        p->allowed[p->held[*sends].vertex] &= reach(&p->crossbar, lane, gfab_crossbar_gives);
    }
    return GFAB_OK;
}

/* What several lanes combine with one holding becomes one. */
static gfab_status take_arrivals(block_plan *p, uint32_t round, gfab_diag *diag)
{
    for (uint32_t lane = 0; lane < p->lanes; lane++) {
        gfab_op op = gfab_banks_op(p->image, p->node, round, lane, GFAB_OP_RECV);
        uint32_t *arrives = &p->arrives[row(p, round) + lane];
        *arrives = NONE;
        if (op.kind == GFAB_OP_IDLE)
            op = gfab_banks_op(p->image, p->node, round, lane, GFAB_OP_COMBINE);
        if (op.kind == GFAB_OP_IDLE)
            continue;
        const uint32_t latest = p->latest[op.slot];
        const bool combines = op.kind == GFAB_OP_COMBINE;
        if (combines && latest == NONE)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu, round %u: block %u is combined with nothing", p->node,
                             (unsigned)round, (unsigned)op.slot);
        if (combines && p->held[latest].came == round)
            *arrives = latest;
        else
            *arrives = hold(p, op.slot, round, combines ? latest : NONE);
        p->allowed[p->held[*arrives].vertex] &= reach(&p->crossbar, lane, gfab_crossbar_takes);
    }
    return GFAB_OK;
}

static gfab_status list_holdings(block_plan *p, gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(p->image);
    const uint32_t own = gfab_banks_count(layout, p->goal, p->node, gfab_goal_held_count);
    p->count = p->vertices = 0;
    memset(p->latest, 0xff, p->goal->blocks * sizeof *p->latest);
    for (uint32_t i = 0; i < own; i++)
        hold(p, gfab_banks_block(layout, p->goal, p->node, i, gfab_goal_held), 0, NONE);
    for (uint32_t round = p->before + 1; round <= p->before + p->rounds; round++) {
        GFAB_TRY(take_sends(p, round, diag));
        GFAB_TRY(take_arrivals(p, round, diag));
    }
    for (size_t i = 0; i < p->count; i++)
        if (p->allowed[p->held[i].vertex] == 0)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                             "node %zu: no bank of crossbar %s is joined to all lanes that block %u moves over",
                             p->node, gfab_crossbar_name(p->crossbar.kind), (unsigned)p->held[i].slot);
    return GFAB_OK;
}

/* Edges between different holdings of a round's row, each twice; edges is NULL in a first pass, which counts. */
static size_t list_conflicts(block_plan *p, const uint32_t *row, uint32_t *edges)
{
    uint32_t *meet = p->meet; /* vertices, each once */
    size_t count = 0;
    for (size_t lane = 0; lane < p->lanes; lane++) {
        const uint32_t vertex = row[lane] == NONE ? NONE : p->held[row[lane]].vertex;
        size_t i = 0;
        while (i < count && meet[i] != vertex)
            i++;
        if (vertex != NONE && i == count)
            meet[count++] = vertex;
    }
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++)
            if (a != b && edges)
                edges[p->first[meet[a]]++] = meet[b];
            else if (a != b)
                p->first[meet[a] + 1]++;
    return count;
}

/* The most that meet: as many banks at least. */
static size_t list_all_conflicts(block_plan *p, uint32_t *edges)
{
    size_t most = 1;
    for (size_t i = 0; i < (size_t)p->rounds * p->lanes; i += p->lanes) {
        const size_t leave = list_conflicts(p, p->sends + i, edges), arrive = list_conflicts(p, p->arrives + i, edges);
        most = leave > most ? leave : most;
        most = arrive > most ? arrive : most;
    }
    return most;
}

static gfab_status find_banks(block_plan *p, gfab_diag *diag)
{
    memset(p->first, 0, (p->vertices + 2) * sizeof *p->first);
    const size_t most = list_all_conflicts(p, NULL);
    for (size_t i = 0; i < p->vertices; i++)
        p->first[i + 1] += p->first[i];
    list_all_conflicts(p, p->edges);
    memmove(p->first + 1, p->first, p->vertices * sizeof *p->first); /* each start has become its end */
    p->first[0] = 0;
    const gfab_banks_graph graph = {p->vertices, p->first, p->edges, p->crossbar.banks, p->allowed};
    if (most <= p->crossbar.banks && gfab_banks_colour(&graph, p->colour, p->scratch))
        return GFAB_OK;
    return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu: %u banks of crossbar %s are too few for the blocks that meet",
                     p->node, (unsigned)p->crossbar.banks, gfab_crossbar_name(p->crossbar.kind));
}

/* A bank for one of the node's own blocks, with which nothing is combined: of those that it can be in the one with the
 * fewest so far. */
static uint32_t emptiest(const block_plan *p, size_t i, const uint32_t *load)
{
    const size_t v = p->held[i].vertex;
    uint64_t free = p->allowed[v];
    uint32_t best = p->colour[v];
    for (size_t e = p->first[v]; e < p->first[v + 1]; e++)
        free &= ~((uint64_t)1 << p->colour[p->edges[e]]);
    for (uint32_t bank = 0; bank < p->crossbar.banks; bank++)
        if (free >> bank & 1 && load[bank] < load[best])
            best = bank;
    return best;
}

/* Addresses: the round of arrival, or, of the node's own blocks, the lowest at which the bank receives nothing. */
static void find_addresses(block_plan *p)
{
    uint32_t load[GFAB_MAX_BANKS] = {0}; /* cells of a bank that are taken */
    memset(p->written, 0, (size_t)p->crossbar.banks * p->addresses);
    memset(p->chained, 0, p->vertices);
    for (size_t i = 0; i < p->count; i++)
        p->chained[p->held[i].vertex] |= p->held[i].old != NONE;
    for (int own = 0; own < 2; own++)
        for (size_t i = 0; i < p->count; i++) {
            holding *h = &p->held[i];
            if ((h->came == 0) != (own == 1))
                continue;
            if (own && !p->chained[h->vertex])
                p->colour[h->vertex] = emptiest(p, i, load);
            h->bank = p->colour[h->vertex];
            uint8_t *written = p->written + (size_t)h->bank * p->addresses;
            for (h->address = h->came; own && written[h->address];)
                h->address++;
            written[h->address] = 1;
            load[h->bank]++;
            while (h->address >> p->address_bits)
                p->address_bits++;
        }
}

static void write_arrival(const block_plan *p, uint32_t round, uint32_t lane, const holding *h)
{
    if (!gfab_layout_combines(gfab_image_layout(p->image))) {
        gfab_banks_set_store(p->banks, p->node, round, h->bank, lane);
        return;
    }
    const uint32_t lanes = gfab_banks_lanes(p->banks, p->node, round, h->bank);
    gfab_banks_set_lanes(p->banks, p->node, round, h->bank, lanes | 1u << lane);
    gfab_banks_set_old(p->banks, p->node, round, h->bank, h->old != NONE ? p->held[h->old].address : GFAB_NO_ADDRESS);
}

/* Where the host finds the blocks that the node wants. */
static void write_places(const block_plan *p)
{
    const gfab_layout *layout = gfab_image_layout(p->image);
    const uint32_t node = (uint32_t)p->node;
    const uint32_t first_place = gfab_banks_first_place(p->banks, p->program);
    const uint32_t wanted = gfab_banks_count(layout, p->goal, p->node, gfab_goal_wanted_count);
    for (uint32_t i = 0; i < wanted; i++) {
        const uint32_t latest = p->latest[gfab_banks_block(layout, p->goal, p->node, i, gfab_goal_wanted)];
        if (latest != NONE) /* else the check will say so */
            gfab_banks_set_place(p->banks, node, first_place + i, p->held[latest].bank, p->held[latest].address);
    }
    if (!gfab_layout_has_twins(layout) || wanted == 0)
        return;
    const uint32_t there = p->latest[gfab_banks_block(layout, p->goal, p->node, 0, gfab_goal_wanted)];
    if (there == NONE)
        return;
    /* Of twins all that a host may read of a node that wants something is compared: beyond that it finds the first. */
    for (uint32_t i = wanted; i < p->banks->places / p->banks->use.programs; i++)
        gfab_banks_set_place(p->banks, node, first_place + i, p->held[there].bank, p->held[there].address);
}

static void write_programs(const block_plan *p)
{
    const uint32_t node = (uint32_t)p->node;
    const uint32_t first_load = gfab_banks_first_load(p->banks, p->program);
    for (uint32_t round = p->before + 1; round <= p->before + p->rounds; round++)
        for (uint32_t lane = 0; lane < p->lanes; lane++) {
            const uint32_t leaves = p->sends[row(p, round) + lane];
            const uint32_t comes = p->arrives[row(p, round) + lane];
            if (leaves != NONE) {
                gfab_banks_set_send(p->banks, node, round, lane, p->held[leaves].bank);
                gfab_banks_set_read(p->banks, node, round, p->held[leaves].bank, p->held[leaves].address);
            }
            if (comes != NONE)
                write_arrival(p, round, lane, &p->held[comes]);
        }
    const uint32_t own = gfab_banks_count(gfab_image_layout(p->image), p->goal, p->node, gfab_goal_held_count);
    for (uint32_t i = 0; i < own; i++) /* they come first */
        gfab_banks_set_load(p->banks, node, first_load + i, p->held[i].bank, p->held[i].address);
    write_places(p);
}

static gfab_status plan_init(block_plan *p, gfab_diag *diag)
{
    const uint32_t blocks = gfab_layout_blocks(gfab_image_layout(p->image));
    const size_t moves = (size_t)p->most_rounds * p->lanes, most = moves + p->banks->loads;
    GFAB_ARRAYS(&p->arena, most + 1, p->held, p->allowed, p->colour);
    p->latest = gfab_arena_zeroed(&p->arena, blocks, sizeof *p->latest);
    p->sends = gfab_arena_zeroed(&p->arena, (moves + 1), sizeof *p->sends);
    p->arrives = gfab_arena_zeroed(&p->arena, moves + 1, sizeof *p->arrives);
    p->first = gfab_arena_zeroed(&p->arena, most + 2, sizeof *p->first);
    p->edges = gfab_arena_zeroed(&p->arena, 2 * moves * p->lanes + 1, sizeof *p->edges);
    p->meet = gfab_arena_zeroed(&p->arena, (p->lanes + 1), sizeof *p->meet);
    p->scratch = gfab_arena_zeroed2(&p->arena, most + 1, p->crossbar.banks + 1, sizeof *p->scratch);
    p->chained = gfab_arena_zeroed(&p->arena, most + 1, sizeof *p->chained);
    p->written = gfab_arena_zeroed2(&p->arena, p->crossbar.banks, p->addresses, sizeof *p->written);
    return p->arena.failed ? gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for banks") : GFAB_OK;
}

/* The programs of all nodes, for one of the collectives. */
static gfab_status assign_program(block_plan *p, size_t program, gfab_diag *diag)
{
    p->program = program;
    p->goal = &p->goals[program];
    p->before = gfab_image_first_round(p->image, program);
    p->rounds = gfab_image_rounds(p->image, program);
    for (p->node = 0; p->node < p->nodes; p->node++) {
        GFAB_TRY(list_holdings(p, diag));
        GFAB_TRY(find_banks(p, diag));
        find_addresses(p);
        write_programs(p);
    }
    gfab_banks_set_halt(p->banks, program, p->before + p->rounds + 1);
    return GFAB_OK;
}

gfab_status gfab_banks_assign_blocks(const gfab_image *image, const gfab_goal *goals, const gfab_crossbar *crossbar,
                                     gfab_banks **banks, gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(image);
    GFAB_AT_END(gfab_banks_at_end) gfab_banks *made = NULL;
    GFAB_AT_END(block_plan_release)
    block_plan p = {.image = image,
                    .goals = goals,
                    .crossbar = *crossbar,
                    .nodes = gfab_topology_node_count(gfab_layout_topology(layout)),
                    .lanes = gfab_layout_lane_count(layout),
                    .address_bits = gfab_image_round_bits(image)};
    gfab_banks_use use = {.programs = gfab_image_program_count(image), .address_bits = p.address_bits};
    for (size_t i = 0; i < use.programs; i++) {
        const uint32_t rounds = gfab_image_rounds(image, i), end = gfab_image_first_round(image, i) + rounds;
        use.goals[i] = goals[i];
        use.first_rounds[i] = gfab_image_first_round(image, i);
        p.most_rounds = rounds > p.most_rounds ? rounds : p.most_rounds;
        p.addresses = end > p.addresses ? end : p.addresses;
    }
    /* Bits for more addresses than can be needed; the programs are left with what is. */
    p.addresses += 1 + gfab_layout_blocks(layout);
    while (((uint64_t)1 << use.address_bits) < (uint64_t)p.addresses && use.address_bits < 24)
        use.address_bits++;
    GFAB_TRY(gfab_banks_create(layout, crossbar, gfab_image_round_bits(image), &use, &made, diag));
    p.banks = made;
    GFAB_TRY(plan_init(&p, diag));
    for (size_t i = 0; i < use.programs; i++)
        GFAB_TRY(assign_program(&p, i, diag));
    made->use.address_bits = p.address_bits;
    *banks = gfab_take_at(&made);
    return GFAB_OK;
}
