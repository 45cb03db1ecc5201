/* SPDX-License-Identifier: MIT */
/* Files that are written: whole or not at all. What a command writes to s.gfs goes to s.gfs.XXXXXX in the same folder,
 * and rename() puts it in its place when everything has been written. A reader sees the old file or the new one, never
 * half of it, and a failed command leaves the old one as it was. Devices, pipes and standard output cannot be renamed;
 * they are written as they are.
 *
 * A table of the temporary files is kept for the signal handler, which may call unlink() but neither malloc() nor
 * free(). */
#define _XOPEN_SOURCE 700
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The temporary files that are there, for the signal handler. No command has more at a time. */
#define MAX_TEMPORARIES 8
static char *volatile temporaries[MAX_TEMPORARIES];

void cli_output_unlink_all(void)
{
    for (size_t i = 0; i < MAX_TEMPORARIES; i++)
        if (temporaries[i])
            unlink(temporaries[i]);
}

static void note_temporary(char *before, char *after)
{
    for (size_t i = 0; i < MAX_TEMPORARIES; i++)
        if (temporaries[i] == before) {
            temporaries[i] = after;
            return;
        }
}

/* A file in the target's own folder, so that the rename stays within one file system; mode as a plain open's, or that
 * of the file it replaces. */
static int open_temporary(const char *verb, const char *path, const struct stat *former, cli_output *output)
{
    size_t size = strlen(output->target) + sizeof ".XXXXXX";
    output->temporary = malloc(size);
    if (!output->temporary)
        return cli_error(verb, "%s", gfab_status_string(GFAB_ERR_NO_MEMORY));
    snprintf(output->temporary, size, "%s.XXXXXX", output->target);
    int descriptor = mkstemp(output->temporary);
    if (descriptor < 0) {
        int reason = errno;
        free(output->temporary);
        output->temporary = NULL;
        return cli_error(verb, "cannot write '%s': %s; its folder must exist and be writable", path, strerror(reason));
    }
    note_temporary(NULL, output->temporary);
    mode_t mask = umask(0);
    umask(mask);
    const mode_t mode = former ? former->st_mode & 07777 : 0666 & ~mask;
    output->file = fchmod(descriptor, mode) == 0 ? fdopen(descriptor, "w") : NULL;
    if (!output->file) {
        int reason = errno;
        close(descriptor);
        return cli_error(verb, "cannot write '%s': %s", path, strerror(reason));
    }
    return CLI_GO_ON;
}

/* The name that path ends at, through symbolic links, the last of which may lead to nothing yet. NULL with errno. */
static char *follow_links(const char *path)
{
    char link[PATH_MAX];
    char *target = realpath(path, NULL);
    if (target || errno != ENOENT)
        return target;
    target = strdup(path);
    for (int hops = 0; target && hops < 40; hops++) {
        const ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0)
            return target;
        link[length] = '\0';
        const char *slash = link[0] == '/' ? NULL : strrchr(target, '/');
        const size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
        char *next = malloc(folder + (size_t)length + 1);
        if (next) {
            memcpy(next, target, folder);
            memcpy(next + folder, link, (size_t)length + 1);
        }
        free(target);
        target = next;
    }
    return target;
}

bool cli_is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

FILE *cli_report_file(const char *path, const char *other)
{
    return cli_is_standard(path) || cli_is_standard(other) ? stderr : stdout;
}

int cli_output_open(const char *verb, const char *path, cli_output *output)
{
    struct stat about;
    if (cli_is_standard(path)) {
        output->file = stdout;
        return CLI_GO_ON;
    }
    bool exists = stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode))
        return cli_error(verb, "cannot write '%s': it is a folder; give the name of a file", path);
    /* Through a symbolic link to the file that it names, as a plain write would go. */
    output->target = follow_links(path);
    if (!output->target)
        return cli_error(verb, "cannot write '%s': %s", path, strerror(errno));
    int status;
    if (exists && !S_ISREG(about.st_mode)) {
        output->file = fopen(path, "w");
        status = output->file ? CLI_GO_ON : cli_error(verb, "cannot write '%s': %s", path, strerror(errno));
    } else {
        status = open_temporary(verb, path, exists ? &about : NULL, output);
    }
    if (status != CLI_GO_ON)
        cli_output_discard(output);
    return status;
}

/* Where a file to be made would stand: its folder, and its name there. */
static const char *split_path(const char *path, struct stat *folder)
{
    const char *slash = strrchr(path, '/');
    GFAB_FREED char *name = slash ? strdup(path) : NULL;
    if (name)
        name[slash - path + 1] = '\0';
    if (stat(name ? name : ".", folder) != 0)
        memset(folder, 0, sizeof *folder);
    return slash ? slash + 1 : path;
}

/* Devices and pipes may be written twice. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat about[2], folders[2];
    const bool exists[2] = {stat(a, &about[0]) == 0, stat(b, &about[1]) == 0};
    if (cli_is_standard(a) || cli_is_standard(b))
        return strcmp(a, b) == 0;
    if (exists[0] != exists[1])
        return false;
    if (exists[0])
        return S_ISREG(about[0].st_mode) && about[0].st_dev == about[1].st_dev && about[0].st_ino == about[1].st_ino;
    const char *names[2] = {split_path(a, &folders[0]), split_path(b, &folders[1])};
    return strcmp(names[0], names[1]) == 0 && folders[0].st_dev == folders[1].st_dev &&
           folders[0].st_ino == folders[1].st_ino;
}

int cli_check_outputs(const char *verb, const char *option, const char *path, const char *other_option,
                      const char *other_path)
{
    if (!path || !other_path || !is_same_file(path, other_path))
        return CLI_GO_ON;
    return cli_error(verb, "--%s '%s' and --%s '%s' are the same file; give two", option, path, other_option,
                     other_path);
}

static void forget(cli_output *output)
{
    if (output->temporary)
        note_temporary(output->temporary, NULL);
    GFAB_FREE(output->target, output->temporary);
    memset(output, 0, sizeof *output);
}

/* Why a stream has failed, which it does not keep: by writing to it once more. 0 where that is not known. */
static int ask_reason(FILE *file)
{
    clearerr(file);
    errno = 0;
    return putc('\n', file) == EOF || fflush(file) != 0 ? errno : 0;
}

int cli_output_end(int status)
{
    const bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed || (status != CLI_GOOD && status != CLI_FAULTY))
        return status;
    const int reason = ask_reason(stdout);
    return cli_error(NULL, "cannot write standard output: %s", reason != 0 ? strerror(reason) : "write error");
}

int cli_output_commit(const char *verb, cli_output *output)
{
    FILE *file = output->file;
    if (file == stdout) { /* main looks at how it fared */
        forget(output);
        return CLI_GO_ON;
    }
    output->file = NULL;
    const bool failed = fflush(file) != 0 || ferror(file);
    int reason = failed ? ask_reason(file) : 0;
    errno = 0;
    bool good = fclose(file) == 0 && !failed;
    if (good && output->temporary)
        good = rename(output->temporary, output->target) == 0;
    if (!good) {
        reason = reason != 0 ? reason : errno;
        int status =
            cli_error(verb, "cannot write '%s': %s", output->target, reason != 0 ? strerror(reason) : "write error");
        cli_output_discard(output);
        return status;
    }
    forget(output);
    return CLI_GO_ON;
}

void cli_output_discard(cli_output *output)
{
    if (output->file && output->file != stdout)
        fclose(output->file);
    if (output->temporary)
        unlink(output->temporary);
    forget(output);
}

int cli_output_write(const char *verb, const char *path, cli_writer *write, const void *what)
{
    cli_output output = {NULL, NULL, NULL};
    gfab_diag diag = {0, ""};
    int status = cli_output_open(verb, path, &output);
    if (status == CLI_GO_ON) {
        const gfab_status written = write(what, output.file, &diag);
        status = written == GFAB_OK ? cli_output_commit(verb, &output) : cli_fail(verb, written, path, &diag);
    }
    cli_output_discard(&output);
    return status;
}

static gfab_status write_schedule(const void *what, FILE *file, gfab_diag *diag)
{
    return gfab_schedule_write(what, file, NULL, diag);
}

int cli_write_schedule(const char *verb, const char *path, const gfab_schedule *schedule)
{
    return cli_output_write(verb, path, write_schedule, schedule);
}
