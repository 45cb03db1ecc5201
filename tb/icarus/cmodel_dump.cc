// SPDX-License-Identifier: MIT
// cmodel_dump TOPOLOGY TOKEN_BITS LINK_BITS SEED FOLDER [detect]: runs one gossip of the ROMs in FOLDER, of a fabric
// without protection or, detect, with it, in the C model and prints every word of every store as tb_fabric.v's +dump
// does.
#include <gossipfab/cmodel/cmodel.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace
{

void require(gfab_status status, const gfab_diag &diag = {})
{
    if (status != GFAB_OK) {
        std::fprintf(stderr, "cmodel_dump: %s: %s\n", gfab_status_string(status), diag.message);
        std::exit(2);
    }
}

void print_stores(const gfab_cmodel *cmodel, const gfab_timing &timing, size_t nodes)
{
    const uint32_t digits = (timing.word_bits + 3) / 4;
    for (uint32_t token = 0; token < nodes; token++) {
        for (uint32_t word = 0; word < timing.words; word++) {
            for (size_t node = 0; node < nodes; node++) {
                const uint8_t *value = gfab_cmodel_store(cmodel, node, token, word);
                std::printf("%zu %u %u ", node, token, word);
                for (uint32_t digit = digits; digit-- > 0;)
                    std::printf("%x", value[digit / 2] >> digit % 2 * 4 & 15);
                std::printf("\n");
            }
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    const bool detects = argc == 7 && std::strcmp(argv[6], "detect") == 0;
    if (argc != 6 && !detects) {
        std::fprintf(stderr, "usage: cmodel_dump TOPOLOGY TOKEN_BITS LINK_BITS SEED FOLDER [detect]\n");
        return 2;
    }
    const auto number = [&](int i) { return static_cast<uint32_t>(std::strtoul(argv[i], nullptr, 10)); };
    gfab_diag diag = {};
    gfab_topology *topology = nullptr;
    gfab_machine *machine = nullptr;
    gfab_cmodel *cmodel = nullptr;
    gfab_machine_shape shape = {};
    shape.layout = gfab_layout_options_default();
    shape.layout.protect = detects ? GFAB_PROTECT_DETECT : GFAB_PROTECT_NONE;
    shape.timing.token_bits = number(2);
    shape.timing.link_bits = number(3);
    require(gfab_topology_parse(argv[1], &topology, &diag), diag);
    require(gfab_machine_read(topology, &shape, argv[5], &machine, &diag), diag);
    require(gfab_cmodel_create(machine, nullptr, &cmodel));
    const gfab_timing &timing = *gfab_machine_timing(machine);
    const size_t nodes = gfab_topology_node_count(topology);
    std::vector<uint8_t> token((timing.token_bits + 7) / 8);
    for (size_t node = 0; node < nodes; node++) {
        gfab_token_pattern(number(4), static_cast<uint32_t>(node), timing.token_bits, token.data());
        require(gfab_cmodel_load_token(cmodel, node, token.data()));
    }
    uint64_t cycles = 0;
    require(gfab_cmodel_run(cmodel, UINT64_MAX, nullptr, &cycles));
    print_stores(cmodel, timing, nodes);
    gfab_cmodel_destroy(cmodel);
    gfab_machine_destroy(machine);
    gfab_topology_destroy(topology);
}
