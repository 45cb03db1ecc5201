/* SPDX-License-Identifier: MIT */
/* Before every file of extras/mpi that is compiled into libgossipfab_pmpi, too: what it asks of MPI it asks of MPI
 * itself. Without it a plan's own calls would be taken as well. */
#ifndef GOSSIPFAB_PMPI_NAMES_H
#define GOSSIPFAB_PMPI_NAMES_H

#define _POSIX_C_SOURCE 200809L /* before any header, as in the files of extras/mpi that ask for it */
#include <mpi.h>

#define MPI_Allreduce PMPI_Allreduce
#define MPI_Bcast PMPI_Bcast
#define MPI_Comm_dup PMPI_Comm_dup
#define MPI_Comm_free PMPI_Comm_free
#define MPI_Comm_rank PMPI_Comm_rank
#define MPI_Comm_size PMPI_Comm_size
#define MPI_Comm_split_type PMPI_Comm_split_type
#define MPI_Error_string PMPI_Error_string
#define MPI_Iprobe PMPI_Iprobe
#define MPI_Irecv PMPI_Irecv
#define MPI_Isend PMPI_Isend
#define MPI_Op_commutative PMPI_Op_commutative
#define MPI_Recv PMPI_Recv
#define MPI_Reduce_local PMPI_Reduce_local
#define MPI_Send PMPI_Send
#define MPI_Type_get_envelope PMPI_Type_get_envelope
#define MPI_Type_get_extent PMPI_Type_get_extent
#define MPI_Type_get_true_extent PMPI_Type_get_true_extent
#define MPI_Type_size PMPI_Type_size
#define MPI_Wait PMPI_Wait

#endif
