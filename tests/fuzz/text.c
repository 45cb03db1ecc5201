/* SPDX-License-Identifier: MIT */
/* What all readers share: texts, whole and from a file by its name; JSON, by all that read it; the words and numbers of
 * options. The first byte chooses. */
#include "fuzz.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Bytes as the header says that a text has them: CR LF as LF, no mark in front; NULL where they are no text. */
static char *plain(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *to = text;
    const bool utf16 = size > 1 && ((data[0] == 0xfe && data[1] == 0xff) || (data[0] == 0xff && data[1] == 0xfe));
    if (utf16 || strlen(text) != size) {
        free(text);
        return NULL;
    }
    for (const char *from = text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0); *from; from++)
        if (from[0] != '\r' || from[1] != '\n')
            *to++ = *from;
    *to = '\0';
    return text;
}

static void check_text(const uint8_t *data, size_t size)
{
    gfab_text text;
    gfab_diag diag = {0, ""};
    FILE *file = NULL;
    char *wanted = plain(data, size);
    FUZZ_CHECK(gfab_text_open(fuzz_folder(), &file, &diag) == GFAB_ERR_IO && !file);
    FUZZ_CHECK(gfab_text_open(fuzz_named_file("text", data, size), &file, &diag) == GFAB_OK);
    const gfab_status status = gfab_text_read(file, &text, &diag);
    gfab_text_close(file);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK((status == GFAB_OK) == !!wanted && (status == GFAB_OK) == !!text.bytes);
    FUZZ_CHECK(!wanted || (strcmp(text.bytes, wanted) == 0 && text.size == strlen(wanted)));
    free(text.bytes);
    free(wanted);
}

/* A file gives what its text gives; numbers that are capped are the only difference there may be. */
static void check_json(const uint8_t *data, size_t size)
{
    json_t *value = NULL, *capped = NULL, *read = NULL;
    gfab_diag diag = {0, ""};
    char *text = plain(data, size);
    FILE *file = fuzz_file(data, size);
    const gfab_status status = text ? gfab_json_parse(text, &value, &diag) : GFAB_ERR_PARSE;
    FUZZ_CHECK((status == GFAB_OK) == !!value);
    if (text) {
        fuzz_check_diag(status, &diag);
        const gfab_status other = gfab_json_parse_capped(text, &capped, &diag);
        FUZZ_CHECK(status != GFAB_OK || (other == GFAB_OK && json_equal(value, capped)));
    }
    FUZZ_CHECK(gfab_json_read(file, &read, &diag) == status);
    FUZZ_CHECK(status != GFAB_OK || json_equal(value, read));
    fclose(file);
    json_decref(value);
    json_decref(capped);
    json_decref(read);
    free(text);
}

/* What is read has a name, which is read as the same. */
static void check_words(const char *text)
{
    gfab_diag diag = {0, ""};
    gfab_collective collective;
    gfab_link_mode links;
    gfab_port_mode ports;
    gfab_routing routing;
    gfab_ratio ratio;
    const gfab_status read[] = {gfab_collective_parse(text, &collective, &diag),
                                gfab_link_mode_parse(text, &links, &diag), gfab_port_mode_parse(text, &ports, &diag),
                                gfab_routing_parse(text, &routing, &diag), gfab_ratio_parse(text, &ratio, &diag)};
    FUZZ_CHECK(read[0] != GFAB_OK || strcmp(gfab_collective_name(collective), text) == 0);
    FUZZ_CHECK(read[1] != GFAB_OK || strcmp(gfab_link_mode_name(links), text) == 0);
    FUZZ_CHECK(read[2] != GFAB_OK || strcmp(gfab_port_mode_name(ports), text) == 0);
    FUZZ_CHECK(read[3] != GFAB_OK || strcmp(gfab_routing_name(routing), text) == 0);
    FUZZ_CHECK(read[4] != GFAB_OK ||
               (ratio.denominator >= 1 && ratio.denominator <= 1000000000 && ratio.numerator <= 1000000000));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t choice = fuzz_choice(&data, &size, 3);
    char *text = fuzz_text(data, size);
    if (choice == 0)
        check_text(data, size);
    else if (choice == 1)
        check_json(data, size);
    else
        check_words(text);
    free(text);
    return 0;
}
