/* SPDX-License-Identifier: MIT */
/* Chakra execution traces that gossipfab wrote, back to a schedule: the head is in their metadata, the moves are what
 * is sent. */
#include <gossipfab/formats/chakra.h>

#include "base/reason.h"
#include "chakra_fields.h"
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FILE_BYTES ((size_t)1 << 30)

/* A message, or a part of one, that is being read. */
typedef struct cursor {
    const uint8_t *at, *end;
} cursor;

typedef struct field {
    uint32_t number;
    bool is_bytes;
    uint64_t value; /* else */
    cursor bytes;
} field;

typedef struct reader {
    gfab_diag *diag;
    uint32_t rank;
    uint8_t *text; /* the file */
    size_t size;
    gfab_topology *topology;
    gfab_schedule *schedule;
    gfab_moves moves;
} reader;

static gfab_status bad(const reader *r, const cursor *c, const char *what)
{
    return gfab_fail(r->diag, 0, GFAB_ERR_PARSE, "rank %u, byte %zu: %s", r->rank, (size_t)(c->at - r->text), what);
}

static gfab_status read_file(reader *r, FILE *file)
{
    size_t room = 0;
    r->size = 0;
    do {
        if (r->size == room) {
            room = room ? 2 * room : 4096;
            uint8_t *grown = room <= MAX_FILE_BYTES ? realloc(r->text, room) : NULL;
            if (!grown)
                return gfab_format_no_memory(r->diag);
            r->text = grown;
        }
        errno = 0;
        r->size += fread(r->text + r->size, 1, room - r->size, file);
        if (ferror(file))
            return gfab_fail(r->diag, 0, GFAB_ERR_IO, "cannot read the trace of rank %u: %s", r->rank,
                             gfab_stream_reason());
    } while (!feof(file));
    return GFAB_OK;
}

static gfab_status read_varint(const reader *r, cursor *c, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (c->at == c->end)
            return bad(r, c, "the file ends within a number");
        *value |= (uint64_t)(*c->at & 0x7f) << shift;
        if (!(*c->at++ & 0x80))
            return GFAB_OK;
    }
    return bad(r, c, "a number of more than 64 bits");
}

/* So many bytes, as their length before them says. */
static gfab_status read_bytes(const reader *r, cursor *c, cursor *bytes)
{
    uint64_t length = 0;
    GFAB_TRY(read_varint(r, c, &length));
    if (length > (uint64_t)(c->end - c->at))
        return bad(r, c, "a length beyond the end");
    *bytes = (cursor){c->at, c->at + length};
    c->at += length;
    return GFAB_OK;
}

static gfab_status read_field(const reader *r, cursor *c, field *f)
{
    uint64_t key = 0;
    GFAB_TRY(read_varint(r, c, &key));
    *f = (field){.number = (uint32_t)(key >> 3), .is_bytes = (key & 7) == GFAB_CHAKRA_BYTES};
    if (f->is_bytes)
        return read_bytes(r, c, &f->bytes);
    return (key & 7) == GFAB_CHAKRA_VARINT ? read_varint(r, c, &f->value)
                                           : bad(r, c, "a field that gossipfab's traces do not have");
}

static bool is_text(const cursor *c, const char *text)
{
    const size_t length = (size_t)(c->end - c->at);
    return length == strlen(text) && memcmp(c->at, text, length) == 0;
}

/* An attribute: its name, and its number or text. */
static gfab_status read_attribute(const reader *r, cursor c, cursor *name, field *value)
{
    gfab_status status = GFAB_OK;
    *name = (cursor){c.at, c.at};
    while (c.at < c.end && status == GFAB_OK) {
        field f;
        if ((status = read_field(r, &c, &f)) != GFAB_OK)
            return status;
        if (f.number == GFAB_CHAKRA_ATTRIBUTE_NAME && f.is_bytes)
            *name = f.bytes;
        else
            *value = f;
    }
    return GFAB_OK;
}

/* The head of the schedule, from the first message of rank 0. */
static gfab_status read_head(reader *r, cursor c)
{
    while (c.at < c.end) {
        field f, value = {0};
        cursor name;
        gfab_status status = read_field(r, &c, &f);
        if (status == GFAB_OK && f.number == GFAB_CHAKRA_METADATA_ATTRIBUTE && f.is_bytes)
            status = read_attribute(r, f.bytes, &name, &value);
        else if (status == GFAB_OK)
            continue;
        if (status != GFAB_OK)
            return status;
        if (!is_text(&name, "gossipfab") || !value.is_bytes)
            continue;
        const size_t length = (size_t)(value.bytes.end - value.bytes.at);
        char *head = calloc(length + 1, 1);
        if (!head)
            return gfab_format_no_memory(r->diag);
        memcpy(head, value.bytes.at, length);
        status = gfab_format_read_head(head, &r->topology, &r->schedule, r->diag);
        free(head);
        if (status == GFAB_OK && gfab_topology_marks(r->topology) & GFAB_MARK_RELAYS)
            return gfab_fail(r->diag, 0, GFAB_ERR_UNSUPPORTED,
                             "traces of a graph with relays do not say by which of them a message goes");
        return status;
    }
    return bad(r, &c, "no head of a schedule: gossipfab did not write this trace");
}

/* A node that sends is a move; others say nothing new. */
static gfab_status read_node(reader *r, cursor c)
{
    static const char *const names[] = {"round", "comm_dst", "block", "place", "combine"};
    enum { COUNT = sizeof names / sizeof *names };
    uint64_t numbers[COUNT] = {0};
    const cursor start = c;
    uint64_t type = 0;
    while (c.at < c.end) {
        field f, value = {0};
        cursor name;
        gfab_status status = read_field(r, &c, &f);
        if (status == GFAB_OK && f.number == GFAB_CHAKRA_ATTRIBUTE && f.is_bytes) {
            status = read_attribute(r, f.bytes, &name, &value);
            for (int i = 0; i < COUNT && status == GFAB_OK; i++)
                if (is_text(&name, names[i]))
                    numbers[i] = value.value;
        }
        if (status != GFAB_OK)
            return status;
        if (f.number == GFAB_CHAKRA_TYPE)
            type = f.value;
    }
    if (type != GFAB_CHAKRA_SEND)
        return GFAB_OK;
    const bool combines = gfab_collective_combines(gfab_schedule_goal(r->schedule).collective);
    if (numbers[0] < 1 || numbers[0] > GFAB_MAX_ROUNDS || numbers[1] > GFAB_MAX_NODES ||
        numbers[2] >= gfab_schedule_token_count(r->schedule) || numbers[3] > UINT32_MAX || numbers[4] > combines)
        return bad(r, &start, "a send whose round, rank, block, place or combine cannot be");
    const gfab_move move = {.round = (uint32_t)numbers[0],
                            .from = r->rank,
                            .to = (uint32_t)numbers[1],
                            .block = (uint32_t)numbers[2],
                            .place = (uint32_t)numbers[3],
                            .combine = numbers[4]};
    gfab_arc arc;
    if (!gfab_topology_find_arc(r->topology, move.from, move.to, &arc))
        return bad(r, &start, "a send to a rank that is no neighbour");
    gfab_moves_push(&r->moves, &move);
    return GFAB_OK;
}

static gfab_status read_rank(reader *r, FILE *file)
{
    gfab_status status = read_file(r, file);
    cursor c = {r->text, r->text + r->size}, message;
    for (bool first = true; status == GFAB_OK && (first || c.at < c.end); first = false) {
        if ((status = read_bytes(r, &c, &message)) != GFAB_OK)
            break;
        if (!first)
            status = read_node(r, message);
        else if (r->rank == 0)
            status = read_head(r, message);
    }
    return status;
}

gfab_status gfab_chakra_read(gfab_chakra_open *open, void *context, gfab_topology **topology, gfab_schedule **schedule,
                             gfab_diag *diag)
{
    reader r = {.diag = diag};
    gfab_status status = GFAB_OK;
    for (; status == GFAB_OK && (!r.topology || r.rank < gfab_topology_node_count(r.topology)); r.rank++) {
        FILE *file = open(context, r.rank);
        status =
            file ? read_rank(&r, file) : gfab_fail(diag, 0, GFAB_ERR_IO, "the trace of rank %u is missing", r.rank);
        if (file)
            fclose(file);
    }
    if (status == GFAB_OK && r.moves.failed)
        status = gfab_format_no_memory(diag);
    GFAB_THEN(status, gfab_moves_append(&r.moves, r.schedule, diag));
    if (status == GFAB_OK) {
        *topology = r.topology;
        *schedule = r.schedule;
    } else {
        gfab_schedule_destroy(r.schedule);
        gfab_topology_destroy(r.topology);
    }
    free(r.text);
    gfab_moves_release(&r.moves);
    return status;
}
