/* SPDX-License-Identifier: MIT */
/* Cubes: lists of decisions that share a question among many proofs, as iCNF text "a 5 -7 0", and the check that they
 * cover every case. The check is ours and needs no solver: in the order of the file the cubes must be the leaves of a
 * tree in which every inner node decides one variable, first true, then false. "a 5 0", "a -5 7 0", "a -5 -7 0" are
 * such leaves. One walk over the file finds a cube that is missing, doubled or out of place. */
#include <gossipfab/schedule/refute.h>

#include "base/lines.h"
#include "base/reason.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

void gfab_cubes_release(gfab_cubes *cubes)
{
    GFAB_FREE(cubes->literals, cubes->end);
    *cubes = (gfab_cubes){NULL, NULL, 0};
}

const int *gfab_cubes_at(const gfab_cubes *cubes, size_t index, size_t *length)
{
    const size_t start = index ? cubes->end[index - 1] : 0;
    *length = cubes->end[index] - start;
    return cubes->literals + start;
}

gfab_status gfab_cubes_add(gfab_cubes *cubes, const int *literals, size_t length)
{
    const size_t start = cubes->count ? cubes->end[cubes->count - 1] : 0;
    size_t *ends = realloc(cubes->end, (cubes->count + 1) * sizeof *ends);
    cubes->end = ends ? ends : cubes->end;
    int *grown = realloc(cubes->literals, (start + length + 1) * sizeof *grown);
    cubes->literals = grown ? grown : cubes->literals;
    GFAB_NEED(ends && grown);
    if (length)
        memcpy(cubes->literals + start, literals, length * sizeof *literals);
    cubes->end[cubes->count++] = start + length;
    return GFAB_OK;
}

gfab_status gfab_cubes_write(const gfab_cubes *cubes, FILE *file, gfab_diag *diag)
{
    errno = 0;
    for (size_t i = 0; i < cubes->count; i++) {
        size_t length;
        const int *literals = gfab_cubes_at(cubes, i, &length);
        fputs("a ", file);
        for (size_t j = 0; j < length; j++)
            fprintf(file, "%d ", literals[j]);
        fputs("0\n", file);
    }
    if (fflush(file) != 0 || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the cubes: %s", gfab_stream_reason());
    return GFAB_OK;
}

/* A cube behind its "a". */
static gfab_status read_cube(gfab_words *w, gfab_cubes *cubes)
{
    int literals[GFAB_CUBES_MAX_LENGTH], letter = 0, literal = 0;
    size_t length = 0;
    for (;;) {
        GFAB_TRY(gfab_words_next(w, &letter));
        if (letter != 0)
            return gfab_fail(w->diag, w->line, GFAB_ERR_PARSE, "the cube does not end in 0");
        GFAB_TRY(gfab_words_number(w, &literal));
        if (literal != 0 && length == GFAB_CUBES_MAX_LENGTH)
            return gfab_fail(w->diag, w->line, GFAB_ERR_LIMIT, "a cube of more than %d literals",
                             GFAB_CUBES_MAX_LENGTH);
        if (literal == 0)
            return gfab_told(gfab_cubes_add(cubes, literals, length), w->diag);
        literals[length++] = literal;
    }
}

gfab_status gfab_cubes_read(FILE *file, gfab_cubes *cubes, gfab_diag *diag)
{
    gfab_words w = {file, diag, 1};
    int letter;
    *cubes = (gfab_cubes){NULL, NULL, 0};
    gfab_status status = gfab_text_skip_mark(file, diag);
    while (status == GFAB_OK && (status = gfab_words_next(&w, &letter)) == GFAB_OK && letter != EOF) {
        status = letter == 'a' ? read_cube(&w, cubes)
                               : gfab_fail(diag, w.line, GFAB_ERR_PARSE, "a cube is expected, such as \"a 5 -7 0\"");
    }
    if (status != GFAB_OK)
        gfab_cubes_release(cubes);
    return status;
}

static gfab_status out_of_place(gfab_diag *diag, size_t index)
{
    return gfab_fail(diag, index + 1, GFAB_ERR_FAULT,
                     "the cubes are not those of a tree of decisions from here on: one is missing, or out of place");
}

/* The cubes from first on are below a node at this depth: finds where they end. A node's cubes share their first
 * literals; its first cube ends here, and is all of them, or decides one more variable, true and then false. */
static gfab_status walk(const gfab_cubes *cubes, size_t first, size_t depth, const int *path, size_t *end,
                        gfab_diag *diag)
{
    size_t length, other_length;
    const int *cube = first < cubes->count ? gfab_cubes_at(cubes, first, &length) : NULL;
    if (!cube || length < depth || memcmp(cube, path, depth * sizeof *cube) != 0)
        return out_of_place(diag, first);
    if (length == depth) {
        *end = first + 1;
        return GFAB_OK;
    }
    if (cube[depth] < 0)
        return out_of_place(diag, first);
    for (size_t i = 0; i < depth; i++)
        if (abs(cube[i]) == cube[depth])
            return out_of_place(diag, first);
    GFAB_TRY(walk(cubes, first, depth + 1, cube, end, diag));
    const size_t middle = *end;
    const int *other = middle < cubes->count ? gfab_cubes_at(cubes, middle, &other_length) : NULL;
    if (!other || other_length <= depth || other[depth] != -cube[depth] ||
        memcmp(other, cube, depth * sizeof *cube) != 0)
        return out_of_place(diag, middle);
    return walk(cubes, middle, depth + 1, other, end, diag);
}

gfab_status gfab_cubes_cover(const gfab_cubes *cubes, gfab_diag *diag)
{
    size_t end = 0;
    GFAB_TRY(walk(cubes, 0, 0, cubes->literals, &end, diag));
    return end != cubes->count ? out_of_place(diag, end) : GFAB_OK;
}
