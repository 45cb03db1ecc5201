// SPDX-License-Identifier: MIT
// TorGoS, CubGoS and CubGo': the paper's totals, prices told against prices summed, the search, and the gains over
// HighDimGo'.
#include "startup_fixture.h"

#include <algorithm>
#include <vector>

namespace
{

std::string cube(const char *kind, uint64_t side, uint64_t dimensions)
{
    std::string spec = kind;
    for (uint64_t i = 0; i < dimensions; i++)
        spec += (i ? "x" : ":") + std::to_string(side);
    return spec;
}

uint64_t power(uint64_t base, uint64_t exponent)
{
    return exponent ? base * power(base, exponent - 1) : 1;
}

} // namespace

// n = a^(L + 1) with n/a a power of 3, f = (a - 1)/2, k = 2b + 2 - a:
// [log3(n/a) + d f + L (b + (d - 1) f)] r + (1/d) [(n^d - 1)/2 + n (n^(d-1) - a^(d-1)) / (a^(d-1) - 1) b/k].
TEST(CubGo, TotalOfPowers)
{
    struct Case {
        uint64_t n, d, a, log3, b;
    };
    const std::vector<Case> cases = {{3, 2, 3, 0, 1},   {9, 2, 3, 1, 1},  {9, 2, 3, 1, 2},  {27, 2, 3, 2, 1},
                                     {27, 2, 3, 2, 2},  {9, 2, 9, 0, 9},  {81, 2, 9, 2, 5}, {81, 2, 9, 2, 8},
                                     {243, 2, 3, 4, 2}, {9, 3, 3, 1, 1},  {9, 3, 3, 1, 2},  {27, 3, 3, 2, 2},
                                     {81, 3, 3, 3, 5},  {81, 3, 9, 2, 5}, {9, 4, 3, 1, 2}};
    for (const Case &c : cases) {
        uint64_t levels = 0, f = (c.a - 1) / 2, k = 2 * c.b + 2 - c.a;
        for (uint64_t side = c.a; side < c.n; side *= c.a)
            levels++;
        const uint64_t sum = levels ? c.n * (power(c.n, c.d - 1) - power(c.a, c.d - 1)) / (power(c.a, c.d - 1) - 1) : 0;
        ASSERT_EQ(sum * c.b % k, 0u) << "k must divide what is sent";
        const Topology topology = parse(cube("torus", c.n, c.d));
        const std::string settings = "shares=colours,cut=1,a=" + std::to_string(c.a) + ",b=" + std::to_string(c.b);
        const gfab_cost told = Ask{"cubgo", "7", settings}.cost(topology);
        EXPECT_EQ(told.startups, c.log3 + c.d * f + levels * (c.b + (c.d - 1) * f)) << settings;
        EXPECT_EQ(told.transfers, (power(c.n, c.d) - 1) / 2 + sum * c.b / k) << settings;
        EXPECT_EQ(told.parts, c.d);
        // TorGoS itself is uniaxial: as many transfers, of whole tokens.
        if (c.d == 2) {
            const gfab_cost plain = Ask{"torgo", "7", "shares=one" + settings.substr(14)}.cost(topology);
            EXPECT_EQ(plain.startups, told.startups);
            EXPECT_EQ(plain.transfers, told.transfers);
            EXPECT_EQ(plain.parts, 1u);
        }
    }
}

TEST(CubGo, CostsWhatItTells)
{
    for (const char *spec :
         {"torus:4x4", "torus:5x5",    "torus:8x8", "torus:9x9",   "torus:12x12",   "torus:3x3x3",   "torus:6x6x6",
          "torus:4x8", "torus:6x12x3", "torus:2x8", "torus:2x2x4", "torus:2x3x4x5", "torus:4x4x4x4", "mesh:4x4",
          "mesh:5x5",  "mesh:7x5",     "mesh:8x8",  "mesh:9x13",   "mesh:3x4x5",    "mesh:2x2x2x2",  "mesh:1x4x6"})
        for (const char *startup : {"0", "1/2", "3", "10", "100", "10000"})
            for (gfab_port_mode ports : {GFAB_PORT_ALL, GFAB_PORT_ONE})
                for (const char *settings : {"", "lines=0", "lines=0,shares=one", "shares=one,first=1"})
                    expect_as_told({"cubgo", startup, settings, circuit(ports)}, spec);
    expect_as_told({"torgo", "100", "a=3,b=1:2"}, "torus:27x27");
}

// Every chain of factors, even and odd, on sides that they divide and, on meshes, that they do not.
TEST(CubGo, EverySettingCostsWhatItTells)
{
    for (const char *spec :
         {"torus:12x12", "mesh:12x12", "mesh:13x12", "mesh:17x19", "torus:12x24", "torus:6x6x6", "mesh:8x7x6"})
        for (const char *factors : {"2", "3", "4", "5", "6", "7", "12", "2:2", "2:3", "3:2", "3:4", "2:2:3", "6:2"})
            for (const char *b : {"", ",b=1", ",b=2", ",b=3", ",b=5", ",b=11"})
                for (gfab_port_mode ports : {GFAB_PORT_ALL, GFAB_PORT_ONE}) {
                    const Ask ask = {"cubgo", "6", "factors=" + std::string(factors) + b, circuit(ports)};
                    const Topology topology = parse(spec);
                    gfab_cost told{};
                    if (ask.cost(topology, &told) == GFAB_OK) {
                        EXPECT_EQ(against(topology, ask.model, ask.solve(topology), told), "") << ask << spec;
                    }
                }
}

TEST(CubGo, BlackAndWhiteNodes)
{
    for (const char *spec : {"torus:8x8", "mesh:8x8", "torus:12x12", "torus:12x8"})
        for (const char *startup : {"1", "40", "2000"})
            for (const char *settings : {"shares=black-white", "shares=black-white,factors=2"})
                expect_as_told({"torgo", startup, settings, circuit(GFAB_PORT_ONE)}, spec);
}

namespace
{

// Every chain of factors of `cell`, with every b up to `most` in every level.
void all_chains(const Topology &topology, const std::string &startup, uint32_t cell, uint32_t most,
                const std::string &factors, const std::string &rounds, double *best)
{
    if (cell == 1 && !factors.empty()) {
        const Ask ask = {"cubgo", startup, "shares=colours,cut=1,factors=" + factors + ",b=" + rounds};
        gfab_cost told{};
        if (ask.cost(topology, &told) == GFAB_OK)
            *best = std::min(*best, ask.total(topology));
    }
    const std::string colon = factors.empty() ? "" : ":";
    for (uint32_t a = 2; a <= cell; a++)
        for (uint32_t b = 1; cell % a == 0 && b <= most; b++)
            all_chains(topology, startup, cell / a, most, factors + colon + std::to_string(a),
                       rounds + colon + std::to_string(b), best);
}

} // namespace

// The search against trying everything.
TEST(CubGo, TheSearchFindsTheCheapest)
{
    for (const char *spec : {"torus:8x8", "torus:12x12", "mesh:6x7", "torus:6x12", "torus:4x4x4"}) {
        const Topology topology = parse(spec);
        const uint32_t side = std::min(gfab_topology_side(topology.get(), 0), gfab_topology_side(topology.get(), 1));
        for (const char *startup : {"0", "1", "5", "30", "800"}) {
            double best = Ask{"cubgo", startup, "shares=colours,cut=1,cell=1"}.total(topology);
            for (uint32_t cell = 2; cell <= side; cell++)
                all_chains(topology, startup, cell, std::string(startup) == "0" ? 12 : 7, "", "", &best);
            EXPECT_EQ((Ask{"cubgo", startup, "lines=0,shares=colours,cut=1"}.total(topology)), best)
                << spec << " " << startup;
        }
    }
}

namespace
{

// HighDimGo' with CircGoS(n, a, b) in every phase, the best a and b of each. Phases add up, so each is chosen by itself
// while the others stand at a = n.
double highdimgo_with_circgo(const Topology &topology, const std::string &startup, size_t dimensions, uint32_t n,
                             uint32_t most)
{
    const double others = Ask{"highdimgo", startup, "shares=colours,cut=1,phases=1"}.total(topology);
    double sum = others;
    for (size_t phase = 0; phase < dimensions; phase++) {
        double best = others;
        for (uint32_t a = 2; a < n; a++) {
            std::string as;
            for (size_t i = 0; i < dimensions; i++)
                as += (i ? ":" : "") + std::to_string(i == phase ? a : n);
            double least = others;
            uint32_t worse = 0;
            for (uint32_t b = 1; b <= most && worse < 8; b++) {
                const Ask ask = {"highdimgo", startup,
                                 "shares=colours,cut=1,phases=circgo,a=" + as + ",b=" + std::to_string(b)};
                gfab_cost told{};
                if (ask.cost(topology, &told) != GFAB_OK)
                    continue;
                const double total = ask.total(topology);
                worse = total < least ? 0 : worse + 1;
                least = std::min(least, total);
            }
            best = std::min(best, least);
        }
        sum += best - others;
    }
    return sum;
}

struct Gain {
    uint64_t n, d;
    const char *startup;
    double gain;
};

} // namespace

// The gains that docs/theory/startup-cost-tori.md lists, by formula.
TEST(CubGo, GainsOverHighDimGoWithCircGo)
{
    for (const Gain g : {Gain{27, 2, "119", 1.45}, Gain{81, 2, "668", 1.74}, Gain{243, 2, "4217", 1.985},
                         Gain{9, 3, "240", 1.39}, Gain{27, 3, "740", 1.69}, Gain{81, 3, "12590", 1.97}}) {
        const Topology topology = parse(cube("torus", g.n, g.d));
        const double circgo = highdimgo_with_circgo(topology, g.startup, g.d, static_cast<uint32_t>(g.n), 80);
        EXPECT_GE(circgo / Ask({"cubgo", g.startup, ""}).total(topology), g.gain) << g.n << "^" << g.d;
    }
}

TEST(CubGo, GainsOverApproaches1And2)
{
    for (const Gain g : {Gain{243, 2, "1200", 3.70}, Gain{81, 3, "19400", 2.92}}) {
        const Topology topology = parse(cube("torus", g.n, g.d));
        double simple = 1e300;
        for (const char *phases : {"1", "2:1", "2:2:1", "2"})
            simple = std::min(simple, (Ask{"highdimgo", g.startup, std::string("phases=") + phases}.total(topology)));
        EXPECT_GE(simple / Ask({"cubgo", g.startup, ""}).total(topology), g.gain) << g.n << "^" << g.d;
    }
}

// By itself it may lose where startups are cheap, but no more than this; and it takes HighDimGo' where that is cheaper.
TEST(CubGo, LossesAreSmallAndAvoided)
{
    for (const char *spec :
         {"torus:27x27", "torus:64x64", "torus:81x81", "torus:243x243", "torus:27x27x27", "torus:8x8", "torus:7x7",
          "torus:5x7", "torus:29x29", "torus:3x5x7", "mesh:27x27", "mesh:31x30"}) {
        const Topology topology = parse(spec);
        for (const char *startup : {"0", "1/10", "1", "3", "5", "10", "30", "72", "300", "10000"}) {
            const double lines = Ask{"highdimgo", startup, ""}.total(topology);
            EXPECT_LE((Ask{"cubgo", startup, ""}.total(topology)), lines) << spec << " " << startup;
            if (gfab_topology_side(topology.get(), 0) % 27 == 0 && spec[0] == 't' && lines < 1e5) {
                EXPECT_LE((Ask{"cubgo", startup, "lines=0"}.total(topology)), 1.06 * lines) << spec << " " << startup;
            }
        }
    }
    expect_as_told({"cubgo", "500", ""}, "torus:7x7");
    expect_as_told({"cubgo", "10000", ""}, "torus:8x8");
}

TEST(CubGo, Refuses)
{
    EXPECT_EQ(refusal({"cubgo", "1", ""}, "path:9"),
              "cubgo is for meshes and tori of two sides and more, not for path:9");
    EXPECT_EQ(refusal({"torgo", "1", ""}, "torus:4x4x4"), "torgo is for two sides; cubgo takes torus:4x4x4");
    const std::string fit =
        " apart do not fit: on a ring the distance divides the side, on a path it is no longer than that";
    EXPECT_EQ(refusal({"cubgo", "1", "cell=4"}, "torus:6x6"), "bridgeheads 4" + fit);
    EXPECT_EQ(refusal({"cubgo", "1", "factors=2:2"}, "torus:6x6"), "bridgeheads 4" + fit);
    EXPECT_EQ(refusal({"cubgo", "1", "cell=7"}, "mesh:8x6"), "bridgeheads 7" + fit);
    EXPECT_EQ(refusal({"cubgo", "1", "factors=2,cell=3"}, "torus:6x6"), "the factors' product is 2, not 3");
    EXPECT_EQ(refusal({"cubgo", "1", "a=4"}, "torus:6x6"), "a=4 does not divide the side");
    EXPECT_EQ(refusal({"cubgo", "1", "a=3"}, "torus:6x6"), "a=3: side 6 is no power of it; say factors=, too");
    EXPECT_EQ(refusal({"cubgo", "1", "a=3,cell=2"}, "torus:6x6"), "a=3 and cell= say the same; give one");
    EXPECT_EQ(refusal({"cubgo", "1", "b=1:2"}, "torus:4x4"), "b has more than one number: say factors= or a=, too");
    EXPECT_EQ(refusal({"cubgo", "1", "factors=2:x"}, "torus:4x4"),
              "factors=2:x is not a list such as 3:3:2 of at most 24 numbers from 2 to 16777216");
    EXPECT_EQ(refusal({"cubgo", "1", "factors=6,b=2"}, "torus:6x6"), "level 1: b = 2 is too low for factor 6");
    EXPECT_EQ(refusal({"cubgo", "1", "factors=3,b=60"}, "torus:6x6"), "level 1: b = 60 is too high for factor 3");
    EXPECT_EQ(refusal({"cubgo", "1", "cell=3,b=9000"}, "torus:6x6"),
              "no factors fit b = 9000 and packets of 16777216 tokens");
}

TEST(CubGo, KeepsToTheLongestPacket)
{
    gfab_model model = circuit();
    for (uint32_t longest : {27u, 20u, 14u}) {
        model.packet_tokens = longest;
        expect_as_told({"cubgo", "100", "lines=0,shares=one", model}, "torus:9x9");
        expect_as_told({"cubgo", "100", "", model}, "torus:9x9");
    }
    model.packet_tokens = 8;
    EXPECT_EQ(refusal({"cubgo", "100", "lines=0,shares=one", model}, "torus:9x9"),
              "no parameters here keep packets within the 8 tokens of the model");
    EXPECT_EQ(refusal({"cubgo", "100", "a=3,b=1,shares=one", model}, "torus:9x9"),
              "a packet has 27 tokens here, more than the 8 of the model");
}
