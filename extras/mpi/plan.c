/* SPDX-License-Identifier: MIT */
/* A rank's share of a schedule: which messages it sends and receives in each round, and where their blocks lie. It is
 * made once and carried out many times (carry.c), so that all that can be decided here is: which blocks go through a
 * buffer, which lie behind each other and need not be packed, what may still be read where the caller gave it.
 *
 * Two ranks must agree on a message without a word, so that blocks are ordered alike at both ends, and the tag is the
 * receiver's direction. That all ranks have the same schedule is found by a check sequence over all of it. */
#include "plan.h"

#include <gossipfab/base/crc32.h>
#include <stdlib.h>

#define MOST_PORTS 32767 /* the tags that every MPI has */
#define NO_PLACE UINT32_MAX

/* ---- blocks ---- */

static bool set_members(gfab_mpi_plan *plan, const gfab_schedule *schedule)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    plan->members = (uint32_t)gfab_topology_member_count(topology);
    plan->member_of = gfab_arena_zeroed(&plan->arena, plan->nodes, sizeof *plan->member_of);
    for (uint32_t v = 0; plan->member_of && v < plan->nodes; v++)
        plan->member_of[v] = gfab_topology_rank(topology, v);
    return plan->member_of;
}

static bool set_pieces(gfab_mpi_plan *plan, const gfab_schedule *schedule)
{
    const gfab_collective collective = plan->goal.collective;
    const bool shared = collective == GFAB_ALL_GATHER || collective == GFAB_REDUCE_SCATTER;
    const uint32_t blocks = gfab_schedule_goal(schedule).blocks, group = gfab_schedule_group(schedule);
    plan->pieces = collective == GFAB_ALL_TO_ALL ? 1 : shared ? blocks / plan->members : blocks;
    plan->share = shared ? group / plan->members : group;
    plan->period = gfab_schedule_period(schedule);
    plan->kept_rounds = gfab_schedule_kept_rounds(schedule);
    plan->any_length = gfab_schedule_any_length(schedule);
    plan->goal.blocks = group; /* whose blocks the places are */
    if (plan->period || collective != GFAB_ALL_GATHER || gfab_schedule_load(schedule))
        return true;
    plan->pieces = gfab_schedule_parts(schedule);
    plan->first = malloc((plan->nodes + (size_t)1) * sizeof *plan->first);
    for (size_t v = 0; plan->first && v <= plan->nodes; v++)
        plan->first[v] = gfab_schedule_first_token(schedule, v);
    return plan->first;
}

/* Which piece of its rank's data, or of the vector, a block is. */
static uint32_t piece_of(const gfab_mpi_plan *plan, const gfab_schedule *schedule, uint32_t block)
{
    if (plan->period)
        return block % plan->share;
    return plan->first ? block - plan->first[gfab_schedule_origin(schedule, block)] : block % plan->pieces;
}

static gfab_packet_iter packets_of(const gfab_schedule *schedule, uint32_t round)
{
    return gfab_schedule_period(schedule) ? gfab_schedule_kept_round(schedule, round)
                                          : gfab_schedule_round(schedule, round);
}

/* gfab_goal_holds is of even loads. */
static bool holds(const gfab_mpi_plan *plan, uint32_t block)
{
    if (plan->first)
        return block >= plan->first[plan->rank] && block < plan->first[plan->rank + 1];
    return gfab_goal_holds(&plan->goal, plan->members, plan->member_of[plan->rank], block);
}

/* place_of[block] is NO_PLACE where a message of this rank has the block, and 0 otherwise; it gets the blocks' places.
 */
static bool place_blocks(gfab_mpi_plan *plan, const gfab_schedule *schedule, uint32_t *place_of)
{
    uint32_t numbers[2] = {0, 0}, given = 0;
    for (int filling = 0; filling < 2; filling++) {
        plan->place_count = 0;
        for (uint32_t block = 0; block < plan->goal.blocks; block++) {
            const bool held = holds(plan, block);
            const bool wanted = gfab_goal_wants(&plan->goal, plan->members, plan->member_of[plan->rank], block);
            if (!held && !wanted && place_of[block] != NO_PLACE)
                continue;
            if (filling) {
                plan->places[plan->place_count] = (plan_place){.piece = piece_of(plan, schedule, block),
                                                               .number = numbers[wanted]++,
                                                               .owner = block / plan->share,
                                                               .given = given,
                                                               .held = held,
                                                               .wanted = wanted};
                given += held;
                place_of[block] = plan->place_count;
            }
            plan->place_count++;
        }
        if (!filling && !(plan->places = calloc(plan->place_count + (size_t)1, sizeof *plan->places)))
            return false;
    }
    return true;
}

/* ---- messages ---- */

/* A message while the rounds are read: a packet of this rank. */
typedef struct own_packet {
    gfab_packet packet;
    uint32_t from, to, direction;
    uint32_t order; /* in the round */
} own_packet;

static own_packet read_packet(const gfab_topology *topology, const gfab_packet *packet, uint32_t order)
{
    const gfab_arc last = packet->arcs[packet->arc_count - 1];
    return (own_packet){*packet, gfab_topology_arc_from(topology, packet->arcs[0]),
                        gfab_topology_arc_to(topology, last), gfab_topology_arrival(topology, last), order};
}

static int by_direction(const void *a, const void *b)
{
    const own_packet *x = a, *y = b;
    if (x->direction != y->direction)
        return x->direction < y->direction ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static int by_place(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a & ~GFAB_COMBINE, y = *(const uint32_t *)b & ~GFAB_COMBINE;
    return (x > y) - (x < y);
}

/* What a round's messages are made in. */
typedef struct compiler {
    gfab_mpi_plan *plan;
    const gfab_schedule *schedule;
    uint32_t *place_of;         /* [block] */
    uint32_t *sent_in;          /* [place]: the last round that sends it */
    own_packet *in, *out;       /* of a round */
    size_t in_count, out_count; /* the same */
    size_t messages, entries;   /* of all rounds */
    size_t most_in, most_out;   /* of any round */
} compiler;

/* The messages of this rank in a round, into in and out where there is room for them. */
static void collect(compiler *c, uint32_t round)
{
    const gfab_topology *topology = gfab_schedule_topology(c->schedule);
    gfab_packet_iter packets = packets_of(c->schedule, round);
    gfab_packet packet;
    c->in_count = c->out_count = 0;
    for (uint32_t order = 0; gfab_packet_next(&packets, &packet); order++) {
        const own_packet own = read_packet(topology, &packet, order);
        if (own.to == c->plan->rank && c->in)
            c->in[c->in_count] = own;
        if (own.from == c->plan->rank && c->out)
            c->out[c->out_count] = own;
        c->in_count += own.to == c->plan->rank;
        c->out_count += own.from == c->plan->rank;
    }
    if (c->in && c->in_count)
        qsort(c->in, c->in_count, sizeof *c->in, by_direction);
    if (c->out && c->out_count) /* so that two ranks see their messages in one order */
        qsort(c->out, c->out_count, sizeof *c->out, by_direction);
}

/* Sizes, the blocks that are moved, and a check sequence of the whole schedule. */
static uint32_t survey(compiler *c)
{
    gfab_mpi_plan *plan = c->plan;
    const uint32_t head[] = {plan->nodes,  plan->members, plan->goal.collective, plan->goal.blocks,    plan->goal.root,
                             plan->pieces, plan->period,  plan->any_length,      plan->goal.idempotent};
    uint32_t crc = gfab_crc32(0, (const uint8_t *)head, sizeof head);
    if (plan->first)
        crc = gfab_crc32(crc, (const uint8_t *)plan->first, (plan->nodes + (size_t)1) * sizeof *plan->first);
    for (uint32_t round = 1; round <= plan->kept_rounds; round++) {
        gfab_packet_iter packets = packets_of(c->schedule, round);
        size_t in = 0, out = 0;
        crc = gfab_crc32(crc, (const uint8_t *)&round, sizeof round);
        for (gfab_packet packet; gfab_packet_next(&packets, &packet);) {
            const own_packet own = read_packet(gfab_schedule_topology(c->schedule), &packet, 0);
            crc = gfab_crc32(crc, (const uint8_t *)packet.arcs, packet.arc_count * sizeof *packet.arcs);
            crc = gfab_crc32(crc, (const uint8_t *)packet.tokens, packet.token_count * sizeof *packet.tokens);
            plan->most_tokens =
                packet.token_count > plan->most_tokens ? (uint32_t)packet.token_count : plan->most_tokens;
            in += own.to == plan->rank;
            out += own.from == plan->rank;
            if (own.to != plan->rank && own.from != plan->rank)
                continue;
            for (size_t i = 0; i < packet.token_count; i++)
                c->place_of[packet.tokens[i] & ~GFAB_COMBINE] = NO_PLACE;
            c->entries += packet.token_count * (1 + (own.to == own.from));
        }
        c->messages += in + out;
        plan->round_count += in + out != 0;
        c->most_in = in > c->most_in ? in : c->most_in;
        c->most_out = out > c->most_out ? out : c->most_out;
    }
    return crc;
}

/* One block behind the other in memory, in the send buffer too where they are read there? */
static bool is_contiguous(const gfab_mpi_plan *plan, const plan_message *message)
{
    for (size_t i = 1; i < message->count; i++) {
        const uint32_t last = plan->entries[message->first + i - 1], entry = plan->entries[message->first + i];
        const plan_place *before = &plan->places[last & PLAN_PLACE], *at = &plan->places[entry & PLAN_PLACE];
        if (at->wanted != before->wanted || at->number != before->number + 1 || ((last ^ entry) & PLAN_GIVEN) ||
            ((entry & PLAN_GIVEN) && at->given != before->given + 1))
            return false;
    }
    return true;
}

static plan_message *add_message(compiler *c, const own_packet *own, uint32_t peer)
{
    gfab_mpi_plan *plan = c->plan;
    plan_message *message = &plan->messages[c->messages++];
    *message = (plan_message){
        .peer = (int)peer, .direction = (int)own->direction, .first = c->entries, .count = own->packet.token_count};
    for (size_t i = 0; i < own->packet.token_count; i++) {
        const uint32_t token = own->packet.tokens[i];
        plan->entries[c->entries++] = c->place_of[token & ~GFAB_COMBINE] | (token & GFAB_COMBINE);
    }
    /* Both ends order a packet's blocks alike, so that they lie behind each other more often. */
    if (message->count > 1)
        qsort(&plan->entries[message->first], message->count, sizeof *plan->entries, by_place);
    message->staged = message->count == 0 || !is_contiguous(plan, message);
    return message;
}

/* A block that leaves in this round, or one that is combined, does not come straight to its place. */
static bool must_wait(const compiler *c, const plan_message *message, uint32_t round)
{
    for (size_t i = 0; i < message->count; i++) {
        const uint32_t entry = c->plan->entries[message->first + i];
        if ((entry & GFAB_COMBINE) || c->sent_in[entry & PLAN_PLACE] == round)
            return true;
    }
    return false;
}

static void compile_round(compiler *c, uint32_t round, plan_round *into)
{
    collect(c, round);
    into->number = round;
    for (size_t i = 0; i < c->out_count; i++)
        for (size_t t = 0; t < c->out[i].packet.token_count; t++)
            c->sent_in[c->place_of[c->out[i].packet.tokens[t] & ~GFAB_COMBINE]] = round;
    into->receives = c->messages;
    for (size_t i = 0; i < c->in_count; i++) {
        plan_message *message = add_message(c, &c->in[i], c->in[i].from);
        message->staged = message->staged || must_wait(c, message, round);
    }
    into->sends = c->messages;
    for (size_t i = 0; i < c->out_count; i++)
        add_message(c, &c->out[i], c->out[i].to);
    into->end = c->messages;
}

/* The most that is under way in a round: of one round, or where it repeats of all that are the same modulo the period.
 * Room for it, and an index of rounds. */
static bool make_room(gfab_mpi_plan *plan)
{
    const uint32_t period = plan->period ? plan->period : 1;
    const size_t most_parts = plan->period ? plan->kept_rounds / period + (size_t)1 : 1;
    GFAB_FREED size_t *messages = calloc(period, sizeof *messages), *staged = calloc(period, sizeof *staged);
    size_t most = 0;
    plan->round_at = gfab_arena_zeroed(&plan->arena, plan->kept_rounds + (size_t)1, sizeof *plan->round_at);
    for (size_t i = 0; messages && staged && plan->round_at && i < plan->round_count; i++) {
        const plan_round *round = &plan->rounds[i];
        const size_t at = round->number % period;
        plan->round_at[round->number] = round;
        messages[at] = (plan->period ? messages[at] : 0) + round->end - round->receives;
        most = messages[at] > most ? messages[at] : most;
        for (size_t m = round->receives; m < round->end; m++)
            staged[at] += plan->messages[m].staged;
        plan->most_staged = staged[at] > plan->most_staged ? staged[at] : plan->most_staged;
    }
    plan->parts = gfab_arena_zeroed(&plan->arena, most_parts, sizeof *plan->parts);
    GFAB_ARRAYS(&plan->arena, most + 1, plan->transfers, plan->requests);
    return messages && staged && !plan->arena.failed;
}

/* Marks what a message reads of the send buffer, as nothing has come to it so far. True where that is all of it. */
static bool mark_given(gfab_mpi_plan *plan, const plan_message *m, bool comes)
{
    bool all = m->count != 0;
    for (uint32_t *entry = &plan->entries[m->first]; entry < &plan->entries[m->first + m->count]; entry++) {
        const plan_place *p = &plan->places[*entry & PLAN_PLACE];
        const bool given = p->held && !p->written && (!comes || (*entry & GFAB_COMBINE));
        *entry |= given ? PLAN_GIVEN : 0;
        all = all && given;
    }
    return all;
}

/* In a message with others a block that stays as it is, and is wanted, is read where they are: it is there, too. */
static void unmark_kept(gfab_mpi_plan *plan, const plan_message *m)
{
    for (uint32_t *entry = &plan->entries[m->first]; entry < &plan->entries[m->first + m->count]; entry++) {
        const plan_place *p = &plan->places[*entry & PLAN_PLACE];
        if (p->wanted && !p->written)
            *entry &= ~PLAN_GIVEN;
    }
}

/* In each round what leaves is read before anything comes. */
static void find_given(gfab_mpi_plan *plan)
{
    for (const plan_round *round = plan->rounds; round < plan->rounds + plan->round_count; round++) {
        plan_message *m = plan->messages + round->sends;
        for (; m < plan->messages + round->end; m++)
            m->given = mark_given(plan, m, false);
        for (m = plan->messages + round->receives; m < plan->messages + round->sends; m++) {
            m->given = mark_given(plan, m, true) && is_contiguous(plan, m);
            for (size_t i = 0; i < m->count; i++)
                plan->places[plan->entries[m->first + i] & PLAN_PLACE].written = true;
        }
    }
    for (const plan_round *round = plan->rounds; round < plan->rounds + plan->round_count; round++)
        for (plan_message *m = plan->messages + round->sends; m < plan->messages + round->end; m++) {
            if (!m->given)
                unmark_kept(plan, m);
            m->staged = m->count == 0 || !is_contiguous(plan, m);
        }
}

/* After the survey. */
static bool compile_rounds(compiler *c)
{
    gfab_mpi_plan *plan = c->plan;
    plan->rounds = gfab_arena_zeroed(&plan->arena, plan->round_count + 1, sizeof *plan->rounds);
    plan->messages = gfab_arena_zeroed(&plan->arena, c->messages + 1, sizeof *plan->messages);
    plan->entries = gfab_arena_zeroed(&plan->arena, c->entries + 1, sizeof *plan->entries);
    c->in = malloc((c->most_in + 1) * sizeof *c->in);
    c->out = malloc((c->most_out + 1) * sizeof *c->out);
    if (!place_blocks(plan, c->schedule, c->place_of))
        return false;
    c->sent_in = calloc(plan->place_count + (size_t)1, sizeof *c->sent_in);
    if (plan->arena.failed || !c->in || !c->out || !c->sent_in)
        return false;
    c->messages = c->entries = plan->round_count = 0;
    for (uint32_t round = 1; round <= plan->kept_rounds; round++) {
        plan_round *into = &plan->rounds[plan->round_count];
        compile_round(c, round, into);
        plan->round_count += into->end != into->receives;
    }
    find_given(plan);
    return make_room(plan);
}

static gfab_status compile(gfab_mpi_plan *plan, const gfab_schedule *schedule, uint32_t *crc, gfab_diag *diag)
{
    compiler c = {.plan = plan, .schedule = schedule};
    bool good = set_members(plan, schedule) && set_pieces(plan, schedule);
    c.place_of = calloc(plan->goal.blocks + (size_t)1, sizeof *c.place_of);
    if ((good = good && c.place_of)) {
        *crc = survey(&c);
        good = compile_rounds(&c) && gfab_mpi_plan_order(plan, schedule, c.place_of);
    }
    GFAB_FREE(c.place_of, c.sent_in, c.in, c.out);
    return good ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, diag);
}

/* ---- all ranks ---- */

/* The worst status of all ranks, with its diagnostic, at each of them. */
static gfab_status agree(MPI_Comm comm, gfab_status status, gfab_diag *diag)
{
    struct {
        int status, rank;
    } mine = {status, 0}, worst;
    MPI_Comm_rank(comm, &mine.rank);
    MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, comm);
    if (worst.status != GFAB_OK)
        MPI_Bcast(diag, sizeof *diag, MPI_BYTE, worst.rank, comm);
    return (gfab_status)worst.status;
}

static gfab_status check_size(const gfab_schedule *schedule, MPI_Comm comm, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    const size_t nodes = gfab_topology_node_count(topology);
    int ranks;
    MPI_Comm_size(comm, &ranks);
    if (nodes != (size_t)ranks)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the schedule has %zu nodes, but there are %d ranks: start %zu",
                         nodes, ranks, nodes);
    if (gfab_topology_max_degree(topology) > MOST_PORTS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "a node has %zu links; at most %d are taken here",
                         gfab_topology_max_degree(topology), MOST_PORTS);
    return gfab_schedule_period(schedule) ? GFAB_OK : gfab_schedule_check_listed(schedule, diag);
}

/* Do all ranks have the check sequence of rank 0? */
static gfab_status compare(MPI_Comm comm, uint32_t crc, gfab_diag *diag)
{
    uint32_t first = crc;
    MPI_Bcast(&first, 1, MPI_UINT32_T, 0, comm);
    return first == crc ? GFAB_OK
                        : gfab_fail(diag, 0, GFAB_ERR_INVALID, "the ranks do not have the same schedule: give all one");
}

static gfab_status create(const gfab_schedule *schedule, MPI_Comm comm, bool borrowed, gfab_mpi_plan **plan,
                          gfab_diag *diag)
{
    gfab_diag own = {0, ""};
    uint32_t crc = 0;
    int rank;
    gfab_mpi_plan *p = NULL;
    gfab_status status = agree(comm, check_size(schedule, comm, &own), &own);
    if (status == GFAB_OK) {
        MPI_Comm_rank(comm, &rank);
        p = calloc(1, sizeof *p);
        if (p) {
            *p = (gfab_mpi_plan){
                .comm = MPI_COMM_NULL, .borrowed = borrowed, .rank = (uint32_t)rank, .named = MPI_DATATYPE_NULL};
            p->nodes = (uint32_t)gfab_topology_node_count(gfab_schedule_topology(schedule));
            p->goal = gfab_schedule_goal(schedule);
        }
        status = p ? compile(p, schedule, &crc, &own) : gfab_fail(&own, 0, GFAB_ERR_NO_MEMORY, "out of memory");
        status = agree(comm, status, &own);
    }
    GFAB_THEN(status, agree(comm, compare(comm, crc, &own), &own));
    if (status == GFAB_OK && borrowed)
        p->comm = comm;
    else if (status == GFAB_OK && MPI_Comm_dup(comm, &p->comm) != MPI_SUCCESS)
        status = gfab_fail(&own, 0, GFAB_ERR_IO, "MPI cannot duplicate the communicator");
    if (status != GFAB_OK) {
        if (diag)
            *diag = own;
        gfab_mpi_plan_destroy(p);
        return status;
    }
    *plan = p;
    return GFAB_OK;
}

gfab_status gfab_mpi_plan_create(const gfab_schedule *schedule, MPI_Comm comm, gfab_mpi_plan **plan, gfab_diag *diag)
{
    return create(schedule, comm, false, plan, diag);
}

gfab_status gfab_mpi_plan_borrow(const gfab_schedule *schedule, MPI_Comm comm, gfab_mpi_plan **plan, gfab_diag *diag)
{
    return create(schedule, comm, true, plan, diag);
}

void gfab_mpi_plan_take_gaps(gfab_mpi_plan *plan)
{
    plan->gaps = true;
}

void gfab_mpi_plan_use_near(gfab_mpi_plan *plan, gfab_mpi_near *near)
{
    plan->near = near;
}

int gfab_mpi_plan_error(const gfab_mpi_plan *plan)
{
    return plan->code;
}

int gfab_mpi_plan_is_ordered(const gfab_mpi_plan *plan)
{
    return plan->ordered;
}

void gfab_mpi_plan_set_granule(gfab_mpi_plan *plan, uint32_t granule)
{
    plan->granule = granule;
}

void gfab_mpi_plan_destroy(gfab_mpi_plan *plan)
{
    if (!plan)
        return;
    if (plan->comm != MPI_COMM_NULL && !plan->borrowed)
        MPI_Comm_free(&plan->comm);
    gfab_arena_release(&plan->arena);
    GFAB_FREE(plan->first, plan->places, plan->scratch, plan->stage, plan);
}
