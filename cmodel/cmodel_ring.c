/* SPDX-License-Identifier: MIT */
/* Ring fabrics: rtl/ring/. The counter is the number of cycles since the start, of which all that a node does follows
 * by arithmetic: word i of a run, counted over its steps, is read in cycle i + 1, is on the arcs in the next one,
 * and is written in that one or one later. A word is kept as a string of bytes for each ring. Protected nodes have
 * their register behind the store. No check bits are here, as nothing flips. */
#include "cmodel_state.h"

#include <gossipfab/cmodel/ring_model.h>
#include <stdlib.h>
#include <string.h>

struct gfab_ring_model {
    const gfab_ring_fabric *fabric;
    gfab_arena arena;
    uint32_t flows;                /* of a node: rings, or tokens side by side */
    size_t flit_bytes, word_bytes; /* of all flows */
    uint64_t moves;                /* cycles in which a node has its turn in a run */
    bool waits;                    /* there is a register before the store */
    bool reset, start, busy, done;
    uint64_t cycle;  /* since the start, from 0; meaningful while busy */
    uint8_t *store;  /* ((node * nodes + distance) * words + word) * word_bytes */
    uint8_t *given;  /* by node: what it puts out; where the store is in the loop the host's answer, too */
    uint8_t *next;   /* and in the next cycle, */
    uint8_t *later;  /* and of a protected fabric in the one behind it */
    uint8_t *own;    /* with shifts, */
    uint8_t *answer; /* what the host reads of all rings */
    uint32_t *answer_ring;
    uint32_t *address, *address_ring; /* of the store, as write_at; and which ring's flit the host gets, */
    uint32_t *later_ring;             /* of a protected fabric a cycle later */
    bool *collides, *collided;        /* that was written as it was read; and of a protected fabric a cycle before */
    /* The register before the store. */
    bool *writes;
    uint32_t *write_at; /* distance * words + word */
    uint8_t *written;
    /* What the host does. */
    bool *loads;
    uint32_t *load_word;
    uint8_t *load_data;
    uint32_t *read_at, *read_ring;
};

gfab_status gfab_ring_model_create(const gfab_ring_fabric *fabric, gfab_ring_model **model, gfab_diag *diag)
{
    gfab_ring_model *m = calloc(1, sizeof *m);
    const size_t nodes = fabric->nodes, flit = (fabric->flit_width + 7) / 8;
    const size_t word = flit * fabric->rings * fabric->abreast;
    *model = NULL;
    if (!m)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the model");
    m->fabric = fabric;
    m->flows = fabric->rings * fabric->abreast;
    m->flit_bytes = flit;
    m->word_bytes = word;
    m->moves = (uint64_t)(fabric->steps + fabric->shifts) * fabric->step_cycles;
    m->waits = fabric->registered && !fabric->protect;
    m->store = gfab_arena_zeroed2(&m->arena, nodes * (fabric->steps + 1), fabric->words, word);
    m->given = gfab_arena_zeroed(&m->arena, nodes, word);
    m->next = gfab_arena_zeroed(&m->arena, nodes, word);
    m->later = gfab_arena_zeroed(&m->arena, nodes, word);
    m->own = gfab_arena_zeroed(&m->arena, nodes, word);
    m->answer = gfab_arena_zeroed(&m->arena, nodes, word);
    GFAB_ARRAYS(&m->arena, nodes, m->answer_ring, m->address, m->address_ring, m->later_ring, m->collides, m->collided,
                m->writes, m->write_at);
    m->written = gfab_arena_zeroed(&m->arena, nodes, word);
    GFAB_ARRAYS(&m->arena, nodes, m->loads, m->load_word);
    m->load_data = gfab_arena_zeroed(&m->arena, nodes, word);
    GFAB_ARRAYS(&m->arena, nodes, m->read_at, m->read_ring);
    if (m->arena.failed) {
        gfab_ring_model_destroy(m);
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the model");
    }
    *model = m;
    return GFAB_OK;
}

void gfab_ring_model_destroy(gfab_ring_model *model)
{
    if (!model)
        return;
    gfab_arena_release(&model->arena);
    free(model);
}

void gfab_ring_model_reset(gfab_ring_model *model)
{
    model->reset = true;
}

void gfab_ring_model_start(gfab_ring_model *model)
{
    model->start = true;
}

void gfab_ring_model_load(gfab_ring_model *model, uint32_t node, uint32_t word, const uint8_t *data)
{
    uint8_t *to = model->load_data + node * model->word_bytes;
    const uint32_t bits = model->fabric->flit_width;
    memset(to, 0, model->word_bytes);
    for (uint32_t ring = 0; ring < model->fabric->rings; ring++)
        gfab_cmodel_or_bits(to + ring * model->flit_bytes, 0, data, (size_t)ring * bits, bits);
    model->loads[node] = true;
    model->load_word[node] = word;
}

/* How far `token` is behind node along the ring. */
static uint32_t distance(const gfab_ring_fabric *fabric, uint32_t node, uint32_t token, uint32_t ring)
{
    const uint32_t *place = fabric->place + (size_t)(fabric->both ? ring / 2 : ring) * fabric->nodes;
    const bool back = fabric->both && ring % 2;
    return (fabric->nodes + (back ? place[token] - place[node] : place[node] - place[token])) % fabric->nodes;
}

void gfab_ring_model_read(gfab_ring_model *model, uint32_t node, uint32_t token, uint32_t word, uint32_t ring)
{
    const uint32_t behind = distance(model->fabric, node, token, ring), length = model->fabric->steps + 1;
    model->read_at[node] = behind % length * model->fabric->words + word;
    model->read_ring[node] = ring + behind / length;
}

/* Which word of the run, counted over its steps, is it in this cycle, of those that come from cycle `first` on? */
static bool is_at(const gfab_ring_model *m, uint64_t first, uint32_t *at)
{
    const uint64_t since = m->cycle - first, word = since % m->fabric->step_cycles;
    *at = (uint32_t)(since / m->fabric->step_cycles * m->fabric->words + word);
    return m->busy && m->cycle >= first && since < m->moves && word < m->fabric->words;
}

/* Is one on the arcs? Two cycles behind its address, or three; where words shift, one behind the start. */
static bool drives(const gfab_ring_model *m, uint32_t *at)
{
    return is_at(m, 2 + m->fabric->protect - m->fabric->shifts, at);
}

static uint8_t *stored(const gfab_ring_model *m, uint32_t node, uint32_t at)
{
    return m->store + ((size_t)node * (m->fabric->steps + 1) * m->fabric->words + at) * m->word_bytes;
}

bool gfab_ring_model_busy(const gfab_ring_model *model)
{
    return model->busy;
}

bool gfab_ring_model_done(const gfab_ring_model *model)
{
    return model->done;
}

bool gfab_ring_model_drives(const gfab_ring_model *model)
{
    uint32_t at;
    return drives(model, &at);
}

const uint8_t *gfab_ring_model_link(const gfab_ring_model *model, uint32_t node, uint32_t ring)
{
    const uint32_t of = model->fabric->abreast > 1 ? 0 : ring; /* the one ring of all flows */
    const uint32_t from = model->fabric->from[(size_t)of * model->fabric->nodes + node];
    return model->given + from * model->word_bytes + ring * model->flit_bytes;
}

const uint8_t *gfab_ring_model_read_data(const gfab_ring_model *model, uint32_t node)
{
    const uint8_t *answer = model->fabric->shifts ? model->answer : model->given;
    return model->collides[node] ? NULL
                                 : answer + node * model->word_bytes + model->answer_ring[node] * model->flit_bytes;
}

/* What is to be written, before the register where there is one: what comes over the arcs, or the host's word. */
static bool chosen(const gfab_ring_model *m, uint32_t node, uint32_t *at)
{
    const bool comes = drives(m, at);
    if (m->fabric->shifts)
        return comes;
    *at = comes ? *at + m->fabric->words : m->load_word[node];
    return comes || m->loads[node];
}

static const uint8_t *chosen_data(const gfab_ring_model *m, uint32_t node, uint32_t ring)
{
    const size_t at = node * m->word_bytes + ring * m->flit_bytes;
    return m->fabric->shifts           ? m->given + at
           : gfab_ring_model_drives(m) ? gfab_ring_model_link(m, node, ring)
                                       : m->load_data + at;
}

bool gfab_ring_model_writes(const gfab_ring_model *model, uint32_t node, uint32_t *distance_of, uint32_t *word)
{
    uint32_t at = model->write_at[node];
    const bool writes = model->waits ? model->writes[node] : chosen(model, node, &at);
    *distance_of = at / model->fabric->words;
    *word = at % model->fabric->words;
    return writes;
}

const uint8_t *gfab_ring_model_write_data(const gfab_ring_model *model, uint32_t node, uint32_t ring)
{
    return model->waits ? model->written + node * model->word_bytes + ring * model->flit_bytes
                        : chosen_data(model, node, ring);
}

/* Where words shift: the own flit of a ring, or of tokens side by side the own token of a node over a chord. */
static const uint8_t *starts_with(const gfab_ring_model *m, uint32_t node, uint32_t flow)
{
    const uint32_t nodes = m->fabric->nodes, back = m->fabric->abreast > 1 ? flow * (nodes / m->fabric->abreast) : 0;
    return m->own + (node + nodes - back) % nodes * m->word_bytes + (m->fabric->abreast > 1 ? 0 : flow) * m->flit_bytes;
}

/* What a node reads, at `at`, and what it will put out. */
static void read_store(gfab_ring_model *m, uint32_t node, uint32_t at)
{
    const size_t first = node * m->word_bytes;
    if (!m->fabric->shifts) {
        memcpy((m->fabric->protect ? m->later : m->next) + first, stored(m, node, at), m->word_bytes);
        return;
    }
    memcpy(m->answer + first, stored(m, node, at), m->word_bytes);
    for (uint32_t flow = 0; flow < m->flows; flow++)
        memcpy(m->next + first + flow * m->flit_bytes,
               gfab_ring_model_drives(m) ? gfab_ring_model_link(m, node, flow) : starts_with(m, node, flow),
               m->flit_bytes);
}

static void write_store(gfab_ring_model *m, uint32_t node, uint32_t read_at)
{
    uint32_t place, word;
    const bool writes = gfab_ring_model_writes(m, node, &place, &word);
    const uint32_t at = place * m->fabric->words + word;
    m->collides[node] = m->collided[node];
    *(m->fabric->protect ? &m->collided[node] : &m->collides[node]) = writes && at == read_at;
    for (uint32_t ring = 0; writes && ring < m->flows; ring++)
        memcpy(stored(m, node, at) + ring * m->flit_bytes, gfab_ring_model_write_data(m, node, ring), m->flit_bytes);
}

/* The registers before a store, and the own word. */
static void keep(gfab_ring_model *m, uint32_t node)
{
    const size_t first = node * m->word_bytes;
    uint32_t at;
    for (uint32_t ring = 0; ring < m->flows; ring++)
        memcpy(m->written + first + ring * m->flit_bytes, chosen_data(m, node, ring), m->flit_bytes);
    m->writes[node] = chosen(m, node, &m->write_at[node]) && !m->reset;
    if (m->loads[node])
        memcpy(m->own + first, m->load_data + first, m->word_bytes);
    const bool stops = m->reset && m->fabric->protect; /* at once */
    m->answer_ring[node] = (m->fabric->protect ? m->later_ring : m->address_ring)[node];
    m->later_ring[node] = m->address_ring[node];
    m->address[node] = is_at(m, 0, &at) && !m->fabric->shifts && !stops ? at : m->read_at[node];
    m->address_ring[node] = m->read_ring[node];
}

static void count(gfab_ring_model *m)
{
    const bool starts = m->start && (!m->busy || m->done), ends = m->busy && m->done;
    m->cycle++;
    m->busy = starts || (m->busy && !ends);
    if (starts)
        m->cycle = 0;
    m->done = !starts && (m->done || (m->busy && m->cycle == m->moves + !m->fabric->shifts + m->fabric->registered));
    if (m->reset)
        m->busy = m->done = false;
    m->reset = m->start = false;
}

void gfab_ring_model_step(gfab_ring_model *model)
{
    const uint32_t nodes = model->fabric->nodes;
    for (uint32_t node = 0; node < nodes; node++) { /* what is read is what was there before */
        read_store(model, node, model->address[node]);
        write_store(model, node, model->address[node]);
    }
    for (uint32_t node = 0; node < nodes; node++) {
        keep(model, node);
        model->loads[node] = false;
    }
    uint8_t *given = model->given;
    model->given = model->next;
    model->next = model->fabric->protect ? model->later : given;
    model->later = model->fabric->protect ? given : model->later;
    count(model);
}
