/* SPDX-License-Identifier: MIT */
/* The lower half of the reader of schedule files: lines, numbers, nodes, tokens, links, each with a message that says
 * what is wrong, in which line, and what would be right. What the lines mean is in the files beside this one. A file
 * may have many millions of packets, so that one line is held at a time, and progress is reported on the way. */
#include "schedule_reader.h"

#include <inttypes.h>
#include <stdlib.h>

gfab_status gfab_reader_no_memory(gfab_reader *r)
{
    return FAIL(r, GFAB_ERR_NO_MEMORY, "out of memory");
}

gfab_reader *gfab_reader_create(FILE *file, const gfab_progress *progress, gfab_diag *diag)
{
    gfab_reader *r = malloc(sizeof *r);
    if (!r)
        return NULL;
    *r = (gfab_reader){.lines = {.file = file, .diag = diag}, .progress = progress};
    return r;
}

void gfab_reader_destroy(gfab_reader *r)
{
    if (!r)
        return;
    GFAB_FREE(r->lines.text, r->numbers, r);
}

gfab_status gfab_reader_line(gfab_reader *r, bool *found)
{
    const size_t before = r->lines.line;
    GFAB_TRY(before % 1024 == 0 ? gfab_progress_report(r->progress, "lines read", before, 0) : GFAB_OK);
    return gfab_lines_next(&r->lines, found);
}

gfab_status gfab_reader_content(gfab_reader *r, bool *found)
{
    gfab_status status;
    while ((status = gfab_reader_line(r, found)) == GFAB_OK && *found &&
           (r->lines.text[0] == '\0' || r->lines.text[0] == '#')) {
        r->passed += r->lines.length + 1;
        if (r->passed > GFAB_MAX_TEXT_BYTES)
            return FAIL(r, GFAB_ERR_LIMIT, "more than %zu bytes of comments and empty lines", GFAB_MAX_TEXT_BYTES);
    }
    return status;
}

gfab_status gfab_reader_number(gfab_reader *r, const char **at, uint64_t maximum, const char *what, uint64_t *value)
{
    const char *start = *at;
    switch (gfab_number_read(at, maximum, value)) {
    case GFAB_NUMBER_OK:
        return GFAB_OK;
    case GFAB_NUMBER_NONE:
        if (*start == '\0')
            return FAIL(r, GFAB_ERR_PARSE, "the line ends where a number is expected (%s)", what);
        return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": a number is expected (%s)", start, what);
    case GFAB_NUMBER_ZERO:
        return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": a leading zero (%s)", start, what);
    case GFAB_NUMBER_OVERFLOW:
        break;
    }
    return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": larger than %" PRIu64 " (%s)", start, maximum, what);
}

/* A number below count, the node's or token's, of which `whole` has so many. */
static gfab_status read_id(gfab_reader *r, const char **at, const char *what, const char *whole, size_t count,
                           uint32_t *id)
{
    uint64_t value = 0;
    GFAB_TRY(gfab_reader_number(r, at, UINT32_MAX, what, &value));
    if (value >= count)
        return FAIL(r, GFAB_ERR_PARSE, "%s %" PRIu64 " does not exist; %s has 0 to %zu", what, value, whole, count - 1);
    *id = (uint32_t)value;
    return GFAB_OK;
}

gfab_status gfab_reader_node(gfab_reader *r, const char **at, uint32_t *node)
{
    return read_id(r, at, "node", gfab_topology_name(r->topology), gfab_topology_node_count(r->topology), node);
}

gfab_status gfab_reader_token(gfab_reader *r, const char **at, uint32_t *token)
{
    const char *whole = r->repeats ? "a group" : gfab_topology_name(r->topology);
    return read_id(r, at, "token", whole, gfab_schedule_group(r->schedule), token);
}

gfab_status gfab_reader_line_end(gfab_reader *r, const char *at)
{
    return *at ? FAIL(r, GFAB_ERR_PARSE, "unexpected \"%.40s\" at the end of the line", at) : GFAB_OK;
}

gfab_status gfab_reader_arc(gfab_reader *r, uint32_t from, uint32_t to, gfab_arc *arc)
{
    if (!gfab_topology_find_arc(r->topology, from, to, arc))
        return FAIL(r, GFAB_ERR_PARSE, "%s has no link from node %u to node %u", gfab_topology_name(r->topology), from,
                    to);
    return GFAB_OK;
}

gfab_status gfab_reader_push(gfab_reader *r, size_t *count, uint32_t number)
{
    if (*count == r->number_capacity) {
        const size_t wanted = 2 * *count + 16; /* bounded by the length of a line */
        uint32_t *grown = realloc(r->numbers, wanted * sizeof *grown);
        if (!grown)
            return gfab_reader_no_memory(r);
        r->numbers = grown;
        r->number_capacity = wanted;
    }
    r->numbers[(*count)++] = number;
    return GFAB_OK;
}

gfab_status gfab_reader_appended(gfab_reader *r, gfab_status status)
{
    if (status == GFAB_ERR_NO_MEMORY)
        return gfab_reader_no_memory(r);
    return status == GFAB_OK ? GFAB_OK : FAIL(r, status, "%s", gfab_status_string(status));
}
