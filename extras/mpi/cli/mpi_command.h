/* SPDX-License-Identifier: MIT */
/* What the subcommands of gossipfab-mpi share. All ranks run the same code; rank 0 alone reads files and prints. */
#ifndef GOSSIPFAB_MPI_COMMAND_H
#define GOSSIPFAB_MPI_COMMAND_H

#include "cli.h"

#include <gossipfab_mpi.h>

int cmd_run(int argc, char **argv);
int cmd_measure(int argc, char **argv);

/* ---- ranks: mpi_share.c ---- */

int mpi_rank(void);
int mpi_ranks(void);
/* "Open MPI v4.1.4": what the library calls itself, up to its first comma. */
void mpi_library(char text[MPI_MAX_LIBRARY_VERSION_STRING]);
/* cli_parse on rank 0, whose exit status, if any, all ranks return without a word. */
int mpi_parse(const cli_command *command, int argc, char **argv);
/* Rank 0's status, at every rank. */
int mpi_agree(int status);
/* A failed call of the library that other ranks may be in still: says so and ends all of them. */
void mpi_abort(const char *verb, gfab_status status, const gfab_diag *diag);

/* Rank 0's text, of *size bytes, at every rank, to be freed there. */
void mpi_share_text(const char *verb, char **text, size_t *size);
/* Rank 0's schedule, at every rank, as its text has it; rank 0 may give NULL, with the exit status that all return.
 * Both results are the caller's. */
int mpi_share(const char *verb, int status, const gfab_schedule *given, gfab_topology **topology,
              gfab_schedule **schedule);

/* Room for what is said of wrong data. */
#define MPI_FAULT_TEXT 320
/* CLI_GO_ON where every rank has an empty text; CLI_FAULTY otherwise: rank 0 prints that of the lowest. */
int mpi_judge(const char *verb, const char text[MPI_FAULT_TEXT]);

typedef struct mpi_spread {
    double least, median, most;
} mpi_spread;

/* Sorts them. */
mpi_spread mpi_spread_of(double *values, size_t count);

/* ---- one collective, by a plan and by MPI itself: mpi_collective.c ---- */

typedef struct mpi_collective {
    gfab_mpi_plan *plan;
    gfab_goal goal;
    uint32_t members; /* N of the goal: ranks that are no relays */
    uint32_t member;  /* this rank's number among them, or GFAB_NO_RANK */
    MPI_Comm comm;    /* of the members, for MPI's own call; MPI_COMM_NULL at a relay */
    bool even;        /* all ranks give as much */
    int count;        /* of its calls */
    uint32_t granule; /* elements of a block, or 0 */
    MPI_Datatype type;
    MPI_Op op;
    size_t size;          /* of an element */
    char *send, *receive; /* of gfab_mpi_send_count and gfab_mpi_receive_count elements */
    size_t send_count, receive_count;
    int *counts, *starts; /* of an uneven all-gather, for MPI */
} mpi_collective;

/* Buffers for count elements; type, op and size are set. CLI_GO_ON, or an exit status after a line, at every rank. */
int mpi_collective_open(const char *verb, const gfab_schedule *schedule, mpi_collective *c);
void mpi_collective_close(mpi_collective *c);
/* Carries it out once, by the plan, or by MPI's own call where `native` says so: seconds of the slowest rank, at
 * rank 0. A barrier is timed without data, and then done again with them. */
double mpi_collective_time(const char *verb, const mpi_collective *c, bool native);
/* The name of MPI's call: "MPI_Allgather". */
const char *mpi_collective_native_name(const mpi_collective *c);

/* ---- what is carried, and what must come out: mpi_data.c ---- */

typedef enum mpi_type { MPI_DATA_INT32, MPI_DATA_INT64, MPI_DATA_FLOAT, MPI_DATA_DOUBLE } mpi_type;

/* "int32", "int64", "float", "double"; false for any other text. */
bool mpi_type_parse(const char *text, mpi_type *type);
MPI_Datatype mpi_type_of(mpi_type type);
size_t mpi_type_size(mpi_type type);

/* What a rank expects: numbers that depend on the run, the rank that gives them, and their place. Sums are those of the
 * schedule's expressions, which are held against plain sums of whole numbers. */
typedef struct mpi_data mpi_data;

/* NULL where memory runs out. */
mpi_data *mpi_data_create(const gfab_schedule *schedule, const mpi_collective *c, mpi_type type);
void mpi_data_destroy(mpi_data *data);
/* Fills the send buffer of this rank, and the receive buffer with something else than what must come. */
void mpi_data_fill(const mpi_data *data, const mpi_collective *c, uint32_t run);
/* Is every byte of the receive buffer right? If not, and text is empty, it gets what is wrong first: the rank, the run,
 * the element, and by whose call (may be "") it came. */
void mpi_data_check(const mpi_data *data, const mpi_collective *c, uint32_t run, const char *by,
                    char text[MPI_FAULT_TEXT]);
/* Does what MPI computes have to be the same, too? Its sums of float and double are bracketed otherwise. */
bool mpi_data_is_exact(const mpi_data *data);

#endif
