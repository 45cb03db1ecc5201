/* SPDX-License-Identifier: MIT */
/* What readers and writers share. */
#define _POSIX_C_SOURCE 200809L
#include "formats/formats.h"

#include <gossipfab/base/text.h>

#include "base/ascending.h"
#include "base/reason.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

gfab_status gfab_format_no_memory(gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
}

gfab_status gfab_format_check_marks(const gfab_topology *topology, uint32_t says, const char *format, gfab_diag *diag)
{
    const uint32_t marks = gfab_topology_marks(topology) & ~says;
    return marks ? GFAB_REFUSE(diag, "%s has %s; %s has no words for them", gfab_topology_name(topology),
                               gfab_topology_marks_name(marks), format)
                 : GFAB_OK;
}

gfab_status gfab_format_written(FILE *file, gfab_diag *diag)
{
    errno = 0;
    if (fflush(file) != 0 || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the schedule: %s", gfab_stream_reason());
    return GFAB_OK;
}

/* ---- heads ---- */

char *gfab_format_head(const gfab_schedule *schedule)
{
    char *text = NULL;
    size_t size = 0;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *empty = NULL;
    gfab_status status = gfab_schedule_create_like(schedule, gfab_schedule_topology(schedule), &empty);
    FILE *file = status == GFAB_OK ? open_memstream(&text, &size) : NULL;
    status = file ? gfab_schedule_write(empty, file, NULL, NULL) : GFAB_ERR_NO_MEMORY;
    if (!gfab_memory_close(file, &text))
        status = GFAB_ERR_NO_MEMORY;
    if (status == GFAB_OK)
        return text;
    free(text);
    return NULL;
}

gfab_status gfab_format_read_head(const char *head, gfab_topology **topology, gfab_schedule **schedule, gfab_diag *diag)
{
    gfab_diag inner = {0, ""};
    const size_t size = strlen(head);
    FILE *file = size ? fmemopen((void *)(uintptr_t)head, size, "r") : NULL;
    if (!file)
        return size ? gfab_format_no_memory(diag)
                    : gfab_fail(diag, 0, GFAB_ERR_PARSE, "gossipfab's head of the schedule is empty");
    gfab_status status = gfab_schedule_read(file, NULL, topology, schedule, &inner);
    fclose(file);
    if (status != GFAB_OK)
        return gfab_fail(diag, 0, status, "gossipfab's head of the schedule, line %zu: %s", inner.line, inner.message);
    if (gfab_schedule_packet_count(*schedule) == 0)
        return GFAB_OK;
    gfab_schedule_destroy(*schedule);
    gfab_topology_destroy(*topology);
    *schedule = NULL;
    *topology = NULL;
    return gfab_fail(diag, 0, GFAB_ERR_PARSE, "gossipfab's head of the schedule has rounds in it");
}

/* ---- graphs ---- */

gfab_status gfab_format_graph(size_t nodes, uint64_t *links, size_t count, const char *suffix, gfab_topology **topology,
                              gfab_diag *diag)
{
    GFAB_FREED char *text = malloc(64 + 24 * count + strlen(suffix));
    GFAB_NEED_TOLD(text, diag);
    size_t at = (size_t)sprintf(text, "graph:%zu:", nodes);
    if (count)
        qsort(links, count, sizeof *links, gfab_ascending);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || links[i] != links[i - 1])
            at += (size_t)sprintf(text + at, "%s%" PRIu64 "-%" PRIu64, i ? "," : "", links[i] >> 32,
                                  links[i] & UINT32_MAX);
    memcpy(text + at, suffix, strlen(suffix) + 1);
    return gfab_topology_parse(text, topology, diag);
}
