/* SPDX-License-Identifier: MIT */
/* Command `merge`: joins what shards of a search have found, a checkpoint each. Files must be of one question, and a
 * schedule is verified before it counts. The order of the files does not matter (extras/shards/items.c says why). */
#include "shards/cli/job.h"

#include <stdlib.h>

/* Joins one more file to the job; the first is the job's own. */
static int take(cli_job *job, const char *path)
{
    gfab_topology *topology = NULL;
    gfab_items *items = NULL;
    gfab_diag diag = {0, ""};
    int status = cli_job_read(job->verb, path, &topology, &items);
    if (status != CLI_GO_ON)
        return status;
    if (!job->items) {
        job->items = items;
        job->source.topology = topology;
        return CLI_GO_ON;
    }
    const gfab_status merged = gfab_items_merge(job->items, items, &diag);
    if (merged != GFAB_OK)
        status = cli_fail(job->verb, merged, path, &diag);
    gfab_items_destroy(items);
    gfab_topology_destroy(topology);
    return status;
}

static int run(cli_job *job, const char *const *paths)
{
    int status = *paths ? cli_job_check_outputs(job)
                        : cli_error(job->verb, "no file given; give those that search --checkpoint wrote");
    for (; *paths && status == CLI_GO_ON; paths++)
        status = take(job, *paths);
    if (status == CLI_GO_ON && cli_was_interrupted())
        status = cli_fail(job->verb, GFAB_ERR_INTERRUPTED, NULL, NULL);
    CLI_THEN(status, cli_job_save(job));
    return status == CLI_GO_ON ? cli_job_report(job) : status;
}

int cmd_merge(int argc, char **argv)
{
    GFAB_AT_END(cli_job_release) cli_job job = cli_job_default("merge");
    const cli_option options[] = {CLI_JOB_OUTPUT_OPTIONS(job), CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "merge",
        .usage = "FILE... [--checkpoint FILE] [-o FILE] [--json]",
        .text = "Joins the checkpoints of one search that was done in shards: what any of them has settled, and the\n"
                "best schedule of all. It says what is still open; search --resume does that from the joined "
                "checkpoint.",
        .example = "  gossipfab merge *.search -o s.gfs",
        .options = options,
        .max_arguments = (size_t)argc};
    GFAB_FREED const char **arguments = calloc((size_t)argc + CLI_MAX_ARGUMENTS, sizeof *arguments);
    CLI_NEED("merge", arguments);
    int status = cli_parse(&command, argc, argv, arguments);
    CLI_THEN(status, run(&job, arguments));
    return status;
}
