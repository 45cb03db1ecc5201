/* SPDX-License-Identifier: MIT */
/* A board's folder: board.json and the pins beside it. docs/guide/adding-a-board.md has the keys. The build reads those
 * of constraints/ by the same functions. */
#define _XOPEN_SOURCE 700
#include "gen.h"

#include <gossipfab/base/json.h>
#include <gossipfab/base/text.h>
#include <gossipfab/gen/board.h>

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64, PATH_SIZE = 4096, PINS_MOST = 1 << 20 /* bytes */ };

/* The board's texts are those of the JSON. */
typedef struct own_board {
    gfab_board board; /* the first, so that a pointer to it is one to all */
    json_t *root;
    char *pins, name[NAME_SIZE];
} own_board;

static const struct {
    const char *key;
    size_t at;
} texts[] = {{"summary", offsetof(gfab_board, summary)},
             {"family", offsetof(gfab_board, family)},
             {"part", offsetof(gfab_board, part)},
             {"device", offsetof(gfab_board, device)},
             {"package", offsetof(gfab_board, package)},
             {"fusesoc", offsetof(gfab_board, fusesoc)},
             {"openfpgaloader", offsetof(gfab_board, openfpgaloader)}};

static const struct {
    const char *key;
    size_t at;
    uint32_t least, most;
} numbers[] = {{"clock_hz", offsetof(gfab_board, clock_hz), 1000000, 1000000000},
               {"fabric_hz", offsetof(gfab_board, fabric_hz), 1000000, 1000000000},
               {"logic_cells", offsetof(gfab_board, logic_cells), 1, UINT32_MAX},
               {"ram_blocks", offsetof(gfab_board, ram_blocks), 0, UINT32_MAX},
               {"leds", offsetof(gfab_board, leds), 1, 8},
               {"baud", offsetof(gfab_board, baud), 300, 12000000}};

enum { SUMMARY, TEXTS = sizeof texts / sizeof *texts, NUMBERS = sizeof numbers / sizeof *numbers, FLAGS = 1 };

static gfab_status missing(const char *key, const char *wanted, gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_PARSE, "\"%s\" is missing; %s", key, wanted);
}

/* Has it characters that its place in Verilog, a Makefile or a Tcl script does not bear? */
static bool has_any(const char *text, bool summary)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        const bool word = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (summary ? c < ' ' || strchr("\"\\@", c) : !word && !strchr("._-+:/", c))
            return true;
    }
    return false;
}

static gfab_status take_texts(const json_t *root, gfab_board *board, gfab_diag *diag)
{
    for (size_t i = 0; i < TEXTS; i++) {
        const json_t *value = json_object_get(root, texts[i].key);
        const char *text = json_string_value(value);
        if (!value)
            return missing(texts[i].key, "a string", diag);
        if (!text || *text == '\0' || has_any(text, i == SUMMARY))
            return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                             i == SUMMARY ? "\"%s\" must be a string of one line without quotes, \\ and @"
                                          : "\"%s\" must be a word of letters, digits and . _ - + : /",
                             texts[i].key);
        memcpy((char *)board + texts[i].at, &text, sizeof text);
    }
    return GFAB_OK;
}

static gfab_status take_numbers(const json_t *root, gfab_board *board, gfab_diag *diag)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        const json_t *value = json_object_get(root, numbers[i].key);
        const json_int_t number = json_integer_value(value);
        if (!value)
            return missing(numbers[i].key, "an integer", diag);
        if (!json_is_integer(value) || number < numbers[i].least || number > numbers[i].most)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE, "\"%s\" must be an integer of %" PRIu32 " .. %" PRIu32,
                             numbers[i].key, numbers[i].least, numbers[i].most);
        const uint32_t taken = (uint32_t)number;
        memcpy((char *)board + numbers[i].at, &taken, sizeof taken);
    }
    const json_t *flag = json_object_get(root, "leds_active_low");
    if (!flag)
        return missing("leds_active_low", "true or false", diag);
    board->leds_active_low = json_is_true(flag);
    return json_is_boolean(flag) ? GFAB_OK
                                 : gfab_fail(diag, 0, GFAB_ERR_PARSE, "\"leds_active_low\" must be true or false");
}

static gfab_status check_clock(const gfab_board *board, const gfab_family *family, gfab_diag *diag)
{
    gfab_pll pll;
    if (board->fabric_hz == board->clock_hz)
        return GFAB_OK;
    if (family->pll.divide_most == 0)
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "\"fabric_hz\" must be \"clock_hz\": no PLL is made use of in family %s", family->name);
    if (!gfab_pll_find(family, board->clock_hz, board->fabric_hz, &pll))
        return gfab_fail(diag, 0, GFAB_ERR_UNSUPPORTED,
                         "\"fabric_hz\": no settings of the PLL make %" PRIu32 " Hz of %" PRIu32, board->fabric_hz,
                         board->clock_hz);
    return GFAB_OK;
}

static gfab_status take_keys(own_board *own, const gfab_family **family, gfab_diag *diag)
{
    if (!json_is_object(own->root))
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "not an object");
    gfab_status status = take_texts(own->root, &own->board, diag);
    if (!status)
        status = take_numbers(own->root, &own->board, diag);
    if (status)
        return status;
    *family = gfab_family_find(own->board.family);
    if (!*family)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "\"family\" must be ice40, ecp5, gowin or xc7");
    if (json_object_size(own->root) != TEXTS + NUMBERS + FLAGS)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                         "a key is not one of a board's; docs/guide/adding-a-board.md has them");
    const gfab_status word = gfab_gen_check_word("\"fusesoc\"", own->board.fusesoc, GFAB_GEN_TARGETS, diag);
    return word ? word : check_clock(&own->board, *family, diag);
}

/* That of the folder, wherever it is called from: "." has a name, too. */
static gfab_status take_name(const char *folder, own_board *own, gfab_diag *diag)
{
    errno = 0;
    char *path = realpath(folder, NULL);
    if (!path)
        return errno == ENOMEM ? gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory")
                               : gfab_fail(diag, 0, GFAB_ERR_IO, "%s", strerror(errno));
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = strlen(name);
    const bool good =
        length > 0 && length < NAME_SIZE && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
    gfab_status status =
        good ? gfab_gen_check_word("the folder's name", name, GFAB_GEN_FILES, diag)
             : gfab_fail(diag, 0, GFAB_ERR_INVALID, "the board's folder must have a name of a .. z, 0 .. 9 and -");
    if (!status)
        memcpy(own->name, name, length + 1);
    free(path);
    return status;
}

static gfab_status take_file(const char *folder, const char *name, FILE **file, gfab_diag *diag)
{
    char path[PATH_SIZE];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "the folder has too long a name");
    errno = 0;
    *file = fopen(path, "r");
    return *file ? GFAB_OK
                 : gfab_fail(diag, 0, errno == ENOMEM ? GFAB_ERR_NO_MEMORY : GFAB_ERR_IO, "%s", strerror(errno));
}

static gfab_status take_pins(const char *folder, const gfab_family *family, own_board *own, gfab_diag *diag)
{
    char name[NAME_SIZE + 8];
    FILE *file = NULL;
    snprintf(name, sizeof name, "%s.%s", own->name, family->pins);
    gfab_status status = take_file(folder, name, &file, diag);
    if (status)
        return status != GFAB_ERR_IO || errno != ENOENT
                   ? status
                   : gfab_fail(diag, 0, GFAB_ERR_IO, "%s, the file of its pins, is not beside it", name);
    gfab_text text;
    gfab_diag reason = {0, ""};
    status = gfab_text_read(file, &text, &reason);
    fclose(file);
    if (status == GFAB_OK && text.size > PINS_MOST)
        status = gfab_fail(&reason, 0, GFAB_ERR_LIMIT, "more than %d bytes", PINS_MOST);
    own->pins = text.bytes;
    return status ? gfab_fail(diag, reason.line, status, "%s: %s", name, reason.message) : GFAB_OK;
}

gfab_status gfab_board_read(const char *folder, gfab_board **board, gfab_diag *diag)
{
    *board = NULL;
    if (!folder)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "no folder");
    own_board *own = calloc(1, sizeof *own);
    if (!own)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    const gfab_family *family = NULL;
    FILE *file = NULL;
    gfab_status status = take_file(folder, "board.json", &file, diag);
    if (!status) {
        status = gfab_json_read(file, &own->root, diag);
        fclose(file);
    }
    if (!status)
        status = take_name(folder, own, diag);
    if (!status)
        status = take_keys(own, &family, diag);
    if (!status)
        status = take_pins(folder, family, own, diag);
    own->board.name = own->name;
    own->board.pins = own->pins;
    if (status)
        gfab_board_free(&own->board);
    else
        *board = &own->board;
    return status;
}

void gfab_board_free(gfab_board *board)
{
    own_board *own = (own_board *)board;
    if (!own)
        return;
    json_decref(own->root);
    GFAB_FREE(own->pins, own);
}
