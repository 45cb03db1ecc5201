/* SPDX-License-Identifier: MIT */
/* Private: a serial port. */
#ifndef GOSSIPFAB_BOARD_PORT_H
#define GOSSIPFAB_BOARD_PORT_H

#include <gossipfab/base/status.h>
#include <stdint.h>

/* Opens a serial line, 8 data bits, no parity, 1 stop bit, raw, for this process alone. IO; INVALID for a speed that no
 * line has. */
gfab_status gfab_port_open(const char *path, uint32_t baud, int *file, gfab_diag *diag);
void gfab_port_close(int file);
/* IO where the port has gone. */
gfab_status gfab_port_write(int file, const char *path, const uint8_t *bytes, size_t size, gfab_diag *diag);
/* Waits up to milliseconds for at least one byte, and takes up to *size; *size is then how many there were, 0 where
 * none came, or a signal did. */
gfab_status gfab_port_read(int file, const char *path, uint8_t *bytes, size_t *size, int milliseconds, gfab_diag *diag);
/* Milliseconds of a clock that only goes forward. */
int64_t gfab_port_now(void);

#endif
