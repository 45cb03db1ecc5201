// SPDX-License-Identifier: MIT
// gfab_twin_guard against docs/reference/protection.md, "What the host sees": see module.h.
#include "Vgfab_twin_guard.h"
#include "module.h"

namespace
{

class TwinGuard
{
  public:
    explicit TwinGuard(const Parameters &of)
        : nodes_(of.at("NODES")), word_bits_(of.at("WORD_BITS")), cuts_(of.at("CUTS") ? of.at("CUTS") : 1),
          link_bits_(of.at("LINK_BITS")), banks_(of.at("BANKS")), address_bits_(of.at("ADDRESS_BITS")),
          round_bits_(of.at("ROUND_BITS")), programs_(of.at("PROGRAMS")), wants_(of.at("WANTS"))
    {
    }

    // Gossips that last for some cycles, and are then read; now and then one of the two is wrong.
    void drive(Vgfab_twin_guard &top, Random &random)
    {
        if (left_ == 0) {
            plays_ = !plays_;
            left_ = 3 + random.below(20);
        }
        left_--;
        top.i_start = random.one_in(6);
        top.i_program = random.below(programs_);
        const uint32_t collides = random.one_in(3) ? random.bits(nodes_) : 0;
        top.i_collides = collides << nodes_ | (random.one_in(3) ? random.bits(nodes_) : collides);
        top.i_clear = random.one_in(40);
        top.i_transfer_fault = random.one_in(100);
        top.i_busy = (random.one_in(4) ? 3 : 0) ^ flip(random, 2, 100);
        top.i_done = (plays_ ? 0 : 3) ^ flip(random, 2, 100);
        top.i_round = twice(random, round_bits_, 100);
        top.i_read_data = twice(random, nodes_ * word_bits_, 30);
        top.i_cut_drive = twice(random, cuts_, 200);
        top.i_cut = twice(random, cuts_ * link_bits_, 60);
        if (banks_ > 0) {
            top.i_write = twice(random, nodes_ * banks_, 200);
            top.i_write_address = twice(random, nodes_ * address_bits_, 60);
            top.i_write_data = twice(random, nodes_ * banks_ * word_bits_, 60);
        }
    }

    void check(const Vgfab_twin_guard &top)
    {
        equal("o_fault", top.o_fault, read_faults(top));
        equal("o_error", top.o_error, faults() != 0 || error_);
        equal("o_stop", top.o_stop, stop_);
        equal("o_busy", top.o_busy, error_ ? !stopped_ : top.i_busy & 1);
        equal("o_done", top.o_done, error_ ? stopped_ : top.i_done & 1);
        if (error_) {
            equal("o_error_what", top.o_error_what, what_);
            equal("o_error_nodes", top.o_error_nodes, blamed_);
            equal("o_error_round", top.o_error_round, round_);
        }
    }

    void step(const Vgfab_twin_guard &top)
    {
        const bool cleared = top.i_rst || stop_ || top.i_clear, restarts = error_ && stopped_ && top.i_start;
        const uint32_t now = faults(), unlike = read_faults(top);
        if (!error_) {
            what_ = now;
            blamed_ = node_faults_;
            round_ = top.i_round & ((1U << round_bits_) - 1);
        }
        const bool goes_on = error_ && !restarts;
        const bool stopped = goes_on, error = now != 0 || goes_on, stop = now != 0 && !goes_on;
        const uint32_t drive = top.i_cut_drive;
        transfer_fault_ = !cleared && (top.i_transfer_fault || differs(drive, cuts_, 0, cuts_) || cut_differs(top) ||
                                       write_differs(top));
        sequencer_fault_ = !cleared && (differs(top.i_busy, 1, 0, 1) || differs(top.i_done, 1, 0, 1) ||
                                        differs(top.i_round, round_bits_, 0, round_bits_));
        node_faults_ = cleared ? 0 : unlike;
        reads_ = !cleared && (top.i_done & 1) && !(top.i_busy & 1) ? wanted() : 0;
        reads_ &= ~(top.i_collides & top.i_collides >> nodes_);
        if (top.i_rst)
            last_ = 0;
        else if (top.i_start && (!(top.i_busy & 1) || (top.i_done & 1)))
            last_ = next_;
        next_ = top.i_program;
        error_ = !top.i_rst && error;
        stop_ = !top.i_rst && stop;
        stopped_ = !top.i_rst && stopped;
    }

  private:
    static uint32_t flip(Random &random, uint32_t width, uint32_t seldom)
    {
        return random.one_in(seldom) ? 1U << random.below(width) : 0;
    }

    static uint64_t twice(Random &random, uint32_t width, uint32_t seldom)
    {
        const uint64_t first = random.bits(width);
        return (first ^ flip(random, width, seldom)) << width | first;
    }

    // Of a bus {the twin's, the fabric's}, each of so many bits, those from `at` on.
    static bool differs(uint64_t bus, uint32_t all, uint32_t at, uint32_t width)
    {
        return ((bus >> at ^ bus >> (all + at)) & ((uint64_t{1} << width) - 1)) != 0;
    }

    // What a link carries counts where the fabric drives it.
    bool cut_differs(const Vgfab_twin_guard &top) const
    {
        for (uint32_t cut = 0; cut < cuts_; cut++)
            if ((top.i_cut_drive >> cut & 1) && differs(top.i_cut, cuts_ * link_bits_, cut * link_bits_, link_bits_))
                return true;
        return false;
    }

    // A bank's write, and what it is, where the fabric writes; all banks of a node have one address.
    bool write_differs(const Vgfab_twin_guard &top) const
    {
        const uint32_t banks = nodes_ * banks_;
        for (uint32_t bank = 0; bank < banks; bank++) {
            if (differs(top.i_write, banks, bank, 1))
                return true;
            if ((top.i_write >> bank & 1) &&
                (differs(top.i_write_data, banks * word_bits_, bank * word_bits_, word_bits_) ||
                 differs(top.i_write_address, nodes_ * address_bits_, bank / banks_ * address_bits_, address_bits_)))
                return true;
        }
        return false;
    }

    // Nodes that want something of the program that was played last.
    uint32_t wanted() const
    {
        uint32_t nodes = 0;
        for (uint32_t v = 0; v < nodes_; v++)
            nodes |= (wants_ >> (v * programs_ + last_) & 1) << v;
        return nodes;
    }

    // A word counts that somebody may have read, and that was not written just then, in both.
    uint32_t read_faults(const Vgfab_twin_guard &top) const
    {
        uint32_t nodes = 0;
        for (uint32_t v = 0; v < nodes_; v++)
            nodes |= uint32_t{differs(top.i_read_data, nodes_ * word_bits_, v * word_bits_, word_bits_)} << v;
        return nodes & reads_;
    }

    // One bit each: a node, a transfer, a program, the sequencer.
    uint32_t faults() const
    {
        return (node_faults_ != 0 ? 1U : 0) | (transfer_fault_ ? 2U : 0) | (sequencer_fault_ ? 8U : 0);
    }

    const uint32_t nodes_, word_bits_, cuts_, link_bits_, banks_, address_bits_, round_bits_, programs_, wants_;
    bool plays_ = false;
    uint32_t left_ = 0;
    bool error_ = false, stop_ = false, stopped_ = false, sequencer_fault_ = false, transfer_fault_ = false;
    uint32_t next_ = 0, last_ = 0, reads_ = 0; // program 0 where there is one
    uint32_t node_faults_ = 0, what_ = 0, blamed_ = 0, round_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    return play_module<Vgfab_twin_guard, TwinGuard>(argc, argv);
}
