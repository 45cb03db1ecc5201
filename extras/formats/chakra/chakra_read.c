/* SPDX-License-Identifier: MIT */
/* Chakra execution traces that gossipfab wrote, back to a schedule: the head is in their metadata, the moves are what
 * is sent. */
#include <gossipfab/formats/chakra.h>

#include "chakra_fields.h"
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    gfab_chakra_file file;
    gfab_topology *topology;
    gfab_schedule *schedule;
    gfab_moves moves;
} reader;

/* The head of the schedule, from the first message of rank 0. */
static gfab_status read_head(reader *r, gfab_chakra_cursor c)
{
    while (c.at < c.end) {
        gfab_chakra_field f, value = {0};
        gfab_chakra_cursor name;
        gfab_status status = gfab_chakra_next(&r->file, &c, &f);
        if (status == GFAB_OK && f.number == GFAB_CHAKRA_METADATA_ATTRIBUTE && f.is_bytes)
            status = gfab_chakra_attribute(&r->file, f.bytes, &name, &value);
        else if (status == GFAB_OK)
            continue;
        if (status != GFAB_OK)
            return status;
        if (!gfab_chakra_is(&name, "gossipfab") || !value.is_bytes)
            continue;
        const size_t length = (size_t)(value.bytes.end - value.bytes.at);
        char *head = calloc(length + 1, 1);
        GFAB_NEED_TOLD(head, r->file.diag);
        memcpy(head, value.bytes.at, length);
        status = gfab_format_read_head(head, &r->topology, &r->schedule, r->file.diag);
        free(head);
        if (status == GFAB_OK && gfab_topology_marks(r->topology) & GFAB_MARK_RELAYS)
            return GFAB_REFUSE(r->file.diag,
                               "traces of a graph with relays do not say by which of them a message goes");
        return status;
    }
    return gfab_chakra_bad(&r->file, &c, "no head of a schedule: gossipfab did not write this trace");
}

/* A node that sends is a move; others say nothing new. */
static gfab_status read_node(reader *r, gfab_chakra_cursor c)
{
    static const char *const names[] = {"round", "comm_dst", "block", "place", "combine"};
    enum { COUNT = sizeof names / sizeof *names };
    uint64_t numbers[COUNT] = {0};
    const gfab_chakra_cursor start = c;
    uint64_t type = 0;
    while (c.at < c.end) {
        gfab_chakra_field f, value = {0};
        gfab_chakra_cursor name;
        gfab_status status = gfab_chakra_next(&r->file, &c, &f);
        if (status == GFAB_OK && f.number == GFAB_CHAKRA_ATTRIBUTE && f.is_bytes) {
            status = gfab_chakra_attribute(&r->file, f.bytes, &name, &value);
            for (int i = 0; i < COUNT && status == GFAB_OK; i++)
                if (gfab_chakra_is(&name, names[i]))
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
        return gfab_chakra_bad(&r->file, &start, "a send whose round, rank, block, place or combine cannot be");
    const gfab_move move = {.round = (uint32_t)numbers[0],
                            .from = r->file.rank,
                            .to = (uint32_t)numbers[1],
                            .block = (uint32_t)numbers[2],
                            .place = (uint32_t)numbers[3],
                            .combine = numbers[4]};
    gfab_arc arc;
    if (!gfab_topology_find_arc(r->topology, move.from, move.to, &arc))
        return gfab_chakra_bad(&r->file, &start, "a send to a rank that is no neighbour");
    gfab_moves_push(&r->moves, &move);
    return GFAB_OK;
}

static gfab_status read_rank(reader *r, FILE *file)
{
    gfab_status status = gfab_chakra_load(&r->file, file);
    gfab_chakra_cursor c = {r->file.text, r->file.text + r->file.size}, message;
    for (bool first = true; status == GFAB_OK && (first || c.at < c.end); first = false) {
        if ((status = gfab_chakra_bytes(&r->file, &c, &message)) != GFAB_OK)
            break;
        if (!first)
            status = read_node(r, message);
        else if (r->file.rank == 0)
            status = read_head(r, message);
    }
    return status;
}

gfab_status gfab_chakra_read(gfab_chakra_open *open, void *context, gfab_topology **topology, gfab_schedule **schedule,
                             gfab_diag *diag)
{
    reader r = {.file = {.diag = diag}};
    gfab_status status = GFAB_OK;
    for (; status == GFAB_OK && (!r.topology || r.file.rank < gfab_topology_node_count(r.topology)); r.file.rank++) {
        FILE *file = open(context, r.file.rank);
        status = file ? read_rank(&r, file)
                      : gfab_fail(diag, 0, GFAB_ERR_IO, "the trace of rank %u is missing", r.file.rank);
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
    free(r.file.text);
    gfab_moves_release(&r.moves);
    return status;
}
