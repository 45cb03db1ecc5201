// SPDX-License-Identifier: MIT
// gfab_twin_check against docs/reference/protection.md, "A second fabric": see module.h.
#include "Vgfab_twin_check.h"
#include "module.h"

namespace
{

class Check
{
  public:
    explicit Check(const Parameters &of)
        : ports_(of.at("PORTS")), bits_(of.at("BITS")), registered_(of.at("REGISTERED"))
    {
    }

    // Both say the same, but that now and then a bit differs, in whatever it is.
    void drive(Vgfab_twin_check &top, Random &random)
    {
        top.i_ready = twice(random, ports_);
        top.i_valid = twice(random, ports_);
        top.i_last = twice(random, ports_);
        top.i_data = twice(random, ports_ * bits_);
    }

    void check(const Vgfab_twin_check &top)
    {
        equal("o_fault", top.o_fault, registered_ ? faults_ : differ(top, true) | differ(top, false));
    }

    void step(const Vgfab_twin_check &top)
    {
        faults_ = top.i_rst ? 0 : faults_ | noticed_;
        noticed_ = top.i_rst ? 0 : differ(top, true) | differ(top, false);
    }

  private:
    static uint32_t twice(Random &random, uint32_t width)
    {
        const uint32_t first = random.bits(width), second = first ^ (random.one_in(60) ? 1U << random.below(width) : 0);
        return second << width | first;
    }

    // Ports at which what says that something moves differs, or what is there.
    uint32_t differ(const Vgfab_twin_check &top, bool turns) const
    {
        uint32_t ports = 0;
        for (uint32_t p = 0; p < ports_; p++) {
            const bool valid = top.i_valid >> p & 1;
            const auto unlike = [&](uint64_t bus, uint32_t width) {
                const uint64_t mask = (uint64_t{1} << width) - 1;
                return ((bus >> p * width ^ bus >> (ports_ + p) * width) & mask) != 0;
            };
            const bool moves = unlike(top.i_ready, 1) || unlike(top.i_valid, 1) || (valid && unlike(top.i_last, 1));
            ports |= uint32_t{turns ? moves : valid && unlike(top.i_data, bits_)} << p;
        }
        return ports;
    }

    const uint32_t ports_, bits_;
    const bool registered_;
    uint32_t noticed_ = 0, faults_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    return play_module<Vgfab_twin_check, Check>(argc, argv);
}
