/* SPDX-License-Identifier: MIT */
/* The file in which libgossipfab_pmpi keeps what it measured. Every = of the input stands for the key of this machine
 * and MPI, which an input could not know. What is stored is found, what was found for other ranks stays, and a file
 * that was written is written again to the same bytes. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <pmpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define KEY 8 /* characters */

/* In the place of MPI's and of the settings'. */
int MPI_Get_library_version(char *version, int *length)
{
    *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "none");
    return MPI_SUCCESS;
}

uint32_t pmpi_settings_crc(void)
{
    return 1;
}

static char path[512], key[KEY + 1];

static size_t read_all(char *text, size_t room)
{
    FILE *file = fopen(path, "r");
    const size_t size = file ? fread(text, 1, room, file) : 0;
    if (file)
        fclose(file);
    return size;
}

static void prepare(void)
{
    char text[64] = "";
    snprintf(path, sizeof path, "%s/gossipfab", fuzz_folder());
    setenv("XDG_CACHE_HOME", fuzz_folder(), 1);
    mkdir(path, S_IRWXU);
    snprintf(path, sizeof path, "%s/gossipfab/switch", fuzz_folder());
    remove(path);
    pmpi_cache_store(2, GFAB_BROADCAST, 1);
    FUZZ_CHECK(read_all(text, sizeof text - 1) > 0 && strchr(text, '\n'));
    memcpy(key, strchr(text, '\n') + 1, KEY);
}

static void put(const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "w");
    FUZZ_CHECK(file);
    for (size_t i = 0; i < size; i++)
        data[i] == '=' ? fputs(key, file) : fputc(data[i], file);
    FUZZ_CHECK(fclose(file) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char once[1 << 16], again[1 << 16];
    if (!key[0])
        prepare();
    put(data, size);
    const long before = pmpi_cache_find(3, GFAB_ALL_REDUCE), other = pmpi_cache_find(4, GFAB_ALL_GATHER);
    FUZZ_CHECK(before >= -1 && other >= -1);
    pmpi_cache_store(3, GFAB_ALL_REDUCE, 4711);
    FUZZ_CHECK(pmpi_cache_find(3, GFAB_ALL_REDUCE) == 4711 && pmpi_cache_find(4, GFAB_ALL_GATHER) == other);
    const size_t written = read_all(once, sizeof once);
    pmpi_cache_store(3, GFAB_ALL_REDUCE, 4711);
    FUZZ_CHECK(read_all(again, sizeof again) == written && memcmp(once, again, written) == 0);
    return 0;
}
