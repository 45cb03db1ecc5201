/* SPDX-License-Identifier: MIT */
/* Every number of cycles that a fabric has, from its widths: the round F, the hop, the overhead c, the drain of a
 * path. The formulas and their proofs are in docs/reference/fabric-timing.md; C model, RTL and reports get the numbers
 * from here. For example 32-bit tokens over links of 1 bit on torus:4x4 have F = 32 and c = 5, and 8 rounds take 8 x
 * 32 + 5 = 261 cycles. A wide fabric is first computed as if it were narrow; then the numbers that differ are
 * replaced. */
#include <gossipfab/fabric/timing.h>

#define MAX_TOKEN_BITS 4096u
#define MAX_LINK_BITS 1024u

static gfab_status check_widths(const gfab_layout *layout, const gfab_timing_options *options, gfab_diag *diag)
{
    const uint32_t token_bits = options->token_bits, link_bits = options->link_bits;
    const uint32_t parts = gfab_layout_parts(layout);
    if (options->latency_cycles > GFAB_MAX_LATENCY)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "link latency %u: at most %u cycles",
                         (unsigned)options->latency_cycles, GFAB_MAX_LATENCY);
    if (token_bits == 0 || link_bits == 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s bits must be at least 1", token_bits ? "link" : "token");
    if (token_bits > MAX_TOKEN_BITS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "token bits %u: at most %u", (unsigned)token_bits, MAX_TOKEN_BITS);
    if (link_bits > MAX_LINK_BITS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "link bits %u: at most %u", (unsigned)link_bits, MAX_LINK_BITS);
    if (token_bits % parts)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "token bits %u cannot be cut in %u equal parts",
                         (unsigned)token_bits, (unsigned)parts);
    const uint32_t part_bits = token_bits / parts;
    if (part_bits % link_bits && parts > 1)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         "token bits %u in %u parts: %u bits are not a multiple of link bits %u", (unsigned)token_bits,
                         (unsigned)parts, (unsigned)part_bits, (unsigned)link_bits);
    if (part_bits % link_bits)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "token bits %u are not a multiple of link bits %u",
                         (unsigned)token_bits, (unsigned)link_bits);
    return GFAB_OK;
}

/* All that is the same for narrow and wide nodes; the rest as if they were narrow. */
static gfab_timing narrow_timing(const gfab_layout *layout, const gfab_timing_options *options)
{
    const uint32_t parts = gfab_layout_parts(layout), latency_cycles = options->latency_cycles;
    gfab_timing t = {.lanes = (uint32_t)gfab_layout_lane_count(layout),
                     .token_bits = options->token_bits,
                     .parts = parts,
                     .part_bits = options->token_bits / parts,
                     .link_bits = options->link_bits,
                     .token_flits = options->token_bits / parts / options->link_bits};
    t.words = (t.token_flits + t.lanes - 1) / t.lanes;
    if (t.words < 2)
        t.words = 2;
    t.paths = gfab_layout_paths(layout);
    t.skewed = gfab_layout_any_skew(layout) && !t.paths;
    /* A word is written up to 2 K + l + skewed cycles after its turn in the round, and is read F - (K - 1) after its
     * lane's turn or later: docs/reference/fabric-timing.md, "Links with latency". */
    const uint32_t least = latency_cycles ? 2 * t.lanes + 1 + latency_cycles + t.skewed : 0;
    if (t.words < (least + t.lanes - 1) / t.lanes)
        t.words = (least + t.lanes - 1) / t.lanes;
    if (gfab_layout_combines(layout) && t.skewed && t.words < 3)
        t.words = 3;
    t.word_bits = t.lanes * t.link_bits;
    t.cycles_per_round = t.words * t.lanes;
    t.direct = t.words == 2;
    t.latency_cycles = latency_cycles;
    /* The same with a register before the store, where words leave room for it. */
    t.registered = !t.paths && t.cycles_per_round >= 2 * t.lanes + 2 + latency_cycles + t.skewed;
    t.wires = gfab_layout_full_duplex(layout) || latency_cycles ? 2 : 1;
    t.overhead_cycles = t.lanes + (1 - t.direct) + t.skewed + latency_cycles + t.registered;
    if (t.overhead_cycles < 2)
        t.overhead_cycles = 2;
    t.hop_rounds = 1;
    return t;
}

/* Cycles of a round. Behind a pipelined operator it is as long as a hop, so that what a round made of a block is there
 * for the next to add to. */
static uint32_t wide_round(const gfab_timing *timing, uint32_t hop_cycles)
{
    const uint32_t least = timing->operator_cycles ? hop_cycles + (timing->wires == 1) : 1;
    return timing->token_flits < least ? least : timing->token_flits;
}

/* A hop takes 2 + l + A D cycles, or one more with a register: between store and link, or, where an operand that is not
 * there can be a constant, between link and operator, which a register's reset then makes of it. */
static gfab_status widen(gfab_operator op, uint32_t hop_rounds, gfab_timing *timing, gfab_diag *diag)
{
    const bool behind = op >= GFAB_OPERATOR_SUM && op <= GFAB_OPERATOR_XOR;
    const uint32_t combine = gfab_timing_combine_cycles(timing), hop = 2 + timing->latency_cycles + combine;
    const uint32_t flits = wide_round(timing, hop);
    const uint32_t least = (hop + flits - 1) / flits, registered = (hop + flits) / flits;
    if (hop_rounds == 0)
        hop_rounds = timing->wires == 1 ? registered : least;
    if (hop_rounds < least)
        return GFAB_REFUSE(diag, "hop-rounds %u: a hop takes at least %u cycles, and so %u rounds of %u cycle%s",
                           (unsigned)hop_rounds, (unsigned)hop, (unsigned)least, (unsigned)flits,
                           flits == 1 ? "" : "s");
    timing->wide = 1;
    timing->registered = hop_rounds >= registered && behind;
    timing->direct = hop_rounds < registered || behind;
    timing->hop_rounds = hop_rounds < registered ? least : registered;
    timing->words = flits;
    timing->word_bits = timing->link_bits;
    timing->cycles_per_round = flits;
    timing->skewed = 0;
    timing->overhead_cycles = 2 - timing->direct + timing->registered + timing->latency_cycles + combine;
    if (timing->overhead_cycles < 2)
        timing->overhead_cycles = 2;
    return GFAB_OK;
}

/* A word is a round: what nodes do is wired, and none has a turn. */
static void make_words(gfab_timing *timing)
{
    timing->words = timing->cycles_per_round = 1;
    timing->word_bits = timing->link_bits;
    timing->direct = timing->registered = timing->skewed = 0;
    timing->overhead_cycles = 2;
    timing->wires = 2;
}

static gfab_status check_chain(const gfab_layout *layout, const gfab_timing_options *options, gfab_diag *diag)
{
    const gfab_operator op = gfab_layout_operator(layout);
    const size_t lanes = gfab_layout_lane_count(layout);
    if (!gfab_operator_is_chained(op) && (options->merges || options->operator_cycles))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "operator %s has no latency to be given", gfab_operator_name(op));
    if (options->merges > lanes)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%u contributions at once in nodes of %zu links",
                         (unsigned)options->merges, lanes);
    if (options->operator_cycles > GFAB_MAX_OPERATOR_CYCLES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "operator latency %u: at most %u cycles",
                         (unsigned)options->operator_cycles, GFAB_MAX_OPERATOR_CYCLES);
    if (options->link_bits % gfab_operator_number_bits(op))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "operator %s: link bits %u are not a multiple of %u",
                         gfab_operator_name(op), (unsigned)options->link_bits, (unsigned)gfab_operator_number_bits(op));
    return GFAB_OK;
}

gfab_status gfab_timing_compute(const gfab_layout *layout, const gfab_timing_options *options, gfab_timing *timing,
                                gfab_diag *diag)
{
    GFAB_TRY(check_widths(layout, options, diag));
    GFAB_TRY(gfab_features_check(gfab_layout_features(layout) | GFAB_HAS_IF(LATENCY, options->latency_cycles), diag));
    GFAB_TRY(check_chain(layout, options, diag));
    if (gfab_layout_paths(layout) && gfab_layout_lane_count(layout) < 2)
        return GFAB_REFUSE(diag, "paths: no node of %s has a link to pass anything on to",
                           gfab_topology_name(gfab_layout_topology(layout)));
    gfab_timing made = narrow_timing(layout, options);
    if (gfab_operator_is_chained(gfab_layout_operator(layout))) {
        made.merges = options->merges ? options->merges : made.lanes;
        made.operator_cycles = options->operator_cycles;
    }
    if (gfab_layout_wide(layout))
        GFAB_TRY(widen(gfab_layout_operator(layout), options->hop_rounds, &made, diag));
    else if (gfab_layout_word_streams(layout))
        make_words(&made);
    *timing = made;
    return GFAB_OK;
}

gfab_status gfab_timing_of(const gfab_topology *topology, const gfab_layout_options *layout_options,
                           const gfab_timing_options *options, gfab_timing *timing, gfab_diag *diag)
{
    gfab_layout *layout = NULL;
    gfab_status status = gfab_layout_create(topology, layout_options, &layout, diag);
    GFAB_THEN(status, gfab_timing_compute(layout, options, timing, diag));
    gfab_layout_destroy(layout);
    return status;
}

uint64_t gfab_timing_drain_cycles(const gfab_timing *timing, size_t links)
{
    return 2 * (uint64_t)timing->lanes - 3 + (1 - timing->direct) + links * (1 + (uint64_t)timing->latency_cycles);
}

gfab_path gfab_path_over(const gfab_timing *timing, uint32_t from, uint32_t to, size_t links)
{
    const uint64_t lanes = timing->lanes;
    const uint64_t behind = from + (uint64_t)(links - 1) * (1 + timing->latency_cycles); /* complete, from a lane 0's */
    const gfab_path path = {.source = 0,
                            .tap = (uint32_t)((to + lanes - behind % lanes) % lanes),
                            .wait = behind <= to ? 0 : (uint32_t)((behind - to + lanes - 1) / lanes)};
    return path;
}

uint32_t gfab_timing_combine_cycles(const gfab_timing *timing)
{
    return timing->merges * timing->operator_cycles;
}

uint64_t gfab_timing_gossip_cycles(const gfab_timing *timing, uint32_t rounds)
{
    return (uint64_t)rounds * timing->cycles_per_round + timing->overhead_cycles;
}
