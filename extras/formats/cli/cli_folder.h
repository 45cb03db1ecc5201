/* SPDX-License-Identifier: MIT */
/* Formats that are a folder of files: it is there whole, or not at all. */
#ifndef GOSSIPFAB_CLI_FOLDER_H
#define GOSSIPFAB_CLI_FOLDER_H

#include "cli_source.h"

#define CLI_FOLDER_NAME 64
#define CLI_FOLDER_PATH 4096

typedef struct cli_folder {
    const char *verb; /* which command writes it */
    const char *format;
    const cli_source *source;
    uint64_t block_bytes; /* of chakra */
    const char *last;     /* set by cli_folder_write: the folder's name without the folders above */
    uint32_t count;       /* files */
    void (*name)(const struct cli_folder *folder, uint32_t index, char name[CLI_FOLDER_NAME]);
    gfab_status (*write)(const struct cli_folder *folder, uint32_t index, FILE *file, gfab_diag *diag);
    const void *context; /* of name and write */
} cli_folder;

/* A new folder; the first error ends it. */
int cli_folder_write(const cli_folder *folder, const char *path);

/* A schedule for messages of some lengths, and the name of its file. */
typedef struct cli_ranged {
    gfab_schedule *schedule;
    gfab_byte_range range;
    char name[CLI_FOLDER_NAME];
} cli_ranged;

/* OK where the format takes the schedule; UNSUPPORTED, with why, where it, or its runtime as shipped, does not. */
gfab_status cli_ranged_takes(const gfab_format *format, const gfab_schedule *schedule, gfab_diag *diag);
/* A new folder with a file each, which gets its name here; nothing else is in it, since runtimes read all of it. */
int cli_ranged_write(const char *verb, const gfab_format *format, cli_ranged *plans, uint32_t count, const char *path);

/* A plan in C and the run time that carries it out. */
int cli_c_plan_write(const cli_source *source, const char *path);

#endif
