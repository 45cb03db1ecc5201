// SPDX-License-Identifier: MIT
// Packets of several tokens: what solvers make of them, and what the SAT solver says can be.
#include "collective_fixture.h"
#include "extent.h"

#include <algorithm>

namespace
{

// Every solver that makes it, and auto, with one block and with as many as the collective needs. make() verifies.
void try_solvers(const Topology &topology, const gfab_model &model, gfab_collective collective, uint32_t *schedules)
{
    const gfab_solver *solver;
    std::vector<gfab_goal> goals = {goal_on(topology, collective)};
    if (collective != GFAB_ALL_GATHER && collective != GFAB_REDUCE_SCATTER && collective != GFAB_ALL_TO_ALL &&
        collective != GFAB_BARRIER)
        goals.push_back(goal_on(topology, collective, goals[0].blocks == 1 ? 3 : 1));
    for (const gfab_goal &goal : goals)
        for (size_t i = 0; (solver = gfab_solver_at(i)); i++) {
            const uint32_t makes = solver->collectives ? solver->collectives : GFAB_MAKES(GFAB_ALL_GATHER);
            if (!(makes & GFAB_MAKES(collective)) || solver->broadcasts ||
                gfab_solver_applies(solver, topology.get(), &model, nullptr) != GFAB_OK)
                continue;
            const Made made = make(solver->name, topology, model, goal, solver->on_request ? 1 : 0);
            EXPECT_NE(made.status, GFAB_ERR_FAULT) << solver->name << ": " << made.says;
            EXPECT_TRUE(made.schedule || std::string(solver->name) != "auto") << made.says;
            *schedules += made.schedule ? 1 : 0;
        }
}

TEST(Packets, OfSeveralTokens)
{
    const char *const specs[] = {"mesh:3x4",   "cycle:5",  "path:4",      "torus:3x3",  "debruijn:3",
                                 "mesh:2x2",   "path:2",   "hypercube:3", "mesh:2x2x2", "torus:4x4",
                                 "complete:5", "mesh:1x6", "star:4"};
    const uint32_t count = extent(4, sizeof specs / sizeof *specs);
    uint32_t schedules = 0;
    for (uint32_t s = 0; s < count; s++) {
        const Topology topology = parse(specs[s]);
        for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (uint32_t tokens = extent(2, 1); tokens <= extent(2, 3); tokens++)
                for (uint32_t c = 0; c < GFAB_COLLECTIVES; c++) {
                    SCOPED_TRACE(std::string(specs[s]) + " " + gfab_collective_name(static_cast<gfab_collective>(c)) +
                                 " " + gfab_link_mode_name(mode) + " " + std::to_string(tokens));
                    gfab_model model = links(mode);
                    model.packet_tokens = tokens;
                    try_solvers(topology, model, static_cast<gfab_collective>(c), &schedules);
                }
    }
    EXPECT_GT(schedules, 50 * count);
}

// A schedule of the SAT solver is one, whatever packets hold; and its rounds are the fewest.
TEST(Packets, Proofs)
{
    const struct {
        const char *spec;
        gfab_link_mode mode;
        gfab_collective collective;
        uint32_t blocks, tokens, fewest;
        bool translations;
    } cases[] = {
        {"path:3", GFAB_LINK_HALF, GFAB_ALL_REDUCE, 2, 2, 2, false},
        {"path:2", GFAB_LINK_HALF, GFAB_ALL_REDUCE, 2, 2, 2, false},
        {"path:2", GFAB_LINK_FULL, GFAB_ALL_REDUCE, 2, 2, 1, false},
        {"mesh:2x2", GFAB_LINK_HALF, GFAB_ALL_REDUCE, 4, 2, 4, false},
        {"cycle:5", GFAB_LINK_FULL, GFAB_REDUCE_SCATTER, 5, 2, 2, true},
        {"torus:3x3", GFAB_LINK_HALF, GFAB_ALL_REDUCE, 9, 2, 6, true},
    };
    for (const auto &c : cases) {
        const Topology topology = parse(c.spec);
        gfab_model model = links(c.mode);
        model.packet_tokens = c.tokens;
        const gfab_goal goal = goal_on(topology, c.collective, c.blocks);
        gfab_prove_options options = gfab_prove_options_default();
        options.translations = c.translations;
        for (uint32_t rounds = std::max(c.fewest - 1, 1u); rounds <= c.fewest; rounds++) {
            gfab_prove_report report{};
            gfab_schedule *made = nullptr;
            gfab_diag diag{};
            options.max_conflicts = c.translations ? 20000 : 0;
            ASSERT_EQ(gfab_prove_goal(topology.get(), &model, &goal, rounds, &options, &report, &made, &diag), GFAB_OK)
                << diag.message;
            const Schedule schedule(made);
            EXPECT_EQ(static_cast<bool>(made), rounds == c.fewest) << c.spec << " " << rounds;
            if (made) {
                EXPECT_EQ(checked(schedule).fault, GFAB_FAULT_NONE) << c.spec << ": " << checked(schedule).message;
            }
        }
    }
}

} // namespace
