// SPDX-License-Identifier: MIT
// What the checker says of contributions, against a replay of sets of nodes, block by block, written for this test: on
// schedules of solvers and random ones, and on thousands that differ from one in a few steps.
#include "collective_fixture.h"
#include "extent.h"

#include <algorithm>
#include <map>
#include <random>

namespace
{

// The round of the first fault, 0 for none; if it is that totals lack something, how many do.
struct Verdict {
    uint32_t round;
    uint64_t missing;
    bool operator==(const Verdict &other) const { return round == other.round && missing == other.missing; }
};

std::ostream &operator<<(std::ostream &out, const Verdict &verdict)
{
    return out << "round " << verdict.round << ", missing " << verdict.missing;
}

// The round in which a block goes wrong; 0 if it does not, and then the sets that are left. At most 64 nodes.
uint32_t replay(const gfab_topology *t, const gfab_goal &goal, uint32_t hop, const std::vector<Step> &steps,
                std::vector<uint64_t> *sets)
{
    std::vector<uint32_t> changed(sets->size(), 0);
    std::vector<bool> stores(sets->size()), empty(sets->size());
    for (uint32_t v = 0; v < sets->size(); v++)
        empty[v] = (*sets)[v] == 0;
    for (size_t first = 0, end; first < steps.size(); first = end) {
        const uint32_t round = steps[first].round;
        const std::vector<uint64_t> before = *sets;
        const std::vector<uint32_t> was = changed;
        const std::vector<bool> none = empty;
        for (end = first; end < steps.size() && steps[end].round == round; end++) {
            const uint32_t from = gfab_topology_arc_from(t, steps[end].arc);
            const uint32_t to = gfab_topology_arc_to(t, steps[end].arc);
            const bool combine = steps[end].token & GFAB_COMBINE;
            if (none[from] || (was[from] > 0 && round < was[from] + hop) || (combine && empty[to]) ||
                (changed[to] == round && (stores[to] || !combine)) ||
                (combine && !goal.idempotent && ((*sets)[to] & before[from])))
                return round;
            (*sets)[to] = before[from] | (combine ? (*sets)[to] : 0);
            changed[to] = round;
            stores[to] = !combine;
            empty[to] = false;
        }
    }
    return 0;
}

Verdict expected(const Schedule &schedule)
{
    const gfab_topology *t = gfab_schedule_topology(schedule.get());
    const gfab_goal goal = gfab_schedule_goal(schedule.get());
    std::vector<uint64_t> own(gfab_topology_node_count(t), 0);
    uint64_t all = 0;
    for (uint32_t v = 0; v < own.size(); v++)
        all |= own[v] = gfab_topology_is_relay(t, v) ? 0 : uint64_t{1} << v;
    std::map<uint32_t, std::vector<Step>> of_block;
    for (const Step &step : steps_of(schedule))
        of_block[step.token & ~GFAB_COMBINE].push_back(step);
    Verdict verdict{0, 0};
    for (uint32_t block = 0; block < goal.blocks; block++) {
        std::vector<uint64_t> sets = own;
        const uint32_t round = replay(t, goal, gfab_schedule_model(schedule.get())->hop_rounds, of_block[block], &sets);
        if (round > 0 && (verdict.round == 0 || round < verdict.round))
            verdict.round = round;
        for (uint32_t v = 0; v < sets.size() && round == 0; v++)
            verdict.missing += gfab_goal_node_wants(&goal, t, v, block) && sets[v] != all;
    }
    if (verdict.round > 0)
        verdict.missing = 0;
    else if (verdict.missing > 0)
        verdict.round = gfab_schedule_rounds(schedule.get());
    return verdict;
}

// Another schedule: a step left out, doubled, at another time, of another block or way, or combined where it was
// stored and the other way round; or two that change their places.
std::vector<Step> mutated(std::vector<Step> steps, uint32_t blocks, uint32_t arcs, std::mt19937 *random)
{
    const auto below = [&](size_t n) { return static_cast<uint32_t>((*random)() % n); };
    if (steps.empty())
        return steps;
    const size_t at = below(steps.size());
    Step &step = steps[at];
    switch (below(7)) {
    case 0:
        steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(at));
        break;
    case 1:
        steps.push_back({step.round + below(4), step.arc, step.token});
        break;
    case 2:
        step.round = 1 + below(steps.back().round + 1);
        break;
    case 3:
        step.token = (step.token & GFAB_COMBINE) | below(blocks);
        break;
    case 4:
        step.arc = below(2) ? step.arc ^ 1 : below(arcs);
        break;
    case 5:
        std::swap(step.round, steps[below(steps.size())].round);
        break;
    default:
        step.token ^= GFAB_COMBINE;
        break;
    }
    std::stable_sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) { return a.round < b.round; });
    return steps;
}

// What the checker sees before it looks at contributions.
bool is_of_links(gfab_fault fault)
{
    return fault == GFAB_FAULT_LINK_BUSY || fault == GFAB_FAULT_PACKET_SIZE;
}

struct Count {
    uint32_t good, faulty, missing;
};

void compare(const Schedule &schedule, Count *count)
{
    const gfab_verify_report report = checked(schedule);
    if (is_of_links(report.fault))
        return;
    const Verdict verdict = expected(schedule);
    const Verdict said{report.fault == GFAB_FAULT_NONE ? 0 : report.round, report.missing};
    ASSERT_EQ(said, verdict) << gfab_topology_spec(gfab_schedule_topology(schedule.get())) << ": " << report.message;
    count->good += verdict.round == 0;
    count->faulty += verdict.round > 0;
    count->missing += verdict.missing > 0;
}

TEST(Contributions, OfSolvers)
{
    const struct {
        const char *spec, *solver;
        gfab_collective collective;
        uint32_t blocks, hop;
        gfab_link_mode mode;
        bool idempotent;
    } cases[] = {
        {"mesh:3x4", "reversed", GFAB_ALL_REDUCE, 0, 1, GFAB_LINK_HALF, false},
        {"mesh:3x4", "trees", GFAB_ALL_REDUCE, 3, 2, GFAB_LINK_FULL, false},
        {"torus:3x3", "reversed", GFAB_REDUCE_SCATTER, 0, 2, GFAB_LINK_FULL, false},
        {"cycle:6", "trees", GFAB_ALL_REDUCE, 1, 1, GFAB_LINK_FULL, false},
        {"path:5", "trees", GFAB_REDUCE, 2, 1, GFAB_LINK_HALF, false},
        {"debruijn:3", "reversed", GFAB_ALL_REDUCE, 0, 1, GFAB_LINK_HALF, true},
        {"mesh:2x4", "axes", GFAB_ALL_REDUCE, 3, 1, GFAB_LINK_FULL, false}, // both ends at once: no tree
        {"mesh:3x3+relay=4", "steiner", GFAB_ALL_REDUCE, 2, 1, GFAB_LINK_HALF, false},
    };
    std::mt19937 random(7);
    Count count{};
    for (const auto &c : cases) {
        const Topology topology = parse(c.spec);
        const auto arcs = static_cast<uint32_t>(2 * gfab_topology_link_count(topology.get()));
        const gfab_goal goal = goal_on(topology, c.collective, c.blocks, c.idempotent);
        const Made base = make(c.solver, topology, links(c.mode, c.hop), goal);
        ASSERT_TRUE(base.schedule) << c.spec << base.says;
        EXPECT_EQ(expected(base.schedule).round, 0u) << c.spec;
        for (uint32_t i = 0; i < extent(300, 20000) && !HasFatalFailure(); i++) {
            std::vector<Step> steps = steps_of(base.schedule);
            for (uint32_t many = 1 + random() % 2; many > 0; many--)
                steps = mutated(std::move(steps), goal.blocks, arcs, &random);
            compare(rebuilt(base.schedule, steps), &count);
        }
    }
    EXPECT_GT(count.faulty, 500u);
    EXPECT_GT(count.missing, 100u);
    EXPECT_GT(count.good, 50u); // a step later, or one that comes too late to matter
}

// Along a random tree to its root, and the total back where somebody wants it; a block after the other, some not moved.
std::vector<Step> grown(const Topology &topology, const gfab_goal &goal, uint32_t hop, std::mt19937 *random)
{
    const auto below = [&](size_t n) { return static_cast<uint32_t>((*random)() % n); };
    const auto arcs = static_cast<uint32_t>(2 * gfab_topology_link_count(topology.get()));
    const size_t nodes = gfab_topology_node_count(topology.get());
    std::vector<Step> steps;
    uint32_t round = 0;
    for (uint32_t block = 0; block < goal.blocks; block++) {
        if (below(4) == 0)
            continue;
        uint32_t root = below(nodes);
        for (uint32_t v = 0; v < nodes && goal.collective != GFAB_ALL_REDUCE; v++)
            root = gfab_goal_node_wants(&goal, topology.get(), v, block) ? v : root;
        std::vector<gfab_arc> tree; // from the root outwards
        std::vector<bool> there(nodes, false);
        there[root] = true;
        while (tree.size() + 1 < nodes) {
            const gfab_arc arc = below(arcs);
            const uint32_t from = gfab_topology_arc_from(topology.get(), arc);
            const uint32_t to = gfab_topology_arc_to(topology.get(), arc);
            if (there[from] && !there[to]) {
                there[to] = true;
                tree.push_back(arc);
            }
        }
        for (size_t i = tree.size(); i-- > 0;)
            steps.push_back({round += hop + below(2), tree[i] ^ 1, block | GFAB_COMBINE});
        for (size_t i = 0; i < tree.size() && goal.collective == GFAB_ALL_REDUCE; i++)
            steps.push_back({round += hop + below(2), tree[i], block});
    }
    return steps;
}

TEST(Contributions, OfRandomTrees)
{
    const char *const specs[] = {"path:3", "path:2", "cycle:4", "star:4", "mesh:2x3", "complete:4", "path:3+relay=1"};
    const gfab_collective collectives[] = {GFAB_ALL_REDUCE, GFAB_REDUCE, GFAB_REDUCE_SCATTER};
    std::mt19937 random(11);
    Count count{};
    for (const char *spec : specs) {
        const Topology topology = parse(spec);
        const auto arcs = static_cast<uint32_t>(2 * gfab_topology_link_count(topology.get()));
        for (uint32_t i = 0; i < extent(1500, 100000) && !HasFatalFailure(); i++) {
            const gfab_collective collective = collectives[random() % 3];
            const uint32_t hop = 1 + random() % 3;
            const gfab_model model = links(random() % 2 ? GFAB_LINK_HALF : GFAB_LINK_FULL, hop);
            const gfab_goal goal =
                goal_on(topology, collective, collective == GFAB_REDUCE_SCATTER ? 0 : 1 + random() % 4, i % 8 == 0);
            gfab_schedule *made = nullptr;
            ASSERT_EQ(gfab_schedule_create(topology.get(), &model, &made), GFAB_OK);
            const Schedule empty(made);
            std::vector<Step> steps = grown(topology, goal, hop, &random);
            for (uint32_t many = random() % 4; many > 0; many--)
                steps = mutated(std::move(steps), goal.blocks, arcs, &random);
            compare(rebuilt(empty, steps, &goal), &count);
        }
    }
    EXPECT_GT(count.faulty, 3000u);
    EXPECT_GT(count.missing, 1000u);
    EXPECT_GT(count.good, 500u);
}

// Blocks that nobody moves are counted, not replayed: reports are made for work.
TEST(Contributions, OfIdleBlocks)
{
    const Topology topology = parse("path:2");
    const gfab_model model = links(GFAB_LINK_HALF);
    const gfab_goal goal = goal_on(topology, GFAB_ALL_REDUCE, 3000000);
    gfab_schedule *made = nullptr;
    ASSERT_EQ(gfab_schedule_create(topology.get(), &model, &made), GFAB_OK);
    const Schedule empty(made);
    const Schedule schedule = rebuilt(empty, {{1, 0, GFAB_COMBINE | 7}, {2, 1, 7}, {3, 0, GFAB_COMBINE | 9}}, &goal);
    uint32_t reports = 0;
    const gfab_progress progress{[](void *context, const char *, unsigned long long, unsigned long long) {
                                     ++*static_cast<uint32_t *>(context);
                                     return 1;
                                 },
                                 &reports};
    gfab_verify_report report{};
    EXPECT_EQ(gfab_verify(topology.get(), &model, schedule.get(), &progress, &report), GFAB_ERR_FAULT);
    EXPECT_EQ(report.fault, GFAB_FAULT_PARTIAL_TOTAL);
    EXPECT_EQ(report.missing, 2 * 2999998u + 1); // block 7 is all there, node 0 has not got block 9's total
    EXPECT_LT(reports, 1000u);
}

} // namespace
