/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share. A target is LLVMFuzzerTestOneInput, which reads one input as the library or the command
 * would, and holds what comes of it to the contract in the headers; a fault ends the process. Allocations above
 * FUZZ_ALLOCATION bytes fail: what is large and legal is refused with NO_MEMORY and takes no time. */
#ifndef GFAB_FUZZ_H
#define GFAB_FUZZ_H

#include <gossipfab/gossipfab.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FUZZ_ALLOCATION ((size_t)1 << 22)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process where what must hold does not. */
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_fault(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_fault(const char *file, int line, const char *condition);

/* A status that is an error comes with one line that says why. */
void fuzz_check_diag(gfab_status status, const gfab_diag *diag);

/* The bytes as a string, to be freed; a NUL among them ends it. */
char *fuzz_text(const uint8_t *data, size_t size);
/* The bytes as a file to read from. */
FILE *fuzz_file(const uint8_t *data, size_t size);
/* The same under a name, in a folder of this process's own in $TMPDIR: its path, which holds until the next call. */
const char *fuzz_named_file(const char *name, const uint8_t *data, size_t size);
const char *fuzz_folder(void);
/* At the end; run.py removes the whole $TMPDIR where libFuzzer has the end. */
void fuzz_remove_folder(void);

/* A file to write to; what was written is text[0..size-1] after fuzz_written, and to be freed. */
typedef struct fuzz_output {
    FILE *file;
    char *text;
    size_t size;
} fuzz_output;
void fuzz_write(fuzz_output *output);
void fuzz_written(fuzz_output *output);

/* The first byte of an input, as a choice among `count`; 0 where there is none. Moves past it. */
size_t fuzz_choice(const uint8_t **data, size_t *size, size_t count);

/* Does a text name a topology that is within the limits, but takes seconds to make? Targets pass over it. */
bool fuzz_large(const char *text);
/* A topology that is there. */
gfab_topology *fuzz_topology(const char *spec);

/* A schedule that was read: it is verified, written, read back, and written again to the same bytes. */
void fuzz_check_schedule(const gfab_schedule *schedule);

/* A schedule in a format: what is read is checked as above, and where it is good is written in that format, too. What
 * a target returns. */
int fuzz_check_format(const char *name, const uint8_t *data, size_t size);

/* What stands for a word of a command line. */
typedef struct fuzz_word {
    const char *mark; /* such as "@"; NULL behind the last */
    char *text;
} fuzz_word;
/* Runs a command with a line of words with blanks between them, its own name first: exit status 0, 1 or 2, and nothing
 * else that a caller could see. */
void fuzz_line(int (*run)(int argc, char **argv), const char *line, const fuzz_word *words);

/* Progress that stops the work after `left` reports. */
gfab_progress fuzz_progress(unsigned *left);

#endif
