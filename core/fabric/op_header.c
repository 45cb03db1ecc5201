/* SPDX-License-Identifier: MIT */
/* Writes rtl/common/gfab_op.vh, the op tables of <gossipfab/fabric/op.h> in Verilog, to the file named by its argument.
 * */
#include <gossipfab/fabric/op.h>

#include <stdio.h>

enum {
#define FIELD(name, lsb, width, meaning) name##_WIDTH = (width),
    GFAB_OP_FIELDS(FIELD)
#undef FIELD
};

static void write_field(FILE *file, const char *name, int lsb, int width, const char *meaning)
{
    fprintf(file, "// %s\n`define GFAB_OP_%s_LSB %d\n", meaning, name, lsb);
    if (width)
        fprintf(file, "`define GFAB_OP_%s_WIDTH %d\n", name, width);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: gfab_op_header FILE\n");
        return 2;
    }
    FILE *file = fopen(argv[1], "w");
    if (!file) {
        perror(argv[1]);
        return 2;
    }
    fputs("// SPDX-License-Identifier: MIT\n"
          "// The ROMs' words (docs/reference/rom-format.md); generated from include/gossipfab/fabric/op.h, do not "
          "edit.\n"
          "`ifndef GFAB_OP_VH\n"
          "`define GFAB_OP_VH\n"
          "\n",
          file);
#define KIND(name, value, meaning) \
    fprintf(file, "// %s\n`define GFAB_OP_%s %d'd%d\n", meaning, #name, KIND_WIDTH, value);
    GFAB_OP_KINDS(KIND)
#undef KIND
    fputs("\n", file);
#define FIELD(name, lsb, width, meaning) write_field(file, #name, lsb, width, meaning);
    GFAB_OP_FIELDS(FIELD)
#undef FIELD
    fputs("\n", file);
#define BIT(name, bit, meaning) fprintf(file, "// %s\n`define GFAB_SEQUENCE_%s %d\n", meaning, #name, bit);
    GFAB_SEQUENCE_BITS(BIT)
#undef BIT
    fputs("\n", file);
#define OPERATOR(name, value, text, meaning) \
    fprintf(file, "// %s: %s\n`define GFAB_OPERATOR_%s %d\n", text, meaning, #name, value);
    GFAB_OPERATORS(OPERATOR)
#undef OPERATOR
    fprintf(file, "// the choice 0\n`define GFAB_OPERATOR_FIRST %d\n", GFAB_OPERATOR_FIRST);
    fputs("\n`endif\n", file);
    const int failed = ferror(file);
    if (fclose(file) || failed) {
        perror(argv[1]);
        return 2;
    }
    return 0;
}
