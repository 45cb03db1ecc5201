/* SPDX-License-Identifier: MIT */
/* Mesh graph descriptors in protobuf's text format: descriptors of meshes, of switches that are made of chips, and of
 * graphs, which have instances of the others and connections between these; top_level_instance says which of them is
 * there. An instance is numbered by who writes it, within its graph. */
#include "graphs/tenstorrent/mesh.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_DEPTH = 16, MAX_ID = INT32_MAX };

/* The words of meshes, switches and graphs. */
static const struct kind {
    char letter;
    const char *reference, *descriptor, *id, *described;
} kinds[] = {{'M', "mesh", "mesh_descriptor", "mesh_id", "mesh_descriptors"},
             {'S', "switch", "switch_descriptor", "switch_id", "switch_descriptors"},
             {'G', "graph", "graph_descriptor", "graph_id", "graph_descriptors"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What a reference says: which kind of part, of what name and number. */
typedef struct reference {
    const struct kind *kind;
    size_t block; /* with device_id, or with a reference further down */
    gfab_graph_word name;
    uint64_t id;
} reference;

static size_t find(const gfab_tt_reader *r, size_t parent, const char *key)
{
    return gfab_block_find(&r->blocks, parent, key);
}

/* A number that may be missing. */
static gfab_status number_or(gfab_tt_reader *r, size_t parent, const char *key, uint64_t maximum, uint64_t *number)
{
    const size_t block = find(r, parent, key);
    return block ? gfab_block_number(r->t, &r->blocks, block, 0, maximum, number) : GFAB_OK;
}

static gfab_graph_word value(const gfab_tt_reader *r, size_t block)
{
    const gfab_graph_word none = {"", 0};
    return block && r->blocks.at[block].value.at ? r->blocks.at[block].value : none;
}

/* Is there a reference in the block? */
static bool has_reference(const gfab_tt_reader *r, size_t block)
{
    bool found = false;
    for (size_t k = 0; k < KINDS; k++)
        found = found || find(r, block, kinds[k].reference);
    return found;
}

static gfab_status read_reference(gfab_tt_reader *r, size_t block, reference *ref)
{
    r->t->line = r->blocks.at[block].line;
    ref->block = 0;
    for (size_t k = 0; k < KINDS && !ref->block; k++) {
        ref->kind = &kinds[k];
        ref->block = find(r, block, kinds[k].reference);
    }
    if (!ref->block)
        return FAIL(r->t, GFAB_ERR_PARSE, "mesh { .. }, graph { .. } or switch { .. } is expected");
    ref->name = value(r, find(r, ref->block, ref->kind->descriptor));
    ref->id = 0;
    return number_or(r, ref->block, ref->kind->id, MAX_ID, &ref->id);
}

static gfab_status not_there(gfab_tt_reader *r, const reference *ref, const char *what)
{
    return FAIL(r->t, GFAB_ERR_INVALID, "%s \"%.*s\" %s", ref->kind->descriptor,
                ref->name.length > 40 ? 40 : (int)ref->name.length, ref->name.at, what);
}

/* ---- meshes ---- */

/* channels { count: 4 }; 1 where there is none. */
static gfab_status read_channels(gfab_tt_reader *r, size_t parent, uint32_t *channels)
{
    const size_t block = find(r, parent, "channels");
    uint64_t number = 1;
    if (block)
        GFAB_TRY(number_or(r, block, "count", GFAB_MAX_WEIGHT, &number));
    if (number == 0)
        return FAIL(r->t, GFAB_ERR_LIMIT, "channels: 1 to %u are expected", GFAB_MAX_WEIGHT);
    *channels = (uint32_t)number;
    return GFAB_OK;
}

/* The values of a key that may stand in a list, or be there several times. The next one, behind *at. */
static size_t next_value(const gfab_tt_reader *r, size_t parent, const char *key, size_t *list, size_t at)
{
    for (;;) {
        if (*list && !r->blocks.at[*list].value.at)
            at = gfab_block_next(&r->blocks, *list, at, NULL);
        else
            at = 0;
        if (at)
            return at;
        *list = gfab_block_next(&r->blocks, parent, *list, key);
        if (!*list || r->blocks.at[*list].value.at)
            return *list;
    }
}

static gfab_status read_sides(gfab_tt_reader *r, size_t topology, gfab_tt_mesh *mesh)
{
    size_t list = 0, types = 0;
    const char *word = find(r, topology, "dim_types") ? "dim_types" : "types";
    for (size_t at = next_value(r, topology, "dims", &list, 0); at; at = next_value(r, topology, "dims", &list, at)) {
        if (mesh->dimensions == GFAB_TT_SIDES)
            return FAIL(r->t, GFAB_ERR_LIMIT, "dims: at most %d sides are supported", GFAB_TT_SIDES);
        GFAB_TRY(gfab_block_number(r->t, &r->blocks, at, 0, GFAB_MAX_NODES, &mesh->sides[mesh->dimensions]));
        if (mesh->sides[mesh->dimensions++] == 0)
            return FAIL(r->t, GFAB_ERR_INVALID, "dims: a side of 0 chips");
    }
    size_t d = 0;
    for (size_t at = next_value(r, topology, word, &types, 0); at;
         at = next_value(r, topology, word, &types, at), d++) {
        const bool ring = gfab_block_is(&r->blocks, at, "RING"), line = gfab_block_is(&r->blocks, at, "LINE");
        if (d == mesh->dimensions || !(ring || line)) {
            r->t->line = r->blocks.at[at].line;
            return FAIL(r->t, GFAB_ERR_PARSE, "dim_types: RING or LINE is expected for each side of dims");
        }
        mesh->ring[d] = ring;
    }
    return GFAB_OK;
}

/* Links between the first and the last chip of each block of `step` chips along a side, from `start` on, in each line.
 * On a ring the last block goes on at the ring's beginning. */
static gfab_status link_blocks(gfab_tt_reader *r, size_t part, const gfab_tt_mesh *mesh, const uint64_t pattern[3],
                               bool ring)
{
    const uint64_t start = pattern[1], step = pattern[2];
    const size_t side = (size_t)mesh->sides[pattern[0]], first = r->parts[part].first, chips = r->parts[part].chips;
    size_t stride = chips;
    for (size_t d = 0; d <= pattern[0]; d++)
        stride /= (size_t)mesh->sides[d];
    for (size_t v = 0; v < chips; v++) {
        const size_t at = v / stride % side;
        const size_t along = (at + side - (size_t)start) % side; /* from the start on */
        const size_t end = at + (size_t)step - 1;
        if (along % step || along + step > side || (!ring && (at < start || end >= side)))
            continue;
        const size_t other = v + (end % side) * stride - at * stride;
        GFAB_TRY(gfab_graph_text_link(r->t, r->g, first + v, first + other, false, mesh->channels, NULL));
    }
    return GFAB_OK;
}

/* express_links { dim_idx: 0 pattern { start: 2 step: 4 } wrap: LINE } */
static gfab_status read_express_links(gfab_tt_reader *r, size_t part, size_t links, const gfab_tt_mesh *mesh)
{
    uint64_t pattern[3] = {0, 0, 0};
    const size_t wrap = find(r, links, "wrap");
    GFAB_TRY(number_or(r, links, "dim_idx", mesh->dimensions - 1, &pattern[0]));
    const uint64_t side = mesh->sides[pattern[0]];
    const bool ring = wrap ? gfab_block_is(&r->blocks, wrap, "RING") : mesh->ring[pattern[0]];
    for (size_t p = find(r, links, "pattern"); p; p = gfab_block_next(&r->blocks, links, p, "pattern")) {
        GFAB_TRY(number_or(r, p, "start", side - 1, &pattern[1]));
        GFAB_TRY(number_or(r, p, "step", side, &pattern[2]));
        if (pattern[2] < 2)
            return FAIL(r->t, GFAB_ERR_INVALID, "pattern: a step of 2 at least is expected");
        GFAB_TRY(link_blocks(r, part, mesh, pattern, ring));
    }
    return GFAB_OK;
}

static gfab_status read_express(gfab_tt_reader *r, size_t part, size_t descriptor, const gfab_tt_mesh *mesh)
{
    const gfab_blocks *b = &r->blocks;
    const size_t first = r->parts[part].first, chips = r->parts[part].chips;
    size_t at = 0;
    while ((at = gfab_block_next(b, descriptor, at, "express_connections"))) {
        uint64_t src = 0, dst = 0;
        GFAB_TRY(number_or(r, at, "src", chips - 1, &src));
        GFAB_TRY(number_or(r, at, "dst", chips - 1, &dst));
        r->t->line = b->at[at].line;
        GFAB_TRY(gfab_graph_text_link(r->t, r->g, first + src, first + dst, false, mesh->channels, NULL));
    }
    while ((at = gfab_block_next(b, descriptor, at, "express_links")))
        GFAB_TRY(read_express_links(r, part, at, mesh));
    return GFAB_OK;
}

/* The chips of the last part. */
static gfab_status read_mesh(gfab_tt_reader *r, size_t descriptor, const char *path)
{
    gfab_tt_mesh mesh = {.dimensions = 0, .channels = 1};
    const size_t topology = find(r, descriptor, "device_topology"), part = r->count - 1;
    r->t->line = r->blocks.at[descriptor].line;
    if (topology)
        GFAB_TRY(read_sides(r, topology, &mesh));
    if (mesh.dimensions == 0)
        return FAIL(r->t, GFAB_ERR_PARSE, "device_topology: sides such as dims: [ 2, 4 ] are expected");
    GFAB_TRY(read_channels(r, descriptor, &mesh.channels));
    GFAB_TRY(gfab_tt_mesh_link(r, &mesh, path));
    return read_express(r, part, descriptor, &mesh);
}

/* ---- graphs ---- */

/* What a reference within a part means, further down too. */
static gfab_status find_end(gfab_tt_reader *r, size_t part, size_t block, gfab_tt_end *end)
{
    for (;;) {
        reference ref;
        GFAB_TRY(read_reference(r, block, &ref));
        size_t child = gfab_tt_next(r, part, part);
        for (; child < r->count; child = gfab_tt_next(r, part, child)) {
            const gfab_tt_part *one = &r->parts[child];
            if (one->kind == ref.kind->letter && one->id == ref.id && one->name.length == ref.name.length &&
                memcmp(one->name.at, ref.name.at, ref.name.length) == 0)
                break;
        }
        if (child >= r->count)
            return not_there(r, &ref, "has no instance of that number in its graph");
        const size_t below = find(r, ref.block, "sub_ref") ? find(r, ref.block, "sub_ref") : ref.block;
        const size_t device = find(r, ref.block, "device_id");
        if (ref.kind->letter == 'G' && has_reference(r, below)) {
            part = child;
            block = below;
            continue;
        }
        uint64_t chip = 0;
        if (device)
            GFAB_TRY(gfab_block_number(r->t, &r->blocks, device, 0, r->parts[child].chips - 1, &chip));
        *end = (gfab_tt_end){.part = child, .any = !device, .chip = (size_t)chip};
        return GFAB_OK;
    }
}

static gfab_status read_connection(gfab_tt_reader *r, size_t graph, size_t block)
{
    gfab_tt_end ends[2];
    uint32_t channels;
    size_t count = 0;
    for (size_t at = find(r, block, "nodes"); at; at = gfab_block_next(&r->blocks, block, at, "nodes"), count++)
        if (count < 2)
            GFAB_TRY(find_end(r, graph, at, &ends[count]));
    r->t->line = r->blocks.at[block].line;
    if (count != 2)
        return FAIL(r->t, GFAB_ERR_UNSUPPORTED, "connections: two nodes are expected, and not %zu", count);
    GFAB_TRY(read_channels(r, block, &channels));
    const size_t directional = find(r, block, "directional");
    r->t->line = r->blocks.at[block].line;
    return gfab_tt_connect(r, ends[0], ends[1], channels,
                           directional && gfab_block_is(&r->blocks, directional, "true"));
}

/* graph_topology { layout_type: RING channels { count: 2 } }, or graph_topology: RING and channels beside it */
static gfab_status read_layout(gfab_tt_reader *r, size_t graph, size_t descriptor)
{
    const size_t block = find(r, descriptor, "graph_topology");
    if (!block)
        return GFAB_OK;
    const size_t type = find(r, block, "layout_type") ? find(r, block, "layout_type") : block;
    const bool ring = gfab_block_is(&r->blocks, type, "RING"), all = gfab_block_is(&r->blocks, type, "ALL_TO_ALL");
    uint32_t channels;
    GFAB_TRY(read_channels(r, find(r, block, "channels") ? block : descriptor, &channels));
    r->t->line = r->blocks.at[block].line;
    if (!ring && !all)
        return FAIL(r->t, GFAB_ERR_UNSUPPORTED, "graph_topology: ALL_TO_ALL or RING is expected");
    const size_t first = gfab_tt_next(r, graph, graph);
    for (size_t a = first; a < r->count; a = gfab_tt_next(r, graph, a)) {
        const size_t next = gfab_tt_next(r, graph, a);
        for (size_t b = next; b < r->count && (all || b == next); b = gfab_tt_next(r, graph, b))
            GFAB_TRY(gfab_tt_connect(r, (gfab_tt_end){a, true, 0}, (gfab_tt_end){b, true, 0}, channels, false));
        const bool closes = ring && next >= r->count && a != first && gfab_tt_next(r, graph, first) != a;
        if (closes)
            GFAB_TRY(gfab_tt_connect(r, (gfab_tt_end){a, true, 0}, (gfab_tt_end){first, true, 0}, channels, false));
    }
    return GFAB_OK;
}

/* The part that a block of references means, with all that is in it. `path` begins its chips' names, and has room. */
static gfab_status read_part(gfab_tt_reader *r, size_t block, char *path, size_t depth)
{
    reference ref;
    GFAB_TRY(read_reference(r, block, &ref));
    const gfab_blocks *b = &r->blocks;
    size_t descriptor = find(r, 0, ref.kind->described);
    while (descriptor) {
        const gfab_graph_word name = value(r, find(r, descriptor, "name"));
        if (name.length == ref.name.length && memcmp(name.at, ref.name.at, name.length) == 0)
            break;
        descriptor = gfab_block_next(b, 0, descriptor, ref.kind->described);
    }
    if (!descriptor)
        return not_there(r, &ref, "is not described");
    if (depth == MAX_DEPTH)
        return not_there(r, &ref, "is an instance within too many others, or within itself");
    const size_t part = r->count;
    GFAB_TRY(gfab_tt_part_new(r, ref.kind->letter, ref.name, ref.id));
    if (ref.kind->letter != 'G')
        return read_mesh(r, descriptor, depth ? path : NULL);
    const size_t length = strlen(path);
    if (depth)
        snprintf(path + length, 16, "G%" PRIu64, ref.id);
    for (size_t at = find(r, descriptor, "instances"); at; at = gfab_block_next(b, descriptor, at, "instances"))
        GFAB_TRY(read_part(r, at, path, depth + 1));
    path[length] = '\0';
    r->parts[part].end = r->count;
    r->parts[part].chips = r->g->nodes - r->parts[part].first;
    for (size_t at = find(r, descriptor, "connections"); at; at = gfab_block_next(b, descriptor, at, "connections"))
        GFAB_TRY(read_connection(r, part, at));
    return read_layout(r, part, descriptor);
}

gfab_status gfab_tt_read_text(gfab_tt_reader *r)
{
    char path[16 * (MAX_DEPTH + 1)] = "";
    const size_t top = find(r, 0, "top_level_instance");
    const size_t mesh = find(r, 0, "mesh_descriptors");
    if (top)
        return read_part(r, top, path, 0);
    r->t->line = 0;
    if (find(r, 0, "graph_descriptors") || !mesh || gfab_block_next(&r->blocks, 0, mesh, "mesh_descriptors"))
        return FAIL(r->t, GFAB_ERR_PARSE, "a mesh graph descriptor has a top_level_instance");
    GFAB_TRY(gfab_tt_part_new(r, 'M', value(r, find(r, mesh, "name")), 0));
    return read_mesh(r, mesh, NULL);
}
