/* SPDX-License-Identifier: MIT */
/* generate --store ring, and what simulate --store ring has of it: a ring fabric has no schedule and no programs, so
 * that it goes past the machine: from the topology's rings to a plan, and from there to the folder or the model. What
 * else was asked for is refused by the table of features. */
#include "cli_fabric.h"

#include <string.h>

static bool combines(const char *collective)
{
    return strcmp(collective, "all-reduce") == 0 || strcmp(collective, "reduce-scatter") == 0;
}

/* What the options ask for, as features. */
static gfab_features asked(const cli_source *source, const cli_machine *machine, const cli_fabric *fabric)
{
    const char *collective = source->collective_text ? source->collective_text : "all-gather";
    const gfab_operator chosen = machine->options.combines;
    const bool several = strchr(collective, ','),
               moves = !several && strcmp(collective, "all-gather") != 0 && !combines(collective);
    return GFAB_HAS_IF(PATHS, source->model.routing == GFAB_ROUTING_CIRCUIT) |
           GFAB_HAS_IF(GAPS, machine->options.gap_cycles) | GFAB_HAS_IF(LATENCY, machine->options.latency_cycles) |
           GFAB_HAS_IF(PROTECTION, strcmp(machine->protect, "none") != 0) | GFAB_HAS_IF(SEVERAL, several) |
           GFAB_HAS_IF(BLOCKS, moves) | GFAB_HAS_IF(RING_COMBINING, combines(collective)) |
           GFAB_HAS_IF(COMBINING, combines(collective)) | GFAB_HAS_IF(CHOICE, chosen == GFAB_OPERATOR_ALL) |
           GFAB_HAS_IF(CHAINED, gfab_operator_is_chained(chosen)) |
           GFAB_HAS_IF(SHARED, strcmp(machine->frame, "relative") == 0 || strcmp(machine->frame, "rotated") == 0) |
           GFAB_HAS_IF(BOARD, fabric->board) | GFAB_HAS_IF(CHIPS, fabric->on_a_chip) |
           GFAB_HAS_IF(OWN_CLOCKS, strcmp(fabric->clocks, "own") == 0) |
           GFAB_HAS_IF(BLOCK_ROMS, strcmp(fabric->rom, "block") == 0) |
           GFAB_HAS_IF(OVERLAP, strcmp(fabric->axi, "overlap") == 0) |
           GFAB_HAS_IF(REGISTERS, strcmp(fabric->registers, "none") != 0) |
           GFAB_HAS_IF(STREAMS, machine->options.stream);
}

/* Options without a feature of their own. */
static int check_options(const char *verb, const cli_source *source, const cli_machine *machine,
                         const cli_fabric *fabric)
{
    if (source->solver_given && strcmp(source->solver_name, "auto") != 0 && strcmp(source->solver_name, "rings") != 0)
        return cli_error(verb, "--solver %s: a ring fabric plays rings; leave --solver out", source->solver_name);
    if (*machine->operator_text && source->goal.collective == GFAB_ALL_GATHER)
        return cli_error(verb, "--operator %s: an all-gather combines nothing; leave --operator out",
                         machine->operator_text);
    if (source->any_blocks || (source->blocks_given && source->goal.collective == GFAB_ALL_GATHER &&
                               source->blocks != gfab_topology_node_count(source->topology)))
        return cli_error(verb,
                         "--blocks: a ring fabric's all-gather is of one token a node, and its store has room for "
                         "so many; leave --blocks out");
    if (strcmp(fabric->ports, "flat") != 0)
        return cli_error(verb, "--ports %s: a ring fabric has vectors over all nodes alone; leave --ports out",
                         fabric->ports);
    return CLI_GO_ON;
}

/* What goes around, and how long it takes: of an all-gather. */
static void print_gather(const gfab_ring_fabric *ring)
{
    if (ring->abreast > 1)
        printf("tokens       W = %u bits over links of L = %u bits: K = %u side by side, each in F = 1 word",
               ring->token_bits, ring->link_bits, ring->abreast);
    else
        printf("tokens       W = %u bits over links of L = %u bits: W/L = %u flits in F = %u word%s of %u",
               ring->token_bits, ring->link_bits, ring->flits, ring->words, ring->words == 1 ? "" : "s", ring->rings);
    if (ring->padding)
        printf(", %u of them padding", ring->padding);
    printf("\nhop          %u cycle%s: %s\n", ring->hop_cycles, ring->hop_cycles == 1 ? "" : "s",
           ring->shifts       ? "from register to register"
           : ring->registered ? "from store to store, past a register"
                              : "from store to store");
    printf("cycles       (%s - 1) x %s + c = %u x %u + %u = %llu\n", ring->abreast > 1 ? "N/K" : "N",
           ring->step_cycles > ring->words ? "hop" : "F", ring->steps, ring->step_cycles, ring->overhead_cycles,
           (unsigned long long)ring->run_cycles);
    if (ring->protect)
        printf("protection   detect: check bits of a word %u, two counters, what is sent against what comes\n",
               ring->check_bits);
}

/* Likewise, where blocks are combined. */
static void print_reduce(const gfab_ring_fabric *ring)
{
    printf("blocks       W = %u bits over links of L = %u bits: F = W/L = %u flit%s, combined by %s\n",
           ring->token_bits, ring->link_bits, ring->flits, ring->flits == 1 ? "" : "s",
           gfab_operator_name(ring->combines));
    printf("rounds       K = %u of %u homes x %u rings for %u blocks", ring->rounds, ring->nodes, ring->rings,
           ring->blocks);
    if (ring->padding_blocks)
        printf(", with room for %u more", ring->padding_blocks);
    printf("\nhop          %u cycle%s", ring->hop_cycles, ring->hop_cycles == 1 ? "" : "s");
    if (ring->part_bits < ring->link_bits)
        printf("; a carry goes through %u bits in it, and waits for the next", ring->part_bits);
    printf("\ncycles       K x %s x F + c = %u x %u x %u + %u = %llu\n",
           ring->collective == GFAB_ALL_REDUCE ? "2 N" : "(N + 1)", ring->rounds, ring->steps, ring->flits,
           ring->overhead_cycles, (unsigned long long)ring->run_cycles);
}

void cli_ring_print(const gfab_ring_fabric *ring)
{
    const uint64_t host = ring->load_cycles + ring->run_cycles + ring->read_cycles;
    cli_print_topology(stdout, ring->topology);
    printf("rings        %u, of %s", ring->rings, ring->how);
    if (ring->both)
        printf(": %u cycle%s, both ways", ring->cycles, ring->cycles == 1 ? "" : "s");
    printf("; nodes are numbered along ring 0\n");
    (ring->blocks ? print_reduce : print_gather)(ring);
    printf("host         load %llu + run %llu + read %llu = %llu cycles, where all nodes load and read at once\n",
           (unsigned long long)ring->load_cycles, (unsigned long long)ring->run_cycles,
           (unsigned long long)ring->read_cycles, (unsigned long long)host);
}

static void print_text(const gfab_ring_fabric *ring, const char *directory)
{
    cli_ring_print(ring);
    printf("store        %u words of %u bits a node, no program\n",
           ring->nodes / ring->abreast * ring->words * (ring->blocks ? ring->rounds : 1),
           ring->rings * ring->link_bits + ring->check_bits);
    printf("written      %s\n", directory);
}

json_t *cli_ring_json(const gfab_ring_fabric *ring, const char *schema, const char *directory)
{
    json_t *report = cli_json_report(schema);
    CLI_JSON(report, CLI_KEY_IF(directory, "directory", directory),
             CLI_KEY("topology", gfab_topology_spec(ring->topology)),
             CLI_KEY("collective", gfab_collective_name(ring->collective)));
    if (ring->blocks) {
        CLI_JSON(report, CLI_KEY("operator", gfab_operator_name(ring->combines)), CLI_KEY("blocks", ring->blocks),
                 CLI_KEY("block_rounds", ring->rounds), CLI_KEY("padding_blocks", ring->padding_blocks),
                 CLI_KEY("pieces", ring->pieces));
    }
    CLI_JSON(report, CLI_KEY("nodes", ring->nodes), CLI_KEY("rings", ring->rings), CLI_KEY("rings_from", ring->how),
             CLI_KEY("token_bits", ring->token_bits), CLI_KEY("link_bits", ring->link_bits),
             CLI_KEY("abreast", ring->abreast), CLI_KEY("protect", ring->protect ? "detect" : "none"),
             CLI_KEY("words", ring->words), CLI_KEY("padding_flits", ring->padding),
             CLI_KEY("hop_cycles", ring->hop_cycles), CLI_KEY("load_cycles", ring->load_cycles),
             CLI_KEY("formula_cycles", ring->run_cycles), CLI_KEY("read_cycles", ring->read_cycles));
    return report;
}

static void print_json(const gfab_ring_fabric *ring, const char *directory)
{
    cli_json_print(cli_ring_json(ring, "gossipfab.ring/1", directory), stdout);
}

int cli_ring_beside(const char *verb, const cli_source *source, const cli_machine *machine, uint64_t *cycles)
{
    const gfab_timing *timing = gfab_machine_timing(machine->machine);
    const gfab_goal goal = gfab_schedule_goal(source->schedule);
    const gfab_layout *layout = gfab_machine_layout(machine->machine);
    const gfab_ring_options options = {.token_bits = timing->token_bits,
                                       .link_bits = timing->link_bits,
                                       .full_duplex = gfab_layout_full_duplex(layout),
                                       .collective = goal.collective,
                                       .blocks = goal.blocks,
                                       .combines = gfab_layout_operator(layout),
                                       .protect = gfab_layout_protect(layout) != GFAB_PROTECT_NONE};
    const bool takes_turns = timing->latency_cycles || gfab_machine_gap_cycles(machine->machine);
    gfab_ring_fabric ring;
    *cycles = 0;
    if ((goal.collective != GFAB_ALL_GATHER && !combines(gfab_collective_name(goal.collective))) ||
        machine->more_count || takes_turns || machine->options.stream)
        return CLI_GO_ON;
    const gfab_status status = gfab_ring_fabric_plan(source->topology, &options, &ring, NULL);
    if (status == GFAB_ERR_NO_MEMORY)
        return cli_fail(verb, status, NULL, &(gfab_diag){0, "out of memory for a ring of the same wires"});
    if (status == GFAB_OK) {
        *cycles = ring.run_cycles;
        gfab_ring_fabric_release(&ring);
    }
    return CLI_GO_ON;
}

static gfab_operator operator_of(const cli_source *source, const cli_machine *machine)
{
    const gfab_operator asked_for = machine->options.combines;
    return source->goal_given && combines(gfab_collective_name(source->goal.collective)) &&
                   asked_for == GFAB_OPERATOR_NONE
               ? GFAB_OPERATOR_SUM
               : asked_for;
}

int cli_ring_plan(const char *verb, cli_source *source, cli_machine *machine, cli_fabric *fabric,
                  gfab_ring_fabric *ring)
{
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress(verb);
    if (cli_machine_operator(verb, machine) != CLI_GO_ON)
        return CLI_USAGE;
    gfab_features others = asked(source, machine, fabric);
    int status = fabric->options.name && gfab_fabric_check_name(fabric->options.name, &diag)
                     ? cli_fail(verb, GFAB_ERR_INVALID, NULL, &diag)
                     : CLI_GO_ON;
    if (status == CLI_GO_ON && gfab_features_check(GFAB_HAS(RING) | others, &diag))
        status = cli_fail(verb, GFAB_ERR_UNSUPPORTED, NULL, &diag);
    if (status == CLI_GO_ON && !source->schedule_path)
        status = cli_source_open(verb, source);
    else if (status == CLI_GO_ON)
        status = cli_source_load(verb, source);
    if (status == CLI_GO_ON && source->schedule) /* its packets say whether they go over several links */
        others |= GFAB_HAS_IF(PATHS, gfab_schedule_model(source->schedule)->routing == GFAB_ROUTING_CIRCUIT);
    const gfab_ring_options options = {.token_bits = machine->options.token_bits,
                                       .link_bits = machine->options.link_bits,
                                       .full_duplex = source->model.link_mode == GFAB_LINK_FULL,
                                       .others = others,
                                       .progress = &progress,
                                       .collective = source->goal_given ? source->goal.collective : GFAB_ALL_GATHER,
                                       .blocks = source->blocks_given ? source->blocks : 0,
                                       .combines = operator_of(source, machine),
                                       .protect = strcmp(machine->protect, "none") != 0};
    if (status == CLI_GO_ON && gfab_features_check(GFAB_HAS(RING) | others, &diag))
        status = cli_fail(verb, GFAB_ERR_UNSUPPORTED, NULL, &diag);
    if (status == CLI_GO_ON && source->schedule_path)
        status = cli_error(verb, "--schedule: what a ring fabric plays is wired; leave --schedule out, or give another "
                                 "--store");
    CLI_THEN(status, check_options(verb, source, machine, fabric));
    if (status != CLI_GO_ON)
        return status;
    const gfab_status planned = gfab_ring_fabric_plan(source->topology, &options, ring, &diag);
    return planned ? cli_fail(verb, planned, NULL, &diag) : CLI_GO_ON;
}

int cli_ring_generate(const char *verb, cli_source *source, cli_machine *machine, cli_fabric *fabric, bool json)
{
    gfab_diag diag = {0, ""};
    GFAB_AT_END(gfab_ring_fabric_release) gfab_ring_fabric ring = {0};
    const gfab_progress progress = cli_progress(verb);
    CLI_TRY(cli_ring_plan(verb, source, machine, fabric, &ring));
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *schedule = NULL;
    const gfab_player player = {
        .schedules = (const gfab_schedule *const *)&schedule, .bounds = &(uint64_t){0}, .count = 1, .ring = &ring};
    gfab_status status = gfab_player_ring_schedule(&ring, &schedule);
    if (!status)
        cli_fabric_set_player(&player, &fabric->options);
    fabric->options.progress = &progress;
    cli_hold_interrupt(true); /* the folder is made beside its place */
    status = status == GFAB_ERR_NO_MEMORY ? gfab_fail(&diag, 0, status, "out of memory for the player")
                                          : gfab_ring_fabric_write(&ring, &fabric->options, &diag);
    cli_hold_interrupt(false);
    fabric->options.progress = NULL;
    cli_progress_end();
    if (!status)
        (json ? print_json : print_text)(&ring, fabric->options.directory);
    return status ? cli_fail(verb, status, NULL, &diag) : CLI_GOOD;
}
