/* SPDX-License-Identifier: MIT */
/* Folders of Chakra's traces: a file a rank, and what ASTRA-sim wants beside them. */
#include "cli_source.h"
#include "formats/cli/cli_folder.h"

#include <stdio.h>

/* The numbers of a folder's files: what all ranks share, then a trace and a workload for each. */
enum { SYSTEM, NETWORK, ANALYTICAL, SHARED };

static uint32_t count_files(const cli_source *source)
{
    return SHARED + 2 * (uint32_t)gfab_topology_member_count(source->topology);
}

static uint32_t trace_of(uint32_t rank)
{
    return SHARED + 2 * rank;
}

static void name_file(char name[CLI_FOLDER_NAME], uint32_t file)
{
    static const char *const shared[SHARED] = {"system.json", "network.txt", "network.yml"};
    if (file < SHARED)
        snprintf(name, CLI_FOLDER_NAME, "%s", shared[file]);
    else
        snprintf(name, CLI_FOLDER_NAME, "%s.%u.et", (file - SHARED) % 2 == 0 ? "gossipfab" : "workload",
                 (file - SHARED) / 2);
}

/* ---- to be read ---- */

static FILE *open_trace(void *context, uint32_t rank)
{
    char name[CLI_FOLDER_NAME], path[CLI_FOLDER_PATH];
    name_file(name, trace_of(rank));
    snprintf(path, sizeof path, "%.4000s/%s", (const char *)context, name);
    return fopen(path, "rb");
}

bool cli_chakra_is_folder(const char *path)
{
    FILE *first = open_trace((void *)path, 0);
    if (first)
        fclose(first);
    return first;
}

int cli_chakra_read(const char *verb, const char *path, gfab_topology **topology, gfab_schedule **schedule)
{
    gfab_diag diag = {0, ""};
    return cli_told(verb, gfab_chakra_read(open_trace, (void *)path, topology, schedule, &diag), path, &diag);
}

/* ---- another tool's ---- */

static FILE *open_prefixed(void *context, uint32_t rank)
{
    char path[CLI_FOLDER_PATH];
    snprintf(path, sizeof path, "%.4000s.%u.et", (const char *)context, rank);
    return fopen(path, "rb");
}

static void say(const gfab_chakra_report *report, const gfab_goal *goal, uint64_t bytes)
{
    printf("traces       of %u ranks: %llu sends, %llu bytes\n", report->ranks, (unsigned long long)report->sends,
           (unsigned long long)report->bytes);
    printf("possible     nothing speaks against %s", gfab_collective_name(goal->collective));
    if (bytes)
        printf(" of %llu bytes", (unsigned long long)bytes);
    puts(": sends and receives pair, nothing waits for itself, and what\n"
         "             is wanted can come to each rank. No proof: traces do not say which bytes a message has");
}

static void say_json(const gfab_chakra_report *report, bool possible)
{
    cli_json_print(CLI_JSON(cli_json_report("gossipfab.traces/1"), CLI_KEY("possible", possible),
                            CLI_KEY("fault", possible ? json_null() : json_string(report->message)),
                            CLI_KEY("ranks", report->ranks), CLI_KEY("sends", report->sends),
                            CLI_KEY("bytes", report->bytes)),
                   stdout);
}

int cli_chakra_verify(const char *verb, const cli_source *source, uint64_t bytes, bool json)
{
    char *prefix = (char *)source->schedule_path;
    gfab_goal goal = {GFAB_ALL_GATHER, 0, source->root, false};
    gfab_chakra_report report;
    gfab_diag diag = {0, ""};
    FILE *first = prefix ? open_prefixed(prefix, 0) : NULL;
    if (!first)
        return CLI_GO_ON;
    fclose(first);
    if (source->collective_text && gfab_collective_parse(source->collective_text, &goal.collective, &diag) != GFAB_OK)
        return cli_fail(verb, GFAB_ERR_INVALID, NULL, &diag);
    const gfab_status status = gfab_chakra_check(open_prefixed, prefix, &goal, bytes, &report, &diag);
    if (status != GFAB_OK && status != GFAB_ERR_FAULT)
        return cli_fail(verb, status, prefix, &diag);
    if (json)
        say_json(&report, status == GFAB_OK);
    else if (status == GFAB_OK)
        say(&report, &goal, bytes);
    if (status == GFAB_OK)
        return CLI_GOOD;
    (void)gfab_fail(&diag, 0, status, "%s", report.message);
    return cli_fail(verb, status, prefix, &diag);
}

/* ---- to be written ---- */

/* Traces first, which say what has no place in them. */
static uint32_t file_of(const cli_folder *folder, uint32_t index)
{
    return (index + SHARED) % folder->count;
}

static void name_of(const cli_folder *folder, uint32_t index, char name[CLI_FOLDER_NAME])
{
    name_file(name, file_of(folder, index));
}

static gfab_status write_file(const cli_folder *folder, uint32_t index, FILE *file, gfab_diag *diag)
{
    const gfab_schedule *schedule = folder->source->schedule;
    const uint64_t block_bytes = folder->block_bytes;
    const uint32_t number = file_of(folder, index);
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    if (number == SYSTEM) {
        char prefix[CLI_FOLDER_PATH];
        snprintf(prefix, sizeof prefix, "%.4000s/gossipfab", folder->last);
        return gfab_chakra_write_system(schedule, prefix, file, diag);
    }
    if (number == NETWORK)
        return gfab_chakra_write_network(topology, file, diag);
    if (number == ANALYTICAL)
        return gfab_chakra_write_analytical(topology, file, diag);
    if ((number - SHARED) % 2 == 0)
        return gfab_chakra_write(schedule, (number - SHARED) / 2, block_bytes, file, diag);
    return gfab_chakra_write_workload(schedule, block_bytes, file, diag);
}

int cli_chakra_write(const cli_source *source, const char *path, uint64_t block_bytes)
{
    const cli_folder folder = {.verb = "convert",
                               .format = "chakra",
                               .source = source,
                               .block_bytes = block_bytes,
                               .count = count_files(source),
                               .name = name_of,
                               .write = write_file};
    return cli_folder_write(&folder, path);
}
