/* SPDX-License-Identifier: MIT */
/* ROM images as $readmemh text, in the shape of a small fabric that the first byte chooses. One text is read as every
 * kind of ROM of every node that has it. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* A reader and its writer; index is a node. */
typedef gfab_status (*rom_reader)(void *roms, size_t node, FILE *file, gfab_diag *diag);
typedef gfab_status (*rom_writer)(const void *roms, size_t node, FILE *file, gfab_diag *diag);

static gfab_status read_program(void *roms, size_t node, FILE *file, gfab_diag *diag)
{
    return gfab_image_read(roms, node, file, diag);
}

static gfab_status write_program(const void *roms, size_t node, FILE *file, gfab_diag *diag)
{
    return gfab_image_write(roms, node, file, diag);
}

static gfab_status read_paths(void *roms, size_t node, FILE *file, gfab_diag *diag)
{
    return gfab_image_read_paths(roms, node, file, diag);
}

static gfab_status write_paths(const void *roms, size_t node, FILE *file, gfab_diag *diag)
{
    return gfab_image_write_paths(roms, node, file, diag);
}

static gfab_status read_sequence(void *roms, size_t node, FILE *file, gfab_diag *diag)
{
    (void)node;
    return gfab_image_read_sequence(roms, file, diag);
}

static gfab_status write_sequence(const void *roms, size_t node, FILE *file, gfab_diag *diag)
{
    (void)node;
    return gfab_image_write_sequence(roms, file, diag);
}

static gfab_status read_wide(void *roms, size_t node, FILE *file, gfab_diag *diag)
{
    return gfab_banks_read_program(roms, node, file, diag);
}

static gfab_status write_wide(const void *roms, size_t node, FILE *file, gfab_diag *diag)
{
    return gfab_banks_write_program(roms, node, file, diag);
}

static gfab_status read_places(void *roms, size_t node, FILE *file, gfab_diag *diag)
{
    return gfab_banks_read_places(roms, node, file, diag);
}

static gfab_status write_places(const void *roms, size_t node, FILE *file, gfab_diag *diag)
{
    return gfab_banks_write_places(roms, node, file, diag);
}

/* What is read is written; that is read back and written to the same bytes. */
static bool check_rom(rom_reader read, rom_writer write, void *roms, size_t node, const uint8_t *data, size_t size)
{
    fuzz_output first, second;
    gfab_diag diag = {0, ""};
    FILE *file = fuzz_file(data, size);
    const gfab_status status = read(roms, node, file, &diag);
    fclose(file);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK(status == GFAB_OK || diag.line > 0);
    if (status != GFAB_OK)
        return false;
    fuzz_write(&first);
    FUZZ_CHECK(write(roms, node, first.file, NULL) == GFAB_OK);
    fuzz_written(&first);
    file = fuzz_file((const uint8_t *)first.text, first.size);
    FUZZ_CHECK(read(roms, node, file, NULL) == GFAB_OK);
    fclose(file);
    fuzz_write(&second);
    FUZZ_CHECK(write(roms, node, second.file, NULL) == GFAB_OK);
    fuzz_written(&second);
    FUZZ_CHECK(first.size == second.size && memcmp(first.text, second.text, first.size) == 0);
    free(first.text);
    free(second.text);
    return true;
}

/* Whether it is legal or not, an image gives a program and a verdict. */
static void check_image(const gfab_layout *layout, gfab_image *image)
{
    gfab_timing timing;
    gfab_program *program = NULL;
    gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, ""};
    const gfab_timing_options options = {16, 2, 0, 0, 0, 0};
    FUZZ_CHECK(gfab_timing_compute(layout, &options, &timing, NULL) == GFAB_OK);
    gfab_status status = gfab_image_check(image, &timing, NULL, NULL, &diag);
    const bool legal = status == GFAB_OK;
    fuzz_check_diag(status, &diag);
    status = gfab_program_disassemble(image, NULL, &program, &diag);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK(!legal || status == GFAB_OK);
    if (status == GFAB_OK) {
        status = gfab_program_check_image(program, image, NULL, &diag);
        FUZZ_CHECK(!legal || status == GFAB_OK);
        status = gfab_program_raise(program, &schedule, &diag);
        fuzz_check_diag(status, &diag);
        FUZZ_CHECK(!legal || status == GFAB_OK);
        if (status == GFAB_OK && gfab_schedule_packet_count(schedule) > 0)
            fuzz_check_schedule(schedule);
    }
    gfab_schedule_destroy(schedule);
    gfab_program_destroy(program);
}

static void narrow(const gfab_layout *layout, const uint8_t *data, size_t size)
{
    const size_t nodes = gfab_topology_node_count(gfab_layout_topology(layout));
    gfab_image *image = NULL;
    bool good = true;
    FUZZ_CHECK(gfab_image_create(layout, 2, &image, NULL) == GFAB_OK);
    FUZZ_CHECK(gfab_image_set_gap_bits(image, 7, NULL) == GFAB_OK);
    if (gfab_layout_paths(layout))
        check_rom(read_paths, write_paths, image, 1, data, size);
    /* Nodes side by side, and the sequence behind them: each has its share of the words. */
    const size_t share = size / (nodes + 1);
    check_rom(read_sequence, write_sequence, image, 0, data + nodes * share, share);
    for (size_t v = 0; v < nodes && good; v++)
        good = check_rom(read_program, write_program, image, v, data + v * share, share);
    if (good)
        check_image(layout, image);
    gfab_image_destroy(image);
}

static void wide(const gfab_layout *layout, const uint8_t *data, size_t size)
{
    const size_t nodes = gfab_topology_node_count(gfab_layout_topology(layout));
    gfab_crossbar crossbar;
    gfab_banks *banks = NULL;
    gfab_timing timing;
    gfab_diag diag = {0, ""};
    const gfab_timing_options options = {16, 8, 0, 0, 0, 0};
    bool good = true;
    FUZZ_CHECK(gfab_timing_compute(layout, &options, &timing, NULL) == GFAB_OK);
    FUZZ_CHECK(gfab_crossbar_make(gfab_layout_topology(layout), GFAB_CROSSBAR_FULL, 2, &crossbar, NULL) == GFAB_OK);
    FUZZ_CHECK(gfab_banks_create(layout, &crossbar, 2, NULL, &banks, NULL) == GFAB_OK);
    check_rom(read_places, write_places, banks, 0, data, size);
    /* As above. */
    const size_t share = size / (nodes + 1);
    FILE *file = fuzz_file(data + nodes * share, share);
    fuzz_check_diag(gfab_banks_read_sequence(banks, size % 3 == 0 ? 4 : 0, file, &diag), &diag);
    fclose(file);
    for (size_t v = 0; v < nodes && good; v++)
        good = check_rom(read_wide, write_wide, banks, v, data + v * share, share);
    if (good)
        fuzz_check_diag(gfab_banks_check(banks, &timing, NULL, &diag), &diag);
    gfab_banks_destroy(banks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        const char *topology;
        gfab_layout_options layout;
    } shapes[] = {
        {"path:2", {.parts = 1, .frame = GFAB_FRAME_ABSOLUTE}},
        {"mesh:2x2", {.parts = 1, .frame = GFAB_FRAME_ABSOLUTE}},
        {"cycle:3", {.full_duplex = true, .parts = 1, .frame = GFAB_FRAME_RELATIVE}},
        {"cycle:3", {.full_duplex = true, .paths = true, .parts = 2, .frame = GFAB_FRAME_ABSOLUTE}},
        {"path:2", {.full_duplex = true, .wide = true, .parts = 1, .frame = GFAB_FRAME_ABSOLUTE}},
        {"cycle:3", {.wide = true, .parts = 1, .frame = GFAB_FRAME_RELATIVE}},
    };
    const size_t shape = fuzz_choice(&data, &size, sizeof shapes / sizeof *shapes);
    gfab_topology *topology = fuzz_topology(shapes[shape].topology);
    gfab_layout *layout = NULL;
    FUZZ_CHECK(gfab_layout_create(topology, &shapes[shape].layout, &layout, NULL) == GFAB_OK);
    if (shapes[shape].layout.wide)
        wide(layout, data, size);
    else
        narrow(layout, data, size);
    gfab_layout_destroy(layout);
    gfab_topology_destroy(topology);
    return 0;
}
