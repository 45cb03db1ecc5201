// SPDX-License-Identifier: MIT
#include "fixture.h"
#include "optimum_search.h"
#include "rup_checker.h"

#include <gossipfab/schedule/prove.h>
#include <gossipfab/schedule/verify.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

namespace
{

const gfab_model h_all = {GFAB_LINK_HALF, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model h_one = {GFAB_LINK_HALF, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model f_all = {GFAB_LINK_FULL, GFAB_PORT_ALL, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};
const gfab_model f_one = {GFAB_LINK_FULL, GFAB_PORT_ONE, 1, 1, GFAB_ROUTING_STORE_AND_FORWARD};

gfab_model with(gfab_model m, uint32_t p, uint32_t lambda)
{
    m.packet_tokens = p;
    m.hop_rounds = lambda;
    return m;
}

// The answer; a schedule that comes with it must be a gossip in so many rounds.
gfab_prove_answer ask(const gfab_topology *t, const gfab_model &m, uint32_t rounds)
{
    const gfab_prove_options options = gfab_prove_options_default();
    gfab_prove_report report;
    gfab_schedule *schedule = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_prove_rounds(t, &m, rounds, &options, &report, &schedule, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(!!schedule, report.answer == GFAB_PROVE_POSSIBLE);
    if (schedule) {
        gfab_verify_report verified;
        EXPECT_EQ(gfab_verify(t, &m, schedule, nullptr, &verified), GFAB_OK) << verified.message;
        EXPECT_LE(verified.rounds, rounds);
        EXPECT_EQ(verified.redundant, 0u);
        gfab_schedule_destroy(schedule);
    }
    return report.answer;
}

// The exhaustive search knows nothing of the formula: the optimum is possible, one round less is not.
TEST(Prove, AgreesWithExhaustiveSearch)
{
    for (const char *spec : {"path:2", "path:3", "path:4", "path:5", "cycle:3", "mesh:2x2"})
        for (const gfab_model &mode : {h_all, h_one, f_all, f_one})
            for (uint32_t p = 1; p <= 3; p++)
                for (uint32_t lambda = 1; lambda <= 2; lambda++) {
                    const gfab_model m = with(mode, p, lambda);
                    const Topology t = parse(spec);
                    const uint32_t optimum = OptimumSearch(t.get(), m).optimum();
                    EXPECT_EQ(ask(t.get(), m, optimum), GFAB_PROVE_POSSIBLE)
                        << spec << " " << gfab_model_symbol(&m) << " p " << p << " lambda " << lambda;
                    EXPECT_EQ(ask(t.get(), m, optimum - 1), GFAB_PROVE_IMPOSSIBLE)
                        << spec << " " << gfab_model_symbol(&m) << " p " << p << " lambda " << lambda;
                }
}

// Optima that are known by proof (docs/theory/optimal-gossip.md), and some that only SAT has shown.
TEST(Prove, KnownOptima)
{
    const struct {
        const char *spec;
        gfab_model model;
        uint32_t optimum;
    } known[] = {{"path:6", h_all, 8},  {"path:7", h_all, 9},  {"mesh:2x3", h_all, 5},
                 {"cycle:6", h_all, 5}, {"cycle:7", h_all, 6}, {"mesh:2x2", with(h_all, 2, 1), 3},
                 {"path:5", h_one, 11}, {"path:6", h_one, 13}, {"path:6", with(h_one, 1, 2), 14}};
    for (const auto &k : known) {
        const Topology t = parse(k.spec);
        EXPECT_EQ(ask(t.get(), k.model, k.optimum), GFAB_PROVE_POSSIBLE) << k.spec;
        EXPECT_EQ(ask(t.get(), k.model, k.optimum - 1), GFAB_PROVE_IMPOSSIBLE) << k.spec;
    }
}

struct Files {
    std::string cnf, proof;
    gfab_prove_report report;
};

Files certify(const char *spec, const gfab_model &m, uint32_t rounds)
{
    const Topology t = parse(spec);
    FILE *cnf = std::tmpfile(), *proof = std::tmpfile();
    gfab_prove_options options = gfab_prove_options_default();
    options.cnf = cnf;
    options.proof = proof;
    Files files;
    EXPECT_EQ(gfab_prove_rounds(t.get(), &m, rounds, &options, &files.report, nullptr, nullptr), GFAB_OK);
    for (const auto &[file, text] : {std::pair{cnf, &files.cnf}, std::pair{proof, &files.proof}}) {
        std::rewind(file);
        for (int c; (c = std::getc(file)) != EOF;)
            text->push_back(static_cast<char>(c));
        std::fclose(file);
    }
    return files;
}

bool accepted(const std::string &cnf, const std::string &proof)
{
    RupChecker checker;
    std::istringstream cnf_in(cnf), proof_in(proof);
    EXPECT_TRUE(checker.read(cnf_in));
    return checker.check(proof_in);
}

TEST(Prove, ProofsHold)
{
    const struct {
        const char *spec;
        gfab_model model;
        uint32_t rounds;
    } impossible[] = {{"path:6", h_all, 7},
                      {"mesh:2x3", h_all, 4},
                      {"path:4", with(h_one, 1, 2), 7},
                      {"mesh:2x2", with(h_all, 2, 1), 2},
                      {"cycle:6", f_all, 2},
                      {"path:5", h_all, 1}};
    for (const auto &c : impossible) {
        const Files files = certify(c.spec, c.model, c.rounds);
        EXPECT_EQ(files.report.answer, GFAB_PROVE_IMPOSSIBLE) << c.spec;
        EXPECT_TRUE(accepted(files.cnf, files.proof)) << c.spec;
        const std::string header =
            "p cnf " + std::to_string(files.report.variables) + " " + std::to_string(files.report.clauses) + "\n";
        EXPECT_NE(files.cnf.find(header), std::string::npos) << c.spec;
    }
}

TEST(Prove, MutantProofsAreRejected)
{
    const Files no = certify("mesh:2x3", h_all, 4), yes = certify("mesh:2x3", h_all, 5);
    ASSERT_EQ(yes.report.answer, GFAB_PROVE_POSSIBLE);
    EXPECT_FALSE(accepted(no.cnf, ""));
    EXPECT_FALSE(accepted(no.cnf, "0\n"));                                   // the claim alone
    EXPECT_FALSE(accepted(yes.cnf, yes.proof + "0\n"));                      // a contradiction that is not there
    EXPECT_FALSE(accepted(yes.cnf, no.proof));                               // another formula's proof
    EXPECT_FALSE(accepted(no.cnf, "1 0\n-1 0\n" + no.proof));                // a clause out of thin air
    EXPECT_FALSE(accepted(no.cnf, no.proof.substr(0, no.proof.size() / 2))); // cut short
    const size_t half = no.proof.find('\n', no.proof.size() / 2) + 1;
    EXPECT_FALSE(accepted(no.cnf, no.proof.substr(half))); // its first half left out
}

// Where no node has to have anything at the end there is a model, and the same lines prove nothing.
TEST(Prove, ALooserFormulaIsNotRefuted)
{
    const Files files = certify("path:4", h_all, 4);
    ASSERT_TRUE(accepted(files.cnf, files.proof));
    std::istringstream in(files.cnf);
    std::ostringstream loose;
    for (std::string line; std::getline(in, line);) {
        const bool unit = line[0] != 'c' && line[0] != 'p' && std::count(line.begin(), line.end(), ' ') == 1;
        loose << (unit ? "1 -1 0" : line) << "\n";
    }
    EXPECT_FALSE(accepted(loose.str(), files.proof));
}

TEST(Prove, GivesUpAndStops)
{
    const Topology t = parse("mesh:3x3");
    gfab_prove_options options = gfab_prove_options_default();
    gfab_prove_report report;
    gfab_schedule *schedule = nullptr;
    options.max_conflicts = 100;
    EXPECT_EQ(gfab_prove_rounds(t.get(), &h_all, 5, &options, &report, &schedule, nullptr), GFAB_OK);
    EXPECT_EQ(report.answer, GFAB_PROVE_UNKNOWN);
    EXPECT_EQ(schedule, nullptr);
    EXPECT_GE(report.conflicts, 50u);
    EXPECT_LE(report.conflicts, 200u);

    int calls = 0;
    const gfab_progress stop = {[](void *context, const char *, unsigned long long, unsigned long long) {
                                    return ++*static_cast<int *>(context) < 3 ? 1 : 0;
                                },
                                &calls};
    options.max_conflicts = 0;
    options.progress = &stop;
    EXPECT_EQ(gfab_prove_rounds(t.get(), &h_all, 5, &options, &report, &schedule, nullptr), GFAB_ERR_INTERRUPTED);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(schedule, nullptr);
}

TEST(Prove, RefusesWhatIsTooLarge)
{
    const gfab_prove_options options = gfab_prove_options_default();
    gfab_prove_report report;
    gfab_diag diag{};
    for (const auto &[spec, rounds] :
         {std::pair{"mesh:16x16", 136u}, std::pair{"path:1000000", 1u}, std::pair{"mesh:2x2", UINT32_MAX}}) {
        const Topology t = parse(spec);
        EXPECT_EQ(gfab_prove_rounds(t.get(), &h_all, rounds, &options, &report, nullptr, &diag), GFAB_ERR_LIMIT);
        EXPECT_NE(std::string(diag.message).find("too large"), std::string::npos);
    }
    const gfab_model bad = with(h_all, 0, 1);
    const Topology t = parse("path:3");
    EXPECT_EQ(gfab_prove_rounds(t.get(), &bad, 3, &options, &report, nullptr, &diag), GFAB_ERR_INVALID);
    EXPECT_EQ(ask(t.get(), with(h_all, UINT32_MAX, UINT32_MAX), 100), GFAB_PROVE_IMPOSSIBLE);
    EXPECT_EQ(ask(t.get(), h_all, 0), GFAB_PROVE_IMPOSSIBLE);
}

TEST(Prove, SameProofTwice)
{
    const Files first = certify("path:6", h_all, 7), second = certify("path:6", h_all, 7);
    EXPECT_EQ(first.cnf, second.cnf);
    EXPECT_EQ(first.proof, second.proof);
}

} // namespace
