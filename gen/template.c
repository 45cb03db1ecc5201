/* SPDX-License-Identifier: MIT */
/* The expander of templates; gen.h has the marks. Recursive: a part of a template that is chosen or repeated is
 * expanded by itself, one that is not is walked through for its end. */
#define _XOPEN_SOURCE 700
#include "gen.h"

#include <gossipfab/base/text.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct expander {
    const char *end; /* of the template */
    FILE *file;
    gfab_diag *diag;
} expander;

/* Where a part is expanded: for which item of which list, within which other part. */
typedef struct scope {
    const gfab_gen *gen;
    const gfab_gen_list *list; /* NULL: outside of all */
    size_t at, item, count;    /* at: of so many parts; item: of the list's */
    const struct scope *outer;
} scope;

typedef enum mark { MARK_NONE, MARK_COMMENT, MARK_IF, MARK_ELSE, MARK_END, MARK_FOR, MARK_FILL, MARK_INCLUDE } mark;

typedef struct part {
    const char *at; /* in: where it begins; out: behind the mark that ends it */
    mark ended_by;  /* MARK_NONE: the end of the template */
} part;

static bool is(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

static const char *line_end(const expander *x, const char *line)
{
    const char *end = memchr(line, '\n', (size_t)(x->end - line));
    return end ? end + 1 : x->end;
}

/* Which mark the line is, and what it names. */
static mark read_mark(const char *line, const char *stop, const char **name, size_t *length)
{
    static const struct {
        const char *text;
        mark mark;
    } marks[] = {{"@#", MARK_COMMENT}, {"@IF ", MARK_IF},           {"@FOR ", MARK_FOR},  {"@ELSE@", MARK_ELSE},
                 {"@END@", MARK_END},  {"@INCLUDE ", MARK_INCLUDE}, {"@FILL ", MARK_FILL}};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const size_t size = strlen(marks[i].text);
        if ((size_t)(stop - line) < size || memcmp(line, marks[i].text, size) != 0)
            continue;
        const char *close = memchr(line + size, '@', (size_t)(stop - line - (ptrdiff_t)size));
        *name = line + size;
        *length = close ? (size_t)(close - *name) : 0;
        return marks[i].mark;
    }
    return MARK_NONE;
}

static gfab_status write_line(const expander *x, const scope *s, const char *line, const char *stop);

/* A field of a port, itself a text with names. */
static gfab_status write_port(const expander *x, const scope *s, const scope *of, const char *name, size_t length)
{
    gfab_gen_port port;
    char field[24], text[GFAB_GEN_PORT];
    snprintf(field, sizeof field, "%.*s", (int)length, name);
    if (length >= sizeof field || !gfab_gen_port_at(of->gen, of->list->name, of->item, &port))
        return GFAB_ERR_UNSUPPORTED;
    GFAB_TRY(gfab_gen_port_field(of->gen, &port, field, text));
    return write_line(x, s, text, text + strlen(text));
}

/* UNSUPPORTED: nothing has such a name. */
static gfab_status write_field(const expander *x, const scope *s, const char *name, size_t length)
{
    FILE *file = x->file;
    gfab_status status;
    for (const scope *at = s; at && at->list; at = at->outer) {
        if (at->list->kinds && at->list->kinds != GFAB_GEN_PORTS && is(name, length, "FILE")) {
            fputs(gfab_gen_file_at(at->gen, at->list->kinds, at->item)->to, file);
            return GFAB_OK;
        }
        if (at->list->kinds == GFAB_GEN_PORTS && (status = write_port(x, s, at, name, length)) != GFAB_ERR_UNSUPPORTED)
            return status;
        if (is(name, length, "COMMA")) {
            fputs(at->at + 1 < at->count ? "," : "", file);
            return GFAB_OK;
        }
        for (const gfab_gen_field *field = at->list->fields; field && field->name; field++)
            if (is(name, length, field->name)) {
                field->write(at->gen, at->item, file);
                return GFAB_OK;
            }
    }
    for (const gfab_gen_text *text = s->gen->language->texts; text->name; text++)
        if (is(name, length, text->name)) {
            text->write(s->gen, file);
            return GFAB_OK;
        }
    const char *word = s->gen->language->word(s->gen, name, length);
    if (word) {
        fputs(word, file);
        return GFAB_OK;
    }
    for (size_t i = 0; i < GFAB_GEN_NUMBERS; i++)
        if (is(name, length, s->gen->numbers[i].name)) {
            fprintf(file, "%" PRIu64, s->gen->numbers[i].value);
            return GFAB_OK;
        }
    return GFAB_ERR_UNSUPPORTED;
}

static gfab_status write_line(const expander *x, const scope *s, const char *line, const char *stop)
{
    for (const char *at = line; at < stop;) {
        const char *key = memchr(at, '@', (size_t)(stop - at));
        fwrite(at, 1, (size_t)((key ? key : stop) - at), x->file);
        if (!key)
            break;
        const char *close = memchr(key + 1, '@', (size_t)(stop - key - 1));
        if (close == key + 1) /* @@ is an @ */
            fputc('@', x->file);
        else {
            const gfab_status status =
                close ? write_field(x, s, key + 1, (size_t)(close - key - 1)) : GFAB_ERR_UNSUPPORTED;
            if (status)
                return status == GFAB_ERR_NO_MEMORY
                           ? gfab_fail(x->diag, 0, status, "out of memory for the fabric")
                           : gfab_fail(x->diag, 0, status, "a template has the unknown key %.20s", key);
        }
        at = close + 1;
    }
    return GFAB_OK;
}

static gfab_status expand(const expander *x, const scope *s, bool live, part *p);

static gfab_status unknown(const expander *x, const char *name, size_t length)
{
    return gfab_fail(x->diag, 0, GFAB_ERR_UNSUPPORTED, "a template has the unknown mark %.*s", (int)length, name);
}

static gfab_status expand_if(const expander *x, const scope *s, bool live, part *p, const char *name, size_t length)
{
    bool holds = false;
    if (!gfab_gen_condition(s->gen, name, length, &holds))
        return unknown(x, name, length);
    GFAB_TRY(expand(x, s, live && holds, p));
    if (p->ended_by == MARK_ELSE)
        GFAB_TRY(expand(x, s, live && !holds, p));
    if (p->ended_by != MARK_END)
        return unknown(x, name, length);
    p->ended_by = MARK_NONE;
    return GFAB_OK;
}

/* One item of a list. Chips' items have a fabric of their own. */
static gfab_status expand_item(const expander *x, const scope *inner, part *p)
{
    if (inner->list->order != GFAB_GEN_OF_CHIPS)
        return expand(x, inner, true, p);
    gfab_gen chip = *inner->gen;
    GFAB_AT_END(gfab_gen_top_destroy) gfab_gen_top top = {0};
    gfab_gen_number numbers[GFAB_GEN_NUMBERS];
    scope own = *inner;
    own.gen = &chip;
    chip.chip = (uint32_t)inner->item;
    chip.top = &top;
    gfab_status status = gfab_gen_top_create(&chip, &top);
    if (status)
        return gfab_fail(x->diag, 0, status, "out of memory for the fabric");
    gfab_gen_numbers(&chip, numbers);
    chip.numbers = numbers;
    status = expand(x, &own, true, p);
    return status;
}

static size_t count_items(const gfab_gen *gen, const gfab_gen_list *list)
{
    size_t count = 0;
    gfab_gen_port port;
    if (!list->kinds)
        return list->count(gen);
    while (list->kinds == GFAB_GEN_PORTS ? gfab_gen_port_at(gen, list->name, count, &port)
                                         : (bool)gfab_gen_file_at(gen, list->kinds, count))
        count++;
    return count;
}

static const gfab_gen_list *find_list(const gfab_gen_list *list, const char *name, size_t length)
{
    while (list->name && !is(name, length, list->name))
        list++;
    return list->name ? list : NULL;
}

static gfab_status expand_for(const expander *x, const scope *s, bool live, part *p, const char *name, size_t length)
{
    const gfab_gen_list *list = find_list(gfab_gen_common_lists, name, length);
    char group[24];
    snprintf(group, sizeof group, "%.*s", (int)length, name);
    const gfab_gen_list ports = {.name = group, .kinds = GFAB_GEN_PORTS};
    if (!list && !(list = find_list(s->gen->language->lists, name, length))) {
        if (!gfab_gen_has_ports(group))
            return unknown(x, name, length);
        list = &ports;
    }
    const char *begin = p->at;
    scope inner = {s->gen, list, 0, 0, live ? count_items(s->gen, list) : 0, s};
    GFAB_TRY(inner.count == 0 ? expand(x, s, false, p) : GFAB_OK);
    for (; inner.at < inner.count; inner.at++) {
        p->at = begin;
        inner.item = list->order == GFAB_GEN_TABLE ? inner.count - 1 - inner.at : inner.at;
        GFAB_TRY(expand_item(x, &inner, p));
    }
    if (p->ended_by != MARK_END)
        return unknown(x, name, length);
    p->ended_by = MARK_NONE;
    return GFAB_OK;
}

enum { WIDTH = 120 }; /* of a line */

/* Lines of one indentation, with as much on each as it takes. */
static void fill(const char *text, FILE *file)
{
    const int indent = (int)strspn(text, " ");
    size_t column = 0;
    while (*text) {
        const size_t length = strcspn(text, "\n") - (size_t)indent;
        if (column > 0 && column + 1 + length > WIDTH) {
            fputc('\n', file);
            column = 0;
        }
        column += (size_t)fprintf(file, "%*s%.*s", column ? 1 : indent, "", (int)length, text + indent);
        text += (size_t)indent + length + 1;
    }
    fputs(column ? "\n" : "", file);
}

static gfab_status expand_fill(const expander *x, const scope *s, bool live, part *p, const char *name, size_t length)
{
    GFAB_FREED char *text = NULL;
    size_t size = 0;
    expander inner = *x;
    inner.file = open_memstream(&text, &size);
    if (!inner.file)
        return gfab_fail(x->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the fabric");
    gfab_status status = expand_for(&inner, s, live, p, name, length);
    if (!gfab_memory_close(inner.file, &text) && !status)
        status = gfab_fail(x->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the fabric");
    if (!status)
        fill(text, x->file);
    return status;
}

/* Another template, by its path in the sources, in this one's place. */
static gfab_status expand_include(const expander *x, const scope *s, const char *name, size_t length)
{
    char path[GFAB_GEN_PATH];
    snprintf(path, sizeof path, "%.*s", (int)length, name);
    const gfab_embedded *source = gfab_gen_embedded(path);
    if (!source)
        return unknown(x, name, length);
    const expander inner = {(const char *)source->bytes + source->size, x->file, x->diag};
    part whole = {(const char *)source->bytes, MARK_NONE};
    const gfab_status status = expand(&inner, s, true, &whole);
    return !status && whole.ended_by != MARK_NONE ? unknown(x, name, length) : status;
}

/* Expands up to the mark that ends the part. */
static gfab_status expand(const expander *x, const scope *s, bool live, part *p)
{
    gfab_status status = GFAB_OK;
    p->ended_by = MARK_NONE;
    while (p->at < x->end && !status) {
        const char *line = p->at, *name = NULL;
        size_t length = 0;
        p->at = line_end(x, line);
        switch (read_mark(line, p->at, &name, &length)) {
        case MARK_COMMENT:
            break;
        case MARK_IF:
            status = expand_if(x, s, live, p, name, length);
            break;
        case MARK_FOR:
            status = expand_for(x, s, live, p, name, length);
            break;
        case MARK_FILL:
            status = expand_fill(x, s, live, p, name, length);
            break;
        case MARK_INCLUDE:
            status = live ? expand_include(x, s, name, length) : GFAB_OK;
            break;
        case MARK_ELSE:
            p->ended_by = MARK_ELSE;
            return GFAB_OK;
        case MARK_END:
            p->ended_by = MARK_END;
            return GFAB_OK;
        case MARK_NONE:
            status = live ? write_line(x, s, line, p->at) : GFAB_OK;
            break;
        }
    }
    return status;
}

gfab_status gfab_gen_template(const gfab_gen *gen, const char *text, size_t size, FILE *file, gfab_diag *diag)
{
    const expander x = {text + size, file, diag};
    const scope outside = {gen, NULL, 0, 0, 0, NULL};
    part whole = {text, MARK_NONE};
    GFAB_TRY(expand(&x, &outside, true, &whole));
    if (whole.ended_by != MARK_NONE)
        return unknown(&x, "@END@", strlen("@END@"));
    return GFAB_OK;
}
