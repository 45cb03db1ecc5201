/* SPDX-License-Identifier: MIT */
/* The command, with what names several things at once: work items, a shard, collectives, a block, and for reroute what
 * has died. The first byte chooses the command line. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* Of the command's own sources, which are linked in without their main: cli/cli.h. */
int cmd_generate(int argc, char **argv);
int cmd_prove(int argc, char **argv);
int cmd_reroute(int argc, char **argv);
int cmd_schedule(int argc, char **argv);
int cmd_search(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_simulate(int argc, char **argv);

/* @ is the input; @gossip and @sums are paths of schedules on mesh:2x3, an all-gather and an all-reduce. */
static const struct {
    int (*run)(int argc, char **argv);
    const char *line;
} lines[] = {
    {cmd_search, "search -t mesh:2x2 -s search --items @"},
    {cmd_search, "search -t mesh:2x2 -s search --items 12 --json --shard @"},
    {cmd_prove, "prove -t path:3 --rounds 1 --check /nowhere --shard @"},
    {cmd_simulate, "simulate -t path:3 --token-bits 8 --link-bits 2 -c @"},
    {cmd_simulate, "simulate -t path:3 --token-bits 8 --link-bits 8 --store wide --operator all -c @"},
    {cmd_generate, "generate -t mesh:2x2 -o /nowhere/fabric -c @"},
    {cmd_show, "show --schedule @sums --expression @"},
    {cmd_show, "show -t path:3 -c reduce --blocks 5 --root 1 --expression @"},
    {cmd_reroute, "reroute @gossip @ -o /nowhere/fabric"},
    {cmd_reroute, "reroute @sums @ -o /nowhere/fabric --rom-rounds 40"},
};

static char paths[2][256];

static void make_schedules(void)
{
    static const char *const made[2] = {"schedule -t mesh:2x3 -o @o", "schedule -t mesh:2x3 -c all-reduce -o @o"};
    for (int i = 0; i < 2 && paths[1][0] == '\0'; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/schedule-%d.gfs", fuzz_folder(), i);
        const fuzz_word words[] = {{"@o", paths[i]}, {NULL, NULL}};
        fuzz_line(cmd_schedule, made[i], words);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t choice = fuzz_choice(&data, &size, sizeof lines / sizeof *lines);
    char *value = fuzz_text(data, size);
    const bool large = fuzz_large(value);
    make_schedules();
    const fuzz_word words[] = {{"@", value}, {"@gossip", paths[0]}, {"@sums", paths[1]}, {NULL, NULL}};
    if (!large)
        fuzz_line(lines[choice].run, lines[choice].line, words);
    free(value);
    return large ? -1 : 0;
}
