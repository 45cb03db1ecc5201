/* SPDX-License-Identifier: MIT */
/* The main of a fuzz target where there is no libFuzzer: replay PACKED... runs every input of packed corpora, a line
 * each; \n, \\ and \xHH stand for what has no place in a line (run.py writes them). Prints how many there were. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static int hex_value(int c)
{
    const char *const digits = "0123456789abcdef", *const at = c > 0 ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* The bytes that a line without its end stands for, in place; their number, or -1. */
static long unpack(uint8_t *line)
{
    uint8_t *to = line;
    for (const uint8_t *at = line; *at != '\0'; at++) {
        if (*at != '\\') {
            *to++ = *at;
        } else if (*++at == 'n') {
            *to++ = '\n';
        } else if (*at == '\\') {
            *to++ = '\\';
        } else if (*at == 'x' && hex_value(at[1]) >= 0 && hex_value(at[2]) >= 0) {
            *to++ = (uint8_t)(hex_value(at[1]) << 4 | hex_value(at[2]));
            at += 2;
        } else {
            return -1;
        }
    }
    return to - line;
}

int main(int argc, char **argv)
{
    unsigned long count = 0;
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        char *line = NULL;
        size_t room = 0;
        ssize_t length;
        if (!file) {
            perror(argv[i]);
            return 2;
        }
        while ((length = getline(&line, &room, file)) > 0) {
            if (line[length - 1] == '\n')
                line[length - 1] = '\0';
            const long size = unpack((uint8_t *)line);
            if (size < 0) {
                fprintf(stderr, "%s: line %lu: a backslash stands before n, x and two digits, or another\n", argv[i],
                        count + 1);
                return 2;
            }
            /* A copy of its size alone, so that a read past the end is seen. */
            uint8_t *input = malloc(size > 0 ? (size_t)size : 1);
            FUZZ_CHECK(input);
            memcpy(input, line, (size_t)size);
            LLVMFuzzerTestOneInput(input, (size_t)size);
            free(input);
            count++;
        }
        free(line);
        fclose(file);
    }
    fuzz_remove_folder();
    printf("%lu inputs\n", count);
    return count > 0 ? 0 : 2;
}
