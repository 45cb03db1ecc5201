/* SPDX-License-Identifier: MIT */
/* Schedules and graphs in the formats of other tools: a table of formats, by name. What each holds, and what of a
 * schedule has no place in it: docs/reference/formats.md. */
#ifndef GOSSIPFAB_FORMAT_H
#define GOSSIPFAB_FORMAT_H

#include <gossipfab/schedule/schedule.h>

GFAB_C_BEGIN

/* What a file may not say of itself. Files that this library wrote say all of it. */
typedef struct gfab_format_options {
    const gfab_topology *topology; /* the graph; NULL: the one in the file, or that of the links in use */
    const gfab_goal *goal;         /* of csv alone; NULL: an all-gather of one block a node */
    gfab_model model;              /* under which moves without rounds are timed */
    const gfab_progress *progress; /* may be NULL */
} gfab_format_options;

/* All NULL; the default model, full duplex where the format's own links are. */
typedef struct gfab_format gfab_format;
gfab_format_options gfab_format_options_default(const gfab_format *format);

/* Reads a schedule. On GFAB_OK the schedule is the caller's, and *topology too, which is NULL where the schedule is on
 * options->topology; destroy the schedule first. A file that this library wrote gives the schedule that was written;
 * one of another tool's gives the same moves, each in the round that the file says, or where it says none as early as
 * what it waits for, the links and the model allow. Errors: PARSE with the line, or the place as in
 * "steps[3].sends[0]"; FAULT where the file itself does not do what it is for; UNSUPPORTED where a schedule cannot say
 * it; LIMIT; IO; NO_MEMORY; INTERRUPTED. */
typedef gfab_status gfab_format_read(FILE *file, const gfab_format_options *options, gfab_topology **topology,
                                     gfab_schedule **schedule, gfab_diag *diag);
/* Writes a schedule, as a function of its content alone. UNSUPPORTED where the format has no place for it, before
 * anything is written; IO; NO_MEMORY; INTERRUPTED by progress, which may be NULL. The schedule must be good
 * (gfab_verify). */
typedef gfab_status gfab_format_write(const gfab_schedule *schedule, FILE *file, const gfab_progress *progress,
                                      gfab_diag *diag);

/* The same for messages of some lengths alone: least <= bytes < end, of all blocks together, as the runtimes that
 * choose among plans count them. end UINT64_MAX: of any length from least on. */
typedef struct gfab_byte_range {
    uint64_t least, end;
} gfab_byte_range;
typedef gfab_status gfab_format_write_range(const gfab_schedule *schedule, gfab_byte_range range, FILE *file,
                                            gfab_diag *diag);

/* Writes a graph alone; it is read by gfab_topology_parse, as file:PATH. Errors as above. */
typedef gfab_status gfab_format_write_graph(const gfab_topology *topology, FILE *file, gfab_diag *diag);

/* The steps of the longest thread block of a schedule as MSCCL's XML: its executor takes 64 as it is shipped, and 256
 * where it is built with MSCCL_MAX_NUM_STEPS=256. Errors as of writing it. */
#define GFAB_MSCCL_STEPS_SHIPPED 64
gfab_status gfab_msccl_steps(const gfab_schedule *schedule, bool in_place, uint32_t *steps, gfab_diag *diag);
/* Of so many blocks that take these steps, how many a thread block with room for others takes at most. */
uint32_t gfab_msccl_fitting(uint32_t steps, uint32_t room, size_t blocks);

/* What a program of MSCCL's XML is. */
typedef struct gfab_msccl_report {
    size_t gpus, thread_blocks, steps;
    bool is_custom; /* coll="custom": what is to come out is not said, and was not checked */
    uint32_t cut;   /* chunks of an all-to-all's block, else 1; of more it is no schedule */
} gfab_msccl_report;

/* Whether every order in which a program's thread blocks may go on gives what its collective promises. FAULT: one waits
 * for ever, two steps meet in a chunk, or a GPU ends without what it is to have. PARSE, UNSUPPORTED, LIMIT. */
gfab_status gfab_msccl_check(FILE *file, gfab_msccl_report *report, gfab_diag *diag);

struct gfab_format {
    const char *name;                     /* "msccl" */
    const char *summary;                  /* whose it is, as a clause */
    int first;                            /* the byte that its files start with, and those of no other format; 0: any */
    bool folder;                          /* a folder, by gossipfab/formats/chakra.h or c_plan.h alone */
    bool each_way;                        /* its links carry a packet each way in a round, where a file does not say */
    gfab_format_read *read;               /* NULL: no schedule is read */
    gfab_format_write *write;             /* NULL: no schedule is written */
    gfab_format_write_graph *write_graph; /* NULL: no graph is written */
    gfab_format_write_range *write_range; /* NULL: its files do not say for which lengths they are */
    const char *extension;                /* of those that do: "json" */
};

/* The formats, NULL past the end; the one of a name, or of a file that starts with a byte: NULL if there is none. */
const gfab_format *gfab_format_at(size_t index);
const gfab_format *gfab_format_find(const char *name);
const gfab_format *gfab_format_of_first(int first);

GFAB_C_END
#endif
