/* SPDX-License-Identifier: MIT */
/* Private: frames over a serial line, as RFC 1662 has them: bytes between flags, with escapes for what looks like one,
 * and a check sequence of 32 bits. */
#ifndef GOSSIPFAB_BOARD_FRAME_H
#define GOSSIPFAB_BOARD_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GFAB_FRAME_CHECK_BYTES 4u
/* What a frame takes on the line at most. */
#define GFAB_FRAME_LINE_BYTES(bytes) (2 * ((bytes) + GFAB_FRAME_CHECK_BYTES) + 2)

/* Writes a frame of size bytes; line has room for GFAB_FRAME_LINE_BYTES(size). Returns the bytes on the line. */
size_t gfab_frame_write(const uint8_t *bytes, size_t size, uint8_t *line);

/* What comes in, up to the next flag. */
typedef struct gfab_frame_reader {
    uint8_t *bytes; /* room of them, the reader's owner's */
    size_t room, size;
    bool escaped;
} gfab_frame_reader;

typedef enum gfab_frame_event {
    GFAB_FRAME_MORE,   /* nothing yet */
    GFAB_FRAME_WHOLE,  /* a frame is there: size bytes, without the check sequence, until the next byte is taken */
    GFAB_FRAME_DAMAGED /* one was there, but is not right */
} gfab_frame_event;

/* Takes a byte of the line. */
gfab_frame_event gfab_frame_take(gfab_frame_reader *reader, uint8_t byte, size_t *size);

#endif
