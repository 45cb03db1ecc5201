// SPDX-License-Identifier: MIT
#include "bench.h"

#include "dut.h"
#include "operators.h"
#include "shape.h"
#include <gossipfab/cmodel/cmodel.h>

#include <cstdio>
#include <memory>
#include <random>
#include <vector>

namespace
{

template <typename T> using Owned = std::unique_ptr<T, void (*)(T *)>;

gfab_cmodel *model_of(const gfab_machine *machine)
{
    gfab_cmodel *cmodel = nullptr;
    require(gfab_cmodel_create(machine, nullptr, &cmodel), {});
    return cmodel;
}

std::string hex(const uint8_t *value, size_t bytes)
{
    std::string text;
    for (size_t i = bytes; i-- > 0;) {
        char two[3];
        snprintf(two, sizeof two, "%02x", value[i]);
        text += two;
    }
    return text;
}
std::string hex(const Bytes &value)
{
    return hex(value.data(), value.size());
}

// Inputs of a cycle.
struct Load {
    bool valid;
    uint32_t word; // counted over all parts
    Bytes data;
};
struct Read {
    uint32_t part, word; // P times the token's origin and the part
};

class Bench
{
  public:
    Bench(const gfab_machine *machine, const std::vector<Expressions> &expressions, uint64_t seed,
          const std::string &corrupt)
        : shape_(machine), machine_(machine), expressions_(expressions), time_(*gfab_machine_timing(machine)),
          seed_(seed), corrupt_(corrupt), random_(seed), dut_(make_dut(static_cast<int>(seed % 1000 + 1))),
          cmodel_(model_of(machine), gfab_cmodel_destroy), expected_(gfab_machine_cycles(machine)),
          loads_(shape_.nodes), reads_(shape_.nodes), reads_expected_(shape_.nodes),
          tokens_(shape_.tokens, Bytes((time_.token_bits + 7) / 8))
    {
        if (gfab_layout_operator(shape_.layout) == GFAB_OPERATOR_USER)
            gfab_cmodel_set_user_operator(cmodel_.get(), turn_and_subtract, nullptr);
        draw_inputs();
    }

    // All of it. Returns the cycles of a gossip.
    uint64_t run()
    {
        if (blocks() != 0)
            return run_blocks();
        reset(1);
        load(seed_);
        gossip(UINT64_MAX);
        finish();
        check_tokens();

        idle(random(4));
        load(seed_ + 1000);
        gossip(1 + random(expected_ - 1));
        reset(1 + random(3));
        idle(random(4));
        check_store(false); // half a gossip, the same half in both
        gossip(UINT64_MAX); // the own tokens are still there
        finish();
        check_tokens();

        load(seed_ + 2000);
        gossip(UINT64_MAX);
        gossip(UINT64_MAX); // started in the cycle in which done rises
        for (int i = 0; i < RESETS; i++) {
            gossip(1 + random(expected_)); // the others: in the first cycle behind the reset
            reset(1);
        }
        gossip(UINT64_MAX);
        finish();
        gossip(UINT64_MAX); // started in the first cycle in which busy is off
        finish();
        check_tokens();
        return expected_;
    }
    uint64_t steps() const { return steps_; }

  private:
    // Of a collective the second run in a row starts with the results of the first.
    uint64_t run_blocks()
    {
        const bool all = gfab_layout_operator(shape_.layout) == GFAB_OPERATOR_ALL;
        reset(1);
        for (size_t program = 0; program < programs(); program++) {
            for (int op = GFAB_OPERATOR_FIRST; op < (all ? GFAB_OPERATOR_ALL : GFAB_OPERATOR_FIRST + 1); op++) {
                next_ = program;
                load(seed_ + 100 * static_cast<uint64_t>(op) + 10 * program);
                choose(static_cast<gfab_operator>(op));
                gossip(UINT64_MAX);
                finish();
                check_results();
                idle(random(3));
            }
        }
        load(seed_ + 1000);
        gossip(1 + random(cycles_of(next_) - 1));
        reset(1 + random(3));
        idle(random(4));
        check_store(false); // half of it, the same half in both
        for (int i = 0; i < RESETS; i++) {
            choose_number(random(OPERATORS));
            // In the first cycle behind the reset; every other one ends in its first round, whose ops come anew then.
            gossip(1 + random(i % 2 == 0 ? cycles_of(next_) : time_.cycles_per_round));
            reset(1);
        }
        gossip(UINT64_MAX);
        for (size_t i = 0; i < 4 * programs() - 3; i++)
            gossip(UINT64_MAX); // started in the cycle in which done rises, of any program
        for (unsigned pair = 0; all && pair < OPERATORS * OPERATORS; pair++) { // each after each, on what is there
            choose_number(pair / OPERATORS);
            gossip(UINT64_MAX);
            choose_number(pair % OPERATORS);
            gossip(UINT64_MAX);
        }
        finish();
        gossip(UINT64_MAX); // started in the first cycle in which busy is off
        finish();
        check_store(false);
        load(seed_ + 2000);
        gossip(UINT64_MAX);
        finish();
        check_results();
        return expected_;
    }

    static constexpr unsigned OPERATORS = GFAB_OPERATOR_ALL - GFAB_OPERATOR_FIRST;
    static constexpr int RESETS = 6; // that cut off a gossip and are followed by the next at once

    uint64_t random(uint64_t below) { return random_() % below; }
    bool corrupted(const char *what)
    {
        if (corrupt_ != what)
            return false;
        corrupt_.clear();
        return true;
    }
    Bytes word_of_part(uint32_t part, uint32_t word) const
    {
        const size_t first = static_cast<size_t>(part % time_.parts) * time_.part_bits;
        const Bytes &token = tokens_[part / time_.parts];
        Bytes value((time_.word_bits + 7) / 8, 0);
        for (size_t i = 0; i < time_.word_bits; i++) {
            const size_t bit = static_cast<size_t>(word) * time_.word_bits + i, at = first + bit;
            if (bit < time_.part_bits)
                value[i / 8] |= static_cast<uint8_t>((token[at / 8] >> at % 8 & 1) << i % 8);
        }
        return value;
    }
    // With blocks a token is node * blocks + block.
    uint32_t load_words(size_t node) const { return shape_.loads(node, time_.parts, next_) * time_.words; }
    uint32_t blocks() const { return shape_.blocks; }
    size_t programs() const { return gfab_machine_program_count(machine_); }
    uint64_t cycles_of(size_t program) const { return gfab_machine_program_at(machine_, program)->cycles; }
    Bytes word_of_token(size_t node, uint32_t word) const
    {
        return word_of_part(shape_.loaded(node, time_.parts, next_, word / time_.words), word % time_.words);
    }

    [[noreturn]] void mismatch(const std::string &where, const std::string &rtl, const std::string &model) const
    {
        throw Mismatch("cycle " + std::to_string(steps_) + ", " + where + ": RTL " + rtl + ", model " + model);
    }
    void equal(const std::string &where, uint32_t rtl, uint32_t model) const
    {
        if (rtl != model)
            mismatch(where, std::to_string(rtl), std::to_string(model));
    }

    // One clock edge in both, with loads_ and reads_, and then all outputs. Loads and reads are random again after it.
    void step(bool rst, bool start)
    {
        const size_t word_bits = time_.word_bits;
        dut_->rst.set(0, 1, rst);
        dut_->start.set(0, 1, start);
        gfab_cmodel_set_reset(cmodel_.get(), rst);
        gfab_cmodel_set_start(cmodel_.get(), start);
        if (dut_->choice.size() != 0) { // a start that comes too soon has any
            const bool counts = start && any_program_;
            dut_->choice.set(0, 3, static_cast<uint32_t>(counts ? chosen_ - GFAB_OPERATOR_FIRST : random(8)));
        }
        gfab_cmodel_set_operator(cmodel_.get(), chosen_);
        if (dut_->program.size() != 0) {
            const bool sampled = running_ == 0 || running_ + 2 > cycles_of(current_);
            const uint32_t asked = static_cast<uint32_t>(sampled && !any_program_ ? next_ : random_());
            const size_t width = Shape::bits(programs());
            dut_->program.set(0, width, asked);
            gfab_cmodel_set_program(cmodel_.get(), (asked + (corrupt_ == "program" ? 1 : 0)) & ((1U << width) - 1));
        }
        const bool reading = written_ && !gfab_cmodel_busy(cmodel_.get());
        for (size_t v = 0; v < shape_.nodes; v++) {
            dut_->load_valid.set(v, 1, loads_[v].valid);
            const uint32_t part = loads_[v].word / time_.words, word = loads_[v].word % time_.words;
            const uint32_t first = shape_.first_load(next_);
            dut_->load_word.set(v * shape_.load_bits, shape_.load_bits, (first + part) << shape_.index_bits | word);
            dut_->load_data.set(v * word_bits, word_bits, loads_[v].data.data());
            if (loads_[v].valid) {
                const uint32_t moved = corrupted("part") ? time_.words : 0;
                gfab_cmodel_set_load(cmodel_.get(), v, first * time_.words + (loads_[v].word + moved) % load_words(v),
                                     loads_[v].data.data());
            }
            const bool reads = reads_[v].part != Shape::NONE;
            dut_->read_token.set(v * shape_.slot_bits, shape_.slot_bits,
                                 reads ? reads_[v].part : shape_.first_place(current_));
            dut_->read_word.set(v * shape_.index_bits, shape_.index_bits, reads_[v].word);
            if (reading && !reads)
                reads_expected_[v].clear();
            if (reading && reads) {
                const uint8_t *value =
                    gfab_cmodel_store(cmodel_.get(), v, shape_.slot(v, reads_[v].part), reads_[v].word);
                reads_expected_[v].assign(value, value + (word_bits + 7) / 8);
                if (corrupted("store"))
                    reads_expected_[v][0] ^= 1;
            }
        }
        dut_->clk.set(0, 1, 0U);
        dut_->eval();
        dut_->clk.set(0, 1, 1U);
        dut_->eval();
        gfab_cmodel_step(cmodel_.get());
        compare();
        if (reading)
            compare_reads();
        if (dut_->stopped())
            throw Mismatch("cycle " + std::to_string(steps_) + ": an assertion of the RTL failed");
        steps_++;
        draw_inputs();
    }
    // No load is valid, all else is random.
    void draw_inputs()
    {
        for (size_t v = 0; v < shape_.nodes; v++) {
            Bytes data((time_.word_bits + 7) / 8);
            for (uint8_t &byte : data)
                byte = static_cast<uint8_t>(random_());
            const uint32_t words = load_words(v);
            set_load(v, false, words != 0 ? static_cast<uint32_t>(random(words)) : 0, std::move(data));
            reads_[v] = {shape_.readable(v, current_, static_cast<uint32_t>(random(shape_.slots_of_store))),
                         static_cast<uint32_t>(random(time_.words))};
        }
    }
    void set_load(size_t node, bool valid, uint32_t word, Bytes data) { loads_[node] = {valid, word, std::move(data)}; }

    void compare()
    {
        const gfab_cmodel *m = cmodel_.get();
        const bool deep = running_ >= 3; // well inside a gossip, for the mutants
        equal("busy", dut_->busy.get(0, 1), gfab_cmodel_busy(m) ^ (deep && corrupted("busy")));
        equal("done", dut_->done.get(0, 1), gfab_cmodel_done(m) ^ (deep && corrupted("done")));
        if (dut_->error.size() != 0)
            equal("error", dut_->error.get(0, 1), 0);
        for (size_t e = 0; e < shape_.links; e++) {
            for (uint32_t end = 0; end < 2; end++) {
                const uint32_t rtl = dut_->trace_drive.get(2 * e + end, 1);
                const bool model = gfab_cmodel_link_drive(m, e, end);
                if (rtl != (model ^ (model && corrupted("drive")))) {
                    mismatch("link " + std::to_string(e) + " drive of end " + std::to_string(end), std::to_string(rtl),
                             std::to_string(!rtl));
                }
            }
            for (uint32_t set = 0; set < time_.wires; set++) {
                dut_->trace_link.get((e * time_.wires + set) * time_.link_bits, time_.link_bits, rtl_);
                const uint8_t *data = time_.wires == 2 ? gfab_cmodel_end_data(m, e, set) : gfab_cmodel_link_data(m, e);
                model_.assign(data, data + rtl_.size());
                if (deep && corrupted("link"))
                    model_[0] ^= 1;
                if (rtl_ != model_)
                    mismatch("link " + std::to_string(e) + " wires " + std::to_string(set), hex(rtl_), hex(model_));
            }
        }
        for (size_t v = 0; v < shape_.nodes; v++)
            compare_write(v);
    }
    // Each write port of a node: that of its store, or of each bank.
    void compare_write(size_t v)
    {
        const size_t ports = time_.wide != 0 ? shape_.banks : 1;
        for (size_t port = 0; port < ports; port++)
            compare_write_port(v, v * ports + port, static_cast<uint32_t>(port));
    }
    void compare_write_port(size_t v, size_t index, uint32_t bank)
    {
        uint32_t slot = 0, word = 0; // slot: the round, in a bank
        const uint8_t *data = nullptr;
        bool write = time_.wide != 0 ? gfab_cmodel_bank_write(cmodel_.get(), v, bank, &slot, &word, &data)
                                     : gfab_cmodel_write(cmodel_.get(), v, &slot, &word, &data);
        write ^= write && corrupted("write-enable");
        const uint32_t rtl = dut_->trace_write.get(index, 1);
        const std::string where = "node " + std::to_string(v) + " write port " + std::to_string(bank);
        if (rtl != write)
            mismatch(where + " enable", std::to_string(rtl), std::to_string(write));
        if (!write)
            return;
        slot ^= corrupted("write-slot");
        word ^= corrupted("write-word");
        const size_t ib = shape_.index_bits,
                     address_bits = ib + (time_.wide != 0 ? shape_.round_bits : shape_.store_slot_bits);
        const uint32_t address = dut_->trace_address.get(v * address_bits, address_bits);
        if (address != (slot << ib | word)) {
            mismatch(where + " address (slot.word)",
                     std::to_string(address >> ib) + "." + std::to_string(address & ((1U << ib) - 1)),
                     std::to_string(slot) + "." + std::to_string(word));
        }
        dut_->trace_data.get(index * time_.word_bits, time_.word_bits, rtl_);
        model_.assign(data, data + rtl_.size());
        model_[0] ^= static_cast<uint8_t>(corrupted("write-data"));
        if (rtl_ != model_) {
            mismatch(where + " data for slot " + std::to_string(slot) + " word " + std::to_string(word), hex(rtl_),
                     hex(model_));
        }
    }
    void compare_reads()
    {
        for (size_t v = 0; v < shape_.nodes; v++) {
            dut_->read_data.get(v * time_.word_bits, time_.word_bits, rtl_);
            if (!reads_expected_[v].empty() && rtl_ != reads_expected_[v]) {
                mismatch("node " + std::to_string(v) + " store, part " + std::to_string(reads_[v].part) + " word " +
                             std::to_string(reads_[v].word),
                         hex(rtl_), hex(reads_expected_[v]));
            }
        }
    }

    // It may be asked for any program up to the last of the cycles.
    void idle(uint64_t cycles)
    {
        while (cycles-- > 0) {
            any_program_ = cycles != 0;
            step(false, false);
        }
    }
    // i_start counts for nothing in a reset; host loads do as ever, unless the gossip still runs.
    void reset(uint64_t cycles)
    {
        while (cycles-- > 0) {
            if (running_ > 0) {
                spurious_loads(2);
            } else if (written_) {
                const size_t v = random(shape_.nodes);
                const uint32_t words = load_words(v), word = words != 0 ? static_cast<uint32_t>(random(words)) : 0;
                if (words != 0)
                    set_load(v, true, word, word_of_token(v, word));
            }
            running_ = 0;
            step(true, random(2) != 0);
        }
    }
    void spurious_loads(uint64_t one_in)
    {
        for (size_t v = 0; v < shape_.nodes; v++)
            loads_[v].valid = random(one_in) == 0 && load_words(v) != 0;
    }

    // Every node its own token, or the blocks that it starts with, each at its own pace. A reset changes nothing of it.
    void load(uint64_t seed)
    {
        for (size_t t = 0; t < shape_.tokens; t++)
            gfab_token_pattern(seed, static_cast<uint32_t>(t), time_.token_bits, tokens_[t].data());
        std::vector<uint32_t> next(shape_.nodes, 0);
        for (bool more = true; more;) {
            more = false;
            for (size_t v = 0; v < shape_.nodes; v++) {
                if (next[v] < load_words(v)) {
                    more = true;
                    if (random(4) != 0) {
                        set_load(v, true, next[v], word_of_token(v, next[v]));
                        next[v]++;
                    }
                }
            }
            step(random(8) == 0, false);
        }
    }

    // Up to the cycle in which done rises, whose edge is the last of the count, or through cut cycles of it.
    // Starts and loads that come while it runs are to be ignored.
    void gossip(uint64_t cut)
    {
        if (running_ > 0)
            spurious_loads(4);
        any_program_ = true; // it counts a cycle before the start
        step(false, true);
        any_program_ = false;
        current_ = next_;
        next_ = random(programs());
        running_ = 1;
        for (; !gfab_cmodel_done(cmodel_.get()); running_++) {
            if (running_ == cut)
                return;
            if (running_ > cycles_of(current_))
                throw Mismatch("done is not there after " + std::to_string(cycles_of(current_)) + " cycles");
            spurious_loads(4);
            step(false, random(8) == 0);
        }
        if (running_ + corrupted("cycles") != cycles_of(current_)) {
            throw Mismatch("a gossip takes " + std::to_string(running_) + " cycles and not " +
                           std::to_string(cycles_of(current_)));
        }
        written_ = true;
    }
    // The cycle in which done is there and busy still is.
    void finish()
    {
        spurious_loads(4);
        step(false, false);
        running_ = 0;
        equal("busy after the gossip", dut_->busy.get(0, 1), 0);
        equal("done after the gossip", dut_->done.get(0, 1), 1);
    }

    // Every word of every part of every token in every node through the host port.
    void check_store(bool tokens)
    {
        for (size_t t = 0; t < shape_.slots_of_store; t++) {
            for (uint32_t w = 0; w < time_.words; w++) {
                for (size_t v = 0; v < shape_.nodes; v++)
                    reads_[v] = {shape_.readable(v, current_, static_cast<uint32_t>((t + v) % shape_.slots_of_store)),
                                 w};
                const std::vector<Read> asked = reads_;
                step(false, false);
                for (size_t v = 0; tokens && v < shape_.nodes; v++) {
                    Bytes right = word_of_part(asked[v].part, w);
                    right[0] ^= static_cast<uint8_t>(corrupted("token"));
                    if (reads_expected_[v] != right) {
                        throw Mismatch("node " + std::to_string(v) + " part " + std::to_string(asked[v].part) +
                                       " word " + std::to_string(w) + ": both have " + hex(reads_expected_[v]) +
                                       ", loaded was " + hex(right));
                    }
                }
            }
        }
    }
    void check_tokens() { check_store(true); }

    void choose(gfab_operator op) { chosen_ = op; }
    void choose_number(uint64_t from_0) { choose(static_cast<gfab_operator>(GFAB_OPERATOR_FIRST + from_0)); }
    // What two tokens are combined to.
    Bytes combine(const Bytes &a, const Bytes &b) const
    {
        const gfab_operator fixed = gfab_layout_operator(shape_.layout);
        return combined(fixed == GFAB_OPERATOR_ALL ? chosen_ : fixed, time_, a, b);
    }
    // What a node has of a block in the end, where the order counts.
    Bytes ordered(uint32_t block, uint32_t node) const
    {
        std::vector<Bytes> own;
        for (uint32_t v = 0; v < shape_.nodes; v++)
            own.push_back(tokens_[v * blocks() + block]);
        return expressed(expressions_.at(current_), block, node, own,
                         [this](const Bytes &a, const Bytes &b) { return combine(a, b); });
    }
    // What the goal promises, from what was loaded; what else is in a store means nothing.
    void check_results()
    {
        check_store(false);
        gfab_cmodel_set_program(cmodel_.get(), current_); // up to the next step: what is read is its blocks
        Bytes token((time_.token_bits + 7) / 8);
        const gfab_goal &goal = gfab_machine_program_at(machine_, current_)->goal;
        for (uint32_t b = 0; b < goal.blocks; b++) {
            Bytes right;
            for (uint32_t v = 0; v < shape_.nodes; v++) {
                if (gfab_goal_holds(&goal, shape_.members, shape_.rank(v), b)) {
                    const Bytes &own = tokens_[v * blocks() + b];
                    right = right.empty() ? own : combine(right, own);
                }
            }
            for (uint32_t v = 0; v < shape_.nodes; v++) {
                if (!gfab_goal_wants(&goal, shape_.members, shape_.rank(v), b))
                    continue;
                const bool by_order = !expressions_.empty() && gfab_collective_combines(goal.collective);
                right = by_order ? ordered(b, v) : right;
                gfab_cmodel_read_token(cmodel_.get(), v, b, token.data());
                token[0] ^= static_cast<uint8_t>(corrupted("token"));
                if (token != right) {
                    throw Mismatch("node " + std::to_string(v) + " block " + std::to_string(b) + ": both have " +
                                   hex(token) + ", right is " + hex(right));
                }
            }
        }
    }

    const Shape shape_;
    const gfab_machine *const machine_;
    const std::vector<Expressions> &expressions_; // by program; none where the order of combining does not count
    size_t current_ = 0, next_ = 0;               // programs: that runs, or ran last; that the next start plays
    bool any_program_ = false;                    // asked for in this cycle
    gfab_operator chosen_ = GFAB_OPERATOR_FIRST;
    const gfab_timing time_;
    const uint64_t seed_;
    std::string corrupt_;
    std::mt19937_64 random_;
    std::unique_ptr<Dut> dut_;
    Owned<gfab_cmodel> cmodel_;
    const uint64_t expected_;
    uint64_t steps_ = 0;
    uint64_t running_ = 0; // cycles of the gossip so far, 0 where none runs
    bool written_ = false; // a gossip has filled the stores
    std::vector<Load> loads_;
    std::vector<Read> reads_;
    std::vector<Bytes> reads_expected_, tokens_;
    Bytes rtl_, model_;
};

} // namespace

void require(gfab_status status, const gfab_diag &diag)
{
    if (status != GFAB_OK)
        throw BadInput(std::string(gfab_status_string(status)) + ": " + diag.message);
}

BenchReport run_bench(const gfab_machine *machine, const std::vector<Expressions> &expressions, uint64_t seed,
                      const std::string &corrupt)
{
    Bench bench(machine, expressions, seed, corrupt);
    const uint64_t cycles = bench.run();
    return {bench.steps(), cycles};
}
