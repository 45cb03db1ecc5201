/* SPDX-License-Identifier: MIT */
/* A search under way: its options, the checkpoint, the report. A checkpoint is written every so many seconds and at
 * the end, whole or not at all, so that a machine that loses power loses minutes and not days. One that is there
 * already is only overwritten with --resume, and only by a search of the same question: it may be somebody's work of a
 * week. */
#define _POSIX_C_SOURCE 200809L
#include "job.h"

#include <string.h>
#include <unistd.h>

cli_job cli_job_default(const char *verb)
{
    cli_job job = {.verb = verb, .source = cli_source_default(), .seconds = 30, .shard = 1, .shards = 1};
    job.source.solver_name = NULL;
    job.source.effort = 1;
    job.failed = CLI_GO_ON;
    clock_gettime(CLOCK_MONOTONIC, &job.saved_at);
    return job;
}

void cli_job_release(cli_job *job)
{
    gfab_items_destroy(job->items);
    job->items = NULL;
    cli_source_release(&job->source);
}

/* ---- options ---- */

static int read_items(const cli_job *job, gfab_items_question *question)
{
    const char *at = job->items_text;
    question->first = 1;
    if (!at)
        return cli_error(job->verb, "no --items given; try --items 100");
    bool good = cli_read_number(&at, 1, GFAB_ITEMS_LAST, &question->last);
    if (good && strncmp(at, "..", 2) == 0) {
        at += 2;
        question->first = question->last;
        good = cli_read_number(&at, question->first, GFAB_ITEMS_LAST, &question->last);
    }
    if (!good || *at != '\0')
        return cli_error(job->verb, "--items: '%.60s' is neither N nor A..B, items from 1 on", job->items_text);
    return CLI_GO_ON;
}

static int create(cli_job *job, const gfab_items_question *question)
{
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress(job->verb);
    const gfab_status status =
        gfab_items_create(job->source.topology, &job->source.model, job->source.goal_given ? &job->source.goal : NULL,
                          question, &progress, &job->items, &diag);
    cli_progress_end();
    return cli_told(job->verb, status, NULL, &diag);
}

int cli_job_read(const char *verb, const char *path, gfab_topology **topology, gfab_items **items)
{
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress(verb);
    FILE *file;
    CLI_TRY(cli_file_open(verb, path, &file));
    const gfab_status status = gfab_items_read(file, &progress, topology, items, &diag);
    gfab_text_close(file);
    cli_progress_end();
    return cli_told(verb, status, cli_file_name(path), &diag);
}

/* Takes over what the checkpoint has. One that is there and not asked for is somebody's work. */
static int resume(cli_job *job)
{
    const char *path = job->checkpoint_path;
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *topology = NULL;
    gfab_items *items = NULL;
    gfab_diag diag = {0, ""};
    if (!path || access(path, F_OK) != 0)
        return CLI_GO_ON;
    if (!job->resume)
        return cli_error(job->verb, "--checkpoint: '%s' is there already; --resume goes on from it", path);
    int status = cli_job_read(job->verb, path, &topology, &items);
    const gfab_status merged = status == CLI_GO_ON ? gfab_items_merge(job->items, items, &diag) : GFAB_OK;
    if (merged != GFAB_OK)
        status = cli_fail(job->verb, merged, path, &diag);
    gfab_items_destroy(items);
    return status;
}

/* Opened and let go: nothing is there yet, and what was there stays. */
static int check_output(const cli_job *job, const char *path)
{
    cli_output output = {NULL, NULL, NULL};
    const int status = path && !cli_is_standard(path) ? cli_output_open(job->verb, path, &output) : CLI_GO_ON;
    cli_output_discard(&output);
    return status;
}

int cli_job_check_outputs(const cli_job *job)
{
    if (cli_is_standard(job->checkpoint_path))
        return cli_error(job->verb, "--checkpoint -: it is not for standard output; give the name of a file");
    int status = cli_check_outputs(job->verb, "output", job->output_path, "checkpoint", job->checkpoint_path);
    CLI_THEN(status, check_output(job, job->output_path));
    return status == CLI_GO_ON ? check_output(job, job->checkpoint_path) : status;
}

int cli_job_open(cli_job *job)
{
    gfab_items_question question = {
        .parameters = job->source.parameters, .effort = job->source.effort, .rounds = job->source.rounds};
    if (!job->source.solver_name)
        return cli_error(job->verb, "no --solver given; one that draws at random: anneal, search, matching");
    question.solver = gfab_solver_find(job->source.solver_name);
    if (!question.solver)
        return cli_unknown_solver(job->verb, "--solver", job->source.solver_name);
    int status = read_items(job, &question);
    CLI_THEN(status, cli_shard_read(job->verb, job->shard_text, &job->shard, &job->shards));
    CLI_THEN(status, cli_source_open_topology(job->verb, &job->source));
    CLI_THEN(status, create(job, &question));
    CLI_THEN(status, resume(job));
    return status == CLI_GO_ON ? cli_job_check_outputs(job) : status;
}

/* ---- work ---- */

uint64_t cli_job_next(const cli_job *job, uint64_t from)
{
    const uint64_t first = gfab_items_asked(job->items).first;
    uint64_t item = gfab_items_next(job->items, from);
    while (item != 0 && (item - first) % job->shards != job->shard - 1)
        item = gfab_items_next(job->items, item + 1);
    return item;
}

int cli_job_settle(cli_job *job, uint64_t item, const gfab_schedule *schedule)
{
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_items_settle(job->items, item, schedule, &diag);
    job->unsaved = true;
    return cli_told(job->verb, status, NULL, &diag);
}

static gfab_status write_items(const void *what, FILE *file, gfab_diag *diag)
{
    return gfab_items_write(what, file, diag);
}

static int write_checkpoint(cli_job *job)
{
    const int status = cli_output_write(job->verb, job->checkpoint_path, write_items, job->items);
    clock_gettime(CLOCK_MONOTONIC, &job->saved_at);
    job->unsaved = false;
    return status;
}

bool cli_job_tick(cli_job *job)
{
    struct timespec now;
    if (!job->unsaved || !job->checkpoint_path || job->failed != CLI_GO_ON)
        return job->failed == CLI_GO_ON;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - job->saved_at.tv_sec >= (time_t)job->seconds)
        job->failed = write_checkpoint(job);
    return job->failed == CLI_GO_ON;
}

/* ---- the end ---- */

int cli_job_save(cli_job *job)
{
    uint64_t item;
    const gfab_schedule *best = gfab_items_best(job->items, &item);
    const int status = job->checkpoint_path ? write_checkpoint(job) : CLI_GO_ON;
    return status == CLI_GO_ON && best && job->output_path ? cli_write_schedule(job->verb, job->output_path, best)
                                                           : status;
}

/* The items that are counted: those that can still win. */
static uint64_t count_items(const gfab_items *items)
{
    return gfab_items_limit(items) - gfab_items_asked(items).first + 1;
}

static void print_text(FILE *file, const cli_job *job, const gfab_schedule *best, uint64_t item)
{
    const gfab_items_question q = gfab_items_asked(job->items);
    const gfab_bound *bound = gfab_items_bound(job->items);
    const uint64_t settled = gfab_items_settled(job->items), open = count_items(job->items) - settled;
    const gfab_goal goal = best ? gfab_schedule_goal(best) : gfab_goal_default(1);
    cli_print_topology(file, gfab_items_topology(job->items));
    if (best) {
        cli_print_model(file, gfab_schedule_model(best));
        cli_goal_print(file, best);
    }
    fprintf(file, "search       %s%s%s, effort %u", q.solver->name, q.parameters ? ", " : "",
            q.parameters ? q.parameters : "", q.effort);
    fprintf(file, q.rounds ? ", %u rounds are enough\n" : "\n", q.rounds);
    fprintf(file, "items        %llu to %llu: %llu settled, %llu open", (unsigned long long)q.first,
            (unsigned long long)q.last, (unsigned long long)settled, (unsigned long long)open);
    if (gfab_items_limit(job->items) < q.last)
        fprintf(file, ", %llu that can't win", (unsigned long long)(q.last - gfab_items_limit(job->items)));
    fputc('\n', file);
    if (best)
        fprintf(file, "rounds       %u, item %llu\n", gfab_schedule_rounds(best), (unsigned long long)item);
    else
        fputs("rounds       none has been found\n", file);
    fprintf(file, "lower bound  %llu, %s: %s\n", (unsigned long long)bound->rounds, bound->name, bound->argument);
    if (best)
        fprintf(file, "verified     %s\n", cli_goal_result(&goal, gfab_schedule_topology(best)));
}

static void print_json(FILE *file, const cli_job *job, const gfab_schedule *best, uint64_t item)
{
    const gfab_items_question q = gfab_items_asked(job->items);
    const uint64_t settled = gfab_items_settled(job->items);
    cli_json_print(
        CLI_JSON(cli_json_report("gossipfab.search/1"),
                 CLI_KEY("topology", cli_json_topology(gfab_items_topology(job->items))),
                 CLI_KEY("solver", q.solver->name), CLI_KEY("solver_options", q.parameters),
                 CLI_KEY("effort", q.effort), CLI_KEY("rounds_asked", cli_json_number_if(q.rounds, q.rounds)),
                 CLI_KEY("first_item", q.first), CLI_KEY("last_item", q.last), CLI_KEY("settled", settled),
                 CLI_KEY("open", count_items(job->items) - settled), CLI_KEY("item", cli_json_number_if(best, item)),
                 CLI_KEY("rounds", cli_json_number_if(best, gfab_schedule_rounds(best))),
                 CLI_KEY("lower_bound", cli_json_bound(gfab_items_bound(job->items)))),
        file);
}

int cli_job_report(cli_job *job)
{
    uint64_t item;
    const gfab_schedule *best = gfab_items_best(job->items, &item);
    FILE *file = cli_report_file(job->output_path, NULL);
    (job->json ? print_json : print_text)(file, job, best, item);
    if (best || job->shards > 1 || gfab_items_next(job->items, 0) != 0)
        return CLI_GOOD;
    cli_error(job->verb, "none of the items has a schedule%s%s", job->reason.message[0] ? ": " : "",
              job->reason.message);
    return CLI_FAULTY;
}
