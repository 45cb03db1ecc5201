// SPDX-License-Identifier: MIT
// Relays' stores, which have slots for what is in transit: how many, what the check of images says of them, folders
// that are read back, and the C model.
#include "collective_fixture.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>

namespace
{

const gfab_collective all_collectives[] = {GFAB_ALL_GATHER, GFAB_REDUCE_SCATTER, GFAB_ALL_REDUCE, GFAB_BROADCAST,
                                           GFAB_REDUCE,     GFAB_BARRIER,        GFAB_ALL_TO_ALL};

struct Fabric {
    Topology topology;
    std::vector<Schedule> schedules;
    Machine machine;
    uint32_t nodes;

    Fabric(const char *spec, const std::vector<gfab_collective> &collectives, bool full) : topology(parse(spec))
    {
        gfab_diag diag{};
        gfab_plan plan;
        gfab_machine *made = nullptr;
        std::vector<const gfab_schedule *> all;
        nodes = static_cast<uint32_t>(gfab_topology_node_count(topology.get()));
        const gfab_model model = links(full ? GFAB_LINK_FULL : GFAB_LINK_HALF);
        for (const gfab_collective collective : collectives) {
            gfab_goal goal = goal_on(topology, collective);
            goal.idempotent = false;
            schedules.push_back(make("auto", topology, model, goal).schedule);
            all.push_back(schedules.back().get());
        }
        gfab_machine_options options = gfab_machine_options_default();
        options.token_bits = 16;
        options.blocks = 1;
        EXPECT_EQ(gfab_machine_plan(topology.get(), &model, &options, &plan, &diag), GFAB_OK) << diag.message;
        EXPECT_EQ(gfab_machine_compile_all(&plan, all.data(), all.size(), &made, &diag), GFAB_OK)
            << spec << diag.message;
        machine.reset(made);
    }
    const gfab_layout *layout() const { return gfab_machine_layout(machine.get()); }
    const gfab_image *image() const { return gfab_machine_image(machine.get()); }
    uint32_t rank(uint32_t node) const { return gfab_topology_rank(topology.get(), node); }
    uint32_t slots(uint32_t node) const { return gfab_layout_node_slots(layout(), node); }
    gfab_goal goal(size_t program) const { return gfab_machine_program_at(machine.get(), program)->goal; }
};

std::string check(const gfab_machine *machine, const gfab_image *image)
{
    gfab_diag diag{};
    const gfab_status status = gfab_image_check(image, gfab_machine_timing(machine), nullptr, nullptr, &diag);
    EXPECT_TRUE(status == GFAB_OK || status == GFAB_ERR_FAULT);
    return status == GFAB_OK ? "" : diag.message;
}

// What happens to a block at a relay, in the order of rounds.
struct Event {
    uint32_t round;
    enum { Sent, Stored, Combined } what;
};

// Slots that a relay needs for a schedule: the most blocks that are there between two rounds, and sent, or combined,
// before they are stored anew; what has just come is there in any case.
size_t most_in_transit(const Topology &topology, const Schedule &schedule, uint32_t relay)
{
    std::map<uint32_t, std::vector<Event>> events;
    for (const Step &step : steps_of(schedule)) {
        const uint32_t block = step.token & ~GFAB_COMBINE;
        if (gfab_topology_arc_from(topology.get(), step.arc) == relay)
            events[block].push_back({step.round, Event::Sent});
        if (gfab_topology_arc_to(topology.get(), step.arc) == relay)
            events[block].push_back({step.round, step.token & GFAB_COMBINE ? Event::Combined : Event::Stored});
    }
    size_t most = 0;
    for (uint32_t after = 1; after <= gfab_schedule_rounds(schedule.get()); after++) {
        size_t there = 0;
        for (const auto &[block, list] : events) {
            bool came = false, needed = false;
            uint32_t next = UINT32_MAX; // stored anew
            for (const Event &event : list) {
                came |= event.what == Event::Stored && event.round <= after;
                needed |= event.what != Event::Sent && event.round == after;
                if (event.what == Event::Stored && event.round > after)
                    next = std::min(next, event.round);
            }
            for (const Event &event : list)
                needed |= event.what != Event::Stored && event.round > after && event.round <= next;
            there += came && needed;
        }
        most = std::max(most, there);
    }
    return most;
}

// Wanted blocks that a machine does not end a program with. Nodes start with garbage, relays too.
size_t wrong(const Fabric &f, const gfab_machine *machine, size_t program)
{
    gfab_cmodel *made = nullptr;
    EXPECT_EQ(gfab_cmodel_create(machine, nullptr, &made), GFAB_OK);
    const Cmodel cmodel(made);
    const gfab_goal goal = f.goal(program);
    const size_t members = gfab_topology_member_count(f.topology.get());
    const gfab_timing *timing = gfab_machine_timing(machine);
    const gfab_operator op = gfab_layout_operator(f.layout());
    for (uint32_t node = 0; node < f.nodes && !gfab_layout_goal(f.layout()); node++)
        for (uint32_t word = 0; word < gfab_layout_blocks(f.layout()) * timing->words; word++) {
            const uint8_t garbage[8] = {static_cast<uint8_t>(0x5a + 3 * word + node), 0xc3};
            gfab_cmodel_set_load(made, node, word, garbage);
            gfab_cmodel_step(made);
        }
    std::vector<std::vector<uint8_t>> totals(goal.blocks);
    for (uint32_t node = 0; node < f.nodes; node++)
        for (uint32_t block = 0; block < goal.blocks; block++) {
            uint8_t token[2];
            gfab_token_pattern(program, node * goal.blocks + block, 16, token);
            const bool holds = gfab_goal_holds(&goal, members, f.rank(node), block);
            if (f.rank(node) == GFAB_NO_RANK) {
                EXPECT_EQ(gfab_cmodel_load_block(made, node, block, token), GFAB_ERR_INVALID); // nobody loads a relay
            } else if (holds) {
                EXPECT_EQ(gfab_cmodel_load_block(made, node, block, token), GFAB_OK);
            }
            if (holds && totals[block].empty())
                totals[block].assign(token, token + 2);
            else if (holds)
                gfab_token_combine(op, 16, totals[block].data(), token);
        }
    uint64_t cycles = 0;
    gfab_cmodel_set_program(made, program);
    EXPECT_EQ(gfab_cmodel_run(made, 100000, nullptr, &cycles), GFAB_OK);
    size_t count = 0;
    for (uint32_t node = 0; node < f.nodes; node++)
        for (uint32_t block = 0; block < goal.blocks; block++) {
            uint8_t token[2];
            if (!gfab_goal_wants(&goal, members, f.rank(node), block))
                continue;
            gfab_cmodel_read_token(made, node, block, token);
            count += std::memcmp(token, totals[block].data(), 2) != 0;
        }
    return count;
}

TEST(Transit, ARelayHasTheFewestSlots)
{
    size_t fewer = 0;
    for (const char *spec : {"mesh:3x3+relay=4", "graph:5:0-4,1-4,2-4,3-4+relay=4", "cycle:7+relay=1-2,5",
                             "mesh:4x4+relay=5,6,9,10", "path:5+members=0,4", "mesh:2x3+relay=0"})
        for (const gfab_collective collective : all_collectives)
            for (const bool full : {false, true}) {
                SCOPED_TRACE(std::string(spec) + " " + gfab_collective_name(collective) + (full ? " full" : " half"));
                const Fabric f(spec, {collective}, full);
                const size_t blocks = gfab_layout_blocks(f.layout());
                EXPECT_TRUE(collective == GFAB_ALL_TO_ALL || gfab_layout_slot_count(f.layout()) == blocks);
                for (uint32_t node = 0; node < f.nodes; node++) {
                    if (f.rank(node) != GFAB_NO_RANK) {
                        EXPECT_EQ(f.slots(node), gfab_layout_slot_count(f.layout()));
                        continue;
                    }
                    const size_t needed = most_in_transit(f.topology, f.schedules[0], node);
                    EXPECT_EQ(f.slots(node), std::max<size_t>(needed, 1)) << node;
                    fewer += f.slots(node) < blocks;
                }
                EXPECT_EQ(check(f.machine.get(), f.image()), "");
                EXPECT_EQ(wrong(f, f.machine.get(), 0), 0u);
            }
    EXPECT_GT(fewer, 80u);
}

// Programs of one fabric: a relay has what the one that needs most needs, and what one left there is not the next's.
TEST(Transit, SeveralPrograms)
{
    for (const bool full : {false, true}) {
        const Fabric f("mesh:3x3+relay=1,4", {GFAB_ALL_GATHER, GFAB_ALL_REDUCE, GFAB_BARRIER, GFAB_ALL_TO_ALL}, full);
        for (const uint32_t relay : {1u, 4u}) {
            size_t most = 1;
            for (const Schedule &schedule : f.schedules)
                most = std::max(most, most_in_transit(f.topology, schedule, relay));
            EXPECT_EQ(f.slots(relay), most);
        }
        EXPECT_EQ(check(f.machine.get(), f.image()), "");
        for (size_t program = 0; program < f.schedules.size(); program++)
            EXPECT_EQ(wrong(f, f.machine.get(), program), 0u) << program;
    }
}

// Every op of a relay with every other slot: the check refuses it.
TEST(Transit, AnotherSlotIsRefused)
{
    size_t changed = 0, seen = 0;
    for (const gfab_collective collective : {GFAB_ALL_GATHER, GFAB_ALL_REDUCE, GFAB_REDUCE_SCATTER, GFAB_ALL_TO_ALL})
        for (const bool full : {false, true}) {
            const Fabric f("mesh:3x3+relay=1,4", {collective}, full);
            const Image copy = copy_of(f.image(), f.layout());
            gfab_image *image = copy.get();
            ASSERT_EQ(check(f.machine.get(), image), "");
            const uint32_t half_bits = gfab_image_op_bits(image) / gfab_layout_halves(f.layout());
            const uint64_t slot_mask = (uint64_t{1} << gfab_image_slot_bits(image)) - 1;
            const size_t stride = gfab_image_lane_stride(image);
            for (const uint32_t relay : {1u, 4u})
                for (size_t i = 0; i < gfab_image_word_count(image) * gfab_layout_halves(f.layout()); i++) {
                    const size_t index = i / gfab_layout_halves(f.layout());
                    const uint32_t half = static_cast<uint32_t>(i % gfab_layout_halves(f.layout()));
                    const gfab_op op = gfab_image_op(image, relay, index / stride + 1, index % stride, half);
                    const uint64_t word = gfab_image_word(image, relay, index);
                    const uint32_t shift = half * half_bits + 2;
                    for (uint64_t slot = 0; slot < f.slots(relay); slot++) {
                        if (op.kind == GFAB_OP_IDLE || slot == op.slot)
                            continue;
                        gfab_image_set_word(image, relay, index, (word & ~(slot_mask << shift)) | slot << shift);
                        EXPECT_NE(check(f.machine.get(), image), "")
                            << collective << full << " node " << relay << " word " << index << " slot " << slot;
                        gfab_machine *made = nullptr;
                        ASSERT_EQ(gfab_machine_create(image, nullptr, gfab_machine_timing(f.machine.get()), &made),
                                  GFAB_OK);
                        const Machine machine(made);
                        changed++;
                        seen += wrong(f, made, 0) > 0;
                    }
                    gfab_image_set_word(image, relay, index, word);
                }
        }
    EXPECT_GT(changed, 300u);
    EXPECT_EQ(seen, changed); // each of them matters
}

// A star of three members around relay 3, by hand; lane l of the relay is not always that of member l.
struct Star {
    Topology topology = parse("graph:4:0-3,1-3,2-3+relay=3");
    Layout layout;
    Program program;

    explicit Star(uint32_t slots, gfab_operator op, uint32_t rounds)
    {
        gfab_layout_options options = gfab_layout_options_default();
        options.blocks = 3;
        options.combines = op;
        layout = layout_of(topology, options);
        EXPECT_EQ(gfab_layout_set_node_slots(layout.get(), 3, slots), GFAB_OK);
        gfab_program *made = nullptr;
        EXPECT_EQ(gfab_program_create(layout.get(), rounds, &made), GFAB_OK);
        program.reset(made);
    }
    size_t lane(uint32_t node, uint32_t peer) const
    {
        size_t count = 0, port = 0;
        const gfab_port *ports = gfab_topology_ports(topology.get(), node, &count);
        while (ports[port].peer != peer)
            port++;
        return gfab_layout_lane(layout.get(), node, port);
    }
    void move(uint32_t round, uint32_t from, uint32_t sent, uint32_t to, gfab_op_kind kind, uint32_t received)
    {
        gfab_program_set_half(program.get(), from, round, lane(from, to), 0, {GFAB_OP_SEND, sent});
        gfab_program_set_half(program.get(), to, round, lane(to, from), 0, {kind, received});
    }
    std::string says() const
    {
        gfab_image *image = nullptr;
        gfab_timing timing;
        gfab_diag diag{};
        EXPECT_EQ(gfab_program_assemble(program.get(), 0, nullptr, &image, &diag), GFAB_OK) << diag.message;
        const Image owned(image);
        const gfab_timing_options widths{16, 2, 0, 0, 0, 0};
        EXPECT_EQ(gfab_timing_compute(layout.get(), &widths, &timing, &diag), GFAB_OK) << diag.message;
        const gfab_status status = gfab_image_check(image, &timing, nullptr, nullptr, &diag);
        return status == GFAB_OK ? "" : diag.message;
    }
    // Without "node .., round .., lane ..".
    std::string fault() const
    {
        const std::string message = says();
        return message.empty() ? message : message.substr(message.find(": ") + 2);
    }
};

// What is done, by hand, and what the check says of it.
const gfab_operator none = GFAB_OPERATOR_NONE, sum = GFAB_OPERATOR_SUM;
const struct {
    uint32_t slots;
    gfab_operator op;
    const char *words;
    std::function<void(Star &)> play;
} cases[] = {
    {1, none, "",
     [](Star &s) { // one slot for all three blocks
         for (uint32_t block = 0; block < 3; block++)
             s.move(block + 1, block, block, 3, GFAB_OP_RECV, 0);
         for (uint32_t block = 0; block < 3; block++)
             s.move(block + 2, 3, 0, (block + 2) % 3, GFAB_OP_RECV, block);
     }},
    {1, none, "recv slot 0, for block 0, but what arrives is block 1",
     [](Star &s) { // block 0 is written over, and still needed
         s.move(1, 0, 0, 3, GFAB_OP_RECV, 0);
         s.move(2, 1, 1, 3, GFAB_OP_RECV, 0);
         s.move(3, 3, 0, 2, GFAB_OP_RECV, 0);
     }},
    {2, none, "recv slot 1, for block 1, but what arrives is block 0",
     [](Star &s) { // another is sent than the next node takes it for
         s.move(1, 0, 0, 3, GFAB_OP_RECV, 0);
         s.move(2, 1, 1, 3, GFAB_OP_RECV, 1);
         s.move(3, 3, 0, 2, GFAB_OP_RECV, 1);
     }},
    {2, none, "slot 1 is sent, but nothing is in it",
     [](Star &s) {
         s.move(1, 0, 0, 3, GFAB_OP_RECV, 0);
         s.move(2, 3, 1, 2, GFAB_OP_RECV, 0);
     }},
    {2, none, "recv slot 2 of only 2", [](Star &s) { s.move(1, 0, 0, 3, GFAB_OP_RECV, 2); }},
    {2, none, "block 1 for slot 0, which gets block 0 in the same round",
     [](Star &s) { // in lanes 0 and 1
         for (uint32_t node = 0; node < 3; node++) {
             const auto lane = static_cast<uint32_t>(s.lane(3, node));
             s.move(1, node, lane, 3, GFAB_OP_RECV, lane == 2 ? 1 : 0);
         }
     }},
    {2, none, "",
     [](Star &s) { // the same block may come twice
         s.move(1, 0, 2, 3, GFAB_OP_RECV, 0);
         s.move(1, 1, 2, 3, GFAB_OP_RECV, 0);
     }},
    {1, sum, "",
     [](Star &s) { // two members' sum to the third, and the total back
         s.move(1, 0, 2, 3, GFAB_OP_RECV, 0);
         s.move(2, 1, 2, 3, GFAB_OP_COMBINE, 0);
         s.move(3, 3, 0, 2, GFAB_OP_COMBINE, 2);
         s.move(4, 2, 2, 3, GFAB_OP_RECV, 0);
         s.move(5, 3, 0, 0, GFAB_OP_RECV, 2);
         s.move(5, 3, 0, 1, GFAB_OP_RECV, 2);
     }},
    {2, sum, "combine slot 1, but nothing is in it",
     [](Star &s) {
         s.move(1, 0, 2, 3, GFAB_OP_RECV, 0);
         s.move(2, 1, 2, 3, GFAB_OP_COMBINE, 1);
     }},
    {2, sum, "combine slot 1, which has block 0, but what arrives is block 2",
     [](Star &s) {
         s.move(1, 0, 2, 3, GFAB_OP_RECV, 0);
         s.move(2, 1, 0, 3, GFAB_OP_RECV, 1);
         s.move(3, 1, 2, 3, GFAB_OP_COMBINE, 1);
     }},
    {2, sum, "combine slot 1, for block 1, but what arrives is block 2",
     [](Star &s) { // at a member
         s.move(1, 0, 2, 3, GFAB_OP_RECV, 0);
         s.move(2, 3, 0, 1, GFAB_OP_COMBINE, 1);
     }},
    {2, sum, "slot 0 is sent, but nothing is in it",
     [](Star &s) { // a contribution out of date: the total is in the other slot
         s.move(1, 0, 2, 3, GFAB_OP_RECV, 0);
         s.move(2, 3, 0, 2, GFAB_OP_COMBINE, 2);
         s.move(3, 2, 2, 3, GFAB_OP_RECV, 1);
         s.move(4, 3, 0, 1, GFAB_OP_RECV, 2);
     }},
};

TEST(Transit, TheCheckNamesWhatIsWrong)
{
    for (const auto &row : cases) {
        Star star(row.slots, row.op, 5);
        row.play(star);
        EXPECT_EQ(star.fault(), row.words);
    }
}

// What a program before left at a relay, no other may send.
TEST(Transit, ProgramsLeaveNothingToEachOther)
{
    Star one(1, GFAB_OPERATOR_NONE, 2), two(1, GFAB_OPERATOR_NONE, 1);
    one.move(1, 0, 0, 3, GFAB_OP_RECV, 0);
    one.move(2, 3, 0, 1, GFAB_OP_RECV, 0);
    gfab_program *made = nullptr;
    ASSERT_EQ(gfab_program_create(one.layout.get(), 1, &made), GFAB_OK);
    two.program.reset(made);
    const gfab_program *programs[] = {one.program.get(), two.program.get()};
    const gfab_timing_options widths{16, 2, 0, 0, 0, 0};
    gfab_timing timing;
    ASSERT_EQ(gfab_timing_compute(one.layout.get(), &widths, &timing, nullptr), GFAB_OK);
    for (const bool moves : {false, true}) {
        gfab_image *image = nullptr;
        gfab_diag diag{};
        if (moves)
            two.move(1, 3, 0, 2, GFAB_OP_RECV, 0);
        ASSERT_EQ(gfab_program_assemble_all(programs, 2, 0, nullptr, &image, &diag), GFAB_OK) << diag.message;
        const Image owned(image);
        EXPECT_EQ(gfab_image_check(image, &timing, nullptr, nullptr, &diag), moves ? GFAB_ERR_FAULT : GFAB_OK);
        EXPECT_EQ(moves, std::string(diag.message).find("slot 0 is sent, but nothing") != std::string::npos);
    }
}

TEST(Transit, OnlyRelaysHaveSlotsOfTheirOwn)
{
    const Topology star = parse("graph:4:0-3,1-3,2-3+relay=3"), path = parse("path:3");
    gfab_layout_options options = gfab_layout_options_default();
    options.blocks = 3;
    const Layout layout = layout_of(star, options), plain = layout_of(path, options);
    EXPECT_EQ(gfab_layout_node_slots(layout.get(), 3), 3u);
    EXPECT_EQ(gfab_layout_set_node_slots(layout.get(), 3, 2), GFAB_OK);
    EXPECT_EQ(gfab_layout_set_node_slots(layout.get(), 3, 0), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_layout_set_node_slots(layout.get(), 3, 4), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_layout_set_node_slots(layout.get(), 0, 2), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_layout_set_node_slots(plain.get(), 1, 2), GFAB_ERR_INVALID);
    EXPECT_EQ(gfab_layout_node_slots(layout.get(), 3), 2u);
    EXPECT_EQ(gfab_layout_node_slots(layout.get(), 0), 3u);
    EXPECT_EQ(gfab_layout_slot_count(layout.get()), 3u);
    EXPECT_TRUE(gfab_layout_reuses_slots(layout.get(), 3));
    EXPECT_FALSE(gfab_layout_reuses_slots(layout.get(), 0));
    EXPECT_FALSE(gfab_layout_reuses_slots(plain.get(), 1));
}

// Programs that no schedule gives; and one whose relay has a slot for every block, which is legal, too.
TEST(Transit, ProgramsThatLackABlock)
{
    for (const bool combines : {false, true}) {
        Star star(3, combines ? GFAB_OPERATOR_SUM : GFAB_OPERATOR_NONE, 2);
        star.move(1, 0, 2, 3, GFAB_OP_RECV, 2);
        star.move(2, 3, 2, 1, GFAB_OP_RECV, 2);
        EXPECT_EQ(star.says(), "");
        const gfab_program *programs[] = {star.program.get()};
        gfab_layout_options options = gfab_layout_options_default();
        options.blocks = 3;
        options.combines = combines ? GFAB_OPERATOR_SUM : GFAB_OPERATOR_NONE;
        const Layout to = layout_of(star.topology, options);
        gfab_program *placed = nullptr;
        gfab_diag diag{};
        ASSERT_EQ(gfab_program_allocate(programs, 1, nullptr, to.get(), &placed, &diag), GFAB_OK) << diag.message;
        const Program owned(placed);
        EXPECT_EQ(gfab_layout_node_slots(to.get(), 3), 1u);
        EXPECT_EQ(gfab_program_op(placed, 3, 2, star.lane(3, 1)).slot, 0u);
        EXPECT_EQ(gfab_program_op(placed, 1, 2, star.lane(1, 3)).slot, 2u);
        if (combines)
            star.move(1, 0, 2, 3, GFAB_OP_COMBINE, 2);
        else
            star.move(2, 3, 1, 1, GFAB_OP_RECV, 1);
        EXPECT_EQ(gfab_program_allocate(programs, 1, nullptr, to.get(), &placed, &diag), GFAB_ERR_FAULT);
        EXPECT_STREQ(diag.message, combines ? "node 3, round 1: block 2 is combined, but it is not there"
                                            : "node 3, round 2: block 1 is sent, but it is not there");
        EXPECT_EQ(gfab_program_allocate(programs, 0, nullptr, to.get(), &placed, &diag), GFAB_ERR_INVALID);
    }
}

// A folder says how many slots each store has; with fewer its programs are not legal.
TEST(Transit, FoldersComeBack)
{
    namespace fs = std::filesystem;
    const Fabric f("mesh:3x3+relay=1,4", {GFAB_ALL_REDUCE}, true);
    const fs::path folder = fs::path(testing::TempDir()) / "gfab_transit";
    const std::string name = folder.string(), rom = (folder / "rom").string();
    gfab_fabric_options options{};
    gfab_diag diag{};
    options.directory = name.c_str();
    options.force = true;
    ASSERT_EQ(gfab_fabric_write(f.machine.get(), &options, &diag), GFAB_OK) << diag.message;
    std::vector<uint32_t> slots;
    uint64_t relays = 0;
    for (uint32_t node = 0; node < f.nodes; node++) {
        slots.push_back(f.slots(node));
        relays += f.rank(node) == GFAB_NO_RANK ? f.slots(node) : 0;
    }
    const gfab_timing *timing = gfab_machine_timing(f.machine.get());
    EXPECT_EQ(gfab_machine_relay_store_bits(f.machine.get()), relays * timing->words * timing->word_bits);
    EXPECT_EQ(gfab_machine_store_bits(f.machine.get()), uint64_t{7} * timing->words * timing->word_bits);
    gfab_machine_shape shape{};
    shape.layout = gfab_layout_options_default();
    shape.layout.full_duplex = true;
    shape.layout.blocks = 7;
    shape.layout.combines = GFAB_OPERATOR_SUM;
    shape.timing = {timing->token_bits, timing->link_bits, 0, 0, 0, 0};
    const auto read = [&](gfab_status expected) {
        gfab_machine *made = nullptr;
        EXPECT_EQ(gfab_machine_read(f.topology.get(), &shape, rom.c_str(), &made, &diag), expected) << diag.message;
        return Machine(made);
    };
    ASSERT_LT(slots[4], 7u);
    shape.node_slots = slots.data();
    const Machine back = read(GFAB_OK);
    EXPECT_EQ(gfab_machine_check(back.get(), &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(gfab_layout_node_slots(gfab_machine_layout(back.get()), 4), slots[4]);
    EXPECT_EQ(gfab_layout_node_slots(gfab_machine_layout(back.get()), 0), 7u);
    EXPECT_EQ(wrong(f, back.get(), 0), 0u);
    shape.node_slots = nullptr;
    EXPECT_EQ(gfab_layout_node_slots(gfab_machine_layout(read(GFAB_OK).get()), 4), 7u);
    shape.node_slots = slots.data();
    slots[4]--;
    EXPECT_EQ(gfab_machine_check(read(GFAB_OK).get(), &diag), GFAB_ERR_FAULT);
    EXPECT_NE(std::strstr(diag.message, "of only "), nullptr) << diag.message;
    slots[4] = 8;
    EXPECT_FALSE(read(GFAB_ERR_INVALID));
    fs::remove_all(folder);
}

} // namespace
