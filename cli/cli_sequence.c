/* SPDX-License-Identifier: MIT */
/* Records on graphs with more nodes than a schedule may have: strings of matchings, replayed for every token. */
#include "cli_source.h"

#include <gossipfab/telephone/record.h>
#include <stdlib.h>
#include <string.h>

const char *cli_sequence_record(const cli_source *source)
{
    const gfab_model *model = &source->model;
    const size_t nodes = gfab_topology_node_count(source->topology);
    const gfab_solver *solver = gfab_solver_find("record");
    const char *text = gfab_record_find(source->topology);
    gfab_record record;
    const bool wanted = strcmp(source->solver_name, "record") == 0 || strcmp(source->solver_name, "auto") == 0;
    if (!text || !wanted || source->broadcast || source->load_text || source->linear ||
        model->link_mode != GFAB_LINK_FULL || model->port_mode != GFAB_PORT_ONE || model->hop_rounds != 1 ||
        model->routing != GFAB_ROUTING_STORE_AND_FORWARD || model->packet_tokens < nodes - 1 ||
        gfab_record_head(text, &record, NULL) != GFAB_OK || !record.sequence ||
        (source->rounds != 0 && record.rounds > source->rounds))
        return NULL;
    return gfab_solver_applies(solver, source->topology, model, NULL) == GFAB_ERR_LIMIT ? text : NULL;
}

static void print_text(const cli_source *source, const gfab_record *record, const char *digits)
{
    cli_print_topology(stdout, source->topology);
    cli_print_model(stdout, &source->model);
    printf("solver       record, chosen by %s\n", source->solver_name);
    printf("rounds       %u\nlower bound  %llu, %s: %s\n", source->report.rounds,
           (unsigned long long)source->bound.rounds, source->bound.name, source->bound.argument);
    printf("sequence     %s, matchings %s\ntransfers    %llu\nverified     every node ends with every token\n", digits,
           record->matchings, (unsigned long long)source->report.transfers);
}

static void print_json(const cli_source *source, const gfab_record *record, const char *digits)
{
    cli_json_print(CLI_JSON(cli_json_report("gossipfab.sequence/1"), CLI_KEY("solver_asked", source->solver_name),
                            CLI_KEY("topology", cli_json_topology(source->topology)),
                            CLI_KEY("model", cli_json_model(&source->model)), CLI_KEY("solver", "record"),
                            CLI_KEY("rounds", source->report.rounds), CLI_KEY("bound", cli_json_bound(&source->bound)),
                            CLI_KEY("transfers", source->report.transfers), CLI_KEY("sequence", digits),
                            CLI_KEY("matchings", record->matchings), CLI_KEY("verified", (bool)true)),
                   stdout);
}

static int replay(const char *verb, cli_source *source, const char *text, gfab_record *record, gfab_sequence *sequence)
{
    gfab_matchings *matchings = NULL;
    gfab_sequence_report report = {0, 0};
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress(verb);
    gfab_status status = gfab_bound_best(source->topology, &source->model, &progress, &source->bound);
    GFAB_THEN(status, gfab_record_head(text, record, &diag));
    GFAB_THEN(status, gfab_matchings_create(source->topology, record->matchings, &matchings, &diag));
    GFAB_THEN(status, gfab_record_sequence(text, matchings, sequence, &diag));
    GFAB_THEN(status, gfab_sequence_replay(matchings, sequence, &progress, &report));
    cli_progress_end();
    gfab_matchings_destroy(matchings);
    if (status != GFAB_OK)
        return cli_fail(verb, status, diag.message[0] == '\0' ? "record" : NULL, &diag);
    source->report.rounds = (uint32_t)sequence->length;
    source->report.transfers = report.steps;
    source->report.missing = report.missing;
    return CLI_GO_ON;
}

int cli_sequence_print(const char *verb, cli_source *source, const char *text, bool json)
{
    GFAB_FREED gfab_sequence *sequence = malloc(sizeof *sequence);
    GFAB_FREED char *digits = malloc(GFAB_MAX_SEQUENCE + 1);
    gfab_record record;
    CLI_NEED(verb, sequence && digits);
    CLI_TRY(replay(verb, source, text, &record, sequence));
    if (source->report.missing != 0) {
        cli_error(verb, "record: the schedule is faulty: %llu deliveries are missing",
                  (unsigned long long)source->report.missing);
        return CLI_FAULTY;
    }
    gfab_sequence_write(sequence, digits);
    (json ? print_json : print_text)(source, &record, digits);
    return CLI_GOOD;
}
