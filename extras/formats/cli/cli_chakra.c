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
    const gfab_status status = gfab_chakra_read(open_trace, (void *)path, topology, schedule, &diag);
    return status == GFAB_OK ? CLI_GO_ON : cli_fail(verb, status, path, &diag);
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
