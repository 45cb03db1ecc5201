/* SPDX-License-Identifier: MIT */
/* Open MPI's Fortran bindings ask PMPI_, not MPI_: their names are taken here, those of mpif.h and the module mpi, with
 * a _ at their end, and those beneath mpi_f08, which are ompi_.._f. MPICH's ask MPI_, and need nothing. */
#include "pmpi.h"

#ifdef OPEN_MPI

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "counts are handed on as they are");

/* Common blocks whose addresses stand for MPI_IN_PLACE and MPI_BOTTOM; absent where nothing is Fortran. */
extern int mpi_fortran_in_place_ __attribute__((weak));
extern int mpi_fortran_bottom_ __attribute__((weak));

static void *address(void *buffer)
{
    if (buffer == &mpi_fortran_in_place_)
        return MPI_IN_PLACE;
    return buffer == &mpi_fortran_bottom_ ? MPI_BOTTOM : buffer;
}

/* Both names of a call. */
#define FORTRAN(name, parameters, call)                                       \
    void mpi_##name##_ parameters;                                            \
    void ompi_##name##_f parameters __attribute__((alias("mpi_" #name "_"))); \
    void mpi_##name##_ parameters                                             \
    {                                                                         \
        const int code = call;                                                \
        if (error)                                                            \
            *error = code;                                                    \
    }

#define TYPE(f) PMPI_Type_f2c(*(f))
#define OP(f) PMPI_Op_f2c(*(f))
#define COMM(f) PMPI_Comm_f2c(*(f))

FORTRAN(allreduce,
        (void *send, void *receive, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *error),
        MPI_Allreduce(address(send), address(receive), *count, TYPE(type), OP(op), COMM(comm)))
FORTRAN(reduce,
        (void *send, void *receive, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *root, MPI_Fint *comm,
         MPI_Fint *error),
        MPI_Reduce(address(send), address(receive), *count, TYPE(type), OP(op), *root, COMM(comm)))
FORTRAN(reduce_scatter,
        (void *send, void *receive, MPI_Fint *counts, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *error),
        MPI_Reduce_scatter(address(send), address(receive), counts, TYPE(type), OP(op), COMM(comm)))
FORTRAN(reduce_scatter_block,
        (void *send, void *receive, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *error),
        MPI_Reduce_scatter_block(address(send), address(receive), *count, TYPE(type), OP(op), COMM(comm)))
FORTRAN(allgather,
        (void *send, MPI_Fint *send_count, MPI_Fint *send_type, void *receive, MPI_Fint *count, MPI_Fint *type,
         MPI_Fint *comm, MPI_Fint *error),
        MPI_Allgather(address(send), *send_count, TYPE(send_type), address(receive), *count, TYPE(type), COMM(comm)))
FORTRAN(allgatherv,
        (void *send, MPI_Fint *send_count, MPI_Fint *send_type, void *receive, MPI_Fint *counts, MPI_Fint *starts,
         MPI_Fint *type, MPI_Fint *comm, MPI_Fint *error),
        MPI_Allgatherv(address(send), *send_count, TYPE(send_type), address(receive), counts, starts, TYPE(type),
                       COMM(comm)))
FORTRAN(bcast, (void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error),
        MPI_Bcast(address(buffer), *count, TYPE(type), *root, COMM(comm)))
FORTRAN(alltoall,
        (void *send, MPI_Fint *send_count, MPI_Fint *send_type, void *receive, MPI_Fint *count, MPI_Fint *type,
         MPI_Fint *comm, MPI_Fint *error),
        MPI_Alltoall(address(send), *send_count, TYPE(send_type), address(receive), *count, TYPE(type), COMM(comm)))
FORTRAN(alltoallv,
        (void *send, MPI_Fint *send_counts, MPI_Fint *send_starts, MPI_Fint *send_type, void *receive, MPI_Fint *counts,
         MPI_Fint *starts, MPI_Fint *type, MPI_Fint *comm, MPI_Fint *error),
        MPI_Alltoallv(address(send), send_counts, send_starts, TYPE(send_type), address(receive), counts, starts,
                      TYPE(type), COMM(comm)))
FORTRAN(barrier, (MPI_Fint * comm, MPI_Fint *error), MPI_Barrier(COMM(comm)))

#endif
