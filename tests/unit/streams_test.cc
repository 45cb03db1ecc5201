// SPDX-License-Identifier: MIT
// Streams: hosts at nodes, the tree of least depth for them, programs that loop, and what their checker sees.
#include "collective_fixture.h"

#include <gossipfab/fabric/compile.h>
#include <gossipfab/fabric/program.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace
{

TEST(Streams, Hosts)
{
    const Topology mesh = parse("mesh:2x2+hosts");
    EXPECT_EQ(gfab_topology_node_count(mesh.get()), 8u);
    EXPECT_EQ(gfab_topology_link_count(mesh.get()), 8u);
    for (uint32_t v = 0; v < 8; v++)
        EXPECT_EQ(gfab_topology_is_relay(mesh.get(), v), v < 4);
    EXPECT_STREQ(gfab_topology_spec(mesh.get()), "mesh:2x2+hosts");
    const Topology some = parse("path:4+relay=1+drop-node=3+hosts");
    EXPECT_EQ(gfab_topology_node_count(some.get()), 5u); // nodes 0, 1, 2, hosts of 0 and 2
    EXPECT_EQ(gfab_topology_member(some.get(), 1), 4u);
    // A graph that lists its links says so of the others, too, and with their weights.
    const Topology listed = parse("graph:3:0-1,1-2+weight=1-2:3+hosts");
    EXPECT_STREQ(gfab_topology_spec(listed.get()), "graph:6:0-1,0-3,1-2,1-4,2-5+relay=0-2+weight=1-2:3");
    EXPECT_TRUE(gfab_topology_equal(listed.get(), parse(gfab_topology_spec(listed.get())).get()));
    gfab_topology *none = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_topology_parse("path:2+hosts+hosts", &none, &diag), GFAB_ERR_INVALID);
}

uint32_t far(const Topology &topology, uint32_t from)
{
    const size_t nodes = gfab_topology_node_count(topology.get());
    std::vector<uint32_t> distances(nodes), queue(nodes);
    gfab_topology_distances(topology.get(), from, distances.data(), queue.data());
    return *std::max_element(distances.begin(), distances.end());
}

// A block a round, in as few rounds as there are links from the root's host to the farthest.
TEST(Streams, HostTree)
{
    for (const char *spec : {"path:2+hosts", "path:5+hosts", "mesh:4x4+hosts", "mesh:5x7+hosts", "torus:5x5+hosts",
                             "cycle:7+hosts", "mesh:3x3+relay=4+hosts", "star:4+hosts"}) {
        const Topology graph = parse(spec);
        const size_t members = gfab_topology_member_count(graph.get());
        for (const uint32_t root : {0u, (uint32_t)members / 2}) {
            const uint32_t depth = far(graph, gfab_topology_member(graph.get(), root));
            for (const gfab_collective collective : {GFAB_BROADCAST, GFAB_REDUCE})
                for (const uint32_t blocks : {1u, 2u, 100u}) {
                    gfab_goal goal = goal_on(graph, collective, blocks);
                    goal.root = root;
                    const Made made = make("host-tree", graph, links(GFAB_LINK_FULL), goal);
                    ASSERT_EQ(made.status, GFAB_OK) << spec << ": " << made.says;
                    EXPECT_EQ(made.rounds(), blocks - 1 + depth) << spec;
                }
        }
        const Made all = make("host-tree", graph, links(GFAB_LINK_FULL), goal_on(graph, GFAB_ALL_REDUCE, 10));
        ASSERT_EQ(all.status, GFAB_OK) << spec << ": " << all.says;
        EXPECT_EQ(gfab_schedule_period(all.schedule.get()), 1u);
    }
    EXPECT_EQ(
        make("host-tree", parse("mesh:3x3"), links(GFAB_LINK_FULL), goal_on(parse("mesh:3x3"), GFAB_REDUCE, 9)).status,
        GFAB_ERR_UNSUPPORTED);
}

struct Streamed {
    Topology topology;
    Made made;
    gfab_plan plan{};
    gfab_machine *machine = nullptr;
    gfab_status status = GFAB_ERR_INVALID;
    gfab_diag diag{};

    Streamed(const char *spec, gfab_collective collective, const char *solver = "host-tree", uint32_t bits = 480,
             uint32_t rom_rounds = 0)
        : topology(parse(spec)), made(make(solver, topology, links(GFAB_LINK_FULL), goal_on(topology, collective, 60)))
    {
        gfab_machine_options options = gfab_machine_options_default();
        options.stream = true;
        options.token_bits = bits;
        options.link_bits = 4;
        options.rom_rounds = rom_rounds;
        if (!made.schedule)
            return;
        gfab_schedule_set_any_length(made.schedule.get());
        status = gfab_machine_plan_schedule(made.schedule.get(), &options, &plan, &diag);
        if (status == GFAB_OK)
            status = gfab_machine_compile(&plan, made.schedule.get(), &machine, &diag);
    }
    ~Streamed() { gfab_machine_destroy(machine); }
    gfab_image *image() const { return const_cast<gfab_image *>(gfab_machine_image(machine)); }
    gfab_status check() { return gfab_image_check(image(), gfab_machine_timing(machine), nullptr, nullptr, &diag); }
};

// The program is the steady state alone: a round, or two where a contribution waits for others. Stores do not grow.
TEST(Streams, Loops)
{
    for (const char *spec : {"mesh:4x4+hosts", "torus:3x3+hosts", "cycle:5+hosts", "mesh:2x3+relay=1+hosts"})
        for (const gfab_collective collective : {GFAB_BROADCAST, GFAB_REDUCE, GFAB_ALL_REDUCE}) {
            const Streamed s(spec, collective);
            ASSERT_EQ(s.status, GFAB_OK) << spec << ": " << s.diag.message;
            EXPECT_EQ(gfab_machine_rounds(s.machine), collective == GFAB_BROADCAST ? 1u : 2u) << spec;
            EXPECT_EQ(gfab_image_ages(s.image()), gfab_schedule_kept_rounds(s.made.schedule.get()));
            for (uint32_t round = 1; round <= gfab_machine_rounds(s.machine); round++)
                EXPECT_TRUE(gfab_image_begins(s.image(), round));
            EXPECT_TRUE(gfab_image_loops(s.image(), gfab_machine_rounds(s.machine)));
            for (size_t v = 0; v < gfab_topology_node_count(s.topology.get()); v++)
                EXPECT_TRUE(!gfab_topology_is_relay(s.topology.get(), v) ||
                            gfab_layout_node_slots(gfab_machine_layout(s.machine), v) <= 4);
        }
}

// Any op that names another slot is found out, wherever it is: a slot that is stored into while it is in use, a block
// that comes to its host in another's place, a contribution that is lost or counts twice.
TEST(Streams, WrongSlots)
{
    for (const gfab_collective collective : {GFAB_BROADCAST, GFAB_REDUCE, GFAB_ALL_REDUCE}) {
        Streamed s("mesh:2x3+hosts", collective);
        ASSERT_EQ(s.status, GFAB_OK) << s.diag.message;
        ASSERT_EQ(s.check(), GFAB_OK) << s.diag.message;
        const uint32_t half = gfab_image_op_bits(s.image()) / 2;
        size_t tried = 0;
        for (size_t node = 0; node < gfab_topology_node_count(s.topology.get()); node++)
            for (size_t index = 0; index < gfab_image_word_count(s.image()); index++)
                for (uint32_t bit : {2u, 3u, half + 2, half + 3}) {
                    const uint64_t word = gfab_image_word(s.image(), node, index);
                    if ((word >> (bit < half ? 0 : half) & 3) == GFAB_OP_IDLE)
                        continue;
                    gfab_image_set_word(s.image(), node, index, word ^ UINT64_C(1) << bit);
                    EXPECT_EQ(s.check(), GFAB_ERR_FAULT) << "node " << node << ", word " << index << ", bit " << bit;
                    gfab_image_set_word(s.image(), node, index, word);
                    tried++;
                }
        EXPECT_GT(tried, 20u);
        ASSERT_EQ(s.check(), GFAB_OK);
    }
}

// What the sequence says of groups and of the loop.
TEST(Streams, WrongSequence)
{
    Streamed s("mesh:2x3+hosts", GFAB_ALL_REDUCE);
    ASSERT_EQ(s.status, GFAB_OK) << s.diag.message;
    for (uint32_t round = 1; round <= 3; round++)
        for (int what = 0; what < 2; what++) {
            const bool begins = gfab_image_begins(s.image(), round), loops = gfab_image_loops(s.image(), round);
            gfab_image_set_loop(s.image(), round, begins != (what == 0), loops != (what == 1));
            EXPECT_EQ(s.check(), GFAB_ERR_FAULT) << "round " << round << ", " << what;
            gfab_image_set_loop(s.image(), round, begins, loops);
        }
    gfab_image_set_loop(s.image(), 2, false, true); // two rounds of a group, in each of which hosts give
    EXPECT_EQ(s.check(), GFAB_ERR_FAULT);
    EXPECT_NE(strstr(s.diag.message, "hosts give 2 blocks of each group"), nullptr) << s.diag.message;
    gfab_image_set_loop(s.image(), 2, true, true);
    ASSERT_EQ(s.check(), GFAB_OK);
}

// Two groups in a body of four rounds, host 2 - node 0 - node 1 - host 3: in which rounds each sends and receives, and
// at which ages the hosts give and take.
struct Body {
    std::array<std::vector<uint32_t>, 4> sends, receives; // of nodes 0 .. 3
    std::array<uint32_t, 4> given, taken;                 // by round - 1
};

void play_body(const Streamed &s, const Body &body)
{
    gfab_image *image = s.image();
    const size_t lanes = gfab_image_lane_stride(image);
    const uint32_t half = gfab_image_op_bits(image) / 2;
    const auto in = [](const std::vector<uint32_t> &rounds, uint32_t round) {
        return std::find(rounds.begin(), rounds.end(), round) != rounds.end();
    };
    for (size_t node = 0; node < 4; node++)
        for (size_t lane = 0; lane < lanes; lane++) {
            const uint64_t both = gfab_image_word(image, node, lane); // of the one round that there is
            const uint64_t out = both & ((UINT64_C(1) << half) - 1), come = both >> half;
            for (uint32_t round = 4; round > 0; round--) {
                uint64_t sent = in(body.sends[node], round) ? out : 0,
                         received = in(body.receives[node], round) ? come : 0;
                if (node == 2 && sent)
                    sent = GFAB_OP_SEND | body.given[round - 1] << 2;
                if (node == 3 && received)
                    received = GFAB_OP_RECV | body.taken[round - 1] << 2;
                gfab_image_set_word(image, node, (round - 1) * lanes + lane, sent | received << half);
            }
        }
    for (uint32_t round = 1; round <= 5; round++) {
        gfab_image_set_halt(image, round, round == 5);
        gfab_image_set_loop(image, round, round == 1 || round == 3, round == 4);
    }
}

// A host gives at one age, and takes at one: programs that are right but for that.
TEST(Streams, Ages)
{
    const Body right{{{{2, 4}, {1, 3}, {1, 3}, {}}}, {{{1, 3}, {2, 4}, {}, {1, 3}}}, {0, 0, 0, 0}, {1, 0, 1, 0}};
    // The second group's block is given a round later: when the next one has begun.
    const Body gives{{{{2, 3}, {3, 4}, {1, 2}, {}}}, {{{1, 2}, {2, 3}, {}, {3, 4}}}, {1, 0, 0, 0}, {0, 0, 2, 1}};
    // It waits for two rounds in node 0.
    const Body takes{{{{2, 3}, {3, 4}, {2, 4}, {}}}, {{{2, 4}, {2, 3}, {}, {3, 4}}}, {0, 0, 0, 0}, {0, 0, 2, 1}};
    const auto check = [](const Body &body, std::string &says) {
        Streamed s("path:2+hosts", GFAB_BROADCAST, "host-tree", 480, 7);
        EXPECT_EQ(s.status, GFAB_OK) << s.diag.message;
        EXPECT_EQ(gfab_machine_rounds(s.machine), 1u);
        play_body(s, body);
        const gfab_status status = s.check();
        says = s.diag.message;
        return status;
    };
    std::string says;
    EXPECT_EQ(check(right, says), GFAB_OK) << says;
    EXPECT_EQ(check(gives, says), GFAB_ERR_FAULT);
    EXPECT_NE(says.find("node 2, round 2, lane 1: a block is given at age 0, others at age 1"), says.npos) << says;
    EXPECT_EQ(check(takes, says), GFAB_ERR_FAULT);
    EXPECT_NE(says.find("node 3, round 4, lane 1: a block is taken at age 1, others at age 2"), says.npos) << says;
}

// Of a group a host of narrow nodes has one block.
TEST(Streams, OtherSchedules)
{
    const Streamed packed("mesh:2x3+hosts", GFAB_ALL_REDUCE, "packing");
    EXPECT_EQ(packed.status, GFAB_ERR_UNSUPPORTED) << packed.diag.message;
    const Streamed several("path:2+hosts", GFAB_REDUCE, "out-trees");
    EXPECT_EQ(several.status, GFAB_ERR_UNSUPPORTED) << several.diag.message;
    EXPECT_NE(strstr(several.diag.message, "blocks at a time"), nullptr) << several.diag.message;
    const Streamed gathered("mesh:2x3+hosts", GFAB_ALL_GATHER, "out-trees");
    EXPECT_EQ(gathered.status, GFAB_ERR_UNSUPPORTED);
    const Streamed padded("mesh:2x3+hosts", GFAB_REDUCE, "host-tree", 36);
    EXPECT_EQ(padded.status, GFAB_ERR_INVALID);
}

} // namespace
