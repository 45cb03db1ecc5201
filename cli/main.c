/* SPDX-License-Identifier: MIT */
#include "help/help.h"

#include <errno.h>
#include <string.h>

static int run(int argc, char **argv)
{
    if (argc < 2)
        return cli_error(NULL, "no command given; try: gossipfab --help");
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("gossipfab %s\n", gfab_version());
        return CLI_GOOD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cli_print_help();
        return CLI_GOOD;
    }
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        if (strcmp(argv[1], verb->name) == 0)
            return verb->run(argc - 1, argv + 1);
    return cli_unknown_verb(NULL, argv[1]);
}

int main(int argc, char **argv)
{
    cli_catch_interrupt(cli_output_unlink_all);
    int status = run(argc, argv);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_error(NULL, "cannot write standard output: %s", errno != 0 ? strerror(errno) : "write error");
    return status;
}
