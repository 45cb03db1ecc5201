/* SPDX-License-Identifier: MIT */
/* A top as a component of VHDL, in a package of its own. It is made of the head of the top's Verilog, as its template
 * has it: a parameter or a port a line. So that there is one list of ports, and it is the Verilog's. */
#define _XOPEN_SOURCE 700
#include "gen.h"

#include <gossipfab/base/text.h>
#include <stdlib.h>
#include <string.h>

/* A line of the head, in parts that point into it: "input wire [range] name, // comment", "parameter name = value". */
typedef struct head_line {
    const char *kind, *range, *name, *value, *comment; /* "input", "output", "parameter"; range and value may be "" */
} head_line;

/* Cuts a text where the mark begins; what is behind it, without blanks, or "". */
static char *cut(char *text, const char *mark)
{
    char *at = strstr(text, mark);
    if (!at)
        return text + strlen(text);
    *at = '\0';
    at += strlen(mark);
    return at + strspn(at, " ");
}

static void trim(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && strchr(" ,", text[length - 1]))
        text[--length] = '\0';
}

/* False where the line has neither a port nor a parameter. */
static bool read_line(char *line, head_line *read)
{
    line += strspn(line, " ");
    *read = (head_line){.comment = cut(line, "//"), .range = "", .value = ""};
    trim(line);
    read->kind = line;
    char *rest = cut(line, " ");
    if (strcmp(read->kind, "parameter") == 0) {
        read->value = cut(rest, "= ");
        trim(rest);
        read->name = rest;
        return true;
    }
    if (strcmp(read->kind, "input") != 0 && strcmp(read->kind, "output") != 0)
        return false;
    rest = cut(rest, "wire ");
    if (*rest == '[') {
        read->range = rest + 1;
        rest = cut(rest, ":0] ");
    }
    read->name = rest;
    return true;
}

static void write_item(const head_line *item, bool last, FILE *file)
{
    fprintf(file, "            %s : ", item->name);
    if (strcmp(item->kind, "parameter") == 0)
        fprintf(file, "%s := %s", item->value[0] == '"' ? "string" : "integer", item->value);
    else {
        fputs(item->kind[0] == 'i' ? "in  " : "out ", file);
        if (item->range[0])
            fprintf(file, "std_logic_vector(%s downto 0)", item->range);
        else
            fputs("std_logic", file);
    }
    fprintf(file, "%s%s%s\n", last ? "" : ";", item->comment[0] ? " -- " : "", item->comment);
}

/* The items of one list, generics or ports, that are in the head; of the next line the list that it is in is not known
 * before it is read, so that each is written once the one behind it is found. */
static void write_list(const char *head, bool generics, FILE *file)
{
    char lines[2][256];
    head_line held = {0}, next;
    unsigned which = 0;
    for (const char *at = head; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        snprintf(lines[which], sizeof lines[which], "%.*s", (int)strcspn(at, "\n"), at);
        if (!read_line(lines[which], &next) || generics != (strcmp(next.kind, "parameter") == 0))
            continue;
        if (held.name)
            write_item(&held, false, file);
        held = next;
        which = 1 - which;
    }
    if (held.name)
        write_item(&held, true, file);
}

static void write_package(const char *top, const char *head, FILE *file)
{
    fprintf(file,
            "-- SPDX-License-Identifier: MIT\n"
            "-- What the generator writes is yours. %s.v as a component of VHDL: library work, use work.%s_pkg.all.\n"
            "library ieee;\n"
            "use ieee.std_logic_1164.all;\n\n"
            "package %s_pkg is\n"
            "    component %s is\n"
            "        generic (\n",
            top, top, top, top);
    write_list(head, true, file);
    fputs("        );\n        port (\n", file);
    write_list(head, false, file);
    fprintf(file, "        );\n    end component;\nend package;\n");
}

gfab_status gfab_gen_write_vhdl(const gfab_gen *gen, const char *text, size_t size, const char *top, FILE *file,
                                gfab_diag *diag)
{
    GFAB_FREED char *verilog = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&verilog, &length);
    gfab_status status = memory ? gfab_gen_template(gen, text, size, memory, diag) : GFAB_ERR_NO_MEMORY;
    if (!gfab_memory_close(memory, &verilog) && !status)
        status = GFAB_ERR_NO_MEMORY;
    if (status == GFAB_ERR_NO_MEMORY)
        gfab_fail(diag, 0, status, "out of memory for %s.vhd", top);
    if (!status) {
        char *end = strstr(verilog, "\n);\n");
        if (end)
            *end = '\0';
        write_package(top, verilog, file);
    }
    return status;
}
