/* SPDX-License-Identifier: MIT */
/* Build tool: boards OUTPUT ROOT PATH... writes a C file with gfab_boards, a gfab_board for each PATH, which is
 * constraints/<name>/board.json below ROOT, in the order of their names. A board.json that is wrong ends the build. */
#include "family.h"

#include <gossipfab/gen/board.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64, PATH_SIZE = 4096 };

/* A board.json that is read. */
typedef struct reader {
    const char *path;
    char name[NAME_SIZE]; /* of the board */
    json_t *root;
    size_t known; /* keys that were asked for */
    FILE *out;
} reader;

static _Noreturn void fail(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(const char *path, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "boards: %s: ", path);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

static const json_t *get(reader *r, const char *key, const char *wanted)
{
    const json_t *value = json_object_get(r->root, key);
    if (!value)
        fail(r->path, "\"%s\" is missing; %s", key, wanted);
    r->known++;
    return value;
}

static const char *put_text(reader *r, const char *key)
{
    const char *text = json_string_value(get(r, key, "a string"));
    if (!text || *text == '\0' || strpbrk(text, "\"\\@\n"))
        fail(r->path, "\"%s\" must be a string of one line without quotes, \\ and @", key);
    fprintf(r->out, "        .%s = \"%s\",\n", key, text);
    return text;
}

static uint32_t put_number(reader *r, const char *key, uint32_t least, uint32_t most)
{
    const json_t *value = get(r, key, "an integer");
    const json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < least || number > most)
        fail(r->path, "\"%s\" must be an integer of %" PRIu32 " .. %" PRIu32, key, least, most);
    fprintf(r->out, "        .%s = %" JSON_INTEGER_FORMAT ",\n", key, number);
    return (uint32_t)number;
}

static void put_flag(reader *r, const char *key)
{
    const json_t *value = get(r, key, "true or false");
    if (!json_is_boolean(value))
        fail(r->path, "\"%s\" must be true or false", key);
    fprintf(r->out, "        .%s = %s,\n", key, json_is_true(value) ? "true" : "false");
}

/* The board's name is that of its folder. */
static void find_name(reader *r)
{
    const char *end = strrchr(r->path, '/'), *begin = end;
    while (begin && begin > r->path && begin[-1] != '/')
        begin--;
    const size_t length = begin ? (size_t)(end - begin) : 0;
    if (length == 0 || length >= sizeof r->name || strspn(begin, "abcdefghijklmnopqrstuvwxyz0123456789-") < length)
        fail(r->path, "the board's folder must have a name of a .. z, 0 .. 9 and -");
    memcpy(r->name, begin, length);
    r->name[length] = '\0';
    fprintf(r->out, "    {\n        .name = \"%s\",\n", r->name);
}

static void check_clock(const reader *r, const gfab_family *family, uint32_t clock_hz, uint32_t fabric_hz)
{
    gfab_pll pll;
    if (fabric_hz == clock_hz)
        return;
    if (family->pll.divide_most == 0)
        fail(r->path, "\"fabric_hz\" must be \"clock_hz\": no PLL is made use of in family %s", family->name);
    if (!gfab_pll_find(family, clock_hz, fabric_hz, &pll))
        fail(r->path, "\"fabric_hz\": no settings of the PLL make %" PRIu32 " Hz of %" PRIu32, fabric_hz, clock_hz);
}

static void check_pins(const reader *r, const char *root, const gfab_family *family)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/constraints/%s/%s.%s", root, r->name, r->name, family->pins);
    FILE *file = fopen(path, "r");
    if (!file)
        fail(r->path, "%s.%s, the file of its pins, is not beside it", r->name, family->pins);
    fclose(file);
}

static void convert(FILE *out, const char *root, const char *name)
{
    char path[PATH_SIZE];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s", root, name);
    reader r = {.path = name, .root = json_load_file(path, JSON_REJECT_DUPLICATES, &error), .out = out};
    if (!r.root)
        fail(name, "line %d: %s", error.line, error.text);
    if (!json_is_object(r.root))
        fail(name, "not an object");
    find_name(&r);
    put_text(&r, "summary");
    const gfab_family *family = gfab_family_find(put_text(&r, "family"));
    if (!family)
        fail(name, "\"family\" must be ice40, ecp5, gowin or xc7");
    put_text(&r, "part");
    put_text(&r, "device");
    put_text(&r, "package");
    const uint32_t clock_hz = put_number(&r, "clock_hz", 1000000, 1000000000);
    check_clock(&r, family, clock_hz, put_number(&r, "fabric_hz", 1000000, 1000000000));
    put_number(&r, "logic_cells", 1, UINT32_MAX);
    put_number(&r, "ram_blocks", 0, UINT32_MAX);
    put_number(&r, "leds", 1, 8);
    put_flag(&r, "leds_active_low");
    put_number(&r, "baud", 300, 12000000);
    put_text(&r, "fusesoc");
    put_text(&r, "openfpgaloader");
    fprintf(out, "    },\n");
    if (r.known != json_object_size(r.root))
        fail(name, "a key is not one of a board's; docs/guide/adding-a-board.md has them");
    check_pins(&r, root, family);
    json_decref(r.root);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: boards OUTPUT ROOT PATH...\n");
        return 2;
    }
    FILE *out = fopen(argv[1], "w");
    if (!out)
        fail(argv[1], "cannot be written");
    qsort(argv + 3, (size_t)(argc - 3), sizeof *argv, compare);
    fprintf(out, "/* SPDX-License-Identifier: MIT */\n#include \"gen.h\"\n\nconst gfab_board gfab_boards[] = {\n");
    for (int i = 3; i < argc; i++)
        convert(out, argv[2], argv[i]);
    fprintf(out, "    {.name = NULL},\n};\n");
    if (ferror(out) || fclose(out))
        fail(argv[1], "cannot be written");
    return 0;
}
