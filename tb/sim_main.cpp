// SPDX-License-Identifier: MIT
// Plays gossips on gossip_fabric in Verilator: loads every node's own token, starts, counts the cycles, and reads every
// token back from every node. Run it where rom/ is. Prints one line, PASS, or FAIL for what is wrong; exit status
// 1 then. Plus arguments: +seed=<n> for other tokens; +trace=<file.vcd> in a model that was built with --trace.
#include "Vgossip_fabric.h"
#include "gossip_fabric_parameters.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>
#include <verilated.h>
#if VM_TRACE
#include <verilated_vcd_c.h>
#endif

#define AS_UINT64(number) AS_UINT64_(number)
#define AS_UINT64_(number) number##ULL

namespace
{

constexpr size_t nodes = GF_NODES, words = GF_WORDS, word_bits = GF_WORD_BITS, token_bits = GF_TOKEN_BITS;
constexpr size_t parts = GF_PARTS, part_bits = GF_PART_BITS;
constexpr uint64_t cycles_expected = AS_UINT64(GF_CYCLES);

using Bits = std::vector<bool>;

// The others neither have nor give anything.
bool alive(size_t node)
{
    return GF_ALIVE[nodes - 1 - node] == '1';
}

// A port, which Verilator keeps in an integer or in an array of 32-bit words, is its bytes on a little-endian machine.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a port's storage is taken as its bytes");
template <typename Port> bool get(const Port &port, size_t bit)
{
    return reinterpret_cast<const uint8_t *>(&port)[bit / 8] >> bit % 8 & 1;
}
template <typename Port> void set(Port &port, size_t bit, bool value)
{
    uint8_t &byte = reinterpret_cast<uint8_t *>(&port)[bit / 8];
    byte = static_cast<uint8_t>((byte & ~(1U << bit % 8)) | static_cast<unsigned>(value) << bit % 8);
}
template <typename Port> void set_number(Port &port, size_t element, size_t width, size_t value)
{
    for (size_t i = 0; i < width; i++)
        set(port, element * width + i, value >> i & 1);
}

// The tokens, each part padded to whole words: bits 64 i .. 64 i + 63 of node v's are
// splitmix64(seed * 2^32 + 64 v + i).
std::vector<Bits> make_tokens(uint64_t seed)
{
    std::vector<Bits> tokens(nodes, Bits(parts * words * word_bits, false));
    for (size_t v = 0; v < nodes; v++) {
        uint64_t z = 0;
        for (size_t i = 0; i < token_bits; i++) {
            if (i % 64 == 0) {
                z = (seed << 32) + v * 64 + i / 64 + 0x9e3779b97f4a7c15U;
                z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
                z = (z ^ z >> 27) * 0x94d049bb133111ebU;
                z ^= z >> 31;
            }
            tokens[v][i / part_bits * words * word_bits + i % part_bits] = z >> i % 64 & 1;
        }
    }
    return tokens;
}

class Bench
{
  public:
    explicit Bench(const std::string &trace)
    {
#if VM_TRACE
        if (!trace.empty()) {
            context_.traceEverOn(true);
            top_->trace(&vcd_, 99);
            vcd_.open(trace.c_str());
        }
#else
        if (!trace.empty())
            printf("no trace: this model was built without --trace\n");
#endif
    }
    ~Bench()
    {
        top_->final();
#if VM_TRACE
        vcd_.close();
#endif
    }

    // A gossip that a reset cuts off, and at once the same once more: the nodes' own tokens are still there. Then one
    // with other tokens, without a reset.
    bool play(uint64_t seed)
    {
        uint64_t cycles = 0;
        reset();
        load(make_tokens(seed));
        run(1 + cycles_expected / 2);
        reset();
        bool good = true;
        for (uint64_t gossip = 0; gossip < 2; gossip++) {
            const std::vector<Bits> tokens = make_tokens(seed + gossip);
            if (gossip > 0)
                load(tokens);
            cycles = run(cycles_expected + 1);
            if (context_.gotError()) {
                printf("FAIL: an assertion in the fabric, %" PRIu64 " cycles after the start\n", cycles);
                return false;
            }
            if (cycles != cycles_expected || !top_->o_done) {
                good = false;
                printf("FAIL: done is %d after %" PRIu64 " cycles, and should rise after %" PRIu64 "\n", top_->o_done,
                       cycles, cycles_expected);
            }
            edge();
            const bool stored = all_stored();
            const size_t faults = read(tokens);
            if (faults > 0)
                printf("FAIL: %zu words wrong\n", faults);
            if (top_->o_busy || !top_->o_done)
                printf("FAIL: busy %d, done %d behind the gossip\n", top_->o_busy, top_->o_done);
            good = good && stored && faults == 0 && !top_->o_busy && top_->o_done;
        }
        if (error_)
            printf("FAIL: o_error was 1\n");
        if (strays_ > 0)
            printf("FAIL: a link is driven, or a word stored, in %zu cycles in which nothing is busy\n", strays_);
        if (fights_ > 0)
            printf("FAIL: both ends of a link drive in %zu cycles\n", fights_);
        if (!good || error_ || fights_ > 0 || strays_ > 0)
            return false;
        printf("PASS: %d tokens of %zu bits right in %d nodes; %" PRIu64 " cycles = %d rounds x %d + %d%s\n",
               GF_SURVIVORS, token_bits, GF_SURVIVORS, cycles, GF_ROUNDS, GF_CYCLES_PER_ROUND, GF_OVERHEAD_CYCLES,
               GF_GAP_CYCLES != 0 ? " and the gaps" : "");
        return true;
    }

  private:
    void reset()
    {
        top_->i_rst = 1;
        edge();
        edge();
        top_->i_rst = 0;
    }

    void load(const std::vector<Bits> &tokens)
    {
        for (size_t w = 0; w < parts * words; w++) {
            for (size_t v = 0; v < nodes; v++) {
                set(top_->i_load_valid, v, true);
                set_number(top_->i_load_word, v, GF_LOAD_BITS, w / words << GF_INDEX_BITS | w % words);
                for (size_t i = 0; i < word_bits; i++)
                    set(top_->i_load_data, v * word_bits + i, tokens[v][w * word_bits + i]);
            }
            edge();
        }
        for (size_t v = 0; v < nodes; v++)
            set(top_->i_load_valid, v, false);
    }

    // Cycles up to o_done, or so many. That i_start stays 1 is to change nothing.
    uint64_t run(uint64_t most)
    {
        uint64_t cycles = 0;
        stored_.assign(nodes, 0);
        top_->i_start = 1;
        do {
            edge();
            cycles++;
        } while (!top_->o_done && cycles < most && !context_.gotError());
        top_->i_start = 0;
        return cycles;
    }

    // A gossip stores each word once.
    bool all_stored() const
    {
        bool all = true;
        for (size_t v = 0; v < nodes; v++)
            if (alive(v) && stored_[v] != (GF_SURVIVORS - 1) * parts * words) {
                all = false;
                printf("FAIL: node %zu stored %zu words, should be %zu\n", v, stored_[v],
                       (GF_SURVIVORS - 1) * parts * words);
            }
        return all;
    }

    // Words that are wrong; the first ten are printed.
    size_t read(const std::vector<Bits> &tokens)
    {
        size_t faults = 0;
        for (size_t t = 0; t < nodes; t++) {
            for (size_t w = 0; w < parts * words; w++) {
                for (size_t v = 0; v < nodes; v++) {
                    set_number(top_->i_read_token, v, GF_SLOT_BITS, t * parts + w / words);
                    set_number(top_->i_read_word, v, GF_INDEX_BITS, w % words);
                }
                edge();
                for (size_t v = 0; v < nodes; v++) {
                    for (size_t i = 0; i < word_bits && alive(v) && alive(t); i++) {
                        if (get(top_->o_read_data, v * word_bits + i) != tokens[t][w * word_bits + i]) {
                            if (faults++ < 10)
                                printf("FAIL: node %zu has bit %zu of token %zu wrong\n", v, w * word_bits + i, t);
                            break;
                        }
                    }
                }
            }
        }
        return faults;
    }

    // Inputs are sampled, and then the outputs are those of the next cycle.
    void edge()
    {
        for (int level = 0; level < 2; level++) {
            top_->i_clk = level != 0;
            top_->eval();
            context_.timeInc(5);
#if VM_TRACE
            if (vcd_.isOpen())
                vcd_.dump(context_.time());
#endif
        }
        bool stray = false;
        for (size_t i = 0; i < nodes * GF_BANKS; i++) {
            stray = stray || get(top_->o_trace_write, i);
            stored_[i / GF_BANKS] += get(top_->o_trace_write, i);
        }
        for (size_t i = 0; i < 2 * GF_LINKS; i++)
            stray = stray || get(top_->o_trace_drive, i);
        strays_ += stray && !top_->o_busy && !top_->i_rst;
#if GF_WIRES == 1
        for (size_t link = 0; link < GF_LINKS && !top_->i_rst; link++)
            fights_ += get(top_->o_trace_drive, 2 * link) && get(top_->o_trace_drive, 2 * link + 1);
#endif
#if GF_PROTECT
        error_ = !top_->i_rst && (error_ || top_->o_error);
#endif
    }

    static VerilatedContext &quiet_stop(VerilatedContext &context)
    {
        context.fatalOnError(false); // an assertion in the fabric ends the run with a line and status 1
        return context;
    }
    VerilatedContext context_;
    size_t fights_ = 0;
    size_t strays_ = 0; // cycles in which something is driven or stored, and nothing is busy
    std::vector<size_t> stored_ = std::vector<size_t>(nodes); // words, by each node, since the start
    bool error_ = false;                                      // o_error has been 1 since the reset
    std::unique_ptr<Vgossip_fabric> top_{new Vgossip_fabric{&quiet_stop(context_), "fabric"}};
#if VM_TRACE
    VerilatedVcdC vcd_;
#endif
};

} // namespace

int main(int argc, char **argv)
{
    uint64_t seed = AS_UINT64(GF_TOKEN_SEED);
    std::string trace;
    for (int i = 1; i < argc; i++) {
        if (std::strncmp(argv[i], "+seed=", 6) == 0) {
            seed = std::strtoull(argv[i] + 6, nullptr, 10);
        } else if (std::strncmp(argv[i], "+trace=", 7) == 0) {
            trace = argv[i] + 7;
        } else {
            fprintf(stderr, "usage: %s [+seed=<n>] [+trace=<file.vcd>]\n", argv[0]);
            return 2;
        }
    }
    Bench bench(trace);
    return bench.play(seed) ? 0 : 1;
}
