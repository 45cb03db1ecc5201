/* SPDX-License-Identifier: MIT */
/* Ring fabrics that combine: rtl/ring/gfab_ring_reduce.v. As in cmodel_ring.c the counter is the number of cycles since
 * the start, and which step, round and flit a stage has in a cycle follows by arithmetic. A piece of a flit is a number
 * of at most 64 bits, with registers of its own: it does what the piece below did a cycle before, and has its carry. */
#include "cmodel_state.h"

#include <gossipfab/cmodel/ring_model.h>
#include <stdlib.h>
#include <string.h>

/* What a piece of a ring has in a node, in registers. known: it was not read while it was written. */
typedef struct ring_lane {
    uint64_t read, operand, result, data;
    bool read_known, operand_known;
    bool carry;
} ring_lane;

/* What a node's piece has for all rings. */
typedef struct ring_piece {
    uint32_t read_at, write_at; /* addresses */
    bool loads;
    bool pass, clear;
} ring_piece;

struct gfab_ring_reduce_model {
    const gfab_ring_fabric *fabric;
    gfab_arena arena;
    uint32_t depth, pieces, rings, nodes, latest; /* latest: registers behind an operand for the host, at most */
    uint64_t moves;                               /* flits of a run, and of its steps that carry none */
    bool reset, start, busy, done;
    uint64_t cycle;
    uint64_t *store; /* [lane][address]; lane is (node * rings + ring) * pieces + piece, here and below */
    ring_lane *lanes;
    uint64_t *waits; /* [lane][flits - 1], the latest first */
    uint64_t *lates; /* [lane][latest], of what is read, the latest first */
    bool *lates_known;
    ring_piece *node; /* [node][piece] */
    bool *writes;     /* [lane]: it is written at the edge to come */
    uint64_t *next;   /* [lane]: results */
    bool *next_carry;
    uint32_t *answer; /* [node][2 + pieces]: the ring that the host reads, the latest first */
    /* What the host does. */
    bool *loads;
    uint32_t *load_at, *load_ring, *read_at;
    uint64_t *load_data; /* [node][cycles ago][piece] */
};

static size_t lane_of(const gfab_ring_reduce_model *m, uint32_t node, uint32_t ring, uint32_t at)
{
    return ((size_t)node * m->rings + ring) * m->pieces + at;
}

static uint32_t bits_of(const gfab_ring_reduce_model *m, uint32_t at)
{
    const uint32_t first = at * m->fabric->piece_bits, left = m->fabric->link_bits - first;
    return left < m->fabric->piece_bits ? left : m->fabric->piece_bits;
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
    const size_t lanes = (size_t)m->nodes * m->rings * m->pieces, nodes = m->nodes;
    m->store = gfab_arena_zeroed2(&m->arena, lanes, m->depth, sizeof *m->store);
    m->lanes = gfab_arena_zeroed(&m->arena, lanes, sizeof *m->lanes);
    m->waits = gfab_arena_zeroed2(&m->arena, lanes, fabric->flits, sizeof *m->waits);
    m->lates = gfab_arena_zeroed2(&m->arena, lanes, m->latest + 1, sizeof *m->lates);
    m->lates_known = gfab_arena_zeroed2(&m->arena, lanes, m->latest + 1, sizeof *m->lates_known);
    m->node = gfab_arena_zeroed2(&m->arena, nodes, m->pieces, sizeof *m->node);
    m->writes = gfab_arena_zeroed(&m->arena, lanes, sizeof *m->writes);
    m->next = gfab_arena_zeroed(&m->arena, lanes, sizeof *m->next);
    m->next_carry = gfab_arena_zeroed(&m->arena, lanes, sizeof *m->next_carry);
    m->answer = gfab_arena_zeroed2(&m->arena, nodes, m->pieces + 2, sizeof *m->answer);
    m->loads = gfab_arena_zeroed(&m->arena, nodes, sizeof *m->loads);
    m->load_at = gfab_arena_zeroed(&m->arena, nodes, sizeof *m->load_at);
    m->load_ring = gfab_arena_zeroed(&m->arena, nodes, sizeof *m->load_ring);
    m->read_at = gfab_arena_zeroed(&m->arena, nodes, sizeof *m->read_at);
    m->load_data = gfab_arena_zeroed2(&m->arena, nodes * m->pieces, m->pieces, sizeof *m->load_data);
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
    m->latest = fabric->pieces > 2 ? fabric->pieces - 2 : 0;
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
    for (uint32_t at = 0; at < model->pieces; at++) {
        uint8_t bytes[8] = {0};
        uint64_t value = 0;
        gfab_cmodel_or_bits(bytes, 0, data, (size_t)at * model->fabric->piece_bits, bits_of(model, at));
        for (int i = 8; i-- > 0;)
            value = value << 8 | bytes[i];
        model->load_data[(size_t)node * model->pieces * model->pieces + at] = value;
    }
}

void gfab_ring_reduce_model_read(gfab_ring_reduce_model *model, uint32_t node, gfab_ring_block block, uint32_t flit)
{
    model->read_at[node] = address_of(model->fabric, node, block, flit);
    model->answer[(size_t)node * (model->pieces + 2)] = block.ring;
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
    gfab_cmodel_or_bits(data, (size_t)at * m->fabric->piece_bits, bytes, 0, bits_of(m, at));
}

static void clear_flit(const gfab_ring_reduce_model *m, uint8_t *data)
{
    memset(data, 0, (m->fabric->link_bits + 7) / 8);
}

bool gfab_ring_reduce_model_read_data(const gfab_ring_reduce_model *model, uint32_t node, uint8_t *data)
{
    const uint32_t pieces = model->pieces, ring = model->answer[(size_t)node * (pieces + 2) + pieces + 1];
    bool known = true;
    clear_flit(model, data);
    for (uint32_t at = 0; at < pieces; at++) {
        const size_t i = lane_of(model, node, ring, at), behind = pieces - 1 - at;
        const ring_lane *lane = &model->lanes[i];
        const size_t late = i * (model->latest + 1) + behind - 2; /* where behind is 2 or more */
        put(model, at, behind == 0 ? lane->read : behind == 1 ? lane->operand : model->lates[late], data);
        known = known && (behind == 0   ? lane->read_known
                          : behind == 1 ? lane->operand_known
                                        : model->lates_known[late]);
    }
    return known;
}

/* What a lane gives to the next node. */
static uint64_t given(const gfab_ring_reduce_model *m, size_t i)
{
    const uint32_t flits = m->fabric->flits;
    return flits > 1 ? m->waits[i * flits + flits - 2] : m->lanes[i].result;
}

static uint64_t comes(const gfab_ring_reduce_model *m, uint32_t node, uint32_t ring, uint32_t at)
{
    return given(m, lane_of(m, m->fabric->from[(size_t)ring * m->nodes + node], ring, at));
}

void gfab_ring_reduce_model_link(const gfab_ring_reduce_model *model, uint32_t node, uint32_t ring, uint8_t *data)
{
    clear_flit(model, data);
    for (uint32_t at = 0; at < model->pieces; at++)
        put(model, at, comes(model, node, ring, at), data);
}

void gfab_ring_reduce_model_write_data(const gfab_ring_reduce_model *model, uint32_t node, uint32_t ring, uint8_t *data)
{
    clear_flit(model, data);
    for (uint32_t at = 0; at < model->pieces; at++)
        put(model, at, model->lanes[lane_of(model, node, ring, at)].data, data);
}

bool gfab_ring_reduce_model_writes(const gfab_ring_reduce_model *model, uint32_t node, uint32_t ring, uint32_t *address)
{
    *address = model->node[(size_t)node * model->pieces].write_at;
    return model->writes[lane_of(model, node, ring, 0)];
}

/* The results that are to come, of what is there now. */
static void add(gfab_ring_reduce_model *m, uint32_t node, uint32_t ring, uint32_t at)
{
    const size_t i = lane_of(m, node, ring, at);
    const ring_lane *lane = &m->lanes[i];
    bool carry = m->fabric->flits > 1 ? lane->carry && !at_stage(m, 3).first : at > 0 && m->lanes[i - 1].carry;
    m->next[i] = combine(m, at, comes(m, node, ring, at), lane->operand, &carry);
    m->next_carry[i] = carry;
    if (m->reset || m->node[(size_t)node * m->pieces + at].clear) {
        m->next[i] = nothing(m, at);
        m->next_carry[i] = false;
    }
}

/* The edge, of one piece of one ring in a node. */
static void clock_lane(gfab_ring_reduce_model *m, uint32_t node, uint32_t ring, uint32_t at)
{
    const size_t i = lane_of(m, node, ring, at);
    const ring_piece *piece = &m->node[(size_t)node * m->pieces + at];
    const uint32_t flits = m->fabric->flits;
    ring_lane *lane = &m->lanes[i];
    uint64_t *store = m->store + i * m->depth, *late = m->lates + i * (m->latest + 1);
    bool *late_known = m->lates_known + i * (m->latest + 1);
    for (uint32_t k = m->latest; k-- > 0;) {
        late[k] = k ? late[k - 1] : lane->operand;
        late_known[k] = k ? late_known[k - 1] : lane->operand_known;
    }
    lane->operand = piece->pass ? nothing(m, at) : lane->read;
    lane->operand_known = piece->pass || lane->read_known;
    lane->read = store[piece->read_at];
    lane->read_known = !(m->writes[i] && piece->read_at == piece->write_at);
    if (m->writes[i])
        store[piece->write_at] = lane->data;
    lane->data = piece->loads ? m->load_data[((size_t)node * m->pieces + at) * m->pieces + at] : lane->result;
    for (uint32_t k = flits - 1; k-- > 0;)
        m->waits[i * flits + k] = m->reset ? nothing(m, at) : k ? m->waits[i * flits + k - 1] : lane->result;
    lane->result = m->next[i];
    lane->carry = m->next_carry[i];
}

/* And of a piece, for all rings: what the one below had, or the lowest from the counter and the host. */
static void clock_piece(gfab_ring_reduce_model *m, uint32_t node, uint32_t at)
{
    ring_piece *piece = &m->node[(size_t)node * m->pieces + at];
    const ring_move reads = at_stage(m, 0), writes = at_stage(m, 4);
    for (uint32_t ring = 0; ring < m->rings; ring++) {
        const bool loads = m->loads[node] && m->load_ring[node] == ring;
        const size_t i = lane_of(m, node, ring, at);
        m->writes[i] = !m->reset && (at > 0 ? m->writes[i - 1] : writes.writes || loads);
    }
    if (at > 0) {
        piece->read_at = piece[-1].read_at;
        piece->write_at = piece[-1].write_at;
        return;
    }
    piece->read_at = reads.runs ? reads.address : m->read_at[node];
    piece->write_at = writes.writes ? writes.address : m->load_at[node];
}

/* What the counter and the host say in a cycle reaches piece 0 at once, and each other one a cycle later. */
static void say(gfab_ring_reduce_model *m, uint32_t node)
{
    ring_piece *piece = &m->node[(size_t)node * m->pieces];
    const ring_move adds = at_stage(m, 3);
    piece->pass = at_stage(m, 2).pass;
    piece->clear = !adds.runs || adds.empties;
    piece->loads = m->loads[node];
}

static void say_later(gfab_ring_reduce_model *m, uint32_t node)
{
    ring_piece *piece = &m->node[(size_t)node * m->pieces];
    for (uint32_t at = m->pieces - 1; at > 0; at--) {
        piece[at].pass = piece[at - 1].pass && !m->reset;
        piece[at].clear = piece[at - 1].clear || m->reset;
        piece[at].loads = piece[at - 1].loads;
    }
    uint64_t *data = m->load_data + (size_t)node * m->pieces * m->pieces;
    memmove(data + m->pieces, data, (size_t)(m->pieces - 1) * m->pieces * sizeof *data);
    m->loads[node] = false;
    uint32_t *answer = m->answer + (size_t)node * (m->pieces + 2);
    for (uint32_t k = m->pieces + 1; k > 0; k--)
        answer[k] = answer[k - 1];
}

static void count(gfab_ring_reduce_model *m)
{
    const bool starts = m->start && (!m->busy || m->done), ends = m->busy && m->done;
    m->cycle++;
    m->busy = starts || (m->busy && !ends);
    if (starts)
        m->cycle = 0;
    m->done = !starts && (m->done || (m->busy && m->cycle == m->moves + 2));
    if (m->reset)
        m->busy = m->done = false;
    m->reset = m->start = false;
}

void gfab_ring_reduce_model_step(gfab_ring_reduce_model *model)
{
    const uint32_t nodes = model->nodes, rings = model->rings, pieces = model->pieces;
    for (uint32_t node = 0; node < nodes; node++)
        say(model, node);
    for (uint32_t i = 0; i < nodes * rings * pieces; i++) /* before anything changes */
        add(model, i / pieces / rings, i / pieces % rings, i % pieces);
    for (uint32_t i = 0; i < nodes * rings * pieces; i++)
        clock_lane(model, i / pieces / rings, i / pieces % rings, i % pieces);
    for (uint32_t node = 0; node < nodes; node++) {
        for (uint32_t at = pieces; at-- > 0;)
            clock_piece(model, node, at);
        say_later(model, node);
    }
    count(model);
}
