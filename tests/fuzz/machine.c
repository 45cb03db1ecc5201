/* SPDX-License-Identifier: MIT */
/* A folder of ROM files, of a shape that the first byte chooses: sizes are what the files make them. The files are cut
 * apart by "=" signs, in the order program, paths or places, sequence; nodes first. A legal machine is run. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#define NODES 3
#define MOST_ROUNDS 64

static const struct {
    gfab_machine_shape shape;
    const char *second; /* the files of a node beside its program */
} shapes[] = {
    {{.layout = {.parts = 1}, .timing = {8, 1, 0, 0, 0, 0}, .banks = 1}, NULL},
    {{.layout = {.full_duplex = true, .paths = true, .parts = 1}, .timing = {8, 1, 0, 0, 0, 0}, .banks = 1}, "paths"},
    {{.layout = {.full_duplex = true, .wide = true, .parts = 1}, .timing = {8, 4, 0, 0, 0, 0}, .banks = 2}, "places"},
    {{.layout = {.wide = true, .parts = 1, .frame = GFAB_FRAME_RELATIVE},
      .timing = {8, 8, 1, 0, 0, 0},
      .crossbar = GFAB_CROSSBAR_ARRIVAL,
      .banks = 2},
     "places"},
};

/* The next file, up to a "="; what is left is empty files. */
static void next_file(const char *name, const uint8_t **data, size_t *size)
{
    const uint8_t *end = *size > 0 ? memchr(*data, '=', *size) : NULL;
    const size_t length = end ? (size_t)(end - *data) : *size;
    fuzz_named_file(name, *data, length);
    *data += end ? length + 1 : length;
    *size -= end ? length + 1 : length;
}

static void next_files(const char *what, const uint8_t **data, size_t *size)
{
    for (int v = 0; v < NODES; v++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%d.hex", what, v);
        next_file(name, data, size);
    }
}

/* It stops by itself, after as many cycles as it says. */
static void run(const gfab_machine *machine)
{
    gfab_cmodel *cmodel = NULL;
    const uint8_t token[1] = {0x5a};
    uint64_t cycles = 0;
    FUZZ_CHECK(gfab_cmodel_create(machine, NULL, &cmodel) == GFAB_OK);
    for (size_t v = 0; v < NODES; v++)
        FUZZ_CHECK(gfab_cmodel_load_token(cmodel, v, token) == GFAB_OK);
    FUZZ_CHECK(gfab_cmodel_run(cmodel, gfab_machine_cycles(machine), NULL, &cycles) == GFAB_OK);
    FUZZ_CHECK(cycles == gfab_machine_cycles(machine));
    gfab_cmodel_destroy(cmodel);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t shape = fuzz_choice(&data, &size, sizeof shapes / sizeof *shapes);
    gfab_topology *topology = fuzz_topology("cycle:3");
    gfab_machine *machine = NULL;
    gfab_diag diag = {0, ""};
    next_files("program", &data, &size);
    if (shapes[shape].second)
        next_files(shapes[shape].second, &data, &size);
    next_file("sequence.hex", &data, &size);
    gfab_status status = gfab_machine_read(topology, &shapes[shape].shape, fuzz_folder(), &machine, &diag);
    fuzz_check_diag(status, &diag);
    if (status == GFAB_OK) {
        status = gfab_machine_check(machine, &diag);
        fuzz_check_diag(status, &diag);
        if (status == GFAB_OK && gfab_machine_rounds(machine) <= MOST_ROUNDS &&
            gfab_machine_gap_cycles(machine) < 10000)
            run(machine);
    }
    gfab_machine_destroy(machine);
    gfab_topology_destroy(topology);
    return 0;
}
