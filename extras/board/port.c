/* SPDX-License-Identifier: MIT */
/* A serial port through termios. */
#define _DEFAULT_SOURCE
#include "board/port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define WRITE_LIMIT_MS 2000 /* a port that takes nothing for so long has gone */

static const struct {
    uint32_t baud;
    speed_t speed;
} speeds[] = {
    {9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
    {115200, B115200},   {230400, B230400},
#ifdef B460800
    {460800, B460800},   {500000, B500000},   {921600, B921600},   {1000000, B1000000},
    {1500000, B1500000}, {2000000, B2000000}, {3000000, B3000000}, {4000000, B4000000},
#endif
};

static gfab_status io_error(gfab_diag *diag, const char *path, const char *what)
{
    return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: %s: %s", path, what, strerror(errno));
}

static gfab_status set_up(int file, const char *path, speed_t speed, gfab_diag *diag)
{
    struct termios line;
    if (tcgetattr(file, &line) != 0)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: not a serial port", path);
    /* Against a second process like this one, and against any other that opens it later. */
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: busy: another program has this port open", path);
    ioctl(file, TIOCEXCL);
    line.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON | IXOFF | INPCK);
    line.c_oflag &= ~(tcflag_t)OPOST;
    line.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    line.c_cflag &= ~(tcflag_t)(CSIZE | PARENB | CSTOPB | CRTSCTS);
    line.c_cflag |= CS8 | CLOCAL | CREAD;
    line.c_cc[VMIN] = 0;
    line.c_cc[VTIME] = 0;
    if (cfsetispeed(&line, speed) != 0 || cfsetospeed(&line, speed) != 0 || tcsetattr(file, TCSANOW, &line) != 0)
        return io_error(diag, path, "cannot be set up");
    tcflush(file, TCIOFLUSH);
    return GFAB_OK;
}

gfab_status gfab_port_open(const char *path, uint32_t baud, int *file, gfab_diag *diag)
{
    size_t at = 0;
    while (at < sizeof speeds / sizeof speeds[0] && speeds[at].baud != baud)
        at++;
    if (at == sizeof speeds / sizeof speeds[0])
        return gfab_fail(diag, 0, GFAB_ERR_INVALID, "no serial port has %u baud; 115200 is usual", baud);
    *file = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (*file < 0 && errno == ENOENT)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: there is no such port", path);
    if (*file < 0 && errno == EBUSY)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: busy: another program has this port open", path);
    if (*file < 0 && errno == EACCES)
        return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: may not be opened; is this user in the port's group?", path);
    if (*file < 0)
        return io_error(diag, path, "cannot be opened");
    const gfab_status status = set_up(*file, path, speeds[at].speed, diag);
    if (status)
        close(*file);
    return status;
}

void gfab_port_close(int file)
{
    ioctl(file, TIOCNXCL);
    close(file);
}

static gfab_status gone(const char *path, gfab_diag *diag)
{
    return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: the port went away", path);
}

gfab_status gfab_port_write(int file, const char *path, const uint8_t *bytes, size_t size, gfab_diag *diag)
{
    const int64_t end = gfab_port_now() + WRITE_LIMIT_MS;
    while (size > 0) {
        const ssize_t wrote = write(file, bytes, size);
        if (wrote > 0) {
            bytes += wrote;
            size -= (size_t)wrote;
        } else if (wrote < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = file, .events = POLLOUT};
            const int64_t left = end - gfab_port_now();
            if (left <= 0)
                return gfab_fail(diag, 0, GFAB_ERR_IO, "%s: takes no bytes", path);
            poll(&ready, 1, (int)left);
        } else if (wrote == 0 || errno != EINTR) {
            return gone(path, diag);
        }
    }
    return GFAB_OK;
}

gfab_status gfab_port_read(int file, const char *path, uint8_t *bytes, size_t *size, int milliseconds, gfab_diag *diag)
{
    struct pollfd ready = {.fd = file, .events = POLLIN};
    const size_t room = *size;
    *size = 0;
    const int events = poll(&ready, 1, milliseconds);
    if (events < 0 && errno != EINTR)
        return io_error(diag, path, "cannot be read");
    if (events <= 0)
        return GFAB_OK;
    const ssize_t got = read(file, bytes, room);
    if (got > 0)
        *size = (size_t)got;
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
        return gone(path, diag);
    return GFAB_OK;
}

int64_t gfab_port_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
