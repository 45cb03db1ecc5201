/* SPDX-License-Identifier: MIT */
/* JSON as values of jansson. Jansson's own reader, up to 2.14, does not notice when memory runs out within a string: it
 * loses a byte of it, or writes behind it. This one returns GFAB_ERR_NO_MEMORY. */
#ifndef GOSSIPFAB_JSON_H
#define GOSSIPFAB_JSON_H

#include <gossipfab/base/status.h>

#include <stdio.h>

GFAB_C_BEGIN

struct json_t; /* of <jansson.h> */

/* Reads the whole text, or file: an object or an array. *value is the caller's, to be freed by json_decref(); NULL
 * after an error. Names that stand twice in an object, \u0000, integers above 63 bits and more than 256 brackets in
 * each other are refused. Errors: PARSE, with the line; NO_MEMORY; of a file those of
 * gfab_text_read. */
gfab_status gfab_json_parse(const char *text, struct json_t **value, gfab_diag *diag);
gfab_status gfab_json_read(FILE *file, struct json_t **value, gfab_diag *diag);
/* The same, but an integer above 63 bits is read as the greatest, or the least, that has them. */
gfab_status gfab_json_parse_capped(const char *text, struct json_t **value, gfab_diag *diag);

GFAB_C_END
#endif
