/* SPDX-License-Identifier: MIT */
/* The formula "there is a schedule of R rounds for a goal whose blocks are combined", given to CaDiCaL.
 * docs/theory/certificates.md. */
#include "cnf.h"
#include "topology/translate.h"

#include <stdlib.h>

/* Truth values besides variables, which are above 0. A variable's opposite is below 0. */
#define TRUE INT32_MAX
#define FALSE (-TRUE)

/* In rounds r = 1 .. R: "v's part of block b has c's contribution after round r"; "arc a carries block b in round r";
 * "v stores block b in round r", in place of combining it. With translations block 0 stands for all: a move of it is
 * one of each block, every block's seen from its owner. */
typedef struct formula {
    const gfab_topology *topology;
    const gfab_model *model;
    const gfab_goal *goal;
    bool translations;
    size_t nodes, arcs, blocks;
    uint32_t rounds;
    int has, moves, stores; /* the first variable of each kind */
    gfab_cnf cnf;
    gfab_schedule **schedule;
    int *scratch; /* [arcs * blocks] */
} formula;

static bool is_relay(const formula *f, size_t node)
{
    return gfab_topology_is_relay(f->topology, node);
}

static int has(const formula *f, size_t node, size_t block, size_t source, uint32_t round)
{
    if (round == 0)
        return node == source && !is_relay(f, node) ? TRUE : FALSE;
    return f->has + (int)(((block * f->nodes + node) * f->nodes + source) * f->rounds + round - 1);
}

static int moves(const formula *f, size_t arc, size_t block, uint32_t round)
{
    return f->moves + (int)((block * f->arcs + arc) * f->rounds + round - 1);
}

static int stores(const formula *f, size_t node, size_t block, uint32_t round)
{
    return f->stores + (int)((block * f->nodes + node) * f->rounds + round - 1);
}

static void add_literal(formula *f, int literal, bool *satisfied)
{
    *satisfied = *satisfied || literal == TRUE;
    if (literal != TRUE && literal != FALSE)
        gfab_cnf_add(&f->cnf, literal);
}

/* A clause whose literals may be TRUE or FALSE. */
static void clause(formula *f, const int *literals, size_t count)
{
    const size_t start = f->cnf.length;
    bool satisfied = false;
    for (size_t i = 0; i < count; i++)
        add_literal(f, literals[i], &satisfied);
    if (satisfied)
        f->cnf.length = start;
    else
        gfab_cnf_add(&f->cnf, 0);
}

#define CLAUSE(f, ...) clause(f, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

/* Arc number i into a node. */
static gfab_arc arc_into(const gfab_port *port)
{
    return 2 * port->link + (port->end == 0);
}

/* One contribution at one node in one round: brought[i] says that port i's message has it. */
static void add_contribution(formula *f, size_t node, size_t block, size_t source, uint32_t round, int *brought)
{
    size_t count;
    const gfab_port *ports = gfab_topology_ports(f->topology, node, &count);
    const int before = has(f, node, block, source, round - 1), now = has(f, node, block, source, round);
    const int store = stores(f, node, block, round);
    for (size_t i = 0; i < count; i++) {
        const int move = moves(f, arc_into(&ports[i]), block, round);
        const int sent = has(f, ports[i].peer, block, source, round - 1);
        brought[i] = gfab_cnf_variable(&f->cnf);
        CLAUSE(f, -brought[i], move);
        CLAUSE(f, -brought[i], sent);
        CLAUSE(f, brought[i], -move, -sent);
        CLAUSE(f, -brought[i], now);
        if (!f->goal->idempotent) {
            CLAUSE(f, -brought[i], -before, store);
            for (size_t j = 0; j < i; j++)
                CLAUSE(f, -brought[i], -brought[j]);
        }
    }
    CLAUSE(f, -before, store, now);
    /* It has nothing else. */
    brought[count] = before;
    brought[count + 1] = -now;
    clause(f, brought, count + 2);
    brought[count] = -store;
    clause(f, brought, count + 2);
}

/* A block at a node in a round: what is stored comes alone, and what leaves has rested lambda rounds. */
static void add_block(formula *f, size_t node, size_t block, uint32_t round)
{
    size_t count;
    const gfab_port *ports = gfab_topology_ports(f->topology, node, &count);
    const int store = stores(f, node, block, round);
    for (size_t i = 0; i < count; i++) {
        const int move = moves(f, arc_into(&ports[i]), block, round);
        for (size_t j = 0; j < i; j++)
            CLAUSE(f, -store, -move, -moves(f, arc_into(&ports[j]), block, round));
        for (uint32_t wait = 1; wait < f->model->hop_rounds && round + wait <= f->rounds; wait++)
            for (size_t j = 0; j < count; j++)
                CLAUSE(f, -move, -moves(f, arc_into(&ports[j]) ^ 1, block, round + wait));
    }
    for (size_t i = 0; i < count; i++)
        f->scratch[i] = moves(f, arc_into(&ports[i]), block, round);
    f->scratch[count] = -store;
    clause(f, f->scratch, count + 1);
}

/* A relay without anything of a block neither sends nor combines it: what comes first is stored. */
static void add_relay(formula *f, size_t node, size_t block, uint32_t round, int *literals)
{
    size_t count;
    const gfab_port *ports = gfab_topology_ports(f->topology, node, &count);
    for (size_t c = 0; c < f->nodes; c++)
        literals[c] = has(f, node, block, c, round - 1);
    for (size_t i = 0; i < count; i++) {
        literals[f->nodes] = -moves(f, arc_into(&ports[i]) ^ 1, block, round);
        clause(f, literals, f->nodes + 1);
        literals[f->nodes] = -moves(f, arc_into(&ports[i]), block, round);
        literals[f->nodes + 1] = stores(f, node, block, round);
        clause(f, literals, f->nodes + 2);
    }
}

/* The class of arcs that a link's is in: with translations its axis, else the link. */
static size_t class_of(const formula *f, size_t link)
{
    if (!f->translations)
        return link;
    size_t axis = gfab_topology_dimensions(f->topology), links = 0;
    while (links <= link) /* links are numbered last axis first, as many on each axis with a side above 2 as nodes */
        links += gfab_topology_side(f->topology, --axis) > 2 ? f->nodes : 0;
    return axis;
}

/* What a class of arcs may carry one way in a round, behind the literals that are there. */
static size_t gather(const formula *f, size_t class, size_t way, uint32_t round, size_t count)
{
    const size_t links = f->arcs / 2, first = f->translations ? 0 : class, end = f->translations ? links : class + 1;
    for (size_t link = first; link < end; link++)
        for (size_t b = 0; class_of(f, link) == class && b < f->blocks; b++)
            f->scratch[count++] = moves(f, 2 * link + way, b, round);
    return count;
}

/* At most packet_tokens messages over a link, or each way of it, times its weight. Those of one packet go one way. */
static void add_links(formula *f, uint32_t round)
{
    const bool half = f->model->link_mode == GFAB_LINK_HALF;
    const size_t classes = f->translations ? gfab_topology_dimensions(f->topology) : f->arcs / 2;
    for (size_t class = 0; class < classes && !f->cnf.failed; class ++) {
        const size_t there = gather(f, class, 0, round, 0), both = gather(f, class, 1, round, there);
        const size_t most = f->model->packet_tokens * (f->translations ? 1 : gfab_topology_weight(f->topology, class));
        gfab_cnf_at_most(&f->cnf, f->scratch, half ? both : there, most);
        if (!half)
            gfab_cnf_at_most(&f->cnf, f->scratch + there, both - there, most);
        if (half && f->model->packet_tokens > 1) {
            const int direction = gfab_cnf_variable(&f->cnf);
            for (size_t i = 0; i < both; i++)
                CLAUSE(f, -f->scratch[i], i < there ? -direction : direction);
        }
    }
}

static void make_formula(formula *f, int *brought)
{
    const int r = (int)f->rounds;
    f->has = 1;
    f->moves = f->has + (int)(f->blocks * f->nodes * f->nodes) * r;
    f->stores = f->moves + (int)(f->blocks * f->arcs) * r;
    f->cnf.variables = f->stores + (int)(f->blocks * f->nodes) * r - 1;
    for (size_t b = 0; b < f->blocks; b++)
        for (size_t v = 0; v < f->nodes && !f->cnf.failed; v++)
            for (uint32_t round = 1; round <= f->rounds; round++) {
                add_block(f, v, b, round);
                if (is_relay(f, v))
                    add_relay(f, v, b, round, brought);
                for (size_t c = 0; c < f->nodes; c++)
                    add_contribution(f, v, b, c, round, brought);
            }
    for (uint32_t round = 1; round <= f->rounds; round++)
        add_links(f, round);
    for (uint32_t b = 0; b < f->blocks; b++)
        for (uint32_t v = 0; v < f->nodes; v++)
            for (size_t c = 0; gfab_goal_node_wants(f->goal, f->topology, v, b) && c < f->nodes; c++)
                if (!is_relay(f, c))
                    CLAUSE(f, has(f, v, b, c, f->rounds));
}

/* What goes over a link in a round. */
typedef struct message {
    gfab_arc arc;
    uint32_t token; /* with GFAB_COMBINE */
} message;

static int by_arc(const void *a, const void *b)
{
    const message *x = a, *y = b;
    const uint32_t block[] = {x->token & ~GFAB_COMBINE, y->token & ~GFAB_COMBINE};
    return x->arc != y->arc ? (x->arc > y->arc ? 1 : -1) : (block[0] > block[1]) - (block[0] < block[1]);
}

/* The messages of a round, and how many: with translations each move of block 0 is one of every block. */
static size_t list_round(const formula *f, gfab_cadical *solver, uint32_t round, message *list)
{
    size_t count = 0;
    for (gfab_arc arc = 0; arc < f->arcs; arc++)
        for (uint32_t b = 0; b < f->blocks; b++) {
            if (gfab_cadical_value(solver, moves(f, arc, b, round)) <= 0)
                continue;
            const uint32_t from = gfab_topology_arc_from(f->topology, arc);
            const uint32_t to = gfab_topology_arc_to(f->topology, arc);
            const uint32_t flag = gfab_cadical_value(solver, stores(f, to, b, round)) < 0 ? GFAB_COMBINE : 0;
            if (!f->translations)
                list[count++] = (message){arc, b | flag};
            for (uint32_t v = 0; f->translations && v < f->nodes; v++)
                list[count++] = (message){
                    gfab_translate_arc(f->topology, arc, gfab_translate_plus(f->topology, from, v)), v | flag};
        }
    qsort(list, count, sizeof *list, by_arc);
    return count;
}

/* Those over one arc are a packet, or several over a link of some weight. */
static gfab_status append_round(const formula *f, uint32_t round, const message *list, size_t count, uint32_t *tokens)
{
    for (size_t i = 0; i < count;) {
        const gfab_arc arc = list[i].arc;
        size_t size = 0;
        while (size < f->model->packet_tokens && i < count && list[i].arc == arc)
            tokens[size++] = list[i++].token;
        GFAB_TRY(gfab_schedule_append_packet(*f->schedule, round, &arc, 1, tokens, size));
    }
    return GFAB_OK;
}

static gfab_status read_schedule(void *context, gfab_cadical *solver)
{
    const formula *f = context;
    if (!f->schedule)
        return GFAB_OK;
    const size_t most = f->arcs * (f->translations ? f->nodes : f->blocks);
    GFAB_FREED message *list = malloc(most * sizeof *list);
    GFAB_FREED uint32_t *tokens = malloc(most * sizeof *tokens);
    gfab_status status = gfab_schedule_create(f->topology, f->model, f->schedule);
    GFAB_THEN(status, list && tokens ? gfab_schedule_set_solver(*f->schedule, "sat") : GFAB_ERR_NO_MEMORY);
    GFAB_THEN(status, gfab_schedule_set_goal(*f->schedule, f->goal, NULL));
    for (uint32_t round = 1; round <= f->rounds && status == GFAB_OK; round++)
        status = append_round(f, round, list, list_round(f, solver, round, list), tokens);
    return GFAB_LEAVE(status, gfab_schedule_destroy, f->schedule);
}

/* Is the goal, under this model, one that the formula is for? */
static gfab_status check(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                         bool translations, gfab_diag *diag)
{
    const size_t nodes = gfab_topology_member_count(topology);
    GFAB_TRY(gfab_model_check(model, diag));
    GFAB_TRY(gfab_prove_check_weights(topology, model, 0, diag));
    GFAB_TRY(gfab_goal_check(goal, nodes, diag));
    if (!gfab_collective_combines(goal->collective))
        return GFAB_REFUSE(diag, "a proof is for all-gather, or where blocks are combined");
    if (model->port_mode != GFAB_PORT_ALL || model->routing != GFAB_ROUTING_STORE_AND_FORWARD)
        return GFAB_REFUSE(diag, "where blocks are combined a proof is for all ports and store-and-forward");
    if (!translations)
        return GFAB_OK;
    bool turns = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS && goal->blocks == nodes &&
                 !gfab_collective_has_root(goal->collective);
    for (size_t d = 0; d < gfab_topology_dimensions(topology); d++)
        turns = turns && gfab_topology_side(topology, d) != 2;
    if (!turns)
        return GFAB_REFUSE(diag, "translations are for tori without a side of 2, with a block for each node");
    return GFAB_OK;
}

gfab_status gfab_prove_goal(const gfab_topology *topology, const gfab_model *model, const gfab_goal *goal,
                            uint32_t rounds, const gfab_prove_options *options, gfab_prove_report *report,
                            gfab_schedule **schedule, gfab_diag *diag)
{
    const gfab_goal gossip = gfab_goal_default(gfab_topology_member_count(topology));
    if (gfab_goal_equal(goal, &gossip) && !options->translations)
        return gfab_prove_rounds(topology, model, rounds, options, report, schedule, diag);
    formula f = {.topology = topology,
                 .model = model,
                 .goal = goal,
                 .translations = options->translations,
                 .nodes = gfab_topology_node_count(topology),
                 .arcs = 2 * gfab_topology_link_count(topology),
                 .blocks = options->translations ? 1 : goal->blocks,
                 .rounds = rounds,
                 .schedule = schedule};
    *report = (gfab_prove_report){.answer = GFAB_PROVE_UNKNOWN};
    if (schedule)
        *schedule = NULL;
    GFAB_TRY(check(topology, model, goal, options->translations, diag));
    const uint64_t limit = GFAB_PROVE_MAX_VARIABLES;
    if (f.nodes > limit || f.arcs > limit ||
        f.blocks * ((f.nodes + 1) * f.nodes + (f.nodes + 1) * f.arcs) > limit / ((uint64_t)rounds + 1))
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "too large for a proof: %zu nodes and %zu blocks in %u rounds make more than %d variables",
                         f.nodes, f.blocks, rounds, GFAB_PROVE_MAX_VARIABLES);
    GFAB_FREED int *brought = malloc((gfab_topology_max_degree(topology) + f.nodes + 2) * sizeof *brought);
    f.scratch = malloc((f.arcs * f.blocks + 2) * sizeof *f.scratch);
    (void)snprintf(f.cnf.comment, sizeof f.cnf.comment, "%s of %u blocks on %s in %u rounds",
                   gfab_collective_name(goal->collective), goal->blocks, gfab_topology_name(topology), rounds);
    if (brought && f.scratch)
        make_formula(&f, brought);
    gfab_status status = brought && f.scratch && !f.cnf.failed ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    GFAB_THEN(status, gfab_cnf_answer(&f.cnf, options, report, read_schedule, &f, diag));
    GFAB_FREE(f.scratch, f.cnf.literals);
    return status;
}
