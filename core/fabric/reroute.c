/* SPDX-License-Identifier: MIT */
/* Programs for a damaged fabric. A schedule of what is left is carried over to the fabric's own topology, link by link,
 * and lowered with the fabric's own layout; what dropped the dead parts from a topology also numbered the rest anew. */
#include <gossipfab/fabric/program.h>
#include <gossipfab/fabric/reroute.h>
#include <gossipfab/schedule/expression.h>
#include <gossipfab/schedule/verify.h>

#include "machine_internal.h"
#include "program_internal.h"

#include <stdlib.h>
#include <string.h>

GFAB_ENDS_BY(gfab_banks_destroy, gfab_banks)
GFAB_ENDS_BY(gfab_image_destroy, gfab_image)
GFAB_ENDS_BY(gfab_machine_destroy, gfab_machine)
GFAB_ENDS_BY(gfab_program_destroy, gfab_program)

#define GONE UINT32_MAX

gfab_status gfab_survivors_create(const gfab_topology *whole, const char *drops_text, gfab_survivors *survivors,
                                  gfab_diag *diag)
{
    if (*drops_text == '\0')
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "nothing is dropped; name +drop-link=U-V or +drop-node=V");
    for (const char *at = drops_text; at; at = strchr(at + 1, '+'))
        if (strncmp(at, "+drop-", strlen("+drop-")) != 0)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "\"%.40s\": only +drop-link=U-V and +drop-node=V can follow", at);
    return gfab_topology_change(whole, drops_text, &survivors->topology, &survivors->node, diag);
}

void gfab_survivors_release(gfab_survivors *survivors)
{
    gfab_topology_destroy(survivors->topology);
    free(survivors->node);
    *survivors = (gfab_survivors){NULL, NULL};
}

/* From one topology's arcs and tokens to those of another. */
typedef struct carrier {
    const gfab_topology *from, *to;
    const uint32_t *node;          /* of each node of from, that of to; or GONE */
    uint32_t from_parts, to_parts; /* the same number, or 1 and any; 1 and 1 where there are blocks */
    const gfab_goal *goal;         /* of both, in blocks that have the same numbers; NULL for tokens */
    gfab_arc *arcs;                /* of a packet */
    uint32_t *tokens;              /* likewise */
    size_t arcs_held, tokens_held;
} carrier;

static gfab_status make_room(carrier *c, const gfab_packet *packet)
{
    const size_t tokens = packet->token_count * (c->to_parts / c->from_parts);
    if (packet->arc_count > c->arcs_held) {
        free(c->arcs);
        c->arcs_held = packet->arc_count;
        c->arcs = malloc(c->arcs_held * sizeof *c->arcs);
    }
    if (tokens > c->tokens_held) {
        free(c->tokens);
        c->tokens_held = tokens;
        c->tokens = malloc(c->tokens_held * sizeof *c->tokens);
    }
    return c->arcs && c->tokens ? GFAB_OK : GFAB_ERR_NO_MEMORY;
}

/* The arc of `to` in the place of one of `from`: of parallel ones, which are neighbours, the one of the same rank. */
static bool find_arc(const carrier *c, gfab_arc arc, gfab_arc *found)
{
    const gfab_link link = gfab_topology_link(c->from, arc / 2);
    uint32_t rank = 0;
    while (rank < arc / 2) {
        const gfab_link before = gfab_topology_link(c->from, arc / 2 - rank - 1);
        if (before.node[0] != link.node[0] || before.node[1] != link.node[1])
            break;
        rank++;
    }
    const uint32_t from = c->node[link.node[arc % 2]], to = c->node[link.node[1 - arc % 2]];
    if (from == GONE || to == GONE || !gfab_topology_find_arc(c->to, from, to, found))
        return false;
    *found += 2 * rank;
    return *found / 2 < gfab_topology_link_count(c->to) && gfab_topology_arc_from(c->to, *found) == from &&
           gfab_topology_arc_to(c->to, *found) == to;
}

static gfab_status fail_dead(uint32_t round, uint32_t from, uint32_t to, gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %u: the link from node %u to %u is used, which is dead",
                     (unsigned)round, (unsigned)from, (unsigned)to);
}

static gfab_status carry_packet(carrier *c, uint32_t round, const gfab_packet *packet, gfab_schedule *schedule,
                                gfab_diag *diag)
{
    const uint32_t pieces = c->to_parts / c->from_parts;
    gfab_status status = make_room(c, packet);
    if (status != GFAB_OK)
        return gfab_told(GFAB_ERR_NO_MEMORY, diag);
    for (size_t i = 0; i < packet->arc_count; i++) {
        if (!find_arc(c, packet->arcs[i], &c->arcs[i]))
            return fail_dead(round, gfab_topology_arc_from(c->from, packet->arcs[i]),
                             gfab_topology_arc_to(c->from, packet->arcs[i]), diag);
    }
    for (size_t i = 0; i < packet->token_count && c->goal; i++)
        c->tokens[i] = packet->tokens[i];
    for (size_t i = 0; i < packet->token_count && !c->goal; i++) {
        const uint32_t origin = packet->tokens[i] / c->from_parts, part = packet->tokens[i] % c->from_parts;
        if (c->node[origin] == GONE)
            return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %u: a token of node %u moves, which is dead",
                             (unsigned)round, (unsigned)origin);
        for (uint32_t piece = 0; piece < pieces; piece++)
            c->tokens[i * pieces + piece] = c->node[origin] * c->to_parts + part * pieces + piece;
    }
    status = gfab_schedule_append_packet(schedule, round, c->arcs, packet->arc_count, c->tokens,
                                         packet->token_count * pieces);
    return gfab_told(status, diag);
}

static gfab_status carry(carrier *c, const gfab_model *model, const gfab_schedule *schedule, gfab_schedule **carried,
                         gfab_diag *diag)
{
    gfab_schedule *made = NULL;
    gfab_status status = gfab_schedule_create(c->to, model, &made);
    if (status == GFAB_OK && c->to_parts > 1)
        status = gfab_schedule_set_load(made, NULL, c->to_parts);
    if (status == GFAB_OK && c->goal)
        status = gfab_schedule_set_goal(made, c->goal, NULL);
    if (status != GFAB_OK)
        gfab_fail(diag, 0, status, "%s", gfab_status_string(status));
    else
        status = gfab_schedule_check_listed(schedule, diag);
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule) && status == GFAB_OK; round++) {
        gfab_packet_iter it = gfab_schedule_round(schedule, round);
        gfab_packet packet;
        while (status == GFAB_OK && gfab_packet_next(&it, &packet))
            status = carry_packet(c, round, &packet, made, diag);
    }
    GFAB_FREE(c->arcs, c->tokens);
    return GFAB_HAND_OVER(status, made, gfab_schedule_destroy, carried);
}

static gfab_status check_schedule(const gfab_topology *topology, const gfab_model *model, const gfab_schedule *schedule,
                                  gfab_diag *diag)
{
    gfab_verify_report report;
    const gfab_status status = gfab_verify(topology, model, schedule, NULL, &report);
    return status == GFAB_OK ? status
                             : gfab_fail(diag, 0, status, "%s",
                                         status == GFAB_ERR_FAULT ? report.message : gfab_status_string(status));
}

/* With blocks the fabric's own collective, which takes all members; and it must be one that the hardware finishes. */
static gfab_status check_collective(const gfab_machine *fabric, const gfab_survivors *survivors,
                                    const gfab_schedule *schedule, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule), own = gfab_machine_program_at(fabric, 0)->goal;
    const size_t members = gfab_topology_member_count(gfab_machine_topology(fabric));
    if (gfab_layout_goal(gfab_machine_layout(fabric)))
        return GFAB_REFUSE(diag, "an all-to-all's blocks end up where its first schedule left room for them");
    if (gfab_topology_member_count(survivors->topology) != members)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "a collective's members must live, %zu of %zu do; drop links and relays alone",
                         gfab_topology_member_count(survivors->topology), members);
    if (!gfab_goal_equal(&goal, &own))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the schedule is for another collective than the fabric");
    return check_schedule(survivors->topology, gfab_schedule_model(schedule), schedule, diag);
}

/* Onto the fabric's own topology. */
static gfab_status embed(const gfab_machine *fabric, const gfab_survivors *survivors, const gfab_schedule *schedule,
                         gfab_schedule **embedded, gfab_diag *diag)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    carrier c = {.from = survivors->topology,
                 .to = gfab_machine_topology(fabric),
                 .node = survivors->node,
                 .from_parts = gfab_schedule_parts(schedule),
                 .to_parts = gfab_layout_parts(gfab_machine_layout(fabric))};
    if (!gfab_topology_equal(c.from, gfab_schedule_topology(schedule)))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "the schedule is for %s, what is left of the fabric is %s",
                         gfab_topology_name(gfab_schedule_topology(schedule)), gfab_topology_name(c.from));
    if (gfab_layout_blocks(gfab_machine_layout(fabric))) {
        GFAB_TRY(check_collective(fabric, survivors, schedule, diag));
        c.goal = &goal;
        c.from_parts = c.to_parts = 1;
        return carry(&c, gfab_schedule_model(schedule), schedule, embedded, diag);
    }
    if (!gfab_schedule_even_load(schedule))
        return GFAB_REFUSE(diag, "load: the hardware starts with one token in each node");
    if (c.from_parts != 1 && c.from_parts != c.to_parts)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "parts: the schedule cuts tokens in %u, the fabric in %u",
                         (unsigned)c.from_parts, (unsigned)c.to_parts);
    return carry(&c, gfab_schedule_model(schedule), schedule, embedded, diag);
}

/* The relays', of which the fabric has as many as its first schedule took. */
static gfab_status reuse_slots(gfab_program **program, gfab_diag *diag)
{
    gfab_program *placed = NULL;
    GFAB_TRY(gfab_program_allocate_again(*program, &placed, diag));
    gfab_program_destroy(*program);
    *program = placed;
    return GFAB_OK;
}

/* An image of the size that the fabric's has. */
static gfab_status fit_image(const gfab_machine *fabric, const gfab_program *program, const gfab_progress *progress,
                             gfab_image **image, gfab_diag *diag)
{
    const uint32_t round_bits = gfab_machine_round_bits(fabric), rounds = gfab_program_rounds(program);
    const gfab_image *old = gfab_machine_image(fabric);
    gfab_image *made = NULL;
    if (rounds >> round_bits)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "%u rounds and the halt do not fit the fabric's ROMs, which hold %u; generate it with "
                         "--rom-rounds %u",
                         (unsigned)rounds, 1u << round_bits, (unsigned)rounds + 1);
    gfab_status status = gfab_program_assemble(program, round_bits, progress, &made, diag);
    if (status == GFAB_OK && gfab_image_gap_bits(made) > gfab_image_gap_bits(old))
        status =
            gfab_fail(diag, 0, GFAB_ERR_LIMIT, "gaps of %u bits, the fabric has %u; generate it with a longer --gap",
                      (unsigned)gfab_image_gap_bits(made), (unsigned)gfab_image_gap_bits(old));
    GFAB_THEN(status, gfab_image_set_gap_bits(made, gfab_image_gap_bits(old), diag));
    if (status == GFAB_OK && gfab_machine_timing(fabric)->paths) {
        if (gfab_image_wait_bits(made) > gfab_image_wait_bits(old))
            status = gfab_fail(diag, 0, GFAB_ERR_LIMIT, "waits of %u bits over its paths, the fabric has %u",
                               (unsigned)gfab_image_wait_bits(made), (unsigned)gfab_image_wait_bits(old));
        else
            status = gfab_image_set_wait_bits(made, gfab_image_wait_bits(old), diag);
    }
    GFAB_THEN(status, gfab_image_check(made, gfab_machine_timing(fabric), progress, NULL, diag));
    GFAB_THEN(status, gfab_program_check_image(program, made, progress, diag));
    return GFAB_HAND_OVER(status, made, gfab_image_destroy, image);
}

/* The crossbars of wide nodes were chosen for the schedule from before, and stay as they are. */
static gfab_status assign_banks(const gfab_machine *fabric, const gfab_image *image, gfab_banks **banks,
                                gfab_diag *diag)
{
    const gfab_crossbar *crossbar = gfab_banks_crossbar(gfab_machine_banks(fabric));
    const gfab_goal *goal = &gfab_machine_program_at(fabric, 0)->goal;
    const bool blocks = gfab_layout_blocks(gfab_machine_layout(fabric));
    gfab_diag reason = {0, ""};
    gfab_status status = gfab_banks_assign(image, blocks ? goal : NULL, crossbar, banks, &reason);
    GFAB_THEN(status, gfab_banks_check(*banks, gfab_machine_timing(fabric), NULL, &reason));
    if (status == GFAB_OK)
        return GFAB_OK;
    return gfab_fail(diag, 0, status, "the fabric's wide nodes, %u bank%s, crossbar %s: %s; try another solver or seed",
                     (unsigned)crossbar->banks, crossbar->banks == 1 ? "" : "s", gfab_crossbar_name(crossbar->kind),
                     reason.message);
}

/* Where their order counts. */
static gfab_status add_messages(gfab_machine *machine, const gfab_schedule *schedule, gfab_diag *diag)
{
    gfab_message *messages = NULL;
    size_t count = 0;
    if (gfab_schedule_messages(schedule, &messages, &count) != GFAB_OK)
        return gfab_told(GFAB_ERR_NO_MEMORY, diag);
    gfab_machine_own_messages(machine, 0, messages, count);
    return GFAB_OK;
}

gfab_status gfab_machine_reroute(const gfab_machine *fabric, const gfab_survivors *survivors,
                                 const gfab_schedule *schedule, uint64_t gap_cycles, const gfab_progress *progress,
                                 gfab_machine **rerouted, gfab_diag *diag)
{
    const gfab_layout *layout = gfab_machine_layout(fabric);
    const gfab_timing *timing = gfab_machine_timing(fabric);
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *embedded = NULL;
    GFAB_AT_END(gfab_program_at_end) gfab_program *program = NULL;
    GFAB_AT_END(gfab_image_at_end) gfab_image *image = NULL;
    GFAB_AT_END(gfab_banks_at_end) gfab_banks *banks = NULL;
    GFAB_AT_END(gfab_machine_at_end) gfab_machine *made = NULL;
    GFAB_TRY(gfab_features_check(gfab_layout_features(layout) | GFAB_HAS(REROUTED), diag));
    GFAB_TRY(embed(fabric, survivors, schedule, &embedded, diag));
    GFAB_TRY(gfab_program_lower(embedded, layout, timing, gap_cycles, progress, &program, diag));
    if (gfab_topology_has_relays(gfab_layout_topology(layout)))
        GFAB_TRY(reuse_slots(&program, diag));
    GFAB_TRY(fit_image(fabric, program, progress, &image, diag));
    if (timing->wide)
        GFAB_TRY(assign_banks(fabric, image, &banks, diag));
    GFAB_TRY(gfab_told(gfab_machine_create(image, banks, timing, &made), diag));
    gfab_machine_own(made, NULL, gfab_take_at(&image), gfab_take_at(&banks));
    gfab_machine_set_goal(made, 0, &gfab_machine_program_at(fabric, 0)->goal);
    GFAB_TRY(gfab_machine_check_rerouted(made, survivors, diag));
    if (gfab_operator_is_chained(gfab_layout_operator(layout)))
        GFAB_TRY(add_messages(made, embedded, diag));
    *rerouted = gfab_take_at(&made);
    return GFAB_OK;
}

/* What the machine's programs do, as a schedule on its topology. */
static gfab_status read_back(const gfab_machine *machine, gfab_schedule **schedule, gfab_diag *diag)
{
    gfab_program *program = NULL;
    gfab_status status = gfab_program_disassemble(gfab_machine_image(machine), NULL, &program, diag);
    GFAB_THEN(status, gfab_program_raise(program, schedule, diag));
    gfab_program_destroy(program);
    return status;
}

/* Are all ports idle that lead to what is dead? node: of each of the fabric, that of what is left; or GONE. */
static gfab_status check_idle(const gfab_machine *machine, const gfab_topology *left, const uint32_t *node,
                              gfab_diag *diag)
{
    const gfab_image *image = gfab_machine_image(machine);
    const gfab_layout *layout = gfab_machine_layout(machine);
    const gfab_topology *topology = gfab_machine_topology(machine);
    for (uint32_t v = 0; v < gfab_topology_node_count(topology); v++) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(topology, v, &count);
        for (size_t port = 0; port < count; port++) {
            const uint32_t peer = ports[port].peer;
            const size_t lane = gfab_layout_lane(layout, v, port);
            gfab_arc arc;
            if (node[v] != GONE && node[peer] != GONE && gfab_topology_find_arc(left, node[v], node[peer], &arc))
                continue;
            for (uint32_t round = 1; round <= gfab_machine_rounds(machine); round++)
                for (uint32_t half = 0; half < gfab_layout_halves(layout); half++)
                    if (gfab_image_op(image, v, round, lane, half).kind != GFAB_OP_IDLE)
                        return fail_dead(round, v, peer, diag);
        }
    }
    return GFAB_OK;
}

gfab_status gfab_machine_check_rerouted(const gfab_machine *rerouted, const gfab_survivors *survivors, gfab_diag *diag)
{
    const uint32_t parts = gfab_layout_parts(gfab_machine_layout(rerouted));
    const size_t nodes = gfab_topology_node_count(gfab_machine_topology(rerouted));
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *whole = NULL, *left = NULL;
    GFAB_FREED uint32_t *node = malloc(nodes * sizeof *node);
    if (!node)
        return gfab_told(GFAB_ERR_NO_MEMORY, diag);
    for (size_t v = 0; v < nodes; v++)
        node[v] = GONE;
    for (uint32_t v = 0; v < gfab_topology_node_count(survivors->topology); v++)
        node[survivors->node[v]] = v;
    carrier c = {.from = gfab_machine_topology(rerouted),
                 .to = survivors->topology,
                 .node = node,
                 .from_parts = parts,
                 .to_parts = parts};
    const bool blocks = gfab_layout_blocks(gfab_machine_layout(rerouted));
    if (blocks)
        return check_idle(rerouted, survivors->topology, node, diag);
    GFAB_TRY(read_back(rerouted, &whole, diag));
    gfab_model model = *gfab_schedule_model(whole);
    model.hop_rounds = gfab_machine_timing(rerouted)->hop_rounds;
    GFAB_TRY(carry(&c, &model, whole, &left, diag));
    return check_schedule(survivors->topology, &model, left, diag);
}
