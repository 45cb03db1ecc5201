// SPDX-License-Identifier: MIT
// The constructions of docs/theory/optimal-gossip.md: the torus tree and the comb. What the page calls a lemma is
// asserted here on the running construction, by its number.
#include "extent.h"
#include "fixture.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using Tree = Owner<gfab_relative_tree, gfab_relative_tree_destroy>;
using Steps = std::vector<gfab_relative_step>;

const gfab_model h_star = {GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model f_star = {GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};

std::string sides(const char *family, const std::vector<uint32_t> &of)
{
    std::string spec = family;
    for (size_t i = 0; i < of.size(); i++)
        spec += (i ? "x" : ":") + std::to_string(of[i]);
    return spec;
}

gfab_model with_hop_rounds(gfab_model model, uint32_t hop_rounds)
{
    model.hop_rounds = hop_rounds;
    return model;
}

Schedule solve(const char *solver, const Topology &on, const gfab_model &under)
{
    gfab_schedule *made = nullptr;
    gfab_diag diag{};
    const gfab_solver_options options = gfab_solver_options_default();
    EXPECT_EQ(gfab_solver_find(solver)->solve(on.get(), &under, &options, &made, &diag), GFAB_OK) << diag.message;
    return Schedule(made);
}

// A gossip in just these rounds, as promised, with no token sent twice to a node.
void expect_rounds(const char *solver, const std::string &spec, const gfab_model &under, uint64_t rounds)
{
    SCOPED_TRACE(std::string(solver) + " on " + spec + " " + gfab_model_symbol(&under));
    const Topology on = parse(spec);
    const Schedule schedule = solve(solver, on, under);
    ASSERT_NE(schedule, nullptr);
    gfab_verify_report report;
    ASSERT_EQ(gfab_verify(on.get(), &under, schedule.get(), &report), GFAB_OK) << report.message;
    const uint64_t nodes = gfab_topology_node_count(on.get());
    EXPECT_EQ(report.rounds, rounds);
    EXPECT_EQ(report.moves, nodes * (nodes - 1));
    EXPECT_EQ(report.redundant, 0u);
    EXPECT_STREQ(gfab_schedule_solver(schedule.get()), solver);
    EXPECT_TRUE(gfab_model_equal(gfab_schedule_model(schedule.get()), &under));
    uint64_t promised = 0;
    EXPECT_TRUE(gfab_solver_find(solver)->formula(on.get(), &under, &promised));
    EXPECT_EQ(promised, rounds);
}

// ---- The torus tree ----

uint64_t count_bound(const gfab_topology *on, const gfab_model &under)
{
    const uint64_t nodes = gfab_topology_node_count(on);
    const uint64_t packets = gfab_topology_link_count(on) * (under.link_mode == GFAB_LINK_FULL ? 2 : 1);
    return (nodes * (nodes - 1) + packets - 1) / packets;
}

uint32_t neighbour(const gfab_topology *on, uint32_t node, size_t axis, unsigned direction)
{
    uint32_t stride = 1;
    for (size_t d = gfab_topology_dimensions(on); --d > axis;)
        stride *= gfab_topology_side(on, d);
    const uint32_t side = gfab_topology_side(on, axis), c = node / stride % side;
    return node - c * stride + (c + (direction ? side - 1 : 1)) % side * stride;
}

// What is wrong with a tree; "" if nothing is.
std::string fault_of(const gfab_topology *on, const gfab_model &under, const Steps &steps)
{
    const size_t nodes = gfab_topology_node_count(on);
    if (steps.size() != nodes - 1)
        return "not one step an offset";
    std::vector<int64_t> since(nodes, INT64_MAX); // the round from which an offset may send
    since[0] = 1;
    for (size_t i = 0; i < steps.size(); i++) {
        const gfab_relative_step &s = steps[i];
        const bool full = under.link_mode == GFAB_LINK_FULL;
        if (i && (steps[i - 1].round > s.round ||
                  (steps[i - 1].round == s.round && steps[i - 1].link_class >= s.link_class)))
            return "not in order, or a class twice in a round";
        for (size_t j = 0; j < i && j < 64; j++) {
            const gfab_relative_step &t = steps[i - 1 - j];
            const bool same_way = t.axis == s.axis && (!full || t.direction == s.direction);
            if (same_way != (t.link_class == s.link_class))
                return "a class is not an axis, or an axis and a direction";
        }
        if (s.from >= nodes || s.to >= nodes || s.axis >= gfab_topology_dimensions(on) || s.direction > 1 ||
            neighbour(on, s.from, s.axis, s.direction) != s.to)
            return "a step does not go where it says";
        if (since[s.from] > s.round)
            return "an offset sends too early";
        if (since[s.to] != INT64_MAX)
            return "an offset is reached twice";
        since[s.to] = int64_t{s.round} + under.hop_rounds;
    }
    return "";
}

Tree tree_of(const Topology &on, const gfab_model &under)
{
    gfab_relative_tree *tree = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_relative_tree_create(on.get(), &under, &tree, &diag), GFAB_OK) << diag.message;
    return Tree(tree);
}

Steps steps_of(const Tree &tree)
{
    size_t count = 0;
    const gfab_relative_step *steps = gfab_relative_tree_steps(tree.get(), &count);
    return Steps(steps, steps + count);
}

uint32_t tree_rounds(const Topology &on, const gfab_model &under)
{
    const Tree tree = tree_of(on, under);
    const Steps steps = steps_of(tree);
    EXPECT_EQ(fault_of(on.get(), under, steps), "");
    EXPECT_EQ(steps.back().round, gfab_relative_tree_rounds(tree.get()));
    return gfab_relative_tree_rounds(tree.get());
}

class Shard : public testing::TestWithParam<uint32_t>
{
};

// The tests over all sides take every eighth each, so that ctest can run them side by side.
INSTANTIATE_TEST_SUITE_P(EveryEighth, Shard, testing::Range(2u, 10u));

// Theorem 1.
TEST_P(Shard, TorusTreesOfTwoAxesMeetTheCountBound)
{
    for (uint32_t m = GetParam(); m <= 64; m += 8)
        for (uint32_t n = 3; m >= 3 && n <= 64; n++) {
            const Topology on = parse(sides("torus", {m, n}));
            EXPECT_EQ(tree_rounds(on, h_star), m * n / 2) << m << "x" << n;
            EXPECT_EQ(tree_rounds(on, f_star), (m * n + 2) / 4) << m << "x" << n;
        }
}

TEST(TorusTree, MoreAxesMeetTheCountBound)
{
    std::vector<std::vector<uint32_t>> shapes = {{3, 3, 3, 3}, {4, 4, 4, 4}, {3, 4, 5, 3}, {3, 3, 3, 3, 3},
                                                 {16, 16, 16}, {7},          {8},          {1, 5, 1, 6},
                                                 {3, 3, 50},   {50, 3, 3}};
    for (uint32_t a = 3; a <= 7; a++)
        for (uint32_t b = 3; b <= 7; b++)
            for (uint32_t c = 3; c <= 7; c++)
                shapes.push_back({a, b, c});
    for (const auto &shape : shapes) {
        const Topology on = parse(sides("torus", shape));
        for (const gfab_model &under : {h_star, f_star})
            EXPECT_EQ(tree_rounds(on, under), count_bound(on.get(), under)) << gfab_topology_name(on.get());
    }
}

TEST(TorusTree, SidesOfTwoInFullDuplex)
{
    for (const char *spec : {"torus:2x2", "torus:2x5", "torus:2x2x2", "torus:2x4x3", "torus:2x2x2x2x2x2"}) {
        const Topology on = parse(spec);
        expect_rounds("torus-tree", spec, f_star, count_bound(on.get(), f_star));
    }
}

TEST(TorusTree, ASchedulesMovesAreTranslates)
{
    for (uint32_t m = 3; m <= 10; m++)
        for (uint32_t n = 3; n <= 10; n++) {
            expect_rounds("torus-tree", sides("torus", {m, n}), h_star, m * n / 2);
            expect_rounds("torus-tree", sides("torus", {m, n}), f_star, (m * n + 2) / 4);
        }
    for (const char *spec : {"torus:4x4x4x4", "cycle:9", "torus:1x7", "torus:32x32"})
        for (const gfab_model &under : {h_star, f_star}) {
            const Topology on = parse(spec);
            expect_rounds("torus-tree", spec, under, count_bound(on.get(), under));
        }
    for (uint32_t a = 3; a <= 7; a++)
        for (uint32_t b = 3; b <= 7; b++)
            for (uint32_t c = 3; c <= 7; c++) {
                expect_rounds("torus-tree", sides("torus", {a, b, c}), h_star, (a * b * c + 1) / 3);
                expect_rounds("torus-tree", sides("torus", {a, b, c}), f_star, (a * b * c + 4) / 6);
            }
}

TEST(TorusTree, HopsOfSeveralRounds)
{
    for (const char *spec : {"torus:8x8", "torus:3x3", "torus:5x7", "torus:4x4x4", "cycle:11", "torus:16x16"}) {
        const Topology on = parse(spec);
        uint32_t diameter = 0;
        ASSERT_EQ(gfab_topology_diameter(on.get(), &diameter), GFAB_OK);
        for (const gfab_model &base : {h_star, f_star})
            for (uint32_t lambda : {2u, 3u, 4u, 8u}) {
                const gfab_model under = with_hop_rounds(base, lambda);
                const uint32_t rounds = tree_rounds(on, under);
                EXPECT_LE(rounds, count_bound(on.get(), base) + (lambda - 1) * (diameter - 1)) << spec << lambda;
                expect_rounds("torus-tree", spec, under, rounds);
            }
    }
    // Rounds in which nothing can move are in no list, and too many of them are refused.
    const Topology on = parse("cycle:7");
    const Tree slow = tree_of(on, with_hop_rounds(f_star, 1000));
    EXPECT_EQ(gfab_relative_tree_rounds(slow.get()), 2001u);
    EXPECT_EQ(gfab_relative_tree_step(slow.get(), 500, 0), nullptr);
    gfab_relative_tree *none = nullptr;
    const gfab_model endless = with_hop_rounds(f_star, UINT32_MAX);
    EXPECT_EQ(gfab_relative_tree_create(on.get(), &endless, &none, nullptr), GFAB_ERR_LIMIT);
    EXPECT_EQ(none, nullptr);
}

TEST(TorusTree, LargeTori)
{
    const Topology on = parse("torus:1024x1024");
    EXPECT_EQ(tree_rounds(on, h_star), 524288u);
    EXPECT_EQ(tree_rounds(on, f_star), 262144u);
}

TEST(TorusTree, AStepByRoundAndClass)
{
    const Topology on = parse("torus:4x5");
    for (const gfab_model &under : {h_star, f_star}) {
        const Tree tree = tree_of(on, under);
        EXPECT_EQ(gfab_relative_tree_class_count(tree.get()), under.link_mode == GFAB_LINK_FULL ? 4u : 2u);
        Steps found;
        for (uint32_t round = 1; round <= gfab_relative_tree_rounds(tree.get()); round++)
            for (size_t c = 0; c < gfab_relative_tree_class_count(tree.get()); c++)
                if (const gfab_relative_step *step = gfab_relative_tree_step(tree.get(), round, c)) {
                    EXPECT_EQ(step->round, round);
                    EXPECT_EQ(step->link_class, c);
                    found.push_back(*step);
                }
        EXPECT_EQ(fault_of(on.get(), under, found), "");
    }
}

TEST(TorusTree, FaultyTreesAreSeen)
{
    const Topology on = parse("torus:4x5");
    const Steps good = steps_of(tree_of(on, h_star));
    EXPECT_EQ(fault_of(on.get(), with_hop_rounds(h_star, 4), good), "an offset sends too early");
    EXPECT_EQ(fault_of(on.get(), f_star, good), "a class is not an axis, or an axis and a direction");
    Steps bad(good.begin(), good.end() - 1);
    EXPECT_EQ(fault_of(on.get(), h_star, bad), "not one step an offset");
    bad = good;
    bad[5].to = bad[5].to == 19 ? 0 : bad[5].to + 1;
    EXPECT_EQ(fault_of(on.get(), h_star, bad), "a step does not go where it says");
    bad = good;
    bad[3].round = bad[2].round;
    bad[3].link_class = bad[2].link_class;
    EXPECT_EQ(fault_of(on.get(), h_star, bad), "not in order, or a class twice in a round");
    bad = good;
    bad.back() = bad[0];
    bad.back().round = good.back().round + 1;
    EXPECT_EQ(fault_of(on.get(), h_star, bad), "an offset is reached twice");
}

TEST(TorusTree, RefusesWhatItIsNotFor)
{
    const struct {
        const char *spec;
        gfab_model under;
    } cases[] = {{"mesh:4x4", h_star},
                 {"path:5", f_star},
                 {"torus:2x4", h_star},
                 {"torus:4x4", {GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD}},
                 {"torus:4x4", {GFAB_LINK_HALF, GFAB_PORT_ALL, 2, 1, GFAB_ROUTING_STORE_AND_FORWARD}}};
    for (const auto &c : cases) {
        const Topology on = parse(c.spec);
        gfab_diag diag{};
        gfab_relative_tree *tree = nullptr;
        uint64_t rounds = 0;
        EXPECT_EQ(gfab_relative_tree_create(on.get(), &c.under, &tree, &diag), GFAB_ERR_UNSUPPORTED) << c.spec;
        EXPECT_EQ(tree, nullptr);
        EXPECT_NE(std::string(diag.message).find("torus-tree"), std::string::npos) << diag.message;
        EXPECT_EQ(gfab_solver_find("torus-tree")->applies(on.get(), &c.under, nullptr), GFAB_ERR_UNSUPPORTED);
        EXPECT_FALSE(gfab_solver_find("torus-tree")->formula(on.get(), &c.under, &rounds));
    }
}

// ---- The comb ----

std::string square(uint32_t n)
{
    return sides("mesh", {n, n});
}

TEST_P(Shard, CombMeetsTheCountBound)
{
    for (uint32_t n = GetParam(); n <= extent(40, 64); n += 8)
        expect_rounds("comb", square(n), h_star, n * (n + 1) / 2);
}

using Round = std::vector<gfab_solver_move>;

// Replays a comb line by line and says which lemma of docs/theory/optimal-gossip.md it breaks.
class Lemmas
{
  public:
    explicit Lemmas(uint32_t side)
        : n(side), m(side / 2), links(side - 1), item_of(2 * n * n * n, -1), items(2 * n), crossed(2 * n * links),
          busy(2 * n * links), teeth(2 * n * n), tooth_rounds(2 * n * n), spine_rounds(2 * n * n)
    {
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n; b++)
                for (uint32_t at = 0; at < n; at++)
                    add_items(a, b, at);
        for (uint32_t line = 0; line < 2 * n; line++)
            for (uint32_t k = 1; k < n; k++)
                crossed[index(line, k)].resize(items[line].size());
    }

    void round(uint32_t number, const Round &moves)
    {
        rounds = number;
        require(moves.size() == 2 * n * links, "Theorem 2: a link rests", number);
        for (const gfab_solver_move &move : moves) {
            const uint32_t line = move.arc / 2 / links, k = move.arc / 2 % links + 1, up = move.arc % 2 == 0;
            require(busy[index(line, k)].size() < number, "a link is used twice", number);
            busy[index(line, k)].resize(number);
            enter(number, line, k, up, move.token);
        }
    }

    std::string end()
    {
        require(rounds == n * (n + 1) / 2, "Theorem 2: rounds", rounds);
        for (uint32_t line = 0; line < 2 * n && fault.empty(); line++)
            check_line(line);
        return fault;
    }

  private:
    struct Item {
        uint32_t entry, release;
        bool trunk;
    };
    enum Kind { REST, PATH, TOOTH };

    uint32_t n, m, links;
    uint32_t rounds = 0;
    std::string fault;
    std::vector<int> item_of;                        // [line * n * n + token]
    std::vector<std::vector<Item>> items;            // [line]
    std::vector<std::vector<uint32_t>> crossed;      // [link][item]: round, or 0
    std::vector<std::vector<uint8_t>> busy;          // [link][round - 1]: a Kind
    std::vector<std::array<uint32_t, 2>> teeth;      // [line * n + position]: from below, from above
    std::vector<std::vector<uint32_t>> tooth_rounds; // [line * n + position]: when teeth came
    std::vector<std::vector<uint32_t>> spine_rounds; // [line * n + position]: when spine tokens of others came

    size_t index(uint32_t line, uint32_t k) const { return line * links + k - 1; }
    bool column(uint32_t line) const { return line >= n; }
    uint32_t number_of(uint32_t line) const { return column(line) ? line - n : line; }

    void require(bool holds, const char *what, uint32_t number)
    {
        if (!holds && fault.empty())
            fault = std::string(what) + ", n " + std::to_string(n) + ", round " + std::to_string(number);
    }

    uint32_t spine_parity(uint32_t a, uint32_t b) const
    {
        if ((a + b) % 2)
            return a % 2;
        if (n % 2 == 0)
            return b % 2;
        return b == 0 ? 0 : 1 - b % 2;
    }

    // The trunk of (a, b), once, and the spine that crosses it at `at`, if there is one.
    void add_items(uint32_t a, uint32_t b, uint32_t at)
    {
        const bool row_trunk = (a + b) % 2 == 0;
        const uint32_t trunk = row_trunk ? a : n + b, source = row_trunk ? b : a, crossing = row_trunk ? a : b;
        const uint32_t token = a * n + b;
        if (at == source)
            add_item(trunk, token, {source, 0, true});
        if (at % 2 == spine_parity(a, b))
            add_item(row_trunk ? n + at : at, token, {crossing, at > source ? at - source : source - at, false});
    }

    void add_item(uint32_t line, uint32_t token, Item item)
    {
        item_of[line * n * n + token] = static_cast<int>(items[line].size());
        items[line].push_back(item);
    }

    void enter(uint32_t number, uint32_t line, uint32_t k, bool up, uint32_t token)
    {
        const uint32_t to = up ? k : k - 1;
        const int at = item_of[line * n * n + token];
        if (at < 0) {
            const uint32_t a = token / n, b = token % n;
            require(((a + b) % 2 == 0) != column(line) && number_of(line) != (column(line) ? b : a) &&
                        to % 2 != spine_parity(a, b),
                    "Trees: a move is no trunk, spine or tooth", number);
            busy[index(line, k)].back() = TOOTH;
            teeth[line * n + to][up ? 0 : 1]++;
            tooth_rounds[line * n + to].push_back(number);
            return;
        }
        const Item item = items[line][static_cast<size_t>(at)];
        uint32_t &when = crossed[index(line, k)][static_cast<size_t>(at)];
        require(when == 0, "Trees: a token crosses a link of its path twice", number);
        require((item.entry < k) == up, "Trees: a token moves towards its entry", number);
        when = number;
        busy[index(line, k)].back() = PATH;
        if (item.trunk)
            require(number == (up ? to - item.entry : item.entry - to), "Lemma 1: a trunk token is late", number);
        else
            spine_rounds[line * n + to].push_back(number);
    }

    // How many path tokens a line has, by the table.
    uint32_t path_count(uint32_t line) const
    {
        if (n % 2 == 0)
            return m * m + m;
        return (m + 1) * (m + 1) - (!column(line) && line % 2 == 1);
    }

    std::array<uint32_t, 2> quotas(uint32_t line, uint32_t j) const
    {
        const uint32_t r = j / 2, o = j % 2, odd = number_of(line) % 2;
        if (n % 2 == 0)
            return odd == column(line) ? std::array<uint32_t, 2>{r * m, m * (m - r - o)}
                                       : std::array<uint32_t, 2>{(r + o) * m, m * (m - 1 - r)};
        if (!odd)
            return {(r + o) * m, m * (m - r)};
        if (column(line))
            return {r * (m + 1), (m + 1) * (m - r - o)};
        return {r * (m + 1) + o, o ? m * m - r * (m + 1) : (m + 1) * (m - r)};
    }

    // Links from k to the nearest middle one: m, and m + 1 where n is odd.
    uint32_t to_middle(uint32_t k) const { return k <= m ? m - k : k - m - n % 2; }

    void check_line(uint32_t line)
    {
        const uint32_t size = path_count(line);
        require(items[line].size() == size, "Table: path tokens of a line", 0);
        // idle[k][t]: rounds up to t in which link k carries no path token although some have not crossed; finish[k].
        std::vector<std::vector<uint32_t>> idle(n);
        std::vector<uint32_t> finish(n);
        for (uint32_t k = 1; k < n; k++) {
            const std::vector<uint32_t> &when = crossed[index(line, k)];
            finish[k] = *std::max_element(when.begin(), when.end());
            idle[k].resize(rounds + 1);
            for (uint32_t t = 1; t <= rounds; t++)
                idle[k][t] = idle[k][t - 1] + (t < finish[k] && busy[index(line, k)][t - 1] != PATH);
        }
        for (uint32_t k = 1; k < n; k++) {
            for (uint32_t t = 1; t < finish[k] && fault.empty(); t++)
                if (idle[k][t] > idle[k][t - 1])
                    check_idle(line, k, t, idle, finish);
            require(idle[k][finish[k]] <= to_middle(k), "Lemma 5: a link idles too often", finish[k]);
            require(finish[k] <= size + to_middle(k), "Lemma 5: a line ends late", finish[k]);
            const uint32_t border = std::min(k, n - k), early = std::min(rounds, 4 * m + 3);
            if (n >= 32)
                require(idle[k][early] <= (border < 8 ? 8 - border : 0), "Lemma 6: a link idles early", early);
        }
        for (uint32_t j = 0; j < n; j++)
            require(teeth[line * n + j] == quotas(line, j), "Table: teeth into a position", 0);
        for (uint32_t k = 1; n >= 32 && k < n; k++)
            check_good_end(line, k);
    }

    void check_idle(uint32_t line, uint32_t k, uint32_t t, const std::vector<std::vector<uint32_t>> &idle,
                    const std::vector<uint32_t> &finish)
    {
        require(t >= n, "Lemma 2: a link idles in the first n - 1 rounds", t);
        for (uint32_t j : {k - 1, k + 1})
            if (j > 0 && j < n) {
                require(finish[j] > t - 1, "Lemma 3: a link idles beside one that has ended", t);
                require(idle[j][t - 1] >= idle[k][t - 1], "Lemma 3: a link idles more than its neighbour", t);
            }
        require(to_middle(k) > 0, "Lemma 5: a middle link idles", t);
        for (const Item &item : items[line]) {
            // The item's entry is `away` links beyond the end of link k that lies outwards.
            const bool below = item.entry < k;
            if (item.trunk || (below ? 2 * (k - 1) >= n : 2 * (k + 1) <= n))
                continue;
            const uint32_t away = below ? k - 1 - item.entry : item.entry - k, ends = below ? k : n - k;
            if (2 * away < t + ends - n && item.release + away + 1 <= t) {
                const uint32_t when = crossed[index(line, k)][static_cast<size_t>(&item - items[line].data())];
                require(when > 0 && when < t, "Lemma 4: a token that came early enough has not crossed", t);
            }
        }
    }

    // Lemma 7: while path tokens move anywhere, the good end of a link knows more teeth than the other end has got.
    void check_good_end(uint32_t line, uint32_t k)
    {
        const uint32_t own = number_of(line) % 2;
        const uint32_t parity = n % 2 == 0 ? 1 - (own ^ (column(line) ? 1u : 0u)) : own;
        const uint32_t good = k % 2 == parity ? k : k - 1, other = 2 * k - 1 - good;
        const uint32_t crossing = column(line) ? good : n + good, last = (m + 1) * (m + 1) + m - 1;
        const std::vector<uint32_t> &known = spine_rounds[crossing * n + number_of(line)];
        const std::vector<uint32_t> &got = tooth_rounds[line * n + other];
        size_t knows = 0, has = 0;
        for (uint32_t t = n; t <= last; t++) {
            while (knows < known.size() && known[knows] < t)
                knows++;
            while (has < got.size() && got[has] < t)
                has++;
            require(knows > has + 1 || busy[index(line, k)][t - 1] == PATH, "Lemma 7: teeth are short", t);
        }
    }
};

gfab_status enter_round(void *context, uint32_t round, const gfab_solver_move *moves, size_t count)
{
    static_cast<Lemmas *>(context)->round(round, Round(moves, moves + count));
    return GFAB_OK;
}

gfab_status stream(uint32_t n, const gfab_solver_sink &sink, const gfab_progress *progress = nullptr)
{
    const Topology on = parse(square(n));
    gfab_solver_options options = gfab_solver_options_default();
    options.progress = progress;
    return gfab_solver_find("comb")->stream(on.get(), &h_star, &options, &sink, nullptr);
}

TEST_P(Shard, CombLemmas)
{
    for (uint32_t n = GetParam(); n <= extent(32, 64); n += 8) {
        if (n > 40 && n != 46 && n != 51 && n != 64)
            continue;
        Lemmas lemmas(n);
        ASSERT_EQ(stream(n, {enter_round, &lemmas}), GFAB_OK);
        EXPECT_EQ(lemmas.end(), "");
    }
}

gfab_status keep_round(void *context, uint32_t, const gfab_solver_move *moves, size_t count)
{
    static_cast<std::vector<Round> *>(context)->emplace_back(moves, moves + count);
    return GFAB_OK;
}

std::vector<Round> comb_rounds(uint32_t n)
{
    std::vector<Round> rounds;
    EXPECT_EQ(stream(n, {keep_round, &rounds}), GFAB_OK);
    return rounds;
}

std::string fault_of(uint32_t n, const std::vector<Round> &rounds)
{
    Lemmas lemmas(n);
    for (size_t i = 0; i < rounds.size(); i++)
        lemmas.round(static_cast<uint32_t>(i + 1), rounds[i]);
    return lemmas.end();
}

TEST(Comb, BrokenLemmasAreSeen)
{
    const std::vector<Round> good = comb_rounds(8);
    ASSERT_EQ(good.size(), 36u);
    EXPECT_EQ(fault_of(8, good), "");
    std::vector<Round> bad = good;
    bad[20].pop_back();
    EXPECT_EQ(fault_of(8, bad), "Theorem 2: a link rests, n 8, round 21");
    bad = good;
    bad[20][5] = bad[20][6];
    EXPECT_EQ(fault_of(8, bad), "a link is used twice, n 8, round 21");
    bad = good;
    bad[0][0].token = 63;
    EXPECT_EQ(fault_of(8, bad), "Trees: a move is no trunk, spine or tooth, n 8, round 1");
    bad = good;
    std::swap(bad[1], bad[2]);
    EXPECT_EQ(fault_of(8, bad), "Lemma 1: a trunk token is late, n 8, round 2");
}

// The comb with some spine tokens of a link, from a round on, put off to the last rounds, where it has teeth.
std::vector<Round> put_off(uint32_t n, uint32_t line, uint32_t k, uint32_t from, uint32_t count)
{
    std::vector<Round> rounds = comb_rounds(n);
    const size_t link = line * (n - 1) + k - 1;
    for (size_t at = from - 1, last = rounds.size() - 1; count > 0; at++) {
        const uint32_t token = rounds[at][link].token;
        if ((token / n + token % n) % 2 == (line < n ? 1 : 0)) {
            std::swap(rounds[at][link], rounds[last--][link]);
            count--;
        }
    }
    return rounds;
}

// Lemma 6 follows from lemmas 2 to 4, so that nothing breaks it alone.
TEST(Comb, PathTokensPutOffAreSeen)
{
    const struct {
        uint32_t n, line, k, from, count;
        const char *fault;
    } cases[] = {{8, 0, 2, 5, 1, "Lemma 2: a link idles in the first n - 1 rounds, n 8, round 6"},
                 {8, 9, 4, 8, 1, "Lemma 5: a middle link idles, n 8, round 8"},
                 {8, 0, 3, 8, 1, "Lemma 4: a token that came early enough has not crossed, n 8, round 8"},
                 {8, 0, 3, 12, 3, "Lemma 3: a link idles more than its neighbour, n 8, round 13"},
                 {32, 33, 1, 1, 60, "Lemma 7: teeth are short, n 32, round 33"}};
    for (const auto &c : cases)
        EXPECT_EQ(fault_of(c.n, put_off(c.n, c.line, c.k, c.from, c.count)), c.fault);
}

TEST(Comb, StreamsWhatItSolves)
{
    for (uint32_t n : {2u, 3u, 9u, 12u}) {
        const std::vector<Round> rounds = comb_rounds(n);
        const Topology on = parse(square(n));
        const Schedule schedule = solve("comb", on, h_star);
        ASSERT_EQ(rounds.size(), gfab_schedule_rounds(schedule.get()));
        for (uint32_t round = 1; round <= rounds.size(); round++) {
            gfab_packet_iter at = gfab_schedule_round(schedule.get(), round);
            gfab_packet packet;
            for (const gfab_solver_move &move : rounds[round - 1]) {
                ASSERT_TRUE(gfab_packet_next(&at, &packet));
                EXPECT_EQ(packet.arcs[0], move.arc);
                EXPECT_EQ(packet.tokens[0], move.token);
            }
            EXPECT_FALSE(gfab_packet_next(&at, &packet));
        }
    }
}

gfab_status refuse_round(void *, uint32_t round, const gfab_solver_move *, size_t)
{
    return round < 3 ? GFAB_OK : GFAB_ERR_IO;
}

int count_reports(void *context, const char *, unsigned long long, unsigned long long)
{
    return ++*static_cast<int *>(context) < 5;
}

TEST(Comb, StopsWhenTold)
{
    EXPECT_EQ(stream(5, {refuse_round, nullptr}), GFAB_ERR_IO);
    int reports = 0;
    const gfab_progress progress = {count_reports, &reports};
    std::vector<Round> rounds;
    EXPECT_EQ(stream(5, {keep_round, &rounds}, &progress), GFAB_ERR_INTERRUPTED);
    EXPECT_EQ(rounds.size(), 5u);
}

TEST(Comb, SidesOfOneAreLeftOut)
{
    expect_rounds("comb", "mesh:4x1x4", h_star, 10);
    expect_rounds("comb", "mesh:1x5x5", h_star, 15);
    expect_rounds("comb", "torus:2x2", h_star, 3);
}

TEST(Comb, RefusesWhatItIsNotFor)
{
    const gfab_model others[] = {f_star,
                                 {GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD},
                                 {GFAB_LINK_HALF, GFAB_PORT_ALL, 2, 1, GFAB_ROUTING_STORE_AND_FORWARD},
                                 with_hop_rounds(h_star, 2)};
    const gfab_solver *comb = gfab_solver_find("comb");
    const gfab_solver_options options = gfab_solver_options_default();
    const gfab_solver_sink sink = {refuse_round, nullptr};
    uint64_t rounds = 0;
    for (const char *spec : {"mesh:2x5", "mesh:5x2", "path:5", "torus:4x4", "torus:3x4", "torus:2x5", "mesh:3x3x3"}) {
        const Topology on = parse(spec);
        EXPECT_EQ(comb->applies(on.get(), &h_star, nullptr), GFAB_ERR_UNSUPPORTED) << spec;
        EXPECT_EQ(comb->stream(on.get(), &h_star, &options, &sink, nullptr), GFAB_ERR_UNSUPPORTED) << spec;
        EXPECT_FALSE(comb->formula(on.get(), &h_star, &rounds));
    }
    const Topology on = parse("mesh:4x4");
    for (const gfab_model &other : others) {
        EXPECT_EQ(comb->applies(on.get(), &other, nullptr), GFAB_ERR_UNSUPPORTED);
        EXPECT_FALSE(comb->formula(on.get(), &other, &rounds));
    }
}

// Whatever solver auto takes: it is as good as the best of these.
TEST(Auto, IsAtTheCountBound)
{
    const struct {
        const char *spec;
        gfab_model under;
    } cases[] = {{"mesh:4x4", h_star},  {"mesh:9x9", h_star},  {"torus:5x5", h_star},
                 {"torus:3x7", h_star}, {"torus:5x5", f_star}, {"torus:3x3x3", h_star}};
    for (const auto &c : cases) {
        const Topology on = parse(c.spec);
        const Schedule schedule = solve("auto", on, c.under);
        EXPECT_EQ(gfab_schedule_rounds(schedule.get()), count_bound(on.get(), c.under)) << c.spec;
    }
}

} // namespace
