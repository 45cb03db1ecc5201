/* SPDX-License-Identifier: MIT */
/* The packets of TorGo and CubGo. A round is written share by share, and in a share node by node: each says by its
 * coordinates alone what it sends or takes in this round. */
#include "cubgo_plan.h"

#include "diagonal.h"

/* A share's phase, seen from one node. */
typedef struct place {
    gfab_grid_writer *writer;
    const gfab_cubgo_phase *phase;
    size_t share;
    size_t axis; /* of the phase */
    uint32_t at[GFAB_MAX_DIMENSIONS];
    uint32_t first; /* on the node's line along the axis, the first coordinate on the diagonal of the phase's end */
    uint32_t round; /* of the phase, from 1 */
} place;

static uint32_t side_of(const place *p)
{
    return p->writer->grid->side[p->axis];
}

/* All that a bridgehead at these coordinates holds when a phase 4 subphase begins, or phase 3: full rows; on other axes
 * the residues modulo `cell`, on the first `turns` of them modulo cell / factor. In phase 3 those from `turn` on are
 * single. */
static gfab_grid_box held_box(const place *p, const uint32_t *at)
{
    const gfab_grid *grid = p->writer->grid;
    gfab_grid_box box;
    for (size_t i = 0; i < grid->axes; i++) {
        const size_t axis = gfab_grid_axis(grid, p->share, i);
        const uint32_t side = grid->side[axis];
        const uint32_t step = i < p->phase->turn ? p->phase->cell / p->phase->factor : p->phase->cell;
        if (i == 0)
            gfab_grid_box_set(&box, axis, 0, 1, side);
        else if (p->phase->kind == GFAB_CUBGO_COLUMN && i >= p->phase->turn)
            gfab_grid_box_set(&box, axis, at[axis], 1, 1);
        else
            gfab_grid_box_set(&box, axis, at[axis] % step, step, (side - 1 - at[axis] % step) / step + 1);
    }
    return box;
}

/* Positions begin .. begin + count - 1 of the node's own row. */
static gfab_grid_box row_box(const place *p, uint32_t begin, uint32_t count)
{
    gfab_grid_box box;
    for (size_t i = 0; i < p->writer->grid->axes; i++)
        gfab_grid_box_set(&box, i, i == p->axis ? begin : p->at[i], 1, i == p->axis ? count : 1);
    return box;
}

/* The node's neighbour among those `apart` along the axis sends it part of a box: from below (up true) or from
 * above. */
static gfab_status take(const place *p, bool up, uint32_t apart, const gfab_grid_box *box, uint64_t begin,
                        uint64_t count)
{
    uint32_t from[GFAB_MAX_DIMENSIONS];
    const gfab_grid *grid = p->writer->grid;
    for (size_t i = 0; i < grid->axes; i++)
        from[i] = p->at[i];
    const uint32_t side = side_of(p);
    from[p->axis] = (from[p->axis] + (up ? side - apart : apart)) % side;
    const gfab_grid_way way = {p->share, from, p->axis, up ? (int64_t)apart : -(int64_t)apart};
    return gfab_grid_send(p->writer, way, box, gfab_grid_axis(grid, p->share, 0),
                          (gfab_grid_part){.begin = begin, .count = count, .hole = count});
}

/* The cell that a position belongs to: its begin and end (which may lie beyond the line where that is a ring) and its
 * bridgehead. */
typedef struct cell {
    int64_t begin, end, head;
} cell;

/* On a ring of links the bridgehead is in the middle of its cell. On a path cells lie at multiples of g, the short
 * one at the end joined to the one before where it has no bridgehead. One-port: the bridgehead is its cell's last
 * node. */
static cell cell_of(const place *p)
{
    const int64_t g = p->phase->cell, side = side_of(p), at = p->at[p->axis], first = p->first;
    if (gfab_cubgo_two_sided(p->writer->grid, p->axis) || p->writer->grid->one_port) {
        const int64_t below = p->writer->grid->one_port ? g - 1 : (g - 1) / 2;
        const int64_t begin = at - (at - first + below + g) % g;
        return (cell){begin, begin + g, begin + below};
    }
    const int64_t last = (side - 1 - first) / g;
    const int64_t number = at / g < last ? at / g : last;
    return (cell){number * g, number == last ? side : (number + 1) * g, first + number * g};
}

/* A node of the arm of a bridgehead sends once. Block t of the arm, its positions gathered(t - 1) + 1 ..
 * gathered(t), is gathered at its own middle (one-port: at its near end) in t - 1 rounds and comes in round t: the
 * same again within. */
static gfab_status gather(const place *p)
{
    const gfab_grid *grid = p->writer->grid;
    const cell c = cell_of(p);
    const int64_t at = p->at[p->axis];
    int64_t low = c.begin, high = c.end - 1, head = c.head;
    while (at != head) {
        const bool above = at > head;
        const int64_t distance = above ? at - head : head - at, arm = above ? high - head : head - low;
        uint32_t t = 1;
        while ((int64_t)gfab_cubgo_gathered(grid, t) < distance)
            t++;
        const int64_t near = (int64_t)gfab_cubgo_gathered(grid, t - 1) + 1;
        const int64_t reach = (int64_t)gfab_cubgo_gathered(grid, t), far = arm < reach ? arm : reach;
        const int64_t middle = grid->one_port ? near : near + (far - near) / 2;
        const int64_t root = head;
        low = above ? head + near : head - far;
        high = above ? head + far : head - near;
        head = above ? head + middle : head - middle;
        if (at == head) {
            if (t != p->round)
                return GFAB_OK;
            const int64_t side = side_of(p);
            const gfab_grid_box box = row_box(p, (uint32_t)((low + side) % side), (uint32_t)(high - low + 1));
            const uint64_t pieces = gfab_grid_box_pieces(grid, &box);
            const gfab_grid_way way = {p->share, p->at, p->axis, root - at};
            return gfab_grid_send(p->writer, way, &box, p->axis, (gfab_grid_part){.count = pieces, .hole = pieces});
        }
    }
    return GFAB_OK;
}

/* A bridgehead takes what another, `round` bridgeheads below or above, had when the phase began. On a ring with an even
 * number of them the last comes from both sides, a half from each. */
static gfab_status circulate(const place *p, uint32_t apart, uint32_t count, gfab_grid_box (*had)(const place *))
{
    const gfab_grid *grid = p->writer->grid;
    const uint32_t side = side_of(p), t = p->round, number = p->at[p->axis] / apart;
    const bool ring = gfab_grid_ring(grid, p->axis);
    if (t >= count || (gfab_cubgo_two_sided(grid, p->axis) && 2 * t > count))
        return GFAB_OK;
    for (int up = 1; up >= (grid->one_port ? 1 : 0); up--) {
        if (!ring && (up ? number < t : number + t >= count))
            continue;
        place source = *p;
        const uint64_t shift = (uint64_t)t * apart;
        source.at[p->axis] = (uint32_t)((p->at[p->axis] + (up ? side - shift % side : shift)) % side);
        const gfab_grid_box box = had(&source);
        const uint64_t pieces = gfab_grid_box_pieces(grid, &box), half = pieces - pieces / 2;
        const bool halved = gfab_cubgo_two_sided(grid, p->axis) && 2 * t == count;
        GFAB_TRY(take(p, up, apart, &box, halved && !up ? half : 0, halved ? (up ? half : pieces - half) : pieces));
    }
    return GFAB_OK;
}

static gfab_grid_box cell_box(const place *p)
{
    const cell c = cell_of(p);
    const int64_t side = side_of(p);
    return row_box(p, (uint32_t)((c.begin + side) % side), (uint32_t)(c.end - c.begin));
}

static gfab_grid_box own_box(const place *p)
{
    return held_box(p, p->at);
}

/* A new bridgehead takes message i from the bridgehead next to it, new or old. */
static gfab_status take_message(const place *p, bool up, uint64_t messages, bool two_sided, uint64_t i)
{
    const gfab_grid_box box = held_box(p, p->at);
    const uint64_t total = gfab_grid_box_pieces(p->writer->grid, &box);
    const uint64_t begin = gfab_cubgo_message_begin(total, messages, two_sided, i);
    return take(p, up, p->phase->cell / p->phase->factor, &box, begin,
                gfab_cubgo_message_begin(total, messages, two_sided, i + 1) - begin);
}

/* New bridgehead number q above an old one takes messages 1 .. b - q + 1 from below, number i in round i + q - 1, and,
 * where it is served from both sides, the others from above, from the last down. On a path those below the first old
 * bridgehead take all from above. */
static gfab_status fill(const place *p)
{
    const gfab_grid *grid = p->writer->grid;
    const uint32_t g = p->phase->cell, next = g / p->phase->factor, at = p->at[p->axis];
    const uint32_t old = gfab_diagonal_first(grid->axes, p->at, p->axis, g);
    const uint64_t b = p->phase->rounds, t = p->round, k = gfab_cubgo_messages(grid, p->phase, p->share);
    const bool two_sided = gfab_cubgo_two_sided(grid, p->axis);
    const uint64_t q = (at + g - old) % g / next, above = p->phase->factor - q;
    if (q == 0)
        return GFAB_OK;
    if (at < old && !gfab_grid_ring(grid, p->axis)) {
        const uint64_t distance = (old - at) / next;
        return t >= distance && t - distance < k ? take_message(p, false, k, false, t - distance + 1) : GFAB_OK;
    }
    const uint64_t fit = b + 1 > q ? b + 1 - q : 0, from_below = fit < k ? fit : k;
    if (t >= q && t - q < from_below)
        GFAB_TRY(take_message(p, true, k, two_sided, t - q + 1));
    return two_sided && t >= above && t - above < k - from_below ? take_message(p, false, k, true, k - (t - above))
                                                                 : GFAB_OK;
}

/* Bridgeheads number 0, 1, .. of a line have residues that repeat after `factor` of them. Each takes every residue
 * but its own from the nearest bridgehead that has it, relayed one bridgehead a round; of two equally near a half
 * from each. */
static gfab_status refill(const place *p)
{
    const gfab_grid *grid = p->writer->grid;
    const uint32_t a = p->phase->factor, apart = p->phase->cell / a, t = p->round;
    if (gfab_grid_ring(grid, p->axis))
        return circulate(p, apart, a, own_box);
    const uint32_t number = p->at[p->axis] / apart, count = (side_of(p) - 1 - p->first) / apart + 1;
    if (t >= a)
        return GFAB_OK;
    for (int up = 1; up >= 0; up--) {
        const bool here = up ? number >= t : number + t < count;
        const bool nearer = 2 * t > a && (up ? number + (a - t) < count : number >= a - t);
        if (!here || nearer)
            continue;
        place source = *p;
        source.at[p->axis] = up ? p->at[p->axis] - t * apart : p->at[p->axis] + t * apart;
        const gfab_grid_box box = own_box(&source);
        const uint64_t pieces = gfab_grid_box_pieces(grid, &box), half = pieces - pieces / 2;
        const bool halved = 2 * t == a && (up ? number + t < count : number >= t);
        GFAB_TRY(take(p, up, apart, &box, halved && !up ? half : 0, halved ? (up ? half : pieces - half) : pieces));
    }
    return GFAB_OK;
}

/* Phases among bridgeheads: those of the phase's end alone take part. */
static gfab_status send_at(place *p)
{
    const gfab_grid *grid = p->writer->grid;
    const uint32_t g = p->phase->cell, end = g / p->phase->factor;
    p->first = gfab_diagonal_first(grid->axes, p->at, p->axis, end);
    if (p->phase->kind == GFAB_CUBGO_GATHER)
        return gather(p);
    if (p->at[p->axis] % end != p->first)
        return GFAB_OK;
    const uint32_t on_line = (side_of(p) - 1 - p->first) / end + 1;
    switch (p->phase->kind) {
    case GFAB_CUBGO_SPREAD:
        return circulate(p, g, on_line, cell_box);
    case GFAB_CUBGO_COLUMN:
        return circulate(p, g, on_line, own_box);
    case GFAB_CUBGO_FILL:
        return fill(p);
    default:
        return refill(p);
    }
}

static gfab_status send_phase(gfab_grid_writer *writer, const gfab_cubgo_phase *phase,
                              const gfab_solver_options *options, uint64_t total)
{
    const gfab_grid *grid = writer->grid;
    uint64_t rounds = 0;
    for (size_t s = 0; s < gfab_grid_priced_shares(grid); s++) {
        gfab_grid_runs runs;
        gfab_cubgo_phase_runs(grid, phase, s, &runs);
        const uint64_t these = gfab_grid_runs_rounds(&runs);
        rounds = these > rounds ? these : rounds;
    }
    for (uint32_t t = 1; t <= rounds; t++) {
        writer->round++;
        GFAB_TRY(gfab_solver_report(options, "rounds", writer->round - 1, total));
        for (size_t share = 0; share < grid->share_count; share++) {
            place p = {.writer = writer, .phase = phase, .share = share, .round = t};
            p.axis = gfab_grid_axis(grid, share, phase->turn);
            for (size_t node = 0; node < gfab_grid_nodes(grid); node++) {
                gfab_grid_node(grid, node, p.at);
                GFAB_TRY(send_at(&p));
            }
        }
    }
    return GFAB_OK;
}

gfab_status gfab_cubgo_send(gfab_grid_writer *writer, const gfab_cubgo_recipe *recipe,
                            const gfab_solver_options *options)
{
    gfab_cost cost;
    GFAB_TRY(gfab_cubgo_cost(writer->grid, recipe, &cost, NULL));
    gfab_cubgo_phase phase;
    for (size_t i = 0; gfab_cubgo_phase_at(writer->grid, recipe, i, &phase); i++)
        GFAB_TRY(send_phase(writer, &phase, options, cost.startups));
    return GFAB_OK;
}
