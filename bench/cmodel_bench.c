/* SPDX-License-Identifier: MIT */
/* Speed of the C model: whole gossips of 32-bit tokens over 2-bit links, F = 16. One line a size:
 * topology, rounds, cycles of a gossip, gossips run, router-cycles per second. */
#include <gossipfab/gossipfab.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TOKEN_BITS 32
#define LINK_BITS 2
#define TOKEN_BYTES (TOKEN_BITS / 8)
#define MIN_SECONDS 1.0

static void require(gfab_status status, const char *what, const gfab_diag *diag)
{
    if (status == GFAB_OK)
        return;
    fprintf(stderr, "%s: %s: %s\n", what, gfab_status_string(status), diag->message);
    exit(1);
}

static double now_seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Exits unless every node has every token. */
static void check_tokens(const gfab_cmodel *cmodel, size_t nodes)
{
    for (uint32_t token = 0; token < nodes; token++) {
        uint8_t expected[TOKEN_BYTES];
        gfab_token_pattern(1, token, TOKEN_BITS, expected);
        for (size_t node = 0; node < nodes; node++) {
            uint8_t held[TOKEN_BYTES];
            gfab_cmodel_read_token(cmodel, node, token, held);
            if (memcmp(held, expected, TOKEN_BYTES)) {
                fprintf(stderr, "node %zu has a wrong token %u\n", node, (unsigned)token);
                exit(1);
            }
        }
    }
}

static void measure(const char *spec)
{
    gfab_diag diag = {0};
    gfab_topology *topology;
    gfab_schedule *schedule;
    gfab_plan plan;
    gfab_machine *machine;
    gfab_cmodel *cmodel;
    const gfab_model model = gfab_model_default();
    const gfab_solver_options options = gfab_solver_options_default();
    gfab_machine_options fabric = gfab_machine_options_default();
    fabric.token_bits = TOKEN_BITS;
    fabric.link_bits = LINK_BITS;
    require(gfab_topology_parse(spec, &topology, &diag), spec, &diag);
    require(gfab_machine_plan(topology, &model, &fabric, &plan, &diag), "plan", &diag);
    require(gfab_solver_find("auto")->solve(topology, &plan.model, &options, &schedule, &diag), "schedule", &diag);
    require(gfab_machine_compile(&plan, schedule, &machine, &diag), "compile", &diag);
    require(gfab_cmodel_create(machine, NULL, &cmodel), "create", &diag);
    const size_t nodes = gfab_topology_node_count(topology);
    for (uint32_t node = 0; node < nodes; node++) {
        uint8_t token[TOKEN_BYTES];
        gfab_token_pattern(1, node, TOKEN_BITS, token);
        require(gfab_cmodel_load_token(cmodel, node, token), "load", &diag);
    }
    uint64_t cycles = 0;
    uint64_t total_cycles = 0;
    unsigned gossips = 0;
    const double start = now_seconds();
    double seconds;
    do {
        require(gfab_cmodel_run(cmodel, UINT64_MAX, NULL, &cycles), "run", &diag);
        total_cycles += cycles;
        gossips++;
        seconds = now_seconds() - start;
    } while (seconds < MIN_SECONDS);
    check_tokens(cmodel, nodes);
    printf("cmodel %s rounds %u cycles %llu gossips %u router-cycles/s %.2e\n", spec,
           (unsigned)gfab_machine_rounds(machine), (unsigned long long)cycles, gossips,
           (double)total_cycles * (double)nodes / seconds);
    gfab_cmodel_destroy(cmodel);
    gfab_machine_destroy(machine);
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
}

int main(void)
{
    measure("mesh:8x8");
    measure("mesh:64x64");
    return 0;
}
