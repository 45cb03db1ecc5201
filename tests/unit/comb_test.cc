// SPDX-License-Identifier: MIT
// The comb of docs/theory/optimal-gossip.md. What the page calls a lemma is asserted here on the running construction,
// by its number.
#include "extent.h"
#include "optimal_fixture.h"
#include "solvers/all_port/comb.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace
{

class Shard : public testing::TestWithParam<uint32_t>
{
};

// The tests over all sides take every eighth each, so that ctest can run them side by side.
INSTANTIATE_TEST_SUITE_P(EveryEighth, Shard, testing::Range(2u, 10u));

std::string square(uint32_t n)
{
    return sides("mesh", {n, n});
}

TEST_P(Shard, CombMeetsTheCountBound)
{
    for (uint32_t n = GetParam(); n <= extent(40, 64); n += 8)
        expect_rounds("comb", square(n), h_star, n * (n + 1) / 2);
}

using Round = std::vector<gfab_comb_move>;

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
        for (const gfab_comb_move &move : moves) {
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

gfab_status enter_round(void *context, uint32_t round, const gfab_comb_move *moves, size_t count)
{
    static_cast<Lemmas *>(context)->round(round, Round(moves, moves + count));
    return GFAB_OK;
}

gfab_status stream(uint32_t n, const gfab_comb_sink &sink, const gfab_progress *progress = nullptr)
{
    const Topology on = parse(square(n));
    gfab_solver_options options = gfab_solver_options_default();
    options.progress = progress;
    return gfab_comb_stream(on.get(), &h_star, &options, &sink, nullptr);
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

gfab_status keep_round(void *context, uint32_t, const gfab_comb_move *moves, size_t count)
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
            for (const gfab_comb_move &move : rounds[round - 1]) {
                ASSERT_TRUE(gfab_packet_next(&at, &packet));
                EXPECT_EQ(packet.arcs[0], move.arc);
                EXPECT_EQ(packet.tokens[0], move.token);
            }
            EXPECT_FALSE(gfab_packet_next(&at, &packet));
        }
    }
}

gfab_status refuse_round(void *, uint32_t round, const gfab_comb_move *, size_t)
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
    const gfab_comb_sink sink = {refuse_round, nullptr};
    uint64_t rounds = 0;
    for (const char *spec : {"mesh:2x5", "mesh:5x2", "path:5", "torus:4x4", "torus:3x4", "torus:2x5", "mesh:3x3x3"}) {
        const Topology on = parse(spec);
        EXPECT_EQ(gfab_solver_applies(comb, on.get(), &h_star, nullptr), GFAB_ERR_UNSUPPORTED) << spec;
        EXPECT_EQ(gfab_comb_stream(on.get(), &h_star, &options, &sink, nullptr), GFAB_ERR_UNSUPPORTED) << spec;
        EXPECT_EQ(comb->formula(on.get(), &h_star, &rounds), GFAB_ERR_UNSUPPORTED);
    }
    const Topology on = parse("mesh:4x4");
    for (const gfab_model &other : others) {
        EXPECT_EQ(gfab_solver_applies(comb, on.get(), &other, nullptr), GFAB_ERR_UNSUPPORTED);
        EXPECT_EQ(comb->formula(on.get(), &other, &rounds), GFAB_ERR_UNSUPPORTED);
    }
}

} // namespace
