/* SPDX-License-Identifier: MIT */
/* Options of a fabric that are one of a few words. */
#include <gossipfab/gen/fabric.h>
#include <stdio.h>
#include <string.h>

gfab_fabric_options gfab_fabric_options_default(void)
{
    return (gfab_fabric_options){.solver = "", .token_seed = 1};
}

static void set_overlap(gfab_fabric_options *options, unsigned word)
{
    options->overlap = word;
}

static void set_own_clocks(gfab_fabric_options *options, unsigned word)
{
    options->own_clocks = word;
}

static void set_host(gfab_fabric_options *options, unsigned word)
{
    options->uart_host = word;
}

static void set_ports(gfab_fabric_options *options, unsigned word)
{
    options->ports = (gfab_ports)word;
}

static void set_registers(gfab_fabric_options *options, unsigned word)
{
    options->registers = (gfab_bus)word;
}

static void set_rom(gfab_fabric_options *options, unsigned word)
{
    options->block_roms = word == 1;
    options->inline_roms = word == 2;
}

enum { MOST_WORDS = 3 };

static const struct {
    const char *option, *what;
    const char *words[MOST_WORDS]; /* the first is what an option is if it is not given */
    void (*set)(gfab_fabric_options *options, unsigned word);
} choices[] = {
    {"axi", "order", {"turns", "overlap"}, set_overlap},
    {"clocks", "clocks", {"one", "own"}, set_own_clocks},
    {"host", "host", {"self-test", "uart"}, set_host},
    {"ports", "ports", {"flat", "node", "node-tkeep"}, set_ports},
    {"registers", "bus", {"none", "axi-lite", "wishbone"}, set_registers},
    {"rom", "place", {"logic", "block", "inline"}, set_rom},
};

gfab_status gfab_fabric_choose(gfab_fabric_options *options, const char *option, const char *word, gfab_diag *diag)
{
    size_t row = 0;
    while (row < sizeof choices / sizeof choices[0] && strcmp(choices[row].option, option) != 0)
        row++;
    if (row == sizeof choices / sizeof choices[0])
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "unknown option '%.40s'", option);
    char known[80] = "";
    for (unsigned i = 0; i < MOST_WORDS && choices[row].words[i]; i++) {
        const bool last = i + 1 == MOST_WORDS || !choices[row].words[i + 1];
        const size_t length = strlen(known);
        if (strcmp(choices[row].words[i], word) == 0) {
            choices[row].set(options, i);
            return GFAB_OK;
        }
        (void)snprintf(known + length, sizeof known - length, "%s%s",
                       i == 0 ? ""
                       : last ? " or "
                              : ", ",
                       choices[row].words[i]);
    }
    return gfab_fail(diag, 0, GFAB_ERR_INVALID, "%s: unknown %s '%.60s'; give %s", option, choices[row].what, word,
                     known);
}
