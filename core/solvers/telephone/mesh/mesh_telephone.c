/* SPDX-License-Identifier: MIT */
/* Beier & Sibeyn, section 3: gossip on meshes and tori in the telephone model at linear cost. Lemmas 1, 2 and 5: axis
 * after axis. In a phase every line along an axis gossips; on a mesh two lines side by side make one cycle of twice the
 * length where the nodes can be paired up, which halves the tokens sent. Nodes of a line that know the same when a
 * phase starts share it out: each sends its share, a superpacket, as if it were all it has. Lemmas 3 and 4, meshes of
 * two odd sides: the second phase in strips (odd_mesh.h), more rounds and fewer tokens. */
#include "mesh_line.h"
#include "odd_mesh.h"
#include "solvers/grid_settings.h"

#include <gossipfab/base/arena.h>
#include <stdlib.h>
#include <string.h>

enum { NO_AXIS = GFAB_MAX_DIMENSIONS };

/* ---- phases on the grid ---- */

typedef struct grid {
    const gfab_topology *topology;
    const gfab_solver_options *options;
    size_t nodes;
    size_t axes; /* sides above 1, the order of the phases */
    size_t side[GFAB_MAX_DIMENSIONS];
    size_t stride[GFAB_MAX_DIMENSIONS]; /* of node numbers */
    bool wraps[GFAB_MAX_DIMENSIONS];
    bool ahead, twos_alone; /* pairing() */
    bool twins;             /* the lines of the first phase: cycles of odd length, taken two by two */
    uint32_t *class_of;     /* nodes of a class know the same */
    uint32_t *start;        /* class c knows the tokens known[start[c]] .. known[start[c + 1] - 1] */
    uint32_t *known;
    gfab_arena classes;            /* class_of and start */
    uint32_t *line;                /* the node at each position of the line at hand */
    uint32_t *share_start, *share; /* by position: the tokens of its superpacket */
    gfab_schedule *schedule;
    uint32_t round; /* the last one made */
    gfab_arena arena;
} grid;

static size_t coordinate(const grid *g, size_t node, size_t axis)
{
    return node / g->stride[axis] % g->side[axis];
}

/* Along which axis the lines of a phase are paired up, two side by side making a cycle; NO_AXIS: not at all. With
 * `ahead` the next phase's: two neighbours along it then know the same when it starts, which saves its first round. The
 * last one's is the one before: there, too, neighbours know the same. Otherwise the first phase's is the second axis,
 * and all others' the first. */
static size_t pairing(const grid *g, size_t axis)
{
    size_t other = axis == 0 ? 1 : 0;
    if (g->ahead)
        other = axis + 1 < g->axes ? axis + 1 : axis - 1;
    if (g->axes < 2 || g->wraps[axis] || g->wraps[other] || g->side[other] % 2 || (g->twos_alone && g->side[axis] == 2))
        return NO_AXIS;
    return other;
}

/* The line that starts at node into g->line, up this one and, if paired, down the one beside it, and its length; 0
 * where none starts. Twins of an odd number of lines: line 1 is alone, which is the one left over in the next phase's
 * first round, and the last is paired with line 0. */
static size_t walk(grid *g, size_t axis, size_t pair, size_t node)
{
    const size_t n = g->side[axis];
    if (coordinate(g, node, axis) != 0)
        return 0;
    size_t twin = node;
    if (g->twins && axis == 0) {
        const size_t at = coordinate(g, node, 1), lines = g->side[1];
        const bool alone = lines % 2 && at == 1;
        if (!alone && (at % 2 || (lines % 2 && at == 0)))
            return 0;
        if (!alone)
            twin = at + 1 < lines ? node + g->stride[1] : node - at * g->stride[1];
    } else if (pair != NO_AXIS) {
        if (coordinate(g, node, pair) % 2)
            return 0;
        twin = node + g->stride[pair];
    }
    const size_t length = twin == node ? n : 2 * n;
    for (size_t p = 0; p < n; p++) {
        g->line[p] = (uint32_t)(node + p * g->stride[axis]);
        if (twin != node)
            g->line[pair == NO_AXIS ? n + p : 2 * n - 1 - p] = (uint32_t)(twin + p * g->stride[axis]);
    }
    return length;
}

/* Shares out what each class on the line knows among its positions, in order, as evenly as can be. */
static void share_out(grid *g, size_t length)
{
    size_t used = 0;
    for (size_t p = 0; p < length; p++) {
        const uint32_t class = g->class_of[g->line[p]];
        size_t members = 0, rank = 0;
        for (size_t q = 0; q < length; q++)
            if (g->class_of[g->line[q]] == class) {
                rank += q < p;
                members++;
            }
        const size_t count = g->start[class + 1] - g->start[class];
        const size_t from = g->start[class] + count * rank / members;
        const size_t to = g->start[class] + count * (rank + 1) / members;
        g->share_start[p] = (uint32_t)used;
        memcpy(g->share + used, g->known + from, (to - from) * sizeof *g->share);
        used += to - from;
    }
    g->share_start[length] = (uint32_t)used;
}

/* What the line in g->line sends in a round: the transfers from *next on. */
static gfab_status emit_line(grid *g, const gfab_mesh_line *gossip, size_t next, uint32_t round, uint32_t *tokens)
{
    share_out(g, gossip->length);
    while (next < gossip->count && gossip->at[next].round == round) {
        const uint32_t sender = gossip->at[next].from;
        const uint32_t from = g->line[sender], to = g->line[gossip->at[next].to];
        size_t count = 0;
        for (; next < gossip->count && gossip->at[next].round == round && gossip->at[next].from == sender; next++) {
            const uint32_t p = gossip->at[next].packet;
            const size_t size = g->share_start[p + 1] - g->share_start[p];
            memcpy(tokens + count, g->share + g->share_start[p], size * sizeof *tokens);
            count += size;
        }
        gfab_arc arc = 0;
        if (count == 0)
            continue;
        if (!gfab_topology_find_arc(g->topology, from, to, &arc))
            return GFAB_ERR_INVALID;
        GFAB_TRY(gfab_schedule_append_packet(g->schedule, g->round + round, &arc, 1, tokens, count));
    }
    return GFAB_OK;
}

/* Appends the packets of all lines, round by round: of each length its gossip. */
static gfab_status emit(grid *g, const gfab_mesh_line *gossips, size_t axis, size_t pair, uint32_t *tokens)
{
    const uint32_t rounds = gossips[0].rounds > gossips[1].rounds ? gossips[0].rounds : gossips[1].rounds;
    size_t next[2] = {0, 0};
    for (uint32_t round = 1; round <= rounds; round++) {
        for (size_t v = 0; v < g->nodes; v++) {
            const size_t length = walk(g, axis, pair, v);
            const size_t kind = length != gossips[0].length;
            GFAB_TRY(length ? emit_line(g, &gossips[kind], next[kind], round, tokens) : GFAB_OK);
        }
        for (size_t kind = 0; kind < 2; kind++)
            while (next[kind] < gossips[kind].count && gossips[kind].at[next[kind]].round == round)
                next[kind]++;
        GFAB_TRY(gfab_solver_report(g->options, "rounds", g->round + round, g->round + rounds));
    }
    g->round += rounds;
    return GFAB_OK;
}

/* After the phase a line knows all that was on it: one class a line. tokens: N entries and more. */
static gfab_status merge_classes(grid *g, size_t axis, size_t pair)
{
    const size_t all = gfab_schedule_token_count(g->schedule);
    const size_t lines = g->nodes / g->side[axis];
    GFAB_AT_END(gfab_arena_release) gfab_arena arena = {0};
    uint32_t *class_of = gfab_arena_zeroed(&arena, g->nodes, sizeof *class_of);
    uint32_t *start = gfab_arena_zeroed(&arena, lines + 1, sizeof *start);
    GFAB_FREED uint32_t *known = NULL;
    size_t used = 0, count = 0, room = 0;
    GFAB_NEED(!arena.failed);
    for (size_t v = 0; v < g->nodes; v++) {
        const size_t length = walk(g, axis, pair, v);
        if (length == 0)
            continue;
        share_out(g, length);
        const size_t size = g->share_start[length];
        if (used + size > room) {
            room = used + size > all ? 2 * (used + size) : all;
            uint32_t *grown = realloc(known, room * sizeof *grown);
            GFAB_NEED(grown);
            known = grown;
        }
        if (size > 0)
            memcpy(known + used, g->share, size * sizeof *known);
        start[count] = (uint32_t)used;
        used += size;
        for (size_t p = 0; p < length; p++)
            class_of[g->line[p]] = (uint32_t)count;
        count++;
    }
    start[count] = (uint32_t)used;
    gfab_arena_release(&g->classes);
    free(g->known);
    g->classes = arena;
    arena = (gfab_arena){0};
    g->class_of = class_of;
    g->start = start;
    g->known = gfab_take_at(&known);
    return GFAB_OK;
}

/* Whether in round 1 partners know the same already. */
static bool is_first_free(const grid *g, const gfab_mesh_line *gossip)
{
    for (size_t p = 0; p < gossip->length; p++)
        if (g->class_of[g->line[p]] != g->class_of[g->line[gfab_mesh_line_partner(gossip, 1, p)]])
            return false;
    return true;
}

static gfab_status phase(grid *g, size_t axis, uint32_t *tokens)
{
    const size_t pair = pairing(g, axis), n = g->side[axis];
    const bool cycle = g->wraps[axis] || pair != NO_AXIS;
    gfab_mesh_line gossips[2] = {{.length = pair == NO_AXIS ? n : 2 * n, .cycle = cycle, .most = 2}, {.length = 0}};
    walk(g, axis, pair, 0);
    gossips[0].first_is_free = axis > 0 && cycle && is_first_free(g, &gossips[0]);
    gfab_status status = gfab_mesh_line_play(&gossips[0]);
    if (g->twins && axis == 0 && status == GFAB_OK) {
        gossips[1] = (gfab_mesh_line){.length = 2 * n, .cycle = true, .twins = true, .most = 1};
        status = gfab_mesh_line_play_twins(&gossips[1]);
    }
    GFAB_THEN(status, emit(g, gossips, axis, pair, tokens));
    GFAB_FREE(gossips[0].at, gossips[1].at);
    return status == GFAB_OK ? merge_classes(g, axis, pair) : status;
}

static void grid_free(grid *g)
{
    gfab_arena_release(&g->classes);
    free(g->known);
    gfab_arena_release(&g->arena);
}

/* turn: which axis comes first, of those whose side is above 1. To be released whatever is returned. */
static gfab_status grid_open(grid *g, const gfab_topology *topology, const gfab_solver_options *options, size_t turn,
                             gfab_schedule *schedule)
{
    const size_t nodes = gfab_topology_node_count(topology), all = gfab_schedule_token_count(schedule);
    const size_t dimensions = gfab_topology_dimensions(topology);
    const bool torus = gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_TORUS;
    *g = (grid){.topology = topology, .options = options, .nodes = nodes, .schedule = schedule};
    size_t wide[GFAB_MAX_DIMENSIONS], strides[GFAB_MAX_DIMENSIONS], count = 0;
    size_t stride = nodes;
    for (size_t d = 0; d < dimensions; d++) {
        stride /= gfab_topology_side(topology, d);
        strides[d] = stride;
        if (gfab_topology_side(topology, d) > 1)
            wide[count++] = d;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t d = wide[(i + turn) % count];
        g->side[i] = gfab_topology_side(topology, d);
        g->stride[i] = strides[d];
        g->wraps[i] = torus && g->side[i] > 2;
    }
    g->axes = count;
    g->class_of = gfab_arena_zeroed(&g->classes, nodes, sizeof *g->class_of);
    g->start = gfab_arena_zeroed(&g->classes, nodes + 1, sizeof *g->start);
    g->known = malloc(all * sizeof *g->known);
    g->line = gfab_arena_zeroed2(&g->arena, 2, nodes, sizeof *g->line);
    g->share_start = gfab_arena_zeroed(&g->arena, 2 * nodes + 1, sizeof *g->share_start);
    g->share = gfab_arena_zeroed2(&g->arena, 2, all, sizeof *g->share);
    GFAB_NEED(g->known && !g->classes.failed && !g->arena.failed);
    for (size_t v = 0; v <= nodes; v++)
        g->start[v] = gfab_schedule_first_token(schedule, v);
    for (size_t v = 0; v < nodes; v++)
        g->class_of[v] = (uint32_t)v;
    for (size_t t = 0; t < all; t++)
        g->known[t] = (uint32_t)t;
    return GFAB_OK;
}

static bool all_know_all(const grid *g)
{
    for (size_t v = 0; v < g->nodes; v++)
        if (g->start[g->class_of[v] + 1] - g->start[g->class_of[v]] < gfab_schedule_token_count(g->schedule))
            return false;
    return true;
}

typedef enum way {
    BY_AXES, /* Lemmas 1, 2 and 5 */
    AHEAD,   /* the same, in three axes and more: pairs along the next axis */
    TWOS,    /* both, lines of two nodes not paired up */
    AHEAD_TWOS,
    TWINS,     /* on a torus with an odd side, its lines two by two first */
    IN_STRIPS, /* Lemmas 3 and 4: after the first axis */
    ONE_STRIP, /* a mesh of three columns is one from the start: proof of Lemma 3 */
    WAYS
} way;

static bool is_for(const grid *g, way w)
{
    bool twos = false, mesh = true;
    for (size_t i = 0; i < g->axes; i++) {
        twos = twos || g->side[i] == 2;
        mesh = mesh && !g->wraps[i];
    }
    if (w == TWINS)
        return g->axes > 1 && g->wraps[0] && g->wraps[1] && g->side[0] % 2;
    if (w < IN_STRIPS)
        return w == BY_AXES || (mesh && (w == TWOS || g->axes > 2) && (w == AHEAD || twos));
    if (g->axes != 2 || !mesh || g->side[0] % 2 == 0 || g->side[1] % 2 == 0)
        return false;
    return w == IN_STRIPS || g->side[0] == 3;
}

/* Fills the schedule; *made false where the way is not for this grid, or not cheaper than `least` (NULL: any). */
static gfab_status build(grid *g, way w, const gfab_cost *least, bool *made)
{
    *made = is_for(g, w);
    if (!*made)
        return GFAB_OK;
    g->ahead = w == AHEAD || w == AHEAD_TWOS;
    g->twins = w == TWINS;
    g->twos_alone = w == TWOS || w == AHEAD_TWOS;
    const size_t phases = w < IN_STRIPS ? g->axes : w == IN_STRIPS ? 1 : 0;
    GFAB_FREED uint32_t *tokens = malloc((2 * gfab_schedule_token_count(g->schedule) + 1) * sizeof *tokens);
    gfab_status status = tokens ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    for (size_t axis = 0; axis < phases && status == GFAB_OK && !all_know_all(g); axis++)
        status = phase(g, axis, tokens);
    if (w < IN_STRIPS || status != GFAB_OK)
        return status;
    gfab_odd_mesh mesh = {.topology = g->topology,
                          .options = g->options,
                          .columns = g->side[0],
                          .rows = g->side[1],
                          .column_stride = g->stride[0],
                          .row_stride = g->stride[1],
                          .class_of = g->class_of,
                          .start = g->start,
                          .known = g->known,
                          .before = gfab_solver_schedule_cost(g->schedule),
                          .startup = gfab_grid_startup(g->options)};
    mesh.before.startups = g->round; /* an unequal load may leave rounds empty */
    return gfab_odd_mesh_build(&mesh, least, g->schedule, made);
}

/* ---- the solver ---- */

static gfab_status applies(const gfab_topology *topology, const gfab_model *model, gfab_diag *diag)
{
    if (gfab_topology_get_kind(topology) == GFAB_TOPOLOGY_GRAPH)
        return GFAB_REFUSE(diag, "mesh-telephone is for meshes and tori, paths and cycles");
    if (model->packet_tokens < gfab_topology_node_count(topology))
        return GFAB_REFUSE(diag, "mesh-telephone is for packets of all tokens");
    return GFAB_OK;
}

static gfab_status new_schedule(const gfab_topology *topology, const gfab_model *model,
                                const gfab_solver_options *options, gfab_schedule **made)
{
    GFAB_TRY(gfab_schedule_create(topology, model, made));
    GFAB_TRY(gfab_schedule_set_solver(*made, gfab_solver_mesh_telephone.name));
    return options->load ? gfab_schedule_set_load(*made, options->load, 1) : GFAB_OK;
}

typedef struct best {
    gfab_schedule *schedule;
    gfab_cost cost;
    uint32_t fewest; /* rounds of any that was made */
} best;

/* One way, one axis first: kept if it costs less than the best. */
static gfab_status attempt(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                           way w, size_t turn, best *b)
{
    gfab_schedule *schedule = NULL;
    GFAB_AT_END(grid_free) grid g = {0};
    bool made = false;
    gfab_status status = new_schedule(topology, model, options, &schedule);
    GFAB_THEN(status, grid_open(&g, topology, options, turn, schedule));
    GFAB_THEN(status, build(&g, w, b->schedule ? &b->cost : NULL, &made));
    if (status == GFAB_OK && made) {
        const uint32_t rounds = gfab_schedule_rounds(schedule);
        gfab_cost cost = gfab_solver_schedule_cost(schedule);
        cost.startups = rounds; /* an unequal load may leave some empty */
        b->fewest = rounds < b->fewest ? rounds : b->fewest;
        const int dearer = b->schedule ? gfab_cost_compare(&cost, &b->cost, gfab_grid_startup(options)) : -1;
        made = (!options->rounds || rounds <= options->rounds) &&
               (dearer < 0 || (dearer == 0 && rounds < b->cost.startups));
        if (made) {
            gfab_schedule_destroy(b->schedule);
            b->schedule = schedule;
            b->cost = cost;
        }
    }
    if (status != GFAB_OK || !made)
        gfab_schedule_destroy(schedule);
    return status;
}

/* Every way, with every axis first in turn; the schedule whose cost, or without one whose rounds and then transfers,
 * are least. */
static gfab_status solve(const gfab_topology *topology, const gfab_model *model, const gfab_solver_options *options,
                         gfab_schedule **schedule, gfab_diag *diag)
{
    *schedule = NULL;
    gfab_status status = gfab_solver_applies(&gfab_solver_mesh_telephone, topology, model, diag);
    GFAB_THEN(status, gfab_solver_check_options(&gfab_solver_mesh_telephone, options, diag));
    if (status != GFAB_OK)
        return status;
    size_t turns = 0;
    for (size_t d = 0; d < gfab_topology_dimensions(topology); d++)
        turns += gfab_topology_side(topology, d) > 1;
    turns += turns == 0;
    best b = {.fewest = UINT32_MAX};
    for (way w = BY_AXES; w < WAYS && status == GFAB_OK; w++)
        for (size_t turn = 0; turn < turns && status == GFAB_OK; turn++)
            status = attempt(topology, model, options, w, turn, &b);
    if (status != GFAB_OK) {
        gfab_schedule_destroy(b.schedule);
        return gfab_fail(diag, 0, status, "mesh-telephone: %s", gfab_status_string(status));
    }
    if (!b.schedule)
        return GFAB_REFUSE(diag, "mesh-telephone makes %u rounds here, more than the %u asked for", b.fewest,
                           options->rounds);
    *schedule = b.schedule;
    return GFAB_OK;
}

const gfab_solver gfab_solver_mesh_telephone = {
    .name = "mesh-telephone",
    .summary = "telephone gossip on meshes and tori, few rounds and few tokens: every axis in turn, or in strips",
    .source = "Beier & Sibeyn, section 3, Lemmas 1 to 5",
    .applies = applies,
    .solve = solve,
    .takes_load = true,
    .minds_startup = true,
    .only = GFAB_ONLY_FULL | GFAB_ONLY_ONE_ROUND,
};
