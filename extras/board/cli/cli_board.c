/* SPDX-License-Identifier: MIT */
/* A fabric on a board, as the commands want to see it. The protocol (extras/board/host.c) knows nodes, slots and bits;
 * a user thinks of programs and blocks. What connects them is the folder's manifest: which goal a program has, which
 * nodes are relays, how slots are numbered. It is compared with what the board says of itself, so that a folder of
 * another fabric is refused before anything is loaded. */
#include "board/cli/cli_board.h"

#include "cli_machine.h"

#include <gossipfab/base/json.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RUN_LIMIT_MS 10000u

cli_board cli_board_default(void)
{
    return (cli_board){.options = gfab_host_options_default()};
}

static int fail(gfab_status status, const gfab_diag *diag)
{
    if (status == GFAB_ERR_INTERRUPTED) /* a line of its own: what the board has is as far as it has got */
        return cli_interrupted("board");
    return cli_fail("board", status, NULL, diag);
}

/* A number of the manifest, up to most. */
static bool take_number(const json_t *object, const char *key, uint64_t most, uint64_t *value)
{
    const json_t *number = json_object_get(object, key);
    *value = (uint64_t)json_integer_value(number);
    return json_is_integer(number) && *value <= most;
}

/* What a goal knows of nodes: how many take part, and which of them a node is; GFAB_NO_RANK for a relay. */
static uint32_t members(const cli_board *board)
{
    return board->topology ? (uint32_t)gfab_topology_member_count(board->topology) : board->shape.nodes;
}

static uint32_t rank_of(const cli_board *board, uint32_t node)
{
    return board->topology ? gfab_topology_rank(board->topology, node) : node;
}

/* Has a node of the board the slots that the program's blocks take? */
static bool has_room(const cli_board *board)
{
    const gfab_host_shape *shape = &board->shape;
    const gfab_goal *goal = &board->goal;
    if (!board->counted)
        return goal->blocks <= shape->loads && goal->blocks <= shape->reads;
    return gfab_goal_most(goal, members(board), gfab_goal_held_count) <= shape->loads / shape->programs &&
           gfab_goal_most(goal, members(board), gfab_goal_wanted_count) <= shape->reads / shape->programs;
}

/* The program's goal, from its entry of the manifest. */
static int take_goal(cli_board *board, const json_t *program)
{
    const char *name = json_string_value(json_object_get(program, "collective"));
    uint64_t blocks, root;
    gfab_diag diag = {0, ""};
    if (!name || gfab_collective_parse(name, &board->goal.collective, &diag) != GFAB_OK ||
        !take_number(program, "blocks", UINT32_MAX, &blocks) || !take_number(program, "root", UINT32_MAX, &root))
        return cli_error("board", "%s/manifest.json: program %u has no collective, blocks and root", board->folder,
                         board->program);
    board->goal.blocks = (uint32_t)blocks;
    board->goal.root = (uint32_t)root;
    board->goal.idempotent = json_is_true(json_object_get(program, "idempotent"));
    if (gfab_goal_check(&board->goal, members(board), &diag) != GFAB_OK)
        return cli_error("board", "%s/manifest.json: program %u: %s", board->folder, board->program, diag.message);
    if (!has_room(board))
        return cli_error("board",
                         "%s/manifest.json: program %u, %s of %u blocks: more than the board's nodes have slots for",
                         board->folder, board->program, name, board->goal.blocks);
    return CLI_GO_ON;
}

/* Which nodes are relays; a manifest that does not say it has none. */
static int take_topology(cli_board *board, const char *path, const json_t *manifest)
{
    const char *spec = json_string_value(json_object_get(manifest, "topology"));
    gfab_diag diag = {0, ""};
    if (!spec)
        return CLI_GO_ON;
    if (gfab_topology_parse(spec, &board->topology, &diag) != GFAB_OK)
        return cli_error("board", "%s: topology: %s", path, diag.message);
    return gfab_topology_node_count(board->topology) == board->shape.nodes
               ? CLI_GO_ON
               : cli_error("board", "%s: topology: %s has not the board's %u nodes", path,
                           gfab_topology_name(board->topology), board->shape.nodes);
}

/* What the manifest says of the fabric that the board has. */
static int take_manifest(cli_board *board, const char *path, const json_t *manifest)
{
    const char *host = json_string_value(json_object_get(manifest, "host"));
    const json_t *programs = json_object_get(manifest, "programs");
    const json_t *program = json_array_get(programs, board->program);
    const uint32_t played = board->shape.programs ? board->shape.programs : 1;
    uint64_t identity, counted, op;
    if (!host || strcmp(host, "uart") != 0)
        return cli_error("board", "%s: not a fabric with a host port; generate it with --host uart", path);
    if (!take_number(manifest, "identity", UINT32_MAX, &identity) || identity != board->shape.identity)
        return cli_error("board", "%s: the board has another fabric than this folder's: make prog puts it there", path);
    if (!take_number(manifest, "counted", 1, &counted) || !take_number(manifest, "operator", GFAB_OPERATOR_USER, &op) ||
        json_array_size(programs) != played || !take_number(program, "cycles", INT64_MAX, &board->cycles))
        return cli_error("board", "%s: not as generate writes it: counted, operator, programs or cycles", path);
    board->counted = counted != 0;
    board->protected = json_integer_value(json_object_get(manifest, "protect")) != 0;
    board->fabric = (gfab_operator)op;
    const int status = take_topology(board, path, manifest);
    return status == CLI_GO_ON && board->shape.programs > 0 ? take_goal(board, program) : status;
}

static int read_manifest(cli_board *board)
{
    char path[4096];
    gfab_diag diag = {0, ""};
    json_t *manifest = NULL;
    if (snprintf(path, sizeof path, "%s/manifest.json", board->folder) >= (int)sizeof path)
        return cli_error("board", "--folder: the path is too long");
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return cli_error("board", "--folder: %s: %s", path, strerror(errno));
    const gfab_status read = gfab_json_read(file, &manifest, &diag);
    fclose(file);
    if (read)
        return cli_error("board", "--folder: %s: %s", path, diag.message);
    const int status = take_manifest(board, path, manifest);
    json_decref(manifest);
    return status;
}

/* What combines: what the fabric has, or is told. */
static int choose_operator(cli_board *board)
{
    board->op = board->fabric;
    if (board->fabric != GFAB_OPERATOR_ALL)
        return board->operator_text ? cli_error("board", "--operator: this fabric cannot be told one") : CLI_GO_ON;
    board->op = board->goal.idempotent ? GFAB_OPERATOR_AND : GFAB_OPERATOR_SUM;
    if (!board->operator_text)
        return CLI_GO_ON;
    board->op = GFAB_OPERATOR_FIRST;
    while (board->op < GFAB_OPERATOR_ALL && strcmp(gfab_operator_name(board->op), board->operator_text) != 0)
        board->op = (gfab_operator)(board->op + 1);
    if (board->op == GFAB_OPERATOR_ALL)
        return cli_error("board",
                         "--operator: unknown operator '%s'; there are sum, and, or, xor, min, max, umin, umax",
                         board->operator_text);
    return CLI_GO_ON;
}

int cli_board_open(cli_board *board)
{
    gfab_diag diag = {0, ""};
    if (!board->options.port)
        return cli_error("board", "which port? give --port, /dev/ttyUSB1 for instance");
    gfab_status status = gfab_host_open(&board->options, &board->host, &diag);
    if (status)
        return fail(status, &diag);
    board->shape = *gfab_host_shape_of(board->host);
    board->goal = gfab_goal_default(board->shape.nodes);
    if (!board->folder && board->shape.programs > 0)
        return cli_error("board", "%s has a fabric of %u program%s: give --folder, where generate wrote it",
                         board->options.port, board->shape.programs, board->shape.programs == 1 ? "" : "s");
    const uint32_t programs = board->shape.programs ? board->shape.programs : 1;
    if (board->program >= programs)
        return cli_error("board", "--program %u: the fabric has %u, numbered from 0", board->program, programs);
    int result = board->folder ? read_manifest(board) : CLI_GO_ON;
    CLI_THEN(result, choose_operator(board));
    board->slots = malloc(board->shape.reads * gfab_host_slot_bytes(board->host));
    if (result == CLI_GO_ON && !board->slots)
        result = fail(GFAB_ERR_NO_MEMORY, NULL);
    return result;
}

void cli_board_close(cli_board *board)
{
    free(board->slots);
    gfab_topology_destroy(board->topology);
    gfab_host_close(board->host);
}

size_t cli_board_token_bytes(const cli_board *board)
{
    return (board->shape.token_bits + 7) / 8;
}

bool cli_board_holds(const cli_board *board, uint32_t node, uint32_t block)
{
    return gfab_goal_holds(&board->goal, members(board), rank_of(board, node), block);
}

bool cli_board_wants(const cli_board *board, uint32_t node, uint32_t block)
{
    return gfab_goal_wants(&board->goal, members(board), rank_of(board, node), block);
}

/* A token is its parts, each in a slot; a block is in one. */
static uint32_t parts(const cli_board *board)
{
    return board->shape.programs ? 1 : board->shape.loads;
}

/* Where blocks are numbered among those of a program, and that behind the programs before: the first of so many. */
static uint32_t first_slot(const cli_board *board, uint32_t slots)
{
    return board->counted && board->shape.programs ? slots / board->shape.programs * board->program : 0;
}

/* A read goes on beyond a program's blocks, up to the end of an answer, and at all nodes alike. */
int cli_board_fill(cli_board *board)
{
    const gfab_host_shape *shape = &board->shape;
    gfab_diag diag = {0, ""};
    if (!board->protected || board->counted || shape->programs == 0)
        return CLI_GO_ON;
    memset(board->slots, 0, gfab_host_slot_bytes(board->host));
    for (uint32_t node = 0; node < shape->nodes; node++)
        for (uint32_t slot = 0; slot < shape->loads; slot++) {
            if (slot < board->goal.blocks && (cli_board_holds(board, node, slot) || cli_board_wants(board, node, slot)))
                continue;
            const gfab_status status = gfab_host_load(board->host, node, slot, board->slots, &diag);
            if (status)
                return fail(status, &diag);
        }
    return CLI_GO_ON;
}

int cli_board_load(cli_board *board, uint32_t node, uint32_t block, const uint8_t *token)
{
    const gfab_host_shape *shape = &board->shape;
    const uint32_t part_bits = shape->token_bits / parts(board);
    gfab_diag diag = {0, ""};
    uint32_t slot = block;
    if (!shape->programs)
        slot = 0;
    else if (board->counted)
        for (slot = 0; gfab_goal_held(&board->goal, members(board), rank_of(board, node), slot) != block;)
            slot++;
    slot += first_slot(board, shape->loads);
    for (uint32_t part = 0; part < parts(board); part++) {
        memset(board->slots, 0, gfab_host_slot_bytes(board->host));
        cli_copy_bits(board->slots, 0, token, (size_t)part * part_bits, part_bits);
        const gfab_status status = gfab_host_load(board->host, node, slot + part, board->slots, &diag);
        if (status)
            return fail(status, &diag);
    }
    return CLI_GO_ON;
}

int cli_board_run(cli_board *board, uint64_t *cycles)
{
    gfab_diag diag = {0, ""};
    const uint32_t op = board->fabric == GFAB_OPERATOR_ALL ? (uint32_t)(board->op - GFAB_OPERATOR_FIRST) : 0;
    const gfab_status status = gfab_host_run(board->host, board->program, op, RUN_LIMIT_MS, cycles, &diag);
    return status ? fail(status, &diag) : CLI_GO_ON;
}

int cli_board_check(cli_board *board)
{
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_host_check(board->host, &diag);
    return status ? fail(status, &diag) : CLI_GO_ON;
}

int cli_board_read(cli_board *board, uint32_t node, uint8_t *blocks)
{
    const gfab_host_shape *shape = &board->shape;
    const size_t slot_bytes = gfab_host_slot_bytes(board->host), token_bytes = cli_board_token_bytes(board);
    const uint32_t part_bits = shape->token_bits / parts(board);
    gfab_diag diag = {0, ""};
    const uint32_t rank = rank_of(board, node);
    if (rank == GFAB_NO_RANK)
        return CLI_GO_ON;
    const gfab_status status = gfab_host_read(board->host, node, 0, shape->reads, board->slots, &diag);
    if (status)
        return fail(status, &diag);
    const uint32_t wanted = gfab_goal_wanted_count(&board->goal, members(board), rank);
    for (uint32_t i = 0; i < wanted; i++) {
        const uint32_t block = gfab_goal_wanted(&board->goal, members(board), rank, i);
        const uint32_t number = board->counted && shape->programs ? first_slot(board, shape->reads) + i : block;
        const size_t slot = (size_t)number * parts(board);
        uint8_t *token = blocks + block * token_bytes;
        memset(token, 0, token_bytes);
        for (uint32_t part = 0; part < parts(board); part++)
            cli_copy_bits(token, (size_t)part * part_bits, board->slots + (slot + part) * slot_bytes, 0, part_bits);
    }
    return CLI_GO_ON;
}
