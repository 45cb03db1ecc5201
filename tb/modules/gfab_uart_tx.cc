// SPDX-License-Identifier: MIT
// gfab_uart_tx: every byte, bit by bit, one behind the other and with pauses. See module.h.
#include "Vgfab_uart_tx.h"
#include "module.h"

namespace
{

class Sender
{
  public:
    explicit Sender(const Parameters &of) : clocks_(of.at("CLOCKS_PER_BIT")) {}

    void drive(Vgfab_uart_tx &top, Random &random) const
    {
        top.i_valid = random.one_in(clocks_);
        top.i_data = static_cast<uint8_t>(random.one_in(4) ? 1U << random.below(8) : random.bits(8));
    }

    void check(const Vgfab_uart_tx &top) const
    {
        equal("o_ready", top.o_ready, ready());
        equal("o_tx", top.o_tx, left_ == 0 ? 1 : frame_ >> (10 * clocks_ - left_) / clocks_ & 1);
    }

    void step(const Vgfab_uart_tx &top)
    {
        const bool taken = ready() && top.i_valid;
        left_ -= left_ > 0;
        if (top.i_rst)
            left_ = 0;
        else if (taken) {
            frame_ = 1U << 9 | static_cast<uint32_t>(top.i_data) << 1;
            left_ = 10 * clocks_;
        }
    }

  private:
    bool ready() const { return left_ <= 1; } // a byte may begin where the one before ends

    const uint32_t clocks_;
    uint32_t left_ = 0, frame_ = 0; // cycles of the byte to come; start bit, data, stop bit
};

} // namespace

int main(int argc, char **argv)
{
    return play_module<Vgfab_uart_tx, Sender>(argc, argv);
}
