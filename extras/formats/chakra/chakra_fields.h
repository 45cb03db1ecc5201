/* SPDX-License-Identifier: MIT */
/* Private to Chakra's readers and its writer: numbers of fields and types in its schema, et_def.proto; how a file of
 * it is read. */
#ifndef GOSSIPFAB_FORMATS_CHAKRA_FIELDS_H
#define GOSSIPFAB_FORMATS_CHAKRA_FIELDS_H

#include <gossipfab/base/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { GFAB_CHAKRA_COMP = 4, GFAB_CHAKRA_SEND = 5, GFAB_CHAKRA_RECV = 6, GFAB_CHAKRA_COLLECTIVE = 7 };
/* Of GlobalMetadata. */
enum { GFAB_CHAKRA_VERSION = 1, GFAB_CHAKRA_METADATA_ATTRIBUTE = 2 };
/* Of Node. */
enum {
    GFAB_CHAKRA_ID = 1,
    GFAB_CHAKRA_NAME = 2,
    GFAB_CHAKRA_TYPE = 3,
    GFAB_CHAKRA_CTRL_DEPS = 4,
    GFAB_CHAKRA_DATA_DEPS = 5,
    GFAB_CHAKRA_ATTRIBUTE = 10
};
/* Of AttributeProto. */
enum {
    GFAB_CHAKRA_ATTRIBUTE_NAME = 1,
    GFAB_CHAKRA_INT32 = 7,
    GFAB_CHAKRA_INT64 = 9,
    GFAB_CHAKRA_BOOL = 27,
    GFAB_CHAKRA_STRING = 29
};
/* How a field is coded. */
enum { GFAB_CHAKRA_VARINT = 0, GFAB_CHAKRA_FIXED64 = 1, GFAB_CHAKRA_BYTES = 2, GFAB_CHAKRA_FIXED32 = 5 };

/* The trace of a rank. */
typedef struct gfab_chakra_file {
    gfab_diag *diag;
    uint32_t rank;
    uint8_t *text; /* the caller's to free */
    size_t size;
} gfab_chakra_file;

/* A message, or a part of one, that is being read. */
typedef struct gfab_chakra_cursor {
    const uint8_t *at, *end;
} gfab_chakra_cursor;

typedef struct gfab_chakra_field {
    uint32_t number;
    bool is_bytes;
    uint64_t value; /* else; 0 of a fraction */
    gfab_chakra_cursor bytes;
} gfab_chakra_field;

/* PARSE, with the rank and the byte. */
gfab_status gfab_chakra_bad(const gfab_chakra_file *trace, const gfab_chakra_cursor *c, const char *what);
/* The whole file into the trace. IO, NO_MEMORY. */
gfab_status gfab_chakra_load(gfab_chakra_file *trace, FILE *file);
/* A number; so many bytes, as their length before them says; a field. PARSE. */
gfab_status gfab_chakra_varint(const gfab_chakra_file *trace, gfab_chakra_cursor *c, uint64_t *value);
gfab_status gfab_chakra_bytes(const gfab_chakra_file *trace, gfab_chakra_cursor *c, gfab_chakra_cursor *bytes);
gfab_status gfab_chakra_next(const gfab_chakra_file *trace, gfab_chakra_cursor *c, gfab_chakra_field *f);
bool gfab_chakra_is(const gfab_chakra_cursor *c, const char *text);
/* An attribute: its name, and its number or text. PARSE. */
gfab_status gfab_chakra_attribute(const gfab_chakra_file *trace, gfab_chakra_cursor c, gfab_chakra_cursor *name,
                                  gfab_chakra_field *value);

#endif
