/* SPDX-License-Identifier: MIT */
/* What a fabric with streams has of its own: its hosts, and when they give and take. */
#include "gen.h"

#include <gossipfab/fabric/flows.h>
#include <inttypes.h>
#include <stdlib.h>

/* At which age, in groups, a host gives blocks, or takes them, and one more; 0: it does not. */
static uint32_t age_of(const gfab_gen *gen, size_t host, bool gives)
{
    const size_t node = gen->nodes - gen->streams + host;
    const uint32_t half = gives ? 0 : gfab_layout_halves(gen->layout) - 1;
    const size_t lane = gfab_layout_lane(gen->layout, node, 0);
    for (size_t round = 1; round <= gen->rounds; round++) {
        const gfab_op op = gfab_image_op(gen->image, node, round, lane, half);
        if (gives ? op.kind == GFAB_OP_SEND : op.kind == GFAB_OP_RECV || op.kind == GFAB_OP_COMBINE)
            return op.slot + 1;
    }
    return 0;
}

bool gfab_gen_has_word_streams(const gfab_gen *gen)
{
    return gfab_layout_word_streams(gen->layout);
}

static void measure_flows(gfab_gen *gen)
{
    gen->host_words = gfab_image_host_words(gen->image);
    gen->alternates = gfab_layout_alternates(gen->layout);
    for (size_t node = 0; node < gen->nodes - gen->streams; node++) {
        gfab_stream_flow flows[GFAB_MAX_FLOWS] = {{0, 0}};
        (void)gfab_image_flows(gen->image, node, flows, NULL); /* gfab_gen_check_streams says what is wrong */
        for (uint32_t i = 0; i < GFAB_MAX_FLOWS && flows[i].in; i++) {
            const uint32_t cycles = gfab_stream_flow_cycles(gen->layout, &flows[i], gen->timing);
            gen->hop_cycles = cycles > gen->hop_cycles ? cycles : gen->hop_cycles;
            gen->flows = i + 1 > gen->flows ? i + 1 : gen->flows;
        }
    }
}

/* A block is filled up, waits for a group to begin, and is there after as many groups as can be on their way. A word of
 * word streams is a block, and a hop in the place of a round. FEW: through ports and queues, and to the limit. */
static void measure_way(gfab_gen *gen)
{
    enum { FEW = 16 };
    const uint64_t round = gfab_gen_has_word_streams(gen) ? gen->hop_cycles : gen->timing->cycles_per_round;
    gen->way = round * (gen->period * ((uint64_t)gen->ages + 1) + 1) + gen->timing->latency_cycles + FEW;
}

void gfab_gen_measure_streams(gfab_gen *gen)
{
    gen->host_words = 1;
    if (!gfab_layout_streams(gen->layout))
        return;
    gen->streams = (uint32_t)gen->members;
    gen->ages = gfab_image_ages(gen->image);
    gen->leader = gfab_image_leader(gen->image);
    for (gen->period = 1; gen->period < gen->rounds && !gfab_image_begins(gen->image, gen->period + 1);)
        gen->period++;
    if (gfab_gen_has_word_streams(gen))
        measure_flows(gen);
    measure_way(gen);
}

/* A mask of lanes, with those of hosts' further words. */
static void write_lanes(const gfab_gen *gen, uint64_t lanes, const char *end, FILE *file)
{
    const uint32_t count = gen->lanes + gen->host_words - 1;
    fprintf(file, "%" PRIu32 "'b", count);
    for (uint32_t lane = count; lane-- > 0;)
        fputc('0' + (int)(lanes >> lane & 1), file);
    fputs(end, file);
}

static bool is_host(const gfab_gen *gen, size_t node)
{
    return node >= gen->nodes - gen->streams;
}

/* Of the last flow first what goes out, then what comes in, of a host as of its first one; then all lanes. */
void gfab_gen_write_flows(const gfab_gen *gen, size_t node, FILE *file)
{
    gfab_stream_flow flows[GFAB_MAX_FLOWS] = {{0, 0}};
    uint64_t ports = 0;
    bool hosted = is_host(gen, node);
    size_t count;
    const gfab_port *peers = gfab_topology_ports(gen->topology, node, &count);
    if (!is_host(gen, node))
        (void)gfab_image_flows(gen->image, node, flows, NULL);
    for (size_t port = 0; port < count; port++)
        hosted = hosted || is_host(gen, peers[port].peer);
    for (uint32_t lane = 0; lane < gen->lanes; lane++)
        ports |= (uint64_t)(gfab_layout_port(gen->layout, node, lane) != GFAB_NO_PORT) << lane;
    for (uint32_t word = 1; hosted && word < gen->host_words; word++)
        ports |= UINT64_C(1) << (gen->lanes - 1 + word);
    if (is_host(gen, node)) { /* what it gives and takes */
        const size_t host = node - (gen->nodes - gen->streams);
        flows[0].out = age_of(gen, host, true) ? ports : 0;
        flows[0].in = age_of(gen, host, false) ? ports : 0;
    }
    for (size_t i = gen->flows; i-- > 0;) {
        write_lanes(gen, flows[i].out, ", ", file);
        write_lanes(gen, flows[i].in, ", ", file);
    }
    write_lanes(gen, ports, "", file);
}

/* How many, 0 where it takes none; of a chain the lanes that come in. */
static size_t turns_of(const gfab_gen *gen, size_t node, uint32_t *lanes)
{
    size_t count = 0;
    if (!is_host(gen, node))
        (gen->combines == GFAB_OPERATOR_GATHER ? gfab_image_turns : gfab_image_operands)(gen->image, node, lanes,
                                                                                         &count);
    return count;
}

/* Each has a digit at least. */
static void count_digits(gfab_gen *gen)
{
    for (size_t node = 0; node < gen->nodes; node++) {
        const size_t turns = turns_of(gen, node, gen->order);
        gen->first_digit[node] = gen->digits;
        gen->digits += turns ? (uint32_t)turns : 1;
    }
}

void gfab_gen_write_turn_row(const gfab_gen *gen, size_t node, FILE *file)
{
    fprintf(file, "16'd%zu, 16'd%" PRIu32, turns_of(gen, node, gen->order), gen->first_digit[node]);
}

/* The first lane is the last digit. */
void gfab_gen_write_order(const gfab_gen *gen, size_t node, FILE *file)
{
    enum { A_LINE = 64 };
    const size_t turns = turns_of(gen, node, gen->order);
    if (turns == 0)
        fputs("4'h0", file);
    for (size_t rest = turns; rest > 0;) {
        const size_t digits = (rest - 1) % A_LINE + 1;
        fprintf(file, "%s%zu'h", rest < turns ? ",\n            " : "", 4 * digits);
        for (size_t i = 0; i < digits; i++)
            fprintf(file, "%x", (unsigned)gen->order[--rest]);
    }
}

/* With gather, and chains: rows of TURNS and ORDER. */
static gfab_status open_turns(gfab_gen *gen, gfab_diag *diag)
{
    enum { MOST_DIGITS = 65535, DIGITS = 16 };
    if (gen->lanes + gen->host_words - 1 > DIGITS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%s: nodes of %" PRIu32 " lanes, at most %d",
                         gfab_operator_name(gen->combines), gen->lanes + gen->host_words - 1, DIGITS);
    gen->order = calloc(gen->members + GFAB_MAX_FLOW_LANES, sizeof *gen->order);
    gen->first_digit = calloc(gen->nodes, sizeof *gen->first_digit);
    if (!gen->order || !gen->first_digit)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the turns");
    count_digits(gen);
    return gen->digits > MOST_DIGITS ? gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%s: %" PRIu32 " turns in all, at most %d",
                                                 gfab_operator_name(gen->combines), gen->digits, MOST_DIGITS)
                                     : GFAB_OK;
}

gfab_status gfab_gen_check_streams(gfab_gen *gen, gfab_diag *diag)
{
    enum { MOST_AGES = 250, MOST_WAY = 1 << 29 }; /* an age is 8 bits in the top's tables, LIMIT an integer */
    gfab_stream_flow flows[GFAB_MAX_FLOWS];
    gfab_status status = GFAB_OK;
    for (size_t node = 0; gfab_gen_has_word_streams(gen) && node < gen->nodes - gen->streams && !status; node++)
        status = gfab_image_flows(gen->image, node, flows, diag);
    if (!status && gfab_gen_has_word_streams(gen) &&
        (gen->combines == GFAB_OPERATOR_GATHER || gfab_operator_is_chained(gen->combines)))
        status = open_turns(gen, diag);
    if (!status && gen->way > MOST_WAY)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "streams: a word is on its way for up to %" PRIu64 " cycles, at most %d: no limit is as long",
                         gen->way, MOST_WAY);
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
        fprintf(file, "8'd%" PRIu32 "%s", age_of(gen, host, gives), host == 0 ? "" : ", ");
}

void gfab_gen_write_gives(const gfab_gen *gen, FILE *file)
{
    write_hosts(gen, true, file);
}

void gfab_gen_write_takes(const gfab_gen *gen, FILE *file)
{
    write_hosts(gen, false, file);
}

/* Links of hosts are the last ones of named topologies alone: those of graph:.. are sorted by their nodes. */
void gfab_gen_write_host_links(const gfab_gen *gen, FILE *file)
{
    for (size_t host = gen->streams; host-- > 0;) {
        size_t count;
        const gfab_port *ports = gfab_topology_ports(gen->topology, gen->nodes - gen->streams + host, &count);
        fprintf(file, "32'd%" PRIu32 "%s", ports[0].link, host == 0 ? "" : ", ");
    }
}
