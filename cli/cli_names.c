/* SPDX-License-Identifier: MIT */
/* What people write in the place of a name or a number. A name that is not known is compared with those that are, by
 * edit distance, and with what others call the same thing, so that the error line can say what would be right. A
 * topology may also be a file, or have its sizes without a colon. Numbers may be sizes: 1e6, 64KiB. */
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 40 }; /* of the words of a command line that are compared */

/* Edit distance with adjacent swaps (optimal string alignment), over the short words of a command line. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1];
    size_t length_a = strlen(a), length_b = strlen(b);
    if (length_a > LONGEST || length_b > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= length_b; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && above2[j - 2] + 1 < best)
                best = above2[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[length_a % 3][length_b];
}

/* Without what is written in many ways: All_Reduce and all-reduce are one. False: it is too long. */
static bool plain_word(const char *text, char plain[LONGEST + 1])
{
    size_t length = 0;
    for (; *text != '\0'; text++)
        if (*text != '-' && *text != '_') {
            if (length == LONGEST)
                return false;
            plain[length++] = (char)tolower((unsigned char)*text);
        }
    plain[length] = '\0';
    return true;
}

const char *cli_suggest(const char *text, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t best_distance = 3;
    const size_t length = strlen(text);
    char asked[LONGEST + 1], known[LONGEST + 1];
    const bool plain = plain_word(text, asked) && asked[0] != '\0';
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(text, names[i]);
        if (length >= 2 && strncmp(text, names[i], length) == 0)
            distance = 1;
        if (plain && plain_word(names[i], known) && strcmp(asked, known) == 0)
            distance = 0;
        if (distance < best_distance && distance < strlen(names[i])) {
            best_distance = distance;
            best = names[i];
        }
    }
    return best;
}

/* ---- topologies ---- */

bool cli_names_family(const char *text)
{
    const size_t length = strcspn(text, ":+");
    const gfab_topology_family *family;
    for (size_t i = 0; (family = gfab_topology_family_at(i)); i++)
        if (strlen(family->name) == length && memcmp(family->name, text, length) == 0)
            return true;
    return false;
}

/* What others call the families. */
static const struct {
    const char *other, *name;
} aliases[] = {{"ring", "cycle"},        {"grid", "mesh"},         {"line", "path"},      {"chain", "path"},
               {"clique", "complete"},   {"full", "complete"},     {"cube", "hypercube"}, {"fattree", "fat-tree"},
               {"mesh2d", "mesh"},       {"torus2d", "torus"},     {"mesh3d", "mesh"},    {"torus3d", "torus"},
               {"kautz-graph", "kautz"}, {"de-bruijn", "debruijn"}};

/* The family that a name of so many characters means; NULL: none. */
static const char *family_meant(const char *text, size_t length)
{
    enum { MOST = 64 };
    const char *names[MOST];
    char name[LONGEST + 1], plain[LONGEST + 1], known[LONGEST + 1];
    size_t count = 0;
    const gfab_topology_family *family;
    if (length == 0 || length > LONGEST)
        return NULL;
    memcpy(name, text, length);
    name[length] = '\0';
    (void)plain_word(name, plain);
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (plain_word(aliases[i].other, known) && strcmp(plain, known) == 0)
            return aliases[i].name;
    while (count < MOST && (family = gfab_topology_family_at(count)))
        names[count++] = family->name;
    return cli_suggest(name, names, count);
}

/* Is there a file of so many characters of the name? */
static bool is_file(const char *name, size_t length)
{
    char path[4096];
    if (length >= sizeof path)
        return false;
    memcpy(path, name, length);
    path[length] = '\0';
    FILE *file = fopen(path, "r");
    const bool is = file && fgetc(file) != EOF; /* a folder gives nothing */
    if (file)
        (void)fclose(file);
    return is;
}

/* The characters that name a file: all, or those before a change such as +drop-link=0-1; 0: none do. */
static size_t file_length(const char *text)
{
    const size_t all = strlen(text), base = strcspn(text, "+");
    return is_file(text, all) ? all : base < all && is_file(text, base) ? base : 0;
}

bool cli_names_graph_file(const char *text)
{
    static const char *const endings[] = {".dot",   ".gv",       ".graphml", ".gml", ".metis",
                                          ".graph", ".edgelist", ".edges",   ".conf"};
    const size_t length = strcspn(text, "+");
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t size = strlen(endings[i]);
        if (length > size && memcmp(text + length - size, endings[i], size) == 0)
            return file_length(text) > 0;
    }
    return false;
}

static bool is_machine(const char *spec)
{
    char text[64];
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *topology = NULL;
    (void)snprintf(text, sizeof text, "machine:%.40s", spec);
    return gfab_topology_parse(text, &topology, NULL) == GFAB_OK;
}

int cli_topology_name(const char *verb, const char *spec, char **file_spec)
{
    *file_spec = NULL;
    if (cli_names_family(spec))
        return CLI_GO_ON;
    if (file_length(spec) > 0) {
        const size_t size = strlen(spec) + sizeof "file:";
        *file_spec = malloc(size);
        if (!*file_spec)
            return cli_fail(verb, GFAB_ERR_NO_MEMORY, NULL, NULL);
        (void)snprintf(*file_spec, size, "file:%s", spec);
        return CLI_GO_ON;
    }
    const size_t length = strcspn(spec, ":+"), letters = strcspn(spec, "0123456789:+");
    if (length > 0 && strspn(spec, "0123456789x") == length && spec[length] != ':')
        return cli_error(verb, "\"%.40s\" is no topology: which family? Did you mean mesh:%.40s?", spec, spec);
    /* mesh4x4: a name and its sizes, without the colon. */
    const char *sized = letters < length ? family_meant(spec, letters) : NULL;
    if (sized)
        return cli_error(verb, "topology \"%.40s\": there is no colon; did you mean %s:%.40s?", spec, sized,
                         spec + letters);
    if (is_machine(spec))
        return cli_error(verb, "topology \"%.40s\": did you mean machine:%.40s?", spec, spec);
    const char *close = strpbrk(spec, "./") ? NULL : family_meant(spec, length);
    if (close)
        return cli_error(verb, "topology \"%.40s\": unknown family \"%.*s\"; did you mean %s%.40s?", spec, (int)length,
                         spec, close, spec + length);
    if (strpbrk(spec, "./"))
        return cli_error(verb,
                         "topology \"%.40s\": there is no such file, and no such family; %s list topologies "
                         "has the families",
                         spec, cli_program);
    return CLI_GO_ON;
}

/* ---- collectives ---- */

int cli_collective_name(const char *verb, const char *text, gfab_collective *collective)
{
    static const char *const others[][2] = {
        {"gather", "all-gather"}, {"gossip", "all-gather"}, {"bcast", "broadcast"}, {"exchange", "all-to-all"}};
    const char *names[GFAB_COLLECTIVES];
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_collective_parse(text, collective, &diag);
    if (status == GFAB_OK)
        return CLI_GO_ON;
    for (size_t i = 0; i < GFAB_COLLECTIVES; i++)
        names[i] = gfab_collective_name((gfab_collective)i);
    const char *close = cli_suggest(text, names, GFAB_COLLECTIVES);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(text, others[i][0]) == 0)
            close = others[i][1];
    return close ? cli_error(verb, "unknown collective \"%.40s\"; did you mean %s?", text, close)
                 : cli_fail(verb, status, NULL, &diag);
}

/* ---- sizes ---- */

/* The unit at *text: how many bytes it is, 1 where there is none. It moves on. */
static uint64_t read_unit(const char **text)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {{"KiB", 1u << 10}, {"MiB", 1u << 20}, {"GiB", 1u << 30},  {"TiB", (uint64_t)1 << 40}, {"kB", 1000},
                 {"KB", 1000},      {"MB", 1000000},   {"GB", 1000000000}, {"TB", 1000000000000},      {"B", 1}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t length = strlen(units[i].name);
        if (strncmp(*text, units[i].name, length) == 0) {
            *text += length;
            return units[i].bytes;
        }
    }
    return 1;
}

/* value * 10 + digit, at most UINT64_MAX. */
static uint64_t add_digit(uint64_t value, unsigned digit)
{
    return value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
}

/* Digits with a point among them: *value is the number times 10^places. */
static bool read_digits(const char **text, uint64_t *value, unsigned *places)
{
    bool point = false, digits = false;
    for (*value = 0, *places = 0;; ++*text) {
        if (**text == '.' && digits && !point && isdigit((unsigned char)(*text)[1])) {
            point = true;
        } else if (isdigit((unsigned char)**text)) {
            *value = add_digit(*value, (unsigned)(**text - '0'));
            digits = true;
            *places += point;
        } else {
            return digits;
        }
    }
}

bool cli_read_size(const char **text, bool bytes, uint64_t *number)
{
    const char *at = *text;
    uint64_t value;
    unsigned places, power = 0;
    if (!read_digits(&at, &value, &places))
        return false;
    if ((*at == 'e' || *at == 'E') && isdigit((unsigned char)at[1]))
        for (at++; isdigit((unsigned char)*at); at++)
            power = power < 100 ? power * 10 + (unsigned)(*at - '0') : power;
    const uint64_t unit = bytes ? read_unit(&at) : 1;
    bool large = value > UINT64_MAX / unit;
    value *= unit;
    for (; power > places && !large && value > 0; power--) {
        value = add_digit(value, 0);
        large = value == UINT64_MAX;
    }
    for (; places > power && !large; places--, value /= 10)
        if (value % 10 != 0)
            return false;
    *number = large ? UINT64_MAX : value;
    *text = at;
    return true;
}
