/* SPDX-License-Identifier: MIT */
/* Only in wheels, cmake/portable.cmake: glibc has this from 2.36 on, and Expat asks for it where it was there when Expat
 * was compiled: a seed against tables whose keys are chosen to collide. */
#define _DEFAULT_SOURCE
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>

void arc4random_buf(void *bytes, size_t count);

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
