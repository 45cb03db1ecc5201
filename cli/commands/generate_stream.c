/* SPDX-License-Identifier: MIT */
/* generate --stream: what it says of the topology, the schedule and the nodes. */
#define _POSIX_C_SOURCE 200809L
#include "cli_fabric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A topology whose nodes have no hosts yet gets them. */
static int add_hosts(const char *verb, cli_source *source, cli_fabric *fabric)
{
    static const char suffix[] = "+hosts";
    const char *spec = source->topology_spec;
    if (!spec || strstr(spec, suffix))
        return CLI_GO_ON;
    fabric->hosted = malloc(strlen(spec) + sizeof suffix);
    CLI_NEED(verb, fabric->hosted);
    strcpy(fabric->hosted, spec);
    strcat(fabric->hosted, suffix);
    source->topology_spec = fabric->hosted;
    return CLI_GO_ON;
}

/* Widths that are not given become such as streams take. A word a cycle has tokens as wide as links. In narrow nodes a
 * block is a flit in every cycle of a round, whose cycles are a multiple of the ports of the largest node, and two of
 * each at least. The topology is opened for that. */
static int choose_widths(const char *verb, cli_source *source, cli_machine *machine, bool words)
{
    gfab_machine_options *options = &machine->options;
    if (words) {
        if (!machine->link_bits_given)
            options->link_bits = options->token_bits;
        else if (!machine->token_bits_given)
            options->token_bits = options->link_bits;
        return CLI_GO_ON;
    }
    if (machine->token_bits_given || source->schedule_path)
        return CLI_GO_ON;
    CLI_TRY(cli_source_open_topology(verb, source));
    const uint32_t ports = (uint32_t)gfab_topology_max_degree(source->topology);
    uint32_t flits = (options->token_bits + options->link_bits - 1) / options->link_bits;
    flits = flits > 2 * ports ? flits : 2 * ports;
    options->token_bits = (flits + ports - 1) / ports * ports * options->link_bits;
    return CLI_GO_ON;
}

/* An all-gather of words: along the tree of an all-reduce, in which words are put one behind another. */
static int choose_gather(const char *verb, cli_source *source, cli_machine *machine)
{
    const bool gathers =
        source->collective_text ? strcmp(source->collective_text, "all-gather") == 0 : !source->schedule_path;
    if (!gathers)
        return CLI_GO_ON;
    if (*machine->operator_text)
        return cli_error(verb, "--operator %s: an all-gather combines nothing; leave --operator out",
                         machine->operator_text);
    source->collective_text = "all-reduce";
    machine->operator_text = "gather";
    return CLI_GO_ON;
}

int cli_fabric_stream(const char *verb, cli_source *source, cli_machine *machine, cli_fabric *fabric)
{
    if (!machine->options.stream)
        return CLI_GO_ON;
    gfab_diag diag = {0, ""};
    const bool whole = machine->options.token_bits == machine->options.link_bits;
    const bool words = strcmp(machine->store, "wide") == 0 || (whole && strcmp(machine->store, "auto") == 0);
    if (source->collective_text && strchr(source->collective_text, ','))
        return cli_fail(
            verb, gfab_features_check((words ? GFAB_HAS(WORD_STREAMS) : GFAB_HAS(STREAMS)) | GFAB_HAS(SEVERAL), &diag),
            NULL, &diag);
    if (source->blocks_given && !source->any_blocks)
        return cli_error(verb, "--stream: for vectors of any length; leave --blocks out");
    /* Hosts give and take at once, also where words go over each link one way. */
    machine->options.half_links = words && source->link_mode_given && source->model.link_mode == GFAB_LINK_HALF;
    if (!source->link_mode_given || machine->options.half_links)
        source->model.link_mode = GFAB_LINK_FULL;
    source->link_mode_given = true;
    source->blocks_given = source->any_blocks = true;
    if (!source->schedule_path && strcmp(source->solver_name, "auto") == 0)
        source->solver_name = "host-tree";
    if (!words && !source->schedule_path && !source->solver_given &&
        (!source->collective_text || strcmp(source->collective_text, "all-gather") == 0))
        return cli_error(verb, "--stream: an all-gather streams a word a cycle; give --store wide, or another "
                               "collective: -c all-reduce, broadcast or reduce");
    if (words)
        CLI_TRY(choose_gather(verb, source, machine));
    if (fabric->host_words > 1) {
        if (!words)
            return cli_error(verb, "--host-words: for streams of a word a cycle; give --store wide");
        snprintf(fabric->settings, sizeof fabric->settings, "words=%u", (unsigned)fabric->host_words);
        source->parameters = fabric->settings;
    }
    const int status = add_hosts(verb, source, fabric);
    return status == CLI_GO_ON ? choose_widths(verb, source, machine, words) : status;
}
