// SPDX-License-Identifier: MIT
// gfab_wishbone: requests that are answered in their second cycle, some taken back in the first, some one behind the
// other; the registers' word and their refusal are others in every cycle: the word of a request's first cycle counts,
// and the refusal of its second, in which the write would happen. See module.h.
#include "Vgfab_wishbone.h"
#include "module.h"

namespace
{

using Top = Vgfab_wishbone;

class Wishbone
{
  public:
    explicit Wishbone(const Parameters &of) : address_bits_(of.at("ADDRESS_BITS")) {}

    // A request stays as it is for both of its cycles, or is taken back, by cyc or by stb.
    void drive(Top &top, Random &random) const
    {
        const bool stays = second_ && !random.one_in(4);
        top.i_wb_cyc = stays || random.below(3) != 0;
        top.i_wb_stb = stays || (random.below(3) != 0 && !(second_ && top.i_wb_cyc));
        if (!second_) {
            top.i_wb_we = random.below(2);
            top.i_wb_adr = random.bits(address_bits_ - 2);
            top.i_wb_dat = random.bits(32);
            top.i_wb_sel = random.bits(4);
        }
        top.i_read_data = random.bits(32);
        top.i_write_refused = random.below(2);
    }

    void check(const Top &top) const
    {
        const bool request = top.i_wb_cyc && top.i_wb_stb, answer = request && second_;
        const bool refused = top.i_wb_we && top.i_write_refused;
        equal("o_wb_ack", top.o_wb_ack, answer && !refused);
        equal("o_wb_err", top.o_wb_err, answer && refused);
        equal("o_write", top.o_write, answer && top.i_wb_we && !refused);
        if (answer && !top.i_wb_we)
            equal("o_wb_dat", top.o_wb_dat, word_);
        if (request) {
            equal("o_read_address", top.o_read_address, top.i_wb_adr);
            equal("o_write_address", top.o_write_address, top.i_wb_adr);
            equal("o_write_data", top.o_write_data, top.i_wb_dat);
            equal("o_write_strobe", top.o_write_strobe, top.i_wb_sel);
        }
    }

    void step(const Top &top)
    {
        second_ = !top.i_rst && !second_ && top.i_wb_cyc && top.i_wb_stb;
        word_ = top.i_read_data;
    }

  private:
    const uint32_t address_bits_;
    bool second_ = false; // the cycle before was a request's first one
    uint32_t word_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    return play_module<Top, Wishbone>(argc, argv);
}
