/* SPDX-License-Identifier: MIT */
/* What readers of Chakra's traces share: a file as a whole, and protobuf's messages, fields and numbers in it. */
#include "chakra_fields.h"

#include "base/reason.h"
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FILE_BYTES ((size_t)1 << 30)

gfab_status gfab_chakra_bad(const gfab_chakra_file *trace, const gfab_chakra_cursor *c, const char *what)
{
    return gfab_fail(trace->diag, 0, GFAB_ERR_PARSE, "rank %u, byte %zu: %s", trace->rank,
                     (size_t)(c->at - trace->text), what);
}

gfab_status gfab_chakra_load(gfab_chakra_file *trace, FILE *file)
{
    size_t room = 0;
    trace->size = 0;
    do {
        if (trace->size == room) {
            room = room ? 2 * room : 4096;
            uint8_t *grown = room <= MAX_FILE_BYTES ? realloc(trace->text, room) : NULL;
            GFAB_NEED_TOLD(grown, trace->diag);
            trace->text = grown;
        }
        errno = 0;
        trace->size += fread(trace->text + trace->size, 1, room - trace->size, file);
        if (ferror(file))
            return gfab_fail(trace->diag, 0, GFAB_ERR_IO, "cannot read the trace of rank %u: %s", trace->rank,
                             gfab_stream_reason());
    } while (!feof(file));
    return GFAB_OK;
}

gfab_status gfab_chakra_varint(const gfab_chakra_file *trace, gfab_chakra_cursor *c, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (c->at == c->end)
            return gfab_chakra_bad(trace, c, "the file ends within a number");
        *value |= (uint64_t)(*c->at & 0x7f) << shift;
        if (!(*c->at++ & 0x80))
            return GFAB_OK;
    }
    return gfab_chakra_bad(trace, c, "a number of more than 64 bits");
}

/* So many bytes, as their length before them says. */
gfab_status gfab_chakra_bytes(const gfab_chakra_file *trace, gfab_chakra_cursor *c, gfab_chakra_cursor *bytes)
{
    uint64_t length = 0;
    GFAB_TRY(gfab_chakra_varint(trace, c, &length));
    if (length > (uint64_t)(c->end - c->at))
        return gfab_chakra_bad(trace, c, "a length beyond the end");
    *bytes = (gfab_chakra_cursor){c->at, c->at + length};
    c->at += length;
    return GFAB_OK;
}

gfab_status gfab_chakra_next(const gfab_chakra_file *trace, gfab_chakra_cursor *c, gfab_chakra_field *f)
{
    uint64_t key = 0;
    GFAB_TRY(gfab_chakra_varint(trace, c, &key));
    *f = (gfab_chakra_field){.number = (uint32_t)(key >> 3), .is_bytes = (key & 7) == GFAB_CHAKRA_BYTES};
    if (f->is_bytes)
        return gfab_chakra_bytes(trace, c, &f->bytes);
    const size_t fixed = (key & 7) == GFAB_CHAKRA_FIXED64 ? 8 : (key & 7) == GFAB_CHAKRA_FIXED32 ? 4 : 0;
    if (fixed > (size_t)(c->end - c->at))
        return gfab_chakra_bad(trace, c, "the file ends within a number");
    c->at += fixed; /* fractions, which have no meaning here */
    if (fixed)
        return GFAB_OK;
    return (key & 7) == GFAB_CHAKRA_VARINT
               ? gfab_chakra_varint(trace, c, &f->value)
               : gfab_chakra_bad(trace, c, "a field of a kind that Chakra's traces do not have");
}

bool gfab_chakra_is(const gfab_chakra_cursor *c, const char *text)
{
    const size_t length = (size_t)(c->end - c->at);
    return length == strlen(text) && memcmp(c->at, text, length) == 0;
}

/* An attribute: its name, and its number or text. */
gfab_status gfab_chakra_attribute(const gfab_chakra_file *trace, gfab_chakra_cursor c, gfab_chakra_cursor *name,
                                  gfab_chakra_field *value)
{
    *name = (gfab_chakra_cursor){c.at, c.at};
    while (c.at < c.end) {
        gfab_chakra_field f;
        GFAB_TRY(gfab_chakra_next(trace, &c, &f));
        if (f.number == GFAB_CHAKRA_ATTRIBUTE_NAME && f.is_bytes)
            *name = f.bytes;
        else
            *value = f;
    }
    return GFAB_OK;
}
