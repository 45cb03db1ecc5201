/* SPDX-License-Identifier: MIT */
/* Deadlocks by one run that does all it can; races by holding back the earlier of two accesses to one place: nothing
 * orders them where the later one comes about all the same; data by one run, since without races all give the same
 * (docs/theory/gpu-plans.md). */
#define _POSIX_C_SOURCE 200809L
#include "events.h"

#include <gossipfab/base/text.h>

#include "base/grow.h"
#include "values.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 40 /* of a witness */
#define NONE UINT32_MAX

/* An access that has to be over before another begins. */
typedef struct pair {
    uint32_t first, second;
    bool writes; /* the first one */
    uint64_t cell;
} pair;

typedef struct reading {
    uint32_t event, next;
} reading;

typedef struct checker {
    const gfab_gpu_plan *plan;
    gfab_gpu_events events;
    gfab_gpu_order order;
    gfab_gpu_report *report;
    gfab_diag *diag;
    gfab_status status;
    uint32_t *line; /* all events in one order */
    pair *pairs;
    size_t pair_count, pair_room;
    /* of every cell: */
    uint32_t *writer;         /* the last one, or NONE */
    uint32_t *readings;       /* since, or NONE */
    uint32_t *value, *packet; /* packet: of launch - 1, or 0 */
    reading *reading;
    size_t reading_count, reading_room;
    gfab_gpu_values values;
    char data_fault[640];
} checker;

const char *gfab_gpu_fault_name(gfab_gpu_fault fault)
{
    static const char *const names[] = {"good", "deadlock", "race", "data"};
    return names[fault];
}

static bool have(checker *c, const void *memory)
{
    if (!memory && c->status == GFAB_OK)
        c->status = gfab_gpu_no_memory(c->diag);
    return c->status == GFAB_OK;
}

/* Which byte of which buffer a cell is. */
static void cell_text(const checker *c, uint64_t cell, char *text, size_t size)
{
    static const char *const regions[2][3] = {{"its input", "its output", "its scratch buffer"},
                                              {"its buffer", "", "its scratch buffer"}};
    const uint64_t *bases = c->events.bases;
    size_t at = 0;
    while (bases[at + 1] <= cell)
        at++;
    snprintf(text, size, "GPU %zu, byte %" PRIu64 " of %s", at / 3, (cell - bases[at]) * c->events.grain,
             regions[c->plan->in_place][at % 3]);
}

/* ---- witnesses ---- */

static void put_event(const checker *c, FILE *file, size_t event)
{
    char text[256];
    gfab_gpu_event_text(&c->events, event, text, sizeof text);
    fprintf(file, "%s\n", text);
}

/* Marks, in a run, what had to be done before an event. */
static bool *before(checker *c, size_t event)
{
    const gfab_gpu_events *e = &c->events;
    bool *needed = calloc(e->count, sizeof *needed);
    int64_t *need = calloc((size_t)e->counters + 1, sizeof *need);
    if (!have(c, needed) || !have(c, need)) {
        free(needed);
        free(need);
        return NULL;
    }
    needed[event] = true;
    for (size_t at = c->order.done_count; at-- > 0;) {
        const gfab_gpu_event *one = &e->at[c->order.queue[at]];
        bool *wanted = &needed[c->order.queue[at]];
        for (size_t g = 0; g < one->give_count; g++) {
            const uint32_t counter = e->gives[one->gives + g];
            *wanted |= c->order.counts[counter]-- <= need[counter];
        }
        for (size_t p = 0; p < one->pred_count && *wanted; p++)
            if (!(e->preds[one->preds + p] & ~GFAB_GPU_EVENT))
                needed[e->preds[one->preds + p]] = true;
        for (size_t g = 0; g < one->guard_count && *wanted; g++) {
            const gfab_gpu_guard *guard = &e->guards[one->guards + g];
            need[guard->counter] = guard->target > need[guard->counter] ? guard->target : need[guard->counter];
        }
    }
    free(need);
    return needed;
}

/* What is done, in a run that holds an event back, until another one begins. */
static void tell_race(checker *c, const pair *p)
{
    char first[200], second[200], cell[96];
    gfab_gpu_event_text(&c->events, p->first, first, sizeof first);
    gfab_gpu_event_text(&c->events, p->second, second, sizeof second);
    cell_text(c, p->cell, cell, sizeof cell);
    c->report->fault = GFAB_GPU_RACE;
    snprintf(c->report->message, sizeof c->report->message, "%s: nothing orders (%s), which %s there, and (%s)", cell,
             first, p->writes ? "writes" : "reads", second);
    bool *needed = before(c, p->second);
    size_t size = 0, total = 0, shown = 0;
    FILE *file = needed ? open_memstream(&c->report->steps, &size) : NULL;
    if (!have(c, file)) {
        free(needed);
        return;
    }
    for (size_t at = 0; at < c->order.done_count; at++)
        total += needed[c->order.queue[at]] && c->events.at[c->order.queue[at]].kind != GFAB_GPU_JOIN;
    for (size_t at = 0; at < c->order.done_count; at++) {
        const uint32_t event = c->order.queue[at];
        if (!needed[event] || c->events.at[event].kind == GFAB_GPU_JOIN || event == p->second)
            continue;
        if (shown++ + MOST_STEPS >= total)
            put_event(c, file, event);
        else if (shown == 1)
            fprintf(file, "(%zu steps before)\n", total - MOST_STEPS);
    }
    put_event(c, file, p->second);
    fprintf(file, "and not yet: %s\n", first);
    if (!gfab_memory_close(file, &c->report->steps))
        have(c, NULL);
    free(needed);
}

/* What waits though all that it comes after is done. */
static void tell_deadlock(checker *c)
{
    const gfab_gpu_events *e = &c->events;
    size_t size = 0, stuck = 0;
    char text[200];
    FILE *file = open_memstream(&c->report->steps, &size);
    if (!have(c, file))
        return;
    c->report->fault = GFAB_GPU_DEADLOCK;
    for (size_t i = 0; i < e->count; i++) {
        const gfab_gpu_event *one = &e->at[i];
        const gfab_gpu_guard *guard = NULL;
        bool behind = c->order.done[i] || !one->guard_count;
        for (size_t p = 0; p < one->pred_count; p++)
            behind |= !c->order.done[e->preds[one->preds + p] & GFAB_GPU_EVENT];
        for (size_t g = 0; g < one->guard_count && !behind && !guard; g++)
            if (c->order.counts[e->guards[one->guards + g].counter] < e->guards[one->guards + g].target)
                guard = &e->guards[one->guards + g];
        if (!guard)
            continue;
        gfab_gpu_event_text(e, i, text, sizeof text);
        fprintf(file, "%s: %" PRId64 " of %" PRId64 " have come\n", text, c->order.counts[guard->counter],
                guard->target);
        if (stuck++ == 0)
            snprintf(c->report->message, sizeof c->report->message, "%s waits for ever", text);
    }
    if (!gfab_memory_close(file, &c->report->steps))
        have(c, NULL);
}

/* ---- accesses ---- */

/* Orders that hold by themselves: phases of a thread block, launches of a GPU, its user. */
static bool plainly_ordered(const checker *c, uint32_t first, uint32_t second)
{
    const gfab_gpu_event *a = &c->events.at[first], *b = &c->events.at[second];
    if (a->rank != b->rank || a->queued)
        return false;
    if (a->launch != b->launch)
        return a->launch < b->launch;
    return a->kind == GFAB_GPU_HOST_BEGIN || b->kind == GFAB_GPU_HOST_END ||
           (a->block == b->block && a->phase < b->phase);
}

static void add_pair(checker *c, uint32_t first, uint32_t second, bool writes, uint64_t cell)
{
    if (first == NONE || first == second || c->status != GFAB_OK || plainly_ordered(c, first, second))
        return;
    const pair *before_it = c->pair_count ? &c->pairs[c->pair_count - 1] : NULL;
    if (before_it && before_it->first == first && before_it->second == second && before_it->writes == writes)
        return;
    pair *grown = gfab_grown(c->pairs, c->pair_count, &c->pair_room, sizeof *grown);
    if (!have(c, grown))
        return;
    c->pairs = grown;
    grown[c->pair_count++] = (pair){first, second, writes, cell};
}

static void note_read(checker *c, uint32_t event, uint64_t cell)
{
    add_pair(c, c->writer[cell], event, true, cell);
    if (c->readings[cell] != NONE && c->reading[c->readings[cell]].event == event)
        return;
    reading *grown = gfab_grown(c->reading, c->reading_count, &c->reading_room, sizeof *grown);
    if (!have(c, grown))
        return;
    c->reading = grown;
    grown[c->reading_count] = (reading){event, c->readings[cell]};
    c->readings[cell] = (uint32_t)c->reading_count++;
}

static void note_write(checker *c, uint32_t event, uint64_t cell)
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

static void note_data_fault(checker *c, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;
static void note_data_fault(checker *c, const char *format, ...)
{
    va_list arguments;
    if (*c->data_fault)
        return;
    va_start(arguments, format);
    vsnprintf(c->data_fault, sizeof c->data_fault, format, arguments);
    va_end(arguments);
}

/* ---- what comes out ---- */

static uint64_t first_cell(const checker *c, uint32_t rank, gfab_gpu_buffer buffer)
{
    const gfab_gpu_range range = gfab_gpu_user_range(c->plan, rank, buffer, c->events.chunk);
    return c->events.bases[3 * rank + range.region] + range.at / c->events.grain;
}

static uint64_t cells_of(const checker *c, uint32_t rank, gfab_gpu_buffer buffer)
{
    return c->plan->gpus[rank].chunks[buffer] * c->events.chunk / c->events.grain;
}

/* The terms that cell `at` of a rank's output should have: one of each of `count` ranks from `first` on, of cell *input
 * of their inputs. False where nothing is wanted. */
static bool wanted(const checker *c, uint32_t rank, uint64_t at, uint32_t *first, uint32_t *count, uint64_t *input)
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

static void check_output(checker *c, const gfab_gpu_event *event)
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
        cell_text(c, base + i, at, sizeof at);
        for (uint32_t r = first; r < first + ranks && !what; r++) {
            const uint64_t cell = first_cell(c, r, GFAB_GPU_INPUT) + input;
            const uint64_t source = source_of(event->launch, cell);
            cell_text(c, cell, other, sizeof other);
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
            note_data_fault(c, "in the end %s %s %s", at, what, other);
    }
}

/* The user's own input is what is told apart; the output may be anything. */
static void write_input(checker *c, const gfab_gpu_event *event)
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

static uint32_t read_cell(checker *c, uint32_t index, const gfab_gpu_access *from, uint64_t at)
{
    const uint64_t cell = from->cell + at * (from->packets ? 2 : 1);
    char where[96], who[200];
    const uint32_t launch = c->events.at[index].launch + 1;
    if (from->packets ? c->packet[cell] != launch || c->packet[cell + 1] != launch : c->packet[cell] != 0) {
        cell_text(c, cell, where, sizeof where);
        gfab_gpu_event_text(&c->events, index, who, sizeof who);
        note_data_fault(c,
                        from->packets ? "%s: no packet of this launch for (%s)" : "%s: a packet read as data by (%s)",
                        where, who);
    }
    return c->value[cell];
}

static void move_data(checker *c, uint32_t index, const gfab_gpu_event *event)
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
static void check_overlap(checker *c, uint32_t index, const gfab_gpu_event *event)
{
    const gfab_gpu_access *all = c->events.accesses + event->accesses;
    for (size_t t = event->sources; t < event->sources + event->targets; t++)
        for (size_t i = 0; i < event->sources + event->targets; i++) {
            const gfab_gpu_access *a = &all[t], *b = &all[i];
            if (i == t || a->cell + width(a) <= b->cell || b->cell + width(b) <= a->cell ||
                (a->cell == b->cell && a->packets == b->packets) || c->report->fault != GFAB_GPU_GOOD)
                continue;
            char where[96], who[200];
            cell_text(c, a->cell > b->cell ? a->cell : b->cell, where, sizeof where);
            gfab_gpu_event_text(&c->events, index, who, sizeof who);
            c->report->fault = GFAB_GPU_RACE;
            snprintf(c->report->message, sizeof c->report->message,
                     "%s: threads of one operation meet there, and nothing orders them (%s)", where, who);
        }
}

static void follow(checker *c)
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
            have(c, NULL);
    }
}

static int compare_pairs(const void *a, const void *b)
{
    const pair *x = a, *y = b;
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
static bool is_strict(const checker *c, const pair *p)
{
    return p->writes && c->order.any_relaxed && c->events.at[p->first].kind == GFAB_GPU_DATA;
}

/* One pair by a run; the report, if nothing orders it. */
static void check_pair(checker *c, const pair *p, bool run)
{
    const bool strict = is_strict(c, p);
    if (run)
        gfab_gpu_order_run(&c->order, p->first, false, strict);
    if (!c->order.done[p->second])
        return;
    tell_race(c, p);
    gfab_gpu_order_run(&c->order, p->first, false, false);
    if (strict && c->status == GFAB_OK && !c->order.done[p->second])
        add_text(c->report->message, "; relaxed signals order no data", sizeof c->report->message);
}

/* The pairs from..past, of which all are strict or none is: the one that nothing orders, by sets of bits, or past. */
static size_t find_race(checker *c, gfab_gpu_before *before, size_t from, size_t past, bool strict)
{
    uint32_t *firsts = malloc((past - from + 1) * sizeof *firsts);
    size_t count = 0;
    if (!have(c, firsts))
        return past;
    for (size_t i = from; i < past; i++)
        if (is_strict(c, &c->pairs[i]) == strict && (!count || firsts[count - 1] != c->pairs[i].first))
            firsts[count++] = c->pairs[i].first;
    size_t found = past;
    for (size_t at = 0, some; at < count && found == past; at += some) {
        some = gfab_gpu_before_find(before, firsts + at, count - at, strict);
        for (size_t i = from; i < past && found == past; i++) {
            const pair *p = &c->pairs[i];
            if (is_strict(c, p) == strict && p->first >= firsts[at] && p->first <= firsts[at + some - 1] &&
                !gfab_gpu_is_before(before, p->first, p->second))
                found = i;
        }
    }
    free(firsts);
    return found;
}

static void check_races(checker *c)
{
    gfab_gpu_before before;
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
    gfab_gpu_before_release(&before);
    for (size_t i = 0; i < c->pair_count && !named && c->report->fault == GFAB_GPU_GOOD && c->status == GFAB_OK; i++) {
        const pair *former = i ? &c->pairs[i - 1] : NULL;
        check_pair(c, &c->pairs[i],
                   !former || former->first != c->pairs[i].first || former->writes != c->pairs[i].writes);
    }
}

static bool get_room(checker *c)
{
    const uint64_t cells = c->events.bases[3 * c->plan->gpu_count] + 1;
    c->line = malloc((c->events.count + 1) * sizeof *c->line);
    c->writer = malloc(cells * sizeof *c->writer);
    c->readings = malloc(cells * sizeof *c->readings);
    c->value = calloc(cells, sizeof *c->value);
    c->packet = calloc(cells, sizeof *c->packet);
    gfab_gpu_values_begin(&c->values);
    if (!have(c, c->line) || !have(c, c->writer) || !have(c, c->readings) || !have(c, c->value) || !have(c, c->packet))
        return false;
    memset(c->writer, 0xff, cells * sizeof *c->writer);
    memset(c->readings, 0xff, cells * sizeof *c->readings);
    return true;
}

static void check_events(checker *c)
{
    gfab_gpu_order_run(&c->order, GFAB_GPU_NO_EVENT, true, false);
    if (c->order.done_count < c->events.count) {
        tell_deadlock(c);
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
        memcpy(c->report->message, c->data_fault, sizeof c->report->message);
    }
}

gfab_status gfab_gpu_check_length(const gfab_gpu_plan *plan, const gfab_gpu_plan_options *options,
                                  gfab_gpu_report *report, gfab_diag *diag)
{
    checker c = {.plan = plan, .report = report, .diag = diag};
    *report = (gfab_gpu_report){0};
    c.status = gfab_gpu_plan_sizes(plan, options, &report->chunk_bytes, &report->launches, diag);
    if (c.status == GFAB_OK)
        c.status = gfab_gpu_events_make(plan, report->chunk_bytes, report->launches, &c.events, diag);
    if (c.status == GFAB_OK)
        c.status = gfab_gpu_order_begin(&c.order, &c.events, diag);
    if (c.status == GFAB_OK)
        check_events(&c);
    report->events = c.events.count;
    report->pairs = c.pair_count;
    gfab_gpu_order_release(&c.order);
    gfab_gpu_events_release(&c.events);
    gfab_gpu_values_end(&c.values);
    free(c.line);
    free(c.pairs);
    free(c.writer);
    free(c.readings);
    free(c.value);
    free(c.packet);
    free(c.reading);
    if (c.status != GFAB_OK) {
        free(report->steps);
        report->steps = NULL;
    }
    return c.status;
}
