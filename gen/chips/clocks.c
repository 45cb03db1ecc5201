/* SPDX-License-Identifier: MIT */
/* Chips with clocks of their own: how late they may start, how far their clocks drift apart, and so how long links and
 * how large buffers must be. docs/reference/own-clocks.md has the derivation. */
#include "gen.h"

#include <inttypes.h>
#include <stdlib.h>

/* In 10^-4 of a cycle, so that clocks that are 2 x 100 ppm apart drift by 2 in each cycle. */
#define CYCLE 10000u
#define DRIFT 2u
#define LEAST_LATENCY (8 * CYCLE + CYCLE / 2 + CYCLE / 8) /* before drift */
#define LEAST_AHEAD (CYCLE / 2 + CYCLE / 4 + CYCLE / 8)   /* entries beyond the latency, before drift */
#define HOP 5u  /* cycles by which a neighbour starts later at most, rounded up */
#define TOLD 4u /* cycles from when a protected chip's gossip is over until it knows of a fault, rounded up */

static uint64_t cycles_of(uint64_t parts)
{
    return (parts + CYCLE - 1) / CYCLE;
}

/* A program's cycles if links had this latency. */
static uint64_t program_cycles(const gfab_machine *machine, size_t program, uint32_t latency)
{
    const gfab_timing *timing = gfab_machine_timing(machine);
    const gfab_timing_options options = {
        .token_bits = timing->token_bits, .link_bits = timing->link_bits, .latency_cycles = latency};
    gfab_timing other;
    if (gfab_timing_compute(gfab_machine_layout(machine), &options, &other, NULL))
        return UINT64_MAX / CYCLE; /* no such fabric */
    const gfab_machine_program *played = gfab_machine_program_at(machine, program);
    const uint64_t gaps = played->cycles - gfab_timing_gossip_cycles(timing, played->rounds);
    return gfab_timing_gossip_cycles(&other, played->rounds) + gaps;
}

/* Likewise of the longest one. */
static uint64_t gossip_cycles(const gfab_machine *machine, uint32_t latency)
{
    uint64_t most = 0;
    for (size_t program = 0; program < gfab_machine_program_count(machine); program++) {
        const uint64_t cycles = program_cycles(machine, program, latency);
        most = cycles > most ? cycles : most;
    }
    return most;
}

/* All that follows from the latency; `drift` in parts of a cycle. The last cycle in which anything is read is earlier
 * than N + TAIL + 2 l. With protection the tail goes once through a buffer, in which what is out of step shows. */
static gfab_chip_clocks clocks_at(const gfab_machine *machine, uint32_t latency, uint32_t hops, uint64_t *drift)
{
    gfab_chip_clocks c = {.hops = hops};
    const uint64_t cycles = gossip_cycles(machine, latency);
    const bool protect = gfab_layout_protect(gfab_machine_layout(machine)) != GFAB_PROTECT_NONE;
    for (uint32_t tail = hops * (latency + 1); tail != c.tail_cycles;) {
        c.tail_cycles = tail;
        *drift = DRIFT * (cycles + tail + 2 * (uint64_t)latency);
        c.entries = latency + (uint32_t)cycles_of(LEAST_AHEAD + *drift);
        tail = hops * (latency + 1) + (protect ? c.entries + TOLD : 0);
    }
    c.rest_cycles = HOP * (hops + 1) + (uint32_t)cycles_of(*drift);
    c.slack_cycles = c.tail_cycles + (c.entries - latency) + c.rest_cycles + 2;
    c.cycles = program_cycles(machine, 0, latency) + c.slack_cycles;
    return c;
}

/* Of each chip the neighbour that is one nearer to chip 0, and of these the first; of chip 0 itself. The distances from
 * chip 0 go to `hops`. Breadth first: a pass over all links for each distance. */
static gfab_status find_parents(const gfab_topology *topology, const uint32_t *chips, uint32_t chip_count,
                                uint32_t *parents, uint32_t *hops, gfab_diag *diag)
{
    for (uint32_t chip = 0; chip < chip_count; chip++)
        hops[chip] = chip == 0 ? 0 : UINT32_MAX;
    parents[0] = 0;
    bool found = true;
    for (uint32_t distance = 0; found; distance++) {
        found = false;
        for (size_t link = 0; link < gfab_topology_link_count(topology); link++) {
            const gfab_link ends = gfab_topology_link(topology, link);
            for (int end = 0; end < 2; end++) {
                const uint32_t near = chips[ends.node[end]], far = chips[ends.node[1 - end]];
                if (hops[near] != distance || hops[far] <= distance)
                    continue;
                if (hops[far] == UINT32_MAX || near < parents[far])
                    parents[far] = near;
                hops[far] = distance + 1;
                found = true;
            }
        }
    }
    for (uint32_t chip = 0; chip < chip_count; chip++)
        if (hops[chip] == UINT32_MAX)
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "no way from chip 0 to chip %" PRIu32, chip);
    return GFAB_OK;
}

static uint32_t count_cables(const gfab_topology *topology, const uint32_t *chips)
{
    uint32_t count = 0;
    for (size_t link = 0; link < gfab_topology_link_count(topology); link++) {
        const gfab_link ends = gfab_topology_link(topology, link);
        const uint32_t a = chips[ends.node[0]], b = chips[ends.node[1]];
        bool known = a == b;
        for (size_t other = 0; other < link && !known; other++) {
            const gfab_link seen = gfab_topology_link(topology, other);
            const uint32_t c = chips[seen.node[0]], d = chips[seen.node[1]];
            known = (a == c && b == d) || (a == d && b == c);
        }
        count += !known;
    }
    return count;
}

static gfab_status check_latency(const gfab_machine *machine, uint32_t hops, gfab_diag *diag)
{
    const uint32_t latency = gfab_machine_timing(machine)->latency_cycles;
    uint64_t drift;
    for (uint32_t enough = latency; enough <= GFAB_MAX_LATENCY; enough++) {
        clocks_at(machine, enough, hops, &drift);
        if (enough < cycles_of(LEAST_LATENCY + drift))
            continue;
        return enough == latency ? GFAB_OK
                                 : gfab_fail(diag, 0, GFAB_ERR_INVALID,
                                             "links between chips with clocks of their own need a latency of %" PRIu32
                                             " cycles or more in this fabric, not %" PRIu32,
                                             enough, latency);
    }
    clocks_at(machine, GFAB_MAX_LATENCY, hops, &drift);
    return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                     "clocks drift %" PRIu64 " cycles apart in a gossip of %" PRIu64
                     " cycles; links with a latency of %u cycles, the most, make up for %u",
                     cycles_of(drift), gossip_cycles(machine, GFAB_MAX_LATENCY), GFAB_MAX_LATENCY,
                     (unsigned)((GFAB_MAX_LATENCY * CYCLE - LEAST_LATENCY) / CYCLE));
}

gfab_status gfab_chip_clocks_compute(const gfab_machine *machine, const uint32_t *chips, uint32_t chip_count,
                                     gfab_chip_clocks *clocks, uint32_t *parents, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_machine_topology(machine);
    gfab_status status = gfab_features_check(
        gfab_layout_features(gfab_machine_layout(machine)) | GFAB_HAS(CHIPS) | GFAB_HAS(OWN_CLOCKS), diag);
    if (status)
        return status;
    GFAB_FREED uint32_t *hops = malloc(2 * (size_t)chip_count * sizeof *hops);
    if (!hops)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the chips");
    uint32_t *nearer = parents ? parents : hops + chip_count;
    status = find_parents(topology, chips, chip_count, nearer, hops, diag);
    uint32_t farthest = 0;
    for (uint32_t chip = 0; chip < chip_count && !status; chip++)
        if (hops[chip] > farthest)
            farthest = hops[chip];
    if (!status)
        status = check_latency(machine, farthest, diag);
    if (status)
        return status;
    uint64_t drift;
    *clocks = clocks_at(machine, gfab_machine_timing(machine)->latency_cycles, farthest, &drift);
    clocks->cables = count_cables(topology, chips);
    return GFAB_OK;
}

/* The chip at the other end of a link that leaves this one. */
static uint32_t far_chip(const gfab_gen *gen, uint32_t link)
{
    const gfab_link ends = gfab_topology_link(gen->topology, link);
    const uint32_t chip = gen->options->chips[ends.node[0]];
    return chip == gen->chip ? gen->options->chips[ends.node[1]] : chip;
}

size_t gfab_gen_cable_links(const gfab_gen *gen, uint32_t chip, size_t before)
{
    size_t count = 0;
    for (size_t cut = 0; cut < gen->top->cut_count && cut < before; cut++)
        count += far_chip(gen, gen->top->cut[cut]) == chip;
    return count;
}

uint32_t gfab_gen_cable_of(const gfab_gen *gen, size_t cut)
{
    return far_chip(gen, gen->top->cut[cut]);
}

/* Cables are in the order of the chips at their other ends. */
uint32_t gfab_gen_cable_chip(const gfab_gen *gen, size_t cable)
{
    uint32_t chip = 0;
    while (chip < gen->options->chip_count && (gfab_gen_cable_links(gen, chip, SIZE_MAX) == 0 || cable-- > 0))
        chip++;
    return chip;
}

size_t gfab_gen_cable_count(const gfab_gen *gen)
{
    size_t count = 0;
    if (gen->options->own_clocks && gen->chip != GFAB_GEN_WHOLE)
        while (gfab_gen_cable_chip(gen, count) < gen->options->chip_count)
            count++;
    return count;
}
