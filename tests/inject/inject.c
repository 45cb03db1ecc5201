/* SPDX-License-Identifier: MIT */
/* Preloaded before a program: its n-th allocation fails, INJECT_FAIL=n from 1. With INJECT_COUNT=FILE their number
 * goes to FILE at the end. What the C library allocates for itself is counted like the rest. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static atomic_ulong calls;
static unsigned long fail_at;
static int counting; /* from this library's constructor on: not what the loader does */

__attribute__((constructor)) static void start(void)
{
    const char *text = getenv("INJECT_FAIL");
    fail_at = text ? strtoul(text, NULL, 10) : 0;
    counting = 1;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("INJECT_COUNT");
    const unsigned long count = calls;
    counting = 0;
    if (!path)
        return;
    char text[32];
    const int length = snprintf(text, sizeof text, "%lu\n", count);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || write(file, text, (size_t)length) != length)
        abort();
    close(file);
}

static int fails(void)
{
    if (!counting || atomic_fetch_add(&calls, 1) + 1 != fail_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *strndup(const char *text, size_t most)
{
    const size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
