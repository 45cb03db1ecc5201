/* SPDX-License-Identifier: MIT */
/* Which bank each token is in: by the lane it comes by, or by a colouring. */
#include "banks_internal.h"

#include <gossipfab/base/arena.h>
#include <string.h>

GFAB_ENDS_BY(gfab_sharing_destroy, gfab_sharing)

#define NONE UINT32_MAX

/* One node's tokens and moves. */
typedef struct node_plan {
    const gfab_image *image;
    size_t nodes, lanes;
    size_t node;
    uint32_t rounds;
    uint32_t *came; /* [slot]: round, 0 own, NONE never */
    uint32_t *by;   /* [slot]: lane; 0 for the own */
    uint32_t *bank; /* [slot] */
    uint32_t own;   /* slot */
    size_t *first;  /* the conflict graph, as gfab_banks_colour takes it */
    uint32_t *edges;
    uint32_t *scratch;
    gfab_arena arena;
} node_plan;

static gfab_status find_arrivals(node_plan *p, gfab_diag *diag)
{
    for (size_t slot = 0; slot < p->nodes; slot++) {
        p->came[slot] = NONE;
        p->by[slot] = 0;
    }
    p->own = gfab_layout_slot(gfab_image_layout(p->image), p->node, (uint32_t)p->node);
    p->came[p->own] = 0;
    for (uint32_t round = 1; round <= p->rounds; round++)
        for (uint32_t lane = 0; lane < p->lanes; lane++) {
            const gfab_op op = gfab_banks_op(p->image, p->node, round, lane, GFAB_OP_RECV);
            if (op.kind != GFAB_OP_RECV)
                continue;
            if (p->came[op.slot] != NONE)
                return GFAB_REFUSE(
                    diag, "node %zu, round %u: slot %u is received again; a wide node has one place for a token",
                    p->node, (unsigned)round, (unsigned)op.slot);
            p->came[op.slot] = round;
            p->by[op.slot] = lane;
        }
    return GFAB_OK;
}

/* The different slots that arrive, or leave, in a round. Returns how many. */
static size_t together(const node_plan *p, uint32_t round, gfab_op_kind kind, uint32_t *slots)
{
    size_t count = 0;
    for (size_t lane = 0; lane < p->lanes; lane++) {
        const gfab_op op = gfab_banks_op(p->image, p->node, round, lane, kind);
        size_t i = 0;
        while (i < count && slots[i] != op.slot)
            i++;
        if (op.kind == kind && i == count)
            slots[count++] = op.slot;
    }
    return count;
}

/* Edges between all tokens that arrive, or leave, in one round, each twice; the same edge may be there more than once.
 * In two passes: edges is NULL in the first, which counts. */
static size_t list_conflicts(node_plan *p, uint32_t *slots, uint32_t *edges)
{
    size_t clique = 1;
    for (uint32_t round = 1; round <= p->rounds; round++)
        for (int end = 0; end < 2; end++) {
            const size_t count = together(p, round, end ? GFAB_OP_RECV : GFAB_OP_SEND, slots);
            clique = count > clique ? count : clique;
            for (size_t i = 0; i < count; i++)
                for (size_t j = 0; j < count; j++)
                    if (i != j && edges)
                        edges[p->first[slots[i]]++] = slots[j];
                    else if (i != j)
                        p->first[slots[i] + 1]++;
        }
    return clique;
}

/* Most tokens that arrive, or leave, at once: as many banks at least. */
static gfab_status build_conflicts(node_plan *p, size_t *clique, gfab_diag *diag)
{
    GFAB_FREED uint32_t *slots = malloc(p->lanes * sizeof *slots);
    free(p->edges);
    p->edges = NULL;
    if (slots) {
        memset(p->first, 0, (p->nodes + 2) * sizeof *p->first);
        *clique = list_conflicts(p, slots, NULL);
        for (size_t slot = 0; slot < p->nodes; slot++)
            p->first[slot + 1] += p->first[slot];
        const size_t total = p->first[p->nodes];
        p->edges = malloc((total + 1) * sizeof *p->edges);
        if (p->edges) {
            list_conflicts(p, slots, p->edges);
            memmove(p->first + 1, p->first, p->nodes * sizeof *p->first); /* each start has become its end */
            p->first[0] = 0;
        }
    }
    return p->edges ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, diag);
}

static bool colour_node(node_plan *p, uint32_t banks)
{
    const gfab_banks_graph graph = {p->nodes, p->first, p->edges, banks, NULL};
    if (!gfab_banks_colour(&graph, p->bank, p->scratch))
        return false;
    const uint32_t own = p->bank[p->own];
    for (size_t slot = 0; slot < p->nodes; slot++) /* exchanged with bank 0, where the own token is */
        if (p->bank[slot] == own || p->bank[slot] == 0)
            p->bank[slot] = own - p->bank[slot];
    return true;
}

static void banks_by_lane(node_plan *p, const gfab_crossbar *crossbar)
{
    for (size_t slot = 0; slot < p->nodes; slot++) {
        p->bank[slot] = 0;
        while (!(slot == p->own ? gfab_crossbar_holds_own(crossbar, p->bank[slot])
                                : gfab_crossbar_takes(crossbar, p->by[slot], p->bank[slot])))
            p->bank[slot]++;
    }
}

static gfab_status meet(const node_plan *p, uint32_t round, uint32_t bank, const char *what, gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu, round %u: two tokens %s bank %u at once", p->node,
                     (unsigned)round, what, (unsigned)bank);
}

/* A bank that has the slot, gives to the lane, and gives nothing else in the round (its entry of `gives`, a slot or
 * NONE); NONE if there is none. */
static uint32_t giving_bank(const node_plan *p, const gfab_crossbar *x, uint32_t slot, uint32_t lane,
                            const uint32_t *gives)
{
    for (uint32_t bank = 0; bank < x->banks; bank++)
        if ((slot == p->own ? gfab_crossbar_holds_own(x, bank) : bank == p->bank[slot]) &&
            gfab_crossbar_gives(x, lane, bank) && (gives[bank] == NONE || gives[bank] == slot))
            return bank;
    return NONE;
}

/* The words of one round of one node. The own token takes a bank last, since it may be in several. */
static gfab_status make_round(const node_plan *p, uint32_t round, gfab_banks *banks, uint32_t *gives, gfab_diag *diag)
{
    const gfab_crossbar *x = &banks->crossbar;
    for (uint32_t bank = 0; bank < x->banks; bank++)
        gives[bank] = NONE;
    for (int own = 0; own < 2; own++)
        for (uint32_t lane = 0; lane < p->lanes; lane++) {
            const gfab_op op = gfab_banks_op(p->image, p->node, round, lane, GFAB_OP_SEND);
            if (op.kind != GFAB_OP_SEND || (op.slot == p->own) != (own == 1))
                continue;
            const uint32_t bank = giving_bank(p, x, op.slot, lane, gives);
            if (bank == NONE)
                return meet(p, round, p->bank[op.slot], "leave", diag);
            if (p->came[op.slot] == NONE)
                return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu, round %u: slot %u is sent but never received",
                                 p->node, (unsigned)round, (unsigned)op.slot);
            gives[bank] = op.slot;
            gfab_banks_set_send(banks, p->node, round, lane, bank);
            gfab_banks_set_read(banks, p->node, round, bank, p->came[op.slot]);
        }
    for (uint32_t lane = 0; lane < p->lanes; lane++) {
        const gfab_op op = gfab_banks_op(p->image, p->node, round, lane, GFAB_OP_RECV);
        if (op.kind != GFAB_OP_RECV)
            continue;
        if (gfab_banks_store(banks, p->node, round, p->bank[op.slot]) != GFAB_NO_LANE)
            return meet(p, round, p->bank[op.slot], "arrive for", diag);
        gfab_banks_set_store(banks, p->node, round, p->bank[op.slot], lane);
    }
    return GFAB_OK;
}

static void set_places(const node_plan *p, gfab_banks *banks)
{
    for (uint32_t slot = 0; slot < p->nodes; slot++)
        if (p->came[slot] != NONE)
            gfab_banks_set_place(banks, p->node, slot, p->bank[slot], p->came[slot]);
}

static void copy_node(gfab_banks *banks, size_t from, size_t to, uint32_t rounds)
{
    const gfab_crossbar *x = &banks->crossbar;
    for (uint32_t round = 1; round <= rounds; round++) {
        for (uint32_t bank = 0; bank < x->banks; bank++) {
            gfab_banks_set_read(banks, to, round, bank, gfab_banks_read(banks, from, round, bank));
            gfab_banks_set_store(banks, to, round, bank, gfab_banks_store(banks, from, round, bank));
        }
        for (uint32_t lane = 0; lane < x->lanes; lane++)
            gfab_banks_set_send(banks, to, round, lane, gfab_banks_send(banks, from, round, lane));
    }
    for (uint32_t slot = 0; slot < banks->nodes; slot++)
        gfab_banks_set_place(banks, to, slot, gfab_banks_bank(banks, from, slot),
                             gfab_banks_address(banks, from, slot));
}

static gfab_status plan_init(node_plan *p, const gfab_image *image, uint32_t banks, gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(image);
    *p = (node_plan){.image = image,
                     .nodes = gfab_topology_node_count(gfab_layout_topology(layout)),
                     .lanes = gfab_layout_lane_count(layout),
                     .rounds = gfab_image_rounds(image, 0)};
    GFAB_ARRAYS(&p->arena, p->nodes, p->came, p->by, p->bank);
    p->first = gfab_arena_zeroed(&p->arena, p->nodes + 2, sizeof *p->first);
    p->scratch = malloc(word_array_product(p->nodes * (banks + 1), sizeof *p->scratch));
    if (!p->arena.failed && p->scratch)
        return GFAB_OK;
    return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for banks");
}

static void plan_free(node_plan *p)
{
    gfab_arena_release(&p->arena);
    GFAB_FREE(p->edges, p->scratch);
}

static gfab_status assign_node(node_plan *p, gfab_banks *banks, uint32_t *gives, gfab_diag *diag)
{
    GFAB_TRY(find_arrivals(p, diag));
    size_t clique = 1;
    if (banks->crossbar.kind == GFAB_CROSSBAR_FULL) {
        GFAB_TRY(build_conflicts(p, &clique, diag));
        if (clique > banks->crossbar.banks || !colour_node(p, banks->crossbar.banks))
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu: %u banks are too few for the tokens that meet",
                             p->node, (unsigned)banks->crossbar.banks);
    } else
        banks_by_lane(p, &banks->crossbar);
    for (uint32_t round = 1; round <= p->rounds; round++)
        GFAB_TRY(make_round(p, round, banks, gives, diag));
    set_places(p, banks);
    return GFAB_OK;
}

/* Node after node; one with the same ROM as an earlier one copies it. */
static gfab_status assign_all(node_plan *p, const gfab_sharing *sharing, gfab_banks *banks, gfab_diag *diag)
{
    GFAB_FREED uint32_t *gives = malloc(banks->crossbar.banks * sizeof *gives);
    if (!gives)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for banks");
    for (p->node = 0; p->node < p->nodes; p->node++)
        if (sharing->rom[p->node] != p->node)
            copy_node(banks, sharing->rom[p->node], p->node, p->rounds);
        else
            GFAB_TRY(assign_node(p, banks, gives, diag));
    return GFAB_OK;
}

static gfab_status assign_tokens(const gfab_image *image, const gfab_crossbar *crossbar, gfab_banks **banks,
                                 gfab_diag *diag)
{
    GFAB_AT_END(gfab_banks_at_end) gfab_banks *made = NULL;
    GFAB_AT_END(gfab_sharing_at_end) gfab_sharing *sharing = NULL;
    GFAB_AT_END(plan_free) node_plan p = {0};
    GFAB_TRY(gfab_banks_create(gfab_image_layout(image), crossbar, gfab_image_round_bits(image), NULL, &made, diag));
    GFAB_TRY(plan_init(&p, image, crossbar->banks, diag));
    const gfab_status status = gfab_sharing_create(image, &sharing);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "out of memory for banks");
    GFAB_TRY(assign_all(&p, sharing, made, diag));
    gfab_banks_set_halt(made, 0, p.rounds + 1);
    *banks = gfab_take_at(&made);
    return GFAB_OK;
}

gfab_status gfab_banks_assign(const gfab_image *image, const gfab_goal *goals, const gfab_crossbar *crossbar,
                              gfab_banks **banks, gfab_diag *diag)
{
    GFAB_TRY(goals ? gfab_banks_assign_blocks(image, goals, crossbar, banks, diag)
                   : assign_tokens(image, crossbar, banks, diag));
    for (uint32_t round = 1; (round - 1) >> gfab_image_round_bits(image) == 0; round++)
        gfab_banks_set_gap(*banks, round, gfab_image_gap(image, round));
    return GFAB_OK;
}

gfab_status gfab_banks_fit(const gfab_image *image, const gfab_goal *goals, gfab_banks **banks, gfab_diag *diag)
{
    static const gfab_crossbar_kind kinds[] = {GFAB_CROSSBAR_AXES, GFAB_CROSSBAR_PINWHEEL, GFAB_CROSSBAR_ARRIVAL};
    const gfab_topology *topology = gfab_layout_topology(gfab_image_layout(image));
    gfab_crossbar crossbar;
    gfab_status status = GFAB_ERR_FAULT;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && status == GFAB_ERR_FAULT; i++)
        if (gfab_crossbar_make(topology, kinds[i], 0, &crossbar, NULL) == GFAB_OK)
            status = gfab_banks_assign(image, goals, &crossbar, banks, diag);
    for (uint32_t count = 1; count <= GFAB_MAX_BANKS && status == GFAB_ERR_FAULT; count++) {
        gfab_crossbar_make(topology, GFAB_CROSSBAR_FULL, count, &crossbar, NULL);
        status = gfab_banks_assign(image, goals, &crossbar, banks, diag);
    }
    return status == GFAB_ERR_FAULT ? gfab_fail(diag, 0, GFAB_ERR_LIMIT, "more than %u banks a node", GFAB_MAX_BANKS)
                                    : status;
}
