/* SPDX-License-Identifier: MIT */
/* The texts that templates can name about the board that a fabric is for. */
#include "gen.h"

#include <inttypes.h>

static void write_board(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    fputs(gen->options->board ? gen->options->board->name : "", file);
}

static void write_board_summary(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    fputs(gen->options->board ? gen->options->board->summary : "", file);
}

static void write_pins(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    fputs(gfab_gen_family(gen)->pins, file);
}

static void write_family_capitals(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    gfab_gen_write_capitals(gfab_gen_target(gen)->family, file);
}

static void write_pins_capitals(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    gfab_gen_write_capitals(gfab_gen_family(gen)->pins, file);
}

static void write_part(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    fputs(gfab_gen_target(gen)->part, file);
}

static void write_device(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    fputs(gfab_gen_target(gen)->device, file);
}

static void write_package(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    fputs(gfab_gen_target(gen)->package, file);
}

static void write_fusesoc(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    fputs(gfab_gen_target(gen)->fusesoc, file);
}

static void write_openfpgaloader(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    fputs(gfab_gen_target(gen)->openfpgaloader, file);
}

/* In MHz, without zeros behind the point. */
static void write_mhz(uint32_t hz, FILE *file)
{
    uint32_t fraction = hz % 1000000;
    int digits = 6;
    for (; digits > 0 && fraction % 10 == 0; digits--)
        fraction /= 10;
    fprintf(file, "%" PRIu32, hz / 1000000);
    if (digits > 0)
        fprintf(file, ".%0*" PRIu32, digits, fraction);
}

static void write_clock_mhz(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    write_mhz(gfab_gen_target(gen)->clock_hz, file);
}

static void write_fabric_mhz(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)item;
    write_mhz(gfab_gen_target(gen)->fabric_hz, file);
}

const gfab_gen_field gfab_gen_board_fields[] = {
    {"BOARD", write_board},
    {"BOARD_SUMMARY", write_board_summary},
    {"FAMILY_CAPITALS", write_family_capitals},
    {"PINS", write_pins},
    {"PINS_CAPITALS", write_pins_capitals},
    {"PART", write_part},
    {"DEVICE", write_device},
    {"PACKAGE", write_package},
    {"FUSESOC", write_fusesoc},
    {"OPENFPGALOADER", write_openfpgaloader},
    {"CLOCK_MHZ", write_clock_mhz},
    {"FABRIC_MHZ", write_fabric_mhz},
    {NULL, NULL},
};
