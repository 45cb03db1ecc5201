// SPDX-License-Identifier: MIT
// ring_lockstep FOLDER TRACE [mutant]: the C model of the ring fabric in FOLDER against what its bench wrote of the
// RTL, +trace: every output in every cycle, but a word that was read as it was written. mutant: a model that is wrong.
#include <cstdlib>
#include <fstream>
#include <gossipfab/cmodel/ring_model.h>
#include <iostream>
#include <jansson.h>
#include <sstream>
#include <string>
#include <vector>

namespace
{

[[noreturn]] void give_up(const std::string &what)
{
    std::cerr << "ring_lockstep: " << what << "\n";
    std::exit(1);
}

/* Bits of a hexadecimal or binary number, the lowest first. */
std::string bits_of(const std::string &text, size_t count, bool hex)
{
    std::string bits;
    for (size_t i = text.size(); i-- > 0;) {
        const bool known = !hex || std::isxdigit(static_cast<unsigned char>(text[i]));
        const int digit = hex && known ? std::stoi(text.substr(i, 1), nullptr, 16) : 0;
        for (int bit = 0; bit < (hex ? 4 : 1); bit++)
            bits += !known ? 'x' : hex ? static_cast<char>('0' + (digit >> bit & 1)) : text[i];
    }
    bits.resize(count, '0');
    return bits;
}

uint32_t number_of(const std::string &bits, size_t first, size_t count)
{
    uint32_t number = 0;
    for (size_t i = 0; i < count; i++)
        number |= static_cast<uint32_t>(bits[first + i] == '1') << i;
    return number;
}

std::vector<uint8_t> bytes_of(const std::string &bits, size_t first, size_t count)
{
    std::vector<uint8_t> bytes((count + 7) / 8);
    for (size_t i = 0; i < count; i++)
        bytes[i / 8] = static_cast<uint8_t>(bytes[i / 8] | (bits[first + i] == '1') << i % 8);
    return bytes;
}

std::string bits_of_bytes(const uint8_t *bytes, size_t count)
{
    std::string bits;
    for (size_t i = 0; i < count; i++)
        bits += static_cast<char>('0' + (bytes[i / 8] >> i % 8 & 1));
    return bits;
}

struct Cycle {
    std::string rst, start, load_valid, load_word, load_data, read_token, read_word, busy, done, read_data, drive, link,
        write, address, data;
};

/* Bits of a node. */
struct Widths {
    size_t word, load_word, load_data, read_token, write, address;
};

Widths widths_of(const gfab_ring_fabric &f)
{
    const size_t word = static_cast<size_t>(f.rings) * f.link_bits;
    if (f.blocks)
        return {word, f.block_bits + f.flit_bits, f.link_bits, f.block_bits, f.rings, f.address_bits};
    return {word, f.word_bits, word / f.abreast, f.place_bits, 1, static_cast<size_t>(f.step_bits) + f.word_bits};
}

bool read_cycle(std::istream &trace, const gfab_ring_fabric &f, Cycle &c)
{
    const size_t n = f.nodes;
    const Widths widths = widths_of(f);
    std::string line;
    if (!std::getline(trace, line))
        return false;
    std::istringstream fields(line);
    const auto take = [&fields](size_t count, bool hex) {
        std::string text;
        fields >> text;
        return bits_of(text, count, hex);
    };
    c.rst = take(1, false);
    c.start = take(1, false);
    c.load_valid = take(n, false);
    c.load_word = take(n * widths.load_word, true);
    c.load_data = take(n * widths.load_data, true);
    c.read_token = take(n * widths.read_token, true);
    c.read_word = take(n * f.number_bits, true);
    c.busy = take(1, false);
    c.done = take(1, false);
    c.read_data = take(n * f.flit_width, false);
    c.drive = take(1, false);
    c.link = take(n * widths.word, true);
    c.write = take(n * widths.write, false);
    c.address = take(n * widths.address, true);
    c.data = take(n * widths.word, true);
    return true;
}

void set_inputs(const Cycle &c, const gfab_ring_fabric &f, gfab_ring_model *model)
{
    const size_t word = static_cast<size_t>(f.rings) * f.flit_width;
    const uint32_t word_part = f.words > 1 ? f.word_bits : 0, ring_part = f.number_bits - word_part;
    if (c.rst == "1")
        gfab_ring_model_reset(model);
    if (c.start == "1")
        gfab_ring_model_start(model);
    for (uint32_t v = 0; v < f.nodes; v++) {
        const uint32_t ring = f.rings > 1 ? number_of(c.read_word, v * f.number_bits, ring_part) : 0;
        const uint32_t from = number_of(c.read_word, v * f.number_bits + ring_part, word_part);
        if (c.load_valid[v] == '1')
            gfab_ring_model_load(model, v, number_of(c.load_word, v * f.word_bits, f.word_bits),
                                 bytes_of(c.load_data, v * word, word).data());
        gfab_ring_model_read(model, v, number_of(c.read_token, v * f.place_bits, f.place_bits), from, ring);
    }
}

/* What differs; empty: nothing. */
std::string compare(const Cycle &c, const gfab_ring_fabric &f, const gfab_ring_model *model)
{
    const size_t bits = f.flit_width, to = f.step_bits + f.word_bits;
    const uint32_t flows = f.rings * f.abreast;
    if ((c.busy == "1") != gfab_ring_model_busy(model) || (c.done == "1") != gfab_ring_model_done(model))
        return "busy or done";
    if ((c.drive == "1") != gfab_ring_model_drives(model))
        return "drive";
    for (uint32_t v = 0; v < f.nodes; v++) {
        uint32_t distance, word;
        const uint8_t *read = gfab_ring_model_read_data(model, v);
        const std::string node = " of node " + std::to_string(v);
        if (read && c.read_data.substr(v * bits, bits) != bits_of_bytes(read, bits))
            return "read data" + node;
        const bool writes = gfab_ring_model_writes(model, v, &distance, &word);
        if ((c.write[v] == '1') != writes)
            return "write" + node;
        if (writes && (number_of(c.address, v * to, f.word_bits) != word ||
                       number_of(c.address, v * to + f.word_bits, f.step_bits) != distance))
            return "address" + node;
        for (uint32_t r = 0; r < flows; r++) {
            const size_t at = (static_cast<size_t>(v) * flows + r) * bits;
            if (c.drive == "1" && c.link.substr(at, bits) != bits_of_bytes(gfab_ring_model_link(model, v, r), bits))
                return "link" + node;
            if (writes && c.data.substr(at, bits) != bits_of_bytes(gfab_ring_model_write_data(model, v, r), bits))
                return "written data" + node;
        }
    }
    return "";
}

/* The same where blocks are combined. */
gfab_ring_block block_of(const std::string &bits, size_t first, const gfab_ring_fabric &f)
{
    return {number_of(bits, first + f.ring_bits + f.round_bits, f.place_bits),
            number_of(bits, first + f.ring_bits, f.round_bits), number_of(bits, first, f.ring_bits)};
}

void set_inputs(const Cycle &c, const gfab_ring_fabric &f, gfab_ring_reduce_model *model)
{
    const Widths widths = widths_of(f);
    if (c.rst == "1")
        gfab_ring_reduce_model_reset(model);
    if (c.start == "1")
        gfab_ring_reduce_model_start(model);
    for (uint32_t v = 0; v < f.nodes; v++) {
        if (c.load_valid[v] == '1')
            gfab_ring_reduce_model_load(model, v, block_of(c.load_word, v * widths.load_word + f.flit_bits, f),
                                        number_of(c.load_word, v * widths.load_word, f.flit_bits),
                                        bytes_of(c.load_data, v * widths.load_data, f.link_bits).data());
        gfab_ring_reduce_model_read(model, v, block_of(c.read_token, v * f.block_bits, f),
                                    number_of(c.read_word, v * f.number_bits, f.flit_bits));
    }
}

std::string compare(const Cycle &c, const gfab_ring_fabric &f, const gfab_ring_reduce_model *model)
{
    const size_t bits = f.link_bits;
    std::vector<uint8_t> data((bits + 7) / 8);
    if ((c.busy == "1") != gfab_ring_reduce_model_busy(model) || (c.done == "1") != gfab_ring_reduce_model_done(model))
        return "busy or done";
    if ((c.drive == "1") != gfab_ring_reduce_model_drives(model))
        return "drive";
    for (uint32_t v = 0; v < f.nodes; v++) {
        const std::string node = " of node " + std::to_string(v);
        const bool known = gfab_ring_reduce_model_read_data(model, v, data.data());
        if (known && c.read_data.substr(v * bits, bits) != bits_of_bytes(data.data(), bits))
            return "read data" + node;
        for (uint32_t r = 0; r < f.rings; r++) {
            const size_t arc = static_cast<size_t>(v) * f.rings + r, at = v * f.address_bits;
            uint32_t address;
            const bool writes = gfab_ring_reduce_model_writes(model, v, r, &address);
            const uint32_t flit = number_of(c.address, at, f.flit_bits),
                           round = number_of(c.address, at + f.flit_bits, f.round_bits),
                           distance = number_of(c.address, at + f.flit_bits + f.round_bits, f.place_bits);
            if ((c.write[arc] == '1') != writes)
                return "write" + node;
            if (writes && address != (distance * f.rounds + round) * f.flits + flit)
                return "address" + node;
            gfab_ring_reduce_model_link(model, v, r, data.data());
            if (c.link.substr(arc * bits, bits) != bits_of_bytes(data.data(), bits))
                return "link" + node;
            gfab_ring_reduce_model_write_data(model, v, r, data.data());
            if (c.data.substr(arc * bits, bits) != bits_of_bytes(data.data(), bits))
                return "written data" + node;
        }
    }
    return "";
}

gfab_ring_options options_of(const std::string &folder, std::string &topology)
{
    json_error_t error;
    json_t *manifest = json_load_file((folder + "/manifest.json").c_str(), 0, &error);
    if (!manifest)
        give_up(error.text);
    gfab_ring_options options{};
    topology = json_string_value(json_object_get(manifest, "topology"));
    options.token_bits = static_cast<uint32_t>(json_integer_value(json_object_get(manifest, "token_bits")));
    options.link_bits = static_cast<uint32_t>(json_integer_value(json_object_get(manifest, "link_bits")));
    const json_t *abreast = json_object_get(manifest, "abreast");
    options.link_bits *= static_cast<uint32_t>(json_integer_value(abreast));
    options.protect = json_integer_value(json_object_get(manifest, "protect")) != 0;
    options.full_duplex = std::string(json_string_value(json_object_get(manifest, "link_mode"))) == "full";
    gfab_diag diag{};
    const json_t *combines = json_object_get(manifest, "operator_name");
    if (gfab_collective_parse(json_string_value(json_object_get(manifest, "collective")), &options.collective, &diag))
        give_up(diag.message);
    if (combines) {
        options.blocks = static_cast<uint32_t>(json_integer_value(json_object_get(manifest, "blocks")));
        options.combines = static_cast<gfab_operator>(json_integer_value(json_object_get(manifest, "operator")));
    }
    json_decref(manifest);
    return options;
}

void step(gfab_ring_model *model)
{
    gfab_ring_model_step(model);
}
void step(gfab_ring_reduce_model *model)
{
    gfab_ring_reduce_model_step(model);
}
bool is_done(const gfab_ring_model *model)
{
    return gfab_ring_model_done(model);
}
bool is_done(const gfab_ring_reduce_model *model)
{
    return gfab_ring_reduce_model_done(model);
}

/* How many cycles are the same; gives up at the first that is not. */
template <class Model> unsigned long follow(std::istream &trace, const gfab_ring_fabric &fabric, Model *model)
{
    Cycle cycle;
    unsigned long count = 0, settled = 2 + fabric.pieces; /* registers without a reset are filled by then */
    bool reset = false;      /* before the first one registers may have any value, and before the first run stores */
    unsigned long dones = 0; /* cycles; in the first one a store's last word is on its way */
    for (; read_cycle(trace, fabric, cycle); count++) {
        reset = reset || cycle.rst == "1";
        set_inputs(cycle, fabric, model);
        dones += is_done(model);
        std::string differs = reset && count >= settled ? compare(cycle, fabric, model) : "";
        if (!differs.empty() && !(dones < 2 && differs.rfind("read", 0) == 0))
            give_up("cycle " + std::to_string(count) + ": " + differs);
        step(model);
    }
    return count;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3)
        give_up("FOLDER TRACE");
    gfab_diag diag{};
    std::string spec;
    const gfab_ring_options options = options_of(argv[1], spec);
    gfab_topology *topology = nullptr;
    gfab_ring_fabric fabric;
    if (gfab_topology_parse(spec.c_str(), &topology, &diag) ||
        gfab_ring_fabric_plan(topology, &options, &fabric, &diag))
        give_up(diag.message);
    if (argc > 3) /* node 1 has its flits from elsewhere */
        fabric.from[1] = fabric.from[2];
    std::ifstream trace(argv[2]);
    unsigned long count;
    if (fabric.blocks) {
        gfab_ring_reduce_model *model = nullptr;
        if (gfab_ring_reduce_model_create(&fabric, &model, &diag))
            give_up(diag.message);
        count = follow(trace, fabric, model);
        gfab_ring_reduce_model_destroy(model);
    } else {
        gfab_ring_model *model = nullptr;
        if (gfab_ring_model_create(&fabric, &model, &diag))
            give_up(diag.message);
        count = follow(trace, fabric, model);
        gfab_ring_model_destroy(model);
    }
    if (count == 0)
        give_up("an empty trace");
    std::cout << count << " cycles the same in the C model and in the RTL\n";
    gfab_ring_fabric_release(&fabric);
    gfab_topology_destroy(topology);
    return 0;
}
