/* SPDX-License-Identifier: MIT */
/* Threads live for one loop: a loop is long beside the tens of microseconds that starting one takes. Indices are
 * handed out one by one, so that uneven work spreads. */
#define _POSIX_C_SOURCE 200809L
#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

typedef struct loop {
    void (*body)(void *context, unsigned worker, size_t index);
    void *context;
    size_t count;
    atomic_size_t next;
} loop;

typedef struct hand {
    loop *of;
    unsigned worker;
    pthread_t thread;
} hand;

unsigned gfab_parallel_workers(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online < 1)
        return 1;
    return online > (long)GFAB_MAX_WORKERS ? GFAB_MAX_WORKERS : (unsigned)online;
}

static void *work(void *argument)
{
    const hand *h = argument;
    for (;;) {
        const size_t index = atomic_fetch_add(&h->of->next, 1);
        if (index >= h->of->count)
            return NULL;
        h->of->body(h->of->context, h->worker, index);
    }
}

void gfab_parallel_for(unsigned workers, size_t count, void (*body)(void *context, unsigned worker, size_t index),
                       void *context)
{
    loop l = {.body = body, .context = context, .count = count};
    hand hands[GFAB_MAX_WORKERS];
    unsigned started = 1;
    atomic_init(&l.next, 0);
    hands[0] = (hand){.of = &l, .worker = 0};
    while (started < workers && started < GFAB_MAX_WORKERS && started < count) {
        hands[started] = (hand){.of = &l, .worker = started};
        if (pthread_create(&hands[started].thread, NULL, work, &hands[started]) != 0)
            break;
        started++;
    }
    work(&hands[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(hands[i].thread, NULL);
}
