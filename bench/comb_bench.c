/* SPDX-License-Identifier: MIT */
/* Gossip on square meshes by the comb solver, streamed: no schedule is held. Two runs a size: one that only sums up,
 * one that checks every move with a checker of its own kind. One line a size: topology, rounds, moves, moves of the
 * busiest and of the idlest link, seconds of either run.
 *
 * comb_bench [N...]; without arguments 16, 32, 64, 128. */
#include <gossipfab/gossipfab.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "comb_bench: %s\n", what);
    exit(1);
}

static double now_seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

typedef struct summary {
    uint32_t rounds;
    uint64_t moves;
    uint32_t *link_moves;
} summary;

static gfab_status sum_round(void *context, uint32_t round, const gfab_solver_move *moves, size_t count)
{
    summary *s = context;
    s->rounds = round;
    s->moves += count;
    for (size_t i = 0; i < count; i++)
        s->link_moves[moves[i].arc / 2]++;
    return GFAB_OK;
}

typedef struct checker {
    const gfab_topology *topology;
    size_t words;
    uint64_t *held;     /* [node * words ...]: a bit set of tokens */
    uint32_t *last_use; /* [link]: the last round that used it */
    uint64_t missing;
} checker;

/* First every move is held against what was known before the round, then all are entered. */
static gfab_status check_round(void *context, uint32_t round, const gfab_solver_move *moves, size_t count)
{
    checker *c = context;
    for (size_t i = 0; i < count; i++) {
        const uint32_t token = moves[i].token;
        const uint64_t *from = c->held + gfab_topology_arc_from(c->topology, moves[i].arc) * c->words;
        if (c->last_use[moves[i].arc / 2] == round || !(from[token / 64] >> (token % 64) & 1))
            return GFAB_ERR_FAULT;
        c->last_use[moves[i].arc / 2] = round;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t token = moves[i].token;
        uint64_t *to = c->held + gfab_topology_arc_to(c->topology, moves[i].arc) * c->words + token / 64;
        const uint64_t bit = (uint64_t)1 << (token % 64);
        if (*to & bit)
            return GFAB_ERR_FAULT;
        *to |= bit;
    }
    c->missing -= count;
    return GFAB_OK;
}

static double run(const gfab_topology *topology,
                  gfab_status (*round)(void *, uint32_t, const gfab_solver_move *, size_t), void *context)
{
    const gfab_model model = gfab_model_default();
    const gfab_solver_options options = gfab_solver_options_default();
    const gfab_solver_sink sink = {round, context};
    gfab_diag diag = {0, ""};
    const double start = now_seconds();
    const gfab_status status = gfab_solver_find("comb")->stream(topology, &model, &options, &sink, &diag);
    require(status == GFAB_OK, status == GFAB_ERR_FAULT ? "a move is faulty" : diag.message);
    return now_seconds() - start;
}

static void measure(uint32_t n)
{
    gfab_diag diag = {0, ""};
    gfab_topology *topology;
    const gfab_status status =
        gfab_topology_create_grid(GFAB_TOPOLOGY_MESH, 2, (const uint32_t[2]){n, n}, &topology, &diag);
    require(status == GFAB_OK, diag.message);
    const size_t nodes = gfab_topology_node_count(topology), links = gfab_topology_link_count(topology);
    summary s = {.link_moves = calloc(links, sizeof *s.link_moves)};
    checker c = {.topology = topology, .words = (nodes + 63) / 64, .missing = (uint64_t)nodes * (nodes - 1)};
    c.held = calloc(nodes * c.words, sizeof *c.held);
    c.last_use = calloc(links, sizeof *c.last_use);
    require(s.link_moves && c.held && c.last_use, "out of memory");
    for (size_t v = 0; v < nodes; v++)
        c.held[v * c.words + v / 64] |= (uint64_t)1 << (v % 64);
    const double sum_seconds = run(topology, sum_round, &s);
    const double check_seconds = run(topology, check_round, &c);
    require(c.missing == 0, "tokens are missing at the end");
    uint32_t most = 0, fewest = UINT32_MAX;
    for (size_t l = 0; l < links; l++) {
        most = s.link_moves[l] > most ? s.link_moves[l] : most;
        fewest = s.link_moves[l] < fewest ? s.link_moves[l] : fewest;
    }
    printf("comb %s rounds %u moves %llu link-moves %u..%u summed %.2f s checked %.2f s\n",
           gfab_topology_name(topology), (unsigned)s.rounds, (unsigned long long)s.moves, (unsigned)fewest,
           (unsigned)most, sum_seconds, check_seconds);
    free(s.link_moves);
    free(c.held);
    free(c.last_use);
    gfab_topology_destroy(topology);
}

int main(int argc, char **argv)
{
    const uint32_t usual[] = {16, 32, 64, 128};
    for (int i = 1; i < argc; i++)
        measure((uint32_t)strtoul(argv[i], NULL, 10));
    for (size_t i = 0; argc == 1 && i < sizeof usual / sizeof *usual; i++)
        measure(usual[i]);
    return 0;
}
