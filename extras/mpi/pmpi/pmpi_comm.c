/* SPDX-License-Identifier: MIT */
/* What a communicator has of ours hangs on it as an attribute, and goes with it: a communicator of our own for the
 * messages, and a plan for each collective that was asked for, with its root. */
#include "pmpi.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pmpi_comm {
    gfab_mpi_near *near;
    MPI_Comm inner; /* MPI_COMM_NULL: it is MPI's own, and why */
    pmpi_reason reason;
    int ranks, rank;
    gfab_mpi_plan *plans[GFAB_COLLECTIVES][2]; /* [collective][cut] of those without a root */
    gfab_mpi_plan **rooted[2][2];              /* [broadcast, reduce][cut]: [root] */
    bool none[GFAB_COLLECTIVES][2];            /* asked for in vain */
    long switch_bytes[GFAB_COLLECTIVES];       /* from here on vectors are cut; -1: not measured yet */
    void *room[3];
    size_t size[3];
};

static int keyval = MPI_KEYVAL_INVALID, end_keyval = MPI_KEYVAL_INVALID;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* How many communicators went: what a thread remembers of one holds until another goes. */
static _Atomic unsigned dropped;
static _Thread_local struct {
    MPI_Comm comm;
    pmpi_comm *own;
    unsigned when;
} last;

static int drop(MPI_Comm comm, int key, void *value, void *extra)
{
    GFAB_FREED pmpi_comm *c = value;
    (void)comm;
    (void)key;
    (void)extra;
    dropped++;
    for (int collective = 0; collective < GFAB_COLLECTIVES; collective++)
        for (int cut = 0; cut < 2; cut++)
            gfab_mpi_plan_destroy(c->plans[collective][cut]);
    for (int which = 0; which < 2; which++)
        for (int cut = 0; cut < 2; cut++) {
            for (int root = 0; c->rooted[which][cut] && root < c->ranks; root++)
                gfab_mpi_plan_destroy(c->rooted[which][cut][root]);
            free(c->rooted[which][cut]);
        }
    gfab_mpi_near_destroy(c->near);
    if (c->inner != MPI_COMM_NULL)
        PMPI_Comm_free(&c->inner);
    for (int i = 0; i < 3; i++)
        free(c->room[i]);
    return MPI_SUCCESS;
}

/* MPI_COMM_SELF's attributes go first of all in MPI_Finalize, whichever language calls it. */
static int finish(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    pmpi_report();
    return MPI_SUCCESS;
}

static void start(void)
{
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &keyval, NULL);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finish, &end_keyval, NULL);
    PMPI_Comm_set_attr(MPI_COMM_SELF, end_keyval, NULL);
}

/* Do all ranks want the same, and can all? Collective: the first of ours on this communicator. */
static void agree(MPI_Comm comm, pmpi_comm *c)
{
    const uint32_t crc = pmpi_settings_crc();
    long mine[2] = {(long)crc, -(long)crc}, most[2];
    if (PMPI_Allreduce(mine, most, 2, MPI_LONG, MPI_MAX, comm) != MPI_SUCCESS || most[0] != -most[1])
        c->reason = PMPI_SCHEDULE;
    else if (PMPI_Comm_dup(comm, &c->inner) == MPI_SUCCESS) {
        PMPI_Comm_set_errhandler(c->inner, MPI_ERRORS_RETURN);
        c->near = pmpi_settings_get()->shared ? gfab_mpi_near_create(c->inner) : NULL;
    } else
        c->reason = PMPI_SCHEDULE;
}

static pmpi_comm *create(MPI_Comm comm)
{
    pmpi_comm *c = calloc(1, sizeof *c);
    int inter = 0;
    if (!c)
        PMPI_Abort(comm, 1); /* one rank alone may lack memory, and the others would wait for it */
    c->inner = MPI_COMM_NULL;
    for (int i = 0; i < GFAB_COLLECTIVES; i++)
        c->switch_bytes[i] = pmpi_settings_get()->switch_bytes;
    PMPI_Comm_test_inter(comm, &inter);
    PMPI_Comm_size(comm, &c->ranks);
    PMPI_Comm_rank(comm, &c->rank);
    if (inter)
        c->reason = PMPI_INTERCOMM;
    else if (c->ranks == 1)
        c->reason = PMPI_ONE_RANK;
    else if (c->ranks > PMPI_MOST_RANKS)
        c->reason = PMPI_SIZE;
    else if (pmpi_settings_get()->fault[0])
        c->reason = PMPI_OFF;
    else
        agree(comm, c);
    PMPI_Comm_set_attr(comm, keyval, c);
    return c;
}

const pmpi_comm *pmpi_comm_known(MPI_Comm comm)
{
    return last.own && last.comm == comm && last.when == dropped ? last.own : NULL;
}

pmpi_comm *pmpi_comm_of(MPI_Comm comm, pmpi_reason *reason)
{
    pmpi_comm *c = NULL;
    int found = 0;
    if (last.own && last.comm == comm && last.when == dropped)
        return last.own;
    (void)pthread_once(&once, start);
    PMPI_Comm_get_attr(comm, keyval, &c, &found);
    if (!found)
        c = create(comm);
    *reason = c->reason;
    if (c->inner == MPI_COMM_NULL)
        return NULL;
    last.comm = comm;
    last.own = c;
    last.when = dropped;
    return c;
}

int pmpi_comm_size(const pmpi_comm *c)
{
    return c->ranks;
}

int pmpi_comm_rank(const pmpi_comm *c)
{
    return c->rank;
}

/* Where the plan stands; NULL where memory runs out. */
static gfab_mpi_plan **place_of(pmpi_comm *c, gfab_collective collective, int root, bool cut)
{
    if (!gfab_collective_has_root(collective))
        return &c->plans[collective][cut];
    gfab_mpi_plan ***rooted = &c->rooted[collective == GFAB_REDUCE][cut];
    if (!*rooted)
        *rooted = calloc((size_t)c->ranks, sizeof **rooted);
    return *rooted ? *rooted + root : NULL;
}

static gfab_mpi_plan *plan_of(pmpi_comm *c, gfab_collective collective, int root, bool cut)
{
    const pmpi_key key = {c->ranks, collective, root, cut};
    gfab_mpi_plan **place = place_of(c, collective, root, cut);
    if (!place)
        PMPI_Abort(c->inner, 1);
    if (*place || c->none[collective][cut])
        return *place;
    const gfab_schedule *schedule = pmpi_schedule(&key, NULL);
    int mine = schedule ? 1 : 0, all = 0;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, c->inner);
    if (!all || gfab_mpi_plan_borrow(schedule, c->inner, place, NULL) != GFAB_OK)
        c->none[collective][cut] = true;
    else {
        gfab_mpi_plan_take_gaps(*place);
        gfab_mpi_plan_use_near(*place, c->near);
    }
    return *place;
}

/* The first time that a vector is not quite short. */
static void measure(pmpi_comm *c, gfab_collective collective, int root)
{
    gfab_mpi_plan *const plans[2] = {plan_of(c, collective, root, false), plan_of(c, collective, root, true)};
    c->switch_bytes[collective] = plans[0] && plans[1] ? pmpi_measure(c->inner, plans, collective) : 0;
}

gfab_mpi_plan *pmpi_comm_plan(pmpi_comm *c, gfab_collective collective, int root, size_t bytes)
{
    const bool pair = collective == GFAB_BROADCAST && c->ranks == 2; /* one message does it */
    const bool alike =
        pair || collective == GFAB_BARRIER || collective == GFAB_REDUCE_SCATTER || collective == GFAB_REDUCE;
    if (!alike && c->switch_bytes[collective] < 0 && bytes >= PMPI_SHORT)
        measure(c, collective, root);
    const long from = c->switch_bytes[collective];
    return plan_of(c, collective, root, !alike && from >= 0 && bytes >= (size_t)from);
}

void *pmpi_comm_room(pmpi_comm *c, int which, size_t bytes)
{
    if (c->room[which] && bytes <= c->size[which])
        return c->room[which];
    free(c->room[which]);
    c->room[which] = malloc(bytes + 1);
    c->size[which] = c->room[which] ? bytes : 0;
    return c->room[which];
}
