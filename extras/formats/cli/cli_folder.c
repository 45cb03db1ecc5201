/* SPDX-License-Identifier: MIT */
/* Formats that are a folder of files. All files are written to a folder beside the wanted one, which is renamed when
 * the last is there: a folder that exists is whole. A format gives the names and a function that writes file i. Plans
 * in C are the short example, at the end of this file; Chakra's traces have cli_chakra.c. */
#define _XOPEN_SOURCE 700
#include "formats/cli/cli_folder.h"
#include "formats/cli/cli_msccl.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longer names of folders are refused. */
#define MAX_FOLDER 4000

static void path_of(const cli_folder *folder, const char *at, uint32_t index, char path[CLI_FOLDER_PATH])
{
    char name[CLI_FOLDER_NAME];
    folder->name(folder, index, name);
    snprintf(path, CLI_FOLDER_PATH, "%.4000s/%s", at, name);
}

static int write_all(const cli_folder *folder, const char *at)
{
    char path[CLI_FOLDER_PATH];
    for (uint32_t i = 0; i < folder->count; i++) {
        gfab_diag diag = {0, ""};
        path_of(folder, at, i, path);
        FILE *file = fopen(path, "wb");
        if (!file)
            return cli_error(folder->verb, "cannot write '%s': %s", path, strerror(errno));
        gfab_status status = folder->write(folder, i, file, &diag);
        const bool lost = ferror(file);
        if ((fclose(file) != 0 || lost) && status == GFAB_OK)
            status = gfab_fail(&diag, 0, GFAB_ERR_IO, "cannot write a file of the folder");
        if (status == GFAB_OK && cli_was_interrupted())
            status = GFAB_ERR_INTERRUPTED;
        if (status != GFAB_OK)
            return cli_fail(folder->verb, status, folder->format, &diag);
    }
    return CLI_GO_ON;
}

static void remove_all(const cli_folder *folder, const char *at)
{
    char path[CLI_FOLDER_PATH];
    for (uint32_t i = 0; i < folder->count; i++) {
        path_of(folder, at, i, path);
        unlink(path);
    }
    rmdir(at);
}

int cli_folder_write(const cli_folder *folder, const char *path)
{
    char at[CLI_FOLDER_PATH];
    cli_folder named = *folder;
    struct stat about;
    if (lstat(path, &about) == 0)
        return cli_error(folder->verb, "'%s' is there already; give the name of a new folder", path);
    if (snprintf(at, sizeof at, "%s.XXXXXX", path) > MAX_FOLDER)
        return cli_error(folder->verb, "'%.40s...' is too long a name", path);
    const char *slash = strrchr(path, '/');
    named.last = slash ? slash + 1 : path;
    if (!mkdtemp(at))
        return cli_error(folder->verb, "cannot write '%s': %s", path, strerror(errno));
    const mode_t mask = umask(0);
    umask(mask);
    cli_hold_interrupt(true);
    int status = write_all(&named, at);
    if (status == CLI_GO_ON && (chmod(at, 0777 & ~mask) != 0 || rename(at, path) != 0))
        status = cli_error(folder->verb, "cannot write '%s': %s", path, strerror(errno));
    if (status != CLI_GO_ON)
        remove_all(&named, at);
    cli_hold_interrupt(false);
    return status;
}

/* ---- a plan in C ---- */

static void name_of(const cli_folder *folder, uint32_t index, char name[CLI_FOLDER_NAME])
{
    const char *text;
    size_t size;
    (void)folder;
    snprintf(name, CLI_FOLDER_NAME, "%s", index ? gfab_c_plan_file(index - 1, &text, &size) : "plan.c");
}

static gfab_status write_file(const cli_folder *folder, uint32_t index, FILE *file, gfab_diag *diag)
{
    const char *text;
    size_t size;
    if (index == 0)
        return gfab_c_plan_write(folder->source->schedule, file, diag);
    gfab_c_plan_file(index - 1, &text, &size);
    return fwrite(text, 1, size, file) == size ? GFAB_OK : gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the run time");
}

int cli_c_plan_write(const cli_source *source, const char *path)
{
    const cli_folder folder = {
        .verb = "convert", .format = "c-plan", .source = source, .count = 1, .name = name_of, .write = write_file};
    cli_folder whole = folder;
    const char *text;
    size_t size;
    while (gfab_c_plan_file(whole.count - 1, &text, &size))
        whole.count++;
    return cli_folder_write(&whole, path);
}

/* ---- a plan a range of lengths ---- */

gfab_status cli_ranged_takes(const gfab_format *format, const gfab_schedule *schedule, gfab_diag *diag)
{
    uint32_t steps = 0;
    if (cli_msccl_is(format)) {
        GFAB_TRY(cli_msccl_steps(format, schedule, &steps, diag));
        if (steps > GFAB_MSCCL_STEPS_SHIPPED)
            return GFAB_REFUSE(diag, "a thread block has %u steps; the executor takes %u", steps,
                               GFAB_MSCCL_STEPS_SHIPPED);
    }
    FILE *file = tmpfile();
    if (!file)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "no room for a temporary file: %s", strerror(errno));
    const gfab_status status = format->write_range(schedule, (gfab_byte_range){0, UINT64_MAX}, file, diag);
    fclose(file);
    return status;
}

static void name_range(const cli_folder *folder, uint32_t index, char name[CLI_FOLDER_NAME])
{
    const cli_ranged *plans = folder->context;
    snprintf(name, CLI_FOLDER_NAME, "%s", plans[index].name);
}

static gfab_status write_range(const cli_folder *folder, uint32_t index, FILE *file, gfab_diag *diag)
{
    const cli_ranged *plan = (const cli_ranged *)folder->context + index;
    return gfab_format_find(folder->format)->write_range(plan->schedule, plan->range, file, diag);
}

int cli_ranged_write(const char *verb, const gfab_format *format, cli_ranged *plans, uint32_t count, const char *path)
{
    const cli_folder folder = {.verb = verb,
                               .format = format->name,
                               .count = count,
                               .name = name_range,
                               .write = write_range,
                               .context = plans};
    for (uint32_t i = 0; i < count; i++)
        snprintf(plans[i].name, sizeof plans[i].name, "%s-from-%llu.%s",
                 gfab_collective_name(gfab_schedule_goal(plans[i].schedule).collective),
                 (unsigned long long)plans[i].range.least, format->extension);
    return cli_folder_write(&folder, path);
}
