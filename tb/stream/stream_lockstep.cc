// SPDX-License-Identifier: MIT
// The C model against what tb_stream.v wrote of the RTL, +trace: the same goes in, and in every cycle the same must
// come out, be on every link and be written to every store.
//
// stream_lockstep FOLDER TRACE, or - for standard input: FOLDER/manifest.json says what the fabric is. Digits that are
// x in the trace, of words that no group counts, are not compared; hosts' are always known. With a third argument,
// "mutant", the model gets one slot of the program wrong, and must be found out.
#include <gossipfab/cmodel/cmodel.h>

#include <jansson.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using Bytes = std::vector<uint8_t>;

[[noreturn]] void give_up(const std::string &what)
{
    std::cerr << "stream_lockstep: " << what << "\n";
    std::exit(1);
}

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

struct Bench {
    json_t *manifest;
    gfab_topology *topology = nullptr;
    gfab_machine *machine = nullptr;
    gfab_cmodel *model = nullptr;
    size_t cycle = 0;

    long number(const char *name) const { return json_integer_value(json_object_get(manifest, name)); }

    // Of hosts' further words, too.
    size_t links() const { return number("links") + (number("host_words") - 1) * number("streams"); }

    void differ(const char *what, size_t where) const
    {
        give_up("cycle " + std::to_string(cycle) + ": " + what + " " + std::to_string(where) + " differs");
    }

    void compare_hosts(const std::vector<Word> &line) const
    {
        const size_t bits = number("link_bits") * number("host_words");
        for (size_t host = 0; host < (size_t)number("streams"); host++) {
            bool last = false;
            const uint8_t *taken = gfab_cmodel_taken(model, host, &last);
            if (line[4].bit(host) != gfab_cmodel_give_ready(model, host))
                differ("s_axis_tready of host", host);
            if (line[5].bit(host) != !!taken)
                differ("m_axis_tvalid of host", host);
            if (taken && (!line[6].known(host * bits, bits) || !line[6].same(host * bits, bits, taken)))
                differ("m_axis_tdata of host", host);
            if (taken && line[7].bit(host) != last)
                differ("m_axis_tlast of host", host);
        }
        if (line[8].bit(0) != gfab_cmodel_busy(model))
            differ("o_busy", 0);
    }

    void compare_links(const std::vector<Word> &line) const
    {
        const size_t bits = number("link_bits"), wires = number("wires");
        for (size_t link = 0; link < links(); link++)
            for (uint32_t end = 0; end < 2; end++) {
                if (line[9].bit(2 * link + end) != gfab_cmodel_link_drive(model, link, end))
                    differ("the drive of link", link);
                if (wires == 2 && !line[10].same((2 * link + end) * bits, bits, gfab_cmodel_end_data(model, link, end)))
                    differ("what is on link", link);
            }
    }

    void compare_stores(const std::vector<Word> &line) const
    {
        const size_t word_bits = number("word_bits"), index_bits = number("index_bits");
        const size_t slot_bits = number("op_bits") / (number("full_duplex") + 1) - 2, bits = slot_bits + index_bits;
        for (size_t node = 0; node < (size_t)number("nodes"); node++) {
            uint32_t slot = 0, word = 0;
            const uint8_t *data = nullptr;
            const bool writes = gfab_cmodel_busy(model) && gfab_cmodel_write(model, node, &slot, &word, &data);
            if (line[11].bit(node) != writes)
                differ("the write of node", node);
            const uint32_t address = slot << index_bits | word;
            const uint8_t expected[] = {uint8_t(address), uint8_t(address >> 8), uint8_t(address >> 16)};
            if (writes && !line[12].same(node * bits, bits, expected))
                differ("the address of node", node);
            if (writes && !line[13].same(node * word_bits, word_bits, data))
                differ("the word of node", node);
        }
    }

    void compare_ready(const std::vector<Word> &line) const
    {
        for (size_t i = 0; i < 2 * links(); i++)
            if (line[11].bit(i) != gfab_cmodel_link_ready(model, i / 2, i % 2))
                differ("what is taken of link", i / 2);
    }

    // What hosts do in this cycle.
    void offer(const std::vector<Word> &line)
    {
        const size_t bits = number("link_bits") * number("host_words");
        for (size_t host = 0; host < (size_t)number("streams"); host++) {
            if (line[0].bit(host) == 1)
                gfab_cmodel_set_give(model, host, line[1].bits(host * bits, bits).data(), line[2].bit(host) == 1);
            if (line[3].bit(host) == 1)
                gfab_cmodel_set_take(model, host);
        }
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
};

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

int main(int argc, char **argv)
{
    if (argc < 3)
        give_up("FOLDER TRACE");
    Bench bench = {};
    bench.read(argv[1]);
    if (argc > 3)
        (bench.number("hop_cycles") ? spoil_words : spoil)(bench.machine);
    if (gfab_cmodel_create(bench.machine, nullptr, &bench.model))
        give_up("out of memory");
    std::ifstream file(argv[2]);
    std::istream &trace = std::strcmp(argv[2], "-") == 0 ? std::cin : file;
    for (std::string text; std::getline(trace, text);) {
        std::vector<Word> line;
        std::istringstream words(text);
        for (Word word; words >> word.digits;)
            line.push_back(word);
        if (line.size() != 14)
            give_up("a line of " + std::to_string(line.size()) + " words");
        line[6].digit_bits = line[7].digit_bits = 1; // hosts of one digit would make each other unknown
        bench.compare_hosts(line);
        bench.offer(line);
        bench.compare_links(line);
        if (bench.number("hop_cycles"))
            bench.compare_ready(line);
        else
            bench.compare_stores(line);
        gfab_cmodel_step(bench.model);
        bench.cycle++;
    }
    if (bench.cycle == 0)
        give_up("an empty trace");
    std::cout << bench.cycle << " cycles the same in the C model and in the RTL\n";
    gfab_cmodel_destroy(bench.model);
    gfab_machine_destroy(bench.machine);
    gfab_topology_destroy(bench.topology);
    json_decref(bench.manifest);
    return 0;
}
