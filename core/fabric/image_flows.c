/* SPDX-License-Identifier: MIT */
/* Programs as wiring. What a slot of the body gets and gives, whichever of its turns it is, is one flow. */
#include <gossipfab/fabric/flows.h>

/* What comes into a slot, and goes out of it, in any round. */
static gfab_stream_flow of_slot(const gfab_image *image, size_t node, uint32_t slot)
{
    const gfab_layout *layout = gfab_image_layout(image);
    const uint32_t receives = gfab_layout_halves(layout) - 1;
    gfab_stream_flow flow = {0, 0};
    for (size_t round = 1; round <= gfab_image_rounds(image, 0); round++)
        for (size_t lane = 0; lane < gfab_layout_lane_count(layout); lane++) {
            const gfab_op out = gfab_image_op(image, node, round, lane, 0);
            const gfab_op in = gfab_image_op(image, node, round, lane, receives);
            const bool comes = in.kind == GFAB_OP_RECV || in.kind == GFAB_OP_COMBINE;
            flow.out |= (uint64_t)(out.kind == GFAB_OP_SEND && out.slot == slot) << lane;
            flow.in |= (uint64_t)(comes && in.slot == slot) << lane;
        }
    return flow;
}

gfab_status gfab_image_flows(const gfab_image *image, size_t node, gfab_stream_flow flows[GFAB_MAX_FLOWS],
                             gfab_diag *diag)
{
    const gfab_layout *layout = gfab_image_layout(image);
    size_t count = 0;
    for (size_t i = 0; i < GFAB_MAX_FLOWS; i++)
        flows[i] = (gfab_stream_flow){0, 0};
    if (gfab_layout_lane_count(layout) > GFAB_MAX_FLOW_LANES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "streams of a word a cycle: nodes of %zu links, at most %u",
                         gfab_layout_lane_count(layout), GFAB_MAX_FLOW_LANES);
    for (uint32_t slot = 0; slot < gfab_layout_node_slots(layout, node); slot++) {
        const gfab_stream_flow flow = of_slot(image, node, slot);
        bool known = flow.in == 0 && flow.out == 0, clear = true;
        for (size_t i = 0; i < count; i++) {
            known = known || (flow.in == flows[i].in && flow.out == flows[i].out);
            clear = clear && !(flow.in & flows[i].in) && !(flow.out & flows[i].out);
        }
        if (known)
            continue;
        if (!clear || count == GFAB_MAX_FLOWS || !flow.in || !flow.out)
            return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                             "streams of a word a cycle: what node %zu does is not the same for every block", node);
        flows[count++] = flow;
    }
    return GFAB_OK;
}

uint32_t gfab_stream_flow_cycles(const gfab_stream_flow *flow)
{
    uint32_t inputs = 0, levels = 0;
    for (uint64_t in = flow->in; in; in &= in - 1)
        inputs++;
    while ((UINT32_C(1) << levels) < inputs)
        levels++;
    return 2 + levels;
}
