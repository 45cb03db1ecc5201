// SPDX-License-Identifier: MIT
// gfab_axi_lite: a write's address, then its data, then its answer; reads beside them. Whatever is offered may be taken
// back, which AXI forbids; the registers' word and their refusal are others in every cycle. See module.h.
#include "Vgfab_axi_lite.h"
#include "module.h"

namespace
{

using Top = Vgfab_axi_lite;

class AxiLite
{
  public:
    explicit AxiLite(const Parameters &of) : address_bits_(of.at("ADDRESS_BITS")) {}

    void drive(Top &top, Random &random) const
    {
        top.s_axil_awvalid = random.below(2);
        top.s_axil_awaddr = random.bits(address_bits_);
        top.s_axil_wvalid = random.below(2);
        top.s_axil_wdata = random.bits(32);
        top.s_axil_wstrb = random.bits(4);
        top.s_axil_bready = random.below(2);
        top.s_axil_arvalid = random.below(2);
        top.s_axil_araddr = random.bits(address_bits_);
        top.s_axil_rready = random.below(2);
        top.i_read_data = random.bits(32);
        top.i_write_refused = random.below(2);
    }

    void check(const Top &top) const
    {
        equal("s_axil_awready", top.s_axil_awready, !address_taken_);
        equal("s_axil_wready", top.s_axil_wready, takes_data());
        equal("s_axil_bvalid", top.s_axil_bvalid, answers_);
        equal("s_axil_arready", top.s_axil_arready, !reads_);
        equal("s_axil_rvalid", top.s_axil_rvalid, reads_);
        equal("o_write", top.o_write, takes_data() && top.s_axil_wvalid);
        if (answers_)
            equal("s_axil_bresp", top.s_axil_bresp, refused_ ? 2 : 0); // SLVERR, OKAY
        if (reads_) {
            equal("s_axil_rdata", top.s_axil_rdata, word_);
            equal("s_axil_rresp", top.s_axil_rresp, 0);
        } else {
            equal("o_read_address", top.o_read_address, top.s_axil_araddr / 4);
        }
        if (takes_data()) {
            equal("o_write_address", top.o_write_address, write_address_);
            equal("o_write_data", top.o_write_data, top.s_axil_wdata);
            equal("o_write_strobe", top.o_write_strobe, top.s_axil_wstrb);
        }
    }

    void step(const Top &top)
    {
        const bool address = !address_taken_ && top.s_axil_awvalid, data = takes_data() && top.s_axil_wvalid;
        if (address)
            write_address_ = top.s_axil_awaddr / 4;
        if (data)
            refused_ = top.i_write_refused;
        if (!reads_)
            word_ = top.i_read_data;
        address_taken_ = !top.i_rst && ((address_taken_ && !data) || address);
        answers_ = !top.i_rst && ((answers_ && !top.s_axil_bready) || data);
        reads_ = !top.i_rst && (reads_ ? !top.s_axil_rready : top.s_axil_arvalid != 0);
    }

  private:
    bool takes_data() const { return address_taken_ && !answers_; }

    const uint32_t address_bits_;
    bool address_taken_ = false, answers_ = false, refused_ = false, reads_ = false;
    uint32_t write_address_ = 0, word_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    return play_module<Top, AxiLite>(argc, argv);
}
