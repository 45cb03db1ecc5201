// SPDX-License-Identifier: MIT
// The verilated fabric and the C model side by side, equal in every cycle: all links' wires, both drive enables,
// every store's write port, busy and done, and what the host reads. See usage below.
#include "dut.h"
#include <gossipfab/cmodel/cmodel.h>
#include <gossipfab/fabric/image.h>
#include <gossipfab/fabric/layout.h>
#include <gossipfab/topology/topology.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>

namespace
{

const char *const usage =
    "usage: lockstep --topology SPEC --token-bits W --link-bits L [options] FOLDER...\n"
    "Runs the fabric it is linked with once for each FOLDER, which has the ROMs in rom/, and each seed.\n"
    "  --seed S           token seed; may be repeated (1)\n"
    "  --frame F          how the stores number tokens, absolute, relative or rotated (absolute)\n"
    "  --link-mode M      of the ports: half, full, or paths, for nodes that pass flits on (half)\n"
    "  --link-latency C   of every link, in cycles (0)\n"
    "  --parts P          equal parts of a token (1)\n"
    "  --wide X,B,H       wide nodes: crossbar X of B banks, schedules of H rounds a hop\n"
    "  --model-rom DIR    the model's ROMs come from here and not from FOLDER/rom\n"
    "  --corrupt-model X  flip one bit of what the model says: busy, done, link, drive, write-enable, write-slot,\n"
    "                     write-word, write-data, store, token or cycles; part: a word is loaded into another part\n"
    "Exit status: 0 equal, 1 a mismatch, 2 wrong usage or input.\n";

struct Mismatch : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct BadInput : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Options {
    std::string topology, model_rom, corrupt;
    gfab_frame frame = GFAB_FRAME_ABSOLUTE;
    bool full_duplex = false, paths = false;
    uint32_t token_bits = 0, link_bits = 0, latency_cycles = 0, parts = 1;
    std::string crossbar; // of wide nodes; "": narrow
    uint32_t banks = 0, hop_rounds = 0;
    std::vector<uint64_t> seeds;
    std::vector<std::string> folders;
};

gfab_frame frame_of(const std::string &name)
{
    for (gfab_frame frame : {GFAB_FRAME_ABSOLUTE, GFAB_FRAME_RELATIVE, GFAB_FRAME_ROTATED})
        if (name == gfab_frame_name(frame))
            return frame;
    throw BadInput("no frame " + name);
}

gfab_crossbar_kind kind_of(const std::string &name)
{
    for (gfab_crossbar_kind kind :
         {GFAB_CROSSBAR_FULL, GFAB_CROSSBAR_AXES, GFAB_CROSSBAR_ARRIVAL, GFAB_CROSSBAR_PINWHEEL})
        if (name == gfab_crossbar_name(kind))
            return kind;
    throw BadInput("no crossbar " + name);
}

template <typename T> using Owned = std::unique_ptr<T, void (*)(T *)>;

void require(gfab_status status, const gfab_diag &diag)
{
    if (status != GFAB_OK)
        throw BadInput(std::string(gfab_status_string(status)) + ": " + diag.message);
}

// The topology and what follows from it; the same for all folders.
struct Shape {
    Owned<gfab_topology> topology{nullptr, gfab_topology_destroy};
    Owned<gfab_layout> slots{nullptr, gfab_layout_destroy};
    gfab_timing timing = {};
    gfab_crossbar crossbar = {}; // of wide nodes
    size_t nodes = 0, links = 0;
    size_t slots_of_store = 0; // N P
    size_t slot_bits = 0, index_bits = 0, load_bits = 0;

    static size_t bits(size_t n)
    {
        size_t b = 1;
        while ((static_cast<size_t>(1) << b) < n)
            b++;
        return b;
    }
    explicit Shape(const Options &options)
    {
        gfab_diag diag = {};
        gfab_topology *t = nullptr;
        require(gfab_topology_parse(options.topology.c_str(), &t, &diag), diag);
        topology.reset(t);
        gfab_layout *s = nullptr;
        const bool wide = !options.crossbar.empty();
        require((wide ? gfab_layout_create_wide : gfab_layout_create)(t, &s), diag);
        slots.reset(s);
        require(gfab_layout_set_frame(s, options.frame, &diag), diag);
        gfab_layout_set_full_duplex(s, options.full_duplex);
        gfab_layout_set_paths(s, options.paths);
        require(gfab_layout_set_parts(s, options.parts, &diag), diag);
        if (wide) {
            require(gfab_timing_compute_wide(s, options.token_bits, options.link_bits, options.latency_cycles,
                                             options.hop_rounds, &timing, &diag),
                    diag);
            require(gfab_crossbar_make(t, kind_of(options.crossbar), options.banks, &crossbar, &diag), diag);
        } else {
            require(gfab_timing_compute_latency(s, options.token_bits, options.link_bits, options.latency_cycles,
                                                &timing, &diag),
                    diag);
        }
        nodes = gfab_topology_node_count(t);
        links = gfab_topology_link_count(t);
        slots_of_store = gfab_layout_slot_count(s);
        slot_bits = bits(slots_of_store);
        index_bits = bits(timing.words);
        load_bits = index_bits + (options.parts > 1 ? bits(options.parts) : 0);
    }
};

using File = std::unique_ptr<FILE, int (*)(FILE *)>;

std::string rom_name(const Shape &shape, const std::filesystem::path &rom, const char *what, size_t node)
{
    const std::string number = std::to_string(node);
    const size_t digits = std::to_string(shape.nodes - 1).size();
    return (rom / (what + std::string("_") + std::string(digits - number.size(), '0') + number + ".hex")).string();
}

File open_rom(const Shape &shape, const std::filesystem::path &rom, const char *what, size_t node)
{
    const std::string name = rom_name(shape, rom, what, node);
    File file(fopen(name.c_str(), "r"), fclose);
    if (!file)
        throw BadInput("cannot open " + name);
    return file;
}

// The ROM's size is in no header: it is the number of lines.
uint32_t round_bits_of(const Shape &shape, const std::filesystem::path &rom, size_t stride)
{
    size_t lines = 0;
    const File file = open_rom(shape, rom, "program", 0);
    for (int c; (c = fgetc(file.get())) != EOF;)
        lines += c == '\n';
    uint32_t round_bits = 0;
    while ((stride << round_bits) < lines)
        round_bits++;
    return round_bits;
}

Owned<gfab_banks> read_banks(const Shape &shape, const std::filesystem::path &rom)
{
    gfab_diag diag = {};
    gfab_banks *banks = nullptr;
    require(gfab_banks_create(shape.slots.get(), &shape.crossbar, round_bits_of(shape, rom, 1), &banks, &diag), diag);
    Owned<gfab_banks> owned(banks, gfab_banks_destroy);
    for (size_t v = 0; v < shape.nodes; v++) {
        require(gfab_banks_read_program(banks, v, open_rom(shape, rom, "program", v).get(), &diag), diag);
        require(gfab_banks_read_places(banks, v, open_rom(shape, rom, "places", v).get(), &diag), diag);
    }
    return owned;
}

Owned<gfab_image> read_image(const Shape &shape, const std::filesystem::path &rom)
{
    const size_t stride = shape.timing.lanes > 1 ? static_cast<size_t>(1) << Shape::bits(shape.timing.lanes) : 1;
    const uint32_t round_bits = round_bits_of(shape, rom, stride);
    gfab_diag diag = {};
    gfab_image *image = nullptr;
    require(gfab_image_create(shape.slots.get(), round_bits, &image, &diag), diag);
    Owned<gfab_image> owned(image, gfab_image_destroy);
    for (size_t v = 0; v < shape.nodes; v++)
        require(gfab_image_read(image, v, open_rom(shape, rom, "program", v).get(), &diag), diag);
    const auto digits_of = [](FILE *file) { // of its words
        uint32_t count = 0;
        for (int c; (c = fgetc(file)) != EOF && c != '\n';)
            count++;
        rewind(file);
        return count;
    };
    for (size_t v = 0; v < shape.nodes && shape.timing.paths != 0; v++) {
        const File file = open_rom(shape, rom, "paths", v);
        if (v == 0) { // as wide as the file has them
            const uint32_t fixed = gfab_image_path_bits(image) - gfab_image_wait_bits(image);
            require(gfab_image_set_wait_bits(image, 4 * digits_of(file.get()) - fixed, &diag), diag);
        }
        require(gfab_image_read_paths(image, v, file.get(), &diag), diag);
    }
    File pace(fopen((rom / "gap.hex").string().c_str(), "r"), fclose);
    if (pace) {
        require(gfab_image_set_gap_bits(image, 4 * digits_of(pace.get()), &diag), diag);
        require(gfab_image_read_gaps(image, pace.get(), &diag), diag);
    }
    return owned;
}

// What all nodes do: narrow programs or wide ones.
struct Programs {
    Owned<gfab_image> image{nullptr, gfab_image_destroy};
    Owned<gfab_banks> banks{nullptr, gfab_banks_destroy};
    uint32_t rounds = 0;

    Programs(const Shape &shape, const std::filesystem::path &rom)
    {
        gfab_diag diag = {};
        if (shape.timing.wide != 0) {
            banks = read_banks(shape, rom);
            require(gfab_banks_check(banks.get(), &shape.timing, &rounds, &diag), diag);
        } else {
            image = read_image(shape, rom);
            require(gfab_image_check(image.get(), &shape.timing, &rounds, &diag), diag);
        }
    }
    uint64_t cycles(const gfab_timing &timing) const
    {
        return image ? gfab_image_gossip_cycles(image.get(), &timing, rounds)
                     : gfab_timing_gossip_cycles(&timing, rounds);
    }
    gfab_cmodel *model(const gfab_timing &timing) const
    {
        gfab_cmodel *cmodel = nullptr;
        require(image ? gfab_cmodel_create(image.get(), &timing, &cmodel)
                      : gfab_cmodel_create_wide(banks.get(), &timing, &cmodel),
                {});
        return cmodel;
    }
};

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
    Bench(const Shape &shape, const Programs &programs, uint64_t seed, const std::string &corrupt)
        : shape_(shape), time_(shape.timing), seed_(seed), corrupt_(corrupt), random_(seed),
          dut_(make_dut(static_cast<int>(seed % 1000 + 1))), cmodel_(programs.model(time_), gfab_cmodel_destroy),
          expected_(programs.cycles(time_)), loads_(shape.nodes), reads_(shape.nodes), reads_expected_(shape.nodes),
          tokens_(shape.nodes, Bytes((time_.token_bits + 7) / 8))
    {
        if (programs.banks)
            round_bits_ = gfab_banks_round_bits(programs.banks.get());
        draw_inputs();
    }

    // All of it. Returns the cycles of a gossip.
    uint64_t run()
    {
        reset(2);
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
        finish();
        gossip(UINT64_MAX); // started in the first cycle in which busy is off
        finish();
        check_tokens();
        return expected_;
    }
    uint64_t steps() const { return steps_; }

  private:
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
    uint32_t load_words() const { return time_.parts * time_.words; }
    Bytes word_of_token(size_t node, uint32_t word) const
    {
        return word_of_part(static_cast<uint32_t>(node) * time_.parts + word / time_.words, word % time_.words);
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
        const bool reading = written_ && !gfab_cmodel_busy(cmodel_.get());
        for (size_t v = 0; v < shape_.nodes; v++) {
            dut_->load_valid.set(v, 1, loads_[v].valid);
            const uint32_t part = loads_[v].word / time_.words, word = loads_[v].word % time_.words;
            dut_->load_word.set(v * shape_.load_bits, shape_.load_bits, part << shape_.index_bits | word);
            dut_->load_data.set(v * word_bits, word_bits, loads_[v].data.data());
            if (loads_[v].valid) {
                const uint32_t moved = corrupted("part") ? time_.words : 0;
                gfab_cmodel_set_load(cmodel_.get(), v, (loads_[v].word + moved) % load_words(), loads_[v].data.data());
            }
            dut_->read_token.set(v * shape_.slot_bits, shape_.slot_bits, reads_[v].part);
            dut_->read_word.set(v * shape_.index_bits, shape_.index_bits, reads_[v].word);
            if (reading) {
                const uint8_t *value = gfab_cmodel_store(
                    cmodel_.get(), v, gfab_layout_slot(shape_.slots.get(), v, reads_[v].part), reads_[v].word);
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
            set_load(v, false, static_cast<uint32_t>(random(load_words())), std::move(data));
            reads_[v] = {static_cast<uint32_t>(random(shape_.slots_of_store)),
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
        const size_t ports = time_.wide != 0 ? shape_.crossbar.banks : 1;
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
        const size_t ib = shape_.index_bits, address_bits = ib + (time_.wide != 0 ? round_bits_ : shape_.slot_bits);
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
            if (rtl_ != reads_expected_[v]) {
                mismatch("node " + std::to_string(v) + " store, part " + std::to_string(reads_[v].part) + " word " +
                             std::to_string(reads_[v].word),
                         hex(rtl_), hex(reads_expected_[v]));
            }
        }
    }

    void idle(uint64_t cycles)
    {
        while (cycles-- > 0)
            step(false, false);
    }
    // i_start counts for nothing in a reset; host loads do as ever, unless the gossip still runs.
    void reset(uint64_t cycles)
    {
        while (cycles-- > 0) {
            if (running_ > 0) {
                spurious_loads(2);
            } else if (written_) {
                const size_t v = random(shape_.nodes);
                const uint32_t word = static_cast<uint32_t>(random(load_words()));
                set_load(v, true, word, word_of_token(v, word));
            }
            running_ = 0;
            step(true, random(2) != 0);
        }
    }
    void spurious_loads(uint64_t one_in)
    {
        for (Load &load : loads_)
            load.valid = random(one_in) == 0;
    }

    // Every node its own token, each at its own pace.
    void load(uint64_t seed)
    {
        for (size_t v = 0; v < shape_.nodes; v++)
            gfab_token_pattern(seed, static_cast<uint32_t>(v), time_.token_bits, tokens_[v].data());
        std::vector<uint32_t> next(shape_.nodes, 0);
        for (bool more = true; more;) {
            more = false;
            for (size_t v = 0; v < shape_.nodes; v++) {
                if (next[v] < load_words()) {
                    more = true;
                    if (random(4) != 0) {
                        set_load(v, true, next[v], word_of_token(v, next[v]));
                        next[v]++;
                    }
                }
            }
            step(false, false);
        }
    }

    // Up to the cycle in which done rises, whose edge is the last of the count, or through cut cycles of it.
    // Starts and loads that come while it runs are to be ignored.
    void gossip(uint64_t cut)
    {
        if (running_ > 0)
            spurious_loads(4);
        step(false, true);
        running_ = 1;
        for (; !gfab_cmodel_done(cmodel_.get()); running_++) {
            if (running_ == cut)
                return;
            if (running_ > expected_)
                throw Mismatch("done is not there after " + std::to_string(expected_) + " cycles");
            spurious_loads(4);
            step(false, random(8) == 0);
        }
        if (running_ + corrupted("cycles") != expected_) {
            throw Mismatch("a gossip takes " + std::to_string(running_) + " cycles and not " +
                           std::to_string(expected_));
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
                    reads_[v] = {static_cast<uint32_t>((t + v) % shape_.slots_of_store), w};
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

    const Shape &shape_;
    const gfab_timing time_;
    const uint64_t seed_;
    std::string corrupt_;
    std::mt19937_64 random_;
    std::unique_ptr<Dut> dut_;
    Owned<gfab_cmodel> cmodel_;
    const uint64_t expected_;
    size_t round_bits_ = 0; // wide: of a token's address
    uint64_t steps_ = 0;
    uint64_t running_ = 0; // cycles of the gossip so far, 0 where none runs
    bool written_ = false; // a gossip has filled the stores
    std::vector<Load> loads_;
    std::vector<Read> reads_;
    std::vector<Bytes> reads_expected_, tokens_;
    Bytes rtl_, model_;
};

Options parse(int argc, char **argv)
{
    Options options;
    const auto number = [](const std::string &text) {
        size_t end = 0;
        const unsigned long long value = std::stoull(text, &end);
        if (end != text.size())
            throw BadInput("'" + text + "' is not a number");
        return value;
    };
    for (int i = 1; i < argc; i++) {
        const std::string name = argv[i];
        if (name.rfind("--", 0) != 0) {
            options.folders.push_back(name);
            continue;
        }
        if (++i == argc)
            throw BadInput(name + " needs a value");
        const std::string value = argv[i];
        if (name == "--topology") {
            options.topology = value;
        } else if (name == "--token-bits") {
            options.token_bits = static_cast<uint32_t>(number(value));
        } else if (name == "--link-bits") {
            options.link_bits = static_cast<uint32_t>(number(value));
        } else if (name == "--seed") {
            options.seeds.push_back(number(value));
        } else if (name == "--frame") {
            options.frame = frame_of(value);
        } else if (name == "--link-mode") {
            if (value != "half" && value != "full" && value != "paths")
                throw BadInput("no link mode " + value);
            options.full_duplex = value != "half";
            options.paths = value == "paths";
        } else if (name == "--link-latency") {
            options.latency_cycles = static_cast<uint32_t>(number(value));
        } else if (name == "--parts") {
            options.parts = static_cast<uint32_t>(number(value));
        } else if (name == "--wide") {
            const size_t first = value.find(','), second = value.rfind(',');
            if (first == second)
                throw BadInput("--wide takes X,B,H");
            options.crossbar = value.substr(0, first);
            options.banks = static_cast<uint32_t>(number(value.substr(first + 1, second - first - 1)));
            options.hop_rounds = static_cast<uint32_t>(number(value.substr(second + 1)));
        } else if (name == "--model-rom") {
            options.model_rom = std::filesystem::absolute(value).string();
        } else if (name == "--corrupt-model") {
            options.corrupt = value;
        } else {
            throw BadInput("no option " + name);
        }
    }
    if (options.folders.empty())
        throw BadInput("no folder");
    if (options.seeds.empty())
        options.seeds.push_back(1);
    return options;
}

void run(const Options &options)
{
    namespace fs = std::filesystem;
    const Shape shape(options);
    const fs::path base = fs::current_path();
    for (const std::string &folder : options.folders) {
        fs::current_path(base / folder); // where $readmemh finds rom/
        const Programs programs(shape, options.model_rom.empty() ? "rom" : options.model_rom);
        for (uint64_t seed : options.seeds) {
            try {
                Bench bench(shape, programs, seed, options.corrupt);
                const uint64_t cycles = bench.run();
                printf("%s %u/%u %s seed %" PRIu64 ": equal in %" PRIu64 " cycles; a gossip takes %" PRIu64
                       " = %u x %u + %u + %" PRIu64 "\n",
                       options.topology.c_str(), options.token_bits, options.link_bits,
                       fs::path(folder).filename().c_str(), seed, bench.steps(), cycles, programs.rounds,
                       shape.timing.cycles_per_round, shape.timing.overhead_cycles,
                       programs.image ? gfab_image_gap_cycles(programs.image.get()) : 0);
            } catch (const Mismatch &fault) {
                throw Mismatch(options.topology + " " + folder + " seed " + std::to_string(seed) + ": " + fault.what());
            }
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    try {
        run(parse(argc, argv));
        return 0;
    } catch (const Mismatch &fault) {
        fprintf(stderr, "lockstep: mismatch: %s\n", fault.what());
        return 1;
    } catch (const std::exception &fault) {
        fprintf(stderr, "lockstep: %s\n%s", fault.what(), usage);
        return 2;
    }
}
