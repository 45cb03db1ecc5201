// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <gossipfab/fabric/compile.h>
#include <gossipfab/schedule/verify.h>
#include <gossipfab/solvers/solver.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace
{

gfab_model model(gfab_link_mode link, gfab_port_mode port, uint32_t p = 1, uint32_t lambda = 1)
{
    return gfab_model{link, port, p, lambda, GFAB_ROUTING_STORE_AND_FORWARD};
}

struct Move {
    uint32_t round, from, to;
    std::vector<uint32_t> tokens;
};

Schedule build(const gfab_topology *t, const gfab_model &m, const std::vector<Move> &moves)
{
    gfab_schedule *s = nullptr;
    EXPECT_EQ(gfab_schedule_create(t, &m, &s), GFAB_OK);
    for (const Move &move : moves) {
        gfab_arc arc = 0;
        EXPECT_TRUE(gfab_topology_find_arc(t, move.from, move.to, &arc));
        EXPECT_EQ(gfab_schedule_append_packet(s, move.round, &arc, 1, move.tokens.data(), move.tokens.size()), GFAB_OK);
    }
    return Schedule(s);
}

gfab_verify_report verify(const gfab_topology *t, const gfab_model &m, const gfab_schedule *s)
{
    gfab_verify_report report;
    const gfab_status status = gfab_verify(t, &m, s, nullptr, &report);
    EXPECT_EQ(status, report.fault == GFAB_FAULT_NONE ? GFAB_OK : GFAB_ERR_FAULT);
    EXPECT_EQ(report.fault == GFAB_FAULT_NONE, report.message[0] == '\0');
    return report;
}

const std::vector<Move> path3 = {{1, 0, 1, {0}}, {1, 2, 1, {2}}, {2, 1, 0, {2}},
                                 {2, 1, 2, {0}}, {3, 1, 0, {1}}, {3, 1, 2, {1}}};

TEST(Verify, AcceptsAGossipAndCountsIt)
{
    const Topology t = parse("path:3");
    const gfab_model m = gfab_model_default();
    const Schedule s = build(t.get(), m, path3);
    const gfab_verify_report r = verify(t.get(), m, s.get());
    EXPECT_EQ(r.fault, GFAB_FAULT_NONE) << r.message;
    EXPECT_EQ(r.rounds, 3u);
    EXPECT_EQ(r.moves, 6u);
    EXPECT_EQ(r.redundant, 0u);
    EXPECT_EQ(r.missing, 0u);
    EXPECT_EQ(r.max_link_moves, 3u);
    EXPECT_EQ(r.min_link_moves, 3u);
    EXPECT_EQ(r.node, UINT32_MAX);
}

int stop_at_once(void *calls, const char *, unsigned long long, unsigned long long)
{
    ++*static_cast<int *>(calls);
    return 0;
}

TEST(Verify, StopsWhereProgressSaysSoAndSoDoesCompiling)
{
    const Topology t = parse("mesh:16x16");
    const gfab_model m = gfab_model_default();
    const gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    ASSERT_EQ(gfab_solver_find("greedy")->solve(t.get(), &m, &options, &made, nullptr), GFAB_OK);
    const Schedule s(made);
    int calls = 0;
    const gfab_progress progress = {stop_at_once, &calls};
    gfab_verify_report report;
    EXPECT_EQ(gfab_verify(t.get(), &m, s.get(), &progress, &report), GFAB_ERR_INTERRUPTED);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(gfab_verify(t.get(), &m, s.get(), nullptr, &report), GFAB_OK);
    gfab_plan plan;
    ASSERT_EQ(gfab_machine_plan_schedule(s.get(), nullptr, &plan, nullptr), GFAB_OK);
    plan.options.progress = &progress;
    gfab_machine *machine = nullptr;
    EXPECT_EQ(gfab_machine_compile(&plan, s.get(), &machine, nullptr), GFAB_ERR_INTERRUPTED);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(machine, nullptr);
}

TEST(Verify, CountsRedundantDeliveries)
{
    const Topology t = parse("path:3");
    const gfab_model m = gfab_model_default();
    std::vector<Move> moves = path3;
    moves.push_back({4, 1, 0, {0}}); // node 0's own token comes back
    moves.push_back({4, 1, 2, {0}}); // node 2 has it
    const Schedule s = build(t.get(), m, moves);
    const gfab_verify_report r = verify(t.get(), m, s.get());
    EXPECT_EQ(r.fault, GFAB_FAULT_NONE) << r.message;
    EXPECT_EQ(r.redundant, 2u);
}

TEST(Verify, CountsATokenThatComesTwiceInARound)
{
    const Topology t = parse("cycle:3");
    const gfab_model m = gfab_model_default();
    // Node 2 gets token 0 from both its neighbours in round 2.
    const Schedule s = build(t.get(), m,
                             {{1, 0, 1, {0}},
                              {1, 1, 2, {1}},
                              {1, 2, 0, {2}},
                              {2, 0, 2, {0}},
                              {2, 1, 2, {0}},
                              {3, 1, 0, {1}},
                              {3, 2, 1, {2}}});
    const gfab_verify_report r = verify(t.get(), m, s.get());
    EXPECT_EQ(r.fault, GFAB_FAULT_NONE) << r.message;
    EXPECT_EQ(r.redundant, 1u);
}

// The same schedule, under models that allow it and models that do not.
TEST(Verify, HonoursTheLinkMode)
{
    const Topology t = parse("path:2");
    const gfab_model full = model(GFAB_LINK_FULL, GFAB_PORT_ALL);
    const Schedule s = build(t.get(), full, {{1, 0, 1, {0}}, {1, 1, 0, {1}}});
    EXPECT_EQ(verify(t.get(), full, s.get()).fault, GFAB_FAULT_NONE);
    EXPECT_EQ(verify(t.get(), model(GFAB_LINK_FULL, GFAB_PORT_ONE), s.get()).fault, GFAB_FAULT_NONE);
    const gfab_verify_report r = verify(t.get(), gfab_model_default(), s.get());
    EXPECT_EQ(r.fault, GFAB_FAULT_LINK_BUSY);
    EXPECT_EQ(r.round, 1u);
    EXPECT_EQ(r.link, 0u);
    EXPECT_EQ(r.node, 1u);
    EXPECT_EQ(r.token, 1u);
}

TEST(Verify, HonoursThePortMode)
{
    const Topology t = parse("path:3");
    const Schedule s = build(t.get(), gfab_model_default(), path3);
    const gfab_verify_report r = verify(t.get(), model(GFAB_LINK_HALF, GFAB_PORT_ONE), s.get());
    EXPECT_EQ(r.fault, GFAB_FAULT_PORT_BUSY);
    EXPECT_EQ(r.round, 1u);
    EXPECT_EQ(r.node, 1u);
    EXPECT_EQ(r.link, 1u);

    const Topology mesh = parse("mesh:2x2"); // two disjoint links a round are allowed
    const gfab_model one = model(GFAB_LINK_FULL, GFAB_PORT_ONE, 2);
    const Schedule exchange = build(mesh.get(), one,
                                    {{1, 0, 1, {0}},
                                     {1, 1, 0, {1}},
                                     {1, 2, 3, {2}},
                                     {1, 3, 2, {3}},
                                     {2, 0, 2, {0, 1}},
                                     {2, 2, 0, {2, 3}},
                                     {2, 1, 3, {0, 1}},
                                     {2, 3, 1, {2, 3}}});
    EXPECT_EQ(verify(mesh.get(), one, exchange.get()).fault, GFAB_FAULT_NONE);
}

TEST(Verify, HonoursPacketTokens)
{
    const Topology t = parse("path:3");
    const gfab_model two = model(GFAB_LINK_HALF, GFAB_PORT_ALL, 2);
    const Schedule s = build(t.get(), two, {{1, 0, 1, {0}}, {1, 2, 1, {2}}, {2, 1, 0, {1, 2}}, {2, 1, 2, {0, 1}}});
    EXPECT_EQ(verify(t.get(), two, s.get()).fault, GFAB_FAULT_NONE);
    const gfab_verify_report r = verify(t.get(), gfab_model_default(), s.get());
    EXPECT_EQ(r.fault, GFAB_FAULT_PACKET_SIZE);
    EXPECT_EQ(r.round, 2u);
    EXPECT_EQ(r.token, 2u);
}

TEST(Verify, RejectsAPacketWithoutAToken)
{
    const Topology t = parse("path:3");
    std::vector<Move> moves = path3;
    moves.push_back({4, 0, 1, {}});
    const Schedule s = build(t.get(), gfab_model_default(), moves);
    EXPECT_EQ(verify(t.get(), gfab_model_default(), s.get()).fault, GFAB_FAULT_PACKET_SIZE);
}

TEST(Verify, HonoursHopRounds)
{
    const Topology t = parse("path:3");
    const std::vector<Move> late = {{1, 0, 1, {0}}, {1, 2, 1, {2}}, {2, 1, 0, {1}},
                                    {2, 1, 2, {1}}, {4, 1, 0, {2}}, {4, 1, 2, {0}}};
    for (uint32_t lambda = 1; lambda <= 5; lambda++) {
        const gfab_model m = model(GFAB_LINK_HALF, GFAB_PORT_ALL, 1, lambda);
        const Schedule s = build(t.get(), m, late);
        const gfab_verify_report r = verify(t.get(), m, s.get());
        // Own tokens leave in any round; what came in round 1 leaves in round 4.
        EXPECT_EQ(r.fault, lambda <= 3 ? GFAB_FAULT_NONE : GFAB_FAULT_TOKEN_TOO_NEW) << lambda << r.message;
        if (lambda > 3) {
            EXPECT_EQ(r.round, 4u);
            EXPECT_EQ(r.node, 1u);
            EXPECT_EQ(r.token, 2u);
        }
    }
    const gfab_model never = model(GFAB_LINK_HALF, GFAB_PORT_ALL, 1, UINT32_MAX);
    const Schedule s = build(t.get(), never, late);
    EXPECT_EQ(verify(t.get(), never, s.get()).fault, GFAB_FAULT_TOKEN_TOO_NEW);
}

TEST(Verify, ASecondArrivalDoesNotMakeATokenNewAgain)
{
    const Topology t = parse("path:3");
    std::vector<Move> moves = {{1, 0, 1, {0}}, {2, 0, 1, {0}}, {3, 1, 2, {0}}};
    const gfab_model m = model(GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 2);
    const Schedule s = build(t.get(), m, moves);
    EXPECT_EQ(verify(t.get(), m, s.get()).fault, GFAB_FAULT_INCOMPLETE);
}

TEST(Verify, BrokenPathsComeBeforeLongPaths)
{
    const Topology t = parse("path:4");
    const gfab_model m = gfab_model_default();
    gfab_arc a01 = 0, a12 = 0, a23 = 0;
    ASSERT_TRUE(gfab_topology_find_arc(t.get(), 0, 1, &a01));
    ASSERT_TRUE(gfab_topology_find_arc(t.get(), 1, 2, &a12));
    ASSERT_TRUE(gfab_topology_find_arc(t.get(), 2, 3, &a23));
    const uint32_t token = 0;
    const struct {
        std::vector<gfab_arc> arcs;
        gfab_fault fault;
    } cases[] = {{{a01, a23}, GFAB_FAULT_PATH_BROKEN},
                 {{a01, a01 ^ 1u}, GFAB_FAULT_PATH_BROKEN},
                 {{a01, a12}, GFAB_FAULT_PATH_TOO_LONG},
                 {{a01, a12, a23}, GFAB_FAULT_PATH_TOO_LONG}};
    for (const auto &c : cases) {
        gfab_schedule *s = nullptr;
        ASSERT_EQ(gfab_schedule_create(t.get(), &m, &s), GFAB_OK);
        const Schedule owned(s);
        ASSERT_EQ(gfab_schedule_append_packet(s, 1, c.arcs.data(), c.arcs.size(), &token, 1), GFAB_OK);
        EXPECT_EQ(verify(t.get(), m, s).fault, c.fault);
    }
}

TEST(Verify, ReportsWhatIsMissing)
{
    const Topology t = parse("path:3");
    const gfab_model m = gfab_model_default();
    std::vector<Move> moves = path3;
    moves.resize(4);
    const Schedule s = build(t.get(), m, moves);
    const gfab_verify_report r = verify(t.get(), m, s.get());
    EXPECT_EQ(r.fault, GFAB_FAULT_INCOMPLETE);
    EXPECT_EQ(r.missing, 2u);
    EXPECT_EQ(r.round, 2u);
    EXPECT_EQ(r.node, 0u);
    EXPECT_EQ(r.token, 1u);
}

TEST(Verify, TopologiesAreComparedAsGraphs)
{
    const Topology path = parse("path:4");
    const Topology row = parse("mesh:1x4");
    const Topology mesh = parse("mesh:2x2");
    const gfab_model m = gfab_model_default();
    const Schedule s = build(path.get(), m, {});
    EXPECT_EQ(verify(row.get(), m, s.get()).fault, GFAB_FAULT_INCOMPLETE);
    EXPECT_EQ(verify(mesh.get(), m, s.get()).fault, GFAB_FAULT_WRONG_TOPOLOGY);
}

TEST(Verify, FaultNamesAreDistinct)
{
    std::set<std::string> names;
    for (int f = GFAB_FAULT_NONE; f <= GFAB_FAULT_WRONG_TOPOLOGY; f++)
        names.insert(gfab_fault_name(static_cast<gfab_fault>(f)));
    EXPECT_EQ(names.size(), static_cast<size_t>(GFAB_FAULT_WRONG_TOPOLOGY) + 1);
}

// tests/reject: a file a fault. Either it reads, and verify names the fault and
// its round, or it does not, and the diagnostic has the status and the line.
struct Reject {
    const char *file;
    gfab_fault fault;   // NONE where it does not read
    gfab_status status; // OK where it reads
    size_t where;       // round or line
    const char *words;  // in the message
};

const Reject rejects[] = {
    {"link-used-twice.gfs", GFAB_FAULT_LINK_BUSY, GFAB_OK, 1, "link 0, node 1 to 0: the link already"},
    {"direction-used-twice.gfs", GFAB_FAULT_LINK_BUSY, GFAB_OK, 2, "in this direction"},
    {"one-port-node-used-twice.gfs", GFAB_FAULT_PORT_BUSY, GFAB_OK, 1, "node 1: uses link 1 besides link 0"},
    {"token-never-held.gfs", GFAB_FAULT_TOKEN_MISSING, GFAB_OK, 1, "node 0 to 1: the sender does not have token 3"},
    {"token-sent-in-its-arrival-round.gfs", GFAB_FAULT_TOKEN_MISSING, GFAB_OK, 1, "node 1 to 2"},
    {"token-too-new.gfs", GFAB_FAULT_TOKEN_TOO_NEW, GFAB_OK, 2, "in round 1 and may leave from round 3 on"},
    {"packet-too-large.gfs", GFAB_FAULT_PACKET_SIZE, GFAB_OK, 2, "2 tokens; the model allows 1"},
    {"token-twice-in-packet.gfs", GFAB_FAULT_PACKET_SIZE, GFAB_OK, 2, "token 0 twice"},
    {"path-visits-node-twice.gfs", GFAB_FAULT_PATH_BROKEN, GFAB_OK, 3, "visits node 0 twice"},
    {"path-of-two-links.gfs", GFAB_FAULT_PATH_TOO_LONG, GFAB_OK, 1, "path of 2 links"},
    {"ends-at-switch.gfs", GFAB_FAULT_SWITCH_END, GFAB_OK, 1, "ends at node 3, which is a switch"},
    {"path-past-a-member.gfs", GFAB_FAULT_PATH_TOO_LONG, GFAB_OK, 1, "more past switches alone"},
    {"incomplete.gfs", GFAB_FAULT_INCOMPLETE, GFAB_OK, 3, "1 delivery is missing; the first: node 2 lacks token 0"},
    {"no-packets.gfs", GFAB_FAULT_INCOMPLETE, GFAB_OK, 0, "12 deliveries"},
    {"wrong-topology.gfs", GFAB_FAULT_WRONG_TOPOLOGY, GFAB_OK, 0, "for cycle:4, not for mesh:2x2"},
    {"tree-way-used-twice.gfs", GFAB_FAULT_LINK_BUSY, GFAB_OK, 3, "node 0 to 1: the link already"},
    {"tree-both-ways-half-duplex.gfs", GFAB_FAULT_LINK_BUSY, GFAB_OK, 1, "node 0 to 2: the link already"},
    {"tree-direction-used-twice.gfs", GFAB_FAULT_LINK_BUSY, GFAB_OK, 2, "in this direction"},
    {"tree-side-of-two.gfs", GFAB_FAULT_LINK_BUSY, GFAB_OK, 2, "node 3 to 0: the link already"},
    {"tree-token-never-held.gfs", GFAB_FAULT_TOKEN_MISSING, GFAB_OK, 3,
     "node 7 to 8: the sender does not have token 0"},
    {"tree-sent-in-its-arrival-round.gfs", GFAB_FAULT_TOKEN_MISSING, GFAB_OK, 1, "node 1 to 4"},
    {"tree-token-too-new.gfs", GFAB_FAULT_TOKEN_TOO_NEW, GFAB_OK, 4, "in round 3 and may leave from round 5 on"},
    {"tree-incomplete.gfs", GFAB_FAULT_INCOMPLETE, GFAB_OK, 4, "9 deliveries are missing; the first: node 8"},
    {"link-used-twice.csv", GFAB_FAULT_LINK_BUSY, GFAB_OK, 1, "node 1 to 0"},
    {"token-never-held.csv", GFAB_FAULT_TOKEN_MISSING, GFAB_OK, 1, "token 3"},
    {"incomplete.csv", GFAB_FAULT_INCOMPLETE, GFAB_OK, 3, "node 2 lacks token 0"},

    {"empty-file.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 1, "not a gossipfab schedule"},
    {"not-a-schedule.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 1, "not a gossipfab schedule"},
    {"unknown-version.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 1, "version 5"},
    {"unknown-topology.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 2, "unknown family \"blob\""},
    {"file-topology.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 2, "a schedule has its graph in itself"},
    {"disconnected-topology.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 2, "not connected"},
    {"one-node-topology.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 2, "one node in all"},
    {"huge-topology.gfs", GFAB_FAULT_NONE, GFAB_ERR_LIMIT, 2, "too many nodes"},
    {"bad-link-mode.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 3, "\"quarter\""},
    {"header-out-of-order.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 3, "\"link-mode\" and a value are expected"},
    {"bad-port-mode.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 4, "\"two\""},
    {"zero-packet-tokens.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 5, "packet-tokens is 0"},
    {"zero-hop-rounds.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 6, "hop-rounds is 0"},
    {"header-key-missing.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 7, "\"solver\" and a value are expected"},
    {"bad-solver-name.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 7, "\"lau zhang\""},
    {"too-many-rounds.gfs", GFAB_FAULT_NONE, GFAB_ERR_LIMIT, 8, "4000000000 rounds"},
    {"header-only.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 9, "truncated: \"packets\" is missing"},
    {"packet-before-round.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 10, "\"round 1\" or a later round"},
    {"round-zero.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 10, "round 0"},
    {"rounds-fall.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 20, "round 2 after round 2"},
    {"round-beyond-header.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 20, "round 3; the header says 2 rounds"},
    {"rounds-short-of-header.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 25, "the last round is 3; the header says 4"},
    {"round-without-packet.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 21, "round 3 has no packet"},
    {"fewer-packets-than-header.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 25, "12 packets; the header says 13"},
    {"packet-count-absurd.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 25, "says 18446744073709551615"},
    {"more-packets-than-header.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 24, "after the header's 11 packets"},
    {"bad-node.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 13, "node 4 does not exist; mesh:2x2 has 0 to 3"},
    {"bad-token.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 13, "token 4 does not exist"},
    {"no-such-link.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 13, "no link from node 2 to node 1"},
    {"number-overflow.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 17, "larger than"},
    {"signed-number.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 17, "\"+0\": a number is expected"},
    {"negative-number.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 17, "\"-1 3:0\": a number is expected"},
    {"leading-zero.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 17, "a leading zero"},
    {"double-space.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 17, "a number is expected"},
    {"tab.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 17, "a colon is expected"},
    {"trailing-space.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 17, "ends where a number is expected"},
    {"carriage-return.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 2, "carriage return"},
    {"nul-byte.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 17, "NUL"},
    {"packet-without-token.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 17, "ends where a number is expected (token)"},
    {"packet-of-one-node.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 17, "at least two nodes"},
    {"no-colon.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 17, "a colon is expected"},
    {"truncated.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 20, "\"end\", is missing"},
    {"truncated-mid-line.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 24, "does not end in LF"},
    {"after-end.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 26, "after \"end\""},
    {"tree-of-a-mesh.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 8, "those of a torus, which mesh:3x3 is not"},
    {"tree-of-a-cut-torus.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 8, "those of a torus"},
    {"tree-without-translates.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 8, "\"translates\" and a value are expected"},
    {"tree-translates-no.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 8, "yes is expected"},
    {"tree-with-a-load.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 9, "\"rounds\" and a value are expected"},
    {"tree-other-token.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 13, "moves token 0 over one link"},
    {"tree-path-of-two-links.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 13, "moves token 0 over one link"},
    {"tree-two-tokens.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 13, "moves token 0 over one link"},

    {"empty-file.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 1, "round,from,to,token"},
    {"bad-header.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 1, "round,from,to,token"},
    {"spaced-header.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 1, "round,from,to,token"},
    {"carriage-return.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 2, "carriage return"},
    {"round-zero.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 2, "rounds count from 1"},
    {"bad-node.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 4, "node 4 does not exist"},
    {"bad-token.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 4, "token 4 does not exist"},
    {"no-such-link.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 4, "no link from node 2 to node 1"},
    {"three-columns.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 6, "four numbers"},
    {"five-columns.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 6, "unexpected \",2\""},
    {"negative-number.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 6, "a number is expected (token)"},
    {"spaces.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 6, "a number is expected (node)"},
    {"quotes.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 6, "a number is expected (token)"},
    {"empty-line.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 6, "a number is expected (round)"},
    {"rounds-fall.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 7, "round 1 after round 2"},
    {"absurd-round.csv", GFAB_FAULT_NONE, GFAB_ERR_LIMIT, 13, "round 4000000000"},
    {"truncated-mid-line.csv", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 13, "does not end in LF"},
    {"period-groups-meet.gfs", GFAB_FAULT_LINK_BUSY, GFAB_OK, 2, "block 0 of group 1, whose round 1 it is, meet at"},
    {"period-half-duplex.gfs", GFAB_FAULT_LINK_BUSY, GFAB_OK, 2, "block 0 of group 1, whose round 1 it is, meet at"},
    {"period-group-incomplete.gfs", GFAB_FAULT_INCOMPLETE, GFAB_OK, 3, "group 0 alone: after round 3: 1 delivery is"},
    {"period-zero.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 11, "period is 0; at least 1"},
    {"period-missing.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 11, "\"period\" and a value are expected here"},
    {"period-too-long.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 11, "larger than 16777216 (period)"},
    {"period-group-zero.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 12, "group is 0; at least 1"},
    {"period-group-missing.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 12, "\"group\" and a value are expected here"},
    {"period-group-of-other-nodes.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 11, "groups of 4 blocks on 3 nodes"},
    {"period-of-a-barrier.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 11, "barrier does not repeat"},
    {"period-of-packets-of-two.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 12, "has packets of one token over one link"},
    {"period-circuit.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 13, "has packets of one token over one link"},
    {"period-packet-of-two.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 16, "moves one token over one link"},
    {"period-block-beyond-group.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 18,
     "token 2 does not exist; a group has 0 to 1"},
    {"period-too-many-rounds.gfs", GFAB_FAULT_NONE, GFAB_ERR_LIMIT, 9, "the last group would begin after round"},
    {"period-blocks-some.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 9, "a number is expected (blocks)"},
    {"period-blocks-no-multiple.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 9, "all-gather of 10 blocks on 3 nodes"},
    {"period-combines-all-gather.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 15, "a number is expected (token)"},
    {"blocks-any-without-period.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 9, "a number is expected (blocks)"},
    {"period-in-version-2.gfs", GFAB_FAULT_NONE, GFAB_ERR_PARSE, 11, "\"rounds\" and a value are expected here"},
};

const std::string reject_folder = GFAB_SOURCE_DIR "/tests/reject/";

class RejectTest : public testing::TestWithParam<Reject>
{
};

TEST_P(RejectTest, IsRejectedForItsFault)
{
    const Reject &want = GetParam();
    const std::string name = want.file;
    const File file(std::fopen((reject_folder + name).c_str(), "rb"));
    ASSERT_TRUE(file);
    Topology asked = parse("mesh:2x2");
    gfab_topology *read = nullptr;
    gfab_schedule *schedule = nullptr;
    gfab_diag diag{};
    gfab_model m = gfab_model_default();
    const bool csv = name.substr(name.size() - 4) == ".csv";
    const gfab_status status =
        csv ? gfab_schedule_read_csv(file.get(), asked.get(), &m, nullptr, nullptr, &schedule, &diag)
            : gfab_schedule_read(file.get(), nullptr, &read, &schedule, &diag);
    const Topology owned_topology(read);
    const Schedule owned_schedule(schedule);
    ASSERT_EQ(status, want.status) << diag.message;
    if (status != GFAB_OK) {
        EXPECT_EQ(diag.line, want.where) << diag.message;
        EXPECT_NE(std::string(diag.message).find(want.words), std::string::npos) << diag.message;
        EXPECT_EQ(schedule, nullptr);
        EXPECT_EQ(read, nullptr);
        return;
    }
    m = *gfab_schedule_model(schedule);
    const bool own = csv || want.fault == GFAB_FAULT_WRONG_TOPOLOGY;
    const gfab_verify_report r = verify(own ? asked.get() : read, m, schedule);
    EXPECT_EQ(r.fault, want.fault) << r.message;
    EXPECT_EQ(r.round, want.where) << r.message;
    EXPECT_NE(std::string(r.message).find(want.words), std::string::npos) << r.message;
}

std::string case_name(const testing::TestParamInfo<Reject> &info)
{
    std::string name = info.param.file;
    for (char &c : name)
        if (c == '-' || c == '.')
            c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Files, RejectTest, testing::ValuesIn(rejects), case_name);

TEST(RejectFolder, EveryScheduleFileIsExpected)
{
    std::set<std::string> known, found;
    for (const Reject &r : rejects)
        known.insert(r.file);
    for (const auto &entry : std::filesystem::directory_iterator(reject_folder))
        if (entry.path().extension() == ".gfs" || entry.path().extension() == ".csv")
            found.insert(entry.path().filename().string());
    EXPECT_EQ(found, known);
}

} // namespace
