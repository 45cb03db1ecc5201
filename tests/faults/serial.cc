// SPDX-License-Identifier: MIT
// As simulate.cc, of a board top that a host drives over the board's serial line: one bit of a machine word for each
// run. Run 0 of each batch is fault-free, and must be right.
//
//     serial NETLIST < plan > verdicts
//
// NETLIST is what netlist.py writes of board_top, with CLOCKS_PER_BIT of 5. A line of the plan is a run: site, cycle,
// seed. A run is a gossip with one bit flipped, as docs/reference/host-protocol.md has it: the host asks who is there,
// loads every node's token, starts, asks until it is over, reads all tokens from every node, and asks once more. What
// is not answered, or not rightly, it asks again. Where it learns of an error it resets the fabric and greets, and the
// same tokens are played once more. Two gossips without a flip follow.
//
// Errors, of which what is the sum: 1 the fabric noticed a fault, 2 the board began anew, 4 it runs where it should
// not, 8 it counted another number of starts. A wrong word is noticed where an error is told before the next gossip. It
// hangs where a request has no answer, however often it is asked. Verdicts are those of simulate.cc.
#include "bench.h"

namespace faults
{
namespace
{

using Bytes = std::vector<uint8_t>;

uint32_t check_sequence(const Bytes &body, size_t size)
{
    uint32_t crc = ~uint32_t{0};
    for (size_t i = 0; i < size; i++) {
        crc ^= body[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
    }
    return ~crc;
}

// The levels of the line, a bit each, of a frame.
std::vector<bool> frame(Bytes body)
{
    const uint32_t check = check_sequence(body, body.size());
    for (unsigned i = 0; i < 4; i++)
        body.push_back(check >> 8 * i & 0xff);
    Bytes sent = {0x7e};
    for (uint8_t byte : body) {
        const bool special = byte == 0x7d || byte == 0x7e;
        if (special)
            sent.push_back(0x7d);
        sent.push_back(special ? byte ^ 0x20 : byte);
    }
    sent.push_back(0x7e);
    std::vector<bool> levels;
    for (uint8_t byte : sent) {
        levels.push_back(false);
        for (unsigned bit = 0; bit < 8; bit++)
            levels.push_back(byte >> bit & 1);
        levels.push_back(true);
    }
    return levels;
}

struct Outcome {
    Lanes played = none, over = none, error = none, wrong = none;
    Firsts first_error, first_wrong;
    Lanes hang() const { return played & ~over & ~error; }
    Lanes silent() const { return played & over & wrong & ~error; }
    Lanes clean() const { return played & over & ~wrong & ~error; }
};

class Bench : Player
{
  public:
    Bench(Netlist &netlist, FILE *)
        : Player(netlist), nodes_(netlist.number("nodes")), parts_(netlist.number("parts")),
          part_bits_(netlist.number("part_bits")), span_(netlist.number("span")), length_(netlist.number("length")),
          cycle_bytes_(netlist.number("cycle_bytes")), runs_(runs_at_once), answers_(runs_at_once)
    {
        set("i_uart_rx", 0, 1, 1);
        for (size_t i = 0; i < RESET_CYCLES; i++)
            step([] {});
        Outcome nothing;
        tell(GREET, all, nothing);
        for (uint64_t seed : {1, 2})
            must_be_right(gossip(seed, {}, all));
        start_state_ = net_.state();
    }

    // Plays the flips, one a run, and prints the verdicts of runs 1 .. count.
    void batch(uint64_t seed, const std::vector<Flip> &flips, size_t count)
    {
        net_.set_state(start_state_);
        const Outcome faulty = gossip(3 * seed + 3, flips, all);
        mend_roms(flips);
        const Outcome again = take_back(3 * seed + 3, faulty);
        const Outcome next = gossip(3 * seed + 4, {}, all);
        const Outcome next_again = take_back(3 * seed + 4, next);
        const Outcome last = gossip(3 * seed + 5, {}, all);
        take_back(3 * seed + 5, last);
        for (const Outcome *outcome : {&faulty, &next, &last})
            must_be_right(*outcome);
        for (size_t run = 1; run <= count; run++) {
            const bool wrong = has(faulty.wrong, run), error = has(faulty.error, run);
            print(run,
                  has(faulty.hang(), run) ? "hang"
                  : wrong                 ? (error ? "noticed-wrong" : "silent")
                                          : (error ? "noticed-right" : "no-effect"),
                  faulty.first_error, faulty.first_wrong,
                  error && !has(again.clean(), run) ? after(again, run) : after(next, run),
                  has(next.error, run) && !has(next_again.clean(), run) ? after(next_again, run) : after(last, run));
        }
    }

  private:
    enum { QUERY, GREET, RESET, START, LOAD, READ };
    enum { RUNNING = 1, FRESH = 2, FAULT = 4 };                                  // bits of a status
    enum { ERROR_FAULT = 1, ERROR_FRESH = 2, ERROR_RUNS = 4, ERROR_STARTS = 8 }; // what is wrong
    static constexpr size_t CLOCKS_PER_BIT = 5, RESET_CYCLES = 100, TRIES = 3, POLLS = 4, HEAD = 2, SHAPE = 16;
    static constexpr size_t PAUSE = 40 * CLOCKS_PER_BIT; // behind an answer; one that begins later is late

    static void must_be_right(const Outcome &outcome)
    {
        if (!has(outcome.clean(), 0))
            throw std::runtime_error("a fault-free gossip is not right");
    }

    static size_t bits_for(size_t values)
    {
        size_t bits = 1;
        while (values > size_t{1} << bits)
            bits++;
        return bits;
    }

    // A request's body. Its fields end it; data is of a load.
    Bytes request(unsigned kind, size_t node, size_t slot, const std::vector<bool> &data) const
    {
        std::vector<bool> bits;
        const auto put = [&](size_t value, size_t width) {
            for (size_t i = 0; i < width; i++)
                bits.push_back(value >> i & 1);
        };
        if (kind == LOAD) {
            bits = data;
            bits.resize(span_);
        }
        if (kind == LOAD || kind == READ) {
            put(slot, bits_for(nodes_ * parts_));
            put(node, bits_for(nodes_));
        }
        if (kind >= START)
            put(0, 1); // the program
        put(kind, 8);
        put(number_, 8);
        bits.insert(bits.begin(), (8 - bits.size() % 8) % 8, false);
        Bytes body(bits.size() / 8);
        for (size_t i = 0; i < bits.size(); i++)
            body[i / 8] |= bits[i] << i % 8;
        return body;
    }

    // Asks in these runs, until they have an answer of so many bytes, in answers_; returns those that have.
    Lanes ask(const Bytes &body, size_t size, const Lanes &runs)
    {
        const std::vector<bool> levels = frame(body);
        Lanes pending = runs;
        const size_t cycles = (levels.size() + 10 * (2 * (size + 4) + 4)) * CLOCKS_PER_BIT + PAUSE;
        for (size_t tries = 0; tries < TRIES && any(pending); tries++) {
            line_.clear();
            for (size_t i = 0; i < cycles; i++) {
                const size_t bit = i / CLOCKS_PER_BIT;
                set("i_uart_rx", 0, 1, 1);
                set("i_uart_rx", 0, 1, bit < levels.size() ? levels[bit] : 1, pending);
                step([&] { line_.push_back(net_[port("o_uart_tx")[0]]); });
            }
            for (size_t run = 0; run < runs_at_once; run++)
                if (has(pending, run) && take_answer(run, size))
                    pending &= ~only(run);
        }
        number_++;
        return runs & ~pending;
    }

    // From the line's levels: the last whole frame of so many bytes with the request's number.
    bool take_answer(size_t run, size_t size)
    {
        bool found = false;
        Bytes body;
        bool escaped = false;
        for (size_t i = 0; i + 10 * CLOCKS_PER_BIT <= line_.size(); i++) {
            if (has(line_[i], run))
                continue;
            const auto level = [&](size_t bit) {
                return has(line_[i + bit * CLOCKS_PER_BIT + CLOCKS_PER_BIT / 2], run);
            };
            if (level(0))
                continue;
            uint8_t byte = 0;
            for (unsigned bit = 0; bit < 8; bit++)
                byte |= level(bit + 1) << bit;
            const bool whole = level(9);
            i += 9 * CLOCKS_PER_BIT + CLOCKS_PER_BIT / 2;
            if (!whole || byte == 0x7e) {
                if (whole && body.size() == size + 4 && body[0] == number_ % 256 && check_matches(body, size)) {
                    answers_[run] = body;
                    found = true;
                }
                body.clear();
                escaped = false;
            } else if (byte == 0x7d)
                escaped = true;
            else {
                body.push_back(escaped ? byte ^ 0x20 : byte);
                escaped = false;
            }
        }
        return found;
    }

    static bool check_matches(const Bytes &body, size_t size)
    {
        uint32_t check = 0;
        for (unsigned i = 0; i < 4; i++)
            check |= uint32_t{body[size + i]} << 8 * i;
        return check == check_sequence(body, size);
    }

    // What the answers' statuses say; of a collective that may run it is no error that it does.
    void look(const Lanes &runs, bool may_run, Outcome &seen)
    {
        for (size_t run = 0; run < runs_at_once; run++) {
            if (!has(runs, run))
                continue;
            const uint8_t status = answers_[run][1];
            note_error((status & FAULT ? ERROR_FAULT : 0) | (status & FRESH ? ERROR_FRESH : 0) |
                           (status & RUNNING && !may_run ? ERROR_RUNS : 0),
                       run, seen);
        }
    }

    void note_error(size_t what, size_t run, Outcome &seen)
    {
        if (what == 0)
            return;
        seen.error |= only(run);
        seen.first_error.emplace(run, First{cycle_, what, 0, 0, 0});
    }

    // A request that is answered by nothing but the status.
    Lanes tell(unsigned kind, const Lanes &runs, Outcome &seen)
    {
        const Lanes told = ask(request(kind, 0, 0, {}), HEAD, runs);
        if (kind == START)
            look(told, true, seen);
        return told;
    }

    // The number of starts that the board has counted, in answers_.
    size_t starts(size_t run) const { return answers_[run][HEAD + SHAPE - 1 + 1]; }
    Lanes query(const Lanes &runs, bool may_run, Outcome &seen)
    {
        const Lanes told = ask(request(QUERY, 0, 0, {}), HEAD + SHAPE + 1 + cycle_bytes_, runs);
        look(told, may_run, seen);
        return told;
    }

    Outcome gossip(uint64_t seed, const std::vector<Flip> &flips, const Lanes &runs)
    {
        Outcome seen;
        seen.played = runs;
        flips_ = flips;
        cycle_ = 0;
        Random random(seed);
        std::vector<std::vector<bool>> tokens(nodes_ * parts_, std::vector<bool>(part_bits_));
        for (std::vector<bool> &token : tokens)
            for (size_t i = 0; i < part_bits_; i++)
                token[i] = random.next() & 1;
        Lanes live = query(runs, false, seen);
        for (size_t run = 0; run < runs_at_once; run++)
            if (has(live, run))
                runs_[run] = starts(run);
        for (size_t i = 0; i < tokens.size(); i++) {
            live = ask(request(LOAD, i / parts_, i % parts_, tokens[i]), HEAD, live);
            look(live, false, seen);
        }
        live = tell(START, live, seen);
        live = wait(live, seen);
        for (size_t node = 0; node < nodes_; node++)
            live = read(node, tokens, live, seen);
        seen.over = query(live, false, seen);
        if (has(runs, 0) && cycle_ < length_)
            throw std::runtime_error("a gossip is shorter than its length is said to be");
        flips_.clear();
        return seen;
    }

    // Until the collective is over.
    Lanes wait(const Lanes &runs, Outcome &seen)
    {
        Lanes running = runs, over = none;
        for (size_t poll = 0; poll < POLLS && any(running); poll++) {
            running = query(running, true, seen);
            for (size_t run = 0; run < runs_at_once; run++)
                if (has(running, run) && !(answers_[run][1] & RUNNING)) {
                    over |= only(run);
                    if (starts(run) != (runs_[run] + 1) % 256)
                        note_error(ERROR_STARTS, run, seen);
                }
            running &= ~over;
        }
        return over;
    }

    // All parts that a node has, in as many answers as it takes.
    Lanes read(size_t node, const std::vector<std::vector<bool>> &tokens, Lanes live, Outcome &seen)
    {
        size_t burst = 1;
        while (2 * burst * span_ <= 512)
            burst *= 2;
        for (size_t slot = 0; slot < tokens.size(); slot += burst) {
            const size_t slots = std::min(burst, tokens.size() - slot);
            live = ask(request(READ, node, slot, {}), HEAD + (slots * span_ + 7) / 8, live);
            look(live, false, seen);
            for (size_t run = 0; run < runs_at_once; run++)
                for (size_t i = 0; i < slots * part_bits_ && has(live, run); i++) {
                    const size_t part = i / part_bits_, at = 8 * HEAD + part * span_ + i % part_bits_;
                    if ((answers_[run][at / 8] >> at % 8 & 1) == tokens[slot + part][i % part_bits_])
                        continue;
                    seen.wrong |= only(run);
                    seen.first_wrong.emplace(run, First{cycle_, 0, node, slot + part, 0});
                }
        }
        return live;
    }

    // Where there was an error: the fabric is reset, the board greeted, and the tokens are played once more.
    Outcome take_back(uint64_t seed, const Outcome &before)
    {
        Outcome nothing;
        if (!any(before.error))
            return nothing;
        tell(RESET, before.error, nothing);
        tell(GREET, before.error, nothing);
        return gossip(seed, {}, before.error);
    }

    static const char *after(const Outcome &outcome, size_t run)
    {
        return has(outcome.hang(), run)     ? "hang"
               : has(outcome.silent(), run) ? "silent"
               : has(outcome.error, run)    ? "error"
                                            : "clean";
    }

    size_t nodes_, parts_, part_bits_, span_, length_, cycle_bytes_;
    size_t number_ = 1;
    std::vector<size_t> runs_;   // of each run: starts that the board had counted before this one
    std::vector<Bytes> answers_; // of each run: the last
    std::vector<Lanes> line_;    // o_uart_tx in each cycle since a request began
    std::vector<Lanes> start_state_;
};

} // namespace
} // namespace faults

int main(int argc, char **argv)
{
    return faults::simulate<faults::Bench>("serial", argc, argv);
}
