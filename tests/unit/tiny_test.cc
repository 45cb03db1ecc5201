// SPDX-License-Identifier: MIT
// Every solver on every small graph: what its row says that it takes it makes right, or refuses. On graphs of two to
// four nodes all nodes may be the middle, a root or a leaf, rounds are fewer than a hop's, and blocks fewer than parts:
// what is derived for large graphs is wrong here first.
#include "collective_fixture.h"
#include "extent.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace
{

// Each connected graph of n nodes, a few times where symmetric: one for each set of links that joins all, up to the
// order of nodes' degrees.
std::vector<std::string> graphs_of(uint32_t nodes)
{
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t a = 0; a < nodes; a++)
        for (uint32_t b = a + 1; b < nodes; b++)
            pairs.emplace_back(a, b);
    std::vector<std::string> specs;
    std::set<std::vector<uint32_t>> seen;
    for (uint32_t set = 0; set < 1u << pairs.size(); set++) {
        std::vector<uint32_t> reached(nodes, 0), degree(nodes, 0);
        std::string spec = "graph:" + std::to_string(nodes) + ":";
        reached[0] = 1;
        for (uint32_t round = 0; round < nodes; round++)
            for (size_t i = 0; i < pairs.size(); i++)
                if (set >> i & 1 && (reached[pairs[i].first] || reached[pairs[i].second]))
                    reached[pairs[i].first] = reached[pairs[i].second] = 1;
        for (size_t i = 0; i < pairs.size(); i++)
            if (set >> i & 1) {
                spec += (spec.back() == ':' ? "" : ",") + std::to_string(pairs[i].first) + "-" +
                        std::to_string(pairs[i].second);
                degree[pairs[i].first]++;
                degree[pairs[i].second]++;
            }
        bool joined = true;
        for (const uint32_t node : reached)
            joined = joined && node;
        if (joined && seen.insert(degree).second)
            specs.push_back(spec);
    }
    return specs;
}

std::vector<size_t> degrees_of(const Topology &topology)
{
    std::vector<size_t> degrees(gfab_topology_node_count(topology.get()));
    for (size_t v = 0; v < degrees.size(); v++)
        gfab_topology_ports(topology.get(), v, &degrees[v]);
    std::sort(degrees.begin(), degrees.end());
    return degrees;
}

// Solves and verifies; false where the solver refuses.
bool solves(const gfab_solver *solver, const Topology &topology, const gfab_model &model, const gfab_goal *goal)
{
    gfab_solver_options options = gfab_solver_options_default();
    gfab_schedule *made = nullptr;
    gfab_diag diag{}, faulty{};
    options.goal = goal;
    options.most_ms = 10;
    options.faulty = &faulty;
    const gfab_status status = gfab_solve(solver, topology.get(), &model, &options, &made, nullptr, &diag);
    const std::string where = std::string(solver->name) + " on " + gfab_topology_name(topology.get()) + ", " +
                              (goal ? gfab_collective_name(goal->collective) : "gossip") + " of " +
                              std::to_string(goal ? goal->blocks : 0) + ", " + gfab_model_symbol(&model) + ", " +
                              std::to_string(model.hop_rounds) + " rounds a hop";
    EXPECT_STREQ(faulty.message, "") << where;
    EXPECT_TRUE(status == GFAB_OK || status == GFAB_ERR_UNSUPPORTED || status == GFAB_ERR_LIMIT)
        << where << ": " << gfab_status_string(status) << ", " << diag.message;
    const Schedule schedule(made);
    if (!schedule)
        return false;
    gfab_verify_report report{};
    EXPECT_EQ(gfab_verify(topology.get(), &model, made, nullptr, &report), GFAB_OK) << where << ": " << report.message;
    return true;
}

// In `make test` without those that search for seconds, and from three nodes on with packets of one token. In
// `make test-large` with them, on five nodes for each list of degrees once: 19 of 322 graphs.
bool is_slow(const gfab_solver *solver)
{
    static const std::set<std::string> names = {"auto", "calls", "calls-beam", "flood", "reversed", "turns"};
    return names.count(solver->name);
}

void try_all(const Topology &topology, const gfab_model &model, bool quick, bool slow_ones, uint64_t *made)
{
    const gfab_solver *solver;
    for (size_t i = 0; (solver = gfab_solver_at(i)); i++) {
        if (solver->on_request || (!slow_ones && is_slow(solver)) ||
            gfab_solver_applies(solver, topology.get(), &model, nullptr) != GFAB_OK)
            continue;
        if (!solver->broadcasts)
            *made += solves(solver, topology, model, nullptr);
        for (uint32_t c = 0; c < GFAB_COLLECTIVES; c++) {
            if (!(solver->collectives & GFAB_MAKES(c)))
                continue;
            gfab_goal goal = goal_on(topology, static_cast<gfab_collective>(c));
            const bool one = c == GFAB_BARRIER || c == GFAB_ALL_TO_ALL;
            for (const uint32_t blocks : {goal.blocks, 1u, 2u, 3u, 8u}) {
                goal.blocks = blocks;
                if (gfab_goal_check(&goal, gfab_topology_member_count(topology.get()), nullptr) == GFAB_OK)
                    *made += solves(solver, topology, model, &goal);
                if (one || (quick && blocks == 2))
                    break;
            }
        }
    }
}

TEST(Tiny, EverySolverIsRightOrRefuses)
{
    uint64_t made = 0;
    std::set<std::vector<size_t>> seen;
    for (uint32_t nodes = 2; nodes <= extent(4, 5); nodes++)
        for (const std::string &spec : graphs_of(nodes)) {
            const Topology topology = parse(spec);
            const bool quick = !extent(0, 1);
            const bool slow_ones = !quick && (nodes < 5 || seen.insert(degrees_of(topology)).second);
            for (const gfab_link_mode mode : {GFAB_LINK_HALF, GFAB_LINK_FULL})
                for (const gfab_port_mode ports : {GFAB_PORT_ALL, GFAB_PORT_ONE})
                    for (const uint32_t hop : {1u, 2u}) {
                        gfab_model model = links(mode, hop);
                        model.port_mode = ports;
                        try_all(topology, model, quick, slow_ones, &made);
                        if (hop > 1 || (quick && nodes > 2))
                            continue;
                        model.packet_tokens = 100;
                        try_all(topology, model, quick, slow_ones, &made);
                        model.routing = GFAB_ROUTING_CIRCUIT;
                        try_all(topology, model, quick, slow_ones, &made);
                    }
        }
    EXPECT_GT(made, 1000u);
    RecordProperty("made", static_cast<int>(made));
}

} // namespace
