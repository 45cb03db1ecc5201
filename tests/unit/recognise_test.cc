// SPDX-License-Identifier: MIT
// Graphs under other numbers are recognised, and get the schedules of their families.
#include "collective_fixture.h"
#include "extent.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace
{

Topology graph_of(size_t nodes, const Links &links)
{
    std::string spec = "graph:" + std::to_string(nodes) + ":";
    for (size_t l = 0; l < links.size(); l++)
        spec += (l ? "," : "") + std::to_string(links[l].first) + "-" + std::to_string(links[l].second);
    return parse(spec);
}

// Under numbers drawn at random.
Topology renumber(const Topology &topology, unsigned seed)
{
    const size_t nodes = gfab_topology_node_count(topology.get());
    std::vector<uint32_t> number(nodes);
    std::iota(number.begin(), number.end(), 0u);
    std::shuffle(number.begin(), number.end(), std::mt19937(seed));
    Links links = links_of(topology);
    for (auto &link : links)
        link = {number[link.first], number[link.second]};
    return graph_of(nodes, links);
}

struct Recognition : gfab_recognition {
    explicit Recognition(const Topology &topology)
    {
        EXPECT_EQ(gfab_topology_recognise(topology.get(), nullptr, this), GFAB_OK);
    }
    Recognition(const Recognition &) = delete;
    ~Recognition() { gfab_recognition_release(this); }
    std::vector<std::string> names() const
    {
        std::vector<std::string> all;
        for (size_t i = 0; i < count; i++)
            all.push_back(gfab_topology_spec(at[i].topology));
        return all;
    }
};

bool is_image(const Topology &from, const gfab_topology *to, const uint32_t *image)
{
    bool is = false;
    EXPECT_EQ(gfab_topology_is_image(from.get(), to, image, &is), GFAB_OK);
    return is;
}

const char *const every_family[] = {
    "path:2",        "path:9",       "cycle:3",     "cycle:40",           "mesh:2x3",    "mesh:3x3",
    "mesh:2x2x3",    "mesh:5x7",     "mesh:3x4x5",  "mesh:15x15",         "torus:3x3",   "torus:2x3",
    "torus:2x4x5",   "torus:9x12",   "torus:20x20", "torus:3x4x5",        "complete:4",  "complete:9",
    "hypercube:3",   "hypercube:5",  "hypercube:9", "knoedel:4",          "knoedel:9",   "knoedel:3,20",
    "ccc:3",         "ccc:7",        "butterfly:3", "butterfly:6",        "debruijn:3",  "debruijn:7",
    "star:4",        "star:6",       "pancake:4",   "shuffle-exchange:3", "pancake:6",   "torus:4x4x4",
    "torus:3x3x3x3", "mesh:3x3x3x3", "debruijn:10", "shuffle-exchange:7", "hypercube:11"};

TEST(Recognise, EveryFamilyUnderAnyNumbers)
{
    for (const char *const spec : every_family) {
        const Topology family = parse(spec);
        for (unsigned seed = 1; seed <= 5; seed++) {
            const Topology graph = renumber(family, seed);
            const Recognition found(graph);
            const std::vector<std::string> names = found.names();
            EXPECT_EQ(std::count(names.begin(), names.end(), spec), 1) << spec << ", seed " << seed;
            EXPECT_FALSE(found.gave_up) << spec;
            for (size_t i = 0; i < found.count; i++)
                EXPECT_TRUE(is_image(graph, found.at[i].topology, found.at[i].image)) << spec << " as " << names[i];
        }
    }
}

TEST(Recognise, SeveralNamesOfOneGraph)
{
    const std::vector<std::string> cube = {"torus:4x4", "hypercube:4"};
    EXPECT_EQ(Recognition(renumber(parse("mesh:2x2x2x2"), 1)).names(), cube);
    const std::vector<std::string> ring = {"cycle:6", "star:3", "pancake:3", "knoedel:2,6"};
    EXPECT_EQ(Recognition(renumber(parse("cycle:6"), 1)).names(), ring);
    const std::vector<std::string> torus = {"torus:4x5"};
    EXPECT_EQ(Recognition(renumber(parse("torus:2x2x5"), 1)).names(), torus);
    EXPECT_LE(Recognition(renumber(parse("path:2"), 1)).count, size_t{GFAB_RECOGNISE_MAX_NAMES});
}

// Mutant: two links exchange ends. Nodes, links and degrees stay what they were.
TEST(Recognise, NotWithLinksMoved)
{
    for (const char *const spec : every_family) {
        const Topology family = parse(spec);
        const size_t nodes = gfab_topology_node_count(family.get());
        if (nodes < 20)
            continue;
        Links links = links_of(renumber(family, 1));
        bool moved = false;
        for (size_t b = 1; b < links.size() && !moved; b++) {
            const auto has = [&](uint32_t u, uint32_t v) {
                return u == v || std::count(links.begin(), links.end(), std::pair(u, v)) ||
                       std::count(links.begin(), links.end(), std::pair(v, u));
            };
            if (has(links[0].first, links[b].second) || has(links[b].first, links[0].second))
                continue;
            std::swap(links[0].second, links[b].second);
            moved = true;
        }
        ASSERT_TRUE(moved) << spec;
        gfab_topology *graph = nullptr;
        std::string text = "graph:" + std::to_string(nodes) + ":";
        for (size_t l = 0; l < links.size(); l++)
            text += (l ? "," : "") + std::to_string(links[l].first) + "-" + std::to_string(links[l].second);
        if (gfab_topology_parse(text.c_str(), &graph, nullptr) != GFAB_OK)
            continue; // a path or ring fell apart
        const Topology mutant(graph);
        const Recognition found(mutant);
        const std::vector<std::string> names = found.names();
        EXPECT_EQ(std::count(names.begin(), names.end(), spec), 0) << spec;
        EXPECT_FALSE(found.gave_up) << spec;
    }
}

TEST(Recognise, OnlyGraphsGivenByTheirLinks)
{
    EXPECT_EQ(Recognition(parse("mesh:4x4")).count, 0u);
    EXPECT_EQ(Recognition(parse("hypercube:4")).count, 0u);
    EXPECT_EQ(Recognition(parse("random:n=64,m=128,seed=1")).count, 0u);
    EXPECT_EQ(Recognition(renumber(parse("random:n=64,m=128,seed=1"), 1)).count, 0u);
    EXPECT_EQ(Recognition(parse("graph:4:0-1,1-2,2-3,0-3")).count, 3u);
    EXPECT_EQ(Recognition(parse("mesh:3x3+drop-node=4")).names().front(), "cycle:8");
}

TEST(Recognise, LargeGraphsAreNotLookedAt)
{
    Links links;
    for (uint32_t v = 0; v < GFAB_RECOGNISE_MAX_NODES; v++)
        links.emplace_back(v, v + 1);
    const Recognition found(graph_of(GFAB_RECOGNISE_MAX_NODES + 1, links));
    EXPECT_EQ(found.count, 0u);
    EXPECT_TRUE(found.gave_up);
    links.pop_back();
    EXPECT_EQ(Recognition(graph_of(GFAB_RECOGNISE_MAX_NODES, links)).count, 1u);
}

TEST(Recognise, Stops)
{
    const gfab_progress stop = {[](void *, const char *, unsigned long long, unsigned long long) { return 0; },
                                nullptr};
    gfab_recognition found;
    EXPECT_EQ(gfab_topology_recognise(renumber(parse("torus:5x5"), 1).get(), &stop, &found), GFAB_ERR_INTERRUPTED);
    EXPECT_EQ(found.count, 0u);
}

TEST(Recognise, WrongImages)
{
    const Topology graph = renumber(parse("torus:5x6"), 1);
    const Recognition found(graph);
    ASSERT_EQ(found.count, 1u);
    uint32_t *image = found.at[0].image;
    std::swap(image[3], image[4]); // a permutation, but not of links into links
    EXPECT_FALSE(is_image(graph, found.at[0].topology, image));
    gfab_solver_options options = gfab_solver_options_default();
    const gfab_model model = gfab_model_default();
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    options.recognition = &found;
    EXPECT_EQ(gfab_solve(gfab_solver_find("auto"), graph.get(), &model, &options, &made, nullptr, &diag),
              GFAB_ERR_FAULT);
    EXPECT_EQ(made, nullptr);
    std::swap(image[3], image[4]);
    EXPECT_TRUE(is_image(graph, found.at[0].topology, image));
    const uint32_t kept = image[3];
    image[3] = image[4]; // one node twice
    EXPECT_FALSE(is_image(graph, found.at[0].topology, image));
    image[3] = 30; // no node
    EXPECT_FALSE(is_image(graph, found.at[0].topology, image));
    image[3] = kept;
    EXPECT_FALSE(is_image(graph, parse("mesh:5x6").get(), image));
}

// Solves by gfab_solve, verifies, and gives the rounds; 0 and the status where there is none.
struct Solved {
    Schedule schedule;
    gfab_status status;
    std::string like;
    uint32_t rounds() const { return schedule ? gfab_schedule_rounds(schedule.get()) : 0; }
};

Solved solve(const Topology &topology, const gfab_recognition *recognition, const gfab_model &model,
             gfab_solver_options options, const char *solver = "auto")
{
    gfab_schedule *made = nullptr;
    const gfab_likeness *like = nullptr;
    gfab_diag diag{};
    options.recognition = recognition;
    const gfab_status status =
        gfab_solve(gfab_solver_find(solver), topology.get(), &model, &options, &made, &like, &diag);
    Solved solved{Schedule(made), status, like ? gfab_topology_spec(like->topology) : ""};
    if (made) {
        gfab_verify_report report{};
        EXPECT_EQ(gfab_verify(topology.get(), &model, made, nullptr, &report), GFAB_OK) << report.message;
        EXPECT_EQ(gfab_schedule_topology(made), topology.get());
    }
    return solved;
}

gfab_model model_of(gfab_link_mode link, gfab_port_mode port, uint32_t packet)
{
    return {link, port, packet, 1, GFAB_ROUTING_STORE_AND_FORWARD};
}

// In as many rounds as under its own name.
void expect_same_rounds(const char *spec, const gfab_model &model, unsigned seeds, gfab_solver_options options)
{
    const Topology family = parse(spec);
    const Solved own = solve(family, nullptr, model, options);
    ASSERT_EQ(own.status, GFAB_OK) << spec;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        const Topology graph = renumber(family, seed);
        const Recognition found(graph);
        const Solved other = solve(graph, &found, model, options);
        ASSERT_EQ(other.status, GFAB_OK) << spec;
        EXPECT_LE(other.rounds(), own.rounds())
            << spec << ", " << gfab_model_symbol(&model) << ", " << model.packet_tokens << " tokens a packet";
        EXPECT_NE(other.like, "") << spec;
    }
}

struct Case {
    const char *spec;
    bool quick; // in the models of one token a packet, too
};

// Five sets of numbers, and in `make test-large` all models.
TEST(Recognise, AsManyRoundsAsUnderTheirNames)
{
    const Case cases[] = {{"torus:20x20", true},         {"torus:9x12", true}, {"mesh:15x15", true},
                          {"debruijn:7", false},         {"knoedel:9", false}, {"hypercube:9", false},
                          {"shuffle-exchange:7", false}, {"ccc:7", false}};
    const bool large = extent(0, 1) != 0;
    for (const Case &c : cases) {
        const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(parse(c.spec).get()));
        gfab_solver_options options = gfab_solver_options_default();
        options.effort = 1;
        for (const gfab_link_mode link : {GFAB_LINK_HALF, GFAB_LINK_FULL})
            for (const gfab_port_mode port : {GFAB_PORT_ALL, GFAB_PORT_ONE})
                for (const uint32_t packet : {1u, 4u, nodes}) {
                    const bool telephone = link == GFAB_LINK_FULL && port == GFAB_PORT_ONE && packet == nodes;
                    const bool plain = port == GFAB_PORT_ALL && packet == 1;
                    if (large || telephone || (c.quick && plain))
                        expect_same_rounds(c.spec, model_of(link, port, packet), 5, options);
                }
    }
}

// Owners, roots and loads are right under the graph's numbers: the checker asks for these.
TEST(Recognise, EveryCollective)
{
    for (const char *const spec : {"torus:4x5", "mesh:3x4", "hypercube:3", "ccc:3"}) {
        const Topology family = parse(spec);
        const Topology graph = renumber(family, 7);
        const Recognition found(graph);
        ASSERT_GE(found.count, 1u);
        const uint32_t nodes = static_cast<uint32_t>(gfab_topology_node_count(graph.get()));
        for (int i = 0; i < GFAB_COLLECTIVES; i++) {
            const gfab_collective collective = static_cast<gfab_collective>(i);
            for (const uint32_t times : {1u, 2u}) {
                gfab_goal goal = goal_on(graph, collective);
                if (times == 2 && (collective == GFAB_BARRIER || collective == GFAB_ALL_TO_ALL))
                    continue;
                goal.blocks = collective == GFAB_ALL_REDUCE ? nodes / times + 1 : times * goal.blocks;
                goal.root = gfab_collective_has_root(collective) ? nodes - 2 : 0;
                gfab_solver_options options = gfab_solver_options_default();
                options.goal = &goal;
                options.effort = 1;
                const Solved solved = solve(graph, &found, links(GFAB_LINK_FULL), options);
                ASSERT_EQ(solved.status, GFAB_OK) << spec << ", " << gfab_collective_name(collective);
                EXPECT_NE(solved.like, "") << spec;
                const gfab_goal made = gfab_schedule_goal(solved.schedule.get());
                EXPECT_TRUE(gfab_goal_equal(&made, &goal)) << spec << ", " << gfab_collective_name(collective);
            }
        }
    }
}

TEST(Recognise, LoadsAndBroadcasts)
{
    const Topology graph = renumber(parse("mesh:4x5"), 3);
    const Recognition found(graph);
    const gfab_model telephone = model_of(GFAB_LINK_FULL, GFAB_PORT_ONE, 40);
    gfab_solver_options options = gfab_solver_options_default();
    std::vector<uint32_t> load(20);
    std::iota(load.begin(), load.end(), 0u); // node v has v tokens
    options.load = load.data();
    const Solved uneven = solve(graph, &found, telephone, options);
    ASSERT_EQ(uneven.status, GFAB_OK);
    for (uint32_t v = 0; v < 20; v++)
        EXPECT_EQ(gfab_schedule_first_token(uneven.schedule.get(), v + 1) -
                      gfab_schedule_first_token(uneven.schedule.get(), v),
                  v);
    options.load = nullptr;
    std::vector<uint32_t> rounds(20), plain(20);
    uint32_t worst = 0, plain_worst = 0;
    gfab_diag diag{};
    const gfab_solver *broadcast = gfab_solver_find("broadcast");
    ASSERT_EQ(gfab_broadcast_survey(graph.get(), &telephone, broadcast, &options, plain.data(), &plain_worst, &diag),
              GFAB_OK);
    options.recognition = &found;
    ASSERT_EQ(gfab_broadcast_survey(graph.get(), &telephone, broadcast, &options, rounds.data(), &worst, &diag),
              GFAB_OK);
    EXPECT_EQ(rounds[worst], *std::max_element(rounds.begin(), rounds.end()));
    EXPECT_EQ(rounds, plain); // both find the shortest on so small a mesh
}

TEST(Recognise, SolversThatTakeNoneOfTheNames)
{
    const Topology graph = renumber(parse("debruijn:4"), 1);
    const Recognition found(graph);
    EXPECT_EQ(solve(graph, &found, gfab_model_default(), gfab_solver_options_default(), "torus-tree").status,
              GFAB_ERR_UNSUPPORTED);
    const Topology torus = renumber(parse("torus:5x5"), 1);
    const Recognition is_torus(torus);
    EXPECT_EQ(solve(torus, &is_torus, gfab_model_default(), gfab_solver_options_default(), "torus-tree").like,
              "torus:5x5");
    EXPECT_EQ(solve(torus, nullptr, gfab_model_default(), gfab_solver_options_default(), "torus-tree").status,
              GFAB_ERR_UNSUPPORTED);
}

// Packets over paths, tokens in parts, and the linear cost in place of rounds.
TEST(Recognise, Circuits)
{
    const Topology graph = renumber(parse("cycle:16"), 1);
    const Recognition found(graph);
    gfab_model circuit = model_of(GFAB_LINK_FULL, GFAB_PORT_ALL, 64);
    circuit.routing = GFAB_ROUTING_CIRCUIT;
    gfab_solver_options options = gfab_solver_options_default();
    options.linear = true;
    options.startup = {10, 1};
    const Solved own = solve(parse("cycle:16"), nullptr, circuit, options);
    const Solved other = solve(graph, &found, circuit, options);
    ASSERT_EQ(other.status, GFAB_OK);
    EXPECT_EQ(gfab_schedule_parts(other.schedule.get()), gfab_schedule_parts(own.schedule.get()));
    EXPECT_LE(other.rounds(), own.rounds());
    EXPECT_EQ(gfab_schedule_move_count(other.schedule.get()), gfab_schedule_move_count(own.schedule.get()));
}

} // namespace
