// SPDX-License-Identifier: MIT
// Parallel fault simulation: one bit of a machine word for each run, so that one pass over the gates of a fabric takes
// all runs of a batch a cycle further. Run 0 of each batch is fault-free, and must be right.
//
//     simulate NETLIST [VCD] < plan > verdicts
//
// NETLIST is what netlist.py writes. A line of the plan is a run: site, cycle, seed. A run is a gossip with one bit
// flipped, then two without. Before them are a reset and two gossips, the same for all runs, so that stores are full of
// older tokens. With VCD the ports and flip-flops of runs 0 and 1 of the first batch go to that file, from power-up on.
//
// A line of the verdicts, for each of the plan: the verdict; the first cycle in which o_error was 1, and o_error_what
// in the one after it (or - -); of the first wrong word that was read its cycle, node, part and word (or - - - -);
// clean, or what was wrong, for each of the two gossips after it.
#include "bench.h"

#include <cstring>

namespace faults
{
namespace
{

// What a fabric is, as netlist.txt says it. Of programs those alone that give every node all blocks, and an all-to-all.
struct Shape {
    struct Program {
        // gathers: a block is one node's; exchanges: one node has it for one other; else each has a part of its total
        size_t blocks, gathers, exchanges, cycles;
        size_t first_load, first_read; // of wide nodes: numbers of what they load and read begin there
    };
    explicit Shape(const Netlist &net)
        : nodes(net.number("nodes")), parts(net.number("parts")), words(net.number("words")),
          part_bits(net.number("part_bits")), word_bits(net.number("word_bits")), op(net.number("operator")),
          blocks(net.number("blocks")), rings(net.number_or("rings", 1)), wait(net.number_or("wait", 1)),
          counted(net.number("counted"))
    {
        for (size_t i = 0; i < net.number("programs"); i++) {
            const auto number = [&](const char *name) { return net.number(name + std::to_string(i)); };
            programs.push_back({number("blocks"), number("gathers"), number("exchanges"), number("cycles"),
                                number("first_load"), number("first_read")});
        }
    }
    size_t nodes, parts, words, part_bits, word_bits, op, blocks; // blocks 0: a gossip of tokens in parts
    size_t rings;   // words that are loaded at once, and the number of a word is {word / rings, word % rings}
    size_t wait;    // cycles from a read to its word
    size_t counted; // 1: what is loaded is counted among what the node starts with
    std::vector<Program> programs;
};

using Bits = std::vector<bool>;

enum Operator : size_t { SUM = 1, AND, OR, XOR, MIN, MAX, UMIN, UMAX, ALL, BFLOAT16 }; // of op.h

// The top half of a float, at a bit of a block; 16 bits of it.
float float_at(const Bits &bits, size_t at)
{
    uint32_t word = 0;
    for (size_t i = 0; i < 16; i++)
        word |= uint32_t{bits[at + i]} << (16 + i);
    float number;
    std::memcpy(&number, &word, sizeof number);
    return number;
}

void put_float(Bits &bits, size_t at, float number)
{
    uint32_t word;
    std::memcpy(&word, &number, sizeof word);
    for (size_t i = 0; i < 16; i++)
        bits[at + i] = word >> (16 + i) & 1;
}

// Of two numbers of as many bits. Of bfloat16 these are whole, and so few that no sum is rounded.
Bits combined(size_t op, const Bits &a, const Bits &b)
{
    if (op == BFLOAT16) {
        Bits sums(a.size());
        for (size_t at = 0; at < a.size(); at += 16)
            put_float(sums, at, float_at(a, at) + float_at(b, at));
        return sums;
    }
    if (op >= MIN) {
        size_t at = a.size();
        while (at > 1 && a[at - 1] == b[at - 1])
            at--;
        const bool sign = (op == MIN || op == MAX) && at == a.size(), a_greater = (a[at - 1] && !b[at - 1]) != sign;
        return a == b || a_greater == (op == MAX || op == UMAX) ? a : b;
    }
    Bits result(a.size());
    unsigned carry = 0;
    for (size_t i = 0; i < a.size(); i++) {
        const unsigned all = a[i] + b[i] + carry;
        carry = all >> 1;
        result[i] = op == SUM ? all & 1 : op == AND ? a[i] && b[i] : op == OR ? a[i] || b[i] : a[i] != b[i];
    }
    return result;
}

// What all runs of a batch load and are to read, of a program and with an operator that the seed picks.
struct Tokens {
    Tokens(const Shape &shape, uint64_t seed)
        : shape_(shape), random_(seed), program_(random_.next() % shape.programs.size()),
          op_(shape.op != ALL ? shape.op : 1 + random_.next() % UMAX), loads_(shape.nodes), order_(shape.nodes)
    {
        const Shape::Program &plays = program();
        const size_t slots = plays.exchanges ? shape.nodes : shape.blocks ? plays.blocks : shape.nodes * shape.parts;
        if (plays.exchanges)
            right_.resize(shape.nodes * shape.nodes);
        for (size_t slot = 0; slot < slots; slot++)
            for (size_t v = 0; v < shape.nodes; v++) {
                if (plays.gathers && v != slot / shape.parts)
                    continue;
                Bits own(shape.part_bits);
                for (size_t i = 0; i < own.size(); i++)
                    own[i] = random_.next() & 1;
                for (size_t at = 0; at < own.size() && op_ == BFLOAT16; at += 16)
                    put_float(own, at, float(random_.next() % 17) - 8);
                loads_[v].push_back({!shape.blocks    ? slot % shape.parts
                                     : !shape.counted ? slot
                                                      : plays.first_load + loads_[v].size(),
                                     own});
                if (plays.exchanges)
                    right_[slot * shape.nodes + v] = own; // slot: the node that it is for
                else if (right_.size() == slot)
                    right_.push_back(own);
                else
                    right_[slot] = combined(op_, right_[slot], own);
            }
        for (std::vector<size_t> &order : order_) {
            order.resize(slots * shape.words);
            std::iota(order.begin(), order.end(), 0);
            for (size_t i = order.size() - 1; i > 0; i--)
                std::swap(order[i], order[random_.next() % (i + 1)]);
        }
    }
    const Shape::Program &program() const { return shape_.programs[program_]; }
    size_t number() const { return program_; }
    size_t choice() const { return op_ - 1; }
    size_t loads() const { return loads_[0].size() * shape_.words / shape_.rings; }
    size_t reads() const { return order_[0].size(); }
    // The i-th word that a node loads: its address above the word's number, and its bits.
    size_t load_at(size_t node, size_t i) const { return loads_[node][i * shape_.rings / shape_.words].at; }
    bool loaded(size_t node, size_t i, size_t bit) const
    {
        return bit_of(loads_[node][i * shape_.rings / shape_.words].bits, i * shape_.rings % shape_.words, bit);
    }
    // Padding means nothing where it may have a carry.
    bool counts(size_t word, size_t bit) const
    {
        return !shape_.blocks || word * shape_.word_bits + bit < shape_.part_bits;
    }
    bool bit(size_t node, size_t part, size_t word, size_t bit) const
    {
        return bit_of(right_[program().exchanges ? node * shape_.nodes + part : part], word, bit);
    }
    // The i-th that a node reads.
    size_t part(size_t node, size_t i) const { return order_[node][i] / shape_.words; }
    size_t word(size_t node, size_t i) const { return order_[node][i] % shape_.words; }

  private:
    struct Load {
        size_t at;
        Bits bits;
    };
    bool bit_of(const Bits &bits, size_t word, size_t bit) const
    {
        const size_t at = word * shape_.word_bits + bit;
        return at < bits.size() && bits[at];
    }
    const Shape &shape_;
    Random random_;
    size_t program_, op_;
    std::vector<std::vector<Load>> loads_;   // of each node
    std::vector<Bits> right_;                // of each part or block; of an exchange at each node from each node
    std::vector<std::vector<size_t>> order_; // of each node
};

// What became of one gossip in each run.
struct Outcome {
    Lanes done = none, in_time = none, error = none, wrong = none, silent = none, hang = none;
    Firsts first_error, first_wrong;
};

class Bench : Player
{
  public:
    Bench(Netlist &netlist, FILE *vcd)
        : Player(netlist), vcd_(vcd), shape_(netlist), length_(netlist.number("length")), clocks_(port("i_clk").size())
    {
        while (ring_span_ < shape_.rings)
            ring_span_ *= 2;
        if (clocks_ > 1)
            draw_clocks(clocks_, 1);
        set_all("i_rst", ~uint64_t{0});
        edge(nullptr);
        edge(nullptr);
        set_all("i_rst", 0);
        for (size_t i = 0; i < length_ && any(some("o_busy")); i++)
            edge(nullptr);
        for (uint64_t seed : {1, 2})
            must_be_right(gossip(tokens(seed), {}, none));
        start_state_ = net_.state();
    }

    // Plays the flips, one a run, and prints the verdicts of runs 1 .. count.
    void batch(uint64_t seed, const std::vector<Flip> &flips, size_t count)
    {
        net_.set_state(start_state_);
        if (clocks_ > 1)
            draw_clocks(clocks_, seed);
        const Outcome faulty = gossip(tokens(3 * seed + 3), flips, none);
        mend_roms(flips);
        const Outcome next = gossip(tokens(3 * seed + 4), {}, faulty.error);
        // Where all is well after the first gossip it is after the second.
        const bool clean = !any(next.hang | next.wrong | next.error | ~next.in_time);
        const Outcome last = clean ? next : gossip(tokens(3 * seed + 5), {}, next.error);
        vcd_ = nullptr;
        for (const Outcome *outcome : {&faulty, &next, &last})
            must_be_right(*outcome);
        for (size_t run = 1; run <= count; run++)
            print(faulty, next, last, run);
    }

  private:
    size_t reads() const { return tokens_->reads(); }
    Tokens tokens(uint64_t seed) const { return Tokens(shape_, seed); }

    static void must_be_right(const Outcome &outcome)
    {
        if (has(outcome.wrong | outcome.error | outcome.hang | ~outcome.in_time, 0))
            throw std::runtime_error("a fault-free gossip is not right");
    }

    void edge(Outcome *seen)
    {
        step([&] {
            if (seen)
                watch(*seen);
            if (vcd_)
                net_.write_vcd(vcd_, time_++);
        });
    }

    // Runs that are done at the same time read together: one word of each node in every cycle from `since` on.
    struct Reader {
        Lanes runs;
        size_t since;
    };

    void watch(Outcome &seen)
    {
        const Lanes done = started_ ? every("o_done") & ~seen.done : none;
        if (any(done)) {
            readers_.push_back({done, cycle_ + 1});
            seen.done |= done;
            if (clocks_ > 1 ? has(done, 0) : cycle_ == in_time_)
                seen.in_time = done;
        }
        // What the fault was is told a cycle after that there is one.
        for (auto &[run, first] : seen.first_error)
            if (first.cycle + 1 == cycle_)
                for (size_t i = 0; i < port("o_error_what").size(); i++)
                    first.what |= size_t{has(net_[port("o_error_what")[i]], run)} << i;
        Lanes error = none;
        const Port &errors = port("o_error"), &busy = port("o_busy");
        for (size_t chip = 0; chip < errors.size(); chip++) {
            if (started_ && (chip == 0 || clocks_ == 1))
                known_[chip] = none;
            else if (started_)
                known_[chip] &= ~net_[busy[chip]]; // it starts later than chip 0
            error |= net_[errors[chip]] & ~known_[chip];
        }
        error &= ~seen.error;
        note(error, seen.first_error, {cycle_, 0, 0, 0, 0});
        seen.error |= error;
        for (const Reader &reader : readers_)
            if (cycle_ >= reader.since + shape_.wait && cycle_ < reader.since + reads() + shape_.wait)
                compare(reader.runs, cycle_ - reader.since - shape_.wait, seen);
    }

    // The i-th words that the nodes read are there.
    void compare(const Lanes &runs, size_t i, Outcome &seen)
    {
        for (size_t v = 0; v < shape_.nodes; v++) {
            const size_t part = tokens_->part(v, i), word = tokens_->word(v, i);
            Lanes wrong = none;
            for (size_t bit = 0; bit < shape_.word_bits; bit++)
                if (tokens_->counts(word, bit))
                    wrong |= net_[port("o_read_data")[v * shape_.word_bits + bit]] ^
                             (tokens_->bit(v, part, word, bit) ? all : none);
            wrong &= runs;
            if (!any(wrong))
                continue;
            note(wrong & ~seen.wrong, seen.first_wrong, {cycle_, 0, v, part, word});
            seen.wrong |= wrong;
            const Lanes told = port("o_fault").empty() ? none : net_[port("o_fault")[v]]; // with the word
            seen.silent |= wrong & ~seen.error & ~told;
        }
    }

    void read_token(size_t node, size_t part, const Lanes &runs)
    {
        set("i_read_token", node, port("i_read_token").size() / shape_.nodes, tokens_->program().first_read + part,
            runs);
    }

    // Asks for the next words; false where all have read all.
    bool ask()
    {
        bool reading = false;
        for (const Reader &reader : readers_) {
            const size_t i = cycle_ - reader.since;
            reading |= i < reads() + shape_.wait;
            for (size_t v = 0; i < reads() && v < shape_.nodes; v++) {
                read_token(v, tokens_->part(v, i), reader.runs);
                const size_t word = tokens_->word(v, i), bits = port("i_read_word").size() / shape_.nodes;
                set("i_read_word", v, bits, word / shape_.rings * ring_span_ + word % shape_.rings, reader.runs);
            }
        }
        return reading;
    }

    // Every node loads what it starts with, a word in each cycle.
    void load(Outcome &seen)
    {
        const size_t load_bits = port("i_load_word").size() / shape_.nodes;
        const size_t index_bits = port("i_read_word").size() / shape_.nodes, bits = shape_.word_bits * shape_.rings;
        for (size_t i = 0; i < tokens_->loads(); i++) {
            for (size_t v = 0; v < shape_.nodes; v++) {
                set("i_load_valid", v, 1, 1);
                set("i_load_word", v, load_bits, tokens_->load_at(v, i) << index_bits | i % shape_.words);
                for (size_t bit = 0; bit < bits; bit++)
                    set("i_load_data", v * bits + bit, 1, tokens_->loaded(v, i, bit));
            }
            edge(&seen);
        }
        for (size_t v = 0; v < shape_.nodes; v++)
            set("i_load_valid", v, 1, 0);
    }

    // A gossip: load, start, wait, read all words from the first cycle after o_done was sampled. What is not done in
    // twice the time that it should take and 64 cycles hangs, and so does what is busy as long after all was read.
    // Errors that are known from the gossip before go on to the start.
    Outcome gossip(const Tokens &tokens, const std::vector<Flip> &flips, const Lanes &known)
    {
        Outcome seen;
        tokens_ = &tokens;
        flips_ = flips;
        known_.assign(port("o_error").size(), known);
        readers_.clear();
        cycle_ = 0;
        set("i_program", 0, port("i_program").size(), tokens.number());
        set("i_operator", 0, port("i_operator").size(), tokens.choice());
        load(seen);
        for (size_t i = 0; i < IDLE; i++)
            edge(&seen);
        set("i_start", 0, 1, 1);
        edge(&seen);
        set("i_start", 0, 1, 0);
        for (size_t v = 0; v < shape_.nodes; v++)
            read_token(v, 0, all); // what will be there, as nothing is read
        const size_t cycles = tokens.program().cycles, patience = 2 * cycles + 64, start = cycle_ - 1;
        started_ = true;
        in_time_ = start + cycles;
        while (ask() || (any(~seen.done) && cycle_ < start + patience))
            edge(&seen);
        started_ = false;
        while (shape_.programs.size() > 1 && cycle_ < length_) // that of the longest
            edge(&seen);
        if (cycle_ < length_)
            throw std::runtime_error("a gossip is shorter than its length is said to be");
        seen.hang = ~seen.done;
        for (size_t i = 0; i < TOLD; i++)
            edge(&seen);
        size_t waited = 0;
        do
            edge(&seen);
        while (any(some("o_busy") & ~seen.hang) && ++waited < patience);
        seen.hang |= some("o_busy");
        return seen;
    }

    static void print(const Outcome &faulty, const Outcome &next, const Outcome &last, size_t run)
    {
        Player::print(run,
                      has(faulty.hang, run)     ? "hang"
                      : has(faulty.silent, run) ? "silent"
                      : has(faulty.wrong, run)  ? "noticed-wrong"
                      : has(faulty.error, run)  ? "noticed-right"
                                                : "no-effect",
                      faulty.first_error, faulty.first_wrong, after(next, run), after(last, run));
    }

    static const char *after(const Outcome &outcome, size_t run)
    {
        return has(outcome.hang, run)       ? "hang"
               : has(outcome.silent, run)   ? "silent"
               : has(outcome.error, run)    ? "error"
               : !has(outcome.in_time, run) ? "late"
                                            : "clean";
    }

    static constexpr size_t IDLE = 2; // cycles between the last load and the start
    static constexpr size_t TOLD = 2; // o_error is told two cycles after the last word, and then what it was

    FILE *vcd_; // null where there is none, or the first batch is over
    size_t time_ = 0;
    Shape shape_;
    size_t length_, clocks_, ring_span_ = 1; // by which a word's number grows from ring 0 to ring 0
    std::vector<Lanes> start_state_;
    // Of the gossip that is played:
    const Tokens *tokens_ = nullptr;
    std::vector<Reader> readers_;
    std::vector<Lanes> known_; // of each chip's errors, to its start
    bool started_ = false;
    size_t in_time_ = 0;
};

} // namespace
} // namespace faults

int main(int argc, char **argv)
{
    return faults::simulate<faults::Bench>("simulate", argc, argv, true);
}
