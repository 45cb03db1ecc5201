/* SPDX-License-Identifier: MIT */
/* Folders of Chakra's traces: a file a rank, and what ASTRA-sim wants beside them. */
#define _XOPEN_SOURCE 700
#include "cli_source.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longer names of folders are refused. */
#define MAX_FOLDER 4000

/* The numbers of a folder's files: what all ranks share, then a trace and a workload for each. */
enum { SYSTEM, NETWORK, ANALYTICAL, SHARED };

static uint32_t count_files(const cli_source *source)
{
    return SHARED + 2 * (uint32_t)gfab_topology_node_count(source->topology);
}

static uint32_t trace_of(uint32_t rank)
{
    return SHARED + 2 * rank;
}

static void name_file(char path[PATH_MAX], const char *folder, uint32_t file)
{
    static const char *const shared[SHARED] = {"system.json", "network.txt", "network.yml"};
    if (file < SHARED)
        snprintf(path, PATH_MAX, "%.4000s/%s", folder, shared[file]);
    else
        snprintf(path, PATH_MAX, "%.4000s/%s.%u.et", folder, (file - SHARED) % 2 == 0 ? "gossipfab" : "workload",
                 (file - SHARED) / 2);
}

/* ---- to be read ---- */

static FILE *open_trace(void *context, uint32_t rank)
{
    char path[PATH_MAX];
    name_file(path, context, trace_of(rank));
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

static gfab_status write_file(const gfab_schedule *schedule, uint32_t number, const char *prefix, uint64_t block_bytes,
                              FILE *file, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    if (number == SYSTEM)
        return gfab_chakra_write_system(schedule, prefix, file, diag);
    if (number == NETWORK)
        return gfab_chakra_write_network(topology, file, diag);
    if (number == ANALYTICAL)
        return gfab_chakra_write_analytical(topology, file, diag);
    if ((number - SHARED) % 2 == 0)
        return gfab_chakra_write(schedule, (number - SHARED) / 2, block_bytes, file, diag);
    return gfab_chakra_write_workload(schedule, block_bytes, file, diag);
}

static int write_all(const cli_source *source, const char *folder, const char *prefix, uint64_t block_bytes)
{
    const uint32_t count = count_files(source);
    char path[PATH_MAX];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = (i + SHARED) % count; /* traces first, which say what has no place in them */
        gfab_diag diag = {0, ""};
        name_file(path, folder, number);
        FILE *file = fopen(path, "wb");
        if (!file)
            return cli_error("convert", "cannot write '%s': %s", path, strerror(errno));
        gfab_status status = write_file(source->schedule, number, prefix, block_bytes, file, &diag);
        if (fclose(file) != 0 && status == GFAB_OK)
            status = gfab_fail(&diag, 0, GFAB_ERR_IO, "cannot write a file of the folder");
        if (status == GFAB_OK && cli_was_interrupted())
            status = GFAB_ERR_INTERRUPTED;
        if (status != GFAB_OK)
            return cli_fail("convert", status, "chakra", &diag);
    }
    return CLI_GO_ON;
}

static void remove_all(const cli_source *source, const char *folder)
{
    const uint32_t count = count_files(source);
    char path[PATH_MAX];
    for (uint32_t number = 0; number < count; number++) {
        name_file(path, folder, number);
        unlink(path);
    }
    rmdir(folder);
}

int cli_chakra_write(const cli_source *source, const char *path, uint64_t block_bytes)
{
    char folder[PATH_MAX], prefix[PATH_MAX];
    struct stat about;
    if (lstat(path, &about) == 0)
        return cli_error("convert", "'%s' is there already; give the name of a new folder", path);
    const char *slash = strrchr(path, '/');
    if (snprintf(folder, sizeof folder, "%s.XXXXXX", path) > MAX_FOLDER ||
        snprintf(prefix, sizeof prefix, "%s/gossipfab", slash ? slash + 1 : path) > MAX_FOLDER)
        return cli_error("convert", "'%.40s...' is too long a name", path);
    if (!mkdtemp(folder))
        return cli_error("convert", "cannot write '%s': %s", path, strerror(errno));
    const mode_t mask = umask(0);
    umask(mask);
    cli_hold_interrupt(true);
    int status = write_all(source, folder, prefix, block_bytes);
    if (status == CLI_GO_ON && (chmod(folder, 0777 & ~mask) != 0 || rename(folder, path) != 0))
        status = cli_error("convert", "cannot write '%s': %s", path, strerror(errno));
    if (status != CLI_GO_ON)
        remove_all(source, folder);
    cli_hold_interrupt(false);
    return status;
}
