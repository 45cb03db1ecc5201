// SPDX-License-Identifier: MIT
// A board top, its self-test and UART, against what rtl/board/gfab_selftest.v says of them. The fabric is played here,
// by one that is right, or has a wrong word, or takes another time, or never ends.
//   board --name TEXT --nodes N --parts P --words W --part-bits B --word-bits B --cycles GOSSIP --seed S...
// Prints the cycles. Exit status: 0 right, 1 a difference, 2 wrong usage. GFAB_MUTANT is the mutant's number.
#include "../lockstep/dut.h"
#include "Vboard_top.h"
#include <verilated.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <stdexcept>
#include <string>

namespace
{

constexpr unsigned RESET_CYCLES = 74, CLOCKS_PER_BIT = 5, PAUSE_CYCLES = 34; // 2^PAUSE_BITS and two
constexpr uint64_t NEVER = 99999;

struct Difference : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Shape {
    std::string name;
    size_t nodes, parts, words, part_bits, word_bits, cycles;
    size_t token_words() const { return parts * words; }
};

// The sequence that tokens are made of: x^17 + x^3 + 1, or x^7 + x + 1 for short parts.
class Sequence
{
  public:
    explicit Sequence(size_t part_bits) : length_(part_bits >= 17 ? 17 : 7), tap_(part_bits >= 17 ? 3 : 1) {}
    // The next bit, the lowest of the state.
    bool next()
    {
        const bool bit = (state_ & 1) != 0;
        const uint32_t in = (state_ ^ state_ >> tap_) & 1;
        state_ = state_ >> 1 | in << (length_ - 1);
        return bit;
    }

  private:
    unsigned length_, tap_;
    uint32_t state_ = 1; // SEED
};

// What a serial line says, each bit as long as it must be.
class Line
{
  public:
    void sample(bool level)
    {
        if (bits_ == 0 && level)
            return; // at rest
        if (bits_ == 0 && at_ == 0)
            byte_ = 0;
        if (at_ > 0 && level != level_)
            throw Difference("a bit of the serial line is too short");
        level_ = level;
        if (++at_ < CLOCKS_PER_BIT)
            return;
        at_ = 0;
        if (bits_ == 9) {
            if (!level)
                throw Difference("a stop bit is missing");
            text += static_cast<char>(byte_);
            bits_ = 0;
            return;
        }
        if (bits_ > 0)
            byte_ |= static_cast<unsigned>(level) << (bits_ - 1);
        bits_++;
    }
    std::string text;

  private:
    unsigned bits_ = 0, at_ = 0, byte_ = 0;
    bool level_ = true;
};

// One test: what is wrong with the fabric.
struct Test {
    uint64_t cycles;
    bool wrong;
    size_t node, token, part, word, bit;
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
        : shape_(shape), random_(seed), sequence_(shape.part_bits), top_(powered_up(context_, seed), "board"),
          shown_(shape.nodes, Bytes((shape.word_bits + 7) / 8))
    {
        top_.mutant = static_cast<uint16_t>(std::stoul(std::getenv("GFAB_MUTANT")));
        top_.i_clk = 0;
    }

    uint64_t run(bool long_ones)
    {
        for (unsigned cycle = 0; cycle < RESET_CYCLES; cycle++) {
            look();
            equal("reset", top_.u_fabric_i_rst | (cycle == 0), 1); // at power-up it is anything
            edge();
        }
        Test test = {shape_.cycles, false, 0, 0, 0, 0, 0};
        play(test);
        play(test);
        for (int number = 0; number < 10; number++) {
            test = {shape_.cycles,
                    random(2) != 0,
                    random(shape_.nodes),
                    random(shape_.nodes),
                    random(shape_.parts),
                    random(shape_.words),
                    0};
            if (random(4) == 0)
                test.cycles += 1 + random(200);
            else if (random(4) == 0)
                test.cycles -= 1 + random(shape_.cycles - 2);
            test.bit = random(shape_.word_bits);
            play(test);
        }
        play({shape_.cycles, true, shape_.nodes - 1, shape_.nodes - 1, shape_.parts - 1, shape_.words - 1, 0});
        play({shape_.cycles, true, 0, 0, 0, 0, shape_.word_bits - 1});
        if (long_ones) {
            for (uint64_t place = 1; place <= 10000; place *= 10) // a bit of one decimal digit is wrong
                for (uint64_t bit = 1, digit = shape_.cycles / place % 10; bit <= 8; bit *= 2)
                    if ((digit ^ bit) <= 9 && shape_.cycles - digit * place + (digit ^ bit) * place > 2)
                        play({shape_.cycles - digit * place + (digit ^ bit) * place, false, 0, 0, 0, 0, 0});
            play({10000 + random(NEVER - 10000), false, 0, 0, 0, 0, 0});
            play({NEVER, false, 0, 0, 0, 0, 0});     // just in time
            play({NEVER + 1, false, 0, 0, 0, 0, 0}); // too late
        }
        play({shape_.cycles, false, 0, 0, 0, 0, 0});
        return steps_;
    }

  private:
    uint64_t random(uint64_t below) { return random_() % below; }
    void equal(const std::string &what, uint64_t rtl, uint64_t right) const
    {
        if (rtl != right)
            throw Difference("cycle " + std::to_string(steps_) + ": " + what + " is " + std::to_string(rtl) + ", not " +
                             std::to_string(right));
    }

    // Outputs of the cycle, whatever it is.
    void look()
    {
        top_.eval();
        if (steps_ == 0)
            return; // at power-up they are anything
        equal("LED 0", top_.o_led & 1, heartbeat_);
        equal("LED 2", top_.o_led >> 2 & 1, pass_);
        equal("LED 3", top_.o_led >> 3 & 1, fail_);
        equal("LED 4", top_.o_led >> 4 & 1, failed_);
        equal("LED 5", top_.o_led >> 5 & 1, top_.u_fabric_o_busy);
        equal("LEDs 6 and 7", top_.o_led >> 6, 0);
        line_.sample(top_.o_uart_tx);
    }
    // What the fabric has out is that of the address of the cycle before.
    void edge()
    {
        const uint64_t slot = Bus(top_.u_fabric_i_read_token).get(0, slot_bits());
        const uint64_t word = Bus(top_.u_fabric_i_read_word).get(0, index_bits());
        for (size_t v = 0; v < shape_.nodes; v++) {
            Bytes &value = shown_[v];
            if (done_ && slot < shape_.nodes * shape_.parts && word < shape_.words) {
                value = words_[slot * shape_.words + word];
                if (test_.wrong && v == test_.node && slot * shape_.words + word == wrong_word())
                    value[test_.bit / 8] ^= static_cast<uint8_t>(1U << test_.bit % 8);
            } else {
                for (uint8_t &byte : value)
                    byte = static_cast<uint8_t>(random_());
            }
        }
        top_.i_clk = 1;
        top_.eval();
        for (size_t v = 0; v < shape_.nodes; v++)
            Bus(top_.u_fabric_o_read_data).set(v * shape_.word_bits, shape_.word_bits, shown_[v].data());
        top_.u_fabric_o_done = done_;
        top_.u_fabric_o_busy = random(2) != 0; // of no use to the self-test
        top_.i_clk = 0;
        top_.eval();
        steps_++;
    }
    // A cycle of a test in which the fabric gets a start, or not.
    void cycle(bool start)
    {
        look();
        equal("LED 1", top_.o_led >> 1 & 1, 1);
        equal("i_start", top_.u_fabric_i_start, start);
        equal("the fabric's reset", top_.u_fabric_i_rst, steps_ == RESET_CYCLES); // a cycle behind the board's
        if (!loading_)
            equal("i_load_valid", Bus(top_.u_fabric_i_load_valid).get(0, shape_.nodes), 0);
    }

    // The number of the test's wrong word, in words_.
    size_t wrong_word() const { return (test_.token * shape_.parts + test_.part) * shape_.words + test_.word; }
    size_t index_bits() const { return bits(shape_.words); }
    size_t slot_bits() const { return bits(shape_.nodes * shape_.parts); }
    static size_t bits(size_t n)
    {
        size_t b = 1;
        while ((static_cast<size_t>(1) << b) < n)
            b++;
        return b;
    }

    // The tokens of the next test, word by word; the sequence is left where it was.
    void draw_words()
    {
        Sequence sequence = sequence_;
        words_.assign(shape_.nodes * shape_.token_words(), Bytes((shape_.word_bits + 7) / 8, 0));
        for (size_t number = 0; number < words_.size(); number++) {
            for (size_t bit = 0; bit < shape_.word_bits; bit++) {
                const bool value = sequence.next();
                if (number % shape_.words * shape_.word_bits + bit < shape_.part_bits)
                    words_[number][bit / 8] |= static_cast<uint8_t>(value << bit % 8);
            }
        }
    }
    void skip_words(size_t words)
    {
        for (size_t bit = 0; bit < words * shape_.word_bits; bit++)
            sequence_.next();
    }

    void load()
    {
        loading_ = true;
        const size_t part_bits = shape_.parts > 1 ? bits(shape_.parts) : 0;
        for (size_t number = 0; number < words_.size(); number++) {
            for (unsigned phase = 0; phase < 4; phase++) {
                cycle(false);
                const size_t node = number / shape_.token_words(), part = number / shape_.words % shape_.parts;
                equal("i_load_valid", Bus(top_.u_fabric_i_load_valid).get(0, shape_.nodes), phase ? 1U << node : 0);
                equal("i_load_word", Bus(top_.u_fabric_i_load_word).get(0, index_bits() + part_bits),
                      part << index_bits() | number % shape_.words);
                Bus(top_.u_fabric_i_load_data).get(0, shape_.word_bits, data_);
                equal("i_load_data", data_ == words_[number], 1);
                edge();
            }
        }
        loading_ = false;
    }
    // Returns whether the fabric was done in time to be read.
    bool gossip()
    {
        cycle(true);
        done_ = false; // it was true since the gossip before
        edge();
        for (uint64_t run = 1; run <= NEVER; run++) {
            done_ = run >= test_.cycles;
            top_.u_fabric_o_done = done_;
            cycle(false);
            edge();
            if (done_)
                return true;
        }
        return false; // it is reset
    }
    // Returns the number of words that were looked at; the last is wrong or the last of all.
    size_t check(bool &found)
    {
        for (size_t node = 0; node < shape_.nodes; node++) {
            for (size_t number = 0; number < words_.size(); number++) {
                found = test_.wrong && node == test_.node && number == wrong_word();
                for (unsigned phase = 0; phase < 4; phase++) {
                    cycle(false);
                    equal("i_read_token", Bus(top_.u_fabric_i_read_token).get(0, slot_bits()), number / shape_.words);
                    equal("i_read_word", Bus(top_.u_fabric_i_read_word).get(0, index_bits()), number % shape_.words);
                    edge();
                }
                if (found)
                    return number + 1;
            }
        }
        return words_.size();
    }
    void play(const Test &test)
    {
        test_ = test;
        draw_words();
        load();
        const bool in_time = gossip();
        bool found = false;
        if (in_time)
            skip_words(check(found));
        fail_ = !in_time || found || test.cycles != shape_.cycles;
        pass_ = !fail_;
        failed_ |= fail_;
        report(in_time, found);
    }

    void report(bool in_time, bool found)
    {
        char said[200];
        if (found) {
            snprintf(said, sizeof said, "%s FAIL node=%02zu token=%02zu\r\n", shape_.name.c_str(), test_.node,
                     test_.token);
        } else {
            snprintf(said, sizeof said, "%s %s cycles=%05llu\r\n", shape_.name.c_str(), pass_ ? "PASS" : "FAIL",
                     static_cast<unsigned long long>(in_time ? test_.cycles : NEVER));
        }
        if (line_.text != tail_)
            throw Difference("cycle " + std::to_string(steps_) + ": the line before is '" + line_.text + "', not '" +
                             tail_ + "'");
        const std::string right = said;
        line_.text.clear();
        unsigned waited = 0;
        for (;; waited++) {
            look();
            equal("i_start", top_.u_fabric_i_start, 0);
            equal("i_load_valid", Bus(top_.u_fabric_i_load_valid).get(0, shape_.nodes), 0);
            equal("the fabric's reset", top_.u_fabric_i_rst, !in_time && waited == 0);
            if ((top_.o_led >> 1 & 1) == 0)
                break;
            if (waited > (right.size() + 3) * 12 * CLOCKS_PER_BIT + 2 * shape_.nodes)
                throw Difference("cycle " + std::to_string(steps_) + ": a report without end: " + line_.text);
            edge();
        }
        // Character behind character, without a pause: what is not the characters' own time is always the same.
        const unsigned characters = static_cast<unsigned>(10 * CLOCKS_PER_BIT * (right.size() - 1));
        if (!found) {
            if (report_extra_ == 0)
                report_extra_ = waited - characters;
            equal("a report's time", waited, characters + report_extra_);
        }
        for (unsigned pause = 1; pause < PAUSE_CYCLES; pause++) {
            edge();
            look();
            equal("LED 1", top_.o_led >> 1 & 1, 0);
            equal("i_start", top_.u_fabric_i_start, 0);
            equal("i_load_valid", Bus(top_.u_fabric_i_load_valid).get(0, shape_.nodes), 0);
            equal("the fabric's reset", top_.u_fabric_i_rst, 0);
        }
        edge();
        heartbeat_ = !heartbeat_;
        tail_ = right; // the line feed may last longer than the pause: it is looked at before the next report
    }

    const Shape shape_;
    std::mt19937_64 random_;
    Sequence sequence_;
    VerilatedContext context_;
    Vboard_top top_;
    std::vector<Bytes> shown_; // each node's output
    std::vector<Bytes> words_; // of all tokens, by slot
    Test test_ = {};
    bool done_ = false, loading_ = false;
    bool heartbeat_ = false, pass_ = false, fail_ = false, failed_ = false;
    Line line_;
    std::string tail_;          // the line before, whole
    unsigned report_extra_ = 0; // cycles of a report without a number that is counted, beside its characters
    Bytes data_;
    uint64_t steps_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
    std::map<std::string, size_t> option;
    std::vector<uint64_t> seeds;
    std::string name;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string key = argv[i];
        if (key == "--seed")
            seeds.push_back(std::stoull(argv[i + 1]));
        else if (key == "--name")
            name = argv[i + 1];
        else
            option[key] = std::stoull(argv[i + 1]);
    }
    const Shape shape = {name,
                         option["--nodes"],
                         option["--parts"],
                         option["--words"],
                         option["--part-bits"],
                         option["--word-bits"],
                         option["--cycles"]};
    if (name.empty() || seeds.empty() || shape.nodes == 0 || shape.nodes > 32 || shape.token_words() == 0 ||
        shape.part_bits == 0 || shape.word_bits == 0 || shape.cycles < 3) {
        fprintf(stderr, "usage: board --name TEXT --nodes N --parts P --words W --part-bits B --word-bits B --cycles C"
                        " --seed S...\n");
        return 2;
    }
    try {
        for (const uint64_t seed : seeds) {
            Bench bench(shape, seed);
            printf("board seed %llu: equal in %llu cycles\n", static_cast<unsigned long long>(seed),
                   static_cast<unsigned long long>(bench.run(seed % 7 == 0)));
        }
    } catch (const Difference &difference) {
        printf("board: %s\n", difference.what());
        return 1;
    }
    return 0;
}
