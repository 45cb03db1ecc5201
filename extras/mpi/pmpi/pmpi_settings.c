/* SPDX-License-Identifier: MIT */
/* What the environment says, read once, and kept as it was then. What is wrong with it becomes one line of the report,
 * and nothing is taken: with other sums than were asked for nobody is served. */
#define _POSIX_C_SOURCE 200809L
#include "pmpi.h"

#include <errno.h>
#include <gossipfab/base/crc32.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Measured on this kind of machine (docs/guide/pmpi.md): from here on a vector cut in blocks is faster than a whole
 * one. */
#define SWITCH_BYTES 32768

/* Of 2,048 ranks, which the solver takes at most, some 20,000. */
#define MOST_BRACKET 65536

static pmpi_settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;

const char *const pmpi_call_names[PMPI_CALLS] = {
    "MPI_Allreduce", "MPI_Reduce",     "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
    "MPI_Allgather", "MPI_Allgatherv", "MPI_Bcast",          "MPI_Alltoall",
    "MPI_Alltoallv", "MPI_Barrier"};

static char *refuse(FILE *file, char *fault, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault, PMPI_FAULT, format, arguments);
    va_end(arguments);
    if (file)
        fclose(file);
    return NULL;
}

/* Whether its terms are those of so many ranks only the solver can say; but it has nothing that could be another
 * setting of a solver's, and no end before its end. */
char *pmpi_bracket_read(const char *path, char *fault)
{
    FILE *file = fopen(path, "r");
    char *text = file ? malloc(MOST_BRACKET + 1) : NULL;
    size_t size = 0;
    long line = 1;
    int c = EOF;
    while (text && size <= MOST_BRACKET && (c = fgetc(file)) != EOF && c && strchr("n0123456789()+ \t\r\n", c)) {
        line += c == '\n';
        if (!strchr(" \t\r\n", c))
            text[size++] = (char)c;
    }
    if (text && c == EOF && !ferror(file) && size > 0) {
        fclose(file);
        text[size] = '\0';
        return text;
    }
    free(text);
    if (!text || (c == EOF && ferror(file)))
        return refuse(file, fault,
                      "GOSSIPFAB_BRACKET: '%.80s' is neither binary nor linear, nor a file that can be read: %s", path,
                      strerror(errno));
    if (size > MOST_BRACKET)
        return refuse(file, fault, "GOSSIPFAB_BRACKET: %.80s: more than %d characters: no bracketing is as long", path,
                      MOST_BRACKET);
    if (c == EOF)
        return refuse(file, fault, "GOSSIPFAB_BRACKET: %.80s: empty; one of three ranks is ((n0+n1)+n2)", path);
    return refuse(file, fault,
                  "GOSSIPFAB_BRACKET: %.80s, line %ld: a character that is in no bracketing; one of three ranks is "
                  "((n0+n1)+n2)",
                  path, line);
}

static void read_bracket(const char *value)
{
    const bool name = !value || strcmp(value, "binary") == 0 || strcmp(value, "linear") == 0;
    settings.bracket = name ? strdup(value ? value : "binary") : pmpi_bracket_read(value, settings.fault);
}

/* "MPI_Bcast,MPI_Alltoall", or "all". */
static void read_off(const char *value)
{
    while (value && *value) {
        const size_t length = strcspn(value, ",");
        int call = 0;
        while (call < PMPI_CALLS &&
               (strlen(pmpi_call_names[call]) != length || memcmp(pmpi_call_names[call], value, length) != 0))
            call++;
        if (length == 3 && memcmp(value, "all", 3) == 0)
            settings.off = ~0u;
        else if (call < PMPI_CALLS)
            settings.off |= 1u << call;
        else
            (void)snprintf(settings.fault, sizeof settings.fault,
                           "GOSSIPFAB_MPI_OWN: '%.*s' is no collective; MPI_Allreduce is one, all are all",
                           length < 40 ? (int)length : 40, value);
        value += length + (value[length] == ',');
    }
}

static void read_all(void)
{
    const char *report = getenv("GOSSIPFAB_REPORT"), *cut = getenv("GOSSIPFAB_SWITCH");
    const char *own = getenv("GOSSIPFAB_SHARED_MEMORY");
    const char *topologies = getenv("GOSSIPFAB_TOPOLOGY");
    settings.topologies = topologies ? strdup(topologies) : NULL; /* the program may change its environment */
    settings.report = report && *report && strcmp(report, "0") != 0;
    settings.shared = !own || strcmp(own, "0") != 0;
    settings.switch_bytes = SWITCH_BYTES;
    if (cut && strcmp(cut, "measure") == 0)
        settings.switch_bytes = -1;
    else if (cut) {
        char *end;
        settings.switch_bytes = strtol(cut, &end, 10);
        if (*end || end == cut || settings.switch_bytes < 0)
            (void)snprintf(settings.fault, sizeof settings.fault,
                           "GOSSIPFAB_SWITCH: '%.40s' is neither a number of bytes nor 'measure'", cut);
    }
    read_bracket(getenv("GOSSIPFAB_BRACKET"));
    read_off(getenv("GOSSIPFAB_MPI_OWN"));
    if ((topologies && !settings.topologies) || (!settings.bracket && !settings.fault[0]))
        (void)snprintf(settings.fault, sizeof settings.fault, "out of memory");
}

const pmpi_settings *pmpi_settings_get(void)
{
    (void)pthread_once(&once, read_all);
    return &settings;
}

static uint32_t add_text(uint32_t crc, const char *text)
{
    return text ? gfab_crc32(crc, (const uint8_t *)text, strlen(text) + 1) : gfab_crc32(crc, (const uint8_t *)"", 0);
}

uint32_t pmpi_settings_crc(void)
{
    const pmpi_settings *s = pmpi_settings_get();
    uint32_t crc = gfab_crc32(0, (const uint8_t *)&s->off, sizeof s->off);
    crc = gfab_crc32(crc, (const uint8_t *)&s->switch_bytes, sizeof s->switch_bytes);
    crc = gfab_crc32(crc, (const uint8_t *)&s->shared, sizeof s->shared);
    crc = add_text(add_text(crc, s->topologies), s->bracket);
    return add_text(crc, s->fault[0] ? "faulty" : "good");
}
