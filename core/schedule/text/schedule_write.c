/* SPDX-License-Identifier: MIT */
/* Schedules to text, in the two forms of docs/reference/schedule-format.md: one text for a schedule, whatever the order
 * in which its packets were appended. */
#include <gossipfab/schedule/schedule.h>

#include "base/progress.h"
#include "schedule_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    FILE *file;
    size_t length;
    int error; /* errno of the first failed write, 0 if none */
    char buffer[1 << 15];
} writer;

/* A packet and what decides most comparisons: its first two nodes. */
typedef struct sortable {
    uint64_t key;
    gfab_packet packet;
} sortable;

static void drain(writer *w)
{
    errno = 0;
    if (w->length && !w->error && fwrite(w->buffer, 1, w->length, w->file) != w->length)
        w->error = errno ? errno : EIO;
    w->length = 0;
}

static void put_char(writer *w, char c)
{
    if (w->length == sizeof w->buffer)
        drain(w);
    w->buffer[w->length++] = c;
}

static void put_number(writer *w, uint64_t number)
{
    char digits[20];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count)
        put_char(w, digits[--count]);
}

static void put_text(writer *w, const char *text)
{
    while (*text)
        put_char(w, *text++);
}

static void put_number_line(writer *w, const char *key, uint64_t number)
{
    put_text(w, key);
    put_char(w, ' ');
    put_number(w, number);
    put_char(w, '\n');
}

static void put_text_line(writer *w, const char *key, const char *text)
{
    put_text(w, key);
    put_char(w, ' ');
    put_text(w, text);
    put_char(w, '\n');
}

static gfab_status finish(writer *w, gfab_diag *diag)
{
    drain(w);
    errno = 0;
    if (!w->error && (fflush(w->file) != 0 || ferror(w->file)))
        w->error = errno ? errno : EIO;
    if (w->error)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the schedule: %s", strerror(w->error));
    return GFAB_OK;
}

/* By their numbers; of two equal ones the one that is combined comes later. */
static int compare_tokens(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
    for (size_t i = 0; i < a_count && i < b_count; i++) {
        const uint32_t x = a[i] & ~GFAB_COMBINE, y = b[i] & ~GFAB_COMBINE;
        if (x != y)
            return x < y ? -1 : 1;
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return (a_count > b_count) - (a_count < b_count);
}

/* By path as a list of nodes, then by tokens. Once the first two nodes agree, a
 * path is decided by its arcs where it is decided at all; arcs out of the same
 * node are then compared by the node they lead to. */
static int compare_packets(const gfab_topology *topology, const sortable *a, const sortable *b)
{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    const gfab_packet *p = &a->packet;
    const gfab_packet *q = &b->packet;
    for (size_t i = 1; i < p->arc_count && i < q->arc_count; i++) {
        const uint32_t to_p = gfab_topology_arc_to(topology, p->arcs[i]);
        const uint32_t to_q = gfab_topology_arc_to(topology, q->arcs[i]);
        if (to_p != to_q)
            return to_p < to_q ? -1 : 1;
    }
    if (p->arc_count != q->arc_count)
        return p->arc_count < q->arc_count ? -1 : 1;
    return compare_tokens(p->tokens, p->token_count, q->tokens, q->token_count);
}

/* Bottom-up merge sort (qsort has no context argument); leaves sorted input alone. */
static void sort_packets(const gfab_topology *topology, sortable *packets, sortable *work, size_t count)
{
    size_t sorted = 1;
    while (sorted < count && compare_packets(topology, &packets[sorted - 1], &packets[sorted]) <= 0)
        sorted++;
    if (sorted >= count)
        return;
    sortable *from = packets;
    sortable *to = work;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            const size_t middle = start + width < count ? start + width : count;
            const size_t end = middle + width < count ? middle + width : count;
            size_t i = start;
            size_t j = middle;
            for (size_t k = start; k < end; k++)
                if (j == end || (i < middle && compare_packets(topology, &from[i], &from[j]) <= 0))
                    to[k] = from[i++];
                else
                    to[k] = from[j++];
        }
        sortable *swap = from;
        from = to;
        to = swap;
    }
    if (from != packets)
        memcpy(packets, from, count * sizeof *packets);
}

/* Packets of a round, or those that are kept, in the order of the text; packets and work hold *count at least, and
 * tokens, where it is there, keeps what an iterator has for its latest packet alone. */
static size_t sorted_round(const gfab_schedule *schedule, uint32_t round, bool kept, sortable *packets, sortable *work,
                           uint32_t *tokens)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    gfab_packet_iter it = kept ? gfab_schedule_kept_round(schedule, round) : gfab_schedule_round(schedule, round);
    size_t count = 0;
    for (gfab_packet p; gfab_packet_next(&it, &p);) {
        const uint64_t from = gfab_topology_arc_from(topology, p.arcs[0]);
        if (tokens) {
            tokens[count] = p.tokens[0];
            p.tokens = &tokens[count];
        }
        packets[count++] = (sortable){from << 32 | gfab_topology_arc_to(topology, p.arcs[0]), p};
    }
    sort_packets(topology, packets, work, count);
    return count;
}

/* UNSUPPORTED where a packet has no text form, LIMIT where CSV would list too many; else the most packets in a
 * round. */
static gfab_status check_writable(const gfab_schedule *schedule, bool csv, size_t *most, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    GFAB_TRY(csv ? gfab_schedule_check_listed(schedule, diag) : GFAB_OK);
    const bool translates = csv && gfab_schedule_translated(schedule);
    *most = 0;
    if (gfab_topology_marks(topology) & GFAB_MARK_PARALLEL)
        return GFAB_REFUSE(diag, "parallel links have no text form: a link is its two nodes; leave +split out");
    for (uint32_t round = 1; round <= gfab_schedule_kept_rounds(schedule); round++) {
        gfab_packet_iter it = gfab_schedule_kept_round(schedule, round);
        size_t count = 0;
        for (gfab_packet p; gfab_packet_next(&it, &p); count++) {
            if (csv && (p.arc_count != 1 || p.token_count != 1))
                return GFAB_REFUSE(
                    diag,
                    "round %u has a packet of %zu tokens over %zu links; CSV holds one token over one link: write .gfs",
                    round, p.token_count, p.arc_count);
            if (p.token_count == 0)
                return GFAB_REFUSE(diag, "round %u has a packet without a token, which has no text form", round);
            for (size_t i = 1; i < p.arc_count; i++)
                if (gfab_topology_arc_to(topology, p.arcs[i - 1]) != gfab_topology_arc_from(topology, p.arcs[i]))
                    return GFAB_REFUSE(diag, "round %u has a packet whose links do not join up, which has no text form",
                                       round);
        }
        count *= translates ? gfab_topology_node_count(topology) : 1;
        if (count > *most)
            *most = count;
    }
    if (csv && gfab_schedule_period(schedule)) /* a round has a kept packet in one group at most */
        *most = (size_t)gfab_schedule_kept_count(schedule);
    return GFAB_OK;
}

static void put_packet(writer *w, const gfab_topology *topology, const gfab_packet *packet)
{
    put_number(w, gfab_topology_arc_from(topology, packet->arcs[0]));
    for (size_t i = 0; i < packet->arc_count; i++) {
        put_char(w, ' ');
        put_number(w, gfab_topology_arc_to(topology, packet->arcs[i]));
    }
    for (size_t i = 0; i < packet->token_count; i++) {
        put_char(w, i ? ' ' : ':');
        if (packet->tokens[i] & GFAB_COMBINE)
            put_char(w, '+');
        put_number(w, packet->tokens[i] & ~GFAB_COMBINE);
    }
    put_char(w, '\n');
}

static void put_row(writer *w, uint32_t round, const sortable *s, bool goal)
{
    put_number(w, round);
    put_char(w, ',');
    put_number(w, s->key >> 32);
    put_char(w, ',');
    put_number(w, s->key & UINT32_MAX);
    put_char(w, ',');
    put_number(w, s->packet.tokens[0] & ~GFAB_COMBINE);
    if (goal) {
        put_char(w, ',');
        put_char(w, s->packet.tokens[0] & GFAB_COMBINE ? '1' : '0');
    }
    put_char(w, '\n');
}

static bool has_goal_column(const gfab_schedule *schedule)
{
    return gfab_schedule_goal(schedule).collective != GFAB_ALL_GATHER;
}

static void put_goal(writer *w, const gfab_schedule *schedule, const gfab_goal *goal)
{
    put_text_line(w, "collective", gfab_collective_name(goal->collective));
    if (gfab_schedule_any_length(schedule))
        put_text_line(w, "blocks", "any");
    else
        put_number_line(w, "blocks", goal->blocks);
    if (gfab_collective_has_root(goal->collective))
        put_number_line(w, "root", goal->root);
    if (goal->idempotent)
        put_text_line(w, "idempotent", "yes");
    if (!gfab_schedule_period(schedule))
        return;
    put_number_line(w, "period", gfab_schedule_period(schedule));
    put_number_line(w, "group", gfab_schedule_group(schedule));
}

static void put_load(writer *w, const gfab_schedule *schedule)
{
    if (gfab_schedule_parts(schedule) != 1)
        put_number_line(w, "parts", gfab_schedule_parts(schedule));
    if (gfab_schedule_even_load(schedule))
        return;
    put_text(w, "load");
    for (size_t v = 0; v < gfab_topology_node_count(gfab_schedule_topology(schedule)); v++) {
        put_char(w, ' ');
        put_number(w, gfab_schedule_first_token(schedule, v + 1) - gfab_schedule_first_token(schedule, v));
    }
    put_char(w, '\n');
}

static void put_header(writer *w, const gfab_schedule *schedule)
{
    const gfab_model *model = gfab_schedule_model(schedule);
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const char *solver = gfab_schedule_solver(schedule);
    const bool translated = gfab_schedule_translated(schedule), repeats = gfab_schedule_period(schedule);
    const bool has_goal = repeats || goal.collective != GFAB_ALL_GATHER;
    put_number_line(w, "gossipfab-schedule",
                    repeats      ? GFAB_SCHEDULE_PERIOD_FORMAT
                    : has_goal   ? GFAB_SCHEDULE_GOAL_FORMAT
                    : translated ? GFAB_SCHEDULE_TREE_FORMAT
                                 : GFAB_SCHEDULE_FORMAT);
    put_text_line(w, "topology", gfab_topology_spec(gfab_schedule_topology(schedule)));
    put_text_line(w, "link-mode", gfab_link_mode_name(model->link_mode));
    put_text_line(w, "port-mode", gfab_port_mode_name(model->port_mode));
    put_number_line(w, "packet-tokens", model->packet_tokens);
    put_number_line(w, "hop-rounds", model->hop_rounds);
    if (model->routing != GFAB_ROUTING_STORE_AND_FORWARD)
        put_text_line(w, "routing", gfab_routing_name(model->routing));
    put_text_line(w, "solver", *solver ? solver : "-");
    if (translated)
        put_text_line(w, "translates", "yes");
    if (has_goal)
        put_goal(w, schedule, &goal);
    else
        put_load(w, schedule);
    put_number_line(w, "rounds", gfab_schedule_kept_rounds(schedule));
    put_number_line(w, "packets", gfab_schedule_kept_count(schedule));
}

static gfab_status write_text(const gfab_schedule *schedule, bool csv, FILE *file, const gfab_progress *progress,
                              gfab_diag *diag)
{
    size_t most;
    GFAB_TRY(check_writable(schedule, csv, &most, diag));
    GFAB_FREED writer *w = malloc(sizeof *w);
    GFAB_FREED sortable *packets = calloc(most + 1, 2 * sizeof *packets);
    GFAB_FREED uint32_t *tokens = csv && gfab_schedule_period(schedule) ? malloc((most + 1) * sizeof *tokens) : NULL;
    if (!w || !packets || (!tokens && csv && gfab_schedule_period(schedule)))
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    w->file = file;
    w->length = 0;
    w->error = 0;
    if (csv)
        put_text(w, has_goal_column(schedule) ? GFAB_SCHEDULE_CSV_GOAL_HEADER "\n" : GFAB_SCHEDULE_CSV_HEADER "\n");
    else
        put_header(w, schedule);
    const uint32_t rounds = csv ? gfab_schedule_rounds(schedule) : gfab_schedule_kept_rounds(schedule);
    for (uint32_t round = 1; round <= rounds; round++) {
        const size_t count = sorted_round(schedule, round, !csv, packets, packets + most, tokens);
        if (count && !csv)
            put_number_line(w, "round", round);
        for (size_t i = 0; i < count; i++)
            if (csv)
                put_row(w, round, &packets[i], has_goal_column(schedule));
            else
                put_packet(w, gfab_schedule_topology(schedule), &packets[i].packet);
        GFAB_TRY(gfab_progress_report(progress, "rounds written", round, rounds));
    }
    if (!csv)
        put_text(w, "end\n");
    return finish(w, diag);
}

gfab_status gfab_schedule_write(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                                gfab_diag *diag)
{
    return write_text(schedule, false, file, progress, diag);
}

gfab_status gfab_schedule_write_csv(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                                    gfab_diag *diag)
{
    return write_text(schedule, true, file, progress, diag);
}
