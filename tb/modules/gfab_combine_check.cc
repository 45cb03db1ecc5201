// SPDX-License-Identifier: MIT
// gfab_combine_check: parities of flits and words as they go by. See module.h.
#include "Vgfab_combine_check.h"
#include "module.h"

#include <vector>

namespace
{

class CombineCheck
{
  public:
    explicit CombineCheck(const Parameters &of)
        : link_bits_(of.at("LINK_BITS")), mask_(of.at("LANE_MASK")), skew_(of.at("SKEW") != 0), lanes_(of.at("LANES"))
    {
    }

    // A strobe for one lane or none; the two results agree more often than not.
    void drive(Vgfab_combine_check &top, Random &random) const
    {
        const auto lanes = static_cast<uint32_t>(lanes_.size()), flits = lanes * link_bits_;
        top.i_strobe = random.one_in(3) ? 0 : 1U << random.below(lanes);
        top.i_close = random.one_in(4) ? 1U << random.below(lanes) : 0;
        top.i_receive = random.below(2);
        top.i_combine = random.below(2);
        top.i_new = random.bits(flits);
        top.i_own = random.bits(flits);
        top.i_twin = random.bits(flits);
        top.i_result = random.one_in(2) ? top.i_twin ^ 1U << random.below(flits) : top.i_twin;
        top.i_ready_lane = random.below(lanes);
    }

    void check(const Vgfab_combine_check &top) const
    {
        bool taken_odd = false, differ = false;
        for (uint32_t c = 0; c < lanes_.size(); c++) {
            if (!present(c))
                continue;
            const Lane &lane = lanes_[c];
            taken_odd ^= (lane.receives && odd(flit(top.i_new, c))) != (lane.combines && odd(flit(top.i_own, c)));
            differ |= lane.receives && flit(top.i_result, c) != flit(top.i_twin, c);
        }
        equal("o_odd", top.o_odd, taken_odd);
        equal("o_differ", top.o_differ, differ);
        const uint32_t ready = top.i_ready_lane;
        if (!present(ready))
            equal("o_result_odd of a lane that there is not", top.o_result_odd, 0);
        else if (lanes_[ready].begun)
            equal("o_result_odd", top.o_result_odd, lanes_[ready].word_odd != odd(flit(top.i_twin, ready)));
    }

    void step(const Vgfab_combine_check &top)
    {
        for (uint32_t c = 0; c < lanes_.size(); c++) {
            Lane &lane = lanes_[c];
            const bool strobe = top.i_strobe >> c & 1, late = skew_ && c == 0;
            lane.word_odd = !strobe && lane.word_odd != odd(flit(top.i_twin, c));
            lane.begun |= strobe;
            if (strobe) {
                lane.receives = late ? lane.receives_next : top.i_receive;
                lane.combines = late ? lane.combines_next : top.i_combine;
                lane.receives_next = top.i_receive;
                lane.combines_next = top.i_combine;
            } else if (!late && top.i_close >> c & 1) {
                lane.receives = lane.combines = false; // the word is over, and none begins
            }
            if (top.i_rst)
                lane.receives = lane.combines = lane.receives_next = lane.combines_next = false;
        }
    }

  private:
    struct Lane {
        bool receives = false, combines = false;           // the word whose flits are there
        bool receives_next = false, combines_next = false; // of a late lane: after its next strobe
        bool word_odd = false, begun = false;              // the ones of the word so far; is it known?
    };
    bool present(uint32_t c) const { return mask_ >> c & 1; }
    uint32_t flit(uint32_t flits, uint32_t c) const { return flits >> c * link_bits_ & ((1U << link_bits_) - 1); }

    const uint32_t link_bits_, mask_;
    const bool skew_;
    std::vector<Lane> lanes_;
};

} // namespace

int main(int argc, char **argv)
{
    return play_module<Vgfab_combine_check, CombineCheck>(argc, argv);
}
