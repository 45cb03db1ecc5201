/* SPDX-License-Identifier: MIT */
/* Certificates as text, docs/reference/certificate-format.md. */
#include "base/lines.h"
#include "base/number.h"

#include <gossipfab/schedule/certificate.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "gossipfab-certificate 1"
#define NONE UINT32_MAX

/* ---- writing ---- */

static void write_part(const gfab_topology *topology, const gfab_certificate *c, uint32_t part, FILE *file)
{
    const uint32_t nodes = (uint32_t)gfab_topology_node_count(topology);
    const char *before = "part ";
    for (uint32_t v = 0, last; v < nodes; v = last + 1) {
        last = v;
        if (c->part[v] != part)
            continue;
        while (last + 1 < nodes && c->part[last + 1] == part)
            last++;
        fprintf(file, "%s%" PRIu32, before, v);
        if (last > v)
            fprintf(file, "-%" PRIu32, last);
        before = ",";
    }
    fputc('\n', file);
}

gfab_status gfab_certificate_write(const gfab_topology *topology, const gfab_certificate *c, FILE *file)
{
    fprintf(file, FIRST_LINE "\ntopology %s\nlink-mode %s\ncollective %s\nroot %" PRIu32 "\n",
            gfab_topology_spec(topology), gfab_link_mode_name(c->link_mode), gfab_collective_name(c->goal.collective),
            c->goal.root);
    fprintf(file, "kind %s\nblocks %" PRIu32 "\ndemand %" PRIu64 "\ncapacity %" PRIu64 "\n",
            c->cut ? "cut" : "partition", c->goal.blocks, c->demand, c->capacity);
    for (uint32_t part = 0; part < c->parts; part++)
        write_part(topology, c, part, file);
    return ferror(file) ? GFAB_ERR_IO : GFAB_OK;
}

/* ---- reading ---- */

typedef gfab_lines reader;

/* The next line, which has to begin with a key and a space; *value is what follows. At the end of the file *value is
 * NULL. */
static gfab_status read_line(reader *r, const char *key, const char **value)
{
    const size_t length = strlen(key);
    bool found;
    *value = NULL;
    const gfab_status status = gfab_lines_next(r, &found);
    if (status != GFAB_OK || !found)
        return status;
    if (strncmp(r->text, key, length) != 0 || (r->text[length] != ' ' && length > 0))
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected '%s ...'", key);
    *value = r->text + length + (length > 0);
    return GFAB_OK;
}

/* The same of a line that has to be there. */
static gfab_status need_line(reader *r, const char *key, const char **value)
{
    const gfab_status status = read_line(r, key, value);
    if (status == GFAB_OK && !*value)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "the file ends here; expected '%s ...'", key);
    return status;
}

static gfab_status need_number(reader *r, const char *key, uint64_t most, uint64_t *number)
{
    const char *at;
    const gfab_status status = need_line(r, key, &at);
    if (status != GFAB_OK)
        return status;
    if (gfab_number_read(&at, most, number) != GFAB_NUMBER_OK || *at)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "%s: expected a number from 0 to %" PRIu64, key, most);
    return GFAB_OK;
}

static gfab_status read_head(reader *r, gfab_topology **topology, gfab_certificate *c)
{
    const char *text;
    uint64_t root = 0;
    gfab_diag reason = {0, ""};
    gfab_status status = need_line(r, "", &text);
    if (status == GFAB_OK && strcmp(text, FIRST_LINE) != 0)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected '" FIRST_LINE "'");
    if (status == GFAB_OK)
        status = need_line(r, "topology", &text);
    if (status == GFAB_OK && strncmp(text, "file:", 5) == 0)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "a topology in a file; expected its links");
    if (status == GFAB_OK && (status = gfab_topology_parse(text, topology, &reason)) != GFAB_OK)
        return gfab_fail(r->diag, r->line, status, "%s", reason.message);
    if (status == GFAB_OK)
        status = need_line(r, "link-mode", &text);
    if (status == GFAB_OK && gfab_link_mode_parse(text, &c->link_mode, &reason) != GFAB_OK)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "%s", reason.message);
    if (status == GFAB_OK)
        status = need_line(r, "collective", &text);
    if (status == GFAB_OK && gfab_collective_parse(text, &c->goal.collective, &reason) != GFAB_OK)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "%s", reason.message);
    if (status == GFAB_OK)
        status = need_number(r, "root", GFAB_MAX_NODES, &root);
    c->goal.root = (uint32_t)root;
    return status;
}

/* Nodes and ranges of them, rising, none of them in a part before. */
static gfab_status read_part(reader *r, const char *at, uint32_t nodes, gfab_certificate *c)
{
    uint64_t first, last, next = 0;
    for (;; at++) {
        if (gfab_number_read(&at, nodes - 1, &first) != GFAB_NUMBER_OK || first < next)
            break;
        last = first;
        if (*at == '-' && (at++, gfab_number_read(&at, nodes - 1, &last) != GFAB_NUMBER_OK || last <= first))
            break;
        for (uint64_t v = first; v <= last; v++) {
            if (c->part[v] != NONE)
                return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "node %" PRIu64 " is in two parts", v);
            c->part[v] = c->parts;
        }
        next = last + 1;
        if (*at != ',') {
            c->parts++;
            return *at ? gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected ',' or the end of the line") : GFAB_OK;
        }
    }
    return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "expected rising nodes from 0 to %" PRIu32 ", such as 0,2-4",
                     nodes - 1);
}

static gfab_status read_parts(reader *r, uint32_t nodes, gfab_certificate *c)
{
    const char *text;
    gfab_status status;
    c->part = malloc(nodes * sizeof *c->part);
    if (!c->part)
        return GFAB_ERR_NO_MEMORY;
    for (uint32_t v = 0; v < nodes; v++)
        c->part[v] = NONE;
    while ((status = read_line(r, "part", &text)) == GFAB_OK && text)
        if ((status = read_part(r, text, nodes, c)) != GFAB_OK)
            return status;
    for (uint32_t v = 0; v < nodes && status == GFAB_OK; v++)
        if (c->part[v] == NONE)
            return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "node %" PRIu32 " is in no part", v);
    if (status == GFAB_OK && (c->parts < 2 || (c->cut && c->parts > 2)))
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "%" PRIu32 " part%s; expected %s", c->parts,
                         c->parts == 1 ? "" : "s", c->cut ? "2" : "2 or more");
    return status;
}

static gfab_status read_all(reader *r, gfab_topology **topology, gfab_certificate *c)
{
    const char *kind;
    uint64_t blocks = 0;
    gfab_status status = read_head(r, topology, c);
    if (status == GFAB_OK)
        status = need_line(r, "kind", &kind);
    if (status != GFAB_OK)
        return status;
    c->cut = strcmp(kind, "cut") == 0;
    if (!c->cut && strcmp(kind, "partition") != 0)
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "kind: expected cut or partition");
    status = need_number(r, "blocks", GFAB_MAX_NODES, &blocks);
    c->goal.blocks = (uint32_t)blocks;
    const bool of_members = c->goal.collective == GFAB_ALL_GATHER || c->goal.collective == GFAB_REDUCE_SCATTER;
    const size_t members = gfab_topology_member_count(*topology);
    if (status == GFAB_OK && (c->goal.collective == GFAB_ALL_TO_ALL || blocks != (of_members ? members : 1) ||
                              gfab_goal_check(&c->goal, members, NULL) != GFAB_OK))
        return gfab_fail(r->diag, r->line, GFAB_ERR_PARSE, "there is no such certificate of this collective and root");
    if (status == GFAB_OK)
        status = need_number(r, "demand", UINT64_MAX, &c->demand);
    if (status == GFAB_OK)
        status = need_number(r, "capacity", UINT64_MAX, &c->capacity);
    return status == GFAB_OK ? read_parts(r, (uint32_t)gfab_topology_node_count(*topology), c) : status;
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
