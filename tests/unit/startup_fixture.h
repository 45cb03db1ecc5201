// SPDX-License-Identifier: MIT
// What the tests of solvers with startup costs share: the model, the price told beforehand, and the price of the
// schedule.
#ifndef GFAB_TESTS_STARTUP_FIXTURE_H
#define GFAB_TESTS_STARTUP_FIXTURE_H

#include "fixture.h"

#include <string>

inline gfab_model circuit(gfab_port_mode ports = GFAB_PORT_ALL)
{
    gfab_model model = gfab_model_default();
    model.link_mode = GFAB_LINK_FULL;
    model.port_mode = ports;
    model.routing = GFAB_ROUTING_CIRCUIT;
    model.packet_tokens = GFAB_MAX_NODES;
    return model;
}

// A way to ask a solver: its name, startup ("50", "1/3"), settings, model.
struct Ask {
    std::string solver, startup, settings;
    gfab_model model = circuit();

    gfab_solver_options options() const
    {
        gfab_solver_options options = gfab_solver_options_default();
        gfab_diag diag{};
        options.linear = true;
        EXPECT_EQ(gfab_ratio_parse(startup.c_str(), &options.startup, &diag), GFAB_OK) << diag.message;
        options.parameters = settings.empty() ? nullptr : settings.c_str();
        return options;
    }
    gfab_status cost(const Topology &topology, gfab_cost *cost, gfab_diag *diag = nullptr) const
    {
        const gfab_solver_options how = options();
        return gfab_solver_find(solver.c_str())->cost(topology.get(), &model, &how, cost, diag);
    }
    gfab_cost cost(const Topology &topology) const
    {
        gfab_cost told{};
        gfab_diag diag{};
        EXPECT_EQ(cost(topology, &told, &diag), GFAB_OK) << *this << diag.message;
        return told;
    }
    // In units of a token's transfer; exact below 2^53.
    double total(const Topology &topology) const
    {
        const gfab_cost told = cost(topology);
        const gfab_ratio startup_ratio = options().startup;
        return static_cast<double>(told.startups) * static_cast<double>(startup_ratio.numerator) /
                   static_cast<double>(startup_ratio.denominator) +
               static_cast<double>(told.transfers) / told.parts;
    }
    Schedule solve(const Topology &topology) const
    {
        gfab_schedule *schedule = nullptr;
        gfab_diag diag{};
        const gfab_solver_options how = options();
        EXPECT_EQ(gfab_solver_find(solver.c_str())->solve(topology.get(), &model, &how, &schedule, &diag), GFAB_OK)
            << *this << diag.message;
        return Schedule(schedule);
    }
    friend std::ostream &operator<<(std::ostream &out, const Ask &ask)
    {
        return out << ask.solver << " r=" << ask.startup << " " << ask.settings << " "
                   << gfab_port_mode_name(ask.model.port_mode) << "-port: ";
    }
};

// What the checker finds in a schedule, against the price told: empty if it is a gossip of just that price.
inline std::string against(const Topology &topology, const gfab_model &model, const Schedule &schedule,
                           const gfab_cost &told)
{
    gfab_verify_report report{};
    if (gfab_verify(topology.get(), &model, schedule.get(), nullptr, &report) != GFAB_OK)
        return report.message;
    if (report.startups == told.startups && report.transfers == told.transfers && report.parts == told.parts)
        return "";
    return "told " + std::to_string(told.startups) + " r + " + std::to_string(told.transfers) + " / " +
           std::to_string(told.parts) + ", but it is " + std::to_string(report.startups) + " r + " +
           std::to_string(report.transfers) + " / " + std::to_string(report.parts);
}

inline void expect_as_told(const Ask &ask, const std::string &spec)
{
    const Topology topology = parse(spec);
    const gfab_cost told = ask.cost(topology);
    EXPECT_EQ(against(topology, ask.model, ask.solve(topology), told), "") << ask << spec;
}

inline std::string refusal(const Ask &ask, const std::string &spec)
{
    const Topology topology = parse(spec);
    gfab_cost told{};
    gfab_diag diag{};
    EXPECT_NE(ask.cost(topology, &told, &diag), GFAB_OK) << ask << spec;
    gfab_schedule *schedule = nullptr;
    const gfab_solver_options how = ask.options();
    EXPECT_NE(gfab_solver_find(ask.solver.c_str())->solve(topology.get(), &ask.model, &how, &schedule, nullptr),
              GFAB_OK);
    EXPECT_EQ(schedule, nullptr);
    return diag.message;
}

#endif
