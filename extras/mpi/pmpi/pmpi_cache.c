/* SPDX-License-Identifier: MIT */
/* What was measured once, in a file of the user's: gossipfab/switch in XDG_CACHE_HOME, or in .cache of HOME. A line for
 * each MPI, number of ranks and collective. */
#define _POSIX_C_SOURCE 200809L
#include "pmpi.h"

#include <errno.h>
#include <gossipfab/base/crc32.h>
#include <gossipfab/base/text.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "gossipfab switch 1\n"
#define LINE "%08" PRIx32 " %d %s %ld\n" /* MPI and settings, ranks, collective, bytes */

/* The file, its folder made where `make` says so; NULL where there is no place for it. */
static char *path_of(bool make)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool own = cache && *cache == '/';
    char *path = NULL;
    size_t size;
    FILE *text = own || (home && *home == '/') ? open_memstream(&path, &size) : NULL;
    if (!text)
        return NULL;
    fprintf(text, "%s%s/gossipfab/switch", own ? cache : home, own ? "" : "/.cache");
    if (!gfab_memory_close(text, &path)) {
        free(path);
        return NULL;
    }
    for (char *slash = make ? strchr(path + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, S_IRWXU);
        *slash = '/';
    }
    return path;
}

/* Another library, other settings, another number of processors: other times. */
static uint32_t key_of(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    MPI_Get_library_version(version, &length);
    const uint32_t settings = pmpi_settings_crc();
    uint32_t crc = gfab_crc32(0, (const uint8_t *)version, (size_t)length);
    crc = gfab_crc32(crc, (const uint8_t *)&processors, sizeof processors);
    return gfab_crc32(crc, (const uint8_t *)&settings, sizeof settings);
}

typedef struct measured {
    uint32_t key;
    int ranks;
    char collective[32];
    long bytes;
} measured;

/* A line is what would be written, byte for byte. */
static bool read_line(const char *line, size_t length, measured *m)
{
    char again[80];
    gfab_collective collective;
    return sscanf(line, "%8" SCNx32 " %6d %31s %12ld", &m->key, &m->ranks, m->collective, &m->bytes) == 4 &&
           m->ranks >= 2 && m->bytes >= 0 && gfab_collective_parse(m->collective, &collective, NULL) == GFAB_OK &&
           (size_t)snprintf(again, sizeof again, LINE, m->key, m->ranks, m->collective, m->bytes) == length &&
           memcmp(again, line, length) == 0;
}

/* The file's lines but for this one's, to `to`, without those that are none; or, where there is no `to`, the bytes of
 * this one, -1 where it has none, and of the lines that are none the first is said. */
static long copy_lines(FILE *from, FILE *to, const char *path, int ranks, const char *collective)
{
    const uint32_t own = key_of();
    GFAB_FREED char *line = NULL;
    size_t room = 0;
    measured m;
    long found = -1;
    bool head = false, said = to;
    ssize_t length;
    for (long number = 1; (length = getline(&line, &room, from)) > 0 && (number == 1 || head); number++) {
        head = head || strcmp(line, HEAD) == 0;
        const bool good = number == 1 ? head && line[length - 1] == '\n' : read_line(line, (size_t)length, &m);
        if (!good && !said)
            fprintf(stderr, "gossipfab: %s, line %ld: not as it was written; what it was for is measured anew\n", path,
                    number);
        said = said || !good;
        if (!good || number == 1)
            continue;
        if (m.key == own && m.ranks == ranks && strcmp(m.collective, collective) == 0)
            found = m.bytes;
        else if (to)
            fputs(line, to);
    }
    return found;
}

long pmpi_cache_find(int ranks, gfab_collective collective)
{
    GFAB_FREED char *path = path_of(false);
    FILE *file = path ? fopen(path, "r") : NULL;
    const long found = file ? copy_lines(file, NULL, path, ranks, gfab_collective_name(collective)) : -1;
    if (file)
        fclose(file);
    return found;
}

/* A new file in the old one's place. */
void pmpi_cache_store(int ranks, gfab_collective collective, long bytes)
{
    GFAB_FREED char *path = path_of(true), *next = NULL;
    const char *name = gfab_collective_name(collective);
    size_t size;
    FILE *text = path ? open_memstream(&next, &size) : NULL;
    if (!text)
        return;
    fprintf(text, "%s.%ld", path, (long)getpid());
    FILE *file = gfab_memory_close(text, &next) ? fopen(next, "w") : NULL, *old = file ? fopen(path, "r") : NULL;
    bool good = file && fputs(HEAD, file) >= 0;
    if (old)
        (void)copy_lines(old, file, path, ranks, name);
    if (old)
        fclose(old);
    good = good && fprintf(file, LINE, key_of(), ranks, name, bytes) > 0;
    good = (!file || fclose(file) == 0) && good;
    if (!good || rename(next, path) != 0) {
        fprintf(stderr, "gossipfab: %s: cannot be written (%s); next time it is measured again\n", path,
                strerror(errno));
        if (next)
            (void)unlink(next);
    }
}
