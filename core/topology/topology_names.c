/* SPDX-License-Identifier: MIT */
/* What nodes are called. A file says b0g0, and all that is made of it says so, too: names are a part of the topology,
 * and of its canonical text, where +names= lists them in the order of the nodes, =XX standing for bytes that mean
 * something else there (as in quoted-printable, RFC 2045). A node of a command or of a text is its number, or else the
 * longest name that begins there: names may have dashes and colons, which also separate. */
#include "topology_internal.h"

#include "base/number.h"
#include "base/tells.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Bytes of the character in UTF-8 that starts here; 0: none does, or it is a control character. */
static size_t character_bytes(const unsigned char *at, size_t left)
{
    const size_t bytes = *at < 0x80 ? 1 : *at >= 0xc2 && *at < 0xe0 ? 2 : *at >= 0xe0 && *at < 0xf0 ? 3 : 4;
    if (*at < 0x20 || *at == 0x7f || (*at >= 0x80 && *at < 0xc2) || *at > 0xf4 || bytes > left)
        return 0;
    if ((*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f) || (*at == 0xf0 && at[1] < 0x90) ||
        (*at == 0xf4 && at[1] > 0x8f))
        return 0;
    for (size_t i = 1; i < bytes; i++)
        if (at[i] < 0x80 || at[i] > 0xbf)
            return 0;
    return bytes;
}

bool gfab_topology_is_name(const char *name, size_t length)
{
    size_t at = 0;
    for (size_t bytes = 1; at < length && bytes > 0; at += bytes)
        bytes = character_bytes((const unsigned char *)name + at, length - at);
    return length > 0 && length <= GFAB_MAX_NODE_NAME && at == length &&
           character_bytes((const unsigned char *)name, length) > 0;
}

/* ---- setting them ---- */

static int compare(const void *left, const void *right)
{
    const char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

static gfab_status check_different(char *const *names, size_t nodes, gfab_diag *diag)
{
    GFAB_FREED const char **sorted = malloc((nodes + 1) * sizeof *sorted);
    gfab_status status = sorted ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, diag);
    size_t count = 0;
    for (size_t v = 0; sorted && v < nodes; v++)
        if (names[v])
            sorted[count++] = names[v];
    if (sorted)
        qsort(sorted, count, sizeof *sorted, compare);
    for (size_t i = 1; i < count && status == GFAB_OK; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status = gfab_fail(diag, 0, GFAB_ERR_INVALID, "two nodes are called %.80s", sorted[i]);
    return status;
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || strchr("._-:/", c);
}

/* +names= behind the text of a graph that lists its links. */
static gfab_status list_names(gfab_topology *t, gfab_diag *diag)
{
    size_t size = sizeof "+names=";
    for (size_t v = 0; v < t->node_count; v++)
        size += 1 + (t->names[v] ? 3 * strlen(t->names[v]) : 0);
    const size_t length = strlen(t->spec);
    char *spec = realloc(t->spec, length + size);
    GFAB_NEED_TOLD(spec, diag);
    t->spec = spec;
    char *at = spec + length;
    for (size_t v = 0; v < t->node_count; v++) {
        at += sprintf(at, "%s", v ? "," : "+names=");
        for (const char *c = t->names[v]; c && *c; c++) {
            const bool dash = *c == '-' && at[-1] == '-'; /* two would end a comment of XML */
            at += sprintf(at, is_plain(*c) && !dash ? "%c" : "=%02X", (unsigned)(unsigned char)*c);
        }
    }
    return GFAB_OK;
}

/* A name that is the node's number says nothing; one that is another's, where some node has its number alone, is taken
 * for that node. */
static bool says_more(const char *name, size_t node, size_t nodes, bool all)
{
    uint64_t number = 0;
    const char *at = name;
    if (!name || gfab_number_read(&at, UINT32_MAX, &number) != GFAB_NUMBER_OK || *at)
        return name;
    return number != node && (all || number >= nodes);
}

gfab_status gfab_topology_name_nodes(gfab_topology *topology, const char *const *names, gfab_diag *diag)
{
    const size_t nodes = topology->node_count;
    size_t bytes = 0, count = 0;
    bool all = true;
    for (size_t v = 0; v < nodes; v++)
        all = all && names[v];
    for (size_t v = 0; v < nodes; v++)
        if (says_more(names[v], v, nodes, all)) {
            bytes += strlen(names[v]) + 1;
            count++;
        }
    if (count == 0)
        return GFAB_OK;
    char **block = malloc(nodes * sizeof *block + bytes);
    GFAB_NEED_TOLD(block, diag);
    char *at = (char *)(block + nodes);
    for (size_t v = 0; v < nodes; v++) {
        block[v] = NULL;
        if (!says_more(names[v], v, nodes, all))
            continue;
        const size_t size = strlen(names[v]) + 1;
        block[v] = memcpy(at, names[v], size);
        at += size;
    }
    topology->names = block;
    GFAB_TRY(check_different(block, nodes, diag));
    return topology->listed ? list_names(topology, diag) : GFAB_OK;
}

const char *gfab_topology_node_name(const gfab_topology *topology, size_t node)
{
    return topology->names && node < topology->node_count ? topology->names[node] : NULL;
}

GFAB_TELLS(bool, gfab_topology_has_names, gfab_topology, names)
GFAB_TELLS(const char *, gfab_topology_note, gfab_topology, note)

/* ---- reading them ---- */

static int hex(char c)
{
    return is_digit(c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte that =XX stands for; -1 where none is written here. */
static int escaped(const char *at)
{
    const int high = *at == '=' ? hex(at[1]) : -1, low = high >= 0 ? hex(at[2]) : -1;
    return low >= 0 ? 16 * high + low : -1;
}

/* Bytes of the text that are this name, as it is or with =XX; 0: it is not there. */
static size_t match(const char *text, const char *name)
{
    const char *at = text;
    for (; *name; name++) {
        const bool is = *at == *name;
        if (!is && escaped(at) != (int)(unsigned char)*name)
            return 0;
        at += is ? 1 : 3;
    }
    return *at == '\0' || strchr(",+:-/", *at) ? (size_t)(at - text) : 0;
}

static gfab_status read_number(const char **at, size_t count, uint32_t *node, gfab_diag *diag)
{
    uint64_t number = 0;
    const char *start = *at;
    if (gfab_number_read(at, UINT32_MAX, &number) != GFAB_NUMBER_OK)
        return gfab_fail(diag, 0, GFAB_ERR_PARSE, "a node is expected at \"%.20s\"", start);
    if (number >= count)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "node %" PRIu64 " does not exist; nodes are 0 to %zu", number,
                         count - 1);
    *node = (uint32_t)number;
    return GFAB_OK;
}

gfab_status gfab_topology_read_node(const char *const *names, size_t count, const char **at, uint32_t *node,
                                    gfab_diag *diag)
{
    const size_t digits = strspn(*at, "0123456789");
    const bool number = digits > 0 && (!(*at)[digits] || strchr(",+:-/", (*at)[digits]));
    size_t longest = number ? digits : 0, found = count;
    for (size_t v = 0; names && v < count; v++) {
        const size_t length = names[v] ? match(*at, names[v]) : 0;
        const bool plain = length > 0 && strncmp(*at, names[v], length) == 0; /* not by =XX */
        if (length > longest || (plain && length == longest && found < count)) {
            longest = length;
            found = v;
        }
    }
    if (found == count && names && digits == 0)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "no node is called \"%.40s\"", *at);
    if (found == count)
        return read_number(at, count, node, diag);
    *at += longest;
    *node = (uint32_t)found;
    return GFAB_OK;
}

gfab_status gfab_topology_find_node(const gfab_topology *topology, const char *text, uint32_t *node, gfab_diag *diag)
{
    const char *at = text;
    GFAB_TRY(gfab_topology_read_node((const char *const *)topology->names, topology->node_count, &at, node, diag));
    if (*at)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID,
                         topology->names ? "no node is called \"%.40s\"" : "\"%.40s\" is no node's number", text);
    return GFAB_OK;
}

/* One name of the list, in place: shorter than what stands for it. */
static gfab_status decode(char *name, gfab_diag *diag)
{
    char *to = name;
    for (const char *at = name; *at; to++) {
        const int byte = escaped(at);
        if (*at == '=' && byte < 0)
            return gfab_fail(diag, 0, GFAB_ERR_PARSE,
                             "in a name = stands before two hexadecimal digits, not in \"%.20s\"", at);
        at += byte < 0 ? 1 : 3;
        *to = byte < 0 ? at[-1] : (char)byte;
        if (*to == '\0')
            return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a name with a NUL byte");
    }
    *to = '\0';
    if (*name && !gfab_topology_is_name(name, strlen(name)))
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "a name has 1 to %d bytes of UTF-8 without control characters",
                         GFAB_MAX_NODE_NAME);
    return GFAB_OK;
}

gfab_status gfab_topology_read_range(const char *const *names, size_t count, const char **at, uint32_t ends[2],
                                     bool *range, gfab_diag *diag)
{
    GFAB_TRY(gfab_topology_read_node(names, count, at, &ends[0], diag));
    ends[1] = ends[0];
    *range = **at == '-';
    if (!*range)
        return GFAB_OK;
    ++*at;
    GFAB_TRY(gfab_topology_read_node(names, count, at, &ends[1], diag));
    return ends[1] < ends[0] ? GFAB_ERR_PARSE : GFAB_OK;
}

gfab_status gfab_topology_read_names(const char **at, size_t count, char ***names, gfab_diag *diag)
{
    const size_t length = strcspn(*at, "+");
    size_t listed = 1;
    for (size_t i = 0; i < length; i++)
        listed += (*at)[i] == ',';
    if (listed != count)
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "+names= lists %zu names; there are %zu nodes", listed, count);
    GFAB_FREED char **block = malloc(count * sizeof *block + length + 1);
    GFAB_NEED_TOLD(block, diag);
    char *name = (char *)(block + count);
    memcpy(name, *at, length);
    name[length] = '\0';
    for (size_t v = 0; v < count; v++) {
        char *next = name + strcspn(name, ",");
        const bool more = *next == ',';
        *next = '\0';
        GFAB_TRY(decode(name, diag));
        block[v] = *name ? name : NULL;
        name = next + more;
    }
    free(*names);
    *names = gfab_take_at(&block);
    *at += length;
    return GFAB_OK;
}
