/* SPDX-License-Identifier: MIT */
/* What search, merge and gossipfab-mpi's search share: the options, the checkpoint, the report. */
#ifndef GOSSIPFAB_CLI_JOB_H
#define GOSSIPFAB_CLI_JOB_H

#include "cli_source.h"

#include <time.h>

typedef struct cli_job {
    const char *verb;
    cli_source source; /* what is searched for; no schedule */
    const char *items_text, *shard_text, *checkpoint_path, *output_path;
    uint32_t seconds; /* between checkpoints */
    bool resume, json;
    uint32_t shard, shards; /* 1 of 1: all items */
    gfab_items *items;
    gfab_diag reason; /* why the first item without a schedule has none */
    bool unsaved;
    struct timespec saved_at;
    int failed; /* CLI_GO_ON, or the exit status of a checkpoint that could not be written */
} cli_job;

#define CLI_JOB_OUTPUT_OPTIONS(j)                                                                            \
    CLI_OPTION(.name = "output", .letter = 'o', .kind = CLI_TEXT, .value = &(j).output_path, .word = "FILE", \
               .help = "write the best schedule to FILE"),                                                   \
        CLI_OPTION(.name = "checkpoint", .kind = CLI_TEXT, .value = &(j).checkpoint_path, .word = "FILE",    \
                   .help = "write to FILE which items are settled, and the best schedule so far"),           \
        CLI_JSON_OPTION((j).json)

#define CLI_JOB_OPTIONS(j)                                                                                             \
    CLI_TOPOLOGY_OPTION((j).source),                                                                                   \
        CLI_OPTION(.name = "solver", .letter = 's', .kind = CLI_TEXT, .value = &(j).source.solver_name, .word = "S",   \
                   .help = "what makes schedules, at random: anneal, search, matching .."),                            \
        CLI_OPTION(.name = "solver-options", .kind = CLI_TEXT, .value = &(j).source.parameters, .word = "K=V,...",     \
                   .help = "the solver's own settings"),                                                               \
        CLI_OPTION(.name = "effort", .kind = CLI_U32, .value = &(j).source.effort, .word = "N", .initial = "1",        \
                   .least = 1, .most = 1000000, .unit = "tries",                                                       \
                   .help = "tries of an item, at each number of rounds"),                                              \
        CLI_OPTION(.name = "rounds", .kind = CLI_U32, .value = &(j).source.rounds, .word = "R",                        \
                   .initial = "as few as are found", .least = 1, .most = GFAB_MAX_ROUNDS, .unit = "rounds",            \
                   .help = "R rounds are enough: the lowest item that has them ends the search"),                      \
        CLI_OPTION(.name = "items", .kind = CLI_TEXT, .value = &(j).items_text, .word = "A..B",                        \
                   .help = "the items, by their numbers; N stands for 1..N"),                                          \
        CLI_OPTION(.name = "shard", .kind = CLI_TEXT, .value = &(j).shard_text, .word = "I/K", .initial = "1/1",       \
                   .help = "do every K-th item alone, from the I-th on"),                                              \
        CLI_GOAL_OPTIONS((j).source), CLI_MODEL_OPTIONS((j).source), CLI_JOB_OUTPUT_OPTIONS(j),                        \
        CLI_OPTION(.name = "checkpoint-seconds", .kind = CLI_U32, .value = &(j).seconds, .word = "S", .initial = "30", \
                   .least = 1, .most = 86400, .unit = "seconds", .help = "time between two writes of the checkpoint"), \
        CLI_OPTION(.name = "resume", .kind = CLI_FLAG, .value = &(j).resume,                                           \
                   .help = "go on from the checkpoint, where there is one")

cli_job cli_job_default(const char *verb);
void cli_job_release(cli_job *job);

/* The options as items; with --resume what the checkpoint has. Outputs that can't be written are found out here.
 * CLI_GO_ON or an exit status. */
int cli_job_open(cli_job *job);
/* Items from a file, and their topology, which is to be destroyed after them. CLI_GO_ON or an exit status. */
int cli_job_read(const char *verb, const char *path, gfab_topology **topology, gfab_items **items);
/* May the outputs be written? */
int cli_job_check_outputs(const cli_job *job);

/* The lowest open item of the shard from `from` on; 0 if there is none. */
uint64_t cli_job_next(const cli_job *job, uint64_t from);
/* Notes what an item has (NULL: none). CLI_GO_ON or an exit status. */
int cli_job_settle(cli_job *job, uint64_t item, const gfab_schedule *schedule);
/* For progress functions, and between items: writes a checkpoint where there is something new and it is time. False
 * where that failed. */
bool cli_job_tick(cli_job *job);

/* Writes the checkpoint and the best schedule: CLI_GO_ON or an exit status. */
int cli_job_save(cli_job *job);
/* The report. CLI_GOOD, or CLI_FAULTY after a line where all items are done and none has a schedule. */
int cli_job_report(cli_job *job);

#endif
