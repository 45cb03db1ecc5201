/* SPDX-License-Identifier: MIT */
/* A plan carried out. Nothing here depends on time or on the order in which messages come. */
#include "plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The arguments of a call. */
typedef struct call {
    const char *send; /* NULL: the caller's data is in the receive buffer */
    char *receive;
    int count;
    MPI_Datatype type;
    MPI_Op op;
    size_t size; /* of an element, bytes */
} call;

/* ---- lengths ---- */

size_t gfab_mpi_send_count(const gfab_mpi_plan *plan, uint32_t rank, int count)
{
    if (plan->member_of[rank] == GFAB_NO_RANK)
        return 0;
    switch (plan->goal.collective) {
    case GFAB_ALL_GATHER:
        return plan->first ? plan_piece_end(plan, plan->first[rank + 1] - plan->first[rank], count) : (size_t)count;
    case GFAB_REDUCE_SCATTER:
    case GFAB_ALL_TO_ALL:
        return (size_t)plan->members * (size_t)count;
    case GFAB_BROADCAST:
        return plan->member_of[rank] == plan->goal.root ? (size_t)count : 0;
    default:
        return (size_t)count;
    }
}

size_t gfab_mpi_receive_count(const gfab_mpi_plan *plan, uint32_t rank, int count)
{
    size_t sum = 0;
    if (plan->member_of[rank] == GFAB_NO_RANK)
        return 0;
    switch (plan->goal.collective) {
    case GFAB_ALL_GATHER:
        for (uint32_t v = 0; v < plan->nodes; v++)
            sum += gfab_mpi_send_count(plan, v, count);
        return sum;
    case GFAB_ALL_TO_ALL:
        return (size_t)plan->members * (size_t)count;
    case GFAB_REDUCE:
        return plan->member_of[rank] == plan->goal.root ? (size_t)count : 0;
    default:
        return (size_t)count;
    }
}

/* Where blocks and messages are, and how long, for this count. */
static void lay_out(gfab_mpi_plan *plan, int count)
{
    size_t ends[2] = {0, 0}, source = 0;
    for (plan_place *p = plan->places; p < plan->places + plan->place_count; p++) {
        p->length = plan_piece_end(plan, p->piece + (uint64_t)1, count) - plan_piece_end(plan, p->piece, count);
        p->home = ends[p->wanted];
        p->source = source;
        ends[p->wanted] += p->length;
        source += p->held ? p->length : 0;
    }
    plan->scratch_length = ends[0];
    plan->stage_length = 0;
    for (const plan_round *round = plan->rounds; round < plan->rounds + plan->round_count; round++) {
        size_t stage = 0;
        for (plan_message *m = plan->messages + round->receives; m < plan->messages + round->end; m++) {
            m->length = 0;
            for (size_t i = 0; i < m->count; i++)
                m->length += plan->places[plan->entries[m->first + i] & ~GFAB_COMBINE].length;
            m->stage = stage;
            stage += m->staged ? m->length : 0;
        }
        plan->stage_length = stage > plan->stage_length ? stage : plan->stage_length;
    }
    plan->laid_out = count;
}

/* Grows with what is asked for; what is in it is lost. */
static bool reserve(char **memory, size_t *size, size_t needed)
{
    if (*memory && needed <= *size)
        return true;
    free(*memory);
    *memory = malloc(needed + 1);
    *size = *memory ? needed : 0;
    return *memory;
}

static gfab_status prepare(gfab_mpi_plan *plan, call *c, gfab_diag *diag)
{
    MPI_Aint low, extent;
    int size;
    if (c->count < 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a count of %d; 0 is the least", c->count);
    MPI_Type_size(c->type, &size);
    MPI_Type_get_extent(c->type, &low, &extent);
    if (size <= 0 || low != 0 || extent != size)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED, "an MPI type with gaps; take one without");
    c->size = (size_t)size;
    if ((uint64_t)plan->most_tokens * ((uint64_t)c->count / plan->pieces + 1) > INT_MAX)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "packets of 2^31 elements or more: take a smaller count");
    if (plan->laid_out != c->count)
        lay_out(plan, c->count);
    if (!reserve(&plan->scratch, &plan->scratch_size, plan->scratch_length * c->size) ||
        !reserve(&plan->stage, &plan->stage_size, plan->stage_length * c->size))
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    return GFAB_OK;
}

/* ---- rounds ---- */

static char *home_of(const gfab_mpi_plan *plan, const call *c, uint32_t entry)
{
    const plan_place *place = &plan->places[entry & ~GFAB_COMBINE];
    return (place->wanted ? c->receive : plan->scratch) + place->home * c->size;
}

static char *message_data(const gfab_mpi_plan *plan, const call *c, const plan_message *message)
{
    return message->staged ? plan->stage + message->stage * c->size : home_of(plan, c, plan->entries[message->first]);
}

static void copy(void *to, const void *from, size_t size)
{
    if (size != 0)
        memcpy(to, from, size);
}

static void pack(const gfab_mpi_plan *plan, const call *c, const plan_message *message)
{
    char *at = message_data(plan, c, message);
    for (size_t i = 0; i < message->count; i++) {
        const uint32_t entry = plan->entries[message->first + i];
        const size_t size = plan->places[entry & ~GFAB_COMBINE].length * c->size;
        copy(at, home_of(plan, c, entry), size);
        at += size;
    }
}

/* old op message, as MPI_Reduce_local has it but for the order of the two, which no commutative operator minds. */
static int unpack(const gfab_mpi_plan *plan, const call *c, const plan_message *message)
{
    const char *at = message_data(plan, c, message);
    for (size_t i = 0; i < message->count; i++) {
        const uint32_t entry = plan->entries[message->first + i];
        const size_t length = plan->places[entry & ~GFAB_COMBINE].length;
        int code = MPI_SUCCESS;
        if (!(entry & GFAB_COMBINE))
            copy(home_of(plan, c, entry), at, length * c->size);
        else if (length != 0)
            code = MPI_Reduce_local(at, home_of(plan, c, entry), (int)length, c->type, c->op);
        if (code != MPI_SUCCESS)
            return code;
        at += length * c->size;
    }
    return MPI_SUCCESS;
}

static int carry_round(gfab_mpi_plan *plan, const call *c, const plan_round *round)
{
    MPI_Request *request = plan->requests;
    int code = MPI_SUCCESS;
    for (size_t i = round->receives; i < round->sends && code == MPI_SUCCESS; i++) {
        const plan_message *m = &plan->messages[i];
        code =
            MPI_Irecv(message_data(plan, c, m), (int)m->length, c->type, m->peer, m->direction, plan->comm, request++);
    }
    for (size_t i = round->sends; i < round->end && code == MPI_SUCCESS; i++) {
        const plan_message *m = &plan->messages[i];
        if (m->staged)
            pack(plan, c, m);
        code =
            MPI_Isend(message_data(plan, c, m), (int)m->length, c->type, m->peer, m->direction, plan->comm, request++);
    }
    /* One by one: MPI_Waitall without statuses is a warning of GCC's where MPI is MPICH. */
    for (MPI_Request *waited = plan->requests; waited < request && code == MPI_SUCCESS; waited++)
        code = MPI_Wait(waited, MPI_STATUS_IGNORE);
    for (size_t i = round->receives; i < round->sends && code == MPI_SUCCESS; i++)
        if (plan->messages[i].staged)
            code = unpack(plan, c, &plan->messages[i]);
    return code;
}

static gfab_status carry(gfab_mpi_plan *plan, call c, gfab_diag *diag)
{
    const gfab_status status = prepare(plan, &c, diag);
    int code = MPI_SUCCESS;
    if (status != GFAB_OK)
        return status;
    for (uint32_t p = 0; c.send && p < plan->place_count; p++)
        if (plan->places[p].held)
            copy(home_of(plan, &c, p), c.send + plan->places[p].source * c.size, plan->places[p].length * c.size);
    for (size_t i = 0; i < plan->round_count && code == MPI_SUCCESS; i++)
        code = carry_round(plan, &c, &plan->rounds[i]);
    if (code != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        MPI_Error_string(code, text, &length);
        return gfab_fail(diag, 0, GFAB_ERR_IO, "MPI: %s", text);
    }
    return GFAB_OK;
}

/* ---- the calls ---- */

static gfab_status check_goal(const gfab_mpi_plan *plan, gfab_collective wanted, gfab_diag *diag)
{
    if (plan->goal.collective == wanted)
        return GFAB_OK;
    return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the plan is of another collective: %s, not %s",
                     gfab_collective_name(plan->goal.collective), gfab_collective_name(wanted));
}

gfab_status gfab_mpi_allgather(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                               gfab_diag *diag)
{
    const gfab_status status = check_goal(plan, GFAB_ALL_GATHER, diag);
    const call c = {send == MPI_IN_PLACE ? NULL : send, receive, count, type, MPI_OP_NULL, 0};
    return status != GFAB_OK ? status : carry(plan, c, diag);
}

gfab_status gfab_mpi_reduce_scatter(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                                    MPI_Op op, gfab_diag *diag)
{
    const gfab_status status = check_goal(plan, GFAB_REDUCE_SCATTER, diag);
    return status != GFAB_OK ? status : carry(plan, (call){send, receive, count, type, op, 0}, diag);
}

gfab_status gfab_mpi_allreduce(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                               MPI_Op op, gfab_diag *diag)
{
    const bool barrier = plan->goal.collective == GFAB_BARRIER;
    const gfab_status status = barrier ? GFAB_OK : check_goal(plan, GFAB_ALL_REDUCE, diag);
    const call c = {send == MPI_IN_PLACE ? NULL : send, receive, count, type, op, 0};
    return status != GFAB_OK ? status : carry(plan, c, diag);
}

gfab_status gfab_mpi_broadcast(gfab_mpi_plan *plan, void *buffer, int count, MPI_Datatype type, gfab_diag *diag)
{
    const gfab_status status = check_goal(plan, GFAB_BROADCAST, diag);
    return status != GFAB_OK ? status : carry(plan, (call){NULL, buffer, count, type, MPI_OP_NULL, 0}, diag);
}

gfab_status gfab_mpi_reduce(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                            MPI_Op op, gfab_diag *diag)
{
    const gfab_status status = check_goal(plan, GFAB_REDUCE, diag);
    const call c = {send == MPI_IN_PLACE ? NULL : send, receive, count, type, op, 0};
    return status != GFAB_OK ? status : carry(plan, c, diag);
}

gfab_status gfab_mpi_barrier(gfab_mpi_plan *plan, gfab_diag *diag)
{
    char nothing;
    const gfab_status status = check_goal(plan, GFAB_BARRIER, diag);
    return status != GFAB_OK ? status : carry(plan, (call){NULL, &nothing, 0, MPI_BYTE, MPI_OP_NULL, 0}, diag);
}

gfab_status gfab_mpi_alltoall(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                              gfab_diag *diag)
{
    const gfab_status status = check_goal(plan, GFAB_ALL_TO_ALL, diag);
    return status != GFAB_OK ? status : carry(plan, (call){send, receive, count, type, MPI_OP_NULL, 0}, diag);
}
