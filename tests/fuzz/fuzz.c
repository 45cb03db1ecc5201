/* SPDX-License-Identifier: MIT */
/* What all fuzzed readers share: inputs as texts, streams and files in a folder of their own, and what must hold after
 * every one: a status other than OK comes with a message of one line. malloc() and its like are wrapped, so that an
 * input that asks for too much memory gets none, as from a machine that has none, instead of ending the fuzzer. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern void *__real_malloc(size_t size);
extern void *__real_calloc(size_t count, size_t size);
extern void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    return size > FUZZ_ALLOCATION ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return size != 0 && count > FUZZ_ALLOCATION / size ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return size > FUZZ_ALLOCATION ? NULL : __real_realloc(old, size);
}

void fuzz_fault(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: %s does not hold\n", file, line, condition);
    abort();
}

void fuzz_check_diag(gfab_status status, const gfab_diag *diag)
{
    if (status == GFAB_OK)
        return;
    FUZZ_CHECK(memchr(diag->message, '\0', sizeof diag->message));
    FUZZ_CHECK(status == GFAB_ERR_NO_MEMORY || diag->message[0] != '\0');
    FUZZ_CHECK(!strchr(diag->message, '\n'));
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_CHECK(text);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

FILE *fuzz_file(const uint8_t *data, size_t size)
{
    /* fmemopen makes no file of no bytes */
    FILE *file = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
    FUZZ_CHECK(file);
    return file;
}

static char folder[128];

const char *fuzz_folder(void)
{
    if (folder[0] == '\0') {
        const char *parent = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/gossipfab-fuzz-XXXXXX", parent ? parent : "/tmp");
        FUZZ_CHECK(mkdtemp(folder));
    }
    return folder;
}

void fuzz_remove_folder(void)
{
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    FUZZ_CHECK(folder[0] == '\0' || system(command) == 0);
}

const char *fuzz_named_file(const char *name, const uint8_t *data, size_t size)
{
    static char path[192];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    FILE *file = fopen(path, "wb");
    FUZZ_CHECK(file);
    FUZZ_CHECK(fwrite(data, 1, size, file) == size);
    FUZZ_CHECK(fclose(file) == 0);
    return path;
}

void fuzz_write(fuzz_output *output)
{
    output->file = open_memstream(&output->text, &output->size);
    FUZZ_CHECK(output->file);
}

void fuzz_written(fuzz_output *output)
{
    FUZZ_CHECK(fclose(output->file) == 0);
}

size_t fuzz_choice(const uint8_t **data, size_t *size, size_t count)
{
    if (*size == 0)
        return 0;
    const size_t choice = **data % count;
    (*data)++;
    (*size)--;
    return choice;
}

gfab_topology *fuzz_topology(const char *spec)
{
    gfab_topology *topology = NULL;
    FUZZ_CHECK(gfab_topology_parse(spec, &topology, NULL) == GFAB_OK);
    return topology;
}

static gfab_status verify(const gfab_schedule *schedule)
{
    gfab_verify_report report;
    const gfab_status status =
        gfab_verify(gfab_schedule_topology(schedule), gfab_schedule_model(schedule), schedule, NULL, &report);
    FUZZ_CHECK(status == GFAB_OK || status == GFAB_ERR_FAULT || status == GFAB_ERR_NO_MEMORY);
    FUZZ_CHECK(status == GFAB_ERR_NO_MEMORY || (status == GFAB_OK) == (report.fault == GFAB_FAULT_NONE));
    FUZZ_CHECK(status != GFAB_ERR_FAULT || (report.message[0] != '\0' && !strchr(report.message, '\n')));
    return status;
}

/* Written in the format, read back to the same schedule, and written again to the same bytes. */
static void check_written(const gfab_format *format, const gfab_schedule *schedule)
{
    fuzz_output first, second;
    gfab_diag diag = {0, ""};
    const gfab_status verdict = verify(schedule);
    fuzz_write(&first);
    const gfab_status status = format->write(schedule, first.file, NULL, &diag);
    fuzz_written(&first);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK(status != GFAB_ERR_UNSUPPORTED || strcmp(format->name, "gfs") != 0);
    if (status == GFAB_OK) {
        const gfab_format_options options = gfab_format_options_default(format);
        gfab_topology *topology = NULL;
        gfab_schedule *again = NULL;
        FILE *file = fuzz_file((const uint8_t *)first.text, first.size);
        const gfab_status read = format->read(file, &options, &topology, &again, &diag);
        fclose(file);
        FUZZ_CHECK(read == GFAB_OK || read == GFAB_ERR_NO_MEMORY);
        if (read == GFAB_OK) {
            FUZZ_CHECK(gfab_topology_equal(topology, gfab_schedule_topology(schedule)));
            FUZZ_CHECK(verify(again) == verdict);
            fuzz_write(&second);
            FUZZ_CHECK(format->write(again, second.file, NULL, NULL) == GFAB_OK);
            fuzz_written(&second);
            FUZZ_CHECK(first.size == second.size && memcmp(first.text, second.text, first.size) == 0);
            free(second.text);
        }
        gfab_schedule_destroy(again);
        gfab_topology_destroy(topology);
    }
    free(first.text);
}

/* What is right as a group that repeats is right when all groups are written out. */
static void check_groups(const gfab_schedule *schedule)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    const gfab_topology *topology = gfab_schedule_topology(schedule);
    if (!gfab_schedule_period(schedule) || gfab_schedule_any_length(schedule) || goal.blocks > 1024 ||
        gfab_topology_node_count(topology) > 256 || gfab_schedule_packet_count(schedule) > 4096)
        return;
    gfab_schedule *all = NULL;
    FUZZ_CHECK(gfab_schedule_create(topology, gfab_schedule_model(schedule), &all) == GFAB_OK);
    FUZZ_CHECK(gfab_schedule_set_goal(all, &goal, NULL) == GFAB_OK);
    const gfab_status appended = gfab_schedule_append_all(all, schedule);
    FUZZ_CHECK(appended == GFAB_OK || appended == GFAB_ERR_LIMIT); /* rounds */
    if (appended == GFAB_OK) {
        FUZZ_CHECK(gfab_schedule_rounds(all) == gfab_schedule_rounds(schedule));
        FUZZ_CHECK(gfab_schedule_packet_count(all) == gfab_schedule_packet_count(schedule));
        FUZZ_CHECK(verify(schedule) != GFAB_OK || verify(all) == GFAB_OK);
    }
    gfab_schedule_destroy(all);
}

void fuzz_check_schedule(const gfab_schedule *schedule)
{
    check_groups(schedule);
    check_written(gfab_format_find("gfs"), schedule);
}

int fuzz_check_format(const char *name, const uint8_t *data, size_t size)
{
    const gfab_format *format = gfab_format_find(name);
    const gfab_format_options options = gfab_format_options_default(format);
    gfab_topology *topology = NULL;
    gfab_schedule *schedule = NULL;
    gfab_diag diag = {0, ""};
    char *text = fuzz_text(data, size);
    const bool large = fuzz_large(text);
    free(text);
    if (large)
        return -1;
    FILE *file = fuzz_file(data, size);
    const gfab_status status = format->read(file, &options, &topology, &schedule, &diag);
    fclose(file);
    fuzz_check_diag(status, &diag);
    FUZZ_CHECK(status == GFAB_OK || (!topology && !schedule));
    if (status == GFAB_OK) {
        fuzz_check_schedule(schedule);
        if (verify(schedule) == GFAB_OK)
            check_written(format, schedule);
        gfab_schedule_destroy(schedule);
        gfab_topology_destroy(topology);
    }
    return 0;
}

/* Sizes that are legal and take long: above `most`, up to `limit`. */
static const struct {
    const char *name;
    unsigned long most, limit;
} families[] = {
    {"path:", 4096, GFAB_MAX_NODES},
    {"cycle:", 4096, GFAB_MAX_NODES},
    {"mesh:", 4096, GFAB_MAX_NODES},
    {"torus:", 4096, GFAB_MAX_NODES},
    {"graph:", 4096, GFAB_MAX_NODES},
    {"n=", 4096, GFAB_MAX_NODES},
    {"m=", 4096, GFAB_MAX_GRAPH_LINKS},
    {"complete:", 64, 8192},
    {"hypercube:", 9, 24},
    {"knoedel:", 9, GFAB_MAX_NODES},
    {"ccc:", 8, 24},
    {"butterfly:", 8, 24},
    {"debruijn:", 9, 24},
    {"shuffle-exchange:", 9, 24},
    {"star:", 6, 12},
    {"pancake:", 6, 12},
    {"fat-tree:", 12, GFAB_MAX_NODES},
    {"dragonfly:", 64, GFAB_MAX_NODES},
    {"kautz:", 12, GFAB_MAX_NODES},
};

bool fuzz_large(const char *text)
{
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (const char *at = strstr(text, families[f].name); at; at = strstr(at, families[f].name)) {
            unsigned long product = 1;
            at += strlen(families[f].name);
            for (const char *side = at; product <= families[f].limit; side++) {
                char *end = NULL;
                const unsigned long number = strtoul(side, &end, 10);
                product = number > families[f].limit ? number : product * (number > 0 ? number : 1);
                side = end;
                if (*side != 'x' && *side != ',')
                    break;
            }
            if (product > families[f].most && product <= families[f].limit)
                return true;
        }
    return false;
}

#define MOST_WORDS 24

void fuzz_line(int (*run)(int argc, char **argv), const char *line, const fuzz_word *words)
{
    char *copy = fuzz_text((const uint8_t *)line, strlen(line)), *rest = NULL;
    char *argv[MOST_WORDS + 1];
    int count = 0;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        FUZZ_CHECK(count < MOST_WORDS);
        argv[count] = word;
        for (const fuzz_word *w = words; w->mark; w++)
            if (strcmp(word, w->mark) == 0)
                argv[count] = w->text;
        count++;
    }
    argv[count] = NULL;
    const int status = run(count, argv);
    FUZZ_CHECK(status >= 0 && status <= 2);
    free(copy);
}

static int report(void *context, const char *what, unsigned long long done, unsigned long long total)
{
    unsigned *left = context;
    (void)what, (void)done, (void)total;
    if (*left == 0)
        return 0;
    --*left;
    return 1;
}

gfab_progress fuzz_progress(unsigned *left)
{
    return (gfab_progress){report, left};
}
