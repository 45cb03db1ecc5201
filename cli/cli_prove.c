/* SPDX-License-Identifier: MIT */
/* schedule --prove: whether one round less is possible, asked until it is not, or until the solver gives up. */
#include "cli_source.h"

enum { CONFLICTS_AN_EFFORT = 1000000 };

int cli_prove_check(const char *verb, const cli_prove *prove)
{
    /* Questions before the last one leave their part of these. */
    if (cli_is_standard(prove->proof_path) || cli_is_standard(prove->cnf_path))
        return cli_error(verb, "--%s -: it is not for standard output; give the name of a file",
                         cli_is_standard(prove->proof_path) ? "proof" : "cnf");
    return CLI_GO_ON;
}

void cli_prove_discard(cli_prove *prove)
{
    cli_output_discard(&prove->proof);
    cli_output_discard(&prove->cnf);
}

/* Files are for the last question alone, so that each has its own, fresh ones. */
static int open_files(const char *verb, cli_prove *prove)
{
    cli_prove_discard(prove);
    if (prove->proof_path)
        CLI_TRY(cli_output_open(verb, prove->proof_path, &prove->proof));
    return prove->cnf_path ? cli_output_open(verb, prove->cnf_path, &prove->cnf) : CLI_GO_ON;
}

int cli_prove_run(const char *verb, cli_prove *prove, cli_source *source)
{
    const uint32_t effort = source->effort != 0 ? source->effort : 1;
    gfab_progress progress = cli_progress(verb);
    gfab_prove_options options = gfab_prove_options_default();
    const gfab_goal goal = gfab_schedule_goal(source->schedule);
    options.translations = prove->translations;
    options.max_conflicts = effort < UINT32_MAX / CONFLICTS_AN_EFFORT ? effort * CONFLICTS_AN_EFFORT : UINT32_MAX;
    options.progress = &progress;
    while (source->report.rounds > source->bound.rounds) {
        gfab_diag diag = {0, ""};
        gfab_schedule *better = NULL;
        CLI_TRY(open_files(verb, prove));
        options.proof = prove->proof.file;
        options.cnf = prove->cnf.file;
        prove->needed = true;
        prove->rounds = source->report.rounds - 1;
        gfab_status result = gfab_prove_goal(source->topology, &source->model, &goal, prove->rounds, &options,
                                             &prove->report, &better, &diag);
        cli_progress_end();
        if (result == GFAB_OK && cli_was_interrupted()) {
            gfab_schedule_destroy(better);
            result = GFAB_ERR_INTERRUPTED;
        }
        if (result != GFAB_OK)
            return cli_fail(verb, result, "--prove", &diag);
        if (!better)
            return CLI_GO_ON;
        gfab_schedule_destroy(source->schedule);
        source->schedule = better;
        CLI_TRY(cli_source_load(verb, source));
    }
    prove->needed = false;
    cli_prove_discard(prove);
    return CLI_GO_ON;
}

int cli_prove_commit(const char *verb, cli_prove *prove)
{
    if (prove->proof.file && prove->report.answer == GFAB_PROVE_IMPOSSIBLE)
        CLI_TRY(cli_output_commit(verb, &prove->proof));
    return prove->cnf.file ? cli_output_commit(verb, &prove->cnf) : CLI_GO_ON;
}

void cli_prove_print(FILE *file, const cli_prove *prove, const cli_source *source)
{
    const gfab_prove_report *report = &prove->report;
    if (!prove->asked)
        return;
    if (!prove->needed) {
        fprintf(file, "proof        none needed: meets the %s bound\n", source->bound.name);
    } else if (report->answer == GFAB_PROVE_IMPOSSIBLE && prove->translations) {
        fprintf(file,
                "proof        %u rounds are impossible where all nodes do the same, shown by SAT; open for other "
                "schedules: %llu variables, %llu clauses, %llu conflicts\n",
                prove->rounds, (unsigned long long)report->variables, (unsigned long long)report->clauses,
                (unsigned long long)report->conflicts);
    } else if (report->answer == GFAB_PROVE_IMPOSSIBLE) {
        fprintf(file,
                "proof        optimal: %u rounds are impossible, shown by SAT: %llu variables, %llu clauses, %llu "
                "conflicts\n",
                prove->rounds, (unsigned long long)report->variables, (unsigned long long)report->clauses,
                (unsigned long long)report->conflicts);
    } else {
        fprintf(file, "proof        gave up: after %llu conflicts it is open whether %u rounds are possible\n",
                (unsigned long long)report->conflicts, prove->rounds);
    }
}

void cli_prove_json(json_t *report, const cli_prove *prove)
{
    if (!prove->asked) {
        cli_json_set(report, "proof", json_null());
        return;
    }
    json_t *object = cli_json_object();
    CLI_JSON(object, CLI_KEY("needed", prove->needed));
    if (prove->needed) {
        const bool impossible = prove->report.answer == GFAB_PROVE_IMPOSSIBLE;
        CLI_JSON(object, CLI_KEY("rounds", prove->rounds), CLI_KEY("answer", impossible ? "impossible" : "unknown"),
                 CLI_KEY("variables", prove->report.variables), CLI_KEY("clauses", prove->report.clauses),
                 CLI_KEY("conflicts", prove->report.conflicts), CLI_KEY("translations", prove->translations));
        CLI_JSON(report, CLI_KEY("optimal", (bool)(impossible && !prove->translations)));
    }
    cli_json_set(report, "proof", object);
}
