// SPDX-License-Identifier: MIT
// gossip_fabric_axis against what docs/reference/host-interface.md says of it: every output in every cycle.
//   axis --nodes N --token-bits W --words PARTS*WORDS --cycles GOSSIP --limit GOSSIP_LIMIT --seed S...
// The wire from the fabric that says that a gossip is over is cut: `done` comes out, `done_i` is what the wrapper sees.
// Per seed: gossips with random pauses; each node the slowest at loading and at reading; resets at random cycles;
// packets of several beats, which are errors; gossips that seem to end late, which are errors past the limit.
// Prints the cycles. Exit status: 0 right, 1 a difference, 2 wrong usage. GFAB_MUTANT is the mutant's number.
#include "../lockstep/dut.h"
#include "Vgossip_fabric_axis.h"
#include <verilated.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <stdexcept>
#include <string>

namespace
{

struct Difference : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Shape {
    size_t nodes, token_bits, words, cycles, limit; // words: of a whole token
};

// What the streams of all nodes do, cycle by cycle.
class Model
{
  public:
    explicit Model(const Shape &shape)
        : shape_(shape), host_(shape.nodes), blamed_(shape.nodes),
          tokens_(shape.nodes, Bytes((shape.token_bits + 7) / 8))
    {
    }

    // Outputs of this cycle; none depends on an input of it.
    bool busy() const { return phase_ == Run && ran_ < shape_.cycles; }
    // Of the cycles of a gossip this is the last, or one behind it.
    size_t late() const { return phase_ == Run && ran_ + 1 >= shape_.cycles ? ran_ + 2 - shape_.cycles : 0; }
    bool ready(size_t v) const
    {
        return host_[v].skips || (phase_ == Load && !host_[v].done && host_[v].count == shape_.words - 1);
    }
    bool error() const { return error_; }
    uint32_t status() const { return status_; }
    bool blamed(size_t v) const { return blamed_[v]; }
    bool valid(size_t v) const { return host_[v].valid; }
    bool last(size_t v) const { return host_[v].beat == shape_.nodes - 1; }
    const Bytes &data(size_t v) const { return tokens_[host_[v].beat]; }
    bool loading() const { return phase_ == Load; }
    bool unloading() const { return phase_ == Unload; }
    size_t gossips() const { return gossips_; } // read by all nodes

    // The edge at the end of the cycle. ends: what is offered is the last beat of its packet. held: the wrapper does
    // not see that the gossip is over.
    void step(bool reset, const std::vector<bool> &offered, const std::vector<bool> &ends,
              const std::vector<Bytes> &data, const std::vector<bool> &taken, bool clear, bool held)
    {
        if (reset) {
            phase_ = Load;
            host_.assign(shape_.nodes, Host());
            blamed_.assign(shape_.nodes, false);
            error_ = false;
            status_ = 0;
            return;
        }
        bool all = true;
        for (const Host &host : host_)
            all = all && host.done;
        std::vector<bool> too_long(shape_.nodes);
        bool fault = false;
        for (size_t v = 0; v < shape_.nodes; v++) {
            if (host_[v].skips)
                host_[v].skips = !(offered[v] && ends[v]);
            else if (phase_ == Load && !host_[v].done && offered[v] && load(v, data[v]))
                too_long[v] = host_[v].skips = !ends[v];
            if (phase_ == Unload && !host_[v].done)
                unload(host_[v], taken[v]);
            else if (phase_ != Load && phase_ != Unload) { // what an error broke off begins anew
                host_[v].done = false;
                host_[v].count = 0;
            }
            fault = fault || too_long[v];
        }
        const bool done = phase_ == Run && ++ran_ >= shape_.cycles && !held;
        const bool stuck = phase_ == Run && ran_ == shape_.limit && !done;
        if (fault || stuck) {
            blamed_ = too_long;
            status_ = fault ? 2 : 3;
        }
        fault = fault || stuck;
        error_ = fault || (error_ && !(phase_ == Failed && clear));
        advance(all, fault, clear, done);
    }

  private:
    enum Phase { Load, Run, Unload, Turn, Failed };
    struct Host {
        size_t count = 0; // words of the token, or beat, so far
        size_t beat = 0;
        bool valid = false, done = false;
        bool skips = false; // what is left of a packet
    };

    // A word; is the token in?
    bool load(size_t v, const Bytes &data)
    {
        Host &host = host_[v];
        if (++host.count < shape_.words)
            return false;
        host.count = 0;
        host.done = true;
        tokens_[v] = data;
        return true;
    }
    void unload(Host &host, bool taken)
    {
        if (!host.valid) {
            host.valid = ++host.count == shape_.words;
            return;
        }
        if (!taken)
            return;
        host.count = 0;
        host.valid = false;
        host.done = ++host.beat == shape_.nodes;
        host.beat %= shape_.nodes;
    }
    void advance(bool all, bool fault, bool clear, bool done)
    {
        if (fault) {
            phase_ = Failed;
        } else if (phase_ == Failed) {
            phase_ = clear ? Load : Failed;
        } else if (phase_ == Load && all) {
            phase_ = Run;
            ran_ = 0;
        } else if (done) {
            phase_ = Unload;
        } else if (phase_ == Unload && all) {
            phase_ = Turn;
            gossips_++;
        } else if (phase_ == Turn) {
            phase_ = Load;
        }
    }

    const Shape shape_;
    Phase phase_ = Load;
    size_t ran_ = 0, gossips_ = 0;
    std::vector<Host> host_;
    std::vector<bool> blamed_;
    bool error_ = false;
    uint32_t status_ = 0;
    std::vector<Bytes> tokens_;
};

// What a reset does not reach starts with bits of the seed. To be called before there is a model.
VerilatedContext *powered_up(VerilatedContext &context, uint64_t seed)
{
    context.randSeed(static_cast<int>(seed % 1000 + 1));
    context.randReset(2);
    context.fatalOnError(false);
    return &context;
}

class Bench
{
  public:
    Bench(const Shape &shape, uint64_t seed)
        : shape_(shape), random_(seed), model_(shape), top_(powered_up(context_, seed), "fabric"),
          offered_(shape.nodes), ends_(shape.nodes), taken_(shape.nodes), give_(shape.nodes, 1), take_(shape.nodes, 1),
          data_(shape.nodes)
    {
        top_.mutant = static_cast<uint16_t>(std::stoul(std::getenv("GFAB_MUTANT")));
        top_.i_clk = 0;
    }

    uint64_t run()
    {
        step(true);
        for (int gossip = 0; gossip < 3; gossip++) {
            for (size_t v = 0; v < shape_.nodes; v++) {
                give_[v] = 1U << random(4);
                take_[v] = 1U << random(4);
            }
            until(model_.gossips() + 1);
        }
        for (size_t slow = 0; slow < shape_.nodes; slow++) {
            for (const bool loading : {true, false}) {
                give_.assign(shape_.nodes, 1);
                take_.assign(shape_.nodes, 1);
                (loading ? give_ : take_)[slow] = 40;
                until(model_.gossips() + 1);
            }
        }
        for (int reset = 0; reset < 12; reset++) {
            for (size_t v = 0; v < shape_.nodes; v++) {
                give_[v] = 1U << random(3);
                take_[v] = 1U << random(3);
            }
            longs_ = reset % 2 == 0 ? 0 : 3; // cut off while what is left of a packet comes in
            for (uint64_t cycles = random(6 * (shape_.cycles + shape_.nodes * shape_.words)); cycles > 0; cycles--)
                step(false);
            step(true);
        }
        longs_ = 0;
        until(model_.gossips() + 2);
        for (longs_ = 3; longs_ < 40; longs_ += 4)
            until(model_.gossips() + 1);
        longs_ = 0;
        until(model_.gossips() + 1);
        for (lates_ = 1; lates_ < shape_.limit - shape_.cycles + 4; lates_++)
            until(model_.gossips() + 2);
        lates_ = 0;
        until(model_.gossips() + 1);
        return steps_;
    }

  private:
    uint64_t random(uint64_t below) { return random_() % below; }
    void until(size_t gossips)
    {
        while (model_.gossips() < gossips)
            step(false);
    }

    // Sources offer, once, in one cycle out of give_; sinks are ready in one out of take_. All other data is noise.
    void step(bool reset)
    {
        for (size_t v = 0; v < shape_.nodes; v++) {
            if (!offered_[v]) {
                offered_[v] = random(give_[v]) == 0;
                ends_[v] = longs_ == 0 || random(longs_ * shape_.nodes) != 0;
                data_[v].resize((shape_.token_bits + 7) / 8);
                for (uint8_t &byte : data_[v])
                    byte = static_cast<uint8_t>(random_());
                if (shape_.token_bits % 8 != 0)
                    data_[v].back() &= static_cast<uint8_t>((1U << shape_.token_bits % 8) - 1);
            }
            taken_[v] = random(take_[v]) == 0;
            Bus(top_.s_axis_tvalid).set(v, 1, offered_[v]);
            Bus(top_.s_axis_tdata).set(v * shape_.token_bits, shape_.token_bits, data_[v].data());
            Bus(top_.s_axis_tlast).set(v, 1, ends_[v]);
            Bus(top_.m_axis_tready).set(v, 1, taken_[v]);
        }
        top_.i_rst = reset;
        top_.i_clear = random(3) == 0;
        if (model_.late() == 0)
            late_ = lates_ == 0 ? 0 : random(lates_ + 1);
        const bool held = model_.late() != 0 && model_.late() <= late_;
        top_.eval();
        top_.done_i = held ? 0 : top_.done;
        top_.eval();
        if (steps_ > 0)
            compare();
        top_.i_clk = 1;
        top_.eval();
        top_.i_clk = 0;
        top_.eval();
        std::vector<bool> in(shape_.nodes);
        for (size_t v = 0; v < shape_.nodes; v++)
            in[v] = offered_[v] && model_.ready(v);
        model_.step(reset, offered_, ends_, data_, taken_, top_.i_clear != 0, held);
        for (size_t v = 0; v < shape_.nodes; v++)
            offered_[v] = offered_[v] && !in[v] && !reset;
        steps_++;
    }
    void compare()
    {
        equal("o_error", 0, Bus(top_.o_error).get(0, 1), model_.error());
        equal("o_status", 0, Bus(top_.o_status).get(0, 3), model_.status());
        equal("o_busy", 0, Bus(top_.o_busy).get(0, 1), model_.busy());
        for (size_t v = 0; v < shape_.nodes; v++) {
            equal("o_error_nodes", v, Bus(top_.o_error_nodes).get(v, 1), model_.blamed(v));
            equal("s_axis_tready", v, Bus(top_.s_axis_tready).get(v, 1), model_.ready(v));
            equal("m_axis_tvalid", v, Bus(top_.m_axis_tvalid).get(v, 1), model_.valid(v));
            if (!model_.valid(v))
                continue;
            equal("m_axis_tlast", v, Bus(top_.m_axis_tlast).get(v, 1), model_.last(v));
            Bus(top_.m_axis_tdata).get(v * shape_.token_bits, shape_.token_bits, beat_);
            if (beat_ != model_.data(v))
                equal("m_axis_tdata", v, 1, 0);
        }
    }
    void equal(const char *what, size_t node, uint32_t rtl, uint32_t model) const
    {
        if (rtl != model)
            throw Difference("cycle " + std::to_string(steps_) + ", " + what + " of node " + std::to_string(node) +
                             " is not " + std::to_string(model));
    }

    const Shape shape_;
    std::mt19937_64 random_;
    Model model_;
    VerilatedContext context_;
    Vgossip_fabric_axis top_;
    std::vector<bool> offered_, ends_, taken_;
    uint64_t longs_ = 0;                // one packet out of so many times the nodes goes on; 0: none
    uint64_t lates_ = 0, late_ = 0;     // cycles by which gossips seem to end late: the most, and this one
    std::vector<unsigned> give_, take_; // eagerness: one cycle out of so many
    std::vector<Bytes> data_;
    Bytes beat_;
    uint64_t steps_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    std::map<std::string, size_t> option;
    std::vector<uint64_t> seeds;
    for (int i = 1; i + 1 < argc; i += 2)
        if (std::string(argv[i]) == "--seed")
            seeds.push_back(std::stoull(argv[i + 1]));
        else
            option[argv[i]] = std::stoull(argv[i + 1]);
    const Shape shape = {option["--nodes"], option["--token-bits"], option["--words"], option["--cycles"],
                         option["--limit"]};
    if (shape.nodes == 0 || shape.token_bits == 0 || shape.words == 0 || shape.cycles == 0 ||
        shape.limit < shape.cycles || seeds.empty()) {
        fprintf(stderr, "usage: axis --nodes N --token-bits W --words PARTS*WORDS --cycles GOSSIP --limit LIMIT"
                        " --seed S...\n");
        return 2;
    }
    try {
        for (const uint64_t seed : seeds) {
            Bench bench(shape, seed);
            printf("axis seed %llu: equal in %llu cycles\n", static_cast<unsigned long long>(seed),
                   static_cast<unsigned long long>(bench.run()));
        }
    } catch (const Difference &difference) {
        printf("axis: %s\n", difference.what());
        return 1;
    }
    return 0;
}
