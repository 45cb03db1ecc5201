/* SPDX-License-Identifier: MIT */
/* The program gossipfab-mpi: the second `main`, with a table of its own commands. It is a program apart because one
 * that is linked with MPI cannot be started where there is no MPI. What goes wrong is told by rank 0 alone: 64 ranks
 * that find the same mistake print one line. */
#include "help/help.h"
#include "mpi_command.h"

#include <string.h>

const char *const cli_program = "gossipfab-mpi";
static const cli_verb verbs[] = {
    {"run", "Schedules", "carry a schedule out among the ranks, and check every byte", cmd_run},
    {"search", "Schedules", "look for a short schedule, all ranks together", cmd_search},
    {"measure", "Find out", "what starting a message costs here; advise's prediction, tried", cmd_measure},
    {NULL, NULL, NULL, NULL},
};

static void print_help(void)
{
    puts("gossipfab-mpi carries schedules out among MPI processes, rank v is node v, and looks for them.\n\n"
         "  mpirun -n 16 gossipfab-mpi run --schedule s.gfs --bytes 65536\n");
    for (const cli_verb *verb = verbs; verb->name; verb++)
        printf("  %-10s %s\n", verb->name, verb->summary);
    puts("\ngossipfab-mpi <command> --help explains a command; gossipfab-mpi --version names the version.\n"
         "Exit status: 0 good, 1 a check failed, 2 wrong usage or input.");
}

/* At every rank the same; rank 0 prints. */
static int run(int argc, char **argv)
{
    const bool prints = mpi_rank() == 0;
    if (argc < 2)
        return prints ? cli_error(NULL, "no command given; try: gossipfab-mpi --help") : CLI_USAGE;
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        if (prints)
            printf("gossipfab-mpi %s\n", gfab_version());
        return CLI_GOOD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        if (prints)
            print_help();
        return CLI_GOOD;
    }
    const cli_verb *verb = verbs;
    while (verb->name && strcmp(argv[1], verb->name) != 0)
        verb++;
    if (!verb->name) {
        if (prints)
            cli_find_verb(NULL, argv[1]);
        return CLI_USAGE;
    }
    return verb->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    cli_help_of(verbs);
    const int status = cli_output_end(run(argc, argv));
    MPI_Finalize();
    return status;
}
