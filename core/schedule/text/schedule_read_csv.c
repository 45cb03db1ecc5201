/* SPDX-License-Identifier: MIT */
/* CSV of docs/reference/schedule-format.md. */
#include "schedule_reader.h"

#include <inttypes.h>
#include <string.h>

static const char *header(const gfab_reader *r)
{
    return r->goal ? GFAB_SCHEDULE_CSV_GOAL_HEADER : GFAB_SCHEDULE_CSV_HEADER;
}

static gfab_status bad_row(gfab_reader *r)
{
    return FAIL(r, GFAB_ERR_PARSE, "\"%.60s\": a row is %s, %s numbers", r->lines.text, header(r),
                r->goal ? "five" : "four");
}

static gfab_status read_row(gfab_reader *r)
{
    const char *at = r->lines.text;
    uint64_t round = 0;
    uint32_t ids[3] = {0, 0, 0};
    uint64_t combine = 0;
    gfab_status status = gfab_reader_number(r, &at, UINT32_MAX, "round", &round);
    for (size_t i = 0; i < 3 && status == GFAB_OK; i++) {
        if (*at != ',')
            return bad_row(r);
        at++;
        status = i < 2 ? gfab_reader_node(r, &at, &ids[i]) : gfab_reader_token(r, &at, &ids[i]);
    }
    if (status == GFAB_OK && r->goal) {
        if (*at != ',')
            return bad_row(r);
        at++;
        status = gfab_reader_number(r, &at, 1, "combine", &combine);
    }
    GFAB_THEN(status, gfab_reader_line_end(r, at));
    gfab_arc arc = 0;
    GFAB_THEN(status, gfab_reader_arc(r, ids[0], ids[1], &arc));
    if (status != GFAB_OK)
        return status;
    if (round < 1)
        return FAIL(r, GFAB_ERR_PARSE, "round 0; rounds count from 1");
    if (round < gfab_schedule_rounds(r->schedule))
        return FAIL(r, GFAB_ERR_PARSE, "round %" PRIu64 " after round %u; rounds must not fall", round,
                    gfab_schedule_rounds(r->schedule));
    if (round > GFAB_MAX_ROUNDS)
        return FAIL(r, GFAB_ERR_LIMIT, "round %" PRIu64 "; at most %u are supported", round, (unsigned)GFAB_MAX_ROUNDS);
    return gfab_reader_appended(
        r, gfab_schedule_append(r->schedule, (uint32_t)round, arc, ids[2] | (combine ? GFAB_COMBINE : 0)));
}

gfab_status gfab_schedule_read_csv(FILE *file, const gfab_topology *topology, const gfab_model *model,
                                   const gfab_goal *goal, const gfab_progress *progress, gfab_schedule **schedule,
                                   gfab_diag *diag)
{
    GFAB_TRY(gfab_model_check(model, diag));
    GFAB_AT_END(gfab_reader_at_end) gfab_reader *r = gfab_reader_create(file, progress, diag);
    GFAB_NEED_TOLD(r, diag);
    r->topology = topology;
    r->goal = goal && goal->collective != GFAB_ALL_GATHER;
    bool found = false;
    gfab_status status;
    if ((status = gfab_reader_appended(r, gfab_schedule_create(topology, model, &r->schedule))) == GFAB_OK && goal)
        status = gfab_schedule_set_goal(r->schedule, goal, diag);
    if (status == GFAB_OK && (status = gfab_reader_line(r, &found)) == GFAB_OK &&
        (!found || strcmp(r->lines.text, header(r)) != 0))
        status = FAIL(r, GFAB_ERR_PARSE, "line 1 is not \"%s\"", header(r));
    while (status == GFAB_OK && (status = gfab_reader_line(r, &found)) == GFAB_OK && found)
        status = read_row(r);
    return GFAB_HAND_OVER(status, r->schedule, gfab_schedule_destroy, schedule);
}
