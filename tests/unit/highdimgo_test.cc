// SPDX-License-Identifier: MIT
// HighDimGo and HighDimGo': prices told against prices summed, the paper's figures, and what they must refuse.
#include "startup_fixture.h"

#include <vector>

TEST(HighDimGo, CostsWhatItTells)
{
    for (const char *spec :
         {"torus:4x4", "torus:5x5", "torus:8x8", "torus:3x3x3", "torus:4x8", "torus:6x10", "torus:2x2x4",
          "torus:2x3x4x5", "mesh:4x4", "mesh:5x5", "mesh:7x5", "mesh:9x13", "mesh:3x4x5", "mesh:1x4x6"})
        for (const char *startup : {"0", "1/2", "3", "10", "100", "10000"})
            for (gfab_port_mode ports : {GFAB_PORT_ALL, GFAB_PORT_ONE})
                for (const char *settings : {"", "shares=one"})
                    expect_as_told({"highdimgo", startup, settings, circuit(ports)}, spec);
}

TEST(HighDimGo, EverySettingCostsWhatItTells)
{
    for (const char *settings :
         {"phases=1", "phases=2", "phases=2:1", "phases=1:2", "phases=circgo", "phases=best:1", "phases=circgo,a=3",
          "phases=circgo,a=3:9,b=2:3", "phases=1,shares=one,first=1", "cut=3", "phases=2:1,shares=colours,cut=2"})
        for (const char *spec : {"torus:9x9", "torus:9x27", "mesh:9x10", "torus:9x9x9"})
            expect_as_told({"highdimgo", "20", settings}, spec);
}

// Approach 11', n = 27: 26 startups and 182 transfers. Colours within a node's data; of whole nodes it would be 195.
TEST(HighDimGo, PaperApproach11)
{
    const Topology topology = parse("torus:27x27");
    const std::vector<std::pair<const char *, double>> printed = {
        {"10", 442}, {"50", 1482}, {"200", 5382}, {"500", 13182}};
    for (const auto &[startup, total] : printed)
        EXPECT_EQ((Ask{"highdimgo", startup, "phases=1"}.total(topology)), total) << startup;
    expect_as_told({"highdimgo", "50", "phases=1"}, "torus:27x27");
}

// Per phase of n = 3^R nodes with m items each: approach 1 costs (n - 1)/2 (r + m), approach 2 costs R (2r + n m).
TEST(HighDimGo, ApproachesByTheirFormulas)
{
    struct Case {
        const char *phases;
        uint64_t startups, transfers; // of halves
    };
    const std::vector<Case> cases = {{"1", 13 + 13, 13 + 13 * 27},
                                     {"2:1", 6 + 13, 3 * 27 + 13 * 27},
                                     {"1:2", 13 + 6, 13 + 3 * 27 * 27},
                                     {"2", 6 + 6, 3 * 27 + 3 * 27 * 27}};
    const Topology topology = parse("torus:27x27");
    for (const Case &c : cases) {
        const gfab_cost told = Ask{"highdimgo", "1", std::string("phases=") + c.phases + ",cut=1"}.cost(topology);
        EXPECT_EQ(told.startups, c.startups) << c.phases;
        EXPECT_EQ(told.transfers, c.transfers) << c.phases;
        EXPECT_EQ(told.parts, 2u);
    }
}

TEST(HighDimGo, Approach12IsAlwaysWorseThan21)
{
    for (const char *spec : {"torus:9x9", "torus:27x27", "torus:16x16", "mesh:9x9"}) {
        const Topology topology = parse(spec);
        for (const char *startup : {"0", "1", "30", "1000"})
            EXPECT_GT((Ask{"highdimgo", startup, "phases=1:2"}.total(topology)),
                      (Ask{"highdimgo", startup, "phases=2:1"}.total(topology)))
                << spec << " " << startup;
    }
}

TEST(HighDimGo, ColoursDivideTransfersNotStartups)
{
    for (const char *spec : {"torus:9x9", "torus:9x9x9"}) {
        const Topology topology = parse(spec);
        const gfab_cost one = Ask{"highdimgo", "5", "phases=1,shares=one,cut=1"}.cost(topology);
        const gfab_cost colours = Ask{"highdimgo", "5", "phases=1,shares=colours,cut=1"}.cost(topology);
        EXPECT_EQ(one.startups, colours.startups);
        EXPECT_EQ(one.transfers, colours.transfers);
        EXPECT_EQ(one.parts, 1u);
        EXPECT_EQ(colours.parts, gfab_topology_dimensions(topology.get()));
    }
}

TEST(HighDimGo, BestIsTheBestOfItsForms)
{
    for (const char *spec : {"torus:9x9", "torus:12x20", "mesh:8x5", "torus:4x4x4"}) {
        const Topology topology = parse(spec);
        for (const char *startup : {"0", "1/3", "2", "17", "400"}) {
            const double best = Ask{"highdimgo", startup, ""}.total(topology);
            for (const char *settings : {"phases=1", "phases=2:1", "phases=2", "phases=circgo", "shares=one,first=1"})
                EXPECT_LE(best, (Ask{"highdimgo", startup, settings}.total(topology))) << spec << " " << settings;
        }
    }
}

// Under one-port every transfer takes a node's one port: n^2 - 1. Black and white nodes halve the startups of approach
// 11 at the same transfers: 2 rounds in the blocks, n/2 - 1 in each phase.
TEST(HighDimGo, BlackAndWhiteNodes)
{
    for (uint32_t n : {4u, 6u, 8u, 12u})
        for (const char *kind : {"torus:", "mesh:"}) {
            const std::string spec = kind + std::to_string(n) + "x" + std::to_string(n);
            const Topology topology = parse(spec);
            const Ask plain = {"highdimgo", "1", "phases=1,shares=one", circuit(GFAB_PORT_ONE)};
            const Ask mixed = {"highdimgo", "1", "phases=1,shares=black-white", circuit(GFAB_PORT_ONE)};
            EXPECT_EQ(plain.cost(topology).startups, 2 * (n - 1));
            EXPECT_EQ(plain.cost(topology).transfers, n * n - 1);
            EXPECT_EQ(mixed.cost(topology).startups, n);
            EXPECT_EQ(mixed.cost(topology).transfers, n * n - 1);
            expect_as_told(mixed, spec);
            expect_as_told({"highdimgo", "9", "shares=black-white", circuit(GFAB_PORT_ONE)}, spec);
        }
    expect_as_told({"highdimgo", "9", "shares=black-white", circuit(GFAB_PORT_ONE)}, "torus:6x10");
}

TEST(HighDimGo, ChecksThatPricesAndSchedulesAgree)
{
    const Topology topology = parse("torus:4x4");
    const Ask ask = {"highdimgo", "3", "phases=2,cut=1"};
    const gfab_cost told = ask.cost(topology);
    const Schedule schedule = ask.solve(topology);
    ASSERT_EQ(against(topology, ask.model, schedule, told), "");
    // Mutants: the last packet left out; sent a round later; all of the price but the transfers.
    const uint64_t packets = gfab_schedule_packet_count(schedule.get());
    for (int mutant = 0; mutant < 2; mutant++) {
        const Schedule changed = schedule_on(topology, ask.model);
        ASSERT_EQ(gfab_schedule_set_load(changed.get(), nullptr, 2), GFAB_OK);
        uint64_t number = 0;
        for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule.get()); round++) {
            gfab_packet_iter it = gfab_schedule_round(schedule.get(), round);
            for (gfab_packet p; gfab_packet_next(&it, &p);)
                if (++number < packets || mutant == 1) {
                    ASSERT_EQ(gfab_schedule_append_packet(changed.get(), round + (number == packets), p.arcs,
                                                          p.arc_count, p.tokens, p.token_count),
                              GFAB_OK);
                }
        }
        EXPECT_NE(against(topology, ask.model, changed, told), "") << mutant;
    }
    gfab_cost less = told;
    less.transfers--;
    EXPECT_NE(against(topology, ask.model, schedule, less), "");
}

TEST(HighDimGo, Refuses)
{
    EXPECT_EQ(refusal({"highdimgo", "1", ""}, "cycle:9"),
              "highdimgo is for meshes and tori of two sides and more, not for cycle:9");
    EXPECT_EQ(refusal({"highdimgo", "1", ""}, "hypercube:4"),
              "highdimgo is for meshes and tori of two sides and more, not for hypercube:4");
    for (int i = 0; i < 3; i++) {
        gfab_model model = circuit();
        (i == 0   ? (void)(model.link_mode = GFAB_LINK_HALF)
         : i == 1 ? (void)(model.routing = GFAB_ROUTING_STORE_AND_FORWARD)
                  : (void)(model.hop_rounds = 2));
        EXPECT_EQ(refusal({"highdimgo", "1", "", model}, "torus:4x4"),
                  "highdimgo is for full-duplex links, circuit routing and 1 round a hop");
    }
    EXPECT_EQ(refusal({"highdimgo", "1", "phases=3"}, "torus:4x4"),
              "phases=3 is not a list such as 2:1 of at most 8 of 1, 2, circgo and best");
    EXPECT_EQ(refusal({"highdimgo", "1", "phases=1:"}, "torus:4x4"),
              "phases=1: is not a list such as 2:1 of at most 8 of 1, 2, circgo and best");
    EXPECT_EQ(refusal({"highdimgo", "1", "a=3"}, "torus:9x9"), "a and b are for phases=circgo");
    EXPECT_EQ(refusal({"highdimgo", "1", "shares=two"}, "torus:4x4"), "shares=two is not one, colours or black-white");
    EXPECT_EQ(refusal({"highdimgo", "1", "shares=colours", circuit(GFAB_PORT_ONE)}, "torus:4x4"),
              "colours use several ports of a node at once");
    for (const char *spec : {"torus:5x6", "torus:4x4x4", "torus:2x4"})
        EXPECT_EQ(refusal({"highdimgo", "1", "shares=black-white", circuit(GFAB_PORT_ONE)}, spec),
                  "black and white nodes are for one port, whole tokens, and two even sides from 4 on");
    EXPECT_EQ(refusal({"highdimgo", "1", "first=2"}, "torus:4x1x4"), "first=2: axes are 0 to 1 here");
    EXPECT_EQ(refusal({"highdimgo", "1", "first=1,shares=colours"}, "torus:4x4"),
              "first is for shares=one: other shares start in every axis");
    EXPECT_EQ(refusal({"highdimgo", "1", "cut=65"}, "torus:4x4"), "cut=65 is not a whole number from 1 to 64");
    EXPECT_EQ(refusal({"highdimgo", "1", "speed=1"}, "torus:4x4"),
              "highdimgo: unknown setting \"speed\"; there are phases, a, b, shares, cut, first");
}

TEST(HighDimGo, KeepsToTheLongestPacket)
{
    gfab_model model = circuit();
    model.packet_tokens = 9;
    expect_as_told({"highdimgo", "100", "", model}, "torus:9x9");
    model.packet_tokens = 8;
    EXPECT_EQ(refusal({"highdimgo", "100", "phases=1,shares=one,cut=1", model}, "torus:9x9"),
              "a message has 9 items here, more than the 8 allowed");
}
