/* SPDX-License-Identifier: MIT */
/* Which fabric is the least for a collective among N nodes on one chip. There the graph is free, so that rings, rings
 * with chords, a bus, a torus and a mesh can all be had, and what decides is nanoseconds and area.
 *
 * Cycles and block RAMs follow from how a fabric is built, and are exact. LUTs and the clock are what tools make of it:
 * they are taken from a table of fabrics that were placed. Between these the mean is taken, weighted by the inverse
 * square of the distance, in octaves of nodes and of bits (Shepard 1968): at a measured fabric it is what was measured,
 * and nowhere is it beyond what was. LUTs are taken for each bit of a token, with which they grow; where stores are of
 * flip-flops, for each bit of all tokens, which a node keeps.
 * docs/guide/ring-fabrics.md says so to users. */
#include "commands/chip.h"

#include <gossipfab/gossipfab.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { RING, HALVES, CHORDS_2, CHORDS_4, BUS, TORUS, MESH, KINDS } kind;

static const struct {
    const char *name;
    uint32_t abreast; /* K, of rings; 0: no ring */
    uint32_t words;   /* of a token; 0: as the fabric has it */
    bool combines;    /* can do so, too */
} kinds[KINDS] = {
    [RING] = {"ring", 1, 1, true},           [HALVES] = {"ring of half words", 1, 2, false},
    [CHORDS_2] = {"2 abreast", 2, 1, false}, [CHORDS_4] = {"4 abreast", 4, 1, false},
    [BUS] = {"bus, by hand", 0, 1, false},   [TORUS] = {"torus", 0, 0, false},
    [MESH] = {"mesh", 0, 0, true},
};

#define MOST_CELLS 0.75 /* the share of a part's cells beyond which it was not placed: 78 % were not, 61 % were */

/* Measured on an iCE40-HX8K with Yosys 0.23 and nextpnr 0.4, medians of five seeds: bench/long/chip.py --table places
 * each row again. */
static const struct measured {
    kind of;
    bool combines;
    uint32_t nodes, bits;
    uint32_t rams;      /* a node; 0: stores are of flip-flops */
    double luts, cells; /* a node */
    double mhz;         /* 0: nextpnr did not place it */
} table[] = {
    {RING, false, 4, 8, 0, 28.5, 69.8, 168.6},        {RING, false, 4, 32, 0, 100.5, 261.8, 178.4},
    {RING, false, 8, 32, 2, 35.5, 69.6, 174.5},       {RING, false, 12, 16, 1, 25.1, 44.4, 196.2},
    {RING, false, 16, 8, 1, 11.8, 22.4, 210.9},       {RING, false, 16, 16, 1, 19.9, 38.4, 192.7},
    {RING, false, 16, 32, 2, 35.9, 70.4, 162.0},      {RING, false, 24, 16, 1, 26.6, 46.2, 165.3},
    {HALVES, false, 4, 8, 0, 40.0, 75.0, 180.7},      {HALVES, false, 8, 32, 1, 25.2, 28.6, 178.2},
    {HALVES, false, 12, 16, 1, 22.5, 27.2, 154.4},    {HALVES, false, 16, 8, 1, 13.2, 17.1, 171.7},
    {HALVES, false, 16, 16, 1, 17.2, 21.1, 171.3},    {HALVES, false, 16, 32, 1, 26.2, 30.1, 153.6},
    {HALVES, false, 24, 16, 1, 24.8, 29.6, 156.3},    {CHORDS_2, false, 4, 8, 0, 43.5, 77.5, 203.9},
    {CHORDS_2, false, 8, 32, 0, 227.8, 486.5, 148.8}, {CHORDS_2, false, 16, 8, 0, 108.2, 239.6, 129.3},
    {CHORDS_2, false, 8, 16, 0, 115.8, 246.5, 173.4}, {CHORDS_2, false, 12, 16, 2, 57.7, 61.4, 168.6},
    {CHORDS_2, false, 16, 16, 2, 51.8, 55.2, 172.9},  {CHORDS_4, false, 8, 16, 0, 163.2, 294.9, 196.8},
    {CHORDS_4, false, 8, 32, 0, 323.2, 582.9, 159.2}, {CHORDS_4, false, 12, 16, 0, 238.1, 499.6, 0},
    {CHORDS_4, false, 16, 8, 0, 115.9, 248.2, 150.6}, {BUS, false, 4, 8, 0, 26.5, 59.0, 196.6},
    {BUS, false, 8, 32, 2, 29.5, 66.0, 163.2},        {BUS, false, 12, 16, 1, 15.4, 33.1, 161.2},
    {BUS, false, 16, 8, 1, 8.4, 17.2, 149.8},         {BUS, false, 16, 16, 1, 14.8, 32.1, 138.2},
    {BUS, false, 16, 32, 2, 26.9, 61.2, 129.4},       {BUS, false, 24, 16, 1, 15.0, 31.8, 137.7},
    {TORUS, false, 12, 16, 1, 58.1, 81.1, 105.1},     {TORUS, false, 16, 8, 1, 33.1, 43.6, 99.4},
    {TORUS, false, 16, 16, 1, 55.6, 72.1, 97.5},      {TORUS, false, 24, 16, 1, 64.5, 77.8, 93.6},
    {MESH, false, 4, 8, 0, 54.5, 93.5, 127.1},        {MESH, false, 8, 32, 1, 80.2, 128.1, 170.6},
    {MESH, false, 16, 8, 1, 53.4, 81.7, 98.7},        {MESH, false, 12, 16, 1, 65.8, 100.2, 104.1},
    {MESH, false, 16, 16, 1, 73.2, 107.4, 100.1},     {MESH, false, 24, 16, 1, 88.6, 126.2, 96.7},
    {RING, true, 4, 16, 0, 80.5, 169.0, 173.4},       {RING, true, 16, 16, 1, 47.1, 74.2, 181.4},
    {RING, true, 16, 32, 2, 81.1, 132.2, 165.5},      {MESH, true, 4, 16, 0, 129.2, 205.0, 105.4},
    {MESH, true, 16, 16, 1, 127.1, 182.4, 73.8},
};

/* ---- area and clock ---- */

/* Block RAMs of a store: of 256 words of 16 bits, 512 of 8, 1024 of 4 or 2048 of 2. Yosys takes flip-flops where these
 * are fewer than 64 a RAM. */
static uint32_t rams_of(uint64_t words, uint32_t bits)
{
    uint64_t least = UINT32_MAX;
    for (uint32_t width = 16; width >= 2; width /= 2) {
        const uint64_t deep = 4096 / width, count = (words + deep - 1) / deep * ((bits + width - 1) / width);
        least = count < least ? count : least;
    }
    return words * bits <= 64 * least ? 0 : (uint32_t)least;
}

static bool estimate(kind of, bool combines, const cli_chip *chip, cli_chip_row *row)
{
    double weights = 0, timed = 0, luts = 0, cells = 0, mhz = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct measured *m = &table[i];
        if (m->of != of || m->combines != combines || !m->rams != !row->rams)
            continue;
        const double nodes = log2((double)chip->nodes / m->nodes), bits = log2((double)chip->token_bits / m->bits),
                     square = nodes * nodes + bits * bits, weight = 1 / fmax(square, 1e-9),
                     scale = (double)chip->token_bits / m->bits * (row->rams ? 1 : (double)chip->nodes / m->nodes);
        row->measured |= square == 0 && m->mhz > 0;
        weights += weight;
        luts += weight * m->luts * scale;
        cells += weight * m->cells * scale;
        timed += m->mhz > 0 ? weight : 0;
        mhz += weight * m->mhz;
    }
    if (timed == 0)
        return false;
    row->luts = luts / weights;
    row->cells = cells / weights;
    row->mhz = mhz / timed;
    return true;
}

/* ---- cycles ---- */

/* The grid of so many nodes that is most like a square: its rows. */
static uint32_t rows_of(uint32_t nodes)
{
    uint32_t rows = 1;
    for (uint32_t side = 1; side * side <= nodes; side++)
        rows = nodes % side ? rows : side;
    return rows;
}

/* The topology and the links of a fabric. False where there is none of the kind. */
static bool wire(kind of, const cli_chip *chip, cli_chip_row *row)
{
    const uint32_t nodes = chip->nodes, bits = chip->token_bits, many = kinds[of].abreast, rows = rows_of(nodes),
                   turns = of == TORUS || rows > 2 ? 8
                           : nodes > 4             ? 6
                                                   : 4; /* flits of a token, two a port */
    const size_t size = sizeof row->topology;
    row->ring = many != 0;
    row->full_duplex = many > 1 || of == TORUS;
    if (many) {
        if (nodes % many || nodes / many < 2 || bits % kinds[of].words)
            return false;
        size_t at = (size_t)snprintf(row->topology, size, many > 1 ? "circulant:%u,1" : "cycle:%u", nodes);
        for (uint32_t step = nodes / many; many > 1 && 2 * step <= nodes; step += nodes / many)
            at += (size_t)snprintf(row->topology + at, size - at, ",%u", step);
        row->link_bits = bits * many / kinds[of].words;
        return true;
    }
    row->link_bits = 1;
    for (uint32_t k = 1; k <= bits / turns; k++)
        row->link_bits = bits % k ? row->link_bits : k;
    if (of != BUS)
        snprintf(row->topology, size, "%s:%ux%u", kinds[of].name, rows, nodes / rows);
    return of == BUS || (rows >= (of == TORUS ? 3 : 2) && bits >= turns);
}

static gfab_status measure_ring(const gfab_topology *topology, const cli_chip *chip, kind of, cli_chip_row *row,
                                gfab_diag *diag)
{
    GFAB_AT_END(gfab_ring_fabric_release) gfab_ring_fabric ring = {0};
    const bool combines = chip->collective != GFAB_ALL_GATHER;
    const gfab_ring_options options = {.token_bits = chip->token_bits,
                                       .link_bits = row->link_bits,
                                       .full_duplex = row->full_duplex,
                                       .collective = chip->collective,
                                       .blocks = combines ? chip->nodes : 0,
                                       .combines = combines ? GFAB_OPERATOR_SUM : GFAB_OPERATOR_NONE};
    GFAB_TRY(gfab_ring_fabric_plan(topology, &options, &ring, diag));
    row->load_cycles = ring.load_cycles;
    row->run_cycles = ring.run_cycles;
    row->read_cycles = ring.read_cycles;
    row->rams =
        kinds[of].abreast * rams_of((uint64_t)ring.nodes / ring.abreast * ring.words, ring.rings * ring.flit_width);
    return GFAB_OK;
}

/* A fabric with programs: it is compiled. Hosts load and read a word in a cycle. */
static gfab_status measure_programs(const gfab_topology *topology, const cli_chip *chip, cli_chip_row *row,
                                    gfab_diag *diag)
{
    gfab_model model = gfab_model_default();
    gfab_machine_options options = gfab_machine_options_default();
    gfab_solver_options search = gfab_solver_options_default();
    const bool combines = chip->collective != GFAB_ALL_GATHER;
    gfab_plan plan;
    GFAB_AT_END(gfab_schedule_at_end) gfab_schedule *schedule = NULL;
    gfab_machine *machine = NULL;
    model.link_mode = row->full_duplex ? GFAB_LINK_FULL : GFAB_LINK_HALF;
    options.token_bits = chip->token_bits;
    options.link_bits = row->link_bits;
    options.blocks = combines ? chip->nodes : 0;
    const gfab_goal goal = {.collective = chip->collective, .blocks = chip->nodes};
    search.goal = combines ? &goal : NULL;
    gfab_status status = gfab_machine_plan(topology, &model, &options, &plan, diag);
    if (!status)
        status = gfab_solver_find("auto")->solve(topology, &plan.model, &search, &schedule, diag);
    if (!status)
        status = gfab_machine_compile(&plan, schedule, &machine, diag);
    if (!status) {
        const gfab_timing *timing = gfab_machine_timing(machine);
        const uint32_t words = timing->words * timing->parts,
                       wanted = chip->collective == GFAB_REDUCE_SCATTER ? 1 : chip->nodes;
        row->load_cycles = (uint64_t)words * (combines ? chip->nodes : 1);
        row->run_cycles = gfab_machine_cycles(machine);
        row->read_cycles = (uint64_t)words * wanted;
        row->rams = rams_of((uint64_t)chip->nodes * words, timing->word_bits);
    }
    gfab_machine_destroy(machine);
    return status;
}

/* bench/long/by-hand/bus.v */
static void measure_bus(const cli_chip *chip, cli_chip_row *row)
{
    row->load_cycles = 1;
    row->run_cycles = chip->nodes + 4;
    row->read_cycles = chip->nodes;
    row->rams = rams_of(chip->nodes, chip->token_bits);
}

/* ---- the ranking ---- */

static int compare(const void *a, const void *b)
{
    const cli_chip_row *left = a, *right = b;
    if (left->fits != right->fits)
        return left->fits ? -1 : 1;
    if (left->total < right->total || left->total > right->total)
        return left->total < right->total ? -1 : 1;
    return (left->luts > right->luts) - (left->luts < right->luts);
}

/* *found: is there a fabric of the kind? */
static gfab_status make_row(kind of, const gfab_board *board, cli_chip *chip, bool *found, gfab_diag *diag)
{
    const bool combines = chip->collective != GFAB_ALL_GATHER;
    cli_chip_row *row = &chip->rows[chip->count];
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *topology = NULL;
    gfab_status status = GFAB_OK;
    *row = (cli_chip_row){.name = kinds[of].name};
    *found = (kinds[of].combines || !combines) && wire(of, chip, row);
    if (!*found)
        return GFAB_OK;
    if (of == BUS)
        measure_bus(chip, row);
    else if (!(status = gfab_topology_parse(row->topology, &topology, diag)))
        status = row->ring ? measure_ring(topology, chip, of, row, diag) : measure_programs(topology, chip, row, diag);
    *found = !status && estimate(of, combines, chip, row);
    const uint64_t cycles[] = {row->load_cycles, row->run_cycles, row->read_cycles};
    for (size_t i = 0; *found && i < sizeof cycles / sizeof *cycles; i++)
        row->total += row->ns[i] = 1000 * (double)cycles[i] / row->mhz;
    row->fits =
        row->rams * chip->nodes <= board->ram_blocks && row->cells * chip->nodes <= MOST_CELLS * board->logic_cells;
    return status;
}

int cli_chip_rank(const char *verb, cli_chip *chip)
{
    gfab_diag diag = {0, ""};
    const gfab_board *board = gfab_board_find(chip->part);
    chip->count = 0;
    if (!board || strcmp(chip->part, CLI_CHIP_PART) != 0)
        return cli_error(verb, "--part %s: nodes were measured on the " CLI_CHIP_PART " alone; give that", chip->part);
    if (chip->nodes < CLI_CHIP_LEAST)
        return cli_error(verb, "%u nodes on a chip: a ring has %d or more", chip->nodes, CLI_CHIP_LEAST);
    if (chip->token_bits > CLI_CHIP_MOST_BITS)
        return cli_error(verb, "--token-bits %u: nodes were measured with up to 32 bits, and %d is the most",
                         chip->token_bits, CLI_CHIP_MOST_BITS);
    if (chip->collective != GFAB_ALL_GATHER && chip->collective != GFAB_ALL_REDUCE &&
        chip->collective != GFAB_REDUCE_SCATTER)
        return cli_error(verb, "--collective %s: nodes were measured in all-gathers, all-reduces and reduce-scatters",
                         gfab_collective_name(chip->collective));
    for (kind of = 0; of < KINDS; of++) {
        bool found;
        const gfab_status status = make_row(of, board, chip, &found, &diag);
        if (status)
            return cli_fail(verb, status, kinds[of].name, &diag);
        chip->count += found;
    }
    qsort(chip->rows, chip->count, sizeof *chip->rows, compare);
    return CLI_GO_ON;
}

cli_chip_text cli_chip_options(const cli_chip *chip, const cli_chip_row *row)
{
    cli_chip_text options = {""};
    const size_t size = sizeof options.text;
    if (!*row->topology)
        return options;
    const size_t at = (size_t)snprintf(options.text, size, "%s%s%s --token-bits %u --link-bits %u", row->topology,
                                       row->ring ? " --store ring" : "", row->full_duplex ? " --link-mode full" : "",
                                       chip->token_bits, row->link_bits);
    if (chip->collective != GFAB_ALL_GATHER)
        snprintf(options.text + at, size - at, " -c %s --blocks %u", gfab_collective_name(chip->collective),
                 chip->nodes);
    return options;
}

int cli_chip_choose(const char *verb, cli_chip *chip, cli_source *source, cli_machine *machine)
{
    const cli_chip_row *row = chip->rows;
    CLI_TRY(cli_chip_rank(verb, chip));
    while (row < chip->rows + chip->count && !*row->topology)
        row++;
    if (row == chip->rows + chip->count)
        return cli_error(verb, "--nodes %u: no fabric is known", chip->nodes);
    source->topology_spec = row->topology;
    source->model.link_mode = row->full_duplex ? GFAB_LINK_FULL : GFAB_LINK_HALF;
    machine->options.link_bits = row->link_bits;
    machine->store = row->ring ? "ring" : "auto";
    source->blocks_given = chip->collective != GFAB_ALL_GATHER;
    source->blocks = chip->nodes;
    return CLI_GO_ON;
}
