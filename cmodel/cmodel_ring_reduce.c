/* SPDX-License-Identifier: MIT */
/* Ring fabrics that combine: rtl/ring/gfab_ring_reduce.v. As in cmodel_ring.c the counter is the number of cycles since
 * the start, and which step, round and flit a stage has in a cycle follows by arithmetic. A part of a flit is a number
 * of at most 64 bits. What it carries goes to the next node beside it, and there into the part above. */
#include "cmodel_state.h"

#include <gossipfab/cmodel/ring_model.h>
#include <stdlib.h>
#include <string.h>

/* What a part of a ring's flit has in a node, in registers. read_known: it was not read while it was written. */
typedef struct ring_lane {
    uint64_t read, operand, result;
    bool read_known;
    bool carry;
} ring_lane;

/* What a node has for all rings. */
typedef struct ring_node {
    uint32_t read_at, write_at; /* addresses */
    bool loads;
    bool pass, clear;
} ring_node;

enum { ANSWER = 2 }; /* cycles from what the host asks to what it gets */

struct gfab_ring_reduce_model {
    const gfab_ring_fabric *fabric;
    gfab_arena arena;
    uint32_t depth, parts, rings, nodes, pieces;
    uint64_t moves; /* flits of a run, and of its steps that carry none */
    bool reset, start, busy, done;
    uint64_t cycle;
    uint64_t *store; /* [lane][address]; lane is (node * rings + ring) * parts + part, here and below */
    ring_lane *lanes;
    uint64_t *waits; /* [lane][flits - 1], the latest first */
    uint64_t *data;  /* [lane][pieces]: what is to be stored, the latest first */
    ring_node *node;
    bool *writes;   /* [node * rings + ring]: it is written at the edge to come */
    uint64_t *next; /* [lane]: results */
    bool *next_carry;
    uint32_t *answer; /* [node][1 + ANSWER]: the ring that the host reads, the latest first */
    /* What the host does. */
    bool *loads;
    uint32_t *load_at, *load_ring, *read_at;
    uint64_t *load_data; /* [node][part] */
};

static size_t lane_of(const gfab_ring_reduce_model *m, uint32_t node, uint32_t ring, uint32_t at)
{
    return ((size_t)node * m->rings + ring) * m->parts + at;
}

static uint32_t bits_of(const gfab_ring_reduce_model *m, uint32_t at)
{
    const uint32_t first = at * m->fabric->part_bits, left = m->fabric->link_bits - first;
    return left < m->fabric->part_bits ? left : m->fabric->part_bits;
}

static uint64_t mask_of(const gfab_ring_reduce_model *m, uint32_t at)
{
    return UINT64_MAX >> (64 - bits_of(m, at));
}

/* What changes nothing where it is an operand. */
static uint64_t nothing(const gfab_ring_reduce_model *m, uint32_t at)
{
    const uint64_t mask = mask_of(m, at), top = mask ^ mask >> 1;
    switch (m->fabric->combines) {
    case GFAB_OPERATOR_AND:
    case GFAB_OPERATOR_UMIN:
        return mask;
    case GFAB_OPERATOR_MIN:
        return mask ^ top;
    case GFAB_OPERATOR_MAX:
        return top;
    default:
        return 0;
    }
}

static uint64_t combine(const gfab_ring_reduce_model *m, uint32_t at, uint64_t a, uint64_t b, bool *carry)
{
    const uint64_t mask = mask_of(m, at), top = mask ^ mask >> 1;
    const uint64_t sum = (a + b + *carry) & mask;
    const bool into = *carry;
    *carry = false;
    switch (m->fabric->combines) {
    case GFAB_OPERATOR_AND:
        return a & b;
    case GFAB_OPERATOR_OR:
        return a | b;
    case GFAB_OPERATOR_XOR:
        return a ^ b;
    case GFAB_OPERATOR_MIN:
        return (a ^ top) < (b ^ top) ? a : b;
    case GFAB_OPERATOR_MAX:
        return (a ^ top) < (b ^ top) ? b : a;
    case GFAB_OPERATOR_UMIN:
        return a < b ? a : b;
    case GFAB_OPERATOR_UMAX:
        return a < b ? b : a;
    default:
        *carry = into ? sum <= a : sum < a;
        return sum;
    }
}

static void allocate(gfab_ring_reduce_model *m, const gfab_ring_fabric *fabric)
{
    const size_t nodes = m->nodes, flows = nodes * m->rings, lanes = flows * m->parts;
    m->store = gfab_arena_zeroed2(&m->arena, lanes, m->depth, sizeof *m->store);
    m->lanes = gfab_arena_zeroed(&m->arena, lanes, sizeof *m->lanes);
    m->waits = gfab_arena_zeroed2(&m->arena, lanes, fabric->flits, sizeof *m->waits);
    m->data = gfab_arena_zeroed2(&m->arena, lanes, m->pieces, sizeof *m->data);
    m->node = gfab_arena_zeroed(&m->arena, nodes, sizeof *m->node);
    m->writes = gfab_arena_zeroed(&m->arena, flows, sizeof *m->writes);
    GFAB_ARRAYS(&m->arena, lanes, m->next, m->next_carry);
    m->answer = gfab_arena_zeroed2(&m->arena, nodes, ANSWER + 1, sizeof *m->answer);
    GFAB_ARRAYS(&m->arena, nodes, m->loads, m->load_at, m->load_ring, m->read_at);
    m->load_data = gfab_arena_zeroed2(&m->arena, nodes, m->parts, sizeof *m->load_data);
}

gfab_status gfab_ring_reduce_model_create(const gfab_ring_fabric *fabric, gfab_ring_reduce_model **model,
                                          gfab_diag *diag)
{
    gfab_ring_reduce_model *m = calloc(1, sizeof *m);
    *model = NULL;
    if (!m)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the model");
    m->fabric = fabric;
    m->nodes = fabric->nodes;
    m->rings = fabric->rings;
    m->pieces = fabric->pieces;
    m->parts = (fabric->link_bits + fabric->part_bits - 1) / fabric->part_bits;
    m->depth = fabric->nodes * fabric->rounds * fabric->flits;
    m->moves = (uint64_t)fabric->rounds * fabric->steps * fabric->flits;
    allocate(m, fabric);
    if (m->arena.failed) {
        gfab_ring_reduce_model_destroy(m);
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the model");
    }
    *model = m;
    return GFAB_OK;
}

void gfab_ring_reduce_model_destroy(gfab_ring_reduce_model *model)
{
    if (!model)
        return;
    gfab_arena_release(&model->arena);
    free(model);
}

void gfab_ring_reduce_model_reset(gfab_ring_reduce_model *model)
{
    model->reset = true;
}

void gfab_ring_reduce_model_start(gfab_ring_reduce_model *model)
{
    model->start = true;
}

/* Addresses in the order of distances, rounds, flits. */
static uint32_t address_of(const gfab_ring_fabric *fabric, uint32_t node, gfab_ring_block block, uint32_t flit)
{
    const uint32_t *place = fabric->place + (size_t)(fabric->both ? block.ring / 2 : block.ring) * fabric->nodes;
    const bool back = fabric->both && block.ring % 2;
    const uint32_t home = fabric->collective == GFAB_ALL_REDUCE ? block.home : place[block.home];
    const uint32_t distance = (fabric->nodes + (back ? home - place[node] : place[node] - home)) % fabric->nodes;
    return (distance * fabric->rounds + block.round) * fabric->flits + flit;
}

void gfab_ring_reduce_model_load(gfab_ring_reduce_model *model, uint32_t node, gfab_ring_block block, uint32_t flit,
                                 const uint8_t *data)
{
    model->loads[node] = true;
    model->load_at[node] = address_of(model->fabric, node, block, flit);
    model->load_ring[node] = block.ring;
    for (uint32_t at = 0; at < model->parts; at++) {
        uint8_t bytes[8] = {0};
        uint64_t value = 0;
        gfab_cmodel_or_bits(bytes, 0, data, (size_t)at * model->fabric->part_bits, bits_of(model, at));
        for (int i = 8; i-- > 0;)
            value = value << 8 | bytes[i];
        model->load_data[(size_t)node * model->parts + at] = value;
    }
}

void gfab_ring_reduce_model_read(gfab_ring_reduce_model *model, uint32_t node, gfab_ring_block block, uint32_t flit)
{
    model->read_at[node] = address_of(model->fabric, node, block, flit);
    model->answer[(size_t)node * (ANSWER + 1)] = block.ring;
}

/* What a stage has in this cycle. */
typedef struct ring_move {
    bool runs;    /* else nothing of all this */
    bool pass;    /* no operand is added */
    bool empties; /* the step that empties the arcs */
    bool first;   /* the block's first flit */
    bool writes;  /* what comes out is a total */
    uint32_t address;
} ring_move;

static ring_move at_stage(const gfab_ring_reduce_model *m, uint64_t stage)
{
    const gfab_ring_fabric *f = m->fabric;
    if (!m->busy || m->cycle < stage || m->cycle - stage >= m->moves)
        return (ring_move){.first = true};
    const uint64_t at = m->cycle - stage, step = at / f->flits % f->steps;
    const uint32_t distance = (uint32_t)((step + 1) % f->nodes), flit = (uint32_t)(at % f->flits);
    const uint32_t round = (uint32_t)(at / f->flits / f->steps);
    return (ring_move){.runs = true,
                       .pass = step >= f->nodes,
                       .empties = step == f->steps - 1,
                       .first = flit == 0,
                       .writes = step + 1 >= f->nodes && step < f->steps - 1,
                       .address = (distance * f->rounds + round) * f->flits + flit};
}

bool gfab_ring_reduce_model_busy(const gfab_ring_reduce_model *model)
{
    return model->busy;
}

bool gfab_ring_reduce_model_done(const gfab_ring_reduce_model *model)
{
    return model->done;
}

bool gfab_ring_reduce_model_drives(const gfab_ring_reduce_model *model)
{
    return at_stage(model, 4).writes;
}

static void put(const gfab_ring_reduce_model *m, uint32_t at, uint64_t value, uint8_t *data)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    gfab_cmodel_or_bits(data, (size_t)at * m->fabric->part_bits, bytes, 0, bits_of(m, at));
}

static void clear_flit(const gfab_ring_reduce_model *m, uint8_t *data)
{
    memset(data, 0, (m->fabric->link_bits + 7) / 8);
}

bool gfab_ring_reduce_model_read_data(const gfab_ring_reduce_model *model, uint32_t node, uint8_t *data)
{
    const uint32_t ring = model->answer[(size_t)node * (ANSWER + 1) + ANSWER];
    clear_flit(model, data);
    for (uint32_t at = 0; at < model->parts; at++)
        put(model, at, model->lanes[lane_of(model, node, ring, at)].read, data);
    return model->lanes[lane_of(model, node, ring, 0)].read_known;
}

/* What a lane gives to the next node. */
static uint64_t given(const gfab_ring_reduce_model *m, size_t i)
{
    const uint32_t flits = m->fabric->flits;
    return flits > 1 ? m->waits[i * flits + flits - 2] : m->lanes[i].result;
}

static size_t giver(const gfab_ring_reduce_model *m, uint32_t node, uint32_t ring, uint32_t at)
{
    return lane_of(m, m->fabric->from[(size_t)ring * m->nodes + node], ring, at);
}

void gfab_ring_reduce_model_link(const gfab_ring_reduce_model *model, uint32_t node, uint32_t ring, uint8_t *data)
{
    clear_flit(model, data);
    for (uint32_t at = 0; at < model->parts; at++)
        put(model, at, given(model, giver(model, node, ring, at)), data);
}

void gfab_ring_reduce_model_write_data(const gfab_ring_reduce_model *model, uint32_t node, uint32_t ring, uint8_t *data)
{
    clear_flit(model, data);
    for (uint32_t at = 0; at < model->parts; at++)
        put(model, at, model->data[(lane_of(model, node, ring, at) + 1) * model->pieces - 1], data);
}

bool gfab_ring_reduce_model_writes(const gfab_ring_reduce_model *model, uint32_t node, uint32_t ring, uint32_t *address)
{
    *address = model->node[node].write_at;
    return model->writes[node * model->rings + ring];
}

/* The results that are to come, of what is there now. */
static void add(gfab_ring_reduce_model *m, uint32_t node, uint32_t ring, uint32_t at)
{
    const size_t i = lane_of(m, node, ring, at), from = giver(m, node, ring, at);
    bool carry = m->fabric->flits > 1 ? m->lanes[i].carry && !at_stage(m, 3).first : at > 0 && m->lanes[from - 1].carry;
    m->next[i] = combine(m, at, given(m, from), m->lanes[i].operand, &carry);
    m->next_carry[i] = carry;
    if (m->reset || m->node[node].clear) {
        m->next[i] = nothing(m, at);
        m->next_carry[i] = false;
    }
}

/* What is to be stored of a ring in a node: a total with its carries, or what the host loads. */
static void settle(gfab_ring_reduce_model *m, uint32_t node, uint32_t ring)
{
    bool carry = false;
    for (uint32_t at = 0; at < m->parts; at++) {
        const size_t i = lane_of(m, node, ring, at);
        uint64_t *data = m->data + i * m->pieces, value = m->lanes[i].result;
        const uint64_t more = (uint64_t)carry + (at > 0 && m->lanes[i - 1].carry);
        if (m->parts > 1)
            value = (value + more) & mask_of(m, at);
        carry = m->parts > 1 && value < more;
        for (uint32_t k = m->pieces - 1; k > 0; k--)
            data[k] = data[k - 1];
        data[0] = value;
        if (m->node[node].loads)
            data[m->pieces - 1] = m->load_data[(size_t)node * m->parts + at];
    }
}

/* The edge, of one part of one ring in a node. */
static void clock_lane(gfab_ring_reduce_model *m, uint32_t node, uint32_t ring, uint32_t at)
{
    const size_t i = lane_of(m, node, ring, at);
    const ring_node *of_node = &m->node[node];
    const bool writes = m->writes[node * m->rings + ring];
    const uint32_t flits = m->fabric->flits;
    ring_lane *lane = &m->lanes[i];
    uint64_t *store = m->store + i * m->depth;
    lane->operand = of_node->pass ? nothing(m, at) : lane->read;
    lane->read = store[of_node->read_at];
    lane->read_known = !(writes && of_node->read_at == of_node->write_at);
    if (writes)
        store[of_node->write_at] = m->data[(i + 1) * m->pieces - 1];
    for (uint32_t k = flits - 1; k-- > 0;)
        m->waits[i * flits + k] = m->reset ? nothing(m, at) : k ? m->waits[i * flits + k - 1] : lane->result;
}

/* What the counter and the host say in a cycle. */
static void say(gfab_ring_reduce_model *m, uint32_t node)
{
    const ring_move adds = at_stage(m, 3);
    m->node[node].pass = at_stage(m, 2).pass;
    m->node[node].clear = !adds.runs || adds.empties;
    m->node[node].loads = m->loads[node];
}

/* The edge, of a node: what its rings read and write next. */
static void clock_node(gfab_ring_reduce_model *m, uint32_t node)
{
    const ring_move reads = at_stage(m, 0), writes = at_stage(m, 3 + m->pieces);
    for (uint32_t ring = 0; ring < m->rings; ring++)
        m->writes[node * m->rings + ring] =
            !m->reset && (writes.writes || (m->loads[node] && m->load_ring[node] == ring));
    m->node[node].read_at = reads.runs ? reads.address : m->read_at[node];
    m->node[node].write_at = writes.writes ? writes.address : m->load_at[node];
    m->loads[node] = false;
    uint32_t *answer = m->answer + (size_t)node * (ANSWER + 1);
    for (uint32_t k = ANSWER; k > 0; k--)
        answer[k] = answer[k - 1];
}

static void count(gfab_ring_reduce_model *m)
{
    const bool starts = m->start && (!m->busy || m->done), ends = m->busy && m->done;
    m->cycle++;
    m->busy = starts || (m->busy && !ends);
    if (starts)
        m->cycle = 0;
    m->done = !starts && (m->done || (m->busy && m->cycle == m->moves + 1 + m->pieces));
    if (m->reset)
        m->busy = m->done = false;
    m->reset = m->start = false;
}

void gfab_ring_reduce_model_step(gfab_ring_reduce_model *model)
{
    const uint32_t nodes = model->nodes, rings = model->rings, parts = model->parts, lanes = nodes * rings * parts;
    for (uint32_t node = 0; node < nodes; node++)
        say(model, node);
    for (uint32_t i = 0; i < lanes; i++) /* before anything changes */
        add(model, i / parts / rings, i / parts % rings, i % parts);
    for (uint32_t i = 0; i < lanes; i++)
        clock_lane(model, i / parts / rings, i / parts % rings, i % parts);
    for (uint32_t i = 0; i < nodes * rings; i++)
        settle(model, i / rings, i % rings);
    for (uint32_t i = 0; i < lanes; i++) {
        model->lanes[i].result = model->next[i];
        model->lanes[i].carry = model->next_carry[i];
    }
    for (uint32_t node = 0; node < nodes; node++)
        clock_node(model, node);
    count(model);
}
