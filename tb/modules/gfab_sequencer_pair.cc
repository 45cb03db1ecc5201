// SPDX-License-Identifier: MIT
// gfab_sequencer_pair: says what its first sequencer does, and whether the second does the same. Two more of it show
// what a sequencer does that halts as the first is told to, and as the second is. The wire `combining` is cut: what the
// two gfab_combine_timer say has a bit flipped now and then. See module.h.
#include "Vgfab_sequencer_pair.h"
#include "module.h"

namespace
{

using Pair = Vgfab_sequencer_pair;

class SequencerPair
{
  public:
    explicit SequencerPair(const Parameters &of)
        : lanes_(of.at("LANES")), words_(of.at("WORDS")), round_bits_(of.at("ROUND_BITS")),
          combines_(of.count("OPERATOR") != 0), first_(&context_, "first"), second_(&context_, "second")
    {
        context_.randReset(2);
        for (Pair *one : {&first_, &second_}) {
            one->mutant = 0;
            one->i_clk = 0;
        }
    }

    // Both halt in the same round, or not; a difference is there until the next reset.
    void drive(Pair &top, Random &random)
    {
        top.i_rst |= differs() && random.one_in(6);
        top.i_start = random.one_in(5);
        top.i_first_round = random.bits(round_bits_);
        top.i_operator = random.bits(3);
        const bool halts = random.one_in(12);
        top.i_next = halts != random.one_in(200);
        top.i_twin_next = halts != random.one_in(200);
        copy(top, first_, top.i_next);
        copy(top, second_, top.i_twin_next);
        flip_ = combines_ && random.one_in(20) ? 1ULL << random.below(2 * (2 * lanes_ + 10)) : 0;
        top.eval();
        top.combining_i = top.combining ^ flip_;
    }

    void check(const Pair &top) const
    {
        equal("o_busy", top.o_busy, first_.o_busy);
        equal("o_done", top.o_done, first_.o_done);
        equal("o_round", top.o_round, first_.o_round);
        equal("o_lane", top.o_lane, first_.o_lane);
        equal("o_run", top.o_run, first_.o_run);
        equal("o_read_word", top.o_read_word, first_.o_read_word);
        equal("o_strobe", top.o_strobe, first_.o_strobe);
        equal("o_close", top.o_close, first_.o_close);
        equal("o_out_flit", top.o_out_flit, first_.o_out_flit);
        equal("o_in_lane", top.o_in_lane, first_.o_in_lane);
        equal("o_write_word", top.o_write_word, first_.o_write_word);
        equal("o_write_word_late", top.o_write_word_late, first_.o_write_word_late);
        equal("o_write_round", top.o_write_round, first_.o_write_round);
        equal("o_combining", top.o_combining, combining() ^ flip_);
        equal("o_fault", top.o_fault, differs());
        equal("o_halt", top.o_halt, top.i_next && top.i_twin_next);
        const bool down = first_.combining >> (lanes_ + 8) & 1; // minimum and maximum begin with the highest word
        equal("o_last", top.o_last, first_.o_read_word == (down ? 0 : words_ - 1));
    }

    void step(const Pair & /*top*/)
    {
        for (Pair *one : {&first_, &second_}) {
            one->i_clk = 1;
            one->eval();
            one->i_clk = 0;
            one->eval();
        }
    }

  private:
    static void copy(const Pair &from, Pair &to, bool halts)
    {
        to.i_rst = from.i_rst;
        to.i_start = from.i_start;
        to.i_first_round = from.i_first_round;
        to.i_operator = from.i_operator;
        to.i_next = halts;
        to.i_twin_next = halts;
        to.eval();
    }
    // {the second's, the first's}
    uint64_t combining() const
    {
        const uint64_t mask = (1ULL << (2 * lanes_ + 10)) - 1;
        return (second_.combining & mask) << (2 * lanes_ + 10) | (first_.combining & mask);
    }
    bool differs() const
    {
        const Pair &a = first_, &b = second_;
        const uint64_t said = combining() ^ flip_;
        return a.o_busy != b.o_busy || a.o_done != b.o_done || a.o_round != b.o_round || a.o_lane != b.o_lane ||
               a.o_run != b.o_run || a.o_read_word != b.o_read_word || a.o_strobe != b.o_strobe ||
               a.o_close != b.o_close || a.o_out_flit != b.o_out_flit || a.o_in_lane != b.o_in_lane ||
               a.o_write_word != b.o_write_word || a.o_write_word_late != b.o_write_word_late ||
               a.o_write_round != b.o_write_round ||
               said >> (2 * lanes_ + 10) != (said & ((1ULL << (2 * lanes_ + 10)) - 1));
    }

    const uint32_t lanes_, words_, round_bits_;
    const bool combines_;
    VerilatedContext context_;
    Pair first_, second_;
    uint64_t flip_ = 0; // of {the second's, the first's} combining
};

} // namespace

int main(int argc, char **argv)
{
    return play_module<Vgfab_sequencer_pair, SequencerPair>(argc, argv);
}
