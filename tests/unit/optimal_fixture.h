// SPDX-License-Identifier: MIT
// What the tests of the constructions of docs/theory/optimal-gossip.md share.
#ifndef GFAB_TESTS_OPTIMAL_FIXTURE_H
#define GFAB_TESTS_OPTIMAL_FIXTURE_H

#include "fixture.h"

#include <cstdint>
#include <string>
#include <vector>

inline const gfab_model h_star = {GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
inline const gfab_model f_star = {GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};

inline std::string sides(const char *family, const std::vector<uint32_t> &of)
{
    std::string spec = family;
    for (size_t i = 0; i < of.size(); i++)
        spec += (i ? "x" : ":") + std::to_string(of[i]);
    return spec;
}

inline gfab_model with_hop_rounds(gfab_model model, uint32_t hop_rounds)
{
    model.hop_rounds = hop_rounds;
    return model;
}

inline Schedule solve(const char *solver, const Topology &on, const gfab_model &under)
{
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    const gfab_solver_options options = gfab_solver_options_default();
    EXPECT_EQ(gfab_solver_find(solver)->solve(on.get(), &under, &options, &made, &diag), GFAB_OK) << diag.message;
    return Schedule(made);
}

// A gossip in just these rounds, as promised, with no token sent twice to a node.
inline void expect_rounds(const char *solver, const std::string &spec, const gfab_model &under, uint64_t rounds)
{
    SCOPED_TRACE(std::string(solver) + " on " + spec + " " + gfab_model_symbol(&under));
    const Topology on = parse(spec);
    const Schedule schedule = solve(solver, on, under);
    ASSERT_NE(schedule, nullptr);
    gfab_verify_report report;
    ASSERT_EQ(gfab_verify(on.get(), &under, schedule.get(), nullptr, &report), GFAB_OK) << report.message;
    const uint64_t nodes = gfab_topology_node_count(on.get());
    EXPECT_EQ(report.rounds, rounds);
    EXPECT_EQ(report.moves, nodes * (nodes - 1));
    EXPECT_EQ(report.redundant, 0u);
    EXPECT_STREQ(gfab_schedule_solver(schedule.get()), solver);
    EXPECT_TRUE(gfab_model_equal(gfab_schedule_model(schedule.get()), &under));
    uint64_t promised = 0;
    EXPECT_EQ(gfab_solver_find(solver)->formula(on.get(), &under, &promised), GFAB_OK);
    EXPECT_EQ(promised, rounds);
}

inline uint64_t count_bound(const gfab_topology *on, const gfab_model &under)
{
    const uint64_t nodes = gfab_topology_node_count(on);
    const uint64_t packets = gfab_topology_link_count(on) * (under.link_mode == GFAB_LINK_FULL ? 2 : 1);
    return (nodes * (nodes - 1) + packets - 1) / packets;
}

#endif
