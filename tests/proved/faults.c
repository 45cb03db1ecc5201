/* SPDX-License-Identifier: MIT */
/* gfab_proved_faults COUNT SEED FILE..: changes schedules at random, and says what gfab_verify makes of each, for
 * `gfab-proved-check --compare`. Each is a line "BYTES STATUS" (0 valid, 1 not valid, 2 no schedule) and the text. */
#define _POSIX_C_SOURCE 200809L

#include <gossipfab/schedule/verify.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PACKETS 4096
#define TEXT_BYTES (1 << 18)
#define PART 256

typedef struct packet_line {
    unsigned round;
    char path[PART], items[PART];
} packet_line;

typedef struct schedule_text {
    char header[64][2 * PART]; /* up to `rounds` */
    size_t header_count;
    packet_line packets[MOST_PACKETS];
    size_t count;
} schedule_text;

static uint64_t state;

/* xorshift64*: below n. */
static size_t below(size_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (size_t)((state * 2685821657736338717ULL >> 33) % n);
}

static void die(const char *what, const char *name)
{
    fprintf(stderr, "gfab_proved_faults: %s %s\n", what, name);
    exit(2);
}

static void read_text(const char *name, schedule_text *s)
{
    static char text[TEXT_BYTES];
    FILE *file = fopen(name, "r");
    unsigned round = 0;
    bool body = false;
    if (!file)
        die("cannot read", name);
    s->header_count = s->count = 0;
    while (fgets(text, sizeof text, file) && strcmp(text, "end\n") != 0) {
        text[strcspn(text, "\n")] = '\0';
        char *colon = strchr(text, ':');
        if (strncmp(text, "rounds ", 7) == 0) {
            body = true;
        } else if (!body) {
            if (strlen(text) >= sizeof s->header[0] || s->header_count == 64)
                die("a header too long in", name);
            strcpy(s->header[s->header_count++], text);
        } else if (sscanf(text, "round %u", &round) != 1 && colon) {
            *colon = '\0';
            if (s->count == MOST_PACKETS || strlen(text) >= PART || strlen(colon + 1) >= PART)
                die("too much in", name);
            s->packets[s->count].round = round;
            strcpy(s->packets[s->count].path, text);
            strcpy(s->packets[s->count++].items, colon + 1);
        }
    }
    fclose(file);
}

static char *header(schedule_text *s, const char *key)
{
    for (size_t i = 0; i < s->header_count; i++)
        if (strncmp(s->header[i], key, strlen(key)) == 0)
            return s->header[i];
    return NULL;
}

/* Reverses the words of a path. */
static void turn(char *path)
{
    char copy[PART], out[PART] = "";
    strcpy(copy, path);
    for (char *space; (space = strrchr(copy, ' ')); *space = '\0') {
        strcat(out, space + 1);
        strcat(out, " ");
    }
    strcat(out, copy);
    strcpy(path, out);
}

/* "+7" for "7", and the other way round. */
static void toggle(char *items)
{
    char copy[PART];
    strcpy(copy, items);
    if (*copy == '+')
        strcpy(items, copy + 1);
    else if (strlen(copy) + 2 < PART)
        snprintf(items, PART, "+%.200s", copy);
}

static void change_packet(schedule_text *s, unsigned last)
{
    packet_line *p = &s->packets[below(s->count)];
    const packet_line other = s->packets[below(s->count)], *q = &other;
    switch (below(8)) {
    case 0:
        *p = s->packets[--s->count];
        break;
    case 1:
        if (s->count < MOST_PACKETS) {
            s->packets[s->count] = *p;
            s->packets[s->count++].round = 1 + (unsigned)below(last + 1);
        }
        break;
    case 2:
        p->round = 1 + (unsigned)below(last + 1);
        break;
    case 3:
        strcpy(p->path, q->path);
        break;
    case 4:
        strcpy(p->items, q->items);
        break;
    case 5:
        toggle(p->items);
        break;
    case 6:
        turn(p->path);
        break;
    default:
        if (strlen(p->items) + strlen(q->items) + 2 < PART) {
            strcat(p->items, " ");
            strcat(p->items, q->items);
        }
    }
}

static void flip(char *line, const char *key, const char *one, const char *other)
{
    const bool is = line && strcmp(line + strlen(key), one) == 0;
    if (line)
        sprintf(line, "%s%s", key, is ? other : one);
}

static void change_header(schedule_text *s)
{
    char *topology = header(s, "topology "), *line;
    const char *path = s->packets[below(s->count)].path;
    unsigned u = 0, v = 0;
    switch (below(7)) {
    case 0:
        flip(header(s, "link-mode "), "link-mode ", "half", "full");
        break;
    case 1:
        flip(header(s, "port-mode "), "port-mode ", "all", "one");
        break;
    case 2:
        sprintf(header(s, "hop-rounds "), "hop-rounds %zu", 1 + below(3));
        break;
    case 3:
        sprintf(header(s, "packet-tokens "), "packet-tokens %zu", 1 + below(2));
        break;
    case 4:
        if (sscanf(path, "%u %u", &u, &v) == 2 && strlen(topology) < PART)
            sprintf(topology + strlen(topology), "+weight=%u-%u:%zu/%zu", u, v, below(3), below(3));
        break;
    case 5:
        if (sscanf(path, "%u", &u) == 1 && strlen(topology) < PART)
            sprintf(topology + strlen(topology), "+relay=%u", u);
        break;
    default:
        if ((line = header(s, "period ")))
            sprintf(line, "period %zu", 1 + below(4));
        else if ((line = header(s, "root ")))
            sprintf(line, "root %zu", below(4));
        else if ((line = header(s, "idempotent ")))
            strcpy(line, "# no longer");
    }
}

static size_t write_text(const schedule_text *s, char *text)
{
    unsigned rounds = 0;
    size_t length = 0;
    for (size_t i = 0; i < s->count; i++)
        rounds = s->packets[i].round > rounds ? s->packets[i].round : rounds;
    for (size_t i = 0; i < s->header_count; i++)
        length += (size_t)sprintf(text + length, "%s\n", s->header[i]);
    length += (size_t)sprintf(text + length, "rounds %u\npackets %zu\n", rounds, s->count);
    for (unsigned round = 1; round <= rounds; round++) {
        bool open = false;
        for (size_t i = 0; i < s->count; i++)
            if (s->packets[i].round == round) {
                if (!open)
                    length += (size_t)sprintf(text + length, "round %u\n", round);
                open = true;
                length += (size_t)sprintf(text + length, "%s:%s\n", s->packets[i].path, s->packets[i].items);
            }
    }
    return length + (size_t)sprintf(text + length, "end\n");
}

/* 0 valid, 1 not valid, 2 no schedule. */
static int verdict(char *text, size_t length)
{
    gfab_topology *topology = NULL;
    gfab_schedule *schedule = NULL;
    gfab_verify_report report;
    gfab_diag diag;
    FILE *file = fmemopen(text, length, "r");
    gfab_status status = file ? gfab_schedule_read(file, NULL, &topology, &schedule, &diag) : GFAB_ERR_NO_MEMORY;
    int result = 2;
    if (status == GFAB_OK) {
        status = gfab_verify(topology, gfab_schedule_model(schedule), schedule, NULL, &report);
        result = status == GFAB_OK ? 0 : 1;
    }
    if (status == GFAB_ERR_NO_MEMORY)
        die("no memory for", "a schedule");
    gfab_schedule_destroy(schedule);
    gfab_topology_destroy(topology);
    if (file)
        fclose(file);
    return result;
}

int main(int argc, char **argv)
{
    static schedule_text original, changed;
    static char text[TEXT_BYTES + MOST_PACKETS * PART];
    if (argc < 4)
        die("usage: COUNT SEED FILE..", "");
    const uint64_t count = strtoull(argv[1], NULL, 10);
    const size_t files = (size_t)argc - 3;
    state = strtoull(argv[2], NULL, 10) * 2 + 1;
    for (size_t f = 0; f < files; f++) {
        read_text(argv[3 + f], &original);
        for (uint64_t n = f; n < count && original.count; n += files) {
            unsigned last = 1;
            changed = original;
            for (size_t i = 0; i < changed.count; i++)
                last = changed.packets[i].round > last ? changed.packets[i].round : last;
            for (size_t k = below(3); k < 3 && changed.count; k++)
                if (below(4))
                    change_packet(&changed, last);
                else
                    change_header(&changed);
            const size_t length = write_text(&changed, text);
            printf("%zu %d\n", length, verdict(text, length));
            fwrite(text, 1, length, stdout);
        }
    }
    return 0;
}
