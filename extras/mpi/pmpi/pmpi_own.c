/* SPDX-License-Identifier: MIT */
/* What is left to MPI, and counted: calls that return before they are done, which a schedule's rounds would need a
 * thread for, and counts of which no rank knows all. */
#include "pmpi.h"

#define OWN(call, name, reason, parameters, arguments) \
    int MPI_##name parameters                          \
    {                                                  \
        pmpi_count(call, reason);                      \
        return PMPI_##name arguments;                  \
    }

OWN(PMPI_ALLREDUCE, Iallreduce, PMPI_NONBLOCKING,
    (const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request),
    (send, receive, count, type, op, comm, request))
OWN(PMPI_REDUCE, Ireduce, PMPI_NONBLOCKING,
    (const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
     MPI_Request *request),
    (send, receive, count, type, op, root, comm, request))
OWN(PMPI_REDUCE_SCATTER, Ireduce_scatter, PMPI_NONBLOCKING,
    (const void *send, void *receive, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,
     MPI_Request *request),
    (send, receive, counts, type, op, comm, request))
OWN(PMPI_REDUCE_SCATTER_BLOCK, Ireduce_scatter_block, PMPI_NONBLOCKING,
    (const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request),
    (send, receive, count, type, op, comm, request))
OWN(PMPI_ALLGATHER, Iallgather, PMPI_NONBLOCKING,
    (const void *send, int send_count, MPI_Datatype send_type, void *receive, int count, MPI_Datatype type,
     MPI_Comm comm, MPI_Request *request),
    (send, send_count, send_type, receive, count, type, comm, request))
OWN(PMPI_ALLGATHERV, Iallgatherv, PMPI_NONBLOCKING,
    (const void *send, int send_count, MPI_Datatype send_type, void *receive, const int counts[], const int starts[],
     MPI_Datatype type, MPI_Comm comm, MPI_Request *request),
    (send, send_count, send_type, receive, counts, starts, type, comm, request))
OWN(PMPI_BCAST, Ibcast, PMPI_NONBLOCKING,
    (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
    (buffer, count, type, root, comm, request))
OWN(PMPI_ALLTOALL, Ialltoall, PMPI_NONBLOCKING,
    (const void *send, int send_count, MPI_Datatype send_type, void *receive, int count, MPI_Datatype type,
     MPI_Comm comm, MPI_Request *request),
    (send, send_count, send_type, receive, count, type, comm, request))
OWN(PMPI_ALLTOALLV, Ialltoallv, PMPI_NONBLOCKING,
    (const void *send, const int send_counts[], const int send_starts[], MPI_Datatype send_type, void *receive,
     const int counts[], const int starts[], MPI_Datatype type, MPI_Comm comm, MPI_Request *request),
    (send, send_counts, send_starts, send_type, receive, counts, starts, type, comm, request))
OWN(PMPI_BARRIER, Ibarrier, PMPI_NONBLOCKING, (MPI_Comm comm, MPI_Request *request), (comm, request))
OWN(PMPI_ALLTOALLV, Alltoallv, PMPI_COUNTS,
    (const void *send, const int send_counts[], const int send_starts[], MPI_Datatype send_type, void *receive,
     const int counts[], const int starts[], MPI_Datatype type, MPI_Comm comm),
    (send, send_counts, send_starts, send_type, receive, counts, starts, type, comm))
