/* SPDX-License-Identifier: MIT */
/* libgossipfab_pmpi: MPI's collectives carried out by schedules in programs as they are; docs/guide/pmpi.md. What the
 * files of this folder share. Nothing else in gossipfab uses it.
 *
 * A call is taken where every rank decides so for itself and all decide alike: by what MPI says is the same at all
 * ranks (communicator, root, operator, bytes), never by a buffer or by how a type is laid out. */
#ifndef GOSSIPFAB_PMPI_H
#define GOSSIPFAB_PMPI_H

#include <gossipfab/gossipfab.h>
#include <gossipfab_mpi.h>

/* ---- what was taken: pmpi_report.c ---- */

typedef enum pmpi_call {
    PMPI_ALLREDUCE,
    PMPI_REDUCE,
    PMPI_REDUCE_SCATTER,
    PMPI_REDUCE_SCATTER_BLOCK,
    PMPI_ALLGATHER,
    PMPI_ALLGATHERV,
    PMPI_BCAST,
    PMPI_ALLTOALL,
    PMPI_ALLTOALLV,
    PMPI_BARRIER,
    PMPI_CALLS
} pmpi_call;

/* Why a call is MPI's own. */
typedef enum pmpi_reason {
    PMPI_TAKEN,
    PMPI_ONE_RANK,
    PMPI_INTERCOMM,
    PMPI_NONBLOCKING,
    PMPI_COUNTS,    /* that differ from rank to rank, of which no rank knows all */
    PMPI_TYPE,      /* elements that overlap, or do not begin where they are */
    PMPI_OPERATOR,  /* not commutative, and the schedule adds up in another order */
    PMPI_SIZE,      /* 2^31 bytes or more, or more ranks than are taken */
    PMPI_ARGUMENTS, /* wrong ones: MPI says what is wrong */
    PMPI_SCHEDULE,  /* there is none, or ranks do not have the same settings */
    PMPI_OFF,       /* by the environment */
    PMPI_REASONS
} pmpi_reason;

void pmpi_count(pmpi_call call, pmpi_reason reason);
/* Prints, on rank 0's standard error, if GOSSIPFAB_REPORT asks for it. In MPI_Finalize. */
void pmpi_report(void);

/* ---- the environment, and schedules: pmpi_settings.c, pmpi_schedule.c ---- */

#define PMPI_MOST_RANKS 512

/* "MPI_Allreduce", .. */
extern const char *const pmpi_call_names[PMPI_CALLS];

#define PMPI_FAULT 256 /* bytes of a line that says what is wrong */

/* What the environment says; the same at all ranks, or a communicator is MPI's own. */
typedef struct pmpi_settings {
    const char *topologies; /* GOSSIPFAB_TOPOLOGY; NULL: complete graphs */
    char *bracket;          /* GOSSIPFAB_BRACKET: "binary", "linear", or the text of its file */
    unsigned off;           /* a bit for each pmpi_call: GOSSIPFAB_MPI_OWN */
    long switch_bytes;      /* GOSSIPFAB_SWITCH: from so many bytes on vectors are cut in blocks; -1: measure */
    bool shared;            /* GOSSIPFAB_SHARED_MEMORY is not 0 */
    bool report;
    char fault[PMPI_FAULT]; /* what is wrong with it; then nothing is taken */
} pmpi_settings;

/* Read once. */
const pmpi_settings *pmpi_settings_get(void);
/* The text of a file with a bracketing, without white space, to be freed; NULL, with a line in fault[PMPI_FAULT], where
 * it cannot be one. */
char *pmpi_bracket_read(const char *path, char *fault);
/* A check sequence of what decides. */
uint32_t pmpi_settings_crc(void);

/* A collective among so many ranks: whole vectors, or cut in blocks. */
typedef struct pmpi_key {
    int ranks;
    gfab_collective collective;
    int root;
    bool cut;
} pmpi_key;

/* Borrowed; made once, for as long as the program runs. NULL, with the reason, where there is none. Threads may call it
 * at the same time. */
const gfab_schedule *pmpi_schedule(const pmpi_key *key, gfab_diag *diag);
/* For the report: the sizes that sums were made for, each with its topology and bracketing. */
void pmpi_schedule_list(FILE *file);

/* ---- communicators: pmpi_comm.c ---- */

typedef struct pmpi_comm pmpi_comm;

/* What a communicator has, made at its first collective; NULL where it is MPI's own, with the reason. Collective. */
pmpi_comm *pmpi_comm_of(MPI_Comm comm, pmpi_reason *reason);
/* The one that this thread used last, if it is this communicator's; else NULL. Not collective. */
const pmpi_comm *pmpi_comm_known(MPI_Comm comm);
int pmpi_comm_size(const pmpi_comm *c);
int pmpi_comm_rank(const pmpi_comm *c);
/* NULL where there is none; the same at all ranks. Collective. */
gfab_mpi_plan *pmpi_comm_plan(pmpi_comm *c, gfab_collective collective, int root, size_t bytes);
/* Room of this communicator's for data that is not laid out as a schedule moves it; NULL where memory runs out. */
void *pmpi_comm_room(pmpi_comm *c, int which, size_t bytes);

#define PMPI_SHORT 2048 /* a vector of fewer bytes is never cut, where it is measured */

/* ---- what is measured: pmpi_measure.c, pmpi_cache.c ---- */

/* From how many bytes on plans[1], which cuts a vector in blocks, is faster than plans[0]: of the file of earlier
 * measurements, or by half a second of them; the same at all ranks. Collective. */
long pmpi_measure(MPI_Comm comm, gfab_mpi_plan *const plans[2], gfab_collective collective);
void pmpi_measure_list(FILE *file);
/* -1: it was never measured here. */
long pmpi_cache_find(int ranks, gfab_collective collective);
void pmpi_cache_store(int ranks, gfab_collective collective, long bytes);

/* ---- data: pmpi_data.c ---- */

/* How elements of a type lie. */
typedef struct pmpi_type {
    size_t size;     /* bytes of data */
    MPI_Aint extent; /* from one to the next; below 0 where the next one lies before it */
    bool plain;      /* bytes one behind the other, in the order of the type's signature */
    bool adds;       /* elements can be combined in place: nothing before the first byte, no overlap */
} pmpi_type;

bool pmpi_type_of(MPI_Datatype type, pmpi_type *about);
/* From so many bytes on a call is MPI's own. */
#define PMPI_TOO_LONG ((size_t)1 << 31)
/* elements x bytes, or PMPI_TOO_LONG where that is less. */
size_t pmpi_bytes(size_t elements, size_t bytes);
/* Elements to bytes, one behind the other, and back; MPI's codes. */
int pmpi_pack(const void *from, int count, MPI_Datatype type, void *to, size_t bytes);
int pmpi_unpack(const void *from, size_t bytes, void *to, int count, MPI_Datatype type);
/* Elements of a type with gaps from one buffer to another; what is in gaps stays. */
int pmpi_copy(const void *from, void *to, size_t count, MPI_Datatype type, size_t size, void *room);
/* Does the operator take the type? A predefined one takes some predefined types alone. */
bool pmpi_op_takes(MPI_Op op, MPI_Datatype type);

#endif
