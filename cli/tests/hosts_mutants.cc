// SPDX-License-Identifier: MIT
// What the hosts of gossipfab simulate must find out: a bit of a beat that is another, a vector that ends elsewhere, a
// host that stops for ever. Behind the hosts' backs, in the step that simulate_stream_play asks for. And what a ring
// fabric's host must: an arc from another node, a place along the ring that is another's, a run that is said to be
// shorter.
extern "C" {
#include "commands/simulate_stream.h"
}

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace
{

enum Mutant { NONE, BIT, END, STOP, MUTANTS };

struct Bench {
    gfab_cmodel *model;
    Mutant mutant;
    unsigned cycle = 0;
};

// Host 0 gives without a pause, so that it has offered something in each of the first cycles.
void step(void *context)
{
    Bench &bench = *static_cast<Bench *>(context);
    const uint8_t data[] = {0xa5};
    if (bench.cycle++ == 10 && (bench.mutant == BIT || bench.mutant == END))
        gfab_cmodel_set_give(bench.model, 0, data, bench.mutant == END);
    if (bench.mutant != STOP || bench.cycle < 10)
        gfab_cmodel_step(bench.model);
}

// How it ends: exit status of the play, or whether beats are wrong.
bool isFound(Mutant mutant)
{
    cli_source source = cli_source_default();
    cli_machine machine = cli_machine_default();
    simulate_stream stream = simulate_stream_default();
    source.topology_spec = "path:3";
    source.collective_text = "all-reduce";
    machine.options.stream = true;
    machine.options.token_bits = machine.options.link_bits = 8;
    machine.token_bits_given = machine.link_bits_given = true;
    stream.vectors = 2;
    stream.seed = 1;
    stream.source = &source;
    stream.made = &machine;
    stream.step = step;
    if (cli_fabric_stream("mutants", &source, &machine, &stream.fabric) != CLI_GO_ON ||
        cli_machine_build("mutants", &source, &machine) != CLI_GO_ON ||
        gfab_cmodel_create(machine.machine, nullptr, &stream.cmodel) != GFAB_OK)
        std::exit(1);
    Bench bench{stream.cmodel, mutant};
    stream.context = &bench;
    const bool found = simulate_stream_play(&stream) != CLI_GO_ON || stream.wrong_beats != 0;
    gfab_cmodel_destroy(stream.cmodel);
    simulate_stream_release(&stream);
    cli_machine_release(&machine);
    cli_source_release(&source);
    return found;
}

enum RingMutant { RING_NONE, RING_ARC, RING_PLACE, RING_CYCLES, RING_MUTANTS };

int report(void *context, const char *what, unsigned long long at, unsigned long long of)
{
    (void)context, (void)what, (void)at, (void)of;
    return 1;
}

bool isFoundInRing(RingMutant mutant, gfab_collective collective)
{
    gfab_diag diag{};
    gfab_topology *topology = nullptr;
    gfab_ring_fabric ring{};
    gfab_ring_options options{};
    const gfab_progress progress{report, nullptr};
    options.token_bits = 8;
    options.link_bits = 4;
    options.full_duplex = true;
    options.collective = collective;
    options.combines = collective == GFAB_ALL_GATHER ? GFAB_OPERATOR_NONE : GFAB_OPERATOR_SUM;
    if (gfab_topology_parse("mesh:2x3", &topology, &diag) != GFAB_OK ||
        gfab_ring_fabric_plan(topology, &options, &ring, &diag) != GFAB_OK)
        std::exit(1);
    if (mutant == RING_ARC)
        ring.from[1] = 2;
    if (mutant == RING_PLACE)
        ring.place[1] = 2;
    if (mutant == RING_CYCLES)
        ring.run_cycles--;
    cli_ring_play play{};
    play.ring = &ring;
    play.seed = 1;
    play.repeat = 2;
    if (cli_ring_play_runs(&play, &progress, &diag) != GFAB_OK || play.all == 0)
        std::exit(1);
    gfab_ring_fabric_release(&ring);
    gfab_topology_destroy(topology);
    return play.wrong != 0 || !play.cycles_equal;
}

bool areFoundInRings()
{
    int found = 0;
    for (const gfab_collective collective : {GFAB_ALL_GATHER, GFAB_ALL_REDUCE, GFAB_REDUCE_SCATTER})
        for (int mutant = RING_NONE; mutant < RING_MUTANTS; mutant++)
            if (isFoundInRing(static_cast<RingMutant>(mutant), collective) == (mutant != RING_NONE))
                found++;
            else
                std::fprintf(stderr, "ring: mutant %d of collective %d\n", mutant, collective);
    std::printf("rings: %d of 12 as expected\n", found);
    return found == 12;
}

} // namespace

int main()
{
    for (int mutant = NONE; mutant < MUTANTS; mutant++)
        if (isFound(static_cast<Mutant>(mutant)) != (mutant != NONE)) {
            std::fprintf(stderr, "stream hosts: mutant %d: %s\n", mutant, mutant == NONE ? "found" : "not found out");
            return 1;
        }
    std::puts("stream hosts: 3 mutants found out");
    return areFoundInRings() ? 0 : 1;
}
