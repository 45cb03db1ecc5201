// SPDX-License-Identifier: MIT
// What the lockstep bench itself makes of two tokens, and of all contributions to a block: not as the C model does it.
#ifndef GFAB_TB_LOCKSTEP_OPERATORS_H
#define GFAB_TB_LOCKSTEP_OPERATORS_H

#include "dut.h"
#include <gossipfab/fabric/timing.h>
#include <gossipfab/schedule/schedule.h>

#include <functional>
#include <vector>

// What an operator, not ALL, makes of tokens a and b of a fabric with this timing; USER is turn_and_subtract.
Bytes combined(gfab_operator op, const gfab_timing &timing, const Bytes &a, const Bytes &b);

// What each node has of a block in the end if `combine` stands for every + of the schedule's expression; own: by node.
std::vector<Bytes> expressed(const gfab_schedule *schedule, uint32_t block, const std::vector<Bytes> &own,
                             const std::function<Bytes(const Bytes &, const Bytes &)> &combine);

// A gfab_operator_fn: that of gfab_user_operator.v in this folder. context is not used.
void turn_and_subtract(void *context, uint32_t bits, uint8_t *total, const uint8_t *flit);

#endif
