/* SPDX-License-Identifier: MIT */
/* All hosts in one process, on the C model of the fabric that plays FABRIC, a schedule. */
#include "train.h"
#include <gossipfab/gossipfab.h>
#include <stdio.h>
#include <stdlib.h>

enum { TOKEN_BITS = 16 * ELEMENTS, LINK_BITS = 16, MOST_CYCLES = 100000 };

static gfab_topology *topology;
static gfab_schedule *schedule;
static gfab_machine *machine;
static gfab_cmodel *model;

static void check(gfab_status status, const char *what, const gfab_diag *diag)
{
    if (status == GFAB_OK)
        return;
    fprintf(stderr, "model: %s: %s%s%s\n", what, gfab_status_string(status), diag ? ": " : "",
            diag ? diag->message : "");
    exit(2);
}

void fabric_open(int *argc, char ***argv, int *first, int *count)
{
    gfab_machine_options options = gfab_machine_options_default();
    gfab_plan plan;
    gfab_diag diag = {0, ""};
    FILE *file = *argc > 1 ? fopen((*argv)[1], "r") : NULL;
    check(file ? gfab_schedule_read(file, NULL, &topology, &schedule, &diag) : GFAB_ERR_INVALID, "schedule", &diag);
    fclose(file);
    options.token_bits = TOKEN_BITS;
    options.link_bits = LINK_BITS;
    options.combines = GFAB_OPERATOR_BFLOAT16;
    options.blocks = gfab_schedule_goal(schedule).blocks;
    if (gfab_topology_node_count(topology) != HOSTS || options.blocks != BLOCKS)
        check(GFAB_ERR_INVALID, "schedule", NULL);
    check(gfab_machine_plan_schedule(schedule, &options, &plan, &diag), "plan", &diag);
    check(gfab_machine_compile(&plan, schedule, &machine, &diag), "compile", &diag);
    check(gfab_cmodel_create(machine, NULL, &model), "create", NULL);
    *first = 0;
    *count = HOSTS;
}

uint64_t fabric_sum(uint16_t vectors[][LENGTH])
{
    uint8_t token[TOKEN_BITS / 8];
    uint64_t cycles = 0;
    for (uint32_t run = 0; run < LENGTH; run += RUN) {
        for (uint32_t i = 0; i < HOSTS * BLOCKS; i++) {
            const uint16_t *block = vectors[i / BLOCKS] + run + i % BLOCKS * ELEMENTS;
            for (int e = 0; e < ELEMENTS; e++) {
                token[2 * e] = (uint8_t)block[e];
                token[2 * e + 1] = (uint8_t)(block[e] >> 8);
            }
            check(gfab_cmodel_load_block(model, i / BLOCKS, i % BLOCKS, token), "load", NULL);
        }
        check(gfab_cmodel_run(model, MOST_CYCLES, NULL, &cycles), "run", NULL);
        for (uint32_t i = 0; i < HOSTS * BLOCKS; i++) {
            uint16_t *block = vectors[i / BLOCKS] + run + i % BLOCKS * ELEMENTS;
            gfab_cmodel_read_token(model, i / BLOCKS, i % BLOCKS, token);
            for (int e = 0; e < ELEMENTS; e++)
                block[e] = (uint16_t)(token[2 * e] | token[2 * e + 1] << 8);
        }
    }
    return cycles;
}

int fabric_agree(uint32_t number)
{
    (void)number; /* there is one process */
    return 1;
}

void fabric_close(void)
{
    gfab_cmodel_destroy(model);
    gfab_machine_destroy(machine);
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
}
