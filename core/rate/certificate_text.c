/* SPDX-License-Identifier: MIT */
/* Certificates as text, docs/reference/certificate-format.md. */
#include "base/lines.h"
#include "base/number.h"

#include <gossipfab/schedule/certificate.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "gossipfab-certificate 1"
#define MAX_TERMS 1024u

/* ---- writing ---- */

/* A line of the nodes that are in a set, rising and in ranges, after what it begins with. */
static void write_nodes(FILE *file, const char *before, const bool *in, size_t nodes)
{
    for (size_t v = 0, last; v < nodes; v = last + 1) {
        last = v;
        if (!in[v])
            continue;
        while (last + 1 < nodes && in[last + 1])
            last++;
        fprintf(file, "%s%zu", before, v);
        if (last > v)
            fprintf(file, "-%zu", last);
        before = ",";
    }
    fputc('\n', file);
}

static void write_parts(const gfab_certificate *c, bool *in, size_t nodes, FILE *file)
{
    for (uint32_t part = 0; part < c->parts; part++) {
        for (size_t v = 0; v < nodes; v++)
            in[v] = c->part[v] == part;
        write_nodes(file, "part ", in, nodes);
    }
}

/* Nodes of the same weight in one line, those of none in none. */
static void write_weights(const gfab_port_certificate *ports, bool *in, size_t nodes, FILE *file)
{
    char before[40];
    for (size_t first = 0; first < nodes; first++) {
        bool earlier = ports->node[first] == 0;
        for (size_t v = 0; v < nodes; v++) {
            in[v] = ports->node[v] == ports->node[first];
            earlier = earlier || (in[v] && v < first);
        }
        if (earlier)
            continue;
        (void)snprintf(before, sizeof before, "nodes %" PRIu64 " ", ports->node[first]);
        write_nodes(file, before, in, nodes);
    }
    for (uint32_t i = 0; i < ports->sets; i++) {
        (void)snprintf(before, sizeof before, "odd %" PRIu64 " ", ports->set[i]);
        write_nodes(file, before, ports->in[i], nodes);
    }
}

static const char *kind_of(const gfab_certificate *c)
{
    return c->ports ? "matchings" : c->cut ? "cut" : "partition";
}

gfab_status gfab_certificate_write(const gfab_topology *topology, const gfab_certificate *c, FILE *file)
{
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_FREED bool *in = malloc(nodes * sizeof *in);
    GFAB_NEED(in);
    fprintf(file, FIRST_LINE "\ntopology %s\nlink-mode %s\ncollective %s\nroot %" PRIu32 "\n",
            gfab_topology_spec(topology), gfab_link_mode_name(c->link_mode), gfab_collective_name(c->goal.collective),
            c->goal.root);
    fprintf(file, "kind %s\nblocks %" PRIu32 "\ndemand %" PRIu64 "\ncapacity %" PRIu64 "\n", kind_of(c), c->goal.blocks,
            c->demand, c->capacity);
    if (!c->ports)
        write_parts(c, in, nodes, file);
    for (uint32_t i = 0; c->ports && i < c->ports->terms; i++) {
        fprintf(file, "%s %" PRIu64 "\n", kind_of(&c->ports->term[i]), c->ports->factor[i]);
        write_parts(&c->ports->term[i], in, nodes, file);
    }
    if (c->ports)
        write_weights(c->ports, in, nodes, file);
    return ferror(file) ? GFAB_ERR_IO : GFAB_OK;
}

/* ---- reading ---- */

typedef gfab_lines reader;

/* What follows a key and a space in the reader's line; NULL: it has another key. */
static const char *value_of(const reader *r, const char *key)
{
    const size_t length = strlen(key);
    return strncmp(r->text, key, length) != 0 || (r->text[length] != ' ' && length > 0)
               ? NULL
               : r->text + length + (length > 0);
}

/* The next line, which has to begin with a key and a space; *value is what follows. At the end of the file *value is
 * NULL. */
static gfab_status read_line(reader *r, const char *key, const char **value)
{
    bool found;
    *value = NULL;
    GFAB_TRY(gfab_lines_next(r, &found));
    if (!found)
        return GFAB_OK;
    *value = value_of(r, key);
    return *value ? GFAB_OK : gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected '%s ...'", key);
}

/* The same of a line that has to be there. */
static gfab_status need_line(reader *r, const char *key, const char **value)
{
    GFAB_TRY(read_line(r, key, value));
    if (!*value)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "the file ends here; expected '%s ...'", key);
    return GFAB_OK;
}

static gfab_status need_number(reader *r, const char *key, uint64_t most, uint64_t *number)
{
    const char *at;
    GFAB_TRY(need_line(r, key, &at));
    if (gfab_number_read(&at, most, number) != GFAB_NUMBER_OK || *at)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "%s: expected a number from 0 to %" PRIu64, key, most);
    return GFAB_OK;
}

static gfab_status read_head(reader *r, gfab_topology **topology, gfab_certificate *c)
{
    const char *text;
    uint64_t root = 0;
    gfab_diag reason = {0, ""};
    GFAB_TRY(need_line(r, "", &text));
    if (strcmp(text, FIRST_LINE) != 0)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected '" FIRST_LINE "'");
    GFAB_TRY(need_line(r, "topology", &text));
    if (strncmp(text, "file:", 5) == 0)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "a topology in a file; expected its links");
    const gfab_status status = gfab_topology_parse(text, topology, &reason);
    if (status != GFAB_OK)
        return gfab_fail(r->diag, r->line, status, "%s", reason.message);
    GFAB_TRY(need_line(r, "link-mode", &text));
    if (gfab_link_mode_parse(text, &c->link_mode, &reason) != GFAB_OK)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "%s", reason.message);
    GFAB_TRY(need_line(r, "collective", &text));
    if (gfab_collective_parse(text, &c->goal.collective, &reason) != GFAB_OK)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "%s", reason.message);
    GFAB_TRY(need_number(r, "root", GFAB_MAX_NODES, &root));
    c->goal.root = (uint32_t)root;
    return GFAB_OK;
}

/* Nodes and ranges of them, rising: in[] gets which they are. */
static gfab_status read_nodes(reader *r, const char *at, size_t nodes, bool *in)
{
    uint64_t first, last, next = 0;
    memset(in, 0, nodes * sizeof *in);
    for (;; at++) {
        if (gfab_number_read(&at, nodes - 1, &first) != GFAB_NUMBER_OK || first < next)
            break;
        last = first;
        if (*at == '-' && (at++, gfab_number_read(&at, nodes - 1, &last) != GFAB_NUMBER_OK || last <= first))
            break;
        for (uint64_t v = first; v <= last; v++)
            in[v] = true;
        next = last + 1;
        if (*at != ',')
            return *at ? gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected ',' or the end of the line") : GFAB_OK;
    }
    return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected rising nodes from 0 to %zu, such as 0,2-4", nodes - 1);
}

/* Nodes none of which is in a part before. */
static gfab_status read_part(reader *r, const char *at, size_t nodes, bool *in, gfab_certificate *c)
{
    GFAB_TRY(read_nodes(r, at, nodes, in));
    for (size_t v = 0; v < nodes; v++) {
        if (in[v] && c->part[v] != GFAB_NO_PART)
            return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "node %zu is in two parts", v);
        c->part[v] = in[v] ? c->parts : c->part[v];
    }
    c->parts++;
    return GFAB_OK;
}

/* All parts of a certificate of all ports; *more: a line of another key comes next, the reader's. Switches of
 * `outside`, which may be NULL, may be in none. */
static gfab_status read_parts(reader *r, size_t nodes, const gfab_topology *outside, bool *in, gfab_certificate *c,
                              bool *more)
{
    c->part = malloc(nodes * sizeof *c->part);
    GFAB_NEED(c->part);
    for (size_t v = 0; v < nodes; v++)
        c->part[v] = GFAB_NO_PART;
    GFAB_TRY(gfab_lines_next(r, more));
    for (const char *text; *more && (text = value_of(r, "part"));) {
        GFAB_TRY(read_part(r, text, nodes, in, c));
        GFAB_TRY(gfab_lines_next(r, more));
    }
    for (size_t v = 0; v < nodes; v++)
        if (c->part[v] == GFAB_NO_PART && (c->cut || !outside || !gfab_topology_is_passive(outside, (uint32_t)v)))
            return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "node %zu is in no part", v);
    if (c->parts < 2 || (c->cut && c->parts > 2))
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "%" PRIu32 " part%s; expected %s", c->parts,
                         c->parts == 1 ? "" : "s", c->cut ? "2" : "2 or more");
    return GFAB_OK;
}

/* A number and a space, before what a line says of it. */
static gfab_status read_factor(reader *r, const char **at, uint64_t *factor)
{
    if (gfab_number_read(at, UINT64_MAX, factor) != GFAB_NUMBER_OK || *factor == 0 || **at != ' ')
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected a number above 0, a space and nodes");
    ++*at;
    return GFAB_OK;
}

static gfab_status read_term(reader *r, size_t nodes, bool *in, const gfab_certificate *c, bool *more)
{
    gfab_port_certificate *ports = c->ports;
    const char *cut = value_of(r, "cut"), *at = cut ? cut : value_of(r, "partition");
    if (ports->terms == MAX_TERMS)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "more than %u cuts and partitions", MAX_TERMS);
    gfab_certificate *term = &ports->term[ports->terms];
    uint64_t *factor = &ports->factor[ports->terms++];
    *term = (gfab_certificate){.goal = c->goal, .link_mode = c->link_mode, .cut = cut};
    if (gfab_number_read(&at, UINT64_MAX, factor) != GFAB_NUMBER_OK || *factor == 0 || *at)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected a number above 0 after %s",
                         cut ? "cut" : "partition");
    return read_parts(r, nodes, NULL, in, term, more);
}

static gfab_status read_set(reader *r, size_t nodes, gfab_port_certificate *ports)
{
    const char *at = value_of(r, "odd");
    if (ports->sets == nodes)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "more odd sets than nodes");
    bool *in = ports->in[ports->sets] = malloc(nodes * sizeof *in);
    GFAB_NEED(in);
    GFAB_TRY(read_factor(r, &at, &ports->set[ports->sets++]));
    return read_nodes(r, at, nodes, in);
}

static gfab_status read_weight(reader *r, size_t nodes, bool *in, gfab_port_certificate *ports)
{
    const char *at = value_of(r, "nodes");
    uint64_t weight = 0;
    GFAB_TRY(read_factor(r, &at, &weight));
    GFAB_TRY(read_nodes(r, at, nodes, in));
    for (size_t v = 0; v < nodes; v++) {
        if (in[v] && ports->node[v])
            return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "node %zu has two weights", v);
        ports->node[v] = in[v] ? weight : ports->node[v];
    }
    return GFAB_OK;
}

/* Terms, then weights of nodes, then odd sets. */
static gfab_status read_ports(reader *r, size_t nodes, bool *in, gfab_certificate *c)
{
    gfab_port_certificate *ports = c->ports = calloc(1, sizeof *ports);
    bool more;
    GFAB_NEED(ports);
    ports->term = calloc(MAX_TERMS, sizeof *ports->term);
    ports->factor = calloc(MAX_TERMS, sizeof *ports->factor);
    ports->node = calloc(nodes, sizeof *ports->node);
    ports->set = calloc(nodes, sizeof *ports->set);
    ports->in = calloc(nodes, sizeof *ports->in);
    GFAB_NEED(ports->term && ports->factor && ports->node && ports->set && ports->in);
    GFAB_TRY(gfab_lines_next(r, &more));
    while (more && (value_of(r, "cut") || value_of(r, "partition")))
        GFAB_TRY(read_term(r, nodes, in, c, &more));
    while (more && value_of(r, "nodes")) {
        GFAB_TRY(read_weight(r, nodes, in, ports));
        GFAB_TRY(gfab_lines_next(r, &more));
    }
    while (more && value_of(r, "odd")) {
        GFAB_TRY(read_set(r, nodes, ports));
        GFAB_TRY(gfab_lines_next(r, &more));
    }
    if (more || ports->terms == 0)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected %s",
                         ports->terms ? "'nodes ...' or 'odd ...', in this order" : "'cut ...' or 'partition ...'");
    return GFAB_OK;
}

static gfab_status read_body(reader *r, const gfab_topology *topology, gfab_certificate *c, bool ports)
{
    const size_t nodes = gfab_topology_node_count(topology);
    GFAB_FREED bool *in = malloc(nodes * sizeof *in);
    bool more = false;
    GFAB_NEED(in);
    GFAB_TRY(ports ? read_ports(r, nodes, in, c) : read_parts(r, nodes, topology, in, c, &more));
    return more ? gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected 'part ...'") : GFAB_OK;
}

static gfab_status read_all(reader *r, gfab_topology **topology, gfab_certificate *c)
{
    const char *kind;
    uint64_t blocks = 0;
    GFAB_TRY(read_head(r, topology, c));
    GFAB_TRY(need_line(r, "kind", &kind));
    const bool ports = strcmp(kind, "matchings") == 0;
    c->cut = strcmp(kind, "cut") == 0;
    if (!ports && !c->cut && strcmp(kind, "partition") != 0)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "kind: expected cut, partition or matchings");
    GFAB_TRY(need_number(r, "blocks", GFAB_MAX_NODES, &blocks));
    c->goal.blocks = (uint32_t)blocks;
    const bool of_members = c->goal.collective == GFAB_ALL_GATHER || c->goal.collective == GFAB_REDUCE_SCATTER;
    const size_t members = gfab_topology_member_count(*topology);
    if (c->goal.collective == GFAB_ALL_TO_ALL || blocks != (of_members ? members : 1) ||
        gfab_goal_check(&c->goal, members, NULL) != GFAB_OK)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "there is no such certificate of this collective and root");
    GFAB_TRY(need_number(r, "demand", UINT64_MAX, &c->demand));
    GFAB_TRY(need_number(r, "capacity", UINT64_MAX, &c->capacity));
    return read_body(r, *topology, c, ports);
}

gfab_status gfab_certificate_read(FILE *file, gfab_topology **topology, gfab_certificate *certificate, gfab_diag *diag)
{
    reader r = {.file = file, .diag = diag};
    *topology = NULL;
    *certificate = (gfab_certificate){.parts = 0};
    const gfab_status status = read_all(&r, topology, certificate);
    free(r.text);
    if (status == GFAB_OK)
        return GFAB_OK;
    gfab_certificate_release(certificate);
    gfab_topology_destroy(*topology);
    *topology = NULL;
    return status == GFAB_ERR_NO_MEMORY ? gfab_fail(diag, 0, status, "%s", gfab_status_string(status)) : status;
}
