/* SPDX-License-Identifier: MIT */
/* The command, with one option's value or one file from outside: the first byte chooses the command line. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* Of the command's own sources, which are linked in without their main: cli/cli.h. */
int cmd_list(int argc, char **argv);
int cmd_bound(int argc, char **argv);
int cmd_advise(int argc, char **argv);
int cmd_schedule(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_generate(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_table(int argc, char **argv);

/* @ is the input; @@ the path of a file that has it; blanks are between words. */
static const struct {
    int (*run)(int argc, char **argv);
    const char *line;
} lines[] = {
    {cmd_bound, "bound -t mesh:2x2 --startup @"},
    {cmd_bound, "bound -t mesh:2x2 --packet-tokens @"},
    {cmd_bound, "bound -t mesh:2x2 --routing @ --link-mode full"},
    {cmd_schedule, "schedule -t path:3 --solver greedy --load @"},
    {cmd_schedule, "schedule -t path:3 --link-mode full --port-mode one --broadcast-from @"},
    {cmd_generate, "generate -t mesh:2x4 -o /nowhere/fabric --chips @"},
    {cmd_generate, "generate -t mesh:2x2 -o /nowhere/fabric --board @"},
    {cmd_show, "show -t mesh:2x3 --node @"},
    {cmd_show, "show -t mesh:2x3 --svg /dev/null --line @"},
    {cmd_advise, "advise -t cycle:4 --startup 3 --run-nodes 1 --solvers @"},
    {cmd_advise, "advise -t cycle:4 --startup-cycles 9 --sweep length --svg /dev/null --run-nodes 1 --measured @@"},
    {cmd_advise, "advise -t cycle:4 --sweep startup --run-nodes 1 --to @"},
    {cmd_table, "table optimal --max-n 2 --solver @"},
    {cmd_table, "table collectives --max-n 2 --collective @"},
    {cmd_verify, "verify --startup 2 @@"},
    {cmd_verify, "verify --topology path:3 --link-mode full @@"},
    {cmd_list, "list @"},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t choice = fuzz_choice(&data, &size, sizeof lines / sizeof *lines);
    char *value = fuzz_text(data, size);
    const bool large = fuzz_large(value);
    if (!large) {
        char *file = strstr(lines[choice].line, "@@") ? (char *)(uintptr_t)fuzz_named_file("input", data, size) : NULL;
        const fuzz_word words[] = {{"@", value}, {"@@", file}, {NULL, NULL}};
        fuzz_line(lines[choice].run, lines[choice].line, words);
    }
    free(value);
    return large ? -1 : 0;
}
