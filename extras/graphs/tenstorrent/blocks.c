/* SPDX-License-Identifier: MIT */
/* Texts of keys and values: `key: value`, `key { .. }`, `key: [ .. ]`, with commas or without, # for comments. That is
 * what people write of protobuf's text format and of YAML's flow style. A text becomes one array in the order of the
 * text, in which a block is followed by what it has. */
#include "graphs/tenstorrent/blocks.h"

#include "base/grow.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_DEPTH = 32 };

static void skip(gfab_graph_text *t)
{
    for (; *t->at && (*t->at == '#' || strchr(" \t\r\n,;", *t->at)); t->at++) {
        if (*t->at == '#')
            gfab_graph_text_skip_line(t);
        if (!*t->at)
            return;
        t->line += *t->at == '\n';
    }
}

static gfab_status unexpected(gfab_graph_text *t, const char *expected)
{
    return gfab_graph_text_unexpected(t, *t->at ? t->at : NULL, 1, expected);
}

static gfab_status read_word(gfab_graph_text *t, gfab_graph_word *word)
{
    const char quote = *t->at;
    if (quote == '"' || quote == '\'') {
        word->length = strcspn(t->at + 1, quote == '"' ? "\"\n" : "'\n");
        word->at = t->at + 1;
        t->at += 1 + word->length;
        return *t->at == quote ? (t->at++, GFAB_OK) : FAIL(t, GFAB_ERR_PARSE, "a text without an end");
    }
    word->at = t->at;
    word->length = strcspn(t->at, " \t\r\n,;:{}[]#\"'");
    t->at += word->length;
    return word->length ? GFAB_OK : unexpected(t, "a name or a value");
}

static gfab_status push(gfab_graph_text *t, gfab_blocks *b, gfab_graph_word key, gfab_graph_word value)
{
    GFAB_NEED_TOLD(gfab_grow(&b->at, b->count, &b->room, sizeof *b->at), t->diag);
    b->at[b->count] = (gfab_block){.key = key, .value = value, .end = b->count + 1, .line = t->line};
    b->count++;
    return GFAB_OK;
}

/* A key with its value, or with the bracket of its block; or a value alone. *open: does a block begin? */
static gfab_status read_entry(gfab_graph_text *t, gfab_blocks *b, bool *open)
{
    gfab_graph_word key = {NULL, 0}, value = {NULL, 0};
    if (*t->at != '{' && *t->at != '[') {
        GFAB_TRY(read_word(t, &value));
        gfab_graph_text_skip_blanks(t);
        if (*t->at == ':' || *t->at == '{' || *t->at == '[') {
            key = value;
            value = (gfab_graph_word){NULL, 0};
        }
        if (*t->at == ':') {
            t->at++;
            skip(t);
            if (*t->at != '{' && *t->at != '[')
                GFAB_TRY(read_word(t, &value));
        }
    }
    *open = !value.at;
    return push(t, b, key, value);
}

gfab_status gfab_blocks_read(gfab_graph_text *t, gfab_blocks *b)
{
    size_t open[MAX_DEPTH] = {0}, depth = 0;
    char closing[MAX_DEPTH] = {'\0'};
    GFAB_TRY(push(t, b, (gfab_graph_word){NULL, 0}, (gfab_graph_word){NULL, 0}));
    for (skip(t); *t->at; skip(t)) {
        bool opens = false;
        if (depth && *t->at == closing[depth]) {
            b->at[open[depth--]].end = b->count;
            t->at++;
            continue;
        }
        if (*t->at == '}' || *t->at == ']')
            return unexpected(t, depth == 0 ? "a key" : closing[depth] == '}' ? "}" : "]");
        GFAB_TRY(read_entry(t, b, &opens));
        if (!opens)
            continue;
        if (++depth == MAX_DEPTH)
            return FAIL(t, GFAB_ERR_LIMIT, "blocks in more than %d others", MAX_DEPTH - 2);
        open[depth] = b->count - 1;
        closing[depth] = *t->at++ == '{' ? '}' : ']';
    }
    b->at[0].end = b->count;
    return depth ? unexpected(t, closing[depth] == '}' ? "}" : "]") : GFAB_OK;
}

void gfab_blocks_release(gfab_blocks *b)
{
    free(b->at);
    *b = (gfab_blocks){NULL, 0, 0};
}

size_t gfab_block_next(const gfab_blocks *b, size_t parent, size_t last, const char *key)
{
    for (size_t i = last ? b->at[last].end : parent + 1; i < b->at[parent].end; i = b->at[i].end)
        if (!key || gfab_graph_word_is(&b->at[i].key, key))
            return i;
    return 0;
}

bool gfab_block_is(const gfab_blocks *b, size_t block, const char *value)
{
    return b->at[block].value.at && gfab_graph_word_is(&b->at[block].value, value);
}

gfab_status gfab_block_number(gfab_graph_text *t, const gfab_blocks *b, size_t block, size_t skip, uint64_t maximum,
                              uint64_t *number)
{
    const gfab_block *one = &b->at[block];
    const gfab_graph_word *word = &one->value;
    t->line = one->line;
    *number = 0;
    for (size_t i = skip; i < word->length && gfab_is_digit(word->at[i]) && *number <= maximum; i++)
        *number = 10 * *number + (uint64_t)(word->at[i] - '0');
    const size_t digits = word->length > skip ? strspn(word->at + skip, "0123456789") : 0;
    if (!word->at || digits == 0 || skip + digits < word->length || *number > maximum)
        return FAIL(t, GFAB_ERR_PARSE, "%.*s%s\"%.*s\" where a number up to %" PRIu64 " is expected",
                    (int)(one->key.length > 40 ? 40 : one->key.length), one->key.at ? one->key.at : "",
                    one->key.length ? ": " : "", (int)(word->length > 40 ? 40 : word->length), word->at ? word->at : "",
                    maximum);
    return GFAB_OK;
}
