/* SPDX-License-Identifier: MIT */
/* What templates can name of the register map. */
#include "gen.h"

#include <inttypes.h>

size_t gfab_gen_count_registers(const gfab_gen *gen)
{
    size_t count = 0;
    (void)gen;
    while (gfab_register_at(count))
        count++;
    return count;
}

static void write_register_name(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fputs(gfab_register_at(item)->name, file);
}

static void write_register_offset(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fprintf(file, "0x%02" PRIx32, gfab_register_at(item)->offset);
}

static void write_register_access(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fputs(gfab_register_at(item)->access, file);
}

static void write_register_meaning(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fputs(gfab_register_at(item)->meaning, file);
}

const gfab_gen_field gfab_gen_register_fields[] = {{"NAME", write_register_name},
                                                   {"OFFSET", write_register_offset},
                                                   {"ACCESS", write_register_access},
                                                   {"MEANING", write_register_meaning},
                                                   {NULL, NULL}};

size_t gfab_gen_count_register_parts(const gfab_gen *gen)
{
    size_t count = 0;
    (void)gen;
    while (gfab_register_field_at(count))
        count++;
    return count;
}

static void write_part_name(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fprintf(file, "%s_%s", gfab_register_field_at(item)->of, gfab_register_field_at(item)->name);
}

static void write_part_mask(const gfab_gen *gen, size_t item, FILE *file)
{
    const gfab_register_field *field = gfab_register_field_at(item);
    (void)gen;
    fprintf(file, "0x%02" PRIx32, ((1u << field->bits) - 1) << field->lsb);
}

static void write_part_meaning(const gfab_gen *gen, size_t item, FILE *file)
{
    (void)gen;
    fputs(gfab_register_field_at(item)->meaning, file);
}

const gfab_gen_field gfab_gen_register_part_fields[] = {
    {"NAME", write_part_name}, {"MASK", write_part_mask}, {"MEANING", write_part_meaning}, {NULL, NULL}};
