/* SPDX-License-Identifier: MIT */
/* The board of pretend.h: frames are taken apart and answered by the rules of docs/reference/host-protocol.md, written
 * down a second time; the faults of each answer are an event's bits. Time is a number that grows where a host waits,
 * so that a timeout of a second takes none. */
#include "pretend.h"

#include "board/frame.h"
#include "board/port.h"

#include <stdlib.h>
#include <string.h>

#define LINE_ROOM 65536u
#define MOST_BODY 16384u
#define BURST_BITS 512u

gfab_status __wrap_gfab_port_open(const char *path, uint32_t baud, int *file, gfab_diag *diag);
void __wrap_gfab_port_close(int file);
gfab_status __wrap_gfab_port_write(int file, const char *path, const uint8_t *bytes, size_t size, gfab_diag *diag);
gfab_status __wrap_gfab_port_read(int file, const char *path, uint8_t *bytes, size_t *size, int milliseconds,
                                  gfab_diag *diag);
int64_t __wrap_gfab_port_now(void);

static const pretend_board *board;
static uint8_t line[LINE_ROOM]; /* what the board has said and nobody has read */
static size_t said, read_to, event;
static int64_t now;
static uint8_t runs;

void pretend(const pretend_board *other)
{
    board = other;
    said = read_to = event = 0;
    now = 0;
    runs = 0;
}

bool pretend_take(const uint8_t **data, size_t *size, size_t count, pretend_board *taken)
{
    const uint8_t *at = *data;
    if (*size < PRETEND_SHAPE_BYTES)
        return false;
    taken->shape = (gfab_host_shape){.programs = at[0],
                                     .nodes = at[1] | (uint32_t)at[2] << 8,
                                     .token_bits = at[3] | (uint32_t)at[4] << 8,
                                     .span_bits = at[5] | (uint32_t)at[6] << 8,
                                     .loads = at[7] | (uint32_t)at[8] << 8,
                                     .reads = at[9] | (uint32_t)at[10] << 8,
                                     .identity = PRETEND_IDENTITY};
    *data += PRETEND_SHAPE_BYTES;
    *size -= PRETEND_SHAPE_BYTES;
    taken->events = *data;
    taken->event_count = *size < count ? *size : count;
    *data += taken->event_count;
    *size -= taken->event_count;
    return true;
}

gfab_status __wrap_gfab_port_open(const char *path, uint32_t baud, int *file, gfab_diag *diag)
{
    (void)path, (void)baud, (void)diag;
    *file = 1000;
    return GFAB_OK;
}

void __wrap_gfab_port_close(int file)
{
    (void)file;
}

static uint8_t *put(uint8_t *at, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

/* Bits of an answer to a read that begins at a multiple of the burst. */
static size_t read_bits(const gfab_host_shape *shape)
{
    uint32_t burst = 1;
    while (2 * burst * shape->span_bits <= BURST_BITS && shape->span_bits > 0)
        burst *= 2;
    return (size_t)(burst < shape->reads ? burst : shape->reads) * shape->span_bits;
}

static void answer(const uint8_t *request, size_t size)
{
    static uint8_t body[MOST_BODY];
    const gfab_host_shape *shape = &board->shape;
    const uint8_t what = event < board->event_count ? board->events[event] : 0;
    const unsigned kind = request[size - 2] & 7u;
    uint8_t *at = body;
    event++;
    *at++ = (uint8_t)(request[size - 1] + (what >> 6 & 1u));
    *at++ = what & 7u;
    runs = (uint8_t)(runs + (kind == 3));
    if (kind == 0) {
        at = put(put(at, 1, 1), shape->programs, 1);
        at = put(put(put(at, shape->nodes, 2), shape->token_bits, 2), shape->span_bits, 2);
        at = put(put(put(at, shape->loads, 2), shape->reads, 2), shape->identity, 4);
        at = put(put(at, runs, 1), 9, 2);
    } else if (kind == 5) {
        const size_t bytes = (read_bits(shape) + 7) / 8;
        for (size_t i = 0; i < bytes; i++)
            *at++ = (uint8_t)(i * 37 + request[0]);
    }
    const size_t length = (size_t)(at - body) - (what >> 4 & 1u) + (what >> 5 & 1u);
    if (what & 8u || said + GFAB_FRAME_LINE_BYTES(length) > LINE_ROOM)
        return;
    const size_t added = gfab_frame_write(body, length, line + said);
    line[said + added / 2] ^= (uint8_t)(what >> 7);
    said += added;
}

gfab_status __wrap_gfab_port_write(int file, const char *path, const uint8_t *bytes, size_t size, gfab_diag *diag)
{
    uint8_t *request = malloc(size);
    gfab_frame_reader reader = {.bytes = request, .room = size};
    size_t length = 0;
    (void)file, (void)path, (void)diag;
    FUZZ_CHECK(request);
    for (size_t i = 0; i < size; i++)
        if (gfab_frame_take(&reader, bytes[i], &length) == GFAB_FRAME_WHOLE) {
            FUZZ_CHECK(length >= 2 && i == size - 1);
            answer(request, length);
        }
    FUZZ_CHECK(length > 0); /* a host's frames are whole */
    free(request);
    return GFAB_OK;
}

gfab_status __wrap_gfab_port_read(int file, const char *path, uint8_t *bytes, size_t *size, int milliseconds,
                                  gfab_diag *diag)
{
    (void)file, (void)path, (void)diag;
    *size = said - read_to < *size ? said - read_to : *size;
    memcpy(bytes, line + read_to, *size);
    read_to += *size;
    if (read_to == said)
        said = read_to = 0;
    if (*size == 0)
        now += milliseconds > 0 ? milliseconds : 1;
    return GFAB_OK;
}

int64_t __wrap_gfab_port_now(void)
{
    return now;
}
