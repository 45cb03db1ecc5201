/* SPDX-License-Identifier: MIT */
/* Deadlocks by one run that does all it can; races by holding back the earlier of two accesses to one place: nothing
 * orders them where the later one comes about all the same; data by one run, since without races all give the same
 * (docs/theory/gpu-plans.md). */
#include "gpu-plans/check/check.h"

#include "base/grow.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

const char *gfab_gpu_fault_name(gfab_gpu_fault fault)
{
    static const char *const names[] = {"good", "deadlock", "race", "data"};
    return names[fault];
}

/* ---- accesses ---- */

/* Orders that hold by themselves: phases of a thread block, launches of a GPU, its user. */
static bool plainly_ordered(const gfab_gpu_checker *c, uint32_t first, uint32_t second)
{
    const gfab_gpu_event *a = &c->events.at[first], *b = &c->events.at[second];
    if (a->rank != b->rank || a->queued)
        return false;
    if (a->launch != b->launch)
        return a->launch < b->launch;
    return a->kind == GFAB_GPU_HOST_BEGIN || b->kind == GFAB_GPU_HOST_END ||
           (a->block == b->block && a->phase < b->phase);
}

static void add_pair(gfab_gpu_checker *c, uint32_t first, uint32_t second, bool writes, uint64_t cell)
{
    if (first == NONE || first == second || c->status != GFAB_OK || plainly_ordered(c, first, second))
        return;
    const gfab_gpu_pair *before_it = c->pair_count ? &c->pairs[c->pair_count - 1] : NULL;
    if (before_it && before_it->first == first && before_it->second == second && before_it->writes == writes)
        return;
    gfab_gpu_pair *grown = gfab_grown(c->pairs, c->pair_count, &c->pair_room, sizeof *grown);
    if (!gfab_gpu_check_have(c, grown))
        return;
    c->pairs = grown;
    grown[c->pair_count++] = (gfab_gpu_pair){first, second, writes, cell};
}

static void note_read(gfab_gpu_checker *c, uint32_t event, uint64_t cell)
{
    add_pair(c, c->writer[cell], event, true, cell);
    if (c->readings[cell] != NONE && c->reading[c->readings[cell]].event == event)
        return;
    gfab_gpu_reading *grown = gfab_grown(c->reading, c->reading_count, &c->reading_room, sizeof *grown);
    if (!gfab_gpu_check_have(c, grown))
        return;
    c->reading = grown;
    grown[c->reading_count] = (gfab_gpu_reading){event, c->readings[cell]};
    c->readings[cell] = (uint32_t)c->reading_count++;
}

static void note_write(gfab_gpu_checker *c, uint32_t event, uint64_t cell)
{
    bool read = false;
    for (uint32_t r = c->readings[cell]; r != NONE; r = c->reading[r].next) {
        add_pair(c, c->reading[r].event, event, false, cell);
        read |= c->reading[r].event != event;
    }
    if (!read)
        add_pair(c, c->writer[cell], event, true, cell);
    c->writer[cell] = event;
    c->readings[cell] = NONE;
}

static void note_data_fault(gfab_gpu_checker *c, const gfab_gpu_event *event, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;
static void note_data_fault(gfab_gpu_checker *c, const gfab_gpu_event *event, const char *format, ...)
{
    va_list arguments;
    if (*c->data_fault)
        return;
    c->data_launch = c->events.first_launch + event->launch + 1;
    va_start(arguments, format);
    vsnprintf(c->data_fault, sizeof c->data_fault, format, arguments);
    va_end(arguments);
}

/* ---- what comes out ---- */

static uint64_t first_cell(const gfab_gpu_checker *c, uint32_t rank, gfab_gpu_buffer buffer)
{
    const gfab_gpu_range range = gfab_gpu_user_range(c->plan, rank, buffer, c->events.chunk);
    return c->events.bases[3 * rank + range.region] + range.at / c->events.grain;
}

static uint64_t cells_of(const gfab_gpu_checker *c, uint32_t rank, gfab_gpu_buffer buffer)
{
    return c->plan->gpus[rank].chunks[buffer] * c->events.chunk / c->events.grain;
}

/* The terms that cell `at` of a rank's output should have: one of each of `count` ranks from `first` on, of cell *input
 * of their inputs. False where nothing is wanted. */
static bool wanted(const gfab_gpu_checker *c, uint32_t rank, uint64_t at, uint32_t *first, uint32_t *count,
                   uint64_t *input)
{
    const uint64_t in = cells_of(c, rank, GFAB_GPU_INPUT), out = cells_of(c, rank, GFAB_GPU_OUTPUT);
    const uint32_t n = (uint32_t)c->plan->gpu_count;
    *first = 0;
    *count = 1;
    *input = at;
    switch (c->plan->goal) {
    case GFAB_GPU_ALL_GATHER:
        *first = (uint32_t)(at / in);
        *input = at % in;
        return true;
    case GFAB_GPU_ALL_TO_ALL:
        *first = (uint32_t)(at / (out / n));
        *input = rank * (out / n) + at % (out / n);
        return true;
    case GFAB_GPU_SEND_RECV:
        *first = (rank + n - 1) % n;
        return true;
    case GFAB_GPU_BROADCAST:
        *first = c->plan->root;
        return true;
    case GFAB_GPU_ALL_REDUCE:
        *count = n;
        return true;
    case GFAB_GPU_REDUCE_SCATTER:
        *count = n;
        *input = rank * out + at;
        return true;
    case GFAB_GPU_REDUCE_TO_ROOT:
        *count = n;
        return rank == c->plan->root;
    default:
        return false;
    }
}

static uint64_t source_of(uint32_t launch, uint64_t cell)
{
    return (uint64_t)launch << 40 | cell;
}

static void check_output(gfab_gpu_checker *c, const gfab_gpu_event *event)
{
    char at[96], other[96] = "";
    const uint64_t cells = cells_of(c, event->rank, GFAB_GPU_OUTPUT),
                   base = first_cell(c, event->rank, GFAB_GPU_OUTPUT);
    for (uint64_t i = 0; i < cells && !*c->data_fault; i++) {
        uint32_t first, ranks;
        uint64_t input;
        size_t count;
        if (!wanted(c, event->rank, i, &first, &ranks, &input))
            return;
        const gfab_gpu_term *terms = gfab_gpu_values_terms(&c->values, c->value[base + i], &count);
        size_t t = 0;
        const char *what = c->packet[base + i] ? "has packets in it" : NULL;
        gfab_gpu_cell_text(c, base + i, at, sizeof at);
        for (uint32_t r = first; r < first + ranks && !what; r++) {
            const uint64_t cell = first_cell(c, r, GFAB_GPU_INPUT) + input;
            const uint64_t source = source_of(event->launch, cell);
            gfab_gpu_cell_text(c, cell, other, sizeof other);
            if (t == count || terms[t].source > source)
                what = "lacks the input of";
            else if (terms[t].source < source)
                what = "has what it should not have beside the input of";
            else if (terms[t++].times > 1)
                what = "has more than once the input of";
        }
        if (!what && t < count)
            what = terms[t].source == GFAB_GPU_UNKNOWN ? "has what was there before beside the input of"
                                                       : "has what it should not have beside the input of";
        if (what)
            note_data_fault(c, event, "in the end %s %s %s", at, what, other);
    }
}

/* The user's own input is what is told apart; the output may be anything. */
static void write_input(gfab_gpu_checker *c, const gfab_gpu_event *event)
{
    for (size_t t = 0; t < event->targets; t++) {
        const gfab_gpu_access *to = &c->events.accesses[event->accesses + t];
        memset(c->value + to->cell, 0, to->cells * sizeof *c->value);
        memset(c->packet + to->cell, 0, to->cells * sizeof *c->packet);
    }
    const uint64_t base = first_cell(c, event->rank, GFAB_GPU_INPUT), cells = cells_of(c, event->rank, GFAB_GPU_INPUT);
    for (uint64_t i = 0; i < cells; i++)
        c->value[base + i] = gfab_gpu_values_single(&c->values, source_of(event->launch, base + i));
}

/* ---- one run ---- */

static uint32_t read_cell(gfab_gpu_checker *c, uint32_t index, const gfab_gpu_access *from, uint64_t at)
{
    const uint64_t cell = from->cell + at * (from->packets ? 2 : 1);
    char where[96], who[200];
    const uint32_t launch = c->events.at[index].launch + 1;
    if (from->packets ? c->packet[cell] != launch || c->packet[cell + 1] != launch : c->packet[cell] != 0) {
        gfab_gpu_cell_text(c, cell, where, sizeof where);
        gfab_gpu_event_text(&c->events, index, who, sizeof who);
        note_data_fault(c, &c->events.at[index],
                        from->packets ? "%s: no packet of this launch for (%s)" : "%s: a packet read as data by (%s)",
                        where, who);
    }
    return c->value[cell];
}

static void move_data(gfab_gpu_checker *c, uint32_t index, const gfab_gpu_event *event)
{
    const gfab_gpu_access *from = c->events.accesses + event->accesses, *to = from + event->sources;
    for (uint64_t at = 0; event->sources + event->targets && at < from->cells; at++) {
        uint32_t sum = read_cell(c, index, &from[0], at);
        for (size_t s = 1; s < event->sources; s++)
            sum = gfab_gpu_values_sum(&c->values, sum, read_cell(c, index, &from[s], at));
        for (size_t t = 0; t < event->targets; t++)
            for (uint64_t half = 0; half < (to[t].packets ? 2 : 1); half++) {
                const uint64_t cell = to[t].cell + at * (to[t].packets ? 2 : 1) + half;
                c->value[cell] = sum;
                c->packet[cell] = to[t].packets ? event->launch + 1 : 0;
            }
    }
}

static uint64_t width(const gfab_gpu_access *access)
{
    return access->cells * (access->packets ? 2 : 1);
}

/* The threads of one operation do not wait for each other: what one reads or writes none of the others may write. */
static void check_overlap(gfab_gpu_checker *c, uint32_t index, const gfab_gpu_event *event)
{
    const gfab_gpu_access *all = c->events.accesses + event->accesses;
    for (size_t t = event->sources; t < event->sources + event->targets; t++)
        for (size_t i = 0; i < event->sources + event->targets; i++) {
            const gfab_gpu_access *a = &all[t], *b = &all[i];
            if (i == t || a->cell + width(a) <= b->cell || b->cell + width(b) <= a->cell ||
                (a->cell == b->cell && a->packets == b->packets) || c->report->fault != GFAB_GPU_GOOD)
                continue;
            char where[96], who[200];
            gfab_gpu_cell_text(c, a->cell > b->cell ? a->cell : b->cell, where, sizeof where);
            gfab_gpu_event_text(&c->events, index, who, sizeof who);
            c->report->fault = GFAB_GPU_RACE;
            c->report->launch = c->events.first_launch + event->launch + 1;
            snprintf(c->report->message, sizeof c->report->message,
                     "%s: threads of one operation meet there, and nothing orders them (%s)", where, who);
        }
}

static void follow(gfab_gpu_checker *c)
{
    for (size_t at = 0; at < c->events.count && c->status == GFAB_OK; at++) {
        const uint32_t index = c->line[at];
        const gfab_gpu_event *event = &c->events.at[index];
        const gfab_gpu_access *access = c->events.accesses + event->accesses;
        for (size_t i = 0; i < event->sources + event->targets; i++)
            for (uint64_t cell = access[i].cell; cell < access[i].cell + width(&access[i]); cell++)
                (i < event->sources ? note_read : note_write)(c, index, cell);
        if (event->kind == GFAB_GPU_DATA) {
            check_overlap(c, index, event);
            move_data(c, index, event);
        } else if (event->kind == GFAB_GPU_HOST_BEGIN) {
            write_input(c, event);
        } else if (event->kind == GFAB_GPU_HOST_END) {
            check_output(c, event);
        }
        if (c->values.failed)
            gfab_gpu_check_have(c, NULL);
    }
}

static int compare_pairs(const void *a, const void *b)
{
    const gfab_gpu_pair *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->writes != y->writes)
        return x->writes ? 1 : -1;
    if (x->second != y->second)
        return x->second < y->second ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static void add_text(char *text, const char *more, size_t size)
{
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
}

/* What the user writes is there before the launch: relaxed signals are enough for it. */
static bool is_strict(const gfab_gpu_checker *c, const gfab_gpu_pair *p)
{
    return p->writes && c->order.any_relaxed && c->events.at[p->first].kind == GFAB_GPU_DATA;
}

/* One pair by a run; the report, if nothing orders it. */
static void check_pair(gfab_gpu_checker *c, const gfab_gpu_pair *p, bool run)
{
    const bool strict = is_strict(c, p);
    if (run)
        gfab_gpu_order_run(&c->order, p->first, false, strict);
    if (!c->order.done[p->second])
        return;
    gfab_gpu_tell_race(c, p);
    gfab_gpu_order_run(&c->order, p->first, false, false);
    if (strict && c->status == GFAB_OK && !c->order.done[p->second])
        add_text(c->report->message, "; relaxed signals order no data", sizeof c->report->message);
}

/* The pairs from..past, of which all are strict or none is: the one that nothing orders, by sets of bits, or past. */
static size_t find_race(gfab_gpu_checker *c, gfab_gpu_before *before, size_t from, size_t past, bool strict)
{
    GFAB_FREED uint32_t *firsts = malloc((past - from + 1) * sizeof *firsts);
    size_t count = 0;
    if (!gfab_gpu_check_have(c, firsts))
        return past;
    for (size_t i = from; i < past; i++)
        if (is_strict(c, &c->pairs[i]) == strict && (!count || firsts[count - 1] != c->pairs[i].first))
            firsts[count++] = c->pairs[i].first;
    size_t found = past;
    for (size_t at = 0, some; at < count && found == past; at += some) {
        some = gfab_gpu_before_find(before, firsts + at, count - at, strict);
        for (size_t i = from; i < past && found == past; i++) {
            const gfab_gpu_pair *p = &c->pairs[i];
            if (is_strict(c, p) == strict && p->first >= firsts[at] && p->first <= firsts[at + some - 1] &&
                !gfab_gpu_is_before(before, p->first, p->second))
                found = i;
        }
    }
    return found;
}

static void check_races(gfab_gpu_checker *c)
{
    GFAB_AT_END(gfab_gpu_before_release) gfab_gpu_before before = {0};
    bool named = false;
    if (c->pair_count)
        qsort(c->pairs, c->pair_count, sizeof *c->pairs, compare_pairs);
    c->status = gfab_gpu_before_begin(&before, &c->events, c->line, &named, c->diag);
    for (int strict = 0; strict <= 1 && named && c->status == GFAB_OK; strict++) {
        const size_t found = find_race(c, &before, 0, c->pair_count, strict);
        if (found < c->pair_count && c->report->fault == GFAB_GPU_GOOD) {
            check_pair(c, &c->pairs[found], true);
            named = c->report->fault != GFAB_GPU_GOOD; /* else a run for each pair has to say */
        }
    }
    for (size_t i = 0; i < c->pair_count && !named && c->report->fault == GFAB_GPU_GOOD && c->status == GFAB_OK; i++) {
        const gfab_gpu_pair *former = i ? &c->pairs[i - 1] : NULL;
        check_pair(c, &c->pairs[i],
                   !former || former->first != c->pairs[i].first || former->writes != c->pairs[i].writes);
    }
}

static bool get_room(gfab_gpu_checker *c)
{
    const uint64_t cells = c->events.bases[3 * c->plan->gpu_count] + 1;
    c->line = malloc((c->events.count + 1) * sizeof *c->line);
    c->writer = malloc(cells * sizeof *c->writer);
    c->readings = malloc(cells * sizeof *c->readings);
    c->value = calloc(cells, sizeof *c->value);
    c->packet = calloc(cells, sizeof *c->packet);
    gfab_gpu_values_begin(&c->values);
    if (!gfab_gpu_check_have(c, c->line) || !gfab_gpu_check_have(c, c->writer) ||
        !gfab_gpu_check_have(c, c->readings) || !gfab_gpu_check_have(c, c->value) || !gfab_gpu_check_have(c, c->packet))
        return false;
    memset(c->writer, 0xff, cells * sizeof *c->writer);
    memset(c->readings, 0xff, cells * sizeof *c->readings);
    return true;
}

/* What one check of the events needs, and leaves behind. */
static void release_room(gfab_gpu_checker *c)
{
    gfab_gpu_order_release(&c->order);
    gfab_gpu_values_end(&c->values);
    GFAB_FREE(c->line, c->pairs, c->writer, c->readings, c->value, c->packet, c->reading);
    c->line = c->writer = c->readings = c->value = c->packet = NULL;
    c->pairs = NULL;
    c->reading = NULL;
    c->pair_count = c->pair_room = c->reading_count = c->reading_room = 0;
}

static void check_events(gfab_gpu_checker *c)
{
    gfab_gpu_order_run(&c->order, GFAB_GPU_NO_EVENT, true, false);
    if (c->order.done_count < c->events.count) {
        gfab_gpu_tell_deadlock(c);
        return;
    }
    if (!get_room(c))
        return;
    memcpy(c->line, c->order.queue, c->events.count * sizeof *c->line);
    follow(c);
    if (c->status == GFAB_OK && c->report->fault == GFAB_GPU_GOOD)
        check_races(c);
    if (c->status == GFAB_OK && c->report->fault == GFAB_GPU_GOOD && *c->data_fault) {
        c->report->fault = GFAB_GPU_WRONG;
        c->report->launch = c->data_launch;
        snprintf(c->report->message, sizeof c->report->message, "%s", c->data_fault);
    }
}

static void check_once(gfab_gpu_checker *c)
{
    if (c->status == GFAB_OK)
        c->status = gfab_gpu_order_begin(&c->order, &c->events, c->diag);
    if (c->status == GFAB_OK)
        check_events(c);
    c->report->pairs += c->pair_count;
    release_room(c);
}

/* What is good in the first launches, in all others: where a counter gets less than is waited for, a wait is the last;
 * where it gets more, once again without those waits. */
static void check_later(gfab_gpu_checker *c)
{
    gfab_gpu_drift drift;
    c->status = gfab_gpu_drift_find(&c->events, &drift, c->diag);
    if (c->status == GFAB_OK && drift.hangs) {
        c->report->fault = GFAB_GPU_DEADLOCK;
        c->report->launch = drift.hangs;
        snprintf(c->report->message, sizeof c->report->message, "in launch %" PRIu64 " at the latest it hangs: %s",
                 drift.hangs, drift.why);
    } else if (c->status == GFAB_OK && drift.passes) {
        check_once(c);
        if (c->status != GFAB_OK || c->report->fault == GFAB_GPU_GOOD)
            return;
        const size_t length = strlen(c->report->message);
        snprintf(c->report->message + length, sizeof c->report->message - length,
                 "; in launch %" PRIu64 " at the latest: %s", c->report->launch, drift.why);
    }
}

gfab_status gfab_gpu_check_length(const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options,
                                  gfab_gpu_report *report, gfab_diag *diag)
{
    gfab_gpu_checker c = {.plan = plan, .report = report, .diag = diag};
    *report = (gfab_gpu_report){.launches = gfab_gpu_plan_launches(plan)};
    c.status = gfab_gpu_plan_chunk(plan, options, &report->chunk_bytes, diag);
    if (c.status == GFAB_OK)
        c.status = gfab_gpu_events_make(plan, report->chunk_bytes, report->launches, &c.events, diag);
    check_once(&c);
    if (c.status == GFAB_OK && report->fault == GFAB_GPU_GOOD)
        check_later(&c);
    report->events = c.events.count;
    gfab_gpu_events_release(&c.events);
    if (c.status != GFAB_OK) {
        free(report->steps);
        report->steps = NULL;
    }
    return c.status;
}
