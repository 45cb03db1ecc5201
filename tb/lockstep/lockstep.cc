// SPDX-License-Identifier: MIT
// The verilated fabric and the C model side by side, equal in every cycle: all links' wires, both drive enables,
// every store's write port, busy and done, and what the host reads. See usage below.
#include "bench.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>
#include <vector>

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
    "  --collective C     of blocks, with one of the operators: reduce-scatter, all-reduce, ... (all-gather)\n"
    "  --blocks B         of it (what it needs)\n"
    "  --root V           of it (0)\n"
    "  --programs P,...   several, each C:B:V:FIRST: such a collective, from a round of the ROM, from 0, on\n"
    "  --operator X       that the fabric combines with (none)\n"
    "  --chain A,D        of operators bfloat16 and user: how many behind one another, of D cycles each\n"
    "  --expressions FILE likewise: what nodes have in the end, as `gossipfab show --expression` prints it; of "
    "several\n"
    "                     programs one for each, - where nothing is combined\n"
    "  --protect P        none, or detect: o_error must stay 0 (none)\n"
    "  --wide X,B,H       wide nodes: crossbar X of B banks, schedules of H rounds a hop\n"
    "  --slots S          narrow nodes whose slots are handed out anew, of S slots\n"
    "  --node-slots S,... where there are relays: slots of each node's store (as many as there are blocks)\n"
    "  --cells A          of wide nodes that play it: bits of an address in a bank\n"
    "  --model-rom DIR    the model's ROMs come from here and not from FOLDER/rom\n"
    "  --corrupt-model X  flip one bit of what the model says: busy, done, link, drive, write-enable, write-slot,\n"
    "                     write-word, write-data, store, token, cycles\n"
    "                     or program; part: a word is loaded into another part\n"
    "Exit status: 0 equal, 1 a mismatch, 2 wrong usage or input.\n";

struct Options {
    std::string topology, model_rom, corrupt;
    std::vector<Expressions> expressions; // by program
    gfab_machine_shape shape = {};
    gfab_collective collective = GFAB_ALL_GATHER;
    uint32_t blocks = 0, root = 0;
    std::vector<gfab_goal> programs; // several
    std::vector<uint32_t> node_slots;
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

gfab_operator operator_of(const std::string &name)
{
    for (int value = GFAB_OPERATOR_NONE; value <= GFAB_OPERATOR_LAST; value++)
        if (name == gfab_operator_name(static_cast<gfab_operator>(value)))
            return static_cast<gfab_operator>(value);
    throw BadInput("no operator " + name);
}

unsigned long long number(const std::string &text)
{
    size_t end = 0;
    const unsigned long long value = std::stoull(text, &end);
    if (end != text.size())
        throw BadInput("'" + text + "' is not a number");
    return value;
}

// "C:B:V:FIRST,..."
void parse_programs(const std::string &text, Options &options)
{
    std::istringstream list(text);
    for (std::string one; std::getline(list, one, ',');) {
        gfab_goal goal = {};
        gfab_diag diag = {};
        std::istringstream fields(one);
        std::string name, blocks, root, first;
        std::getline(std::getline(std::getline(std::getline(fields, name, ':'), blocks, ':'), root, ':'), first, ':');
        require(gfab_collective_parse(name.c_str(), &goal.collective, &diag), diag);
        goal.blocks = static_cast<uint32_t>(number(blocks));
        goal.root = static_cast<uint32_t>(number(root));
        gfab_banks_use &use = options.shape.use;
        if (use.programs == GFAB_MAX_PROGRAMS)
            throw BadInput("too many programs");
        use.goals[use.programs] = goal;
        use.first_rounds[use.programs++] = static_cast<uint32_t>(number(first));
        options.shape.layout.blocks = std::max(options.shape.layout.blocks, goal.blocks);
        options.programs.push_back(goal);
    }
}

// One of the options that say which collective it is.
bool parse_goal(const std::string &name, const std::string &value, Options &options)
{
    gfab_diag diag = {};
    if (name == "--collective")
        require(gfab_collective_parse(value.c_str(), &options.collective, &diag), diag);
    else if (name == "--blocks")
        options.blocks = static_cast<uint32_t>(number(value));
    else if (name == "--root")
        options.root = static_cast<uint32_t>(number(value));
    else if (name == "--programs")
        parse_programs(value, options);
    else if (name == "--operator")
        options.shape.layout.combines = operator_of(value);
    else
        return false;
    return true;
}

std::vector<uint32_t> numbers(const std::string &text)
{
    std::vector<uint32_t> list;
    std::istringstream fields(text);
    for (std::string one; std::getline(fields, one, ',');)
        list.push_back(static_cast<uint32_t>(number(one)));
    return list;
}

// "X,B,H"
void read_wide(const std::string &text, gfab_machine_shape &shape)
{
    const size_t first = text.find(','), second = text.rfind(',');
    if (first == second)
        throw BadInput("--wide takes X,B,H");
    shape.layout.wide = true;
    shape.crossbar = kind_of(text.substr(0, first));
    shape.banks = static_cast<uint32_t>(number(text.substr(first + 1, second - first - 1)));
    shape.timing.hop_rounds = static_cast<uint32_t>(number(text.substr(second + 1)));
}

// "A,D"
void read_chain(const std::string &text, gfab_timing_options &timing)
{
    const size_t comma = text.find(',');
    if (comma == std::string::npos)
        throw BadInput("--chain takes A,D");
    timing.merges = static_cast<uint32_t>(number(text.substr(0, comma)));
    timing.operator_cycles = static_cast<uint32_t>(number(text.substr(comma + 1)));
}

Options parse(int argc, char **argv)
{
    Options options;
    options.shape.layout = gfab_layout_options_default();
    gfab_layout_options &layout = options.shape.layout;
    gfab_timing_options &timing = options.shape.timing;
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
            timing.token_bits = static_cast<uint32_t>(number(value));
        } else if (name == "--link-bits") {
            timing.link_bits = static_cast<uint32_t>(number(value));
        } else if (name == "--seed") {
            options.seeds.push_back(number(value));
        } else if (name == "--frame") {
            layout.frame = frame_of(value);
        } else if (name == "--link-mode") {
            if (value != "half" && value != "full" && value != "paths")
                throw BadInput("no link mode " + value);
            layout.full_duplex = value != "half";
            layout.paths = value == "paths";
        } else if (name == "--link-latency") {
            timing.latency_cycles = static_cast<uint32_t>(number(value));
        } else if (name == "--parts") {
            layout.parts = static_cast<uint32_t>(number(value));
        } else if (parse_goal(name, value, options)) {
            continue;
        } else if (name == "--protect") {
            if (value != gfab_protect_name(GFAB_PROTECT_NONE) && value != gfab_protect_name(GFAB_PROTECT_DETECT))
                throw BadInput("no protection " + value);
            layout.protect = value == gfab_protect_name(GFAB_PROTECT_NONE) ? GFAB_PROTECT_NONE : GFAB_PROTECT_DETECT;
        } else if (name == "--chain") {
            read_chain(value, timing);
        } else if (name == "--expressions") {
            options.expressions.push_back(value == "-" ? Expressions() : read_expressions(value));
        } else if (name == "--wide") {
            read_wide(value, options.shape);
        } else if (name == "--slots") {
            options.shape.slots = static_cast<uint32_t>(number(value));
        } else if (name == "--node-slots") {
            options.node_slots = numbers(value);
        } else if (name == "--cells") {
            options.shape.use.address_bits = static_cast<uint32_t>(number(value));
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

template <typename T> using Owned = std::unique_ptr<T, void (*)(T *)>;

gfab_goal goal_of(const gfab_topology *topology, const Options &options)
{
    gfab_diag diag = {};
    gfab_goal goal = {};
    require(gfab_goal_of(options.collective, gfab_topology_member_count(topology), &goal, &diag), diag);
    if (options.blocks != 0)
        goal.blocks = options.blocks;
    goal.root = options.root;
    return goal;
}

Owned<gfab_machine> read_machine(const gfab_topology *topology, const Options &options)
{
    gfab_diag diag = {};
    gfab_machine *machine = nullptr;
    const std::string rom = options.model_rom.empty() ? "rom" : options.model_rom;
    require(gfab_machine_read(topology, &options.shape, rom.c_str(), &machine, &diag), diag);
    Owned<gfab_machine> owned(machine, gfab_machine_destroy);
    require(gfab_machine_check(machine, &diag), diag);
    const gfab_goal only = goal_of(topology, options);
    for (size_t i = 0; i < gfab_machine_program_count(machine); i++)
        gfab_machine_set_goal(machine, i, options.programs.empty() ? &only : &options.programs[i]);
    return owned;
}

void run(const Options &options)
{
    namespace fs = std::filesystem;
    gfab_diag diag = {};
    gfab_topology *parsed = nullptr;
    require(gfab_topology_parse(options.topology.c_str(), &parsed, &diag), diag);
    const Owned<gfab_topology> topology(parsed, gfab_topology_destroy);
    const fs::path base = fs::current_path();
    const gfab_goal goal = goal_of(parsed, options);
    Options fitted = options;
    if (goal.collective != GFAB_ALL_GATHER || (gfab_topology_has_relays(parsed) && fitted.shape.layout.blocks == 0))
        fitted.shape.layout.blocks = goal.blocks;
    if (options.programs.empty())
        fitted.shape.use.goals[0] = goal;
    if (!options.node_slots.empty() && options.node_slots.size() != gfab_topology_node_count(parsed))
        throw BadInput("--node-slots takes a number for each node");
    fitted.shape.node_slots = options.node_slots.empty() ? nullptr : options.node_slots.data();
    if (gfab_operator_is_chained(options.shape.layout.combines) == options.expressions.empty())
        throw BadInput("--expressions is for operators whose order counts, and for all of them");
    for (const std::string &folder : options.folders) {
        fs::current_path(base / folder); // where $readmemh finds rom/
        const Owned<gfab_machine> machine = read_machine(parsed, fitted);
        const gfab_timing *timing = gfab_machine_timing(machine.get());
        for (uint64_t seed : options.seeds) {
            try {
                const BenchReport report = run_bench(machine.get(), options.expressions, seed, options.corrupt);
                printf("%s %u/%u %s seed %" PRIu64 ": equal in %" PRIu64 " cycles; a gossip takes %" PRIu64
                       " = %u x %u + %u + %" PRIu64 "\n",
                       options.topology.c_str(), timing->token_bits, timing->link_bits,
                       fs::path(folder).filename().c_str(), seed, report.steps, report.gossip_cycles,
                       gfab_machine_rounds(machine.get()), timing->cycles_per_round, timing->overhead_cycles,
                       gfab_machine_gap_cycles(machine.get()));
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
