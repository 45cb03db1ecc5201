/* SPDX-License-Identifier: MIT */
/* The expander of templates; gen.h has the marks. Recursive: a part of a template that is chosen or repeated is
 * expanded by itself, one that is not is walked through for its end. */
#include "gen.h"

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

typedef enum mark { MARK_NONE, MARK_COMMENT, MARK_IF, MARK_ELSE, MARK_END, MARK_FOR, MARK_INCLUDE } mark;

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
    } marks[] = {{"@#", MARK_COMMENT},  {"@IF ", MARK_IF},   {"@FOR ", MARK_FOR},
                 {"@ELSE@", MARK_ELSE}, {"@END@", MARK_END}, {"@INCLUDE ", MARK_INCLUDE}};
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

static bool write_field(const scope *s, const char *name, size_t length, FILE *file)
{
    for (const scope *at = s; at && at->list; at = at->outer) {
        if (at->list->kinds && is(name, length, "FILE")) {
            fputs(gfab_gen_file_at(at->gen, at->list->kinds, at->item)->to, file);
            return true;
        }
        if (is(name, length, "COMMA")) {
            fputs(at->at + 1 < at->count ? "," : "", file);
            return true;
        }
        for (const gfab_gen_field *field = at->list->fields; field && field->name; field++)
            if (is(name, length, field->name)) {
                field->write(at->gen, at->item, file);
                return true;
            }
    }
    for (const gfab_gen_text *text = s->gen->language->texts; text->name; text++)
        if (is(name, length, text->name)) {
            text->write(s->gen, file);
            return true;
        }
    const char *word = s->gen->language->word(s->gen, name, length);
    if (word) {
        fputs(word, file);
        return true;
    }
    for (size_t i = 0; i < GFAB_GEN_NUMBERS; i++)
        if (is(name, length, s->gen->numbers[i].name)) {
            fprintf(file, "%" PRIu64, s->gen->numbers[i].value);
            return true;
        }
    return false;
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
        else if (!close || !write_field(s, key + 1, (size_t)(close - key - 1), x->file))
            return gfab_fail(x->diag, 0, GFAB_ERR_UNSUPPORTED, "a template has the unknown key %.20s", key);
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
    gfab_status status = expand(x, s, live && holds, p);
    if (!status && p->ended_by == MARK_ELSE)
        status = expand(x, s, live && !holds, p);
    if (!status && p->ended_by != MARK_END)
        status = unknown(x, name, length);
    p->ended_by = MARK_NONE;
    return status;
}

/* One item of a list. Chips' items have a fabric of their own. */
static gfab_status expand_item(const expander *x, const scope *inner, part *p)
{
    if (inner->list->order != GFAB_GEN_OF_CHIPS)
        return expand(x, inner, true, p);
    gfab_gen chip = *inner->gen;
    gfab_gen_top top;
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
    gfab_gen_top_destroy(&top);
    return status;
}

static size_t count_items(const gfab_gen *gen, const gfab_gen_list *list)
{
    size_t count = 0;
    while (list->kinds && gfab_gen_file_at(gen, list->kinds, count))
        count++;
    return list->kinds ? count : list->count(gen);
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
    if (!list && !(list = find_list(s->gen->language->lists, name, length)))
        return unknown(x, name, length);
    const char *begin = p->at;
    scope inner = {s->gen, list, 0, 0, live ? count_items(s->gen, list) : 0, s};
    gfab_status status = inner.count == 0 ? expand(x, s, false, p) : GFAB_OK;
    for (; inner.at < inner.count && !status; inner.at++) {
        p->at = begin;
        inner.item = list->order == GFAB_GEN_TABLE ? inner.count - 1 - inner.at : inner.at;
        status = expand_item(x, &inner, p);
    }
    if (!status && p->ended_by != MARK_END)
        status = unknown(x, name, length);
    p->ended_by = MARK_NONE;
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
    const gfab_status status = expand(&x, &outside, true, &whole);
    if (!status && whole.ended_by != MARK_NONE)
        return unknown(&x, "@END@", strlen("@END@"));
    return status;
}
