/* SPDX-License-Identifier: MIT */
#include "schedule_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE_BYTES ((size_t)1 << 28)

gfab_status gfab_reader_no_memory(gfab_reader *r)
{
    return FAIL(r, GFAB_ERR_NO_MEMORY, "out of memory");
}

gfab_reader *gfab_reader_create(FILE *file, const gfab_progress *progress, gfab_diag *diag)
{
    gfab_reader *r = malloc(sizeof *r);
    if (!r)
        return NULL;
    *r = (gfab_reader){.file = file, .progress = progress, .diag = diag};
    return r;
}

void gfab_reader_destroy(gfab_reader *r)
{
    if (!r)
        return;
    free(r->text);
    free(r->numbers);
    free(r);
}

static gfab_status grow_line(gfab_reader *r, size_t need)
{
    if (need <= r->capacity)
        return GFAB_OK;
    if (need > MAX_LINE_BYTES)
        return FAIL(r, GFAB_ERR_LIMIT, "the line is longer than %zu bytes", MAX_LINE_BYTES);
    const size_t wanted = need < 128 ? 256 : 2 * need;
    char *grown = realloc(r->text, wanted);
    if (!grown)
        return gfab_reader_no_memory(r);
    r->text = grown;
    r->capacity = wanted;
    return GFAB_OK;
}

gfab_status gfab_reader_line(gfab_reader *r, bool *found)
{
    size_t length = 0;
    r->line++;
    for (;;) {
        if (r->at == r->filled) {
            const gfab_status status = gfab_progress_report(r->progress, "lines read", r->line - 1, 0);
            if (status != GFAB_OK)
                return status;
            errno = 0;
            r->filled = fread(r->buffer, 1, sizeof r->buffer, r->file);
            r->at = 0;
            if (ferror(r->file))
                return gfab_fail(r->diag, 0, GFAB_ERR_IO, "cannot read the schedule: %s",
                                 strerror(errno ? errno : EIO));
            if (r->filled == 0) {
                *found = false;
                return length ? FAIL(r, GFAB_ERR_PARSE, "the file is truncated: its last line does not end in LF")
                              : GFAB_OK;
            }
        }
        const char *start = r->buffer + r->at;
        const char *end = memchr(start, '\n', r->filled - r->at);
        const size_t part = end ? (size_t)(end - start) : r->filled - r->at;
        if (memchr(start, '\r', part))
            return FAIL(r, GFAB_ERR_PARSE, "a carriage return; lines end in LF alone");
        if (memchr(start, '\0', part))
            return FAIL(r, GFAB_ERR_PARSE, "a NUL byte");
        const gfab_status status = grow_line(r, length + part + 1);
        if (status != GFAB_OK)
            return status;
        memcpy(r->text + length, start, part);
        length += part;
        r->at += part;
        if (end) {
            r->at++;
            r->text[length] = '\0';
            *found = true;
            return GFAB_OK;
        }
    }
}

gfab_status gfab_reader_content(gfab_reader *r, bool *found)
{
    gfab_status status;
    do
        status = gfab_reader_line(r, found);
    while (status == GFAB_OK && *found && (r->text[0] == '\0' || r->text[0] == '#'));
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
    const gfab_status status = gfab_reader_number(r, at, UINT32_MAX, what, &value);
    if (status != GFAB_OK)
        return status;
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
