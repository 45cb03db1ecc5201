/* SPDX-License-Identifier: MIT */
/* fabric SCHEDULE.gfs TOKEN_BITS LINK_BITS SEED: an all-reduce of bfloat16 numbers on the C model of a fabric, and the
 * same vectors by MPI_Allreduce, which libgossipfab_pmpi carries out. Every bit of every total at every node is
 * compared; a line for each node and block has the total, as RTL may have it, too. */
#include <gossipfab/gossipfab.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what, const gfab_diag *diag)
{
    fprintf(stderr, "fabric: %s: %s\n", what, diag->message);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void add_bfloat16(void *in, void *into, int *count, MPI_Datatype *type)
{
    const uint16_t *a = in;
    uint16_t *b = into;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = gfab_bfloat16_sum(b[i], a[i]);
}

/* The pattern of every bench, with exponents that are near each other, so that sums are rounded: a bfloat16 number
 * between 1/8 and 2. */
static void make_block(uint64_t seed, uint32_t number, uint32_t token_bits, uint8_t *token)
{
    gfab_token_pattern(seed, number, token_bits, token);
    for (uint32_t i = 1; i < token_bits / 8; i += 2)
        token[i] = (token[i] & 0x81) | 0x3e;
}

static gfab_machine *compile(const gfab_schedule *schedule, uint32_t token_bits, uint32_t link_bits)
{
    gfab_machine_options options = gfab_machine_options_default();
    gfab_plan plan;
    gfab_machine *machine = NULL;
    gfab_diag diag = {0, ""};
    options.token_bits = token_bits;
    options.link_bits = link_bits;
    options.combines = GFAB_OPERATOR_BFLOAT16;
    options.operator_cycles = 2;
    options.blocks = gfab_schedule_goal(schedule).blocks;
    if (gfab_machine_plan_schedule(schedule, &options, &plan, &diag) != GFAB_OK ||
        gfab_machine_compile(&plan, schedule, &machine, &diag) != GFAB_OK)
        stop("compile", &diag);
    return machine;
}

/* How many totals of the model are not those of MPI. */
static unsigned compare(const gfab_schedule *schedule, uint32_t token_bits, uint32_t link_bits, uint64_t seed,
                        const uint8_t *totals)
{
    const uint32_t blocks = gfab_schedule_goal(schedule).blocks, bytes = token_bits / 8;
    const size_t nodes = gfab_topology_node_count(gfab_schedule_topology(schedule));
    gfab_machine *machine = compile(schedule, token_bits, link_bits);
    gfab_cmodel *model = NULL;
    gfab_diag diag = {0, "it does not play"};
    uint8_t *token = malloc(bytes);
    uint64_t cycles;
    unsigned wrong = 0;
    if (!token || gfab_cmodel_create(machine, NULL, &model) != GFAB_OK)
        stop("model", &diag);
    for (uint32_t i = 0; i < nodes * blocks; i++) {
        make_block(seed, i, token_bits, token);
        if (gfab_cmodel_load_block(model, i / blocks, i % blocks, token) != GFAB_OK)
            stop("load", &diag);
    }
    if (gfab_cmodel_run(model, 1000000, NULL, &cycles) != GFAB_OK)
        stop("run", &diag);
    for (uint32_t i = 0; i < nodes * blocks; i++) {
        gfab_cmodel_read_token(model, i / blocks, i % blocks, token);
        wrong += memcmp(token, totals + i % blocks * bytes, bytes) != 0;
        printf("total %u %u ", i / blocks, i % blocks);
        for (uint32_t b = bytes; b-- > 0;)
            printf("%02x", token[b]);
        putchar('\n');
    }
    free(token);
    gfab_cmodel_destroy(model);
    gfab_machine_destroy(machine);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    gfab_topology *topology = NULL;
    gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, "no such file"};
    MPI_Datatype two;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    FILE *file = argc > 4 ? fopen(argv[1], "r") : NULL;
    if (!file || gfab_schedule_read(file, NULL, &topology, &schedule, &diag) != GFAB_OK)
        stop("schedule", &diag);
    fclose(file);
    const uint32_t token_bits = (uint32_t)strtoul(argv[2], NULL, 10), blocks = gfab_schedule_goal(schedule).blocks;
    const uint64_t seed = strtoull(argv[4], NULL, 10);
    if (gfab_topology_node_count(topology) != (size_t)ranks)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Type_contiguous(2, MPI_BYTE, &two);
    MPI_Type_commit(&two);
    MPI_Op_create(add_bfloat16, 1, &op);
    uint8_t *mine = malloc(blocks * token_bits / 8 + 1), *totals = malloc(blocks * token_bits / 8 + 1);
    if (!mine || !totals)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (uint32_t b = 0; b < blocks; b++)
        make_block(seed, (uint32_t)rank * blocks + b, token_bits, mine + b * token_bits / 8);
    MPI_Allreduce(mine, totals, (int)(blocks * token_bits / 16), two, op, MPI_COMM_WORLD);
    if (rank == 0)
        printf("fabric: %d ranks, %u blocks: totals of the C model otherwise than by MPI %u\n", ranks, blocks,
               compare(schedule, token_bits, (uint32_t)strtoul(argv[3], NULL, 10), seed, totals));
    free(mine);
    free(totals);
    MPI_Op_free(&op);
    MPI_Type_free(&two);
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
    MPI_Finalize();
    return 0;
}
