/* SPDX-License-Identifier: MIT */
/* Mesh graph descriptors as they were before protobuf's, in YAML: ChipSpec has the channels of a chip's sides; Board,
 * its sides and whether they close; Mesh, boards side by side; Graph and RelaxedGraph, what is linked between the
 * meshes: ports of sides, [[0, E0], [1, W0]], one way; chips, [[M0, D12], [M1, D0], 2]; or meshes, [M0, M1, 4]. */
#include "graphs/tenstorrent/mesh.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { MAX_ID = INT32_MAX };

static size_t find(const gfab_tt_reader *r, size_t parent, const char *key)
{
    return gfab_block_find(&r->blocks, parent, key);
}

static gfab_status fail_at(gfab_tt_reader *r, size_t block, const char *message)
{
    r->t->line = r->blocks.at[block].line;
    return FAIL(r->t, GFAB_ERR_PARSE, "%s", message);
}

/* Two numbers in brackets, of 1 at least. */
static gfab_status read_sides(gfab_tt_reader *r, size_t list, uint64_t sides[2])
{
    size_t at = 0, count = 0;
    while ((at = gfab_block_next(&r->blocks, list, at, NULL)) && count < 3) {
        if (count < 2)
            GFAB_TRY(gfab_block_number(r->t, &r->blocks, at, 0, GFAB_MAX_NODES, &sides[count]));
        count++;
    }
    return count == 2 && sides[0] && sides[1] ? GFAB_OK : fail_at(r, list, "two sides such as [2, 4] are expected");
}

/* The rows and columns of host_ranks: [[0, 1], [2, 3]]; 0 where it is not there. */
static void count_hosts(const gfab_tt_reader *r, size_t mesh, uint64_t hosts[2])
{
    const size_t list = find(r, mesh, "host_ranks");
    size_t row = 0;
    while (list && (row = gfab_block_next(&r->blocks, list, row, NULL))) {
        hosts[1] = 0;
        hosts[0]++;
        for (size_t at = 0; (at = gfab_block_next(&r->blocks, row, at, NULL));)
            hosts[1]++;
    }
}

/* The board of a mesh. */
static gfab_status find_board(gfab_tt_reader *r, size_t mesh, size_t *board)
{
    const gfab_blocks *b = &r->blocks;
    const size_t boards = find(r, 0, "Board"), wanted = find(r, mesh, "board");
    size_t at = 0;
    while (boards && wanted && (at = gfab_block_next(b, boards, at, NULL))) {
        const size_t name = find(r, at, "name");
        const gfab_graph_word *one = &b->at[name].value, *other = &b->at[wanted].value;
        *board = at;
        if (name && one->length == other->length && one->at && other->at && !memcmp(one->at, other->at, one->length))
            return GFAB_OK;
    }
    return fail_at(r, wanted ? wanted : mesh, "the board of a mesh is not described");
}

/* Which of a board's sides are closed. */
static gfab_status read_type(gfab_tt_reader *r, size_t board, bool ring[2])
{
    static const struct {
        const char *word;
        bool rows, columns;
    } types[] = {{"MESH", false, false},
                 {"TORUS_X", false, true},
                 {"TORUS_Y", true, false},
                 {"TORUS_XY", true, true},
                 {"TORUS_2D", true, true}};
    const size_t type = find(r, board, "type");
    const gfab_graph_word word = r->blocks.at[type].value;
    for (size_t i = 0; type && word.at && i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].word) == word.length && strncasecmp(types[i].word, word.at, word.length) == 0) {
            ring[0] = types[i].rows;
            ring[1] = types[i].columns;
            return GFAB_OK;
        }
    return fail_at(r, type ? type : board, "type: Mesh, TORUS_X, TORUS_Y or TORUS_XY is expected");
}

/* device_topology is in chips. Before that word there was topology, in boards or in chips: in chips it has as many
 * boards as host_ranks has places. */
static gfab_status read_mesh(gfab_tt_reader *r, size_t block, gfab_tt_mesh *mesh)
{
    const size_t devices = find(r, block, "device_topology"), older = find(r, block, "topology");
    size_t board = 0;
    uint64_t sides[2] = {0, 0}, hosts[2] = {0, 0};
    GFAB_TRY(find_board(r, block, &board));
    GFAB_TRY(read_type(r, board, mesh->ring));
    if (!devices && !older)
        return fail_at(r, block, "device_topology: two sides such as [2, 4] are expected");
    GFAB_TRY(read_sides(r, devices ? devices : older, mesh->sides));
    if (!devices) {
        GFAB_TRY(read_sides(r, find(r, board, "topology"), sides));
        count_hosts(r, block, hosts);
        const bool in_chips = mesh->sides[0] == sides[0] * hosts[0] && mesh->sides[1] == sides[1] * hosts[1];
        for (int d = 0; d < 2 && !in_chips; d++)
            mesh->sides[d] *= sides[d];
    }
    mesh->dimensions = 2;
    return GFAB_OK;
}

static gfab_status read_ports(gfab_tt_reader *r, uint64_t *ports)
{
    const size_t spec = find(r, 0, "ChipSpec"), list = find(r, spec, "ethernet_ports");
    const char *sides[] = {"N", "E", "S", "W"};
    for (size_t i = 0; i < 4; i++) {
        const size_t side = list ? find(r, list, sides[i]) : 0;
        uint64_t number = 0;
        if (side)
            GFAB_TRY(gfab_block_number(r->t, &r->blocks, side, 0, GFAB_MAX_WEIGHT, &number));
        if (!side || (i && number != *ports))
            return fail_at(r, list ? list : spec, "ethernet_ports: N, E, S and W are expected, with one number");
        *ports = number;
    }
    return GFAB_OK;
}

/* ---- what is linked between meshes ---- */

static gfab_status find_mesh(gfab_tt_reader *r, size_t block, size_t *part)
{
    const gfab_graph_word word = r->blocks.at[block].value;
    uint64_t id = 0;
    GFAB_TRY(gfab_block_number(r->t, &r->blocks, block, word.at && *word.at == 'M', MAX_ID, &id));
    for (*part = 0; *part < r->count; ++*part)
        if (r->parts[*part].id == id)
            return GFAB_OK;
    return FAIL(r->t, GFAB_ERR_INVALID, "no mesh has the id %" PRIu64, id);
}

/* D12 is a chip; E3, a port: those of a side are counted chip by chip, from the north and from the west. */
static gfab_status read_chip(gfab_tt_reader *r, size_t block, const gfab_tt_mesh *mesh, gfab_tt_end *end)
{
    const gfab_graph_word word = r->blocks.at[block].value;
    const char side = word.at && word.length ? *word.at : '\0';
    const uint64_t rows = mesh->sides[0], columns = mesh->sides[1];
    uint64_t number = 0;
    end->any = false;
    if (!side || !strchr("DNESW", side))
        return fail_at(r, block, "a chip, such as D3, or a port, such as E0, is expected");
    const uint64_t places = side == 'D' ? rows * columns : mesh->channels * (strchr("NS", side) ? columns : rows);
    if (places == 0)
        return fail_at(r, block, "a port of a chip that has none");
    GFAB_TRY(gfab_block_number(r->t, &r->blocks, block, 1, places - 1, &number));
    const uint64_t at = side == 'D' ? number : number / mesh->channels;
    const uint64_t chips[] = {at, at, (rows - 1) * columns + at, at * columns, at * columns + columns - 1};
    end->chip = (size_t)chips[strchr("DNSWE", side) - "DNSWE"];
    return GFAB_OK;
}

static gfab_status read_end(gfab_tt_reader *r, size_t block, const gfab_tt_mesh *meshes, gfab_tt_end *end)
{
    const size_t inner = gfab_block_next(&r->blocks, block, 0, NULL);
    const size_t chip = inner ? gfab_block_next(&r->blocks, block, inner, NULL) : 0;
    end->any = true;
    end->chip = 0;
    GFAB_TRY(find_mesh(r, inner ? inner : block, &end->part));
    return chip ? read_chip(r, chip, &meshes[end->part], end) : GFAB_OK;
}

static bool is_port(const gfab_tt_reader *r, size_t block)
{
    const size_t inner = gfab_block_next(&r->blocks, block, 0, NULL);
    const size_t chip = inner ? gfab_block_next(&r->blocks, block, inner, NULL) : 0;
    const gfab_graph_word word = r->blocks.at[chip].value;
    return chip && word.at && word.length && *word.at != 'D';
}

static gfab_status read_graph(gfab_tt_reader *r, const char *key, const gfab_tt_mesh *meshes)
{
    const gfab_blocks *b = &r->blocks;
    const size_t list = find(r, 0, key);
    size_t entry = 0;
    while (list && (entry = gfab_block_next(b, list, entry, NULL))) {
        const size_t from = gfab_block_next(b, entry, 0, NULL);
        const size_t to = from ? gfab_block_next(b, entry, from, NULL) : 0;
        const size_t count = to ? gfab_block_next(b, entry, to, NULL) : 0;
        gfab_tt_end ends[2];
        uint64_t channels = 1;
        if (!to)
            return fail_at(r, entry, "two meshes, or two chips of them, are expected");
        GFAB_TRY(read_end(r, from, meshes, &ends[0]));
        GFAB_TRY(read_end(r, to, meshes, &ends[1]));
        if (count)
            GFAB_TRY(gfab_block_number(r->t, b, count, 0, GFAB_MAX_WEIGHT, &channels));
        GFAB_TRY(gfab_tt_connect(r, ends[0], ends[1], channels, is_port(r, from)));
    }
    return GFAB_OK;
}

gfab_status gfab_tt_read_yaml(gfab_tt_reader *r)
{
    const size_t list = find(r, 0, "Mesh");
    uint64_t ports = 0;
    size_t count = 0, block = 0;
    if (!list)
        return fail_at(r, 0, "a mesh graph descriptor has a list of meshes, Mesh: [ .. ]");
    GFAB_TRY(read_ports(r, &ports));
    while ((block = gfab_block_next(&r->blocks, list, block, NULL)))
        count++;
    GFAB_FREED gfab_tt_mesh *meshes = calloc(count + 1, sizeof *meshes);
    gfab_status status = meshes ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, r->t->diag);
    while (status == GFAB_OK && (block = gfab_block_next(&r->blocks, list, block, NULL))) {
        const size_t id = find(r, block, "id");
        gfab_tt_mesh *mesh = &meshes[r->count];
        uint64_t number = 0;
        status = read_mesh(r, block, mesh);
        mesh->channels = (uint32_t)ports;
        if (id)
            GFAB_THEN(status, gfab_block_number(r->t, &r->blocks, id, 0, MAX_ID, &number));
        GFAB_THEN(status, gfab_tt_part_new(r, 'M', (gfab_graph_word){"", 0}, number));
        if (status == GFAB_OK && ports == 0 && mesh->sides[0] * mesh->sides[1] > 1)
            status = fail_at(r, block, "ethernet_ports: a mesh of several chips needs ports");
        GFAB_THEN(status, gfab_tt_mesh_link(r, mesh, count > 1 ? "" : NULL));
    }
    GFAB_THEN(status, read_graph(r, "Graph", meshes));
    GFAB_THEN(status, read_graph(r, "RelaxedGraph", meshes));
    return status;
}
