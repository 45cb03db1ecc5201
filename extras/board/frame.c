/* SPDX-License-Identifier: MIT */
/* Frames over a serial line: RFC 1662's octet stuffing. 0x7e is the flag between frames; 0x7e and 0x7d within one
 * become two bytes, 0x7d 0x5e and 0x7d 0x5d. So a receiver that has lost its place only has to wait for the next flag.
 * A check sequence behind the bytes finds what the line has damaged; that such a frame is asked for again is host.c's.
 */
#include "board/frame.h"

#include <gossipfab/base/crc32.h>

#define FLAG 0x7eu
#define ESCAPE 0x7du
#define ESCAPED 0x20u /* what an escaped byte is changed by */

static uint8_t *put(uint8_t *line, uint8_t byte)
{
    if (byte == FLAG || byte == ESCAPE) {
        *line++ = ESCAPE;
        byte ^= ESCAPED;
    }
    *line++ = byte;
    return line;
}

size_t gfab_frame_write(const uint8_t *bytes, size_t size, uint8_t *line)
{
    uint8_t *at = line;
    const uint32_t check = gfab_crc32(0, bytes, size);
    *at++ = FLAG; /* ends whatever was begun before */
    for (size_t i = 0; i < size; i++)
        at = put(at, bytes[i]);
    for (unsigned i = 0; i < GFAB_FRAME_CHECK_BYTES; i++)
        at = put(at, (uint8_t)(check >> 8 * i));
    *at++ = FLAG;
    return (size_t)(at - line);
}

gfab_frame_event gfab_frame_take(gfab_frame_reader *reader, uint8_t byte, size_t *size)
{
    if (byte == FLAG) {
        const size_t got = reader->size;
        reader->size = 0;
        reader->escaped = false;
        if (got == 0)
            return GFAB_FRAME_MORE;
        if (got > reader->room || got < GFAB_FRAME_CHECK_BYTES)
            return GFAB_FRAME_DAMAGED;
        *size = got - GFAB_FRAME_CHECK_BYTES;
        uint32_t check = 0;
        for (unsigned i = 0; i < GFAB_FRAME_CHECK_BYTES; i++)
            check |= (uint32_t)reader->bytes[*size + i] << 8 * i;
        return check == gfab_crc32(0, reader->bytes, *size) ? GFAB_FRAME_WHOLE : GFAB_FRAME_DAMAGED;
    }
    if (byte == ESCAPE) {
        reader->escaped = true;
        return GFAB_FRAME_MORE;
    }
    if (reader->size < reader->room)
        reader->bytes[reader->size] = byte ^ (reader->escaped ? ESCAPED : 0);
    if (reader->size <= reader->room)
        reader->size++;
    reader->escaped = false;
    return GFAB_FRAME_MORE;
}
