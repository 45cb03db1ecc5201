/* SPDX-License-Identifier: MIT */
/* The page is a frame with three marks, each alone on its line, in whose place go styles, data and scripts. */
#include "player_internal.h"

#include "base/reason.h"

#include <inttypes.h>
#include <string.h>

/* The files whose names end this way, one after the other. */
static void write_files(const char *ending, FILE *file)
{
    for (const gfab_embedded *at = gfab_player_files; at->path; at++) {
        const size_t length = strlen(at->path);
        if (length > strlen(ending) && strcmp(at->path + length - strlen(ending), ending) == 0)
            fwrite(at->bytes, 1, at->size, file);
    }
}

static gfab_status write_page(const gfab_player *player, const gfab_placement *placement, FILE *file)
{
    const char *at = (const char *)gfab_player_files[0].bytes, *end = at + gfab_player_files[0].size;
    while (at < end) {
        const size_t length = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) - at) + 1;
        if (strncmp(at, "@STYLES@\n", length) == 0)
            write_files(".css", file);
        else if (strncmp(at, "@DATA@\n", length) == 0)
            GFAB_TRY(gfab_player_write_data(player, placement, file));
        else if (strncmp(at, "@SCRIPTS@\n", length) == 0)
            write_files(".js", file);
        else
            fwrite(at, 1, length, file);
        at += length;
    }
    return GFAB_OK;
}

gfab_status gfab_player_check(const gfab_player *player, gfab_diag *diag)
{
    const gfab_topology *topology = gfab_schedule_topology(player->schedules[0]);
    const size_t nodes = gfab_topology_node_count(topology);
    uint64_t moves = 0, sets = 0;
    const uint32_t shown = GFAB_MARK_RELAYS | GFAB_MARK_WEIGHTS | GFAB_MARK_DIRECTED | GFAB_MARK_SWITCHES;
    const uint32_t marks = gfab_topology_marks(topology) & ~shown;
    if (marks)
        return GFAB_REFUSE(diag, "%s has %s, which the player does not show; pictures do (--svg)",
                           gfab_topology_name(topology), gfab_topology_marks_name(marks));
    for (size_t i = 0; i < player->count; i++) {
        GFAB_TRY(gfab_schedule_check_listed(player->schedules[i], diag));
        const uint64_t count = gfab_schedule_move_count(player->schedules[i]);
        moves += count;
        if (gfab_collective_combines(gfab_schedule_goal(player->schedules[i]).collective))
            sets += nodes * (count + nodes * (uint64_t)gfab_schedule_token_count(player->schedules[i]));
    }
    if (nodes > GFAB_MAX_PLACED_NODES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%s has %zu nodes: the player shows at most %zu",
                         gfab_topology_name(topology), nodes, GFAB_MAX_PLACED_NODES);
    if (moves > GFAB_MAX_PLAYED_MOVES)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT, "%" PRIu64 " moves: the player shows at most %" PRIu64, moves,
                         GFAB_MAX_PLAYED_MOVES);
    if (sets > GFAB_MAX_PLAYED_SETS)
        return gfab_fail(diag, 0, GFAB_ERR_LIMIT,
                         "partial results with %" PRIu64 " possible contributions in all: the player follows at most "
                         "%" PRIu64,
                         sets, GFAB_MAX_PLAYED_SETS);
    return GFAB_OK;
}

gfab_status gfab_player_write(const gfab_player *player, FILE *file, gfab_diag *diag)
{
    gfab_placement *placement = NULL;
    gfab_status status = gfab_player_check(player, diag);
    if (!status)
        status = gfab_placement_create(gfab_schedule_topology(player->schedules[0]), &placement, diag);
    if (status)
        return status;
    errno = 0;
    status = write_page(player, placement, file);
    gfab_placement_destroy(placement);
    if (status == GFAB_ERR_NO_MEMORY)
        return gfab_fail(diag, 0, status, "out of memory for the page");
    if (status || ferror(file))
        return gfab_fail(diag, 0, GFAB_ERR_IO, "cannot write the page: %s", gfab_stream_reason());
    return GFAB_OK;
}
