/* SPDX-License-Identifier: MIT */
/* The text of a search: the question and the items settled, a line each, and behind them a schedule file: the best, or
 * one without rounds. docs/guide/search.md. */
#define _POSIX_C_SOURCE 200809L
#include "items_internal.h"

#include "base/lines.h"
#include "base/number.h"
#include "base/reason.h"

#include <inttypes.h>
#include <string.h>

#define MAGIC "gossipfab-search 1"

/* ---- writing ---- */

/* "3..7,9", or "none". */
static void write_settled(const gfab_items *items, FILE *file)
{
    const uint64_t limit = gfab_items_limit(items);
    const char *comma = "";
    for (uint64_t item = items->question.first; item <= limit; item++) {
        const uint64_t start = item;
        while (item <= limit && gfab_items_is_settled(items, item))
            item++;
        if (item == start)
            continue;
        fprintf(file, "%s%" PRIu64, comma, start);
        if (item - start > 1)
            fprintf(file, "..%" PRIu64, item - 1);
        comma = ",";
    }
    fputs(*comma ? "\n" : "none\n", file);
}

gfab_status gfab_items_write(const gfab_items *items, FILE *file, gfab_diag *diag)
{
    const gfab_items_question *q = &items->question;
    errno = 0;
    fprintf(file, MAGIC "\nsolver %s\n", q->solver->name);
    if (q->parameters)
        fprintf(file, "options %s\n", q->parameters);
    fprintf(file, "effort %" PRIu32 "\nrounds %" PRIu32 "\nitems %" PRIu64 "..%" PRIu64 "\nsettled ", q->effort,
            q->rounds, q->first, q->last);
    write_settled(items, file);
    fprintf(file, "best %" PRIu64 "\n", items->best ? items->best_item : 0);
    if (ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the search: %s", gfab_stream_reason());
    return gfab_schedule_write(items->best ? items->best : items->empty, file, NULL, diag);
}

/* ---- reading ---- */

typedef struct reader {
    gfab_lines lines;
    const char *at; /* up to where the line is read */
    bool held;      /* the line is still to be taken */
    char *options;
    char *settled;
    gfab_items_question question;
    uint64_t best;
    size_t settled_line, question_line;
} reader;

#define FAIL(r, status, ...) gfab_fail((r)->lines.diag, (r)->lines.line, (status), __VA_ARGS__)

static gfab_status read_line(reader *r)
{
    bool found;
    GFAB_TRY(gfab_lines_next(&r->lines, &found));
    if (!found || r->lines.length == 0)
        return FAIL(r, GFAB_ERR_PARSE, found ? "an empty line" : "the file is truncated");
    return GFAB_OK;
}

/* The line "key value": at is its value. An optional one is held where it has another key; at is NULL then. */
static gfab_status read_key(reader *r, const char *key, bool optional)
{
    const size_t length = strlen(key);
    GFAB_TRY(r->held ? GFAB_OK : read_line(r));
    r->held = false;
    r->at = NULL;
    if (strncmp(r->lines.text, key, length) == 0 && r->lines.text[length] == ' ' && r->lines.text[length + 1] != '\0') {
        r->at = r->lines.text + length + 1;
        return GFAB_OK;
    }
    r->held = optional;
    return optional ? GFAB_OK
                    : FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": \"%s\" and a value are expected here", r->lines.text, key);
}

static gfab_status read_number(reader *r, uint64_t least, uint64_t most, uint64_t *number)
{
    const char *start = r->at;
    if (gfab_number_read(&r->at, most, number) != GFAB_NUMBER_OK || *number < least)
        return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": a number from %" PRIu64 " to %" PRIu64 " is expected", start, least,
                    most);
    return GFAB_OK;
}

static gfab_status read_end(reader *r)
{
    return *r->at ? FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": the line should end before this", r->at) : GFAB_OK;
}

static gfab_status read_number_line(reader *r, const char *key, uint64_t least, uint64_t most, uint64_t *number)
{
    gfab_status status = read_key(r, key, false);
    GFAB_THEN(status, read_number(r, least, most, number));
    return status == GFAB_OK ? read_end(r) : status;
}

static gfab_status copy_value(reader *r, char **copy)
{
    *copy = strdup(r->at);
    return *copy ? GFAB_OK : FAIL(r, GFAB_ERR_NO_MEMORY, "out of memory");
}

static gfab_status read_solver(reader *r)
{
    GFAB_TRY(read_key(r, "solver", false));
    r->question.solver = gfab_solver_find(r->at);
    if (!r->question.solver)
        return FAIL(r, GFAB_ERR_PARSE, "there is no solver \"%.40s\"", r->at);
    GFAB_TRY(read_key(r, "options", true));
    if (r->at)
        GFAB_TRY(copy_value(r, &r->options));
    r->question.parameters = r->options;
    return GFAB_OK;
}

static gfab_status read_items(reader *r)
{
    gfab_items_question *q = &r->question;
    gfab_status status = read_key(r, "items", false);
    r->question_line = r->lines.line;
    GFAB_THEN(status, read_number(r, 1, GFAB_ITEMS_LAST, &q->first));
    if (status == GFAB_OK && strncmp(r->at, "..", 2) != 0)
        return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": items are A..B", r->at);
    if (status == GFAB_OK) {
        r->at += 2;
        status = read_number(r, q->first, GFAB_ITEMS_LAST, &q->last);
    }
    return status == GFAB_OK ? read_end(r) : status;
}

static gfab_status read_head(reader *r)
{
    gfab_items_question *q = &r->question;
    uint64_t effort = 0, rounds = 0;
    gfab_status status = read_line(r);
    if (status == GFAB_OK && strcmp(r->lines.text, MAGIC) != 0)
        return FAIL(r, GFAB_ERR_PARSE, "not a search: line 1 is not \"%s\"", MAGIC);
    if (status != GFAB_OK || (status = read_solver(r)) != GFAB_OK ||
        (status = read_number_line(r, "effort", 1, UINT32_MAX, &effort)) != GFAB_OK ||
        (status = read_number_line(r, "rounds", 0, GFAB_MAX_ROUNDS, &rounds)) != GFAB_OK ||
        (status = read_items(r)) != GFAB_OK || (status = read_key(r, "settled", false)) != GFAB_OK ||
        (status = copy_value(r, &r->settled)) != GFAB_OK)
        return status;
    r->settled_line = r->lines.line;
    q->effort = (uint32_t)effort;
    q->rounds = (uint32_t)rounds;
    status = read_number_line(r, "best", 0, q->last, &r->best);
    if (status == GFAB_OK && r->best != 0 && r->best < q->first)
        return FAIL(r, GFAB_ERR_PARSE, "there is no item %" PRIu64, r->best);
    return status;
}

/* Ranges that rise and leave something out between them, so that a search has one text. */
static gfab_status read_settled(reader *r, gfab_items *items)
{
    const uint64_t limit = gfab_items_limit(items);
    r->lines.line = r->settled_line;
    r->at = r->settled;
    uint64_t least = items->question.first;
    gfab_status status = GFAB_OK;
    if (strcmp(r->settled, "none") == 0)
        return GFAB_OK;
    for (bool more = true; more && status == GFAB_OK;) {
        uint64_t from = 0, to = 0;
        status = read_number(r, least, limit, &from);
        to = from;
        if (status == GFAB_OK && strncmp(r->at, "..", 2) == 0) {
            r->at += 2;
            status = read_number(r, from + 1, limit, &to);
        }
        for (uint64_t item = from; status == GFAB_OK && item <= to; item++)
            status = gfab_items_settle(items, item, NULL, r->lines.diag);
        more = *r->at == ',';
        r->at += more;
        least = to + 2;
    }
    return status == GFAB_OK ? read_end(r) : status;
}

/* The schedule behind the head, whose lines count from there. */
static gfab_status read_rest(reader *r, const gfab_progress *progress, gfab_topology **topology, gfab_items **items)
{
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *schedule = NULL;
    gfab_diag inner = {0, ""};
    gfab_status status = gfab_schedule_read(r->lines.file, progress, topology, &schedule, &inner);
    if (status != GFAB_OK)
        return gfab_fail(r->lines.diag, inner.line ? r->lines.line + inner.line : 0, status, "%s",
                         inner.message[0] ? inner.message : gfab_status_string(status));
    const gfab_goal goal = gfab_schedule_goal(schedule);
    if (!gfab_schedule_even_load(schedule) && goal.collective == GFAB_ALL_GATHER)
        status = FAIL(r, GFAB_ERR_PARSE, "its nodes start with different loads");
    else if (r->best == 0 && gfab_schedule_rounds(schedule) > 0)
        status = FAIL(r, GFAB_ERR_PARSE, "no item is best, but there is a schedule");
    if (status == GFAB_OK) {
        r->lines.line = r->question_line;
        status =
            gfab_items_create(*topology, gfab_schedule_model(schedule), &goal, &r->question, progress, items, &inner);
        if (status != GFAB_OK)
            gfab_fail(r->lines.diag, r->question_line, status, "%s", inner.message);
    }
    if (status == GFAB_OK && r->best != 0)
        status = gfab_items_settle(*items, r->best, schedule, r->lines.diag);
    return status == GFAB_OK ? read_settled(r, *items) : status;
}

gfab_status gfab_items_read(FILE *file, const gfab_progress *progress, gfab_topology **topology, gfab_items **items,
                            gfab_diag *diag)
{
    reader r = {.lines = {.file = file, .diag = diag}};
    *topology = NULL;
    *items = NULL;
    gfab_status status = read_head(&r);
    GFAB_THEN(status, read_rest(&r, progress, topology, items));
    if (status != GFAB_OK) {
        gfab_items_destroy(*items);
        gfab_topology_destroy(*topology);
        *items = NULL;
        *topology = NULL;
    }
    GFAB_FREE(r.lines.text, r.options, r.settled);
    return status;
}
