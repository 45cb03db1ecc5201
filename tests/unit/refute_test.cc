// SPDX-License-Identifier: MIT
// Proofs in cubes, and the checker of the whole, which must refuse what is missing or does not follow.
#include "fixture.h"
#include "rup_checker.h"

#include <gossipfab/schedule/refute.h>

#include <sstream>

namespace
{

struct Cubes : gfab_cubes {
    Cubes() : gfab_cubes{nullptr, nullptr, 0} {}
    Cubes(const Cubes &) = delete;
    Cubes &operator=(const Cubes &) = delete;
    ~Cubes() { gfab_cubes_release(this); }
};
using Formula = Owner<gfab_formula, gfab_formula_destroy>;
using Lists = std::vector<std::vector<int>>;

Lists lists_of(const gfab_cubes &cubes)
{
    Lists lists;
    for (size_t i = 0; i < cubes.count; i++) {
        size_t length = 0;
        const int *literals = gfab_cubes_at(&cubes, i, &length);
        lists.emplace_back(literals, literals + length);
    }
    return lists;
}

gfab_status cover(const Lists &lists)
{
    Cubes cubes;
    gfab_diag diag{};
    for (const std::vector<int> &list : lists)
        EXPECT_EQ(gfab_cubes_add(&cubes, list.data(), list.size()), GFAB_OK);
    return gfab_cubes_cover(&cubes, &diag);
}

File open_text(const std::string &text)
{
    File file(std::tmpfile());
    EXPECT_EQ(std::fwrite(text.data(), 1, text.size(), file.get()), text.size());
    std::rewind(file.get());
    return file;
}

std::string read_all(FILE *file)
{
    std::string text;
    std::rewind(file);
    for (int c = std::getc(file); c != EOF; c = std::getc(file))
        text.push_back(static_cast<char>(c));
    return text;
}

Formula formula_of(const std::string &text, gfab_status expected = GFAB_OK)
{
    gfab_formula *formula = nullptr;
    gfab_diag diag{};
    EXPECT_EQ(gfab_formula_read(open_text(text).get(), &formula, &diag), expected) << text << diag.message;
    return Formula(formula);
}

gfab_status check(const Formula &formula, const std::vector<int> &cube, const std::string &proof,
                  gfab_diag *diag = nullptr)
{
    return gfab_formula_refuted(formula.get(), cube.data(), cube.size(), open_text(proof).get(), nullptr, nullptr,
                                diag);
}

// All of a question whose answer is no: mesh 2 x 3 in 4 rounds.
struct Proved {
    Topology topology = parse("mesh:2x3");
    gfab_model model = gfab_model_default();
    std::string cnf;
    Lists cubes;
    std::vector<std::string> proofs;

    explicit Proved(uint32_t depth)
    {
        Cubes made;
        gfab_diag diag{};
        const File file(std::tmpfile());
        EXPECT_EQ(gfab_prove_cubes(topology.get(), &model, 4, depth, file.get(), &made, &diag), GFAB_OK)
            << diag.message;
        EXPECT_EQ(gfab_cubes_cover(&made, &diag), GFAB_OK) << diag.message;
        cnf = read_all(file.get());
        cubes = lists_of(made);
        for (const std::vector<int> &cube : cubes) {
            const File proof(std::tmpfile());
            gfab_prove_options options = gfab_prove_options_default();
            gfab_prove_report report{};
            options.cube = cube.data();
            options.cube_length = cube.size();
            options.proof = proof.get();
            EXPECT_EQ(gfab_prove_rounds(topology.get(), &model, 4, &options, &report, nullptr, &diag), GFAB_OK);
            EXPECT_EQ(report.answer, GFAB_PROVE_IMPOSSIBLE);
            proofs.push_back(read_all(proof.get()));
        }
    }
};

// The formula with a cube as clauses, for a checker that knows no cubes.
std::string in_cube(std::string cnf, const std::vector<int> &cube)
{
    const size_t at = cnf.find("p cnf "), end = cnf.find('\n', at);
    unsigned long variables = 0, clauses = 0;
    std::istringstream(cnf.substr(at + 6, end - at - 6)) >> variables >> clauses;
    cnf.replace(at, end - at, "p cnf " + std::to_string(variables) + " " + std::to_string(clauses + cube.size()));
    for (const int literal : cube)
        cnf += std::to_string(literal) + " 0\n";
    return cnf;
}

TEST(Refute, CubesCoverAndEachHasItsProof)
{
    for (const uint32_t depth : {0u, 1u, 4u}) {
        const Proved p(depth);
        const Formula formula = formula_of(p.cnf);
        EXPECT_LE(p.cubes.size(), size_t{1} << depth);
        EXPECT_GT(p.cubes.size(), size_t{depth});
        for (size_t i = 0; i < p.cubes.size(); i++) {
            gfab_diag diag{};
            EXPECT_EQ(check(formula, p.cubes[i], p.proofs[i], &diag), GFAB_OK) << diag.line << diag.message;
            RupChecker other;
            std::istringstream cnf(in_cube(p.cnf, p.cubes[i])), proof(p.proofs[i]);
            EXPECT_TRUE(other.read(cnf));
            EXPECT_TRUE(other.check(proof)) << other.line();
        }
    }
}

TEST(Refute, CubesThatDoNotCover)
{
    const Lists good = Proved(4).cubes;
    ASSERT_EQ(cover(good), GFAB_OK);
    for (size_t i = 0; i < good.size(); i++) {
        Lists bad = good;
        bad.erase(bad.begin() + static_cast<long>(i));
        EXPECT_EQ(cover(bad), GFAB_ERR_FAULT) << i << " is missing";
        for (size_t j = 0; j < good[i].size(); j++) {
            bad = good;
            bad[i][j] = -bad[i][j];
            EXPECT_EQ(cover(bad), GFAB_ERR_FAULT) << i << ", " << j << " has another sign";
            bad[i][j] = 1000000;
            EXPECT_EQ(cover(bad), GFAB_ERR_FAULT) << i << ", " << j << " is another variable";
        }
        bad = good;
        bad[i].push_back(1000000);
        EXPECT_EQ(cover(bad), GFAB_ERR_FAULT) << i << " is only a half";
    }
    EXPECT_EQ(cover({}), GFAB_ERR_FAULT);
    EXPECT_EQ(cover({{}}), GFAB_OK);
    EXPECT_EQ(cover({{}, {}}), GFAB_ERR_FAULT);
    EXPECT_EQ(cover({{1, 1}, {1, -1}, {-1}}), GFAB_ERR_FAULT); // a variable twice
}

TEST(Refute, ProofsThatDoNotHold)
{
    // No assignment of two variables satisfies all four.
    const Formula formula = formula_of("c a comment\np cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n");
    EXPECT_EQ(check(formula, {}, "2 0\n0\n"), GFAB_OK);
    EXPECT_EQ(check(formula, {}, "2 0\nd 1 2 0\n0\n"), GFAB_OK);
    EXPECT_EQ(check(formula, {-1}, "0\n"), GFAB_OK);
    gfab_diag diag{};
    EXPECT_EQ(check(formula, {}, "0\n", &diag), GFAB_ERR_FAULT); // two ways on: it does not follow by itself
    EXPECT_EQ(diag.line, 1u);
    EXPECT_EQ(check(formula, {}, "2 0\n", &diag), GFAB_ERR_FAULT); // no end
    for (const char *empty : {"", "\n", "d 1 2 0\n"}) {
        EXPECT_EQ(check(formula, {}, empty, &diag), GFAB_ERR_FAULT) << empty;
        EXPECT_NE(std::string(diag.message).find("no clause"), std::string::npos) << diag.message;
        EXPECT_EQ(check(formula, {-1}, empty, &diag), GFAB_OK) << empty; // unit propagation alone does it
    }
    EXPECT_EQ(check(formula, {}, "3 0\n0\n", &diag), GFAB_ERR_FAULT);
    EXPECT_EQ(check(formula, {}, "2 0\n0", &diag), GFAB_OK);
    EXPECT_EQ(check(formula, {}, "2 x\n", &diag), GFAB_ERR_PARSE);
    EXPECT_EQ(check(formula, {}, "2\n", &diag), GFAB_ERR_PARSE);
    const Formula possible = formula_of("p cnf 2 1\n1 2 0\n");
    for (const char *proof : {"0\n", "1 0\n", "1 2 0\n0\n", "-1 -2 0\n0\n"})
        EXPECT_EQ(check(possible, {}, proof, &diag), GFAB_ERR_FAULT) << proof;
    // A proof is good in its own cube: in none of the others of a question that needs all of them.
    const Proved p(1);
    const Formula whole = formula_of(p.cnf);
    ASSERT_EQ(p.cubes.size(), 2u);
    EXPECT_EQ(check(whole, p.cubes[0], p.proofs[1], &diag), GFAB_ERR_FAULT);
    EXPECT_EQ(check(whole, p.cubes[1], p.proofs[0], &diag), GFAB_ERR_FAULT);
}

TEST(Refute, TextsThatAreRefused)
{
    for (const char *text : {"", "c\n", "p dnf 1 1\n", "p cnf 1\n", "p cnf -1 1\n1 0\n", "p cnf 1 1\n2 0\n",
                             "p cnf 1 1\n", "p cnf 1 1\n1 0\n1 0\n", "p cnf 1 1\n1\n", "p cnf 1 1\n1x 0\n",
                             "p cnf 1 1\n99999999999 0\n", "p cnf 1 1\na 1 0\n"})
        formula_of(text, GFAB_ERR_PARSE);
    formula_of("p cnf 999999999 0\n", GFAB_ERR_LIMIT);
    Cubes cubes;
    gfab_diag diag{};
    for (const char *text : {"1 0\n", "a 1\n", "a 1 x\n", "a - 0\n", "a 1 0 2 0\n"})
        EXPECT_EQ(gfab_cubes_read(open_text(text).get(), &cubes, &diag), GFAB_ERR_PARSE) << text;
    std::string longest = "a";
    for (int i = 1; i <= GFAB_CUBES_MAX_LENGTH + 1; i++)
        longest += " " + std::to_string(i);
    EXPECT_EQ(gfab_cubes_read(open_text(longest + " 0\n").get(), &cubes, &diag), GFAB_ERR_LIMIT);
    ASSERT_EQ(gfab_cubes_read(open_text("a 5 -7 0\na 0\n").get(), &cubes, &diag), GFAB_OK) << diag.message;
    EXPECT_EQ(lists_of(cubes), (Lists{{5, -7}, {}}));
}

// Where there is a schedule some cube has it, and none has a proof that there is none in all.
TEST(Refute, ASchedulesCubeIsFound)
{
    const Topology topology = parse("mesh:2x3");
    const gfab_model model = gfab_model_default();
    Cubes cubes;
    gfab_diag diag{};
    ASSERT_EQ(gfab_prove_cubes(topology.get(), &model, 5, 3, nullptr, &cubes, &diag), GFAB_OK);
    size_t possible = 0;
    for (size_t i = 0; i < cubes.count; i++) {
        gfab_prove_options options = gfab_prove_options_default();
        gfab_prove_report report{};
        gfab_schedule *schedule = nullptr;
        options.cube = gfab_cubes_at(&cubes, i, &options.cube_length);
        ASSERT_EQ(gfab_prove_rounds(topology.get(), &model, 5, &options, &report, &schedule, &diag), GFAB_OK);
        const Schedule owned(schedule);
        gfab_verify_report verified{};
        if (report.answer == GFAB_PROVE_POSSIBLE) {
            possible++;
            EXPECT_EQ(gfab_verify(topology.get(), &model, schedule, nullptr, &verified), GFAB_OK);
        }
    }
    EXPECT_GT(possible, 0u);
    EXPECT_EQ(gfab_prove_cubes(topology.get(), &model, 5, GFAB_PROVE_MAX_DEPTH + 1, nullptr, &cubes, &diag),
              GFAB_ERR_INVALID);
}

} // namespace
