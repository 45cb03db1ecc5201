/* SPDX-License-Identifier: MIT */
/* MSCCL's XML, as msccl-executor-nccl reads it. A node has a thread block for each neighbour, whose steps are what goes
 * to it and what comes from it.
 *
 * Steps of a round are in the order of their blocks, of each block first what is sent. So every step waits only for
 * steps that are before it in one order of all (round, block, sent or received, thread block), a link never holds more
 * than one block that is not yet received, and nothing waits in a circle. What a node has of a block is in one place of
 * one buffer: a step waits for the last one that wrote there, and one that writes also for those that have read it
 * since. Out of place a block is where it was until it is written for the first time: in the output then, or, of what
 * only passes through, in the scratch buffer; what is never written a thread block without peers copies. */
#include "msccl.h"

#include "base/grow.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

#define NONE (-1)
#define MAX_BLOCKS_A_NODE 32 /* thread blocks: those of a channel */

/* A move at one of its ends. */
typedef struct op {
    uint32_t node;
    const gfab_move *move;
    uint8_t tb; /* the port */
    bool receives;
} op;

typedef struct place {
    char buffer;
    int32_t offset;
} place;

/* A step; what it waits for is in dep_tb. */
typedef struct step {
    const op *op;   /* NULL: a nop, which waits */
    place from, to; /* from: also what is combined with */
    uint8_t tb;
    bool has_dep; /* another waits for it */
    int16_t dep_tb, dep_step;
} step;

typedef enum words { RCCL, MICROSOFT } words; /* in which names */

/* What a file is to be. */
typedef struct dialect {
    bool in_place;
    words words;
    gfab_byte_range range;
} dialect;

typedef struct writer {
    FILE *file;
    dialect as;
    gfab_diag *diag;
    const gfab_schedule *schedule;
    const gfab_topology *topology;
    gfab_goal goal;
    uint32_t nodes, each; /* blocks of an owner */
    size_t blocks;
    uint32_t most_steps; /* of a thread block */
    /* of the node that is being written: */
    uint32_t node;
    size_t degree;
    step *steps; /* in the order of the ops */
    size_t step_count, step_capacity;
    int32_t (*writer_of)[2]; /* [block]: thread block and step that wrote last */
    int32_t *read_by;        /* [block * MAX_BLOCKS_A_NODE + tb]: the last step that read since */
    int32_t *scratch;        /* [block]: its place in the scratch buffer */
    int32_t scratch_count;
    int32_t waited[MAX_BLOCKS_A_NODE][MAX_BLOCKS_A_NODE]; /* [tb][other]: the last step waited for */
    uint32_t count[MAX_BLOCKS_A_NODE];                    /* [tb]: steps */
    uint32_t wanted[MAX_BLOCKS_A_NODE];                   /* [tb]: moves that want one */
    size_t index[MAX_BLOCKS_A_NODE][GFAB_MSCCL_STEPS];    /* of a step in steps */
    gfab_arena arena;
} writer;

static int compare_ops(const void *a, const void *b)
{
    const op *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->move->round != y->move->round)
        return x->move->round < y->move->round ? -1 : 1;
    if (x->move->block != y->move->block)
        return x->move->block < y->move->block ? -1 : 1;
    if (x->receives != y->receives)
        return x->receives ? 1 : -1;
    return (x->tb > y->tb) - (x->tb < y->tb);
}

static uint8_t port_to(const writer *w, uint32_t node, uint32_t peer)
{
    size_t count;
    uint8_t port = 0;
    const gfab_port *ports = gfab_topology_ports(w->topology, node, &count);
    while (ports[port].peer != peer)
        port++;
    return port;
}

/* ---- a node's steps ---- */

static gfab_status add_step(writer *w, const op *o, uint8_t tb, int32_t dep_tb, int32_t dep_step)
{
    if (w->count[tb] == GFAB_MSCCL_STEPS) {
        size_t count;
        return GFAB_REFUSE(w->diag,
                           "node %u takes %u steps or more with node %u; MSCCL has %d for a thread block, enough for "
                           "at most %u of these %zu blocks",
                           w->node, w->wanted[tb], gfab_topology_ports(w->topology, w->node, &count)[tb].peer,
                           GFAB_MSCCL_STEPS, gfab_msccl_fitting(w->wanted[tb], GFAB_MSCCL_STEPS, w->blocks), w->blocks);
    }
    GFAB_NEED_TOLD(gfab_grow(&w->steps, w->step_count, &w->step_capacity, sizeof *w->steps), w->diag);
    if (dep_tb != NONE)
        w->steps[w->index[dep_tb][dep_step]].has_dep = true;
    w->index[tb][w->count[tb]++] = w->step_count;
    w->steps[w->step_count++] = (step){.op = o, .tb = tb, .dep_tb = (int16_t)dep_tb, .dep_step = (int16_t)dep_step};
    return GFAB_OK;
}

/* Waits for a step of another thread block; the one waited for last is kept for the step itself. */
static gfab_status wait_for(writer *w, uint8_t tb, int32_t other, int32_t at, int32_t kept[2])
{
    if (other == NONE || other == tb || w->waited[tb][other] >= at)
        return GFAB_OK;
    w->waited[tb][other] = at;
    GFAB_TRY(kept[0] == NONE ? GFAB_OK : add_step(w, NULL, tb, kept[0], kept[1]));
    kept[0] = other;
    kept[1] = at;
    return GFAB_OK;
}

/* ---- where blocks are ---- */

/* Where a node has what it starts with. */
static place first_place(const writer *w, uint32_t block)
{
    if (w->goal.collective == GFAB_ALL_GATHER)
        return w->as.in_place ? (place){'o', (int32_t)block} : (place){'i', (int32_t)(block - w->node * w->each)};
    return (place){'i', (int32_t)(w->goal.collective == GFAB_ALL_TO_ALL ? block % w->nodes : block)};
}

/* Where it has the block once it is written. In place all is in the buffer that holds all blocks. */
static place last_place(writer *w, uint32_t block)
{
    if (w->as.in_place)
        return first_place(w, block);
    if (gfab_goal_wants(&w->goal, w->nodes, w->node, block)) {
        if (w->goal.collective == GFAB_ALL_TO_ALL)
            return (place){'o', (int32_t)(block / w->nodes)};
        return (place){'o', (int32_t)(w->goal.collective == GFAB_REDUCE_SCATTER ? block - w->node * w->each : block)};
    }
    if (w->scratch[block] == NONE)
        w->scratch[block] = w->scratch_count++;
    return (place){'s', w->scratch[block]};
}

static gfab_status add_op(writer *w, const op *o)
{
    const uint32_t block = o->move->block;
    const bool written = w->writer_of[block][0] != NONE;
    int32_t *reads = &w->read_by[block * MAX_BLOCKS_A_NODE];
    int32_t kept[2] = {NONE, NONE};
    GFAB_TRY(wait_for(w, o->tb, w->writer_of[block][0], w->writer_of[block][1], kept));
    for (uint8_t tb = 0; tb < w->degree && o->receives; tb++)
        if (reads[tb] != NONE)
            GFAB_TRY(wait_for(w, o->tb, tb, reads[tb], kept));
    GFAB_TRY(add_step(w, o, o->tb, kept[0], kept[1]));
    step *s = &w->steps[w->step_count - 1];
    const place is = written ? last_place(w, block) : first_place(w, block);
    const int32_t at = (int32_t)w->count[o->tb] - 1;
    if (!o->receives) {
        s->from = s->to = is;
        reads[o->tb] = at;
        return GFAB_OK;
    }
    s->to = last_place(w, block);
    s->from = o->move->combine ? is : s->to;
    for (uint8_t tb = 0; tb < w->degree; tb++)
        reads[tb] = NONE;
    w->writer_of[block][0] = o->tb;
    w->writer_of[block][1] = at;
    return GFAB_OK;
}

/* ---- text ---- */

static void put_step(writer *w, const step *s, uint32_t number)
{
    if (!s->op) {
        fprintf(w->file,
                "      <step s=\"%u\" type=\"nop\" srcbuf=\"i\" srcoff=\"-1\" dstbuf=\"o\" dstoff=\"-1\" cnt=\"0\" "
                "depid=\"%d\" deps=\"%d\" hasdep=\"0\"/>\n",
                number, s->dep_tb, s->dep_step);
        return;
    }
    const gfab_move *m = s->op->move;
    const char *type = !s->op->receives ? "s" : m->combine ? "rrc" : "r";
    fprintf(w->file,
            "      <step s=\"%u\" type=\"%s\" srcbuf=\"%c\" srcoff=\"%d\" dstbuf=\"%c\" dstoff=\"%d\" cnt=\"1\" "
            "depid=\"%d\" deps=\"%d\" hasdep=\"%d\" block=\"%u\" round=\"%u\" place=\"%u\"/>\n",
            number, type, s->from.buffer, s->from.offset, s->to.buffer, s->to.offset, s->dep_tb, s->dep_step,
            s->has_dep, m->block, m->round, m->place);
}

/* Chunks of a node's input and output. */
static void chunks_of(const writer *w, size_t *in, size_t *out)
{
    *in = *out = w->goal.collective == GFAB_ALL_TO_ALL ? w->nodes : w->blocks;
    if (w->goal.collective == GFAB_ALL_GATHER)
        *in = w->each;
    if (w->goal.collective == GFAB_REDUCE_SCATTER)
        *out = w->each;
}

/* From `block` on, how many of those that a node keeps where they are, and wants in the output, side by side: one
 * copy; 0: this is none. */
static uint32_t copied_from(writer *w, uint32_t block)
{
    uint32_t count = 0;
    const place from = first_place(w, block);
    for (uint32_t b = block; b < w->blocks && count + 1 < GFAB_MSCCL_COUNT; b++, count++) {
        if (w->as.in_place || w->writer_of[b][0] != NONE || !gfab_goal_wants(&w->goal, w->nodes, w->node, b))
            break;
        const place is = first_place(w, b), to = last_place(w, b), first = last_place(w, block);
        if (is.offset - from.offset != to.offset - first.offset || is.offset - from.offset != (int32_t)count)
            break;
    }
    return count;
}

/* The copies, or how many there are. */
static uint32_t do_copies(writer *w, bool write)
{
    uint32_t steps = 0;
    for (uint32_t b = 0, count; b < w->blocks; b += count ? count : 1) {
        count = copied_from(w, b);
        if (count && write)
            fprintf(
                w->file,
                "      <step s=\"%u\" type=\"cpy\" srcbuf=\"i\" srcoff=\"%d\" dstbuf=\"o\" dstoff=\"%d\" cnt=\"%u\" "
                "depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n",
                steps, first_place(w, b).offset, last_place(w, b).offset, count);
        steps += count > 0;
    }
    return steps;
}

static void put_node(writer *w)
{
    size_t count, in, out;
    const gfab_port *ports = gfab_topology_ports(w->topology, w->node, &count);
    chunks_of(w, &in, &out);
    fprintf(w->file, "  <gpu id=\"%u\" i_chunks=\"%zu\" o_chunks=\"%zu\" s_chunks=\"%d\">\n", w->node, in, out,
            w->scratch_count);
    for (size_t tb = 0; tb < count; tb++) {
        fprintf(w->file, "    <tb id=\"%zu\" send=\"%u\" recv=\"%u\" chan=\"0\">\n", tb, ports[tb].peer,
                ports[tb].peer);
        for (uint32_t s = 0; s < w->count[tb]; s++)
            put_step(w, &w->steps[w->index[tb][s]], s);
        fputs("    </tb>\n", w->file);
    }
    if (do_copies(w, false)) {
        fprintf(w->file, "    <tb id=\"%zu\" send=\"-1\" recv=\"-1\" chan=\"0\">\n", count);
        do_copies(w, true);
        fputs("    </tb>\n", w->file);
    }
    fputs("  </gpu>\n", w->file);
}

/* A node, from its first op on; *first becomes the next node's. The text is only written where write says so: a node
 * beyond MSCCL's limits is found before. */
static gfab_status do_node(writer *w, const op *ops, size_t count, size_t *first, bool write)
{
    gfab_status status = GFAB_OK;
    w->step_count = 0;
    w->scratch_count = 0;
    gfab_topology_ports(w->topology, w->node, &w->degree);
    memset(w->count, 0, sizeof w->count);
    memset(w->waited, 0xff, sizeof w->waited);
    for (size_t b = 0; b < w->blocks; b++) {
        w->writer_of[b][0] = w->writer_of[b][1] = w->scratch[b] = NONE;
        memset(&w->read_by[b * MAX_BLOCKS_A_NODE], 0xff, MAX_BLOCKS_A_NODE * sizeof *w->read_by);
    }
    memset(w->wanted, 0, sizeof w->wanted);
    for (size_t i = *first; i < count && ops[i].node == w->node; i++)
        w->wanted[ops[i].tb]++;
    for (; *first < count && ops[*first].node == w->node && status == GFAB_OK; ++*first)
        status = add_op(w, &ops[*first]);
    for (size_t tb = 0; tb < w->degree; tb++)
        w->most_steps = w->count[tb] > w->most_steps ? w->count[tb] : w->most_steps;
    const uint32_t copies = status == GFAB_OK ? do_copies(w, false) : 0;
    w->most_steps = copies > w->most_steps ? copies : w->most_steps;
    if (copies > GFAB_MSCCL_STEPS)
        return GFAB_REFUSE(w->diag, "node %u copies its own blocks in %u steps; MSCCL has %d", w->node, copies,
                           GFAB_MSCCL_STEPS);
    if (status == GFAB_OK && 1 + w->nodes + w->degree + 1 + w->step_count + copies > GFAB_MSCCL_ELEMENTS)
        return GFAB_REFUSE(w->diag, "node %u takes %zu steps; MSCCL reads %d elements of a file for a node", w->node,
                           w->step_count, GFAB_MSCCL_ELEMENTS);
    if (status == GFAB_OK && write)
        put_node(w);
    return status;
}

static void put_start(const writer *w, const char *head)
{
    size_t in, out;
    const bool scatters = w->as.words == MICROSOFT && w->goal.collective == GFAB_REDUCE_SCATTER;
    const bool ends = w->as.range.end <= INT32_MAX; /* 0 is no limit, which Microsoft's reader does not know */
    const uint64_t last = ends ? w->as.range.end - 1 : w->as.words == MICROSOFT ? INT32_MAX : 0;
    chunks_of(w, &in, &out);
    fprintf(w->file, "<!-- %s%s-->\n", GFAB_MSCCL_HEAD, head);
    fprintf(w->file,
            "<algo name=\"gossipfab\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"%zu\" ngpus=\"%u\" "
            "coll=\"%s\" inplace=\"%d\" outofplace=\"%d\" minBytes=\"%llu\" maxBytes=\"%llu\">\n",
            in > out ? in : out, w->nodes, scatters ? "reduce_scatter" : gfab_msccl_collective(w->goal.collective),
            w->as.in_place, !w->as.in_place, (unsigned long long)w->as.range.least, (unsigned long long)last);
}

/* ---- all ---- */

static gfab_status check(const writer *w, const char *head)
{
    if (!gfab_msccl_collective(w->goal.collective))
        return GFAB_REFUSE(w->diag, "MSCCL has no %s", gfab_collective_name(w->goal.collective));
    if (w->goal.collective == GFAB_ALL_GATHER && w->each == 0)
        return GFAB_REFUSE(w->diag, "MSCCL's all-gather has as many blocks at every node; here they differ");
    if (w->nodes > GFAB_MSCCL_NODES)
        return GFAB_REFUSE(w->diag, "%u nodes; MSCCL reads %d", w->nodes, GFAB_MSCCL_NODES);
    if (gfab_topology_max_degree(w->topology) >= MAX_BLOCKS_A_NODE)
        return GFAB_REFUSE(w->diag, "a node has %zu links; in MSCCL it has at most %d",
                           gfab_topology_max_degree(w->topology), MAX_BLOCKS_A_NODE - 1);
    if (strstr(head, "--"))
        return GFAB_REFUSE(w->diag, "the solver's name \"%s\" cannot stand in an XML comment",
                           gfab_schedule_solver(w->schedule));
    return GFAB_OK;
}

static gfab_status write_nodes(writer *w, const op *ops, size_t count, const char *head)
{
    for (int write = 0; write <= (w->file ? 1 : 0); write++) {
        size_t first = 0;
        if (write)
            put_start(w, head);
        for (w->node = 0; w->node < w->nodes; w->node++)
            GFAB_TRY(do_node(w, ops, count, &first, write));
    }
    if (!w->file)
        return GFAB_OK;
    fputs("</algo>\n", w->file);
    return gfab_format_written(w->file, w->diag);
}

static op *make_ops(const writer *w, const gfab_moves *moves)
{
    op *ops = malloc((2 * moves->count + 1) * sizeof *ops);
    for (size_t i = 0; i < moves->count && ops; i++) {
        const gfab_move *m = &moves->at[i];
        ops[2 * i] = (op){m->from, m, port_to(w, m->from, m->to), false};
        ops[2 * i + 1] = (op){m->to, m, port_to(w, m->to, m->from), true};
    }
    if (ops)
        qsort(ops, 2 * moves->count, sizeof *ops, compare_ops);
    return ops;
}

/* Where there is no file steps are counted alone. */
static gfab_status write_all(const gfab_schedule *schedule, FILE *file, dialect as, uint32_t *most_steps,
                             gfab_diag *diag)
{
    GFAB_TRY(gfab_format_check_marks(gfab_schedule_topology(schedule), GFAB_MARK_DIRECTED, "MSCCL", diag));
    GFAB_AT_END(gfab_moves_release) gfab_moves moves = {0};
    GFAB_FREED writer *w = calloc(1, sizeof *w);
    GFAB_FREED char *head = gfab_format_head(schedule);
    gfab_status status = w && head ? GFAB_OK : gfab_format_no_memory(diag);
    if (status == GFAB_OK) {
        w->file = file;
        w->as = as;
        w->diag = diag;
        w->schedule = schedule;
        w->topology = gfab_schedule_topology(schedule);
        w->goal = gfab_schedule_goal(schedule);
        w->as.in_place = as.in_place && w->goal.collective != GFAB_ALL_TO_ALL;
        w->nodes = (uint32_t)gfab_topology_node_count(w->topology);
        w->blocks = gfab_schedule_token_count(schedule);
        w->each = w->goal.collective == GFAB_ALL_GATHER ? gfab_schedule_load(schedule) : (uint32_t)w->blocks / w->nodes;
        if ((status = check(w, head)) == GFAB_OK)
            status = gfab_moves_of(schedule, &moves, diag);
    }
    if (status == GFAB_OK) {
        op *ops = make_ops(w, &moves);
        w->writer_of = gfab_arena_zeroed(&w->arena, w->blocks, sizeof *w->writer_of);
        w->read_by = gfab_arena_zeroed2(&w->arena, w->blocks, MAX_BLOCKS_A_NODE, sizeof *w->read_by);
        w->scratch = gfab_arena_zeroed(&w->arena, w->blocks, sizeof *w->scratch);
        status = ops && !w->arena.failed ? write_nodes(w, ops, 2 * moves.count, head) : gfab_format_no_memory(diag);
        free(ops);
        gfab_arena_release(&w->arena);
    }
    if (w) {
        *most_steps = w->most_steps;
        free(w->steps);
    }
    return status;
}

static const gfab_byte_range any_length = {0, UINT64_MAX};

gfab_status gfab_msccl_write_range(const gfab_schedule *schedule, gfab_byte_range range, FILE *file, gfab_diag *diag)
{
    uint32_t steps;
    return write_all(schedule, file, (dialect){true, RCCL, range}, &steps, diag);
}

gfab_status gfab_msccl_write(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress, gfab_diag *diag)
{
    (void)progress;
    return gfab_msccl_write_range(schedule, any_length, file, diag);
}

gfab_status gfab_msccl_write_range_apart(const gfab_schedule *schedule, gfab_byte_range range, FILE *file,
                                         gfab_diag *diag)
{
    uint32_t steps;
    return write_all(schedule, file, (dialect){false, RCCL, range}, &steps, diag);
}

gfab_status gfab_msccl_write_apart(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                                   gfab_diag *diag)
{
    (void)progress;
    return gfab_msccl_write_range_apart(schedule, any_length, file, diag);
}

gfab_status gfab_msccl_write_range_microsoft(const gfab_schedule *schedule, gfab_byte_range range, FILE *file,
                                             gfab_diag *diag)
{
    uint32_t steps;
    return write_all(schedule, file, (dialect){true, MICROSOFT, range}, &steps, diag);
}

gfab_status gfab_msccl_write_microsoft(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                                       gfab_diag *diag)
{
    (void)progress;
    return gfab_msccl_write_range_microsoft(schedule, any_length, file, diag);
}

gfab_status gfab_msccl_steps(const gfab_schedule *schedule, bool in_place, uint32_t *steps, gfab_diag *diag)
{
    return write_all(schedule, NULL, (dialect){in_place, RCCL, any_length}, steps, diag);
}

uint32_t gfab_msccl_fitting(uint32_t steps, uint32_t room, size_t blocks)
{
    return (uint32_t)((uint64_t)blocks * room / (steps ? steps : 1));
}
