/* SPDX-License-Identifier: MIT */
/* What comes over a board's serial line: frames, where the first byte is even, and else a board that says of its fabric
 * what the input says, is loaded, started and read as its shape allows, in memory of just the sizes that the header
 * has. */
#include "pretend.h"

#include "board/frame.h"

#include <stdlib.h>
#include <string.h>

#define MOST_EVENTS 64
#define MOST_READ ((size_t)1 << 16) /* bytes that are read */

/* Any bytes give frames that fit the room, or none; what is written is read as it was. */
static void check_frames(const uint8_t *data, size_t size)
{
    const size_t room = fuzz_choice(&data, &size, 64);
    uint8_t *bytes = malloc(room + 1), *line = malloc(GFAB_FRAME_LINE_BYTES(size));
    gfab_frame_reader reader = {.bytes = malloc(room ? room : 1), .room = room};
    size_t length = 0;
    FUZZ_CHECK(bytes && line && reader.bytes);
    for (size_t i = 0; i < size; i++)
        if (gfab_frame_take(&reader, data[i], &length) == GFAB_FRAME_WHOLE) {
            FUZZ_CHECK(length + GFAB_FRAME_CHECK_BYTES <= room);
            memcpy(bytes, reader.bytes, length);
        }
    free(reader.bytes);
    const size_t written = gfab_frame_write(data, size, line);
    FUZZ_CHECK(written >= size + GFAB_FRAME_CHECK_BYTES + 2 && written <= GFAB_FRAME_LINE_BYTES(size));
    reader = (gfab_frame_reader){.bytes = malloc(size + GFAB_FRAME_CHECK_BYTES), .room = size + GFAB_FRAME_CHECK_BYTES};
    FUZZ_CHECK(reader.bytes);
    for (size_t i = 0; i < written; i++) {
        const gfab_frame_event event = gfab_frame_take(&reader, line[i], &length);
        FUZZ_CHECK((event == GFAB_FRAME_WHOLE) == (i == written - 1));
    }
    FUZZ_CHECK(length == size && (size == 0 || memcmp(reader.bytes, data, size) == 0));
    free(reader.bytes);
    free(line);
    free(bytes);
}

/* The contract of an open host's shape. */
static void check_shape(const gfab_host_shape *shape)
{
    const uint32_t parts = shape->programs ? 1 : shape->loads;
    FUZZ_CHECK(shape->nodes >= 2 && shape->token_bits > 0 && shape->span_bits > 0 && shape->reads > 0);
    FUZZ_CHECK(parts > 0 && shape->token_bits % parts == 0 && shape->token_bits / parts <= shape->span_bits);
    FUZZ_CHECK(shape->programs || shape->reads == (uint64_t)shape->nodes * parts);
}

static void use(gfab_host *host)
{
    const gfab_host_shape shape = *gfab_host_shape_of(host);
    const size_t slot_bytes = gfab_host_slot_bytes(host);
    const uint32_t slots = MOST_READ / slot_bytes < shape.reads ? (uint32_t)(MOST_READ / slot_bytes) : shape.reads;
    uint8_t *slot = calloc(1, slot_bytes), *all = malloc(slots * slot_bytes);
    uint64_t cycles = 0;
    gfab_diag diag = {0, ""};
    FUZZ_CHECK(slot && all);
    gfab_status status = gfab_host_load(host, shape.nodes - 1, shape.loads - 1, slot, &diag);
    FUZZ_CHECK(gfab_host_load(host, shape.nodes, 0, slot, NULL) == GFAB_ERR_INVALID);
    FUZZ_CHECK(gfab_host_load(host, 0, shape.loads, slot, NULL) == GFAB_ERR_INVALID);
    if (status == GFAB_OK)
        status = gfab_host_run(host, 0, 0, 1000, &cycles, &diag);
    if (status == GFAB_OK)
        status = gfab_host_read(host, 0, 0, slots, all, &diag);
    if (status == GFAB_OK)
        status = gfab_host_read(host, shape.nodes - 1, shape.reads - 1, 1, slot, &diag);
    FUZZ_CHECK(gfab_host_read(host, 0, 0, shape.reads + 1, all, NULL) == GFAB_ERR_INVALID);
    if (status == GFAB_OK)
        status = gfab_host_check(host, &diag);
    FUZZ_CHECK(status == GFAB_OK || status == GFAB_ERR_IO || status == GFAB_ERR_FAULT);
    fuzz_check_diag(status, &diag);
    free(all);
    free(slot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pretend_board board;
    gfab_host *host = NULL;
    gfab_diag diag = {0, ""};
    if (fuzz_choice(&data, &size, 2) == 0) {
        check_frames(data, size);
        return 0;
    }
    if (!pretend_take(&data, &size, MOST_EVENTS, &board))
        return -1;
    pretend(&board);
    const gfab_host_options options = {.port = "pretended", .baud = 115200, .timeout_ms = 20, .tries = 4};
    const gfab_status status = gfab_host_open(&options, &host, &diag);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK((status == GFAB_OK) == !!host);
    if (host) {
        check_shape(gfab_host_shape_of(host));
        use(host);
    }
    gfab_host_close(host);
    return 0;
}
