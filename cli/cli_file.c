/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file in the target's own folder, so that the rename stays within one file system; mode as a plain open's. */
static int open_temporary(const char *verb, const char *path, cli_output *output)
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
    mode_t mask = umask(0);
    umask(mask);
    output->file = fchmod(descriptor, 0666 & ~mask) == 0 ? fdopen(descriptor, "w") : NULL;
    if (!output->file) {
        int reason = errno;
        close(descriptor);
        return cli_error(verb, "cannot write '%s': %s", path, strerror(reason));
    }
    return CLI_GO_ON;
}

int cli_output_open(const char *verb, const char *path, cli_output *output)
{
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode))
        return cli_error(verb, "cannot write '%s': it is a folder; give the name of a file", path);
    /* Through a symbolic link to the file that it names, as a plain write would go. */
    output->target = exists ? realpath(path, NULL) : strdup(path);
    if (!output->target)
        return cli_error(verb, "cannot write '%s': %s", path, strerror(errno));
    int status;
    if (exists && !S_ISREG(about.st_mode)) {
        output->file = fopen(path, "w");
        status = output->file ? CLI_GO_ON : cli_error(verb, "cannot write '%s': %s", path, strerror(errno));
    } else {
        status = open_temporary(verb, path, output);
    }
    if (status != CLI_GO_ON)
        cli_output_discard(output);
    return status;
}

static void forget(cli_output *output)
{
    free(output->target);
    free(output->temporary);
    memset(output, 0, sizeof *output);
}

int cli_output_commit(const char *verb, cli_output *output)
{
    FILE *file = output->file;
    output->file = NULL;
    bool good = !ferror(file);
    errno = 0;
    good = fclose(file) == 0 && good;
    if (good && output->temporary)
        good = rename(output->temporary, output->target) == 0;
    if (!good) {
        int status =
            cli_error(verb, "cannot write '%s': %s", output->target, errno != 0 ? strerror(errno) : "write error");
        cli_output_discard(output);
        return status;
    }
    forget(output);
    return CLI_GO_ON;
}

void cli_output_discard(cli_output *output)
{
    if (output->file)
        fclose(output->file);
    if (output->temporary)
        unlink(output->temporary);
    forget(output);
}
