/* SPDX-License-Identifier: MIT */
/* Every collective on square meshes and tori, or one graph over numbers of blocks: rounds beside the lower bound. */
#include "cli_source.h"
#include "draw/cli/blocks_svg.h"
#include "tables/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 4096
#define MAX_SWEEP 64
/* All-to-all has N^2 blocks. */
#define MAX_ALL_TO_ALL_SIDE 8

static int measure_row(const char *spec, gfab_link_mode mode, gfab_collective collective, uint32_t blocks,
                       blocks_row *row)
{
    GFAB_AT_END(cli_source_release) cli_source source = cli_source_default();
    memset(row, 0, sizeof *row);
    snprintf(row->spec, sizeof row->spec, "%s", spec);
    row->link_mode = mode;
    row->collective = collective;
    source.topology_spec = spec;
    source.model.link_mode = mode;
    source.collective_text = gfab_collective_name(collective);
    source.blocks = blocks;
    source.blocks_given = blocks > 0;
    int status = cli_source_open_topology("table", &source);
    const uint64_t start = table_milliseconds();
    CLI_THEN(status, cli_source_solve("table", &source));
    row->milliseconds = table_milliseconds() - start;
    CLI_THEN(status, cli_source_load("table", &source));
    if (status == CLI_GO_ON) {
        row->blocks = gfab_schedule_goal(source.schedule).blocks;
        row->rounds = source.report.rounds;
        row->bound = source.bound.rounds;
        row->bound_name = source.bound.name;
        row->solver = cli_source_solver(&source)->name;
    }
    return status;
}

static void print_head(void)
{
    puts("Rounds of collectives, all ports, one block a packet. Each figure is that of a schedule, made and verified.\n"
         "\n"
         "topology      links  collective       blocks    bound             rounds   ratio   seconds  by");
}

static void print_row(const blocks_row *row)
{
    const uint64_t percent = (200 * row->rounds + row->bound) / (2 * row->bound);
    printf("%-13s %-6s %-14s %8u %8" PRIu64 "  %-9s %11" PRIu64 " %4" PRIu64 ".%02" PRIu64 " %5" PRIu64 ".%03" PRIu64
           "  %s\n",
           row->spec, gfab_link_mode_name(row->link_mode), gfab_collective_name(row->collective), row->blocks,
           row->bound, row->bound_name, row->rounds, percent / 100, percent % 100, row->milliseconds / 1000,
           row->milliseconds % 1000, row->solver);
}

static void print_csv_row(const blocks_row *row)
{
    printf("%s,%s,%s,%u,%" PRIu64 ",%s,%" PRIu64 ",%s\n", row->spec, gfab_link_mode_name(row->link_mode),
           gfab_collective_name(row->collective), row->blocks, row->bound, row->bound_name, row->rounds, row->solver);
}

static void print_json(const blocks_row *rows, size_t count)
{
    json_t *report = cli_json_report("gossipfab.table/1"), *array = cli_json_array();
    CLI_JSON(report, CLI_KEY("table", "collectives"));
    for (size_t i = 0; i < count; i++)
        cli_json_append(array, CLI_JSON(cli_json_object(), CLI_KEY("topology", rows[i].spec),
                                        CLI_KEY("link_mode", gfab_link_mode_name(rows[i].link_mode)),
                                        CLI_KEY("collective", gfab_collective_name(rows[i].collective)),
                                        CLI_KEY("blocks", rows[i].blocks), CLI_KEY("bound", rows[i].bound),
                                        CLI_KEY("bound_name", rows[i].bound_name), CLI_KEY("rounds", rows[i].rounds),
                                        CLI_KEY("by", rows[i].solver)));
    cli_json_set(report, "rows", array);
    cli_json_print(report, stdout);
}

typedef struct rows {
    blocks_row *at;
    size_t count;
    const table_request *request;
} rows;

static int add_row(rows *r, const char *spec, gfab_link_mode mode, gfab_collective collective, uint32_t blocks)
{
    blocks_row *row = &r->at[r->count];
    CLI_TRY(measure_row(spec, mode, collective, blocks, row));
    if (r->count++ == 0 && !r->request->json) {
        if (r->request->csv)
            puts("topology,link_mode,collective,blocks,bound,bound_name,rounds,by");
        else
            print_head();
    }
    if (!r->request->json)
        (r->request->csv ? print_csv_row : print_row)(row);
    fflush(stdout); /* what is done stays, whatever comes */
    return CLI_GO_ON;
}

/* Is this one asked for? */
static bool wanted(const table_request *request, gfab_collective collective)
{
    return !request->collective || strcmp(request->collective, gfab_collective_name(collective)) == 0;
}

/* All collectives on n x n. Broadcast and reduce of as many blocks as there are nodes, from and to a corner. */
static int add_square(rows *r, const char *spec, uint32_t n)
{
    for (int mode = GFAB_LINK_HALF; mode <= GFAB_LINK_FULL; mode++)
        for (int c = GFAB_ALL_GATHER; c <= GFAB_ALL_TO_ALL; c++) {
            if (!wanted(r->request, (gfab_collective)c) || (c == GFAB_ALL_TO_ALL && n > MAX_ALL_TO_ALL_SIDE))
                continue;
            CLI_TRY(add_row(r, spec, (gfab_link_mode)mode, (gfab_collective)c,
                            gfab_collective_has_root((gfab_collective)c) ? n * n : 0));
        }
    return CLI_GO_ON;
}

static int add_squares(rows *r)
{
    for (int pass = 0; pass < 2; pass++) {
        const gfab_topology_kind kind = pass == 0 ? GFAB_TOPOLOGY_MESH : GFAB_TOPOLOGY_TORUS;
        for (uint32_t n = pass == 0 ? 2 : 3; n <= r->request->max_n; n++) {
            char spec[TABLE_SPEC_SIZE];
            table_spec(kind, n, spec);
            if (pass == 0 ? r->request->mesh : r->request->torus)
                CLI_TRY(add_square(r, spec, n));
        }
    }
    return CLI_GO_ON;
}

/* "1,2,4" as numbers. */
static int read_blocks(const char *text, uint32_t *blocks, size_t *count)
{
    for (bool more = true; more;) {
        char *end = NULL;
        const unsigned long number = *text >= '1' && *text <= '9' ? strtoul(text, &end, 10) : 0;
        if (number == 0 || number > INT32_MAX || (*end != ',' && *end != '\0'))
            return cli_error("table", "--blocks: '%.40s' does not start with a whole number from 1 to %d", text,
                             INT32_MAX);
        if (*count == MAX_SWEEP)
            return cli_error("table", "--blocks: more than %d numbers", MAX_SWEEP);
        blocks[(*count)++] = (uint32_t)number;
        more = *end == ',';
        text = end + more;
    }
    return CLI_GO_ON;
}

/* One graph, both link modes, over numbers of blocks. */
static int add_sweep(rows *r)
{
    uint32_t blocks[MAX_SWEEP];
    size_t count = 0;
    CLI_TRY(read_blocks(r->request->blocks, blocks, &count));
    gfab_collective collective = GFAB_ALL_REDUCE;
    gfab_diag diag = {0, ""};
    if (r->request->collective && gfab_collective_parse(r->request->collective, &collective, &diag) != GFAB_OK)
        return cli_fail("table", GFAB_ERR_PARSE, "--collective", &diag);
    for (int mode = GFAB_LINK_HALF; mode <= GFAB_LINK_FULL; mode++)
        for (size_t i = 0; i < count; i++)
            CLI_TRY(add_row(r, r->request->topology, (gfab_link_mode)mode, collective, blocks[i]));
    return CLI_GO_ON;
}

static int check(const table_request *request)
{
    gfab_collective collective;
    if (!request->topology != !request->blocks)
        return cli_error("table", "--topology and --blocks go together; give %s, too",
                         request->topology ? "--blocks 1,2,4,8" : "--topology mesh:8x8");
    if (request->svg && !request->blocks)
        return cli_error("table", "--svg draws rounds over blocks; give --topology and --blocks, too");
    if (request->topology && strlen(request->topology) >= sizeof((blocks_row *)NULL)->spec)
        return cli_error("table", "--topology: fewer than %zu characters", sizeof((blocks_row *)NULL)->spec);
    return request->collective ? cli_collective_name("table", request->collective, &collective) : CLI_GO_ON;
}

int table_collectives(const table_request *request)
{
    CLI_TRY(check(request));
    rows r = {.at = calloc(MAX_ROWS, sizeof *r.at), .request = request};
    CLI_NEED("table", r.at);
    int status = request->blocks ? add_sweep(&r) : add_squares(&r);
    if (status == CLI_GO_ON && request->json)
        print_json(r.at, r.count);
    if (status == CLI_GO_ON && request->svg)
        status = blocks_svg(r.at, r.count, request->svg);
    free(r.at);
    return status == CLI_GO_ON ? CLI_GOOD : status;
}
