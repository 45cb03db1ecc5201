/* SPDX-License-Identifier: MIT */
/* A plan carried out. Nothing here depends on time or on the order in which messages come. */
#include "plan.h"

#include "near.h"

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
    const int *counts;       /* NULL: the same for all; else of each member, and count is the greatest */
    int minds;               /* in which order ranks are added up */
    size_t size;             /* of an element, bytes */
    uint64_t pieces, groups; /* of count elements: an owner's, and groups of them */
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

/* The elements of the longest piece. */
static size_t longest_piece(const gfab_mpi_plan *plan, int count)
{
    if (!plan->granule)
        return (size_t)count / plan->pieces + 1;
    return plan->granule < (size_t)count ? plan->granule : (size_t)count;
}

/* Where blocks are, and how long, for the counts of this call: what the call before left is not looked at, which would
 * save nothing that can be measured. Where the plan repeats, each group's blocks have a place of their own that is
 * counted when it is needed; scratch memory is then laid out like all members' data. */
static void lay_out(gfab_mpi_plan *plan, const call *c)
{
    size_t ends[2] = {0, 0}, source = 0;
    const int count = c->count;
    plan->stage_length = plan->scratch_length = 0;
    if (plan->period) {
        const bool shared = plan->share < plan->goal.blocks;
        for (const plan_place *p = plan->places; p < plan->places + plan->place_count; p++)
            if (!p->wanted)
                plan->scratch_length = (shared ? plan->members : 1) * (size_t)count;
        plan->stage_length = plan->most_staged * longest_piece(plan, count);
        return;
    }
    for (plan_place *p = plan->places; p < plan->places + plan->place_count; p++) {
        const int whole = c->counts ? c->counts[p->owner] : count;
        p->length = plan_piece_end(plan, p->piece + (uint64_t)1, whole) - plan_piece_end(plan, p->piece, whole);
        p->home = ends[p->wanted];
        p->source = source;
        ends[p->wanted] += p->length;
        source += p->held ? p->length : 0;
    }
    plan->scratch_length = ends[0];
    for (const plan_round *round = plan->rounds; round < plan->rounds + plan->round_count; round++) {
        size_t stage = 0;
        for (const plan_message *m = plan->messages + round->receives; m < plan->messages + round->end; m++)
            for (size_t i = 0; m->staged && i < m->count; i++)
                stage += plan->places[plan->entries[m->first + i] & PLAN_PLACE].length;
        plan->stage_length = stage > plan->stage_length ? stage : plan->stage_length;
    }
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

/* What the vector, or an owner's part of it, is cut in. */
static gfab_status count_pieces(const gfab_mpi_plan *plan, call *c, gfab_diag *diag)
{
    c->pieces = plan->granule ? ((uint64_t)c->count + plan->granule - 1) / plan->granule : plan->pieces;
    c->groups = plan->period ? (c->pieces + plan->share - 1) / plan->share : 1;
    if (plan->any_length && !plan->granule)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "the schedule is for any number of blocks: say how many elements a "
                         "block has");
    if (plan->granule && plan->first)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "nodes start with different numbers of tokens: no granule");
    if (!plan->period && c->pieces > plan->pieces)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%d elements are %llu blocks of %u; the schedule has %u", c->count,
                         (unsigned long long)c->pieces, plan->granule, plan->pieces);
    return GFAB_OK;
}

/* The bytes of an element. A predefined type stays what it is; another's handle may come to mean another one. */
static gfab_status measure(gfab_mpi_plan *plan, call *c, gfab_diag *diag)
{
    MPI_Aint low, extent, true_low, true_extent;
    int size, integers, addresses, types, combiner;
    if (c->type == plan->named && plan->named != MPI_DATATYPE_NULL) {
        c->size = plan->named_size;
        return GFAB_OK;
    }
    MPI_Type_size(c->type, &size);
    MPI_Type_get_extent(c->type, &low, &extent);
    MPI_Type_get_true_extent(c->type, &true_low, &true_extent);
    MPI_Type_get_envelope(c->type, &integers, &addresses, &types, &combiner);
    const bool apart = low == 0 && true_low >= 0 && true_low + true_extent <= extent; /* the next begins behind it */
    if (size <= 0 || !apart || (plan->gaps ? extent < size : extent != size))
        return GFAB_REFUSE(diag, "an MPI type with gaps, or whose elements overlap or go backwards; take one without");
    c->size = (size_t)extent;
    if (combiner == MPI_COMBINER_NAMED) {
        plan->named = c->type;
        plan->named_size = c->size;
    }
    return GFAB_OK;
}

/* Can the schedule carry it out? Does the order of the contributions matter to it? */
static gfab_status check_operator(const gfab_mpi_plan *plan, call *c, gfab_diag *diag)
{
    int commutes = 1;
    if (c->op != MPI_OP_NULL)
        MPI_Op_commutative(c->op, &commutes);
    c->minds = !commutes || (plan->ordered && (c->op == MPI_MAX || c->op == MPI_MIN)); /* of two zeros, or with NaN */
    if (!commutes && !plan->ordered)
        return GFAB_REFUSE(diag,
                           "an operator that does not commute, and a schedule that adds up ranks in another order");
    if (plan->goal.idempotent && (c->op == MPI_SUM || c->op == MPI_PROD || c->op == MPI_LXOR || c->op == MPI_BXOR))
        return GFAB_REFUSE(
            diag, "a sum, product or exclusive or, and a schedule that may take a contribution more than once");
    return GFAB_OK;
}

static gfab_status prepare(gfab_mpi_plan *plan, call *c, gfab_diag *diag)
{
    for (uint32_t v = 0; c->counts && v < plan->members; v++)
        c->count = c->counts[v] < 0 ? -1 : c->counts[v] > c->count && c->count >= 0 ? c->counts[v] : c->count;
    if (c->counts && (plan->period || plan->first))
        return GFAB_REFUSE(diag, "a schedule that repeats, or of uneven loads: no counts");
    if (c->count < 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a count of %d; 0 is the least", c->count);
    GFAB_TRY(measure(plan, c, diag));
    GFAB_TRY(count_pieces(plan, c, diag));
    GFAB_TRY(check_operator(plan, c, diag));
    if ((uint64_t)plan->most_tokens * longest_piece(plan, c->count) > INT_MAX)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "packets of 2^31 elements or more: take a smaller count");
    lay_out(plan, c);
    if (!reserve(&plan->scratch, &plan->scratch_size, plan->scratch_length * c->size) ||
        !reserve(&plan->stage, &plan->stage_size, plan->stage_length * c->size))
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    return GFAB_OK;
}

/* ---- rounds ---- */

/* A block's elements in one group; source is for what the caller gives. Empty where the group has not the block. */
typedef struct region {
    char *home;
    size_t source, length;
} region;

static region region_of(const gfab_mpi_plan *plan, const call *c, uint32_t entry, uint32_t group)
{
    const plan_place *p = &plan->places[entry & PLAN_PLACE];
    char *memory = p->wanted ? c->receive : plan->scratch;
    if ((entry & PLAN_GIVEN) && c->send && !plan->period) /* read alone */
        return (region){(char *)(uintptr_t)c->send + p->source * c->size, p->source, p->length};
    if (!plan->period)
        return (region){memory + p->home * c->size, p->source, p->length};
    const gfab_collective collective = plan->goal.collective;
    const uint64_t piece = (uint64_t)group * plan->share + p->piece;
    const size_t start = plan_piece_end(plan, piece < c->pieces ? piece : c->pieces, c->count);
    const size_t end = plan_piece_end(plan, piece < c->pieces ? piece + 1 : c->pieces, c->count);
    const size_t before = p->owner * (size_t)c->count;                 /* of the owners before it */
    const bool alone = collective == GFAB_REDUCE_SCATTER && p->wanted; /* the result has its own blocks alone */
    const size_t source = (collective == GFAB_ALL_GATHER ? 0 : before) + start;
    if ((entry & PLAN_GIVEN) && c->send)
        return (region){(char *)(uintptr_t)c->send + source * c->size, source, end - start};
    return (region){memory + ((alone ? 0 : before) + start) * c->size, source, end - start};
}

/* Of two codes of MPI's the first that is an error: a rank goes on after one, so that no other waits for it. */
static int first_of(int code, int next)
{
    return code != MPI_SUCCESS ? code : next;
}

static void copy(void *to, const void *from, size_t size)
{
    if (size != 0)
        memcpy(to, from, size);
}

static void pack(const gfab_mpi_plan *plan, const call *c, const plan_transfer *t)
{
    char *at = t->data;
    for (size_t i = 0; i < t->message->count; i++) {
        const region r = region_of(plan, c, plan->entries[t->message->first + i], t->group);
        copy(at, r.home, r.length * c->size);
        at += r.length * c->size;
    }
}

/* What came, at `at`, with what the rank has of it, `own`, to home: at op own where it is of lower ranks, or where that
 * does not matter. Either may be at home already. */
static int combine(const call *c, uint32_t entry, char *at, char *own, const region *home)
{
    const bool first = c->minds ? entry & PLAN_LOWER : at != home->home;
    int code;
    if (home->length == 0)
        return MPI_SUCCESS;
    if (first) {
        if (own != home->home)
            memcpy(home->home, own, home->length * c->size);
        return MPI_Reduce_local(at, home->home, (int)home->length, c->type, c->op);
    }
    code = MPI_Reduce_local(own, at, (int)home->length, c->type, c->op);
    if (at != home->home)
        memcpy(home->home, at, home->length * c->size);
    return code;
}

static int unpack(const gfab_mpi_plan *plan, const call *c, const plan_transfer *t)
{
    char *at = t->data;
    int code = MPI_SUCCESS;
    for (size_t i = 0; i < t->message->count; i++) {
        const uint32_t entry = plan->entries[t->message->first + i];
        const region r = region_of(plan, c, entry & ~PLAN_GIVEN, t->group);
        if (!(entry & GFAB_COMBINE))
            copy(r.home, at, r.length * c->size);
        else
            code = first_of(code, combine(c, entry, at, region_of(plan, c, entry, t->group).home, &r));
        at += r.length * c->size;
    }
    return code;
}

/* May what comes be added to at its places, with no buffer between? */
static bool comes_straight(const call *c, const plan_message *m)
{
    return m->given && c->send && !(c->minds && m->lower);
}

/* Transfers so far, and elements on the stage. */
typedef struct under_way {
    size_t count, stage;
} under_way;

/* Adds a group's messages of a round, which come or go, but for blocks that the group has not. */
static void add_transfers(const gfab_mpi_plan *plan, const call *c, const plan_part *part, bool come, under_way *all)
{
    const uint32_t group = part->group;
    const size_t end = come ? part->round->sends : part->round->end;
    for (size_t i = come ? part->round->receives : part->round->sends; i < end; i++) {
        const plan_message *m = &plan->messages[i];
        const bool staged = m->staged && !(come && comes_straight(c, m));
        size_t length = 0;
        char *home = NULL;
        for (size_t e = 0; e < m->count; e++) {
            const uint32_t entry = plan->entries[m->first + e];
            const region r = region_of(plan, c, come ? entry & ~PLAN_GIVEN : entry, group);
            home = e == 0 ? r.home : home;
            length += r.length;
        }
        if (plan->period && length == 0)
            continue;
        plan->transfers[all->count++] = (plan_transfer){
            .message = m, .group = group, .data = staged ? plan->stage + all->stage * c->size : home, .length = length};
        all->stage += staged ? length : 0;
    }
}

static bool is_near(const gfab_mpi_plan *plan, size_t bytes)
{
    return plan->near && bytes <= near_room(plan->near);
}

/* What comes is posted, unless ranks share memory: then it is looked for there and by MPI. */
static int post(gfab_mpi_plan *plan, const call *c, size_t receives)
{
    int code = MPI_SUCCESS;
    for (size_t i = 0; i < receives; i++) {
        plan_transfer *t = &plan->transfers[i];
        const plan_message *m = t->message;
        t->pending = plan->near;
        plan->requests[i] = MPI_REQUEST_NULL;
        if (plan->near)
            t->number = near_next_from(plan->near, m->peer);
        else
            code = first_of(code, MPI_Irecv(t->data, (int)t->length, c->type, m->peer, m->direction, plan->comm,
                                            &plan->requests[i]));
    }
    return code;
}

/* Is it the next that MPI has of its sender, over its link? */
static bool is_next(const gfab_mpi_plan *plan, const plan_transfer *t)
{
    for (const plan_transfer *earlier = plan->transfers; earlier < t; earlier++)
        if (earlier->pending && earlier->message->peer == t->message->peer &&
            earlier->message->direction == t->message->direction)
            return false;
    return true;
}

/* True where it has come: on the way that its length says, or on the other, as its sender may see the length otherwise.
 * Nothing is posted, for MPICH has MPI_Test's errors go to MPI_COMM_WORLD. */
static bool look(const gfab_mpi_plan *plan, const call *c, const plan_transfer *t, unsigned looks, int *code)
{
    const plan_message *m = t->message;
    const size_t room = t->length * c->size;
    long bytes = near_take(plan->near, m->peer, t->number, t->data, room);
    int came = 0;
    if (bytes < 0 && (!is_near(plan, room) || near_asks_mpi(plan->near, looks)) && is_next(plan, t)) {
        *code = first_of(*code, MPI_Iprobe(m->peer, m->direction, plan->comm, &came, MPI_STATUS_IGNORE));
        bytes = came ? near_take(plan->near, m->peer, t->number, t->data, room) : -1; /* an earlier one, seen late */
    }
    if (bytes < 0 && came) {
        *code = first_of(
            *code, MPI_Recv(t->data, (int)t->length, c->type, m->peer, m->direction, plan->comm, MPI_STATUS_IGNORE));
        return true;
    }
    if (bytes > (long)room)
        *code = first_of(*code, MPI_ERR_TRUNCATE);
    return bytes >= 0;
}

/* Looks once for all that has not come; true where something has not. */
static bool look_for_all(const gfab_mpi_plan *plan, const call *c, size_t receives, unsigned looks, int *code)
{
    bool pending = false;
    for (size_t i = 0; i < receives; i++) {
        plan_transfer *t = &plan->transfers[i];
        t->pending = t->pending && !look(plan, c, t, looks, code);
        pending = pending || t->pending;
    }
    return pending;
}

/* Through shared memory, whose places the receiver empties: meanwhile what comes is taken. */
static int put(const gfab_mpi_plan *plan, const call *c, const plan_transfer *t, size_t receives, uint32_t number)
{
    int code = MPI_SUCCESS;
    for (unsigned looks = 0; !near_put(plan->near, t->message->peer, number, t->data, t->length * c->size); looks++) {
        (void)look_for_all(plan, c, receives, looks, &code);
        near_rest(plan->near, looks);
    }
    return code;
}

/* Where all receives of a round are posted before its sends a single send may be one that blocks, which MPI does
 * faster: of the ranks in the earliest round each finds its receivers in that round or behind it. */
static int send(gfab_mpi_plan *plan, const call *c, size_t receives, size_t count)
{
    const bool blocks = count - receives == 1 && (!plan->near || receives == 0);
    int code = MPI_SUCCESS;
    for (size_t i = receives; i < count; i++) {
        const plan_transfer *t = &plan->transfers[i];
        const plan_message *m = t->message;
        const uint32_t number = plan->near ? near_next_to(plan->near, m->peer) : 0;
        plan->requests[i] = MPI_REQUEST_NULL;
        if (m->staged)
            pack(plan, c, t);
        if (is_near(plan, t->length * c->size))
            code = first_of(code, put(plan, c, t, receives, number));
        else if (blocks)
            code = first_of(code, MPI_Send(t->data, (int)t->length, c->type, m->peer, m->direction, plan->comm));
        else
            code = first_of(code, MPI_Isend(t->data, (int)t->length, c->type, m->peer, m->direction, plan->comm,
                                            &plan->requests[i]));
    }
    return code;
}

/* One round: both ends of a link see its groups in one order, and so which message is which. */
static int carry_round(gfab_mpi_plan *plan, const call *c, size_t parts)
{
    under_way all = {0, 0};
    for (const plan_part *p = plan->parts; p < plan->parts + parts; p++)
        add_transfers(plan, c, p, true, &all);
    const size_t receives = all.count;
    for (const plan_part *p = plan->parts; p < plan->parts + parts; p++)
        add_transfers(plan, c, p, false, &all);
    const size_t count = all.count;
    int code = post(plan, c, receives);
    code = first_of(code, send(plan, c, receives, count));
    for (unsigned looks = 0; plan->near && look_for_all(plan, c, receives, looks, &code); looks++)
        near_rest(plan->near, looks);
    /* One by one: MPI_Waitall without statuses is a warning of GCC's where MPI is MPICH. */
    for (size_t i = 0; i < count; i++)
        if (plan->requests[i] != MPI_REQUEST_NULL)
            code = first_of(code, MPI_Wait(&plan->requests[i], MPI_STATUS_IGNORE));
    for (size_t i = 0; i < receives; i++)
        if (plan->transfers[i].message->staged)
            code = first_of(code, unpack(plan, c, &plan->transfers[i]));
    return code;
}

/* What the groups do in round r of the vector: group g the kept round r - g period. */
static size_t list_parts(const gfab_mpi_plan *plan, const call *c, uint64_t round)
{
    const uint64_t past = round > plan->kept_rounds ? round - plan->kept_rounds : 0;
    size_t count = 0;
    for (uint64_t g = (past + plan->period - 1) / plan->period; g < c->groups && g * plan->period < round; g++) {
        const plan_round *at = plan->round_at[round - g * plan->period];
        if (at)
            plan->parts[count++] = (plan_part){at, (uint32_t)g};
    }
    return count;
}

static int carry_rounds(gfab_mpi_plan *plan, const call *c)
{
    int code = MPI_SUCCESS;
    for (size_t i = 0; !plan->period && i < plan->round_count; i++) {
        plan->parts[0] = (plan_part){&plan->rounds[i], 0};
        code = first_of(code, carry_round(plan, c, 1));
    }
    const uint64_t rounds = plan->period && c->groups ? (c->groups - 1) * plan->period + plan->kept_rounds : 0;
    for (uint64_t round = 1; round <= rounds; round++)
        code = first_of(code, carry_round(plan, c, list_parts(plan, c, round)));
    return code;
}

static gfab_status carry(gfab_mpi_plan *plan, call c, gfab_diag *diag)
{
    GFAB_TRY(prepare(plan, &c, diag));
    for (uint32_t g = 0; g < c.groups && c.send; g++)
        for (uint32_t p = 0; p < plan->place_count; p++) {
            const region r = region_of(plan, &c, p, g);
            if (plan->places[p].held && plan->places[p].wanted && !plan->places[p].written)
                copy(r.home, c.send + r.source * c.size, r.length * c.size);
        }
    const int code = plan->code = carry_rounds(plan, &c);
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
    const call c = {send == MPI_IN_PLACE ? NULL : send, receive, count, type, MPI_OP_NULL, NULL, 0, 0, 0, 0};
    return status != GFAB_OK ? status : carry(plan, c, diag);
}

gfab_status gfab_mpi_allgatherv(gfab_mpi_plan *plan, const void *send, void *receive, const int *counts,
                                MPI_Datatype type, gfab_diag *diag)
{
    const gfab_status status = check_goal(plan, GFAB_ALL_GATHER, diag);
    const call c = {send == MPI_IN_PLACE ? NULL : send, receive, 0, type, MPI_OP_NULL, counts, 0, 0, 0, 0};
    return status != GFAB_OK ? status : carry(plan, c, diag);
}

gfab_status gfab_mpi_reduce_scatterv(gfab_mpi_plan *plan, const void *send, void *receive, const int *counts,
                                     MPI_Datatype type, MPI_Op op, gfab_diag *diag)
{
    const gfab_status status = check_goal(plan, GFAB_REDUCE_SCATTER, diag);
    return status != GFAB_OK ? status : carry(plan, (call){send, receive, 0, type, op, counts, 0, 0, 0, 0}, diag);
}

gfab_status gfab_mpi_reduce_scatter(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                                    MPI_Op op, gfab_diag *diag)
{
    const gfab_status status = check_goal(plan, GFAB_REDUCE_SCATTER, diag);
    return status != GFAB_OK ? status : carry(plan, (call){send, receive, count, type, op, NULL, 0, 0, 0, 0}, diag);
}

gfab_status gfab_mpi_allreduce(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                               MPI_Op op, gfab_diag *diag)
{
    const bool barrier = plan->goal.collective == GFAB_BARRIER;
    const gfab_status status = barrier ? GFAB_OK : check_goal(plan, GFAB_ALL_REDUCE, diag);
    const call c = {send == MPI_IN_PLACE ? NULL : send, receive, count, type, op, NULL, 0, 0, 0, 0};
    return status != GFAB_OK ? status : carry(plan, c, diag);
}

gfab_status gfab_mpi_broadcast(gfab_mpi_plan *plan, void *buffer, int count, MPI_Datatype type, gfab_diag *diag)
{
    const gfab_status status = check_goal(plan, GFAB_BROADCAST, diag);
    return status != GFAB_OK ? status
                             : carry(plan, (call){NULL, buffer, count, type, MPI_OP_NULL, NULL, 0, 0, 0, 0}, diag);
}

gfab_status gfab_mpi_reduce(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                            MPI_Op op, gfab_diag *diag)
{
    const gfab_status status = check_goal(plan, GFAB_REDUCE, diag);
    const call c = {send == MPI_IN_PLACE ? NULL : send, receive, count, type, op, NULL, 0, 0, 0, 0};
    return status != GFAB_OK ? status : carry(plan, c, diag);
}

gfab_status gfab_mpi_barrier(gfab_mpi_plan *plan, gfab_diag *diag)
{
    char nothing;
    const gfab_status status = check_goal(plan, GFAB_BARRIER, diag);
    return status != GFAB_OK ? status
                             : carry(plan, (call){NULL, &nothing, 0, MPI_BYTE, MPI_OP_NULL, NULL, 0, 0, 0, 0}, diag);
}

gfab_status gfab_mpi_alltoall(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                              gfab_diag *diag)
{
    const gfab_status status = check_goal(plan, GFAB_ALL_TO_ALL, diag);
    return status != GFAB_OK ? status
                             : carry(plan, (call){send, receive, count, type, MPI_OP_NULL, NULL, 0, 0, 0, 0}, diag);
}
