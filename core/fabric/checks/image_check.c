/* SPDX-License-Identifier: MIT */
/* Are images legal? Rules 1 to 6 and 8 of docs/reference/rom-format.md; image_paths.c has the seventh, image_places.c
 * the ninth, image_loop.c the tenth. */
#include "base/progress.h"
#include "fabric/image_internal.h"

#include <stdlib.h>
#include <string.h>

/* Where an op stands; half: of a full-duplex lane, for what is received. */
typedef struct place {
    size_t node, round, lane;
    uint32_t half;
} place;

static gfab_status fault(gfab_diag *diag, place at, const char *text)
{
    return gfab_fail(diag, 0, GFAB_ERR_FAULT, "node %zu, round %zu, lane %zu: %s", at.node, at.round, at.lane, text);
}

static bool receives(gfab_op op)
{
    return op.kind == GFAB_OP_RECV || op.kind == GFAB_OP_COMBINE;
}

/* Rounds of a program, from 1: its first, and that of its halt. */
typedef struct span {
    size_t first, halt;
} span;

/* Of the program that halts next in a round or after it, and of several the longest; behind all halts the last. */
static span span_at(const span *programs, size_t count, size_t round)
{
    span found = programs[0];
    for (size_t i = 1; i < count; i++) {
        const span at = programs[i];
        if (at.halt == found.halt ? at.first < found.first
            : found.halt < round  ? at.halt > found.halt
                                  : at.halt >= round && at.halt < found.halt)
            found = at;
    }
    return found;
}

/* Rules 1, 2 and 3 of docs/reference/rom-format.md for one op, or half of one, of a program, and that nothing follows
 * its halt. */
static gfab_status check_op(const gfab_image *image, place at, const span *program, gfab_diag *diag)
{
    const size_t halt = program->halt;
    const gfab_op op = gfab_image_op(image, at.node, at.round, at.lane, at.half);
    const char *kind = gfab_op_kind_name(op.kind);
    char text[160];
    if (gfab_layout_halves(image->layout) == 2 && (at.half ? op.kind == GFAB_OP_SEND : receives(op))) {
        snprintf(text, sizeof text, "%s in the half for what is %s", kind, at.half ? "received" : "sent");
        return fault(diag, at, text);
    }
    if (op.kind == GFAB_OP_COMBINE && !gfab_layout_combines(image->layout))
        return fault(diag, at, "combine, in a fabric that does not");
    if (op.kind == GFAB_OP_IDLE) {
        const bool last = at.round == halt && at.half == 0 && at.lane < gfab_layout_lane_count(image->layout);
        const uint32_t right = last ? gfab_image_sum(image, at.node, program->first, halt) : 0;
        if (op.slot == right)
            return GFAB_OK;
        snprintf(text, sizeof text, right ? "%s with slot %u, but 1 makes the program's ones even" : "%s with slot %u",
                 kind, (unsigned)op.slot);
        return fault(diag, at, text);
    }
    if (at.lane >= gfab_layout_lane_count(image->layout) ||
        gfab_layout_port(image->layout, at.node, at.lane) == GFAB_NO_PORT) {
        snprintf(text, sizeof text, "%s in a lane that the node does not have", kind);
        return fault(diag, at, text);
    }
    if (op.slot >= gfab_layout_node_slots(image->layout, at.node)) {
        snprintf(text, sizeof text, "%s slot %u of only %u", kind, (unsigned)op.slot,
                 (unsigned)gfab_layout_node_slots(image->layout, at.node));
        return fault(diag, at, text);
    }
    if (at.round >= halt) {
        snprintf(text, sizeof text, "%s, but the gossip halts in round %zu", kind, halt);
        return fault(diag, at, text);
    }
    return GFAB_OK;
}

/* Rule 4 for one link and round: what end `end` does in one of its halves against the other end's counterpart. */
static gfab_status check_link(const gfab_image *image, size_t link, size_t round, const size_t lane[2], size_t end,
                              gfab_diag *diag)
{
    const gfab_link ends = gfab_topology_link(gfab_layout_topology(image->layout), link);
    const uint32_t node = ends.node[end], peer = ends.node[1 - end];
    const bool full = gfab_layout_halves(image->layout) == 2;
    const gfab_op a = gfab_image_op(image, node, round, lane[end], 0);
    const gfab_op b = gfab_image_op(image, peer, round, lane[1 - end], full ? 1 : 0);
    const bool idle = a.kind == GFAB_OP_IDLE && b.kind == GFAB_OP_IDLE;
    const bool moves = (a.kind == GFAB_OP_SEND && receives(b)) || (!full && receives(a) && b.kind == GFAB_OP_SEND);
    const bool followed =
        gfab_layout_reuses_slots(image->layout, node) || gfab_layout_reuses_slots(image->layout, peer);
    if (idle || (moves && followed) || /* rule 9 then says which block it is */
        (moves && gfab_layout_token(image->layout, node, a.slot) == gfab_layout_token(image->layout, peer, b.slot)))
        return GFAB_OK;
    char text[160];
    snprintf(text, sizeof text, "%s slot %u, but %s slot %u at the other end, node %u, lane %zu",
             gfab_op_kind_name(a.kind), (unsigned)a.slot, gfab_op_kind_name(b.kind), (unsigned)b.slot, (unsigned)peer,
             lane[1 - end]);
    return fault(diag, (place){node, round, lane[end], 0}, text);
}

static size_t lane_of_end(const gfab_layout *layout, size_t link, size_t end)
{
    const gfab_topology *topology = gfab_layout_topology(layout);
    const size_t node = gfab_topology_link(topology, link).node[end];
    return gfab_layout_lane(layout, node, gfab_topology_port_of(topology, node, link));
}

/* A link, and at both ends its lane and the node's kind. */
typedef struct laned_link {
    size_t link;
    size_t lane[2];
    size_t kind[2];
} laned_link;

static int compare_ends(const void *left, const void *right)
{
    const laned_link *a = left, *b = right;
    for (size_t end = 0; end < 2; end++) {
        if (a->kind[end] != b->kind[end])
            return a->kind[end] < b->kind[end] ? -1 : 1;
        if (a->lane[end] != b->lane[end])
            return a->lane[end] < b->lane[end] ? -1 : 1;
    }
    return (a->link > b->link) - (a->link < b->link);
}

/* The links whose ends are to be compared, how many: all, or where nodes are alike one of those with the same kinds and
 * lanes. A kind and a lane say which way a link goes; so such links have the same words at both ends, and a pair of
 * slots that is one token for one of them is so for all. */
static size_t list_links(const gfab_layout *layout, laned_link *links)
{
    const gfab_topology *topology = gfab_layout_topology(layout);
    const size_t count = gfab_topology_link_count(topology);
    size_t kept = 0;
    for (size_t link = 0; link < count; link++) {
        links[link].link = link;
        for (size_t end = 0; end < 2; end++) {
            links[link].lane[end] = lane_of_end(layout, link, end);
            links[link].kind[end] = gfab_layout_kind(layout, gfab_topology_link(topology, link).node[end]);
        }
    }
    if (!gfab_layout_alike(layout))
        return count;
    qsort(links, count, sizeof *links, compare_ends);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || memcmp(links[i].lane, links[kept - 1].lane, sizeof links[i].lane) != 0 ||
            memcmp(links[i].kind, links[kept - 1].kind, sizeof links[i].kind) != 0)
            links[kept++] = links[i];
    return kept;
}

/* Rule 4 for all links and rounds, round by round; halt: the last. */
static gfab_status check_links(const gfab_image *image, size_t halt, const gfab_progress *progress, gfab_diag *diag)
{
    GFAB_FREED laned_link *list =
        malloc((gfab_topology_link_count(gfab_layout_topology(image->layout)) + 1) * sizeof *list);
    GFAB_NEED_TOLD(list, diag);
    const size_t links = list_links(image->layout, list);
    for (size_t round = 1; round < halt; round++) {
        GFAB_TRY(gfab_progress_report(progress, "rounds of images compared", round - 1, halt - 1));
        for (size_t link = 0; !gfab_image_halts(image, round) && link < links; link++)
            for (size_t end = 0; end < gfab_layout_halves(image->layout); end++)
                GFAB_TRY(check_link(image, list[link].link, round, list[link].lane, end, diag));
    }
    return GFAB_OK;
}

/* Rule 5 for one node. */
static gfab_status check_return(const gfab_image *image, size_t node, size_t halt, gfab_diag *diag)
{
    const uint32_t last_half = gfab_layout_halves(image->layout) - 1;
    for (size_t round = 1; round + 1 < halt; round++) {
        const gfab_op in = gfab_image_op(image, node, round, 0, last_half);
        const gfab_op out = gfab_image_op(image, node, round + 1, 0, 0);
        if (receives(in) && out.kind == GFAB_OP_SEND && in.slot == out.slot && gfab_image_gap(image, round) == 0) {
            char text[160];
            snprintf(text, sizeof text,
                     "token %u goes back over the skewed link it came by in the round before, too "
                     "soon for tokens of two words",
                     (unsigned)out.slot);
            return fault(diag, (place){node, round + 1, 0, 0}, text);
        }
    }
    return GFAB_OK;
}

/* Rule 8 for one node and round: a slot gets either what is stored, from one lane, or what is combined, from any. */
static gfab_status check_combining(const gfab_image *image, size_t node, size_t round, gfab_diag *diag)
{
    const size_t lanes = gfab_layout_lane_count(image->layout);
    const uint32_t half = gfab_layout_halves(image->layout) - 1;
    for (size_t lane = 1; lane < lanes; lane++) {
        const gfab_op op = gfab_image_op(image, node, round, lane, half);
        for (size_t other = 0; receives(op) && other < lane; other++) {
            const gfab_op before = gfab_image_op(image, node, round, other, half);
            if (!receives(before) || before.slot != op.slot ||
                (op.kind == GFAB_OP_COMBINE && before.kind == GFAB_OP_COMBINE))
                continue;
            char text[160];
            snprintf(text, sizeof text, "%s slot %u, but lane %zu has %s slot %u in the same round",
                     gfab_op_kind_name(op.kind), (unsigned)op.slot, other, gfab_op_kind_name(before.kind),
                     (unsigned)before.slot);
            return fault(diag, (place){node, round, lane, 0}, text);
        }
    }
    return GFAB_OK;
}

/* Rules 3 and 6 for a round, that loops are in fabrics with streams alone, and that every round up to the last halt is
 * of a program. */
static gfab_status check_round(const gfab_image *image, size_t round, const span *program, gfab_diag *diag)
{
    if (round < program->first)
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %zu: of no program; the next begins in round %zu", round,
                         program->first);
    if (!gfab_layout_streams(image->layout) && (gfab_image_begins(image, round) || gfab_image_loops(image, round)))
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %zu: a loop, in a fabric without streams", round);
    if (gfab_image_halts(image, round) != (round == program->halt))
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %zu: a halt behind the one in round %zu", round,
                         program->halt);
    if (round >= program->halt && gfab_image_gap(image, round))
        return gfab_fail(diag, 0, GFAB_ERR_FAULT, "round %zu: a gap of %u cycles, but the gossip halts in round %zu",
                         round, (unsigned)gfab_image_gap(image, round), program->halt);
    return GFAB_OK;
}

/* Rules 1 to 3 for all ops. */
static gfab_status check_ops(const gfab_image *image, const span *programs, const gfab_progress *progress,
                             gfab_diag *diag)
{
    const size_t round_count = (size_t)1 << image->round_bits;
    const uint32_t halves = gfab_layout_halves(image->layout);
    for (size_t round = 1; round <= round_count; round++) {
        const span program = span_at(programs, image->program_count, round);
        GFAB_TRY(check_round(image, round, &program, diag));
        GFAB_TRY(gfab_progress_report(progress, "rounds of images checked", round - 1, round_count));
        for (size_t kind = 0; kind < image->kinds; kind++)
            for (size_t lane = 0; lane < (size_t)1 << image->stride_bits; lane++)
                for (uint32_t half = 0; half < halves; half++) {
                    const place at = {gfab_layout_kind_node(image->layout, kind), round, lane, half};
                    GFAB_TRY(check_op(image, at, &program, diag));
                }
    }
    return GFAB_OK;
}

/* Of several programs: their halts are there, those with one halt have one sum. */
static gfab_status check_programs(const gfab_image *image, span *programs, gfab_diag *diag)
{
    const size_t round_count = (size_t)1 << image->round_bits;
    const bool several = image->program_count > 1;
    for (size_t program = 0; program < image->program_count; program++) {
        const size_t first = (size_t)gfab_image_first_round(image, program) + 1;
        programs[program] = (span){first, first + gfab_image_rounds(image, program)};
        if (programs[program].halt > round_count)
            return several ? gfab_fail(diag, 0, GFAB_ERR_FAULT, "program %zu has no halt", program)
                           : gfab_fail(diag, 0, GFAB_ERR_FAULT, "no halt in any round");
    }
    for (size_t program = 0; program < image->program_count; program++) {
        const span at = programs[program], longest = span_at(programs, image->program_count, at.halt);
        for (size_t kind = 0; kind < image->kinds && at.first != longest.first; kind++) {
            const size_t node = gfab_layout_kind_node(image->layout, kind);
            if (gfab_image_sum(image, node, at.first, at.halt) != gfab_image_sum(image, node, longest.first, at.halt))
                return gfab_fail(diag, 0, GFAB_ERR_FAULT,
                                 "node %zu, program %zu: its sum is another than that of the program that it ends",
                                 node, program);
        }
    }
    return GFAB_OK;
}

gfab_status gfab_image_check(const gfab_image *image, const gfab_timing *timing, const gfab_progress *progress,
                             uint32_t *rounds, gfab_diag *diag)
{
    span programs[GFAB_MAX_PROGRAMS];
    GFAB_TRY(check_programs(image, programs, diag));
    GFAB_TRY(check_ops(image, programs, progress, diag));
    const size_t halt = span_at(programs, image->program_count, SIZE_MAX).halt; /* the last */
    if (!timing->paths)
        GFAB_TRY(check_links(image, halt, progress, diag));
    for (size_t i = 0; timing->paths && i < image->program_count; i++)
        GFAB_TRY(gfab_check_paths(image, timing, programs[i].first, programs[i].halt, progress, diag));
    for (size_t kind = 0; timing->words == 2 && !timing->paths && kind < image->kinds; kind++)
        if (gfab_layout_skew(image->layout, gfab_layout_kind_node(image->layout, kind)))
            GFAB_TRY(check_return(image, gfab_layout_kind_node(image->layout, kind), halt, diag));
    for (size_t round = 1; gfab_layout_combines(image->layout) && round < halt; round++)
        for (size_t kind = 0; kind < image->kinds; kind++)
            GFAB_TRY(check_combining(image, gfab_layout_kind_node(image->layout, kind), round, diag));
    if (gfab_layout_streams(image->layout))
        GFAB_TRY(gfab_check_loop(image, progress, diag));
    else if (gfab_layout_goal(image->layout) || gfab_topology_has_relays(gfab_layout_topology(image->layout)))
        GFAB_TRY(gfab_check_places(image, progress, diag));
    if (rounds)
        *rounds = gfab_image_rounds(image, 0);
    return GFAB_OK;
}
