/* SPDX-License-Identifier: MIT */
/* Command `advise --chip`: the ranking of fabrics on one chip (cli/commands/chip.c) as text or JSON. */
#include "lengths/cli/advise.h"

#include <math.h>

static void print_text(const cli_chip *chip)
{
    bool all_fit = true;
    printf("chip         %u nodes, tokens of %u bits, %s, on the %s\n", chip->nodes, chip->token_bits,
           gfab_collective_name(chip->collective), chip->part);
    puts("rank  fabric                 ns = load +   run +  read  run cycles  LUT4 a node  RAM   MHz  LUT4 x ns");
    for (size_t i = 0; i < chip->count; i++) {
        const cli_chip_row *row = &chip->rows[i];
        all_fit = all_fit && row->fits;
        printf("%4zu  %-18s %6.0f   %6.0f  %6.0f  %6.0f  %10llu  %11.1f  %3u  %4.0f  %9.0f%s%s\n", i + 1, row->name,
               row->total, row->ns[0], row->ns[1], row->ns[2], (unsigned long long)row->run_cycles, row->luts,
               row->rams, row->mhz, row->luts * row->ns[1], row->measured ? "" : " ~", row->fits ? "" : " too large");
    }
    for (size_t i = 0; i < chip->count; i++)
        printf("%4zu  %s%s\n", i + 1, *chip->rows[i].topology ? "gossipfab generate " : "written by hand",
               cli_chip_options(chip, &chip->rows[i]).text);
    puts("ns        load + run + read, all nodes at once\n"
         "LUT4 x ns of a node, and of the run\n"
         "~         LUT4 and MHz between those of fabrics that were measured");
    if (!all_fit)
        puts("too large for the part; ranked behind what fits");
}

static void print_json(const cli_chip *chip)
{
    json_t *report = cli_json_report("gossipfab.chip/1"), *ranking = cli_json_array();
    CLI_JSON(report, CLI_KEY("nodes", chip->nodes), CLI_KEY("token_bits", chip->token_bits),
             CLI_KEY("collective", gfab_collective_name(chip->collective)), CLI_KEY("part", chip->part));
    for (size_t i = 0; i < chip->count; i++) {
        const cli_chip_row *row = &chip->rows[i];
        cli_json_append(ranking,
                        CLI_JSON(cli_json_object(), CLI_KEY("fabric", row->name),
                                 CLI_KEY("options", *row->topology ? cli_chip_options(chip, row).text : NULL),
                                 CLI_KEY("load_cycles", row->load_cycles), CLI_KEY("run_cycles", row->run_cycles),
                                 CLI_KEY("read_cycles", row->read_cycles), CLI_KEY("rams", row->rams),
                                 CLI_KEY("luts", json_real(round(row->luts * 10) / 10)),
                                 CLI_KEY("cells", json_real(round(row->cells * 10) / 10)),
                                 CLI_KEY("mhz", json_real(round(row->mhz * 10) / 10)),
                                 CLI_KEY("ns", json_real(round(row->total * 10) / 10)),
                                 CLI_KEY("measured", json_boolean(row->measured)),
                                 CLI_KEY("fits", json_boolean(row->fits))));
    }
    cli_json_set(report, "ranking", ranking);
    cli_json_print(report, stdout);
}

int advise_chip(cli_chip *chip, const char *collective, bool json)
{
    chip->collective = GFAB_ALL_GATHER;
    if (collective)
        CLI_TRY(cli_collective_name("advise", collective, &chip->collective));
    CLI_TRY(cli_chip_rank("advise", chip));
    (json ? print_json : print_text)(chip);
    return CLI_GOOD;
}
