/* SPDX-License-Identifier: MIT */
/* The notebook in which the algorithms of message-passing libraries write their steps: this rank sends that rank these
 * blocks. It knows neither links nor rounds. So an algorithm is written down as its paper has it, over ranks, and is
 * placed on the graph later. Arrays double as they grow; messages that carry nothing are dropped at the end of a step,
 * since with few blocks many ranks have nothing to send. */
#include "library_plan.h"

#include "base/grow.h"

gfab_status gfab_library_send(gfab_library_plan *plan, uint32_t from, uint32_t to)
{
    GFAB_NEED(gfab_grow(&plan->messages, plan->message_count, &plan->message_room, sizeof *plan->messages));
    plan->messages[plan->message_count++] = (gfab_library_message){from, to, 0, plan->block_count};
    return GFAB_OK;
}

gfab_status gfab_library_carry(gfab_library_plan *plan, uint32_t block)
{
    GFAB_NEED(gfab_grow(&plan->blocks, plan->block_count, &plan->block_room, sizeof *plan->blocks));
    plan->blocks[plan->block_count++] = block;
    plan->messages[plan->message_count - 1].count++;
    return GFAB_OK;
}

gfab_status gfab_library_end_step(gfab_library_plan *plan)
{
    GFAB_NEED(gfab_grow(&plan->steps, plan->step_count + 1, &plan->step_room, sizeof *plan->steps));
    if (plan->step_count == 0)
        plan->steps[0] = 0;
    /* Messages that turned out to carry nothing are none. */
    size_t kept = plan->steps[plan->step_count];
    for (size_t i = kept; i < plan->message_count; i++)
        if (plan->messages[i].count > 0)
            plan->messages[kept++] = plan->messages[i];
    plan->message_count = kept;
    if (kept > plan->steps[plan->step_count])
        plan->steps[++plan->step_count] = kept;
    return GFAB_OK;
}

void gfab_library_release(gfab_library_plan *plan)
{
    GFAB_FREE(plan->messages, plan->blocks, plan->steps);
}

/* Blocks a unit of weight that some member of the step sends or takes in, rounded up: with so long a packet the links
 * at members have room for all of them in a round. */
static uint32_t least_length(const gfab_library_plan *plan, size_t step, const gfab_topology *topology, uint64_t *sum)
{
    uint64_t most = 1;
    for (uint32_t i = 0; i < 2 * plan->ranks; i++)
        sum[i] = 0;
    for (size_t i = plan->steps[step]; i < plan->steps[step + 1]; i++) {
        sum[2 * plan->messages[i].from] += plan->messages[i].count;
        sum[2 * plan->messages[i].to + 1] += plan->messages[i].count;
    }
    for (uint32_t i = 0; i < 2 * plan->ranks; i++) {
        uint64_t weight = 0;
        GFAB_EACH_PORT(port, topology, gfab_topology_member(topology, i / 2))
            weight += gfab_topology_weight(topology, port->link);
        most = (sum[i] + weight - 1) / weight > most ? (sum[i] + weight - 1) / weight : most;
    }
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

gfab_status gfab_library_cut(const gfab_library_plan *plan, const gfab_topology *topology, gfab_library_plan *cut)
{
    GFAB_FREED uint64_t *sum = malloc(2 * (size_t)plan->ranks * sizeof *sum);
    gfab_status status = sum ? GFAB_OK : GFAB_ERR_NO_MEMORY;
    *cut = *plan;
    cut->messages = NULL;
    cut->steps = NULL;
    cut->message_count = cut->message_room = cut->step_count = cut->step_room = 0;
    for (size_t step = 0; step < plan->step_count && status == GFAB_OK; step++) {
        const uint32_t most = least_length(plan, step, topology, sum);
        for (size_t i = plan->steps[step]; i < plan->steps[step + 1]; i++) {
            const gfab_library_message *m = &plan->messages[i];
            for (uint32_t done = 0; done < m->count && status == GFAB_OK; done += most) {
                const uint32_t count = m->count - done < most ? m->count - done : most;
                status = gfab_library_send(cut, m->from, m->to);
                if (status == GFAB_OK)
                    cut->messages[cut->message_count - 1] =
                        (gfab_library_message){m->from, m->to, count, m->first + done};
            }
        }
        GFAB_THEN(status, gfab_library_end_step(cut));
    }
    return status;
}

gfab_status gfab_library_ranks_of(const gfab_topology *topology, const gfab_model *model, gfab_library_ranks *ranks)
{
    gfab_library_ranks at = {.ranks = (uint32_t)gfab_topology_member_count(topology), .tokens = model->packet_tokens};
    const bool grid = gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_GRAPH && !gfab_topology_has_relays(topology);
    uint32_t stride = 1;
    for (size_t axis = grid ? gfab_topology_dimensions(topology) : 0; axis-- > 0;) {
        const uint32_t side = gfab_topology_side(topology, axis);
        if (side > 1) {
            at.side[at.axes] = side;
            at.stride[at.axes++] = stride;
        }
        stride *= side;
    }
    if (at.axes == 0) {
        at.axes = 1;
        at.side[0] = at.ranks;
        at.stride[0] = 1;
    }
    *ranks = at;
    return gfab_library_find_groups(topology, ranks);
}

/* ---- peers ---- */

gfab_status gfab_library_check_powers(const gfab_library_ranks *at, const char *name, gfab_diag *diag)
{
    for (uint32_t axis = 0; axis < at->axes; axis++)
        if (!gfab_library_is_power_of_two(at->side[axis]))
            return GFAB_REFUSE(diag, "%s is for powers of two, not for %u ranks", name, at->side[axis]);
    return GFAB_OK;
}

/* The k-th of the steps of all axes: one of each in turn, from axis `first` on, axes that are done left out. */
static void find_turn(const gfab_library_ranks *at, uint32_t first, uint32_t k, uint32_t *axis, uint32_t *step)
{
    for (uint32_t s = 0;; s++)
        for (uint32_t i = 0; i < at->axes; i++) {
            const uint32_t a = (first + i) % at->axes;
            if (s >= gfab_library_log_of(at->side[a]))
                continue;
            if (k-- == 0) {
                *axis = a;
                *step = s;
                return;
            }
        }
}

/* De Sensi et al., section 3: in step s an even rank's peer is rho(s) further, an odd one's as far back; mirrored the
 * other way. rho(s) = (1 - (-2)^(s + 1)) / 3. */
static uint32_t swing_peer(const gfab_library_ranks *at, uint32_t axis, uint32_t step, bool mirrored, uint32_t rank)
{
    const uint32_t side = at->side[axis], c = rank / at->stride[axis] % side;
    const int64_t power = ((int64_t)1 << (step + 1)) * (step % 2 ? 1 : -1);
    const int64_t rho = (1 - power) / 3;
    const int64_t way = (c % 2 == 0) != mirrored ? rho : -rho;
    const uint32_t to = (uint32_t)((((int64_t)c + way) % side + side) % side);
    return rank - c * at->stride[axis] + to * at->stride[axis];
}

uint32_t gfab_library_swing_peer(const gfab_library_ranks *at, uint32_t way, uint32_t k, uint32_t rank)
{
    uint32_t axis, step;
    find_turn(at, way % at->axes, k, &axis, &step);
    return swing_peer(at, axis, step, way / at->axes % 2, rank);
}
