// SPDX-License-Identifier: MIT
// The verilated fabric and the C model side by side: what runs them and compares.
#ifndef GFAB_TB_LOCKSTEP_BENCH_H
#define GFAB_TB_LOCKSTEP_BENCH_H

#include "operators.h"
#include <gossipfab/fabric/machine.h>

#include <cstdint>
#include <stdexcept>
#include <string>

struct Mismatch : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct BadInput : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void require(gfab_status status, const gfab_diag &diag);

struct BenchReport {
    uint64_t steps, gossip_cycles;
};

// Runs gossips of the machine's programs, in the fabric it is linked with and in the model, with tokens, resets
// and spurious inputs from the seed; corrupt names what the model is to say wrongly ("" for nothing). Throws Mismatch.
// The machine's goals say what nodes have in the end, where the fabric has blocks; where its operator is chained, the
// expressions of each of its programs, of which there are none elsewhere.
BenchReport run_bench(const gfab_machine *machine, const std::vector<Expressions> &expressions, uint64_t seed,
                      const std::string &corrupt);

#endif
