/* SPDX-License-Identifier: MIT */
/* Only in wheels, cmake/portable.cmake: glibc has these from 2.36 on. Expat and libstdc++ ask for them where they were
 * there when these were compiled; Expat for a seed, against tables whose keys are chosen to collide. */
#define _DEFAULT_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <sys/random.h>

void arc4random_buf(void *bytes, size_t count);
uint32_t arc4random(void);

void arc4random_buf(void *bytes, size_t count)
{
    unsigned char *at = bytes;
    while (count > 0) {
        const ssize_t got = getrandom(at, count, 0);
        if (got > 0) {
            at += got;
            count -= (size_t)got;
        }
    }
}

uint32_t arc4random(void)
{
    uint32_t number;
    arc4random_buf(&number, sizeof number);
    return number;
}
