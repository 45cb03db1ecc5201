/* SPDX-License-Identifier: MIT */
/* From a graph to a bitstream, each step a command that is printed before it runs. `make demo` in the sources does
 * more, with a compiler and simulators. */
#define _POSIX_C_SOURCE 200809L
#include "cli_fabric.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Words of a command line, NULL behind the last. */
#define MOST_WORDS 16

static void announce(const char *title, char *const *words)
{
    printf("\n== %s\n  ", title);
    for (; *words; words++)
        printf(" %s", *words);
    putchar('\n');
    fflush(stdout);
}

/* words[0] is the program's name, words[1] the command's. */
static int step(const char *title, int (*run)(int argc, char **argv), char **words)
{
    int count = 0;
    announce(title, words);
    while (words[count])
        count++;
    const int status = run(count - 1, words + 1);
    fflush(stdout);
    return status == CLI_GOOD ? CLI_GO_ON : status;
}

/* ---- other programs ---- */

static bool is_in_path(const char *name)
{
    const char *path = getenv("PATH");
    char file[PATH_MAX];
    for (size_t length; path && *path != '\0'; path += length + (path[length] == ':')) {
        length = strcspn(path, ":");
        const int written = snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
        if (written > 0 && (size_t)written < sizeof file && access(file, X_OK) == 0)
            return true;
    }
    return false;
}

/* What makes a bitstream for a family of parts, and the packages that have it; each tool goes by its own name or by the
 * one that YoWASP gives it. */
static const struct {
    const char *family;
    const char *tools[5];
    const char *packages;
} chains[] = {
    {"ice40",
     {"make", "yosys", "nextpnr-ice40", "icepack"},
     "apt-get install make yosys nextpnr-ice40 fpga-icestorm; or pip install 'gossipfab[fpga]'"},
    {"ecp5", {"make", "yosys", "nextpnr-ecp5", "ecppack"}, "pip install 'gossipfab[fpga-more]'"},
    {"gowin", {"make", "yosys", "nextpnr-himbaechel-gowin", "gowin_pack"}, "pip install 'gossipfab[fpga-more]'"},
};

static bool has_tool(const char *name)
{
    char other[64];
    snprintf(other, sizeof other, "yowasp-%s", name);
    return is_in_path(name) || is_in_path(other);
}

/* Waits for a process that takes no notice of us; it is asked to end where we are. */
static int wait_for(pid_t child)
{
    const struct timespec rest = {.tv_nsec = 20000000};
    int status = 0;
    pid_t ended;
    bool told = false;
    cli_hold_interrupt(true);
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (cli_was_interrupted() && !told) {
            kill(child, SIGTERM);
            told = true;
        }
        nanosleep(&rest, NULL);
    }
    cli_hold_interrupt(false);
    if (cli_was_interrupted())
        return cli_interrupted("demo");
    if (ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return CLI_GO_ON;
    return cli_error("demo", "make has failed; its last lines say why");
}

static int run_make(char **words)
{
    announce("Bitstream: synthesis, place and route, packing", words);
    const pid_t child = fork();
    if (child < 0)
        return cli_error("demo", "cannot start make: %s", strerror(errno));
    if (child == 0) {
        execvp(words[0], words);
        _exit(127);
    }
    return wait_for(child);
}

/* What is missing is said in one line, and is no failure. */
static int make_bitstream(const gfab_board *board, char *folder)
{
    char quiet[] = "--no-print-directory", in[] = "-C", make[] = "make", target[] = "bitstream", missing[128] = "";
    size_t chain = 0;
    const size_t chain_count = sizeof chains / sizeof *chains;
    while (chain < chain_count && strcmp(chains[chain].family, board->family) != 0)
        chain++;
    if (chain == chain_count) {
        printf("\n== No bitstream: no open place and route is known of for the %s; make -C %s bitstream runs Vivado\n",
               board->part, folder);
        return CLI_GO_ON;
    }
    for (const char *const *tool = chains[chain].tools; *tool; tool++)
        if (!has_tool(*tool))
            snprintf(missing + strlen(missing), sizeof missing - strlen(missing), "%s%s", *missing ? ", " : "", *tool);
    if (*missing) {
        printf("\n== No bitstream here, %s missing: %s\n", missing, chains[chain].packages);
        return CLI_GO_ON;
    }
    char *words[] = {make, quiet, in, folder, target, NULL};
    return run_make(words);
}

/* ---- the steps ---- */

typedef struct demo {
    const char *topology, *board_name, *folder;
    const gfab_board *board;
    gfab_board *own_board;
} demo;

static int run_steps(const demo *d)
{
    char file[PATH_MAX], fabric[PATH_MAX], topology[256], board[PATH_MAX], program[] = "gossipfab";
    char schedule[] = "schedule", verify[] = "verify", simulate[] = "simulate", generate[] = "generate";
    char output[] = "-o", force[] = "--force", board_option[] = "--board", token_bits[] = "--token-bits", w[] = "32";
    char link_bits[] = "--link-bits", l[] = "2";
    if (snprintf(topology, sizeof topology, "%s", d->topology) >= (int)sizeof topology ||
        snprintf(file, sizeof file, "%s/schedule.gfs", d->folder) >= (int)sizeof file ||
        snprintf(fabric, sizeof fabric, "%s/fabric", d->folder) >= (int)sizeof fabric ||
        snprintf(board, sizeof board, "%s", d->board_name) >= (int)sizeof board)
        return cli_error("demo", "the topology or a folder has too long a name");
    if (mkdir(d->folder, 0777) != 0 && errno != EEXIST)
        return cli_error("demo", "cannot make the folder '%s': %s", d->folder, strerror(errno));
    char *make_it[MOST_WORDS] = {program, schedule, topology, output, file};
    char *check_it[MOST_WORDS] = {program, verify, file};
    char *play_it[MOST_WORDS] = {program, simulate, file, token_bits, w, link_bits, l};
    char *write_it[MOST_WORDS] = {program, generate,     file,  token_bits, w,      link_bits,
                                  l,       board_option, board, output,     fabric, force};
    CLI_TRY(step("Schedule: which token goes over which link in which round", cmd_schedule, make_it));
    CLI_TRY(step("Verify it, by a checker that knows nothing of how it was made", cmd_verify, check_it));
    CLI_TRY(step("Simulate the fabric, cycle for cycle: every token in every node is compared", cmd_simulate, play_it));
    CLI_TRY(step("Generate the fabric: Verilog, ROMs, benches, a top for the board", cmd_generate, write_it));
    CLI_TRY(make_bitstream(d->board, fabric));
    printf("\n== Done: %s has the design and a README.md; player.html there plays it in a browser\n", fabric);
    return CLI_GOOD;
}

int cmd_demo(int argc, char **argv)
{
    demo d = {.topology = "mesh:4x4", .board_name = "hx8k", .folder = "gossipfab-demo"};
    const cli_option options[] = {
        CLI_OPTION(.name = "topology", .letter = 't', .kind = CLI_TEXT, .value = &d.topology, .word = "T",
                   .initial = "mesh:4x4", .help = "the graph"),
        CLI_OPTION(.name = "board", .letter = 'b', .kind = CLI_TEXT, .value = &d.board_name, .word = "B",
                   .initial = "hx8k",
                   .help = "the board (see: gossipfab list boards), or a folder with one of your own"),
        CLI_OPTION(.name = "output", .letter = 'o', .kind = CLI_TEXT, .value = &d.folder, .word = "DIR",
                   .initial = "gossipfab-demo", .help = "the folder for what is made"),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "demo",
        .usage = "[T] [--board B] [-o DIR]",
        .text =
            "From a graph to a bitstream, in a minute: makes a schedule, verifies it, simulates the fabric that plays\n"
            "it, and writes the fabric's Verilog. Each step is a command, which is printed before it runs. Where make\n"
            "and the tools for the board are there, it also makes the bitstream; else it says what is missing.",
        .example = "  gossipfab demo\n"
                   "  gossipfab demo torus:3x3 --board icebreaker -o out",
        .options = options};
    const char *arguments[CLI_MAX_ARGUMENTS];
    CLI_TRY(cli_parse(&command, argc, argv, arguments));
    if (cli_find_board("demo", d.board_name, &d.board, &d.own_board) != CLI_GO_ON)
        return CLI_USAGE;
    const int played = run_steps(&d);
    gfab_board_free(d.own_board);
    return played;
}
