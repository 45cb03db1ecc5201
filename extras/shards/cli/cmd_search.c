/* SPDX-License-Identifier: MIT */
/* Command `search`: does the work items of a shard, one after the other. A signal is noticed between items and inside
 * of one, and then what is found so far is written before the program ends. What it shares with `merge` and with
 * gossipfab-mpi's `search` is in job.c. */
#include "shards/cli/job.h"

/* While an item is done: the checkpoint, if it is time. context is the job. */
static int on_progress(void *context, const char *what, unsigned long long done, unsigned long long total)
{
    cli_job *job = context;
    const gfab_progress shown = cli_progress(job->verb);
    return shown.report(shown.context, what, done, total) && cli_job_tick(job);
}

/* CLI_GO_ON or an exit status. *interrupted: a signal asks for the end. */
static int do_item(cli_job *job, uint64_t item, bool *interrupted)
{
    const gfab_progress progress = {on_progress, job};
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, ""};
    const gfab_status made = gfab_items_run(job->items, item, &progress, &schedule, &diag);
    int status = job->failed;
    *interrupted = made == GFAB_ERR_INTERRUPTED || cli_was_interrupted();
    if (made != GFAB_OK && !*interrupted)
        status = cli_fail(job->verb, made, NULL, &diag);
    if (made == GFAB_OK && !schedule && job->reason.message[0] == '\0')
        job->reason = diag;
    if (made == GFAB_OK && status == CLI_GO_ON)
        status = cli_job_settle(job, item, schedule);
    return status == CLI_GO_ON && !cli_job_tick(job) ? job->failed : status;
}

static int run(cli_job *job)
{
    bool interrupted = false;
    int status = cli_job_open(job);
    uint64_t item = status == CLI_GO_ON ? cli_job_next(job, 0) : 0;
    cli_hold_interrupt(true); /* what is found is kept */
    for (; item != 0 && status == CLI_GO_ON && !interrupted; item = cli_job_next(job, item + 1))
        status = do_item(job, item, &interrupted);
    cli_hold_interrupt(false);
    cli_progress_end();
    CLI_THEN(status, cli_job_save(job));
    if (status == CLI_GO_ON && interrupted)
        return cli_interrupted(job->verb);
    return status == CLI_GO_ON ? cli_job_report(job) : status;
}

int cmd_search(int argc, char **argv)
{
    GFAB_AT_END(cli_job_release) cli_job job = cli_job_default("search");
    const cli_option options[] = {CLI_JOB_OPTIONS(job), CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "search",
        .usage = "T --solver S --items A..B [--rounds R] [--shard I/K] [--checkpoint FILE [--resume]] "
                 "[-o FILE]",
        .text =
            "Looks for a short schedule with a solver that draws at random. Item k is what schedule --solver-seed k\n"
            "--effort 1 makes. The best item has the fewest rounds; of several the lowest number wins. So the result\n"
            "is the same whoever does which item: shards on many machines write checkpoints, which merge joins.\n"
            "A signal ends it with the best so far, and exit status 128 + its number.",
        .example = "  gossipfab search -t debruijn:6 --link-mode full --port-mode one --packet-tokens 64 -s anneal\n"
                   "      --rounds 9 --items 100 --shard 3/8 --checkpoint 3.search",
        .options = options};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    CLI_THEN(status, run(&job));
    return status;
}
