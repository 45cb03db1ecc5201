// SPDX-License-Identifier: MIT
#include "dut.h"
#include "Vgossip_fabric.h"
#include <verilated.h>

#include <cstdlib>
#include <string>

namespace
{

// o_error, where the fabric has it.
template <typename Top> auto error_of(Top &top, int) -> decltype(Bus(top.o_error))
{
    return Bus(top.o_error);
}
template <typename Top> Bus error_of(Top & /*top*/, long /*otherwise*/)
{
    return {};
}

// i_operator likewise.
template <typename Top> auto choice_of(Top &top, int) -> decltype(Bus(top.i_operator))
{
    return Bus(top.i_operator);
}
template <typename Top> Bus choice_of(Top & /*top*/, long /*otherwise*/)
{
    return {};
}

// i_program likewise.
template <typename Top> auto program_of(Top &top, int) -> decltype(Bus(top.i_program))
{
    return Bus(top.i_program);
}
template <typename Top> Bus program_of(Top & /*top*/, long /*otherwise*/)
{
    return {};
}

// A netlist of tests/mutate has many mutants; the environment says which one lives.
void switch_mutant_on([[maybe_unused]] Vgossip_fabric &top)
{
#ifdef GFAB_MUTANTS
    top.mutant = static_cast<uint16_t>(std::stoul(std::getenv("GFAB_MUTANT")));
#endif
}

class VerilatedDut final : public Dut
{
  public:
    explicit VerilatedDut(int reset_seed)
    {
        context_.randSeed(reset_seed);
        context_.randReset(2);
        context_.fatalOnError(false);
        top_ = std::make_unique<Vgossip_fabric>(&context_, "fabric");
        switch_mutant_on(*top_);
        clk = Bus(top_->i_clk);
        rst = Bus(top_->i_rst);
        start = Bus(top_->i_start);
        busy = Bus(top_->o_busy);
        done = Bus(top_->o_done);
        error = error_of(*top_, 0);
        choice = choice_of(*top_, 0);
        program = program_of(*top_, 0);
        load_valid = Bus(top_->i_load_valid);
        load_word = Bus(top_->i_load_word);
        load_data = Bus(top_->i_load_data);
        read_token = Bus(top_->i_read_token);
        read_word = Bus(top_->i_read_word);
        read_data = Bus(top_->o_read_data);
        trace_link = Bus(top_->o_trace_link);
        trace_drive = Bus(top_->o_trace_drive);
        trace_write = Bus(top_->o_trace_write);
        trace_address = Bus(top_->o_trace_address);
        trace_data = Bus(top_->o_trace_data);
    }
    ~VerilatedDut() override { top_->final(); }
    void eval() override { top_->eval(); }
    bool stopped() const override { return context_.gotError() || context_.gotFinish(); }

  private:
    VerilatedContext context_;
    std::unique_ptr<Vgossip_fabric> top_;
};

} // namespace

std::unique_ptr<Dut> make_dut(int reset_seed)
{
    return std::make_unique<VerilatedDut>(reset_seed);
}
