/* SPDX-License-Identifier: MIT */
/* Command `reroute`: new programs for a fabric that exists already, around links or nodes that have died. The RTL
 * stays as it is and only programs are written, so that a board need not be synthesised again. The graph that
 * is left gets a schedule by any solver; the library carries it over to the fabric's own links and slots
 * (core/fabric/reroute.c). A collective's members must all live, since each of them holds a part of the result; gossip
 * goes on without the dead. */
#include "cli_fabric.h"

#include <stdlib.h>
#include <string.h>

/* What the new programs go round, and what they are made of. */
typedef struct detour {
    const char *drops;
    gfab_survivors survivors;
    bool *alive; /* of each node of the fabric */
    cli_source source;
    gfab_machine *machine;
} detour;

static void release(detour *d)
{
    gfab_machine_destroy(d->machine);
    d->source.topology = NULL; /* the survivors' */
    cli_source_release(&d->source);
    gfab_survivors_release(&d->survivors);
    free(d->alive);
}

static int find_survivors(const gfab_topology *whole, detour *d)
{
    gfab_diag diag = {0, ""};
    CLI_TRY(cli_told("reroute", gfab_survivors_create(whole, d->drops, &d->survivors, &diag), NULL, &diag));
    d->alive = calloc(gfab_topology_node_count(whole), sizeof *d->alive);
    CLI_NEED("reroute", d->alive);
    for (size_t node = 0; node < gfab_topology_node_count(d->survivors.topology); node++)
        d->alive[d->survivors.node[node]] = true;
    return CLI_GO_ON;
}

/* A schedule of the survivors that the fabric's links and nodes can play, verified. */
static int solve(const gfab_machine *fabric, const gfab_schedule *before, detour *d)
{
    const gfab_timing *timing = gfab_machine_timing(fabric);
    d->source.topology = d->survivors.topology;
    d->source.model = *gfab_schedule_model(before);
    d->source.model.hop_rounds = timing->hop_rounds;
    if (!timing->paths)
        d->source.model.routing = GFAB_ROUTING_STORE_AND_FORWARD;
    const size_t members = gfab_topology_member_count(gfab_machine_topology(fabric));
    d->source.goal = gfab_schedule_goal(before);
    d->source.goal_given = gfab_layout_blocks(gfab_machine_layout(fabric)) != 0;
    if (d->source.goal_given && gfab_topology_member_count(d->survivors.topology) != members)
        return cli_error("reroute", "a collective's members must live; drop links and relays alone");
    return cli_source_load("reroute", &d->source);
}

static int compile(const gfab_machine *fabric, uint64_t gap_cycles, detour *d)
{
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress("reroute");
    const gfab_status status =
        gfab_machine_reroute(fabric, &d->survivors, d->source.schedule, gap_cycles, &progress, &d->machine, &diag);
    cli_progress_end();
    return cli_told("reroute", status, NULL, &diag);
}

/* The player is there where generate wrote one, and shows the graph that is left. */
static void add_player(const cli_source *source, const cli_machine *machine, const detour *d, cli_player *player,
                       gfab_fabric_options *options)
{
    cli_fabric_add_player(source, machine, player, options);
    player->schedules[0] = d->source.schedule;
    player->bounds[0] = d->source.bound.rounds;
    player->player.machine = NULL; /* it has the nodes of the whole graph */
}

static int write_programs(const cli_source *source, const cli_machine *machine, detour *d, gfab_fabric_options *options,
                          bool json)
{
    const gfab_machine *fabric = machine->machine;
    cli_player player;
    add_player(source, machine, d, &player, options);
    options->programs = true;
    options->dropped = d->drops;
    options->alive = d->alive;
    options->solver = gfab_schedule_solver(d->source.schedule);
    options->schedule_rounds = gfab_schedule_rounds(d->source.schedule);
    options->bound_rounds = d->source.bound.rounds;
    CLI_TRY(cli_fabric_write("reroute", d->machine, options));
    const size_t nodes = gfab_topology_node_count(gfab_machine_topology(fabric));
    const size_t left = gfab_topology_node_count(d->survivors.topology);
    const gfab_likeness *like = d->source.like;
    if (json) {
        cli_json_print(CLI_JSON(cli_json_report("gossipfab.reroute/1"), CLI_KEY("directory", options->directory),
                                CLI_KEY("dropped", d->drops), CLI_KEY("survivors", left),
                                CLI_KEY("recognised", like ? gfab_topology_name(like->topology) : NULL),
                                CLI_KEY("rounds_before", gfab_machine_rounds(fabric)),
                                CLI_KEY("cycles_before", gfab_machine_cycles(fabric)),
                                CLI_KEY("rounds", gfab_machine_rounds(d->machine)),
                                CLI_KEY("cycles", gfab_machine_cycles(d->machine))),
                       stdout);
        return CLI_GOOD;
    }
    printf("dropped      %s: %zu of %zu nodes are left\n", d->drops, left, nodes);
    cli_print_recognised(stdout, &d->source);
    printf("solver       %s\n", options->solver);
    printf("rounds       %u, before %u; the ROMs hold %u and the halt\n", gfab_machine_rounds(d->machine),
           gfab_machine_rounds(fabric), (1u << gfab_machine_round_bits(fabric)) - 1);
    printf("cycles       %llu, before %llu\n", (unsigned long long)gfab_machine_cycles(d->machine),
           (unsigned long long)gfab_machine_cycles(fabric));
    printf("written      %s: new programs; the hardware is as it was\n", options->directory);
    return CLI_GOOD;
}

int cmd_reroute(int argc, char **argv)
{
    GFAB_AT_END(release) detour d = {.source = cli_source_default()};
    GFAB_AT_END(cli_source_release) cli_source source = cli_source_default();
    GFAB_AT_END(cli_machine_release) cli_machine machine = cli_machine_default();
    GFAB_AT_END(cli_fabric_release) cli_fabric fabric = cli_fabric_default();
    bool json = false;
    const cli_option options[] = {CLI_SOLVER_OPTIONS(d.source),
                                  CLI_FABRIC_OPTIONS(machine),
                                  CLI_STREAM_OPTIONS(machine, fabric),
                                  CLI_FOLDER_OPTIONS(fabric, machine),
                                  CLI_OPTION(.name = "output", .letter = 'o', .kind = CLI_TEXT,
                                             .value = &fabric.options.directory, .word = "DIR",
                                             .help = "the folder that generate made"),
                                  CLI_JSON_OPTION(json),
                                  CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "reroute",
        .usage = "s.gfs +drop-link=U-V|+drop-node=V...  [generate's options]  -o DIR",
        .text = "Makes programs for a generated fabric whose links U-V or nodes V have died: the same hardware with\n"
                "other ROMs. s.gfs is the schedule that DIR was generated from, and the options are those that it\n"
                "was generated with; --solver and its settings are for the new schedule. Dead nodes neither send\n"
                "nor receive, the others end up with the tokens of each other. The new programs are read back and\n"
                "replayed on what is left before DIR is touched. With --rom block, `make bitstream` in DIR then\n"
                "puts them into the placed and routed design without placing or routing it again.",
        .example = "  gossipfab schedule mesh:4x4 -o s.gfs\n"
                   "  gossipfab generate --schedule s.gfs --board hx8k --rom block -o out\n"
                   "  gossipfab reroute s.gfs +drop-link=5-6 --board hx8k --rom block -o out",
        .options = options,
        .max_arguments = 2};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    if (status != CLI_GO_ON)
        return status;
    if (!arguments[0] || !arguments[1])
        return cli_error("reroute", "give the schedule and what has died, such as s.gfs +drop-link=3-7");
    if (!fabric.options.directory)
        return cli_error("reroute", "no -o DIR given; name the folder that generate made");
    source.schedule_path = arguments[0];
    d.drops = arguments[1];
    gfab_diag diag = {0, ""};
    if (gfab_features_check(GFAB_HAS_IF(RING, strcmp(machine.store, "ring") == 0) | GFAB_HAS(REROUTED), &diag))
        status = cli_fail("reroute", GFAB_ERR_UNSUPPORTED, NULL, &diag);
    CLI_THEN(status, cli_fabric_build("reroute", &source, &machine, &fabric));
    CLI_THEN(status, find_survivors(source.topology, &d));
    CLI_THEN(status, solve(machine.machine, source.schedule, &d));
    CLI_THEN(status, compile(machine.machine, machine.options.gap_cycles, &d));
    CLI_THEN(status, write_programs(&source, &machine, &d, &fabric.options, json));
    return status;
}
