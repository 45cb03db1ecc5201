/* SPDX-License-Identifier: MIT */
/* Rings of meshes and of complete graphs, by formula. */
#include "rings_internal.h"

/* A mesh is spanned by one of two sides: a path along an even side, and one that winds through all others, a step along
 * one axis each. There a ring goes up and down the even side's rows, all but their first column, and comes back by
 * that one (folklore). */
gfab_status gfab_rings_mesh(const uint32_t *sides, size_t axes, gfab_rings *rings)
{
    size_t even = 0;
    uint32_t nodes = 1, at = 0;
    for (size_t i = 0; i < axes; i++) {
        nodes *= sides[i];
        even = sides[i] % 2 == 0 ? i : even;
    }
    const uint32_t rows = sides[even], columns = nodes / rows;
    GFAB_TRY(gfab_rings_create(1, nodes, rings));
    for (uint32_t k = 0; k < nodes; k++) {
        const uint32_t up = k / (columns - 1), along = k % (columns - 1), back = nodes - 1 - k;
        const uint32_t row = up < rows ? up : back,
                       column = up >= rows ? 0 : 1 + (up % 2 ? columns - 2 - along : along);
        uint32_t digit = column, place[GFAB_MAX_DIMENSIONS], turned = 0;
        for (size_t i = axes; i-- > 0;) {
            place[i] = i == even ? row : digit % sides[i];
            digit = i == even ? digit : digit / sides[i];
        }
        at = 0;
        for (size_t i = 0; i < axes; i++) { /* an axis is gone back where what is before it is odd */
            const uint32_t wound = i == even ? place[i] : turned % 2 ? sides[i] - 1 - place[i] : place[i];
            turned = i == even ? turned : turned * sides[i] + place[i];
            at = at * sides[i] + wound;
        }
        rings->node[k] = at;
    }
    rings->how = "a way up and down a mesh";
    return GFAB_OK;
}

/* Walecki (Lucas 1892): a node in the middle, an even number of nodes on a circle, a way to and fro across it, and its
 * turns. The way's step from a node to the one opposite is another one in each turn, and no two have a node in common:
 * so one node more stands between these two in each ring, and what is left is a perfect matching. */
gfab_status gfab_rings_complete(uint32_t nodes, gfab_rings *rings)
{
    const uint32_t count = (nodes - 1) / 2, circle = 2 * count;
    GFAB_TRY(gfab_rings_create(count, nodes, rings));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *node = rings->node + (size_t)i * nodes, at = 0;
        node[at++] = circle;
        for (uint32_t k = 0; k < circle; k++) {
            if (k == count && nodes > circle + 1)
                node[at++] = circle + 1;
            node[at++] = (i + (k % 2 ? circle - (k + 1) / 2 : k / 2)) % circle;
        }
    }
    rings->how = "Walecki's turns of a way across a circle";
    return GFAB_OK;
}
