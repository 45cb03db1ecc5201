/* SPDX-License-Identifier: MIT */
/* Private to the readers of graph files: texts of keys and values in braces and brackets, as protobuf's text format and
 * YAML's flow style have them. blocks.c. */
#ifndef GOSSIPFAB_GRAPH_BLOCKS_H
#define GOSSIPFAB_GRAPH_BLOCKS_H

#include "graphs/readers.h"

/* A value, or a block of others, which stand behind it in the array up to `end`. */
typedef struct gfab_block {
    gfab_graph_word key;   /* without one: length 0 */
    gfab_graph_word value; /* of a block: NULL */
    size_t end;
    uint32_t line;
} gfab_block;

typedef struct gfab_blocks {
    gfab_block *at; /* 0: the whole text */
    size_t count, room;
} gfab_blocks;

/* PARSE where the text is no such one, NO_MEMORY. */
gfab_status gfab_blocks_read(gfab_graph_text *t, gfab_blocks *b);
void gfab_blocks_release(gfab_blocks *b);

/* The next one in `parent`, behind `last`, or the first if `last` is 0, that has the key; key NULL: of any. 0: none. */
size_t gfab_block_next(const gfab_blocks *b, size_t parent, size_t last, const char *key);
static inline size_t gfab_block_find(const gfab_blocks *b, size_t parent, const char *key)
{
    return gfab_block_next(b, parent, 0, key);
}

bool gfab_block_is(const gfab_blocks *b, size_t block, const char *value);
/* A whole number up to maximum from `skip` characters on; the reader then stands in its line. PARSE. */
gfab_status gfab_block_number(gfab_graph_text *t, const gfab_blocks *b, size_t block, size_t skip, uint64_t maximum,
                              uint64_t *number);

#endif
