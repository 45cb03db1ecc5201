/* SPDX-License-Identifier: MIT */
/* Writes the register map of <gossipfab/gen/registers.h> to a file: gfab_register_map verilog FILE is
 * rtl/host/gfab_registers.vh, gfab_register_map markdown FILE the tables of docs/reference/registers.md. */
#include <gossipfab/gen/registers.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void write_verilog(FILE *file)
{
    fprintf(
        file,
        "// SPDX-License-Identifier: MIT\n"
        "// The register map (docs/reference/registers.md): offsets in bytes, and parts of registers; generated from\n"
        "// gen/registers.c, do not edit.\n"
        "`ifndef GFAB_REGISTERS_VH\n"
        "`define GFAB_REGISTERS_VH\n"
        "\n"
        "// of this map\n"
        "`define GFAB_REGISTER_MAP_VERSION 8'd%d\n",
        GFAB_REGISTER_MAP_VERSION);
    const gfab_register *at;
    for (size_t i = 0; (at = gfab_register_at(i)); i++)
        fprintf(file, "`define GFAB_REGISTER_%s 'h%02" PRIx32 "\n", at->name, at->offset);
    fputs("\n", file);
    const gfab_register_field *field;
    for (size_t i = 0; (field = gfab_register_field_at(i)); i++)
        fprintf(file, "`define GFAB_%s_%s_LSB %" PRIu32 "\n", field->of, field->name, field->lsb);
    fputs("\n`endif\n", file);
}

static void write_markdown(FILE *file)
{
    fputs("| offset | register | bits | access | meaning |\n| --- | --- | --- | --- | --- |\n", file);
    const gfab_register *at;
    for (size_t i = 0; (at = gfab_register_at(i)); i++)
        fprintf(file, "| 0x%02" PRIx32 " | `%s` | %" PRIu32 " | %s | %s |\n", at->offset, at->name, at->bits,
                at->access, at->meaning);
    fputs("\n| register | bits | field | meaning |\n| --- | --- | --- | --- |\n", file);
    const gfab_register_field *field;
    for (size_t i = 0; (field = gfab_register_field_at(i)); i++) {
        fprintf(file, "| `%s` | ", field->of);
        if (field->bits > 1)
            fprintf(file, "%" PRIu32 ":", field->lsb + field->bits - 1);
        fprintf(file, "%" PRIu32 " | `%s` | %s |\n", field->lsb, field->name, field->meaning);
    }
}

int main(int argc, char **argv)
{
    const int verilog = argc == 3 && strcmp(argv[1], "verilog") == 0;
    if (argc != 3 || (!verilog && strcmp(argv[1], "markdown") != 0)) {
        fprintf(stderr, "usage: gfab_register_map verilog|markdown FILE\n");
        return 2;
    }
    FILE *file = fopen(argv[2], "w");
    if (!file) {
        perror(argv[2]);
        return 2;
    }
    (verilog ? write_verilog : write_markdown)(file);
    const int failed = ferror(file);
    if (fclose(file) || failed) {
        perror(argv[2]);
        return 2;
    }
    return 0;
}
