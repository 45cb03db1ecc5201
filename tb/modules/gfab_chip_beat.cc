// SPDX-License-Identifier: MIT
// gfab_chip_beat: a tag that changes in every cycle of a collective, and the same as late as what comes. See module.h.
#include "Vgfab_chip_beat.h"
#include "module.h"

#include <deque>

namespace
{

class ChipBeat
{
  public:
    explicit ChipBeat(const Parameters &of) : tags_(of.at("LATENCY")), busy_(of.at("LATENCY")) {}

    void drive(Vgfab_chip_beat &top, Random &random)
    {
        if (left_ == 0) {
            plays_ = !plays_;
            left_ = 1 + random.below(12);
        }
        left_--;
        top.i_busy = plays_;
    }

    void check(const Vgfab_chip_beat &top) const
    {
        equal("o_tag", top.o_tag, tag_);
        equal("o_come_tag", top.o_come_tag, tags_.back());
        equal("o_watch", top.o_watch, top.i_busy && busy_.back());
    }

    void step(const Vgfab_chip_beat &top)
    {
        tags_.push_front(tag_);
        busy_.push_front(top.i_busy != 0);
        tags_.pop_back();
        busy_.pop_back();
        tag_ = top.i_busy && !tag_;
        if (!top.i_rst)
            return;
        tag_ = false;
        tags_.assign(tags_.size(), false);
        busy_.assign(busy_.size(), false);
    }

  private:
    bool plays_ = false, tag_ = false;
    uint32_t left_ = 0;
    std::deque<bool> tags_, busy_; // of so many cycles ago, the latest first
};

} // namespace

int main(int argc, char **argv)
{
    return play_module<Vgfab_chip_beat, ChipBeat>(argc, argv);
}
