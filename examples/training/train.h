/* SPDX-License-Identifier: MIT */
/* What adds up the hosts' vectors, one of three: model.c, on the C model; rtl.cc, by the RTL; ranks.c, by MPI. */
#ifndef TRAIN_H
#define TRAIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The fabric adds up BLOCKS blocks of ELEMENTS bfloat16 numbers a run; a vector is LENGTH of them, some runs. */
enum { HOSTS = 16, BLOCKS = 16, ELEMENTS = 16, RUN = BLOCKS * ELEMENTS, LENGTH = 2 * RUN };

/* Opens what the argument names; the hosts of this process are first .. first + count - 1. */
void fabric_open(int *argc, char ***argv, int *first, int *count);
/* The vector of each host of this process becomes the sum of those of all; the cycles of a run, 0 where there are none.
 * Element i is in block i mod RUN / ELEMENTS. */
uint64_t fabric_sum(uint16_t vectors[][LENGTH]);
/* Have all processes the same number? */
int fabric_agree(uint32_t number);
void fabric_close(void);

#ifdef __cplusplus
}
#endif
#endif
