/* SPDX-License-Identifier: MIT */
/* Short messages between the processes of one machine, through memory that they share. Of any two ranks, each way, the
 * messages are numbered from 0 on, whether they come this way or by MPI: so a receiver knows which is the next, even
 * where the two ends disagree on the length and one of them takes the other way. */
#ifndef GOSSIPFAB_MPI_NEAR_H
#define GOSSIPFAB_MPI_NEAR_H

#include "gossipfab_mpi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the longest. */
size_t near_room(const gfab_mpi_near *near);
/* The number of the next message to a rank, or of the next one from it. */
uint32_t near_next_to(gfab_mpi_near *near, int rank);
uint32_t near_next_from(gfab_mpi_near *near, int rank);
/* False where there is no place for it yet. */
bool near_put(gfab_mpi_near *near, int rank, uint32_t number, const void *data, size_t bytes);
/* The bytes of the message, of which `room` are stored; -1 where it has not come this way. */
long near_take(gfab_mpi_near *near, int rank, uint32_t number, void *data, size_t room);
/* Is it time to look for it by MPI, too, after so many looks in vain? That takes as long as many looks here. */
bool near_asks_mpi(const gfab_mpi_near *near, unsigned n);
/* Between two looks, of which this is the n-th in vain. */
void near_rest(const gfab_mpi_near *near, unsigned n);

#endif
