// SPDX-License-Identifier: MIT
// gfab_guard against docs/reference/protection.md, "What the host sees": see module.h.
#include "Vgfab_guard.h"
#include "module.h"

namespace
{

class Guard
{
  public:
    explicit Guard(const Parameters &of)
        : nodes_(of.at("NODES")), programs_(of.at("PROGRAMS")), words_(of.at("WORDS")), round_bits_(of.at("ROUND_BITS"))
    {
    }

    // Gossips that last for some cycles; now and then something is wrong.
    void drive(Vgfab_guard &top, Random &random)
    {
        if (left_ == 0) {
            plays_ = !plays_;
            left_ = 3 + random.below(20);
            even_ = !random.one_in(4);
        }
        left_--;
        top.i_start = random.one_in(6);
        top.i_clear = random.one_in(40);
        top.i_busy = random.below(2);
        top.i_done = !plays_;
        top.i_run = plays_ && !random.one_in(4);
        top.i_halt = random.one_in(10);
        top.i_last = random.one_in(3);
        top.i_round = random.bits(round_bits_);
        top.i_sequencer_fault = random.one_in(60);
        top.i_node_faults = random.one_in(60) ? random.bits(nodes_) : 0;
        top.i_node_balances = random.bits(nodes_);
        top.i_transfer_fault = random.one_in(60);
        top.i_transfer_balance = random.below(2);
        top.i_odd_ops = random.bits(programs_);
        // Most gossips end well: balances that are even, and ones that are, when they count.
        if (even_ && odd(top.i_node_balances) != (top.i_transfer_balance != 0))
            top.i_node_balances ^= 1;
        if (even_ && odd(top.i_odd_ops))
            top.i_odd_ops ^= 1;
    }

    void check(const Vgfab_guard &top)
    {
        const bool fault = faults() != 0;
        equal("o_error", top.o_error, fault || error_);
        equal("o_stop", top.o_stop, stop_);
        equal("o_busy", top.o_busy, error_ ? !stopped_ : top.i_busy);
        equal("o_done", top.o_done, error_ ? stopped_ : top.i_done);
        if (error_) {
            equal("o_error_what", top.o_error_what, what_);
            equal("o_error_nodes", top.o_error_nodes, blamed_);
            equal("o_error_round", top.o_error_round, round_);
        }
    }

    void step(const Vgfab_guard &top)
    {
        const bool cleared = top.i_rst || stop_ || top.i_clear, restarts = error_ && stopped_ && top.i_start;
        const uint32_t now = faults();
        if (!error_) {
            what_ = now;
            blamed_ = node_faults_;
            round_ = top.i_round;
        }
        const bool goes_on = error_ && !restarts;
        const bool stopped = goes_on, error = now != 0 || goes_on, stop = now != 0 && !goes_on;
        // The sums of ones: of a round's last word, and of every word, where a halt counts WORDS times.
        for (int sum = 0; sum < 2; sum++) {
            ones_[sum] = !cleared && ones_[sum] != (counts_[sum] && odd_ops_);
            counts_[sum] =
                !cleared && top.i_run && (sum == 0 ? !top.i_halt || words_ % 2 == 1 : top.i_last || top.i_halt);
        }
        odd_ops_ = odd(top.i_odd_ops);
        done_ = cleared ? 0 : (done_ << 1 | top.i_done) & 7;
        balance_odd_ = odd(top.i_node_balances) != (top.i_transfer_balance != 0);
        transfer_fault_ = !cleared && top.i_transfer_fault;
        sequencer_fault_ = !cleared && top.i_sequencer_fault;
        node_faults_ = cleared ? 0 : top.i_node_faults;
        error_ = !top.i_rst && error;
        stop_ = !top.i_rst && stop;
        stopped_ = !top.i_rst && stopped;
    }

  private:
    // One bit each: a node, a transfer, a program, the sequencer.
    uint32_t faults() const
    {
        const bool over = (done_ & 6) == 2; // it rose two cycles ago
        return (node_faults_ != 0 ? 1U : 0) | (transfer_fault_ || (over && balance_odd_) ? 2U : 0) |
               (over && (ones_[0] || ones_[1]) ? 4U : 0) | (sequencer_fault_ ? 8U : 0);
    }

    const uint32_t nodes_, programs_, words_, round_bits_;
    bool plays_ = false, even_ = true;
    uint32_t left_ = 0;
    bool error_ = false, stop_ = false, stopped_ = false, sequencer_fault_ = false, balance_odd_ = false,
         transfer_fault_ = false;
    bool counts_[2] = {}, ones_[2] = {}, odd_ops_ = false;
    uint32_t done_ = 0, node_faults_ = 0, what_ = 0, blamed_ = 0, round_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    return play_module<Vgfab_guard, Guard>(argc, argv);
}
