/* SPDX-License-Identifier: MIT */
/* The words of ROMs: each a $readmemh text of its own below rom/, or, with --rom inline, all of them rows of a table in
 * the Verilog, IMAGES of rtl/fabric/gfab_fabric.v. A row is made of the same text, so that both have the same words. */
#define _XOPEN_SOURCE 700
#include "gen.h"

#include <gossipfab/base/text.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_OF_LINE = 80 };

/* In the order of the rows: one of the fabric, one of each program, and of each node one of each other kind. */
typedef enum rom_kind { ROM_SEQUENCE, ROM_PROGRAM, ROM_PLACES, ROM_LOADS, ROM_PATHS, ROM_KINDS } rom_kind;

static const char *const rom_names[ROM_KINDS] = {"sequence", "program", "places", "loads", "paths"};

static bool has_kind(const gfab_gen *gen, rom_kind kind)
{
    return kind == ROM_SEQUENCE ? !gfab_gen_is_joined(gen)
           : kind == ROM_PLACES ? gfab_gen_has_places(gen)
           : kind == ROM_LOADS  ? gen->blocks && gen->banks
           : kind == ROM_PATHS  ? gen->paths
                                : true;
}

/* The sequence's is node 0's; a program is that of the lowest node that has it. */
static bool has_rom(const gfab_gen *gen, rom_kind kind, size_t node)
{
    return has_kind(gen, kind) && (kind != ROM_SEQUENCE || node == 0) &&
           (kind != ROM_PROGRAM || gen->sharing->program[node] == node);
}

static gfab_status write_text(const gfab_gen *gen, rom_kind kind, size_t node, FILE *file, gfab_diag *diag)
{
    const bool joined = gfab_gen_is_joined(gen);
    switch (kind) {
    case ROM_SEQUENCE:
        return gfab_image_write_sequence(gen->image, file, diag);
    case ROM_PATHS:
        return gfab_image_write_paths(gen->image, node, file, diag);
    case ROM_LOADS:
        return gfab_banks_write_loads(gen->banks, node, file, diag);
    case ROM_PLACES:
        return gen->banks ? gfab_banks_write_places(gen->banks, node, file, diag)
                          : gfab_layout_write_places(gen->layout, gen->store_slot_bits, node, file, diag);
    default:
        if (gen->banks)
            return joined ? gfab_banks_write_joined(gen->banks, node, gen->gap_bits, file, diag)
                          : gfab_banks_write_program(gen->banks, node, file, diag);
        return joined ? gfab_image_write_joined(gen->image, node, file, diag)
                      : gfab_image_write(gen->image, node, file, diag);
    }
}

static void write_name(const gfab_gen *gen, rom_kind kind, size_t node, FILE *file)
{
    fputs(rom_names[kind], file);
    if (kind != ROM_SEQUENCE)
        fprintf(file, "_%0*zu", gen->node_digits, node);
}

static gfab_status write_file(const gfab_gen *gen, rom_kind kind, size_t node, gfab_diag *diag)
{
    char name[GFAB_GEN_NAME], path[GFAB_GEN_PATH];
    FILE *file;
    if (kind == ROM_SEQUENCE)
        snprintf(name, sizeof name, "%s/sequence.hex", gen->rom_folder);
    else
        snprintf(name, sizeof name, "%s/%s_%0*zu.hex", gen->rom_folder, rom_names[kind], gen->node_digits, node);
    gfab_status status = gfab_gen_open_file(gen, name, true, path, &file, diag);
    if (status)
        return status;
    status = write_text(gen, kind, node, file, diag);
    const gfab_status closed = gfab_gen_close_file(file, path, diag);
    return status ? status : closed;
}

/* Each ROM that there is, by what is done with it. */
static gfab_status for_all(const gfab_gen *gen, const char *said,
                           gfab_status (*make)(const gfab_gen *, rom_kind, size_t, gfab_diag *), gfab_diag *diag)
{
    const gfab_progress *progress = gen->options->progress;
    for (size_t node = 0; node < gen->nodes; node++) {
        if (progress && !progress->report(progress->context, said, node, gen->nodes))
            return gfab_fail(diag, 0, GFAB_ERR_INTERRUPTED, "interrupted");
        for (rom_kind kind = 0; kind < ROM_KINDS; kind++)
            if (has_rom(gen, kind, node))
                GFAB_TRY(make(gen, kind, node, diag));
    }
    return GFAB_OK;
}

gfab_status gfab_gen_write_roms(const gfab_gen *gen, gfab_diag *diag)
{
    return gen->options->inline_roms ? GFAB_OK : for_all(gen, "nodes' ROMs written", write_file, diag);
}

/* The digits of a ROM's text, word 0 last, where the text was. */
static void turn_round(char *text)
{
    const size_t length = strlen(text), digits = strcspn(text, "\n");
    const size_t words = digits > 0 ? length / (digits + 1) : 0;
    for (size_t word = 0; word < words; word++) /* without line ends */
        memmove(text + word * digits, text + word * (digits + 1), digits);
    text[words * digits] = '\0';
    for (size_t low = 0, high = words; low + 1 < high--; low++)
        for (size_t d = 0; d < digits; d++) {
            const char kept = text[low * digits + d];
            text[low * digits + d] = text[high * digits + d];
            text[high * digits + d] = kept;
        }
}

static gfab_status make_image(const gfab_gen *gen, rom_kind kind, size_t node, gfab_diag *diag)
{
    size_t size = 0;
    char **text = &gen->images[kind * gen->nodes + node];
    FILE *file = open_memstream(text, &size);
    gfab_status status = file ? write_text(gen, kind, node, file, diag) : GFAB_ERR_NO_MEMORY;
    if (!gfab_memory_close(file, text) && !status)
        status = GFAB_ERR_NO_MEMORY;
    if (!status)
        turn_round(*text);
    return status == GFAB_ERR_NO_MEMORY ? gfab_fail(diag, 0, status, "out of memory for the ROMs") : status;
}

gfab_status gfab_gen_make_images(gfab_gen *gen, gfab_diag *diag)
{
    if (!gen->options->inline_roms || gfab_gen_has_word_streams(gen))
        return GFAB_OK;
    gen->images = calloc(ROM_KINDS * gen->nodes, sizeof *gen->images);
    if (!gen->images)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the ROMs");
    const gfab_status status = for_all(gen, "nodes' ROMs made", make_image, diag);
    for (size_t i = 0; i < ROM_KINDS * gen->nodes && !status; i++)
        if (gen->images[i] && strlen(gen->images[i]) > gen->image_digits)
            gen->image_digits = strlen(gen->images[i]);
    return status;
}

void gfab_gen_release_images(gfab_gen *gen)
{
    for (size_t i = 0; gen->images && i < ROM_KINDS * gen->nodes; i++)
        free(gen->images[i]);
    free(gen->images);
}

/* Rows of a table of images: of the kinds from first on. */
static size_t count_rows(const gfab_gen *gen, rom_kind first)
{
    size_t count = 0;
    for (rom_kind kind = first; gen->images && kind < ROM_KINDS; kind++)
        count += !has_kind(gen, kind)   ? 0
                 : kind == ROM_SEQUENCE ? 1
                 : kind == ROM_PROGRAM  ? gen->top->rom_count
                                        : gen->top->node_count;
    return count;
}

/* Which ROM a row is of. */
static rom_kind find_row(const gfab_gen *gen, rom_kind first, size_t item, size_t *node)
{
    rom_kind kind = first;
    for (size_t rows; item >= (rows = count_rows(gen, kind) - count_rows(gen, kind + 1)); kind++)
        item -= rows;
    *node = kind == ROM_SEQUENCE  ? 0
            : kind == ROM_PROGRAM ? gen->sharing->program[gen->top->roms[item]]
                                  : gen->top->nodes[item];
    return kind;
}

/* A row as a concatenation, the highest word first, padded to the longest. */
static void write_row(const gfab_gen *gen, rom_kind first, size_t item, FILE *file)
{
    size_t node;
    const rom_kind kind = find_row(gen, first, item, &node);
    const char *digits = gen->images[kind * gen->nodes + node];
    const size_t padding = gen->image_digits - strlen(digits);
    for (size_t left = gen->image_digits; left > 0;) {
        const size_t size = left % DIGITS_OF_LINE ? left % DIGITS_OF_LINE : DIGITS_OF_LINE;
        fprintf(file, "%s%zu'h", left < gen->image_digits ? ",\n            " : "", 4 * size);
        for (size_t i = gen->image_digits - left, end = i + size; i < end; i++)
            fputc(i < padding ? '0' : digits[i - padding], file);
        left -= size;
    }
}

static void write_row_name(const gfab_gen *gen, rom_kind first, size_t item, FILE *file)
{
    size_t node;
    const rom_kind kind = find_row(gen, first, item, &node);
    write_name(gen, kind, node, file);
}

size_t gfab_gen_count_images(const gfab_gen *gen)
{
    return count_rows(gen, ROM_SEQUENCE);
}

static void write_image(const gfab_gen *gen, size_t item, FILE *file)
{
    write_row(gen, ROM_SEQUENCE, item, file);
}

static void write_image_name(const gfab_gen *gen, size_t item, FILE *file)
{
    write_row_name(gen, ROM_SEQUENCE, item, file);
}

const gfab_gen_field gfab_gen_image_fields[] = {{"ROW", write_image}, {"IMAGE", write_image_name}, {NULL, NULL}};

size_t gfab_gen_count_place_images(const gfab_gen *gen)
{
    return count_rows(gen, ROM_PLACES) - count_rows(gen, ROM_PATHS);
}

static void write_place_image(const gfab_gen *gen, size_t item, FILE *file)
{
    write_row(gen, ROM_PLACES, item, file);
}

static void write_place_image_name(const gfab_gen *gen, size_t item, FILE *file)
{
    write_row_name(gen, ROM_PLACES, item, file);
}

const gfab_gen_field gfab_gen_place_image_fields[] = {
    {"ROW", write_place_image}, {"IMAGE", write_place_image_name}, {NULL, NULL}};
