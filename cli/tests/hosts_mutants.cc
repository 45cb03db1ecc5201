// SPDX-License-Identifier: MIT
// What the hosts of gossipfab simulate must find out: a bit of a beat that is another, a vector that ends elsewhere, a
// host that stops for ever. Behind the hosts' backs, in the step that simulate_stream_play asks for.
extern "C" {
#include "commands/simulate_stream.h"
}

#include <cstdio>
#include <cstdlib>

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

} // namespace

int main()
{
    for (int mutant = NONE; mutant < MUTANTS; mutant++)
        if (isFound(static_cast<Mutant>(mutant)) != (mutant != NONE)) {
            std::fprintf(stderr, "stream hosts: mutant %d: %s\n", mutant, mutant == NONE ? "found" : "not found out");
            return 1;
        }
    std::puts("stream hosts: 3 mutants found out");
    return 0;
}
