/* SPDX-License-Identifier: MIT */
/* Private: a text of docs/reference/schedule-format.md, line by line and number by number. All but create fail with
 * the line's number in the diagnostic. */
#ifndef GOSSIPFAB_SCHEDULE_READER_H
#define GOSSIPFAB_SCHEDULE_READER_H

#include <gossipfab/schedule/schedule.h>

#include "base/lines.h"
#include "base/number.h"
#include "base/progress.h"
#include "schedule_text.h"

typedef struct gfab_reader {
    gfab_lines lines;
    const gfab_progress *progress;
    const gfab_topology *topology;
    gfab_schedule *schedule;
    bool goal;         /* versions 2 and 4: there are lines of a goal, and tokens that are combined */
    bool tree;         /* version 3: the packets of token 0 stand for their translates */
    bool repeats;      /* version 4: the packets of one group stand for all groups */
    bool switches;     /* the topology has some */
    bool held;         /* the line is still to be taken as a header line */
    size_t passed;     /* bytes of comments and empty lines */
    uint32_t *numbers; /* scratch of a packet: arcs or tokens */
    size_t number_capacity;
} gfab_reader;

#define FAIL(r, status, ...) gfab_fail((r)->lines.diag, (r)->lines.line, (status), __VA_ARGS__)

/* NULL: no memory. */
gfab_reader *gfab_reader_create(FILE *file, const gfab_progress *progress, gfab_diag *diag);
void gfab_reader_destroy(gfab_reader *r);
GFAB_ENDS_BY(gfab_reader_destroy, gfab_reader)
gfab_status gfab_reader_no_memory(gfab_reader *r);

/* The next line into lines; at the end of the file *found is false. content: the next one that is neither empty nor a
 * comment. */
gfab_status gfab_reader_line(gfab_reader *r, bool *found);
gfab_status gfab_reader_content(gfab_reader *r, bool *found);

/* What stands at *at, which moves on: a number, called what in messages; a node; a token; the end of the line. */
gfab_status gfab_reader_number(gfab_reader *r, const char **at, uint64_t maximum, const char *what, uint64_t *value);
gfab_status gfab_reader_node(gfab_reader *r, const char **at, uint32_t *node);
gfab_status gfab_reader_token(gfab_reader *r, const char **at, uint32_t *token);
gfab_status gfab_reader_line_end(gfab_reader *r, const char *at);

gfab_status gfab_reader_arc(gfab_reader *r, uint32_t from, uint32_t to, gfab_arc *arc);
/* numbers[(*count)++] = number. */
gfab_status gfab_reader_push(gfab_reader *r, size_t *count, uint32_t number);
/* What a call that appended returned, with the line. */
gfab_status gfab_reader_appended(gfab_reader *r, gfab_status status);

#endif
