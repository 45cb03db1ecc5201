// SPDX-License-Identifier: MIT
// What the simulators of streams share: what became of one gossip in each run, and the verdicts of several.
#pragma once

#include "bench.h"

namespace faults
{

struct Outcome {
    Lanes played = all, over = none, error = none, wrong = none;
    Lanes silent = none; // wrong, and no error came in time
    Firsts first_error, first_wrong;
    Lanes hang() const { return played & ~over & ~error; }
    Lanes clean() const { return played & over & ~wrong & ~error; }
};

class StreamPlayer : protected Player
{
  protected:
    using Player::Player;

    static void must_be_right(const Outcome &outcome)
    {
        if (!has(outcome.clean(), 0))
            throw std::runtime_error("a fault-free gossip is not right");
    }

    // The verdict of a run: what the flip did, and what the two gossips behind it were. What is played once more
    // (again, next_again) is that after an error.
    static void print(const Outcome &faulty, const Outcome &again, const Outcome &next, const Outcome &next_again,
                      const Outcome &last, size_t run)
    {
        const bool wrong = has(faulty.wrong, run), error = has(faulty.error, run);
        Player::print(run,
                      has(faulty.hang(), run)   ? "hang"
                      : has(faulty.silent, run) ? "silent"
                      : !error                  ? "no-effect"
                      : wrong                   ? "noticed-wrong"
                                                : "noticed-right",
                      faulty.first_error, faulty.first_wrong,
                      error && !has(again.clean(), run) ? after(again, run) : after(next, run),
                      has(next.error, run) && !has(next_again.clean(), run) ? after(next_again, run)
                                                                            : after(last, run));
    }

  private:
    static const char *after(const Outcome &outcome, size_t run)
    {
        return has(outcome.hang(), run)   ? "hang"
               : has(outcome.silent, run) ? "silent"
               : has(outcome.error, run)  ? "error"
                                          : "clean";
    }
};

} // namespace faults
