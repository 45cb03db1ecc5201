/* SPDX-License-Identifier: MIT */
/* What a fabric with streams has of its own: its hosts, and when they give and take. */
#include "gen.h"

#include <gossipfab/fabric/flows.h>
#include <inttypes.h>

/* How many groups ago that of what a host gives, or takes, began at most, and one more; 0: it does not. */
static uint32_t oldest(const gfab_gen *gen, size_t host, bool gives)
{
    const size_t node = gen->nodes - gen->streams + host;
    const uint32_t half = gives ? 0 : gfab_layout_halves(gen->layout) - 1;
    const size_t lane = gfab_layout_lane(gen->layout, node, 0);
    uint32_t most = 0;
    for (size_t round = 1; round <= gen->rounds; round++) {
        const gfab_op op = gfab_image_op(gen->image, node, round, lane, half);
        const bool is = gives ? op.kind == GFAB_OP_SEND : op.kind == GFAB_OP_RECV || op.kind == GFAB_OP_COMBINE;
        most = is && op.slot + 1 > most ? op.slot + 1 : most;
    }
    return most;
}

bool gfab_gen_has_word_streams(const gfab_gen *gen)
{
    return gfab_layout_word_streams(gen->layout);
}

void gfab_gen_measure_streams(gfab_gen *gen)
{
    if (!gfab_layout_streams(gen->layout))
        return;
    gen->streams = (uint32_t)gen->members;
    gen->ages = gfab_image_ages(gen->image);
    gen->leader = gfab_image_leader(gen->image);
    for (gen->period = 1; gen->period < gen->rounds && !gfab_image_begins(gen->image, gen->period + 1);)
        gen->period++;
    for (size_t node = 0; gfab_gen_has_word_streams(gen) && node < gen->nodes - gen->streams; node++) {
        gfab_stream_flow flows[GFAB_MAX_FLOWS] = {{0, 0}};
        (void)gfab_image_flows(gen->image, node, flows, NULL); /* gfab_gen_check_streams says what is wrong */
        for (size_t i = 0; i < GFAB_MAX_FLOWS; i++)
            if (flows[i].in && gfab_stream_flow_cycles(&flows[i]) > gen->hop_cycles)
                gen->hop_cycles = gfab_stream_flow_cycles(&flows[i]);
    }
}

static void write_lanes(const gfab_gen *gen, uint64_t lanes, const char *end, FILE *file)
{
    fprintf(file, "%" PRIu32 "'b", gen->lanes);
    for (uint32_t lane = gen->lanes; lane-- > 0;)
        fputc('0' + (int)(lanes >> lane & 1), file);
    fputs(end, file);
}

/* Of the last flow first what goes out, then what comes in; then all lanes. */
void gfab_gen_write_flows(const gfab_gen *gen, size_t node, FILE *file)
{
    gfab_stream_flow flows[GFAB_MAX_FLOWS] = {{0, 0}};
    uint64_t ports = 0;
    if (gfab_topology_is_relay(gen->topology, node))
        (void)gfab_image_flows(gen->image, node, flows, NULL);
    for (uint32_t lane = 0; lane < gen->lanes; lane++)
        ports |= (uint64_t)(gfab_layout_port(gen->layout, node, lane) != GFAB_NO_PORT) << lane;
    for (size_t i = GFAB_MAX_FLOWS; i-- > 0;) {
        write_lanes(gen, flows[i].out, ", ", file);
        write_lanes(gen, flows[i].in, ", ", file);
    }
    write_lanes(gen, ports, "", file);
}

gfab_status gfab_gen_check_streams(const gfab_gen *gen, gfab_diag *diag)
{
    enum { MOST_AGES = 250 }; /* a host's are 8 bits in the top's tables */
    gfab_stream_flow flows[GFAB_MAX_FLOWS];
    gfab_status status = GFAB_OK;
    for (size_t node = 0; gfab_gen_has_word_streams(gen) && node < gen->nodes - gen->streams && !status; node++)
        status = gfab_image_flows(gen->image, node, flows, diag);
    if (status || gfab_gen_has_word_streams(gen))
        return status;
    if (gen->ages > MOST_AGES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "streams: %" PRIu32 " groups on their way, at most %d", gen->ages,
                         MOST_AGES);
    for (size_t node = gen->nodes - gen->streams; node < gen->nodes; node++) {
        size_t count;
        const gfab_port port = gfab_topology_ports(gen->topology, node, &count)[0];
        const uint32_t lane = gfab_layout_lane(gen->layout, port.peer, port.peer_port);
        if (lane != gfab_layout_lane(gen->layout, node, 0))
            return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                             "streams: the link of host %zu is skewed, lane %" PRIu32 " at node %" PRIu32, node, lane,
                             port.peer);
    }
    return GFAB_OK;
}

static void write_hosts(const gfab_gen *gen, bool gives, FILE *file)
{
    for (size_t host = gen->streams; host-- > 0;)
        fprintf(file, "8'd%" PRIu32 "%s", oldest(gen, host, gives), host == 0 ? "" : ", ");
}

void gfab_gen_write_gives(const gfab_gen *gen, FILE *file)
{
    write_hosts(gen, true, file);
}

void gfab_gen_write_takes(const gfab_gen *gen, FILE *file)
{
    write_hosts(gen, false, file);
}
