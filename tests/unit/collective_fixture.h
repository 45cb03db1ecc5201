// SPDX-License-Identifier: MIT
// Goals, and what solvers make of them.
#ifndef GFAB_TESTS_COLLECTIVE_FIXTURE_H
#define GFAB_TESTS_COLLECTIVE_FIXTURE_H

#include "fixture.h"

#include <string>
#include <vector>

inline gfab_model links(gfab_link_mode mode, uint32_t hop_rounds = 1)
{
    gfab_model model = gfab_model_default();
    model.link_mode = mode;
    model.hop_rounds = hop_rounds;
    return model;
}

// With blocks 0: as many as the collective needs.
inline gfab_goal goal_on(const Topology &topology, gfab_collective collective, uint32_t blocks = 0,
                         bool idempotent = false)
{
    gfab_goal goal{};
    gfab_diag diag{};
    EXPECT_EQ(gfab_goal_of(collective, gfab_topology_member_count(topology.get()), &goal, &diag), GFAB_OK)
        << diag.message;
    goal.blocks = blocks ? blocks : goal.blocks;
    goal.idempotent = goal.idempotent || idempotent;
    return goal;
}

inline gfab_verify_report checked(const Schedule &schedule, const gfab_model *model = nullptr)
{
    gfab_verify_report report{};
    gfab_verify(gfab_schedule_topology(schedule.get()), model ? model : gfab_schedule_model(schedule.get()),
                schedule.get(), nullptr, &report);
    return report;
}

// What a repeating schedule plays, each group's packets on their own; any other schedule as it is.
inline Schedule unrolled(const Schedule &schedule)
{
    gfab_schedule *made = nullptr;
    const gfab_goal goal = gfab_schedule_goal(schedule.get());
    EXPECT_EQ(gfab_schedule_create(gfab_schedule_topology(schedule.get()), gfab_schedule_model(schedule.get()), &made),
              GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_goal(made, &goal, nullptr), GFAB_OK);
    EXPECT_EQ(gfab_schedule_append_all(made, schedule.get()), GFAB_OK);
    return Schedule(made);
}

// A verified schedule; NULL where the solver makes none, with its status and what it says.
struct Made {
    Schedule schedule;
    gfab_status status;
    std::string says;
    uint32_t rounds() const { return schedule ? gfab_schedule_rounds(schedule.get()) : 0; }
};

inline Made make(const char *solver, const Topology &topology, const gfab_model &model, const gfab_goal &goal,
                 uint32_t effort = 0)
{
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    gfab_solver_options options = gfab_solver_options_default();
    options.goal = &goal;
    options.effort = effort;
    const gfab_status status = gfab_solver_find(solver)->solve(topology.get(), &model, &options, &made, &diag);
    EXPECT_EQ(status == GFAB_OK, static_cast<bool>(made));
    Made result{Schedule(made), status, diag.message};
    if (made) {
        EXPECT_TRUE(gfab_goal_equal(&goal, &static_cast<const gfab_goal &>(gfab_schedule_goal(made))));
        EXPECT_EQ(checked(result.schedule).fault, GFAB_FAULT_NONE)
            << gfab_topology_spec(topology.get()) << ": " << checked(result.schedule).message;
        if (gfab_schedule_period(made) > 0 && gfab_schedule_packet_count(made) <= 1u << 17) {
            const Schedule whole = unrolled(result.schedule);
            EXPECT_EQ(gfab_schedule_rounds(whole.get()), gfab_schedule_rounds(made));
            EXPECT_EQ(checked(whole).fault, GFAB_FAULT_NONE)
                << gfab_topology_spec(topology.get()) << ": " << checked(whole).message;
        }
    }
    return result;
}

inline uint64_t bound_on(const Topology &topology, const gfab_model &model, const gfab_goal &goal)
{
    gfab_bound bounds[GFAB_MAX_BOUNDS];
    size_t count = 0;
    EXPECT_EQ(gfab_bound_goal(topology.get(), &model, &goal, nullptr, bounds, &count), GFAB_OK);
    return bounds[0].rounds;
}

// A packet of one token over one link.
struct Step {
    uint32_t round;
    gfab_arc arc;
    uint32_t token;
};

inline std::vector<Step> steps_of(const Schedule &schedule)
{
    std::vector<Step> steps;
    for (uint32_t round = 1; round <= gfab_schedule_rounds(schedule.get()); round++) {
        gfab_packet_iter at = gfab_schedule_round(schedule.get(), round);
        for (gfab_packet packet; gfab_packet_next(&at, &packet);)
            for (size_t i = 0; i < packet.token_count; i++)
                steps.push_back({round, packet.arcs[packet.arc_count - 1], packet.tokens[i]});
    }
    return steps;
}

// The schedule of these steps, which fall in no round.
inline Schedule rebuilt(const Schedule &like, const std::vector<Step> &steps, const gfab_goal *goal = nullptr)
{
    gfab_schedule *made = nullptr;
    const gfab_goal own = gfab_schedule_goal(like.get());
    EXPECT_EQ(gfab_schedule_create(gfab_schedule_topology(like.get()), gfab_schedule_model(like.get()), &made),
              GFAB_OK);
    EXPECT_EQ(gfab_schedule_set_goal(made, goal ? goal : &own, nullptr), GFAB_OK);
    for (const Step &step : steps)
        EXPECT_EQ(gfab_schedule_append(made, step.round, step.arc, step.token), GFAB_OK);
    return Schedule(made);
}

// The solver ends, and gives nothing, at the first report that says so: the one after so many.
inline void expect_interrupted(const char *solver, const Topology &topology, const gfab_model &model,
                               const gfab_goal &goal, int reports)
{
    int left = reports;
    const gfab_progress progress{[](void *context, const char *, unsigned long long, unsigned long long) {
                                     return (*static_cast<int *>(context))-- > 0 ? 1 : 0;
                                 },
                                 &left};
    gfab_solver_options options = gfab_solver_options_default();
    options.goal = &goal;
    options.progress = &progress;
    gfab_schedule *made = nullptr;
    EXPECT_EQ(gfab_solver_find(solver)->solve(topology.get(), &model, &options, &made, nullptr), GFAB_ERR_INTERRUPTED);
    EXPECT_EQ(made, nullptr);
    EXPECT_EQ(left, -1);
}

#endif
