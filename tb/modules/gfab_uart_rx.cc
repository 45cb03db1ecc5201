// SPDX-License-Identifier: MIT
// gfab_uart_rx: a line of bits of the right length, and of shorter ones, which are noise. See module.h.
#include "Vgfab_uart_rx.h"
#include "module.h"

namespace
{

class Receiver
{
  public:
    explicit Receiver(const Parameters &of) : clocks_(of.at("CLOCKS_PER_BIT")) {}

    void drive(Vgfab_uart_rx &top, Random &random)
    {
        if (held_ == 0) {
            held_ = random.one_in(6) ? 1 + random.below(clocks_) : clocks_;
            level_ = random.one_in(2);
        }
        held_--;
        top.i_rx = level_;
    }

    void check(const Vgfab_uart_rx &top) const
    {
        equal("o_bit_valid", top.o_bit_valid, said_ == BIT);
        equal("o_end", top.o_end, said_ == END);
        equal("o_bad", top.o_bad, said_ == BAD);
        if (said_ == BIT)
            equal("o_bit", top.o_bit, bit_);
    }

    // A bit is looked at in its middle: half a bit behind the line's fall, then a bit's time behind the last look.
    void step(const Vgfab_uart_rx &top)
    {
        const bool line = seen_;
        said_ = NOTHING;
        if (looks_ == 0 && !line) {
            looks_ = 10;
            wait_ = clocks_ / 2;
        } else if (looks_ > 0 && --wait_ == 0) {
            wait_ = clocks_;
            bit_ = line;
            looks_--;
            if (looks_ == 9)
                looks_ = line ? 0 : 9; // noise, no start bit
            else
                said_ = looks_ > 0 ? BIT : line ? END : BAD;
        }
        seen_ = top.i_rst ? true : before_;
        before_ = top.i_rst ? true : top.i_rx;
        looks_ = top.i_rst ? 0 : looks_;
    }

  private:
    enum Said { NOTHING, BIT, END, BAD };

    const uint32_t clocks_;
    uint32_t held_ = 0, wait_ = 0, looks_ = 0; // of the line's level; until the next look; looks to come
    bool level_ = true, before_ = true, seen_ = true, bit_ = false;
    Said said_ = NOTHING;
};

} // namespace

int main(int argc, char **argv)
{
    return play_module<Vgfab_uart_rx, Receiver>(argc, argv);
}
