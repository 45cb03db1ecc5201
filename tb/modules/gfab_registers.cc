// SPDX-License-Identifier: MIT
// gfab_registers against docs/reference/registers.md: any read and any write in every cycle, starts that are taken,
// played and ended, errors at any time. The two counters are cut: they get other values now and then, as none of them
// would come to 2^32 here. See module.h.
#include "Vgfab_registers.h"
#include "module.h"

namespace
{

using Top = Vgfab_registers;

enum : uint32_t {
    VERSION = 0x00,
    IDENTITY = 0x04,
    NODES = 0x08,
    TOKEN_BITS = 0x0c,
    PROGRAMS = 0x10,
    CONTROL = 0x14,
    STATUS = 0x18,
    PROGRAM = 0x1c,
    OPERATOR = 0x20,
    INTERRUPT = 0x24,
    COLLECTIVES = 0x28,
    CYCLES = 0x2c,
    ERROR = 0x30,
    ERROR_ROUND = 0x34,
    ERROR_NODES = 0x40
};
enum : uint32_t { START = 1, CLEAR = 2 }; // bits of CONTROL
enum : uint32_t { FABRIC = 4 };           // in ERROR
constexpr uint32_t VERDICT_CYCLES = 3;    // of a protected fabric, behind a collective's end

class Registers
{
  public:
    explicit Registers(const Parameters &of)
        : identity_(of.at("IDENTITY")), nodes_(of.at("NODES")), token_bits_(of.at("TOKEN_BITS")),
          programs_(of.at("PROGRAMS")), program_bits_(of.at("PROGRAM_BITS")), operators_(of.at("OPERATORS")),
          protect_(of.at("PROTECT")), round_bits_(of.at("ROUND_BITS")), address_bits_(of.at("ADDRESS_BITS"))
    {
    }

    void drive(Top &top, Random &random)
    {
        top.i_read_address = random.bits(address_bits_ - 2);
        drive_write(top, random);
        drive_streams(top, random);
        drive_error(top, random);
        top.eval();
        top.cycles_q_i = other(top.cycles_q, random);
        top.collectives_q_i = other(top.collectives_q, random);
    }

    void check(const Top &top) const
    {
        equal("o_interrupt", top.o_interrupt,
              ((interrupt_ & 1) && done_ && !top.i_error) || ((interrupt_ & 2) && top.i_error));
        equal("o_read_data", top.o_read_data, value_at(top, top.i_read_address * 4));
        equal("o_write_refused", top.o_write_refused, refuses(top));
        equal("m_axis_tvalid", top.m_axis_tvalid, waits_);
        equal("m_axis_tdata", top.m_axis_tdata, operator_ << program_bits_ | program_);
        equal("o_clear", top.o_clear, clear_);
        equal("CYCLES", top.cycles_q, cycles_);
        equal("COLLECTIVES", top.collectives_q, collectives_);
    }

    void step(const Top &top)
    {
        const bool writes = top.i_write && !refuses(top);
        const uint32_t asked = writes && address(top) == CONTROL ? merged(top, 0) : 0;
        const bool starts = asked & START, over = running_ && top.i_done;
        const bool ended = !top.i_error && (protect_ ? verdicts_ >> (VERDICT_CYCLES - 1) & 1 : over);
        cycles_ = top.i_start ? 0 : top.cycles_q_i + running_;
        collectives_ = top.collectives_q_i + ended;
        follow(top, starts, over, ended);
        if (writes && address(top) == PROGRAM)
            program_ = merged(top, program_);
        if (writes && address(top) == OPERATOR)
            operator_ = merged(top, operator_);
        if (writes && address(top) == INTERRUPT)
            interrupt_ = merged(top, interrupt_) & 3;
        clear_ = top.i_error && (clear_ || (asked & CLEAR));
        if (top.i_error && !failed_)
            note_error(top);
        failed_ = top.i_error;
        if (top.i_rst)
            reset();
    }

  private:
    void drive_write(Top &top, Random &random) const
    {
        static const uint32_t writable[] = {CONTROL, CONTROL, PROGRAM, OPERATOR, INTERRUPT};
        top.i_write = random.below(2);
        top.i_write_address = random.one_in(4) ? random.bits(address_bits_ - 2) : writable[random.below(5)] / 4;
        top.i_write_strobe = random.below(2) ? 15 : random.bits(4);
        top.i_write_data = random.bits(random.below(5));
        if (random.one_in(4))
            top.i_write_data |= 1U << random.below(32);
        if (random.one_in(8))
            top.i_write_data = random.bits(32);
    }

    // One start may wait, one load and one be played; verdicts come before the next one is played.
    void drive_streams(Top &top, Random &random) const
    {
        top.i_done = running_ ? random.one_in(6) : random.below(2);
        const bool may_start = protect_ ? !running_ && verdicts_ == 0 : !running_ || top.i_done;
        top.i_start = loaded_ && may_start && random.one_in(3);
        top.m_axis_tready = (!loaded_ || top.i_start) && random.one_in(3);
        top.i_load = random.below(2);
        top.i_unload = random.below(2);
    }

    // It lasts until it is taken back, or for a random time.
    void drive_error(Top &top, Random &random) const
    {
        top.i_error = failed_ ? !(clear_ ? random.below(2) : random.one_in(30)) : random.one_in(60);
        top.i_status = random.below(2) ? +FABRIC : random.bits(3);
        top.i_error_nodes = nodes(random);
        top.i_fault = random.bits(4);
        top.i_fault_nodes = nodes(random);
        top.i_fault_round = random.bits(round_bits_);
    }

    uint64_t nodes(Random &random) const
    {
        const uint64_t any = static_cast<uint64_t>(random.bits(32)) << 32 | random.bits(32);
        return any & ((1ULL << nodes_) - 1);
    }

    // Now and then another value, often with many ones at its end.
    static uint32_t other(uint32_t value, Random &random)
    {
        if (!random.one_in(8))
            return value;
        const uint32_t ones = random.below(33);
        return static_cast<uint32_t>((1ULL << ones) - 1) | static_cast<uint32_t>(1ULL * random.bits(32) << ones);
    }

    bool ready(const Top &top) const { return !waits_ && !top.i_error; }

    static uint32_t address(const Top &top) { return top.i_write_address * 4; }

    // What a register of this value would be after the write.
    static uint32_t merged(const Top &top, uint32_t value)
    {
        for (uint32_t byte = 0; byte < 4; byte++)
            if (top.i_write_strobe >> byte & 1) {
                const uint32_t mask = 0xffU << 8 * byte;
                value = (value & ~mask) | (top.i_write_data & mask);
            }
        return value;
    }

    bool refuses(const Top &top) const
    {
        switch (address(top)) {
        case CONTROL:
            return (merged(top, 0) & START) && !ready(top);
        case PROGRAM:
            return !ready(top) || merged(top, program_) >= programs_;
        case OPERATOR:
            return !ready(top) || merged(top, operator_) >= operators_;
        case INTERRUPT:
            return false;
        default:
            return true;
        }
    }

    uint32_t value_at(const Top &top, uint32_t offset) const
    {
        switch (offset) {
        case VERSION:
            return 0x67666101;
        case IDENTITY:
            return identity_;
        case NODES:
            return nodes_;
        case TOKEN_BITS:
            return token_bits_;
        case PROGRAMS:
            return programs_;
        case STATUS:
            // An error ends all that was started, from its first cycle on.
            return (ready(top) ? 1U : 0) | (top.i_error ? 8U : (started_ != 0 ? 2U : 0) | (done_ ? 4U : 0)) |
                   (top.i_load ? 16U : 0) | (running_ && !top.i_error ? 32U : 0) | (top.i_unload ? 64U : 0);
        case PROGRAM:
            return program_;
        case OPERATOR:
            return operator_;
        case INTERRUPT:
            return interrupt_;
        case COLLECTIVES:
            return top.collectives_q_i;
        case CYCLES:
            return top.cycles_q_i;
        case ERROR:
            return top.i_status | fault_ << 4;
        case ERROR_ROUND:
            return fault_round_;
        default:
            return nodes_at(protect_ ? blamed_ : top.i_error_nodes, offset);
        }
    }

    // 32 nodes of the set, from ERROR_NODES on; 0 elsewhere.
    static uint32_t nodes_at(uint64_t set, uint32_t offset)
    {
        return offset < ERROR_NODES || offset >= ERROR_NODES + 8 ? 0 : static_cast<uint32_t>(set >> 8 * (offset & 4));
    }

    // Where the collectives are that were started and have not ended.
    void follow(const Top &top, bool starts, bool over, bool ended)
    {
        const bool taken = waits_ && top.m_axis_tready;
        waits_ = (waits_ && !taken) || starts;
        loaded_ = (loaded_ && !top.i_start) || taken;
        running_ = (running_ && !over) || top.i_start;
        verdicts_ = (verdicts_ << 1 | over) & ((1U << VERDICT_CYCLES) - 1);
        started_ += starts;
        started_ -= ended;
        done_ = !starts && (done_ || (ended && started_ == 0));
        if (top.i_error) {
            waits_ = loaded_ = running_ = done_ = false;
            verdicts_ = started_ = 0;
        }
    }

    // In its first cycle, of a protected fabric; it is there until the next one.
    void note_error(const Top &top)
    {
        const bool fabric = top.i_status == FABRIC && protect_;
        fault_ = fabric ? top.i_fault : 0;
        fault_round_ = fabric ? top.i_fault_round : 0;
        blamed_ = fabric ? top.i_fault_nodes : top.i_error_nodes;
    }

    void reset()
    {
        waits_ = loaded_ = running_ = done_ = clear_ = false;
        verdicts_ = started_ = program_ = operator_ = interrupt_ = cycles_ = collectives_ = fault_ = fault_round_ = 0;
        blamed_ = 0;
    }

    const uint32_t identity_, nodes_, token_bits_, programs_, program_bits_, operators_;
    const bool protect_;
    const uint32_t round_bits_, address_bits_;
    // One start waits, one is taken, one is played; the ends of protected ones without a verdict yet, a bit a cycle.
    bool waits_ = false, loaded_ = false, running_ = false, done_ = false, clear_ = false, failed_ = false;
    uint32_t verdicts_ = 0, started_ = 0; // that have not ended
    uint32_t program_ = 0, operator_ = 0, interrupt_ = 0, cycles_ = 0, collectives_ = 0;
    uint32_t fault_ = 0, fault_round_ = 0;
    uint64_t blamed_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    return play_module<Top, Registers>(argc, argv);
}
