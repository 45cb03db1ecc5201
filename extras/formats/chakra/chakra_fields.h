/* SPDX-License-Identifier: MIT */
/* Private to Chakra's reader and writer: numbers of fields and types in its schema, et_def.proto. */
#ifndef GOSSIPFAB_FORMATS_CHAKRA_FIELDS_H
#define GOSSIPFAB_FORMATS_CHAKRA_FIELDS_H

enum { GFAB_CHAKRA_COMP = 4, GFAB_CHAKRA_SEND = 5, GFAB_CHAKRA_RECV = 6, GFAB_CHAKRA_COLLECTIVE = 7 };
/* Of GlobalMetadata. */
enum { GFAB_CHAKRA_VERSION = 1, GFAB_CHAKRA_METADATA_ATTRIBUTE = 2 };
/* Of Node. */
enum {
    GFAB_CHAKRA_ID = 1,
    GFAB_CHAKRA_NAME = 2,
    GFAB_CHAKRA_TYPE = 3,
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
enum { GFAB_CHAKRA_VARINT = 0, GFAB_CHAKRA_BYTES = 2 };

#endif
