/* SPDX-License-Identifier: MIT */
/* pairs_carry RANKS GRANULE LENGTH..: pairs of calls (tests/mpi/pairs/pairs.h) by plans in C, a process for each rank.
 * All calls of a rank have one scratch memory, as on a small machine, and nobody clears it. A renewal changes the
 * granule, GRANULE to twice as much, where there is one. 0: all are right; 1: not so; 2: else. */
#define _XOPEN_SOURCE 700
#include "lines.h"

#include <pairs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRATCH (1 << 20)
#define MOST_LENGTHS 16
#define PATIENCE 100 /* s */

/* Those that are linked in. */
#define PLAN(name) extern const gfab_carry_plan name[] __attribute__((weak))
PLAN(plan_all_gather);
PLAN(plan_reduce_scatter);
PLAN(plan_all_reduce);
PLAN(plan_reduce_first);
PLAN(plan_reduce_last);
PLAN(plan_broadcast_first);
PLAN(plan_broadcast_last);
PLAN(plan_all_to_all);
PLAN(plan_barrier);

typedef struct machine {
    lines links;
    size_t granule;
    void *scratch;
} machine;

static const gfab_carry_plan *plans_of(pairs_kind kind, int last)
{
    switch (kind) {
    case PAIRS_ALL_GATHER:
        return plan_all_gather;
    case PAIRS_REDUCE_SCATTER:
        return plan_reduce_scatter;
    case PAIRS_ALL_REDUCE:
        return plan_all_reduce;
    case PAIRS_REDUCE:
        return last ? plan_reduce_last : plan_reduce_first;
    case PAIRS_BROADCAST:
        return last ? plan_broadcast_last : plan_broadcast_first;
    case PAIRS_ALL_TO_ALL:
        return plan_all_to_all;
    case PAIRS_BARRIER:
        return plan_barrier;
    default:
        return NULL;
    }
}

static void combine(void *context, void *into, const void *from, size_t elements)
{
    long *a = into;
    const long *b = from;
    (void)context;
    for (size_t i = 0; i < elements; i++)
        a[i] += b[i];
}

static int takes(void *self, const pairs_form *form)
{
    const machine *m = self;
    const int in_place = form->flags & PAIRS_IN_PLACE, plain = form->type == PAIRS_LONGS || form->type == PAIRS_BYTES;
    if (form->kind == PAIRS_RENEWAL)
        return m->granule != 0;
    return plans_of(form->kind, form->flags & PAIRS_LAST) && plain && !(form->flags & PAIRS_PRODUCT) &&
           (!in_place || form->kind == PAIRS_ALL_GATHER || form->kind == PAIRS_ALL_REDUCE ||
            form->kind == PAIRS_REDUCE);
}

static int carry(void *self, pairs_call *c)
{
    machine *m = self;
    const int barrier = c->form->kind == PAIRS_BARRIER, bytes = c->form->type == PAIRS_BYTES;
    long own = 1;
    if (c->form->kind == PAIRS_RENEWAL) {
        m->granule = c->renewal % 2 ? m->granule * 2 : m->granule / 2;
        return 0;
    }
    const gfab_carry_plan *plan = &plans_of(c->form->kind, c->form->flags & PAIRS_LAST)[c->rank];
    const gfab_carry_call call = {.send = lines_send,
                                  .receive = lines_receive,
                                  .combine = combine,
                                  .context = m,
                                  .input = barrier || c->form->kind == PAIRS_BROADCAST ? NULL : c->send,
                                  .output = barrier ? &own : c->receive,
                                  .scratch = m->scratch,
                                  .count = barrier ? 1 : (size_t)c->length * (bytes ? sizeof(long) : 1),
                                  .size = bytes ? 1 : sizeof(long),
                                  .granule = m->granule};
    return gfab_carry_scratch(plan, call.count, call.size, call.granule) > SCRATCH || gfab_carry(plan, &call) != 0;
}

static int play(machine *m, const int *lengths, int count)
{
    /* A rank that is not the root of a reduction has its part of the output in its output, too. */
    const pairs_carrier carrier = {.name = "plans in C", .takes = takes, .carry = carry, .spends = 1, .works = 1};
    pairs_run run = {.rank = (int)m->links.rank, .ranks = (int)m->links.ranks, .lengths = lengths};
    run.length_count = count;
    m->scratch = malloc(SCRATCH);
    if (!m->scratch)
        return 2;
    alarm(PATIENCE);
    pairs_play(&carrier, m, &run);
    free(m->scratch);
    if (run.rank == 0)
        printf("pairs: plans in C: %d ranks: %ld pairs, %ld wrong\n", run.ranks, run.calls - 1, run.wrong);
    return run.wrong != 0;
}

int main(int argc, char **argv)
{
    machine m = {.granule = argc > 2 ? strtoul(argv[2], NULL, 10) : 0};
    int lengths[MOST_LENGTHS], count = 0, bad = 0, status;
    if (argc < 4)
        return 2;
    lines_create(&m.links, (unsigned)strtoul(argv[1], NULL, 10));
    for (int i = 3; i < argc && count < MOST_LENGTHS; i++)
        lengths[count++] = atoi(argv[i]);
    for (int kind = 0; kind < PAIRS_RENEWAL; kind++)
        for (int last = 0; last < 2; last++)
            if (plans_of((pairs_kind)kind, last))
                lines_open(&m.links, plans_of((pairs_kind)kind, last));
    for (m.links.rank = 0; m.links.rank < m.links.ranks; m.links.rank++) {
        const pid_t child = fork();
        if (child < 0)
            return 2;
        if (child == 0) {
            const int code = play(&m, lengths, count);
            fflush(stdout);
            _exit(code);
        }
    }
    for (unsigned v = 0; v < m.links.ranks; v++)
        bad |= wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return bad;
}
