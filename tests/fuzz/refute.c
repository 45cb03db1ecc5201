/* SPDX-License-Identifier: MIT */
/* What `gossipfab prove --check` reads: cubes, a formula and the proof of its first cube, with a NUL between them. What
 * is accepted is tried on every assignment of a few variables, by a reader of its own. */
#include "fuzz.h"

#include <gossipfab/schedule/refute.h>

#include <stdlib.h>
#include <string.h>

#define MOST_VARIABLES 10

/* Is a literal true where variable v has the bit v - 1 of `values`? */
static bool is_true(long literal, unsigned values)
{
    return ((values >> (labs(literal) - 1)) & 1) == (literal > 0);
}

static bool in_cube(const int *cube, size_t length, unsigned values)
{
    for (size_t i = 0; i < length; i++)
        if (abs(cube[i]) <= MOST_VARIABLES && !is_true(cube[i], values))
            return false;
    return true;
}

/* The clauses of a formula that was read well; *variables of its header. */
static const char *clauses_of(const char *text, int *variables)
{
    int clauses = 0, used = 0;
    for (text += strspn(text, " \t\r\n"); *text == 'c'; text += strspn(text, " \t\r\n"))
        text += strcspn(text, "\n");
    FUZZ_CHECK(sscanf(text, "p cnf %d%d%n", variables, &clauses, &used) == 2);
    return text + used;
}

/* Has the formula a model there? */
static bool is_model(const char *at, unsigned values)
{
    bool satisfied = false;
    char *end = NULL;
    for (long literal = strtol(at, &end, 10); end != at; literal = strtol(at, &end, 10)) {
        at = end;
        if (literal == 0 && !satisfied)
            return false;
        satisfied = literal != 0 && (satisfied || is_true(literal, values));
    }
    return true;
}

static void check_cubes(const uint8_t *data, size_t size, gfab_cubes *cubes)
{
    gfab_diag diag = {0, ""};
    FILE *file = fuzz_file(data, size);
    const gfab_status status = gfab_cubes_read(file, cubes, &diag);
    fclose(file);
    fuzz_check_diag(status, &diag);
    if (status != GFAB_OK) {
        *cubes = (gfab_cubes){0};
        return;
    }
    fuzz_output first, second;
    gfab_cubes again = {0};
    fuzz_write(&first);
    FUZZ_CHECK(gfab_cubes_write(cubes, first.file, &diag) == GFAB_OK);
    fuzz_written(&first);
    file = fuzz_file((const uint8_t *)first.text, first.size);
    const gfab_status read = gfab_cubes_read(file, &again, &diag);
    fclose(file);
    FUZZ_CHECK(read == GFAB_OK || read == GFAB_ERR_NO_MEMORY);
    if (read == GFAB_OK) {
        fuzz_write(&second);
        FUZZ_CHECK(gfab_cubes_write(&again, second.file, &diag) == GFAB_OK);
        fuzz_written(&second);
        FUZZ_CHECK(first.size == second.size && memcmp(first.text, second.text, first.size) == 0);
        free(second.text);
        gfab_cubes_release(&again);
    }
    free(first.text);
    const gfab_status covers = gfab_cubes_cover(cubes, &diag);
    fuzz_check_diag(covers, &diag);
    for (unsigned values = 0; covers == GFAB_OK && values < 1u << MOST_VARIABLES; values++) {
        bool found = false;
        for (size_t i = 0; i < cubes->count && !found; i++) {
            size_t length = 0;
            const int *const cube = gfab_cubes_at(cubes, i, &length);
            found = in_cube(cube, length, values);
        }
        FUZZ_CHECK(found);
    }
}

static void check_proof(const gfab_formula *formula, const char *text, const gfab_cubes *cubes, const uint8_t *proof,
                        size_t size)
{
    unsigned left = 100;
    const gfab_progress progress = fuzz_progress(&left);
    gfab_diag diag = {0, ""};
    size_t length = 0;
    const int *const cube = cubes->count > 0 ? gfab_cubes_at(cubes, 0, &length) : NULL;
    int variables = 0;
    FILE *file = fuzz_file(proof, size);
    const gfab_status status = gfab_formula_refuted(formula, cube, length, file, &progress, NULL, &diag);
    fclose(file);
    fuzz_check_diag(status, &diag);
    const char *const clauses = clauses_of(text, &variables);
    for (unsigned values = 0; status == GFAB_OK && variables <= MOST_VARIABLES && values < 1u << variables; values++) {
        size_t within = 0;
        while (within < length && (abs(cube[within]) > variables || is_true(cube[within], values)))
            within++;
        FUZZ_CHECK(within < length || !is_model(clauses, values));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *const end = data + size;
    const uint8_t *const first = size > 0 ? memchr(data, 0, size) : NULL;
    const uint8_t *const cnf = first ? first + 1 : end;
    const uint8_t *const second = cnf < end ? memchr(cnf, 0, (size_t)(end - cnf)) : NULL;
    const uint8_t *const proof = second ? second + 1 : end;
    const size_t length = (size_t)((second ? second : end) - cnf);
    gfab_cubes cubes = {0};
    gfab_formula *formula = NULL;
    gfab_diag diag = {0, ""};
    check_cubes(data, (size_t)((first ? first : end) - data), &cubes);
    FILE *file = fuzz_file(cnf, length);
    const gfab_status status = gfab_formula_read(file, &formula, &diag);
    fclose(file);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK((status == GFAB_OK) == !!formula);
    if (formula) {
        char *text = fuzz_text(cnf, length);
        check_proof(formula, text, &cubes, proof, (size_t)(end - proof));
        free(text);
    }
    gfab_formula_destroy(formula);
    gfab_cubes_release(&cubes);
    return 0;
}
