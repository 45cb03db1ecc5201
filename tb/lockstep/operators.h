// SPDX-License-Identifier: MIT
// What the lockstep bench itself makes of two tokens, and of all contributions to a block: not as the C model does it.
#ifndef GFAB_TB_LOCKSTEP_OPERATORS_H
#define GFAB_TB_LOCKSTEP_OPERATORS_H

#include "dut.h"
#include <gossipfab/fabric/timing.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

// What an operator, not ALL, makes of tokens a and b of a fabric with this timing; USER is turn_and_subtract.
Bytes combined(gfab_operator op, const gfab_timing &timing, const Bytes &a, const Bytes &b);

// By block and node, ANY_NODE for every one: an expression as `gossipfab show --expression` prints it.
using Expressions = std::map<std::pair<uint32_t, uint32_t>, std::string>;
constexpr uint32_t ANY_NODE = UINT32_MAX;

// Lines "block 4, node 1 2: ((n1 + n0) + n2)" or "block 4, every node: ..". Throws BadInput.
Expressions read_expressions(const std::string &path);

// What a node has of a block in the end if `combine` stands for every +; own: the nodes' own. Throws BadInput.
Bytes expressed(const Expressions &expressions, uint32_t block, uint32_t node, const std::vector<Bytes> &own,
                const std::function<Bytes(const Bytes &, const Bytes &)> &combine);

// A gfab_operator_fn: that of turned_difference.v in this folder. context is not used.
void turn_and_subtract(void *context, uint32_t bits, uint8_t *total, const uint8_t *flit);

#endif
