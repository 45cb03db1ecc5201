// SPDX-License-Identifier: MIT
#include "model.h"

#include <jansson.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <vector>

namespace stream
{

void give_up(const std::string &what)
{
    std::cerr << "stream_lockstep: " << what << "\n";
    std::_Exit(1); // of a simulation, too
}

namespace
{

using Bytes = std::vector<uint8_t>;

// A number of many hexadecimal digits, as Verilog prints it; x is unknown.
struct Word {
    std::string digits;
    size_t digit_bits = 4; // or 1

    // a digit, or -1
    int nibble(size_t i) const
    {
        const char c = i < digits.size() ? digits[digits.size() - 1 - i] : '0';
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }

    // 0, 1, or -1
    int bit(size_t i) const
    {
        const int n = nibble(i / digit_bits);
        return n < 0 ? -1 : n >> i % digit_bits & 1;
    }

    Bytes bits(size_t first, size_t count) const
    {
        Bytes made((count + 7) / 8 + 1);
        for (size_t i = 0; i < count; i++)
            made[i / 8] |= (bit(first + i) == 1) << i % 8;
        return made;
    }

    bool same(size_t first, size_t count, const uint8_t *data) const
    {
        for (size_t i = 0; i < count; i++)
            if (bit(first + i) >= 0 && bit(first + i) != (data[i / 8] >> i % 8 & 1))
                return false;
        return true;
    }

    bool known(size_t first, size_t count) const
    {
        for (size_t i = 0; i < count; i++)
            if (bit(first + i) < 0)
                return false;
        return true;
    }
};

// The words of a line, TB_LINE of tb_stream.v.
enum Field {
    GIVE_VALID,
    GIVE_DATA,
    GIVE_LAST,
    TAKE_READY,
    GIVE_READY,
    TAKE_VALID,
    TAKE_DATA,
    TAKE_LAST,
    BUSY,
    DRIVE,
    LINK,
    WRITE,
    ADDRESS,
    DATA,
    ERROR,
    LATE,
    UNEVEN,
    RESET,
    LIMIT,
    FIELDS
};
using Line = std::array<Word, FIELDS>;

Line read_line(const std::string &text)
{
    Line line;
    std::istringstream words(text);
    size_t count = 0;
    for (std::string digits; words >> digits; count++)
        if (count < FIELDS)
            line[count].digits = digits;
    if (count != FIELDS)
        give_up("a line of " + std::to_string(count) + " words");
    // Hosts of one digit would make each other unknown.
    line[TAKE_DATA].digit_bits = line[TAKE_LAST].digit_bits = line[LATE].digit_bits = 1;
    return line;
}

// What the mutant does of streams of a word a cycle: a node takes nothing of what comes over some lane to be combined.
void spoil_words(const gfab_machine *machine)
{
    gfab_image *image = const_cast<gfab_image *>(gfab_machine_image(machine));
    const size_t lanes = gfab_layout_lane_count(gfab_image_layout(image));
    const uint32_t half = gfab_image_op_bits(image) / 2;
    for (size_t node = 0; node < gfab_topology_node_count(gfab_machine_topology(machine)); node++)
        for (size_t lane = 0; lane < lanes; lane++)
            for (size_t index = lane; index < gfab_image_word_count(image); index += lanes)
                if ((gfab_image_word(image, node, index) >> half & 3) == GFAB_OP_COMBINE) {
                    for (; index < gfab_image_word_count(image); index += lanes)
                        gfab_image_set_word(image, node, index,
                                            gfab_image_word(image, node, index) & ((UINT64_C(1) << half) - 1));
                    return;
                }
    give_up("nothing is combined");
}

// What the mutant does: in the last round of some host, what it takes is one group older or younger.
void spoil(const gfab_machine *machine)
{
    gfab_image *image = const_cast<gfab_image *>(gfab_machine_image(machine));
    const size_t nodes = gfab_topology_node_count(gfab_machine_topology(machine));
    for (size_t index = 0; index < gfab_image_word_count(image); index++)
        if (gfab_image_word(image, nodes - 1, index)) {
            const uint32_t half = gfab_image_op_bits(image) / gfab_layout_halves(gfab_image_layout(image));
            const uint64_t word = gfab_image_word(image, nodes - 1, index);
            gfab_image_set_word(image, nodes - 1, index, word ^ (word >> half ? UINT64_C(4) << half : UINT64_C(4)));
            return;
        }
}

} // namespace

class Model::Bench
{
  public:
    Bench(const std::string &folder, bool spoiled)
    {
        read(folder);
        if (spoiled)
            (number("hop_cycles") ? spoil_words : spoil)(machine);
    }
    Bench(const Bench &) = delete;
    ~Bench()
    {
        gfab_cmodel_destroy(model);
        gfab_machine_destroy(machine);
        gfab_topology_destroy(topology);
        json_decref(manifest);
    }
    void restart()
    {
        gfab_cmodel_destroy(model);
        if (gfab_cmodel_create(machine, nullptr, &model))
            give_up("out of memory");
        cycle = 0;
    }
    void play(const Line &line)
    {
        compare_hosts(line);
        compare_status(line);
        offer(line);
        compare_links(line);
        if (number("hop_cycles"))
            compare_ready(line);
        else
            compare_stores(line);
        gfab_cmodel_step(model);
        cycle++;
    }
    size_t cycle = 0;

  private:
    long number(const char *name) const { return json_integer_value(json_object_get(manifest, name)); }

    // Of hosts' further words, too.
    size_t links() const { return number("links") + (number("host_words") - 1) * number("streams"); }

    void differ(const char *what, size_t where) const
    {
        give_up("cycle " + std::to_string(cycle) + ": " + what + " " + std::to_string(where) + " differs");
    }

    void compare_hosts(const Line &line) const
    {
        const size_t bits = number("link_bits") * number("host_words");
        for (size_t host = 0; host < (size_t)number("streams"); host++) {
            bool last = false;
            const uint8_t *taken = gfab_cmodel_taken(model, host, &last);
            if (line[GIVE_READY].bit(host) != gfab_cmodel_give_ready(model, host))
                differ("s_axis_tready of host", host);
            if (line[TAKE_VALID].bit(host) != !!taken)
                differ("m_axis_tvalid of host", host);
            if (taken && (!line[TAKE_DATA].known(host * bits, bits) || !line[TAKE_DATA].same(host * bits, bits, taken)))
                differ("m_axis_tdata of host", host);
            if (taken && line[TAKE_LAST].bit(host) != last)
                differ("m_axis_tlast of host", host);
        }
    }

    void compare_status(const Line &line) const
    {
        if (line[BUSY].bit(0) != gfab_cmodel_busy(model))
            differ("o_busy", 0);
        if (line[ERROR].bit(0) != gfab_cmodel_over(model))
            differ("o_error", 0);
        if (line[UNEVEN].bit(0) != gfab_cmodel_uneven(model))
            differ("o_uneven", 0);
        for (size_t host = 0; host < (size_t)number("streams"); host++)
            if (line[LATE].bit(host) != gfab_cmodel_late(model, host))
                differ("o_late of host", host);
    }

    void compare_links(const Line &line) const
    {
        const size_t bits = number("link_bits"), wires = number("wires");
        for (size_t link = 0; link < links(); link++)
            for (uint32_t end = 0; end < 2; end++) {
                if (line[DRIVE].bit(2 * link + end) != gfab_cmodel_link_drive(model, link, end))
                    differ("the drive of link", link);
                if (wires == 2 &&
                    !line[LINK].same((2 * link + end) * bits, bits, gfab_cmodel_end_data(model, link, end)))
                    differ("what is on link", link);
            }
    }

    void compare_stores(const Line &line) const
    {
        const size_t word_bits = number("word_bits"), index_bits = number("index_bits");
        const size_t slot_bits = number("op_bits") / (number("full_duplex") + 1) - 2, bits = slot_bits + index_bits;
        for (size_t node = 0; node < (size_t)number("nodes"); node++) {
            uint32_t slot = 0, word = 0;
            const uint8_t *data = nullptr;
            const bool writes = gfab_cmodel_busy(model) && gfab_cmodel_write(model, node, &slot, &word, &data);
            if (line[WRITE].bit(node) != writes)
                differ("the write of node", node);
            const uint32_t address = slot << index_bits | word;
            const uint8_t expected[] = {uint8_t(address), uint8_t(address >> 8), uint8_t(address >> 16)};
            if (writes && !line[ADDRESS].same(node * bits, bits, expected))
                differ("the address of node", node);
            if (writes && !line[DATA].same(node * word_bits, word_bits, data))
                differ("the word of node", node);
        }
    }

    void compare_ready(const Line &line) const
    {
        for (size_t i = 0; i < 2 * links(); i++)
            if (line[WRITE].bit(i) != gfab_cmodel_link_ready(model, i / 2, i % 2))
                differ("what is taken of link", i / 2);
    }

    // What hosts do in this cycle.
    void offer(const Line &line)
    {
        const size_t bits = number("link_bits") * number("host_words");
        for (size_t host = 0; host < (size_t)number("streams"); host++) {
            if (line[GIVE_VALID].bit(host) == 1)
                gfab_cmodel_set_give(model, host, line[GIVE_DATA].bits(host * bits, bits).data(),
                                     line[GIVE_LAST].bit(host) == 1);
            if (line[TAKE_READY].bit(host) == 1)
                gfab_cmodel_set_take(model, host);
        }
        gfab_cmodel_set_reset(model, line[RESET].bit(0) == 1);
        gfab_cmodel_set_limit(model, std::stoul(line[LIMIT].digits));
    }

    void read(const std::string &folder)
    {
        gfab_diag diag = {0, ""};
        gfab_machine_shape shape = {};
        json_error_t error;
        manifest = json_load_file((folder + "/manifest.json").c_str(), 0, &error);
        if (!manifest)
            give_up(error.text);
        if (gfab_topology_parse(json_string_value(json_object_get(manifest, "topology")), &topology, &diag))
            give_up(diag.message);
        shape.layout = gfab_layout_options_default();
        shape.layout.full_duplex = number("full_duplex");
        shape.layout.blocks = number("store_slots");
        shape.layout.combines = (gfab_operator)number("operator");
        shape.layout.streams = true;
        shape.layout.word_streams = number("hop_cycles");
        shape.layout.alternates = number("alternates");
        shape.timing.token_bits = number("token_bits");
        shape.timing.link_bits = number("link_bits");
        shape.timing.latency_cycles = number("latency_cycles");
        shape.timing.merges = number("merges");
        shape.timing.operator_cycles = number("operator_cycles");
        std::vector<uint32_t> slots;
        for (size_t node = 0; node < (size_t)number("nodes"); node++)
            slots.push_back(json_integer_value(json_array_get(json_object_get(manifest, "slots_of_node"), node)));
        shape.node_slots = slots.data();
        if (gfab_machine_read(topology, &shape, (folder + "/rom").c_str(), &machine, &diag) ||
            gfab_machine_check(machine, &diag))
            give_up(diag.message);
    }

    json_t *manifest = nullptr;
    gfab_topology *topology = nullptr;
    gfab_machine *machine = nullptr;
    gfab_cmodel *model = nullptr;
};

Model::Model(const std::string &folder, bool spoiled) : bench_(new Bench(folder, spoiled))
{
    restart();
}

Model::~Model() = default;

void Model::play(const std::string &line)
{
    bench_->play(read_line(line));
}

void Model::restart()
{
    bench_->restart();
}

size_t Model::cycles() const
{
    return bench_->cycle;
}

} // namespace stream
