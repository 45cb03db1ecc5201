// SPDX-License-Identifier: MIT
// What search_test and search_large_test share: a solver's schedule, checked and held against the bound.
#ifndef GFAB_TESTS_SEARCH_FIXTURE_H
#define GFAB_TESTS_SEARCH_FIXTURE_H

#include "fixture.h"

inline gfab_model model_of(gfab_link_mode link_mode, uint32_t packet_tokens = 1, uint32_t hop_rounds = 1)
{
    return {link_mode, GFAB_PORT_ALL, packet_tokens, hop_rounds, GFAB_ROUTING_STORE_AND_FORWARD};
}

const gfab_model half = model_of(GFAB_LINK_HALF);
const gfab_model full = model_of(GFAB_LINK_FULL);

inline uint64_t bound_of(const Topology &topology, const gfab_model &model)
{
    gfab_bound bound{};
    EXPECT_EQ(gfab_bound_best(topology.get(), &model, nullptr, &bound), GFAB_OK);
    return bound.rounds;
}

// A gossip, no delivery made twice, in at most `above` rounds more than the lower bound.
inline void expect_solver(const char *solver, const std::string &spec, const gfab_model &model, uint64_t above = 0)
{
    SCOPED_TRACE(std::string(solver) + " on " + spec + ", p = " + std::to_string(model.packet_tokens) +
                 ", lambda = " + std::to_string(model.hop_rounds));
    const Topology topology = parse(spec);
    ASSERT_NE(topology, nullptr);
    const gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    ASSERT_EQ(gfab_solver_find(solver)->solve(topology.get(), &model, &options, &made, &diag), GFAB_OK) << diag.message;
    const Schedule schedule(made);
    gfab_verify_report report;
    ASSERT_EQ(gfab_verify(topology.get(), &model, schedule.get(), nullptr, &report), GFAB_OK) << report.message;
    EXPECT_EQ(report.redundant, 0u);
    EXPECT_LE(report.rounds, bound_of(topology, model) + above);
    EXPECT_STREQ(gfab_schedule_solver(schedule.get()), solver);
    EXPECT_TRUE(gfab_model_equal(gfab_schedule_model(schedule.get()), &model));
}

inline void expect_search(const std::string &spec, const gfab_model &model, uint64_t above = 0)
{
    expect_solver("search", spec, model, above);
}

inline std::string grid(const char *family, uint32_t rows, uint32_t columns)
{
    return std::string(family) + ":" + std::to_string(rows) + "x" + std::to_string(columns);
}

#endif
