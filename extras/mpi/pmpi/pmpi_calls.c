/* SPDX-License-Identifier: MIT */
/* MPI's names. Wrong arguments are given to MPI itself, which says what is wrong with them and waits for nobody. */
#include "pmpi.h"

#include <string.h>

/* ---- shall it be taken? ---- */

/* The communicator's own, and the plan, where the call can be taken. */
typedef struct taking {
    pmpi_comm *comm;
    gfab_mpi_plan *plan;
} taking;

static bool own(pmpi_call call, pmpi_reason reason)
{
    pmpi_count(call, reason);
    return false;
}

/* Of arguments that are right. Collective. */
static bool take(pmpi_call call, gfab_collective collective, int root, size_t bytes, MPI_Comm comm, taking *t)
{
    pmpi_reason reason = PMPI_OFF;
    if (pmpi_settings_get()->off & 1u << call)
        return own(call, PMPI_OFF);
    t->comm = pmpi_comm_of(comm, &reason);
    if (!t->comm)
        return own(call, reason);
    if (bytes >= PMPI_TOO_LONG)
        return own(call, PMPI_SIZE);
    t->plan = pmpi_comm_plan(t->comm, collective, root, bytes);
    return t->plan || own(call, PMPI_SCHEDULE);
}

/* 0 for an intercommunicator, too, whose roots are others. */
static int size_of(MPI_Comm comm)
{
    int size = 0, inter = 0;
    const pmpi_comm *known = comm == MPI_COMM_NULL ? NULL : pmpi_comm_known(comm);
    if (known)
        return pmpi_comm_size(known);
    if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter)
        return 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

/* MPI's code, by the communicator's error handler where it is an error. */
static int finish(pmpi_call call, const taking *t, gfab_status status, MPI_Comm comm)
{
    pmpi_count(call, PMPI_TAKEN);
    if (status == GFAB_OK)
        return MPI_SUCCESS;
    const int code = status == GFAB_ERR_IO          ? gfab_mpi_plan_error(t->plan)
                     : status == GFAB_ERR_NO_MEMORY ? MPI_ERR_NO_MEM
                                                    : MPI_ERR_INTERN;
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

static int fail(MPI_Comm comm, int code)
{
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

/* ---- sums ---- */

/* A reduction of the caller: counts are the same at all ranks, given and got its own elements. */
typedef struct sum {
    const int *counts;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Comm comm;
    size_t given, got;
    pmpi_type about;
} sum;

/* What a reduction needs of its type and operator; the same at all ranks. */
static bool check_sum(pmpi_call call, int count, sum *s)
{
    if (s->comm != MPI_COMM_NULL && size_of(s->comm) == 0)
        return own(call, PMPI_INTERCOMM);
    if (s->comm == MPI_COMM_NULL || count < 0 || s->op == MPI_OP_NULL || !pmpi_type_of(s->type, &s->about) ||
        !pmpi_op_takes(s->op, s->type))
        return own(call, PMPI_ARGUMENTS);
    return s->about.adds || own(call, PMPI_TYPE);
}

/* A schedule for an operator that does not commute adds up in the order of the ranks. */
static bool in_order(pmpi_call call, const taking *t, MPI_Op op)
{
    int commutes = 1;
    if (gfab_mpi_plan_is_ordered(t->plan))
        return true;
    PMPI_Op_commutative(op, &commutes);
    return commutes || own(call, PMPI_OPERATOR);
}

/* A reduction whose elements have gaps is made in rooms of our own. which: 0 what is given, 1 what is got. */
static void *room_for(const taking *t, int which, size_t elements, const pmpi_type *about, MPI_Comm comm)
{
    void *room = pmpi_comm_room(t->comm, which, elements * (size_t)about->extent);
    if (!room)
        PMPI_Abort(comm, MPI_ERR_NO_MEM); /* the others would wait */
    return room;
}

typedef gfab_status (*reduction)(gfab_mpi_plan *plan, const void *send, void *receive, const sum *s);

static gfab_status all_reduce(gfab_mpi_plan *plan, const void *send, void *receive, const sum *s)
{
    return gfab_mpi_allreduce(plan, send, receive, s->counts[0], s->type, s->op, NULL);
}

static gfab_status reduce(gfab_mpi_plan *plan, const void *send, void *receive, const sum *s)
{
    return gfab_mpi_reduce(plan, send, receive, s->counts[0], s->type, s->op, NULL);
}

static gfab_status reduce_scatter(gfab_mpi_plan *plan, const void *send, void *receive, const sum *s)
{
    return gfab_mpi_reduce_scatterv(plan, send, receive, s->counts, s->type, s->op, NULL);
}

/* From send (MPI_IN_PLACE: from receive) to receive. */
static gfab_status run_sum(const taking *t, reduction run, const void *send, void *receive, const sum *s)
{
    const size_t given = s->given, size = s->about.size;
    const bool gaps = (size_t)s->about.extent != size;
    const void *from = send == MPI_IN_PLACE ? receive : send;
    if (!gaps && send != MPI_IN_PLACE)
        return run(t->plan, send, receive, s);
    if (!gaps && given == s->got && run != reduce_scatter)
        return run(t->plan, MPI_IN_PLACE, receive, s);
    void *data = room_for(t, 0, given, &s->about, s->comm);
    if (!gaps) {
        memcpy(data, from, given * size);
        return run(t->plan, data, receive, s);
    }
    void *result = room_for(t, 1, s->got, &s->about, s->comm);
    void *packed = room_for(t, 2, given > s->got ? given : s->got, &s->about, s->comm);
    memset(data, 0, given * (size_t)s->about.extent);
    pmpi_copy(from, data, given, s->type, size, packed);
    GFAB_TRY(run(t->plan, data, result, s));
    if (s->got)
        pmpi_copy(result, receive, s->got, s->type, size, packed);
    return GFAB_OK;
}

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    const pmpi_call call = PMPI_ALLREDUCE;
    sum s = {&count, type, op, comm, (size_t)count, (size_t)count, {0}};
    taking t;
    if (!check_sum(call, count, &s) ||
        !take(call, GFAB_ALL_REDUCE, 0, pmpi_bytes(s.given, (size_t)s.about.extent), comm, &t) ||
        !in_order(call, &t, op))
        return PMPI_Allreduce(send, receive, count, type, op, comm);
    return finish(call, &t, run_sum(&t, all_reduce, send, receive, &s), comm);
}

int MPI_Reduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    const pmpi_call call = PMPI_REDUCE;
    const int size = size_of(comm);
    sum s = {&count, type, op, comm, (size_t)count, 0, {0}};
    taking t;
    if (size > 0 && (root < 0 || root >= size))
        pmpi_count(call, PMPI_ARGUMENTS);
    if ((size > 0 && (root < 0 || root >= size)) || !check_sum(call, count, &s) ||
        !take(call, GFAB_REDUCE, root, pmpi_bytes(s.given, (size_t)s.about.extent), comm, &t) ||
        !in_order(call, &t, op))
        return PMPI_Reduce(send, receive, count, type, op, root, comm);
    s.got = pmpi_comm_rank(t.comm) == root ? s.given : 0;
    return finish(call, &t, run_sum(&t, reduce, send, receive, &s), comm);
}

/* Each rank gets its own count. */
static bool take_scatter(pmpi_call call, sum *s, taking *t)
{
    const int size = size_of(s->comm);
    for (int r = 0; r < size; r++) {
        if (!s->counts || s->counts[r] < 0)
            return own(call, PMPI_ARGUMENTS);
        s->given += (size_t)s->counts[r];
    }
    if (!check_sum(call, 0, s) ||
        !take(call, GFAB_REDUCE_SCATTER, 0, pmpi_bytes(s->given, (size_t)s->about.extent), s->comm, t) ||
        !in_order(call, t, s->op))
        return false;
    s->got = (size_t)s->counts[pmpi_comm_rank(t->comm)];
    return true;
}

int MPI_Reduce_scatter(const void *send, void *receive, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    const pmpi_call call = PMPI_REDUCE_SCATTER;
    sum s = {counts, type, op, comm, 0, 0, {0}};
    taking t;
    if (!take_scatter(call, &s, &t))
        return PMPI_Reduce_scatter(send, receive, counts, type, op, comm);
    return finish(call, &t, run_sum(&t, reduce_scatter, send, receive, &s), comm);
}

int MPI_Reduce_scatter_block(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    const pmpi_call call = PMPI_REDUCE_SCATTER_BLOCK;
    int counts[PMPI_MOST_RANKS];
    const int size = size_of(comm);
    sum s = {counts, type, op, comm, 0, 0, {0}};
    taking t;
    for (int r = 0; r < size && r < PMPI_MOST_RANKS; r++)
        counts[r] = count;
    if (size > PMPI_MOST_RANKS)
        pmpi_count(call, PMPI_SIZE);
    if (size > PMPI_MOST_RANKS || !take_scatter(call, &s, &t))
        return PMPI_Reduce_scatter_block(send, receive, count, type, op, comm);
    return finish(call, &t, run_sum(&t, reduce_scatter, send, receive, &s), comm);
}

/* ---- what is moved as it is ---- */

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const pmpi_call call = PMPI_BCAST;
    const int size = size_of(comm);
    pmpi_type about;
    taking t;
    if (count < 0 || size == 0 || root < 0 || root >= size || !pmpi_type_of(type, &about)) {
        pmpi_count(call, size == 0 && comm != MPI_COMM_NULL ? PMPI_INTERCOMM : PMPI_ARGUMENTS);
        return PMPI_Bcast(buffer, count, type, root, comm);
    }
    const size_t bytes = pmpi_bytes((size_t)count, about.size);
    if (!take(call, GFAB_BROADCAST, root, bytes, comm, &t))
        return PMPI_Bcast(buffer, count, type, root, comm);
    if (bytes == 0)
        return finish(call, &t, GFAB_OK, comm);
    if (about.plain)
        return finish(call, &t, gfab_mpi_broadcast(t.plan, buffer, (int)bytes, MPI_BYTE, NULL), comm);
    const pmpi_type byte = {1, 1, true, true};
    void *data = room_for(&t, 0, bytes, &byte, comm);
    int code = MPI_SUCCESS;
    if (pmpi_comm_rank(t.comm) == root)
        code = pmpi_pack(buffer, count, type, data, bytes);
    const gfab_status status = gfab_mpi_broadcast(t.plan, data, (int)bytes, MPI_BYTE, NULL);
    if (status == GFAB_OK && code == MPI_SUCCESS && pmpi_comm_rank(t.comm) != root)
        code = pmpi_unpack(data, bytes, buffer, count, type);
    return code != MPI_SUCCESS ? fail(comm, code) : finish(call, &t, status, comm);
}

/* One rank's part of a receive buffer: elements from start on, which may lie before it. */
static void *part_of(void *buffer, MPI_Aint start, const pmpi_type *about)
{
    return (char *)buffer + start * about->extent;
}

/* Counts and starts of an all-gather, in elements; NULL: `count` each, one behind the other. */
typedef struct layout {
    const int *counts, *starts;
    int count, ranks;
    pmpi_type about;
    MPI_Datatype type;
} layout;

static int count_at(const layout *l, int rank)
{
    return l->counts ? l->counts[rank] : l->count;
}

static MPI_Aint start_at(const layout *l, int rank)
{
    return l->starts ? l->starts[rank] : (MPI_Aint)rank * l->count;
}

/* Plain data in the order of the ranks is gathered where it is wanted. */
static bool is_in_order(const layout *l)
{
    size_t start = 0;
    for (int r = 0; r < l->ranks && l->starts; r++) {
        if (l->starts[r] < 0 || (size_t)l->starts[r] != start)
            return false;
        start += (size_t)l->counts[r];
    }
    return l->about.plain;
}

/* Bytes of each rank, one behind the other, to where they belong. */
static int deal(const layout *l, const char *data, void *receive, int but)
{
    int code = MPI_SUCCESS;
    for (int r = 0; r < l->ranks && code == MPI_SUCCESS; r++) {
        const size_t bytes = (size_t)count_at(l, r) * l->about.size;
        if (r != but && bytes)
            code = pmpi_unpack(data, bytes, part_of(receive, start_at(l, r), &l->about), count_at(l, r), l->type);
        data += bytes;
    }
    return code;
}

/* What a rank gives, and where results go. */
typedef struct giving {
    const void *send;
    int count;
    MPI_Datatype type;
    pmpi_type about;
    void *receive;
} giving;

/* given: the caller's own elements, as bytes. A rank that gives more than there is room for says so in the end, and
 * nobody waits for it. */
static int gather(pmpi_call call, const taking *t, const layout *l, giving own, MPI_Comm comm)
{
    const void *send = own.send;
    void *receive = own.receive;
    const int rank = pmpi_comm_rank(t->comm);
    const pmpi_type byte = {1, 1, true, true};
    const bool placed = is_in_order(l);
    const void *from = MPI_IN_PLACE;
    size_t total = 0, before = 0;
    int bytes[PMPI_MOST_RANKS], code = MPI_SUCCESS;
    for (int r = 0; r < l->ranks; r++) {
        before = r == rank ? total : before;
        bytes[r] = (int)((size_t)count_at(l, r) * l->about.size);
        total += (size_t)bytes[r];
    }
    char *data = placed ? receive : room_for(t, 0, total, &byte, comm);
    if (send != MPI_IN_PLACE && !pmpi_type_of(own.type, &own.about))
        code = MPI_ERR_TYPE;
    const size_t given = send == MPI_IN_PLACE ? (size_t)bytes[rank] : pmpi_bytes((size_t)own.count, own.about.size);
    if (given > (size_t)bytes[rank])
        code = MPI_ERR_TRUNCATE;
    else if (send == MPI_IN_PLACE && !placed)
        code = pmpi_pack(part_of(receive, start_at(l, rank), &l->about), count_at(l, rank), l->type, data + before,
                         (size_t)bytes[rank]);
    else if (send != MPI_IN_PLACE && own.about.plain && given == (size_t)bytes[rank])
        from = send;
    else if (send != MPI_IN_PLACE && given)
        code = pmpi_pack(send, own.count, own.type, data + before, given);
    const gfab_status status = l->counts ? gfab_mpi_allgatherv(t->plan, from, data, bytes, MPI_BYTE, NULL)
                                         : gfab_mpi_allgather(t->plan, from, data, bytes[0], MPI_BYTE, NULL);
    if (!placed && status == GFAB_OK && code == MPI_SUCCESS)
        code = deal(l, data, receive, send == MPI_IN_PLACE ? rank : -1);
    return code != MPI_SUCCESS ? fail(comm, code) : finish(call, t, status, comm);
}

int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *receive, int count, MPI_Datatype type,
                  MPI_Comm comm)
{
    const pmpi_call call = PMPI_ALLGATHER;
    layout l = {NULL, NULL, count, size_of(comm), {0}, type};
    taking t;
    if (count < 0 || l.ranks == 0 || !pmpi_type_of(type, &l.about) ||
        (send != MPI_IN_PLACE && (send_count < 0 || send_type == MPI_DATATYPE_NULL))) {
        pmpi_count(call, l.ranks == 0 && comm != MPI_COMM_NULL ? PMPI_INTERCOMM : PMPI_ARGUMENTS);
        return PMPI_Allgather(send, send_count, send_type, receive, count, type, comm);
    }
    const size_t bytes = pmpi_bytes((size_t)count * (size_t)l.ranks, l.about.size);
    if (!take(call, GFAB_ALL_GATHER, 0, bytes, comm, &t))
        return PMPI_Allgather(send, send_count, send_type, receive, count, type, comm);
    return gather(call, &t, &l, (giving){send, send_count, send_type, {0}, receive}, comm);
}

int MPI_Allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive, const int counts[],
                   const int starts[], MPI_Datatype type, MPI_Comm comm)
{
    const pmpi_call call = PMPI_ALLGATHERV;
    layout l = {counts, starts, 0, size_of(comm), {0}, type};
    taking t;
    size_t total = 0;
    bool good = l.ranks > 0 && counts && starts && pmpi_type_of(type, &l.about) &&
                (send == MPI_IN_PLACE || (send_count >= 0 && send_type != MPI_DATATYPE_NULL));
    for (int r = 0; r < l.ranks && good; r++) {
        good = counts[r] >= 0;
        total += good ? (size_t)counts[r] : 0;
    }
    if (!good) {
        pmpi_count(call, l.ranks == 0 && comm != MPI_COMM_NULL ? PMPI_INTERCOMM : PMPI_ARGUMENTS);
        return PMPI_Allgatherv(send, send_count, send_type, receive, counts, starts, type, comm);
    }
    if (!take(call, GFAB_ALL_GATHER, 0, pmpi_bytes(total, l.about.size), comm, &t))
        return PMPI_Allgatherv(send, send_count, send_type, receive, counts, starts, type, comm);
    return gather(call, &t, &l, (giving){send, send_count, send_type, {0}, receive}, comm);
}

/* As bytes, in rooms where a type is not plain or the data is in place. l: of what each rank gets from each. */
static int transpose(const taking *t, const layout *l, giving own, MPI_Comm comm)
{
    const pmpi_type byte = {1, 1, true, true};
    const size_t ranks = (size_t)l->ranks, each = (size_t)l->count * l->about.size;
    const bool in_place = own.send == MPI_IN_PLACE;
    const char *from = own.send;
    char *to = own.receive;
    int code = MPI_SUCCESS;
    if (in_place || !own.about.plain) {
        char *data = room_for(t, 0, ranks * each, &byte, comm);
        code = in_place ? pmpi_pack(own.receive, l->count * l->ranks, l->type, data, ranks * each)
                        : pmpi_pack(own.send, own.count * l->ranks, own.type, data, ranks * each);
        from = data;
    }
    if (!l->about.plain)
        to = room_for(t, 1, ranks * each, &byte, comm);
    const gfab_status status = gfab_mpi_alltoall(t->plan, from, to, (int)each, MPI_BYTE, NULL);
    if (status == GFAB_OK && code == MPI_SUCCESS && !l->about.plain)
        code = pmpi_unpack(to, ranks * each, own.receive, l->count * l->ranks, l->type);
    return code != MPI_SUCCESS ? fail(comm, code) : finish(PMPI_ALLTOALL, t, status, comm);
}

int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive, int count, MPI_Datatype type,
                 MPI_Comm comm)
{
    const pmpi_call call = PMPI_ALLTOALL;
    layout l = {NULL, NULL, count, size_of(comm), {0}, type};
    giving own = {send, send_count, send_type, {0}, receive};
    taking t;
    bool good = count >= 0 && l.ranks > 0 && pmpi_type_of(type, &l.about);
    if (good && send != MPI_IN_PLACE)
        good = send_count >= 0 && pmpi_type_of(send_type, &own.about) &&
               pmpi_bytes((size_t)send_count, own.about.size) == pmpi_bytes((size_t)count, l.about.size);
    if (!good) {
        pmpi_count(call, l.ranks == 0 && comm != MPI_COMM_NULL ? PMPI_INTERCOMM : PMPI_ARGUMENTS);
        return PMPI_Alltoall(send, send_count, send_type, receive, count, type, comm);
    }
    const size_t bytes = pmpi_bytes((size_t)count * (size_t)l.ranks, l.about.size);
    if (!take(call, GFAB_ALL_TO_ALL, 0, bytes, comm, &t))
        return PMPI_Alltoall(send, send_count, send_type, receive, count, type, comm);
    if (bytes == 0)
        return finish(call, &t, GFAB_OK, comm);
    return transpose(&t, &l, own, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    const pmpi_call call = PMPI_BARRIER;
    taking t;
    if (size_of(comm) == 0) {
        pmpi_count(call, comm == MPI_COMM_NULL ? PMPI_ARGUMENTS : PMPI_INTERCOMM);
        return PMPI_Barrier(comm);
    }
    if (!take(call, GFAB_BARRIER, 0, 0, comm, &t))
        return PMPI_Barrier(comm);
    return finish(call, &t, gfab_mpi_barrier(t.plan, NULL), comm);
}
