/* SPDX-License-Identifier: MIT */
/* Short messages between processes of one machine, without MPI: a queue in shared memory from each rank to each other.
 * A queue has one writer and one reader and so needs no lock (Lamport 1983): one counter, and a mark in front of each
 * message, are all that has to be atomic. The mark is the message's number; the writer clears the next one before it
 * sets this one. So the reader looks at the very cache line in which the data will come, and not at a counter.
 *
 * A reader that waits looks 2000 times before it gives the processor away, and 16 times where ranks are more than
 * processors. All of it is optional: where memory cannot be shared there is no queue, and MPI carries everything. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "near.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE 64 /* bytes of a cache's */
#define MOST_RANKS 16
#define MEMORY (4 << 20)    /* of a communicator, bytes, unless queues were then longer than is of use */
#define LONGEST (128 << 10) /* queue: a message is a quarter of it at most */
#define SPINS 2000          /* looks in vain before others get the processor, where there are enough of them */

/* Messages from a rank to another, each in lines of its own and none across the end. What the receiver will read next
 * has always a head: the sender clears it before it fills the one ahead of it. So a receiver that waits looks at the
 * line in which a short message will stand, and the sender seldom looks at what the receiver has taken. */
typedef struct queue {
    _Atomic uint32_t taken; /* bytes, by the receiver */
    char rest[LINE - sizeof(uint32_t)];
    char data[];
} queue;

typedef struct head {
    _Atomic uint32_t full; /* 0: nothing yet; END: go on at the start; else name_of the message's number */
    uint32_t bytes;
    char data[];
} head;

#define END 2

/* What a rank knows of one that it exchanges messages with. */
typedef struct peer {
    queue *out, *in;
    uint32_t sent, expected;   /* numbers */
    uint32_t put, taken, free; /* bytes, all of them; free: up to where the sender may go */
} peer;

struct gfab_mpi_near {
    int ranks;
    bool crowded;    /* more ranks than processors */
    uint32_t length; /* of a queue, bytes: a power of two */
    void *memory;
    size_t size;
    peer peers[MOST_RANKS];
};

/* Neither 0 nor END. 2^31 messages on, the one of the same name has long been taken. */
static uint32_t name_of(uint32_t number)
{
    return number << 1 | 1;
}

/* What a message takes of a queue: whole lines. */
static uint32_t lines_of(size_t bytes)
{
    return (uint32_t)(sizeof(head) + bytes + LINE - 1) & ~(uint32_t)(LINE - 1);
}

static head *head_at(const gfab_mpi_near *near, queue *q, uint32_t at)
{
    return (head *)(void *)(q->data + (at & (near->length - 1)));
}

uint32_t near_next_to(gfab_mpi_near *near, int to)
{
    return near->peers[to].sent++;
}

uint32_t near_next_from(gfab_mpi_near *near, int from)
{
    return near->peers[from].expected++;
}

size_t near_room(const gfab_mpi_near *near)
{
    return near->length / 4;
}

/* Fills the head at p->put, behind which the next one will be `bytes` on. */
static void fill(const gfab_mpi_near *near, peer *p, uint32_t name, uint32_t bytes)
{
    head *at = head_at(near, p->out, p->put);
    p->put += bytes;
    atomic_store_explicit(&head_at(near, p->out, p->put)->full, 0, memory_order_relaxed);
    atomic_store_explicit(&at->full, name, memory_order_release);
}

bool near_put(gfab_mpi_near *near, int to, uint32_t number, const void *data, size_t bytes)
{
    peer *p = &near->peers[to];
    const uint32_t needed = lines_of(bytes);
    const uint32_t left = near->length - (p->put & (near->length - 1)), skipped = needed > left ? left : 0;
    if (p->free - p->put < skipped + needed + LINE) {
        p->free = atomic_load_explicit(&p->out->taken, memory_order_acquire) + near->length;
        if (p->free - p->put < skipped + needed + LINE)
            return false;
    }
    if (skipped)
        fill(near, p, END, skipped);
    head *at = head_at(near, p->out, p->put);
    at->bytes = (uint32_t)bytes;
    if (bytes)
        memcpy(at->data, data, bytes);
    fill(near, p, name_of(number), needed);
    return true;
}

long near_take(gfab_mpi_near *near, int from, uint32_t number, void *data, size_t room)
{
    peer *p = &near->peers[from];
    const head *at = head_at(near, p->in, p->taken);
    uint32_t full = atomic_load_explicit(&at->full, memory_order_acquire);
    if (full == END) {
        p->taken += near->length - (p->taken & (near->length - 1));
        at = head_at(near, p->in, p->taken);
        full = atomic_load_explicit(&at->full, memory_order_acquire);
    }
    if (full != name_of(number))
        return -1;
    const long bytes = (long)at->bytes;
    if (bytes && room)
        memcpy(data, at->data, (size_t)bytes < room ? (size_t)bytes : room);
    p->taken += lines_of((size_t)bytes);
    atomic_store_explicit(&p->in->taken, p->taken, memory_order_release);
    return bytes;
}

bool near_asks_mpi(const gfab_mpi_near *near, unsigned n)
{
    const unsigned each = near->crowded ? 16 : 256;
    return n % each == each - 1;
}

void near_rest(const gfab_mpi_near *near, unsigned n)
{
    if (n >= SPINS || (near->crowded && n >= 16))
        (void)sched_yield();
}

/* ---- making ---- */

/* Memory under a name that all can open, and that is taken away at once. */
static int open_memory(const char *name, bool first, size_t size)
{
    const int file = shm_open(name, O_RDWR | (first ? O_CREAT | O_EXCL : 0), S_IRUSR | S_IWUSR);
    if (file < 0 || !first)
        return file;
    if (posix_fallocate(file, 0, (off_t)size) == 0) /* so that there is no lack of it later */
        return file;
    (void)close(file);
    (void)shm_unlink(name);
    return -1;
}

static bool all_agree(bool mine, MPI_Comm comm)
{
    int good = mine, all = 0;
    return MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS && all;
}

/* Do all ranks run on one machine? */
static bool are_together(MPI_Comm comm, int ranks)
{
    MPI_Comm machine = MPI_COMM_NULL;
    int together = 0;
    if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) == MPI_SUCCESS &&
        machine != MPI_COMM_NULL) {
        MPI_Comm_size(machine, &together);
        MPI_Comm_free(&machine);
    }
    return all_agree(together == ranks, comm);
}

static bool map(gfab_mpi_near *near, MPI_Comm comm, int rank)
{
    const size_t pairs = (size_t)near->ranks * (size_t)near->ranks;
    char name[64];
    static _Atomic unsigned count;
    for (near->length = LONGEST; near->length * pairs > MEMORY; near->length /= 2)
        continue;
    (void)snprintf(name, sizeof name, "/gossipfab-%ld-%u", (long)getpid(), count++);
    near->size = pairs * (sizeof(queue) + near->length);
    int file = rank == 0 ? open_memory(name, true, near->size) : -1;
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, comm);
    const bool made = file >= 0;
    bool good = all_agree(rank != 0 || made, comm);
    if (good && rank != 0)
        file = open_memory(name, false, near->size);
    if (good && file >= 0)
        near->memory = mmap(NULL, near->size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    good = all_agree(good && file >= 0 && near->memory != MAP_FAILED, comm);
    if (file >= 0)
        (void)close(file);
    if (rank == 0 && made)
        (void)shm_unlink(name);
    return good;
}

gfab_mpi_near *gfab_mpi_near_create(MPI_Comm comm)
{
    int ranks, rank;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    if (ranks < 2 || ranks > MOST_RANKS || !are_together(comm, ranks))
        return NULL;
    gfab_mpi_near *near = calloc(1, sizeof *near);
    if (!all_agree(near, comm)) {
        free(near);
        return NULL;
    }
    near->ranks = ranks;
    near->crowded = sysconf(_SC_NPROCESSORS_ONLN) < ranks;
    near->memory = MAP_FAILED;
    if (!map(near, comm, rank)) {
        gfab_mpi_near_destroy(near);
        return NULL;
    }
    const size_t length = sizeof(queue) + near->length; /* they are [from][to] */
    for (int v = 0; v < ranks; v++)
        near->peers[v] = (peer){.out = (queue *)(void *)((char *)near->memory + (size_t)(rank * ranks + v) * length),
                                .in = (queue *)(void *)((char *)near->memory + (size_t)(v * ranks + rank) * length),
                                .free = near->length};
    return near;
}

void gfab_mpi_near_destroy(gfab_mpi_near *near)
{
    if (near && near->memory != MAP_FAILED)
        (void)munmap(near->memory, near->size);
    free(near);
}
