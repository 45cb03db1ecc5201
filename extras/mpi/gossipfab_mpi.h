/* SPDX-License-Identifier: MIT */
/* A schedule carried out by MPI processes: rank v of the communicator is node v. docs/guide/mpi.md.
 *
 * A plan is a rank's share of a schedule. It is made once and run many times, with any data: MPI's own calls have the
 * same arguments, and the same meaning. In each round that concerns it a rank receives and sends without blocking,
 * waits for both, and combines what came, in rising order of its directions; so a sum is bracketed as gfab_expression
 * says, and has the same bits in every run.
 *
 * Where the topology has relays, "ranks" below, the root's included, are ranks among the members, and data lie in their
 * order: N of them in a call, however many processes there are. A relay takes part in every call, and its buffers are
 * not looked at.
 *
 * Each call stands alone: what the calls before it were changes nothing.
 *
 * Counts are in elements of `type`, which has to be without gaps: a predefined type, or a contiguous one of those
 * (UNSUPPORTED otherwise: with gaps, with elements that overlap, or with a negative extent). They need not be
 * multiples of anything: a vector is cut in blocks that differ by one element at most, and blocks may be empty.
 * Operators have to be commutative, unless the schedule adds up nothing but ranks that follow each other
 * (gfab_mpi_plan_is_ordered): then it does so in their order, whatever the operator. MPI_SUM, MPI_PROD, MPI_LXOR and
 * MPI_BXOR are UNSUPPORTED where the goal is idempotent, as a barrier's is: contributions may then come more than
 * once. A call that fails on one rank alone (NO_MEMORY) leaves the others waiting: end the job. What MPI reports goes
 * to the communicator's error handler, as always; where that returns, the rank goes on, so that no other waits for it,
 * and the call's status is IO. */
#ifndef GOSSIPFAB_MPI_H
#define GOSSIPFAB_MPI_H

#include <gossipfab/schedule/schedule.h>
#include <mpi.h>

GFAB_C_BEGIN

typedef struct gfab_mpi_plan gfab_mpi_plan;

/* Collective over comm, which is duplicated. All ranks give the same schedule, which should be good (gfab_verify): a
 * faulty one ends with wrong data. It may be destroyed afterwards. Every rank gets the same status and diagnostic:
 * INVALID where there are not as many ranks as nodes, or not all have the same schedule; LIMIT above 32767 links at a
 * node; NO_MEMORY. */
gfab_status gfab_mpi_plan_create(const gfab_schedule *schedule, MPI_Comm comm, gfab_mpi_plan **plan, gfab_diag *diag);
/* The same on the communicator itself: it has to outlive the plan, and nothing but plans may send there. */
gfab_status gfab_mpi_plan_borrow(const gfab_schedule *schedule, MPI_Comm comm, gfab_mpi_plan **plan, gfab_diag *diag);
/* How many elements a block has from now on, at every rank the same; 0, as at first: a vector is cut in the schedule's
 * blocks evenly. With a granule element i is in block floor(i / granule), in an all-gather and a reduce-scatter counted
 * in what a rank gives or gets: how it is added up then depends on its place alone, not on the vector's length. A
 * schedule that repeats is played for as many blocks as a call's count makes, and its plan is as large as its one
 * group; any other has room for its blocks times granule elements. One of any length needs a granule. */
void gfab_mpi_plan_set_granule(gfab_mpi_plan *plan, uint32_t granule);
/* Is every sum one of ranks that follow each other, as in the bracketings binary and linear? */
int gfab_mpi_plan_is_ordered(const gfab_mpi_plan *plan);
/* From now on types whose elements have gaps are taken, too, where nothing of an element lies before or behind it: what
 * is in the gaps of a caller's buffers is overwritten. */
void gfab_mpi_plan_take_gaps(gfab_mpi_plan *plan);
/* Memory that the processes of one machine share, for short messages. A communicator has one at most, which all its
 * plans use, from their first call on or never: of a message's two ends both have to. Collective; NULL, at all ranks,
 * where they are not on one machine, are more than 16, or lack memory. It has to outlive the plans. */
typedef struct gfab_mpi_near gfab_mpi_near;
gfab_mpi_near *gfab_mpi_near_create(MPI_Comm comm);
void gfab_mpi_near_destroy(gfab_mpi_near *near);
void gfab_mpi_plan_use_near(gfab_mpi_plan *plan, gfab_mpi_near *near);
/* MPI's error code of the plan's last call, where that was IO. */
int gfab_mpi_plan_error(const gfab_mpi_plan *plan);
/* Collective over the plan's ranks. */
void gfab_mpi_plan_destroy(gfab_mpi_plan *plan);

/* The elements that a rank's buffers have in a call with `count`. They are those of MPI's call: count or N count, 0
 * where the rank's buffer is not looked at. Only an all-gather whose nodes start with different numbers of tokens is
 * otherwise: a token is then one of the schedule's parts of count elements, and a rank gives as many as it has. */
size_t gfab_mpi_send_count(const gfab_mpi_plan *plan, uint32_t rank, int count);
size_t gfab_mpi_receive_count(const gfab_mpi_plan *plan, uint32_t rank, int count);

/* MPI_Allgather; count is what a rank gives. send may be MPI_IN_PLACE. Errors, here and below: INVALID where the plan
 * is of another collective, count below 0 or more than its blocks take, or a granule is lacking or not for it,
 * UNSUPPORTED (above), LIMIT where a packet has 2^31 elements or more, NO_MEMORY, IO. Where they are not NO_MEMORY or
 * IO all ranks with the same arguments have them. */
gfab_status gfab_mpi_allgather(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                               gfab_diag *diag);
/* MPI_Allgatherv with the ranks' data one behind the other: counts[N], what each gives. UNSUPPORTED where the schedule
 * repeats or its nodes start with different numbers of tokens. */
gfab_status gfab_mpi_allgatherv(gfab_mpi_plan *plan, const void *send, void *receive, const int *counts,
                                MPI_Datatype type, gfab_diag *diag);
/* MPI_Reduce_scatter: counts[N], what each gets. UNSUPPORTED as above. */
gfab_status gfab_mpi_reduce_scatterv(gfab_mpi_plan *plan, const void *send, void *receive, const int *counts,
                                     MPI_Datatype type, MPI_Op op, gfab_diag *diag);
/* MPI_Reduce_scatter_block; count is what a rank gets. */
gfab_status gfab_mpi_reduce_scatter(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                                    MPI_Op op, gfab_diag *diag);
/* MPI_Allreduce; send may be MPI_IN_PLACE. A barrier's plan will do, too: it is an all-reduce of one block. */
gfab_status gfab_mpi_allreduce(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                               MPI_Op op, gfab_diag *diag);
/* MPI_Bcast, from the goal's root. */
gfab_status gfab_mpi_broadcast(gfab_mpi_plan *plan, void *buffer, int count, MPI_Datatype type, gfab_diag *diag);
/* MPI_Reduce, to the goal's root, where send may be MPI_IN_PLACE. */
gfab_status gfab_mpi_reduce(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                            MPI_Op op, gfab_diag *diag);
/* MPI_Barrier. */
gfab_status gfab_mpi_barrier(gfab_mpi_plan *plan, gfab_diag *diag);
/* MPI_Alltoall; count is what a rank gives to each. */
gfab_status gfab_mpi_alltoall(gfab_mpi_plan *plan, const void *send, void *receive, int count, MPI_Datatype type,
                              gfab_diag *diag);

GFAB_C_END
#endif
