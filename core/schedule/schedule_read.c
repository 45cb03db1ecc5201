/* SPDX-License-Identifier: MIT */
/* Schedules from text, in the two forms of docs/reference/schedule-format.md. */
#include <gossipfab/schedule/schedule.h>

#include "base/number.h"
#include "base/progress.h"
#include "schedule_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE_BYTES ((size_t)1 << 28)

typedef struct reader {
    FILE *file;
    const gfab_progress *progress;
    gfab_diag *diag;
    const gfab_topology *topology;
    gfab_schedule *schedule;
    size_t line;     /* number of the line in text */
    char *text;      /* the line without its LF, ends in NUL */
    bool held;       /* text is still to be taken as a header line */
    size_t capacity; /* of text */
    size_t at;       /* in buffer */
    size_t filled;
    uint32_t *numbers; /* scratch of a packet: arcs or tokens */
    size_t number_capacity;
    char buffer[1 << 15];
} reader;

#define FAIL(r, status, ...) gfab_fail((r)->diag, (r)->line, (status), __VA_ARGS__)

static gfab_status no_memory(reader *r)
{
    return FAIL(r, GFAB_ERR_NO_MEMORY, "out of memory");
}

static reader *reader_create(FILE *file, const gfab_progress *progress, gfab_diag *diag)
{
    reader *r = malloc(sizeof *r);
    if (!r)
        return NULL;
    *r = (reader){.file = file, .progress = progress, .diag = diag};
    return r;
}

static void reader_destroy(reader *r)
{
    if (!r)
        return;
    free(r->text);
    free(r->numbers);
    free(r);
}

static gfab_status grow_line(reader *r, size_t need)
{
    if (need <= r->capacity)
        return GFAB_OK;
    if (need > MAX_LINE_BYTES)
        return FAIL(r, GFAB_ERR_LIMIT, "the line is longer than %zu bytes", MAX_LINE_BYTES);
    const size_t wanted = need < 128 ? 256 : 2 * need;
    char *grown = realloc(r->text, wanted);
    if (!grown)
        return no_memory(r);
    r->text = grown;
    r->capacity = wanted;
    return GFAB_OK;
}

/* The next line into text; at the end of the file *found is false and line is
 * the number that the next line would have had. */
static gfab_status next_line(reader *r, bool *found)
{
    size_t length = 0;
    r->line++;
    for (;;) {
        if (r->at == r->filled) {
            const gfab_status status = gfab_progress_report(r->progress, "lines read", r->line - 1, 0);
            if (status != GFAB_OK)
                return status;
            errno = 0;
            r->filled = fread(r->buffer, 1, sizeof r->buffer, r->file);
            r->at = 0;
            if (ferror(r->file))
                return gfab_fail(r->diag, 0, GFAB_ERR_IO, "cannot read the schedule: %s",
                                 strerror(errno ? errno : EIO));
            if (r->filled == 0) {
                *found = false;
                return length ? FAIL(r, GFAB_ERR_PARSE, "the file is truncated: its last line does not end in LF")
                              : GFAB_OK;
            }
        }
        const char *start = r->buffer + r->at;
        const char *end = memchr(start, '\n', r->filled - r->at);
        const size_t part = end ? (size_t)(end - start) : r->filled - r->at;
        if (memchr(start, '\r', part))
            return FAIL(r, GFAB_ERR_PARSE, "a carriage return; lines end in LF alone");
        if (memchr(start, '\0', part))
            return FAIL(r, GFAB_ERR_PARSE, "a NUL byte");
        const gfab_status status = grow_line(r, length + part + 1);
        if (status != GFAB_OK)
            return status;
        memcpy(r->text + length, start, part);
        length += part;
        r->at += part;
        if (end) {
            r->at++;
            r->text[length] = '\0';
            *found = true;
            return GFAB_OK;
        }
    }
}

/* The next line that is neither empty nor a comment. */
static gfab_status next_content(reader *r, bool *found)
{
    gfab_status status;
    do
        status = next_line(r, found);
    while (status == GFAB_OK && *found && (r->text[0] == '\0' || r->text[0] == '#'));
    return status;
}

/* A number at *at, called what in messages. */
static gfab_status read_number(reader *r, const char **at, uint64_t maximum, const char *what, uint64_t *value)
{
    const char *start = *at;
    switch (gfab_number_read(at, maximum, value)) {
    case GFAB_NUMBER_OK:
        return GFAB_OK;
    case GFAB_NUMBER_NONE:
        if (*start == '\0')
            return FAIL(r, GFAB_ERR_PARSE, "the line ends where a number is expected (%s)", what);
        return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": a number is expected (%s)", start, what);
    case GFAB_NUMBER_ZERO:
        return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": a leading zero (%s)", start, what);
    case GFAB_NUMBER_OVERFLOW:
        break;
    }
    return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": larger than %" PRIu64 " (%s)", start, maximum, what);
}

/* A number below count, the node's or token's. */
static gfab_status read_id(reader *r, const char **at, const char *what, size_t count, uint32_t *id)
{
    uint64_t value = 0;
    const gfab_status status = read_number(r, at, UINT32_MAX, what, &value);
    if (status != GFAB_OK)
        return status;
    if (value >= count)
        return FAIL(r, GFAB_ERR_PARSE, "%s %" PRIu64 " does not exist; %s has 0 to %zu", what, value,
                    gfab_topology_name(r->topology), count - 1);
    *id = (uint32_t)value;
    return GFAB_OK;
}

static gfab_status read_node(reader *r, const char **at, uint32_t *node)
{
    return read_id(r, at, "node", gfab_topology_node_count(r->topology), node);
}

static gfab_status read_token(reader *r, const char **at, uint32_t *token)
{
    return read_id(r, at, "token", gfab_schedule_token_count(r->schedule), token);
}

static gfab_status read_end_of_line(reader *r, const char *at)
{
    return *at ? FAIL(r, GFAB_ERR_PARSE, "unexpected \"%.40s\" at the end of the line", at) : GFAB_OK;
}

static gfab_status find_arc(reader *r, uint32_t from, uint32_t to, gfab_arc *arc)
{
    if (!gfab_topology_find_arc(r->topology, from, to, arc))
        return FAIL(r, GFAB_ERR_PARSE, "%s has no link from node %u to node %u", gfab_topology_name(r->topology), from,
                    to);
    return GFAB_OK;
}

static gfab_status push_number(reader *r, size_t *count, uint32_t number)
{
    if (*count == r->number_capacity) {
        const size_t wanted = 2 * *count + 16; /* bounded by the length of a line */
        uint32_t *grown = realloc(r->numbers, wanted * sizeof *grown);
        if (!grown)
            return no_memory(r);
        r->numbers = grown;
        r->number_capacity = wanted;
    }
    r->numbers[(*count)++] = number;
    return GFAB_OK;
}

static gfab_status appended(reader *r, gfab_status status)
{
    if (status == GFAB_ERR_NO_MEMORY)
        return no_memory(r);
    return status == GFAB_OK ? GFAB_OK : FAIL(r, status, "%s", gfab_status_string(status));
}

static gfab_status read_packet(reader *r, uint32_t round)
{
    const char *at = r->text;
    size_t count = 0;
    uint32_t node = 0;
    gfab_status status = read_node(r, &at, &node);
    while (status == GFAB_OK && *at == ' ') {
        const uint32_t from = node;
        gfab_arc arc = 0;
        at++;
        if ((status = read_node(r, &at, &node)) == GFAB_OK && (status = find_arc(r, from, node, &arc)) == GFAB_OK)
            status = push_number(r, &count, arc);
    }
    if (status != GFAB_OK)
        return status;
    const size_t arc_count = count;
    if (*at != ':')
        return FAIL(r, GFAB_ERR_PARSE,
                    "a packet is nodes, a colon, tokens, such as \"0 1:0\"; a colon is expected "
                    "at \"%.40s\"",
                    at);
    if (arc_count == 0)
        return FAIL(r, GFAB_ERR_PARSE, "a packet's path has at least two nodes");
    do {
        uint32_t token = 0;
        at++;
        if ((status = read_token(r, &at, &token)) == GFAB_OK)
            status = push_number(r, &count, token);
    } while (status == GFAB_OK && *at == ' ');
    if (status == GFAB_OK)
        status = read_end_of_line(r, at);
    if (status != GFAB_OK)
        return status;
    return appended(r, gfab_schedule_append_packet(r->schedule, round, r->numbers, arc_count, r->numbers + arc_count,
                                                   count - arc_count));
}

/* A header line "key value"; *value is borrowed from the line. */
static gfab_status read_key(reader *r, const char *key, const char **value)
{
    bool found = true;
    const gfab_status status = r->held ? GFAB_OK : next_content(r, &found);
    r->held = false;
    if (status != GFAB_OK)
        return status;
    if (!found)
        return FAIL(r, GFAB_ERR_PARSE, "the file is truncated: \"%s\" is missing", key);
    const size_t length = strlen(key);
    if (strncmp(r->text, key, length) != 0 || r->text[length] != ' ')
        return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": \"%s\" and a value are expected here", r->text, key);
    *value = r->text + length + 1;
    return GFAB_OK;
}

/* The same for a line that may be left out: *value is NULL then. */
static gfab_status read_optional_key(reader *r, const char *key, const char **value)
{
    bool found = true;
    const gfab_status status = r->held ? GFAB_OK : next_content(r, &found);
    const size_t length = strlen(key);
    *value = NULL;
    r->held = status == GFAB_OK && found;
    if (!r->held || strncmp(r->text, key, length) != 0 || r->text[length] != ' ')
        return status;
    r->held = false;
    *value = r->text + length + 1;
    return GFAB_OK;
}

static gfab_status read_key_number(reader *r, const char *key, uint64_t minimum, uint64_t maximum, uint64_t *number)
{
    const char *value = NULL;
    gfab_status status = read_key(r, key, &value);
    if (status == GFAB_OK)
        status = read_number(r, &value, maximum, key, number);
    if (status == GFAB_OK)
        status = read_end_of_line(r, value);
    if (status == GFAB_OK && *number < minimum)
        return FAIL(r, GFAB_ERR_PARSE, "%s is %" PRIu64 "; at least %" PRIu64 " is expected", key, *number, minimum);
    return status;
}

/* Line 1: the magic word and the version. */
static gfab_status read_magic(reader *r)
{
    static const char magic[] = "gossipfab-schedule ";
    bool found;
    gfab_status status = next_line(r, &found);
    if (status != GFAB_OK)
        return status;
    if (!found || strncmp(r->text, magic, sizeof magic - 1) != 0)
        return FAIL(r, GFAB_ERR_PARSE, "not a gossipfab schedule: line 1 is not \"gossipfab-schedule 1\"");
    const char *at = r->text + sizeof magic - 1;
    uint64_t version = 0;
    status = read_number(r, &at, UINT32_MAX, "version", &version);
    if (status == GFAB_OK)
        status = read_end_of_line(r, at);
    if (status == GFAB_OK && version != GFAB_SCHEDULE_FORMAT)
        return FAIL(r, GFAB_ERR_PARSE, "version %" PRIu64 " of the format is not known; this program reads version %d",
                    version, GFAB_SCHEDULE_FORMAT);
    return status;
}

/* Puts the line to a diagnostic of a parser that knows none; what is not a limit is malformed text here. */
static gfab_status at_line(reader *r, gfab_status status, const gfab_diag *inner)
{
    if (status == GFAB_OK)
        return GFAB_OK;
    return FAIL(r, status == GFAB_ERR_INVALID ? GFAB_ERR_PARSE : status, "%s", inner->message);
}

/* The lines "parts P" and "load L0 L1 ...", which may be left out. */
static gfab_status read_load(reader *r)
{
    const char *at = NULL;
    uint64_t parts = 1;
    gfab_status status = read_optional_key(r, "parts", &at);
    if (status != GFAB_OK)
        return status;
    if (at && ((status = read_number(r, &at, UINT32_MAX, "parts", &parts)) != GFAB_OK ||
               (status = read_end_of_line(r, at)) != GFAB_OK))
        return status;
    if (at && parts < 2)
        return FAIL(r, GFAB_ERR_PARSE, "parts is %" PRIu64 "; leave the line out or give 2 at least", parts);
    if (parts > GFAB_MAX_FILE_PARTS)
        return FAIL(r, GFAB_ERR_LIMIT, "parts is %" PRIu64 "; at most %u are supported", parts,
                    (unsigned)GFAB_MAX_FILE_PARTS);
    if ((status = read_optional_key(r, "load", &at)) != GFAB_OK)
        return status;
    size_t count = 0;
    for (bool more = at; more && status == GFAB_OK; more = status == GFAB_OK && *at == ' ') {
        uint64_t load = 0;
        at += count > 0;
        if ((status = read_number(r, &at, UINT32_MAX >> 1, "load", &load)) == GFAB_OK)
            status = push_number(r, &count, (uint32_t)load);
    }
    if (status == GFAB_OK && at)
        status = read_end_of_line(r, at);
    if (status == GFAB_OK && at && count != gfab_topology_node_count(r->topology))
        return FAIL(r, GFAB_ERR_PARSE, "%zu loads; %s has %zu nodes", count, gfab_topology_name(r->topology),
                    gfab_topology_node_count(r->topology));
    if (status != GFAB_OK || (!at && parts == 1))
        return status;
    status = gfab_schedule_set_load(r->schedule, at ? r->numbers : NULL, (uint32_t)parts);
    if (status == GFAB_ERR_INVALID)
        return FAIL(r, GFAB_ERR_PARSE, "no node has a token");
    if (status == GFAB_ERR_LIMIT)
        return FAIL(r, GFAB_ERR_LIMIT, "2^31 tokens or more");
    const uint64_t nodes = gfab_topology_node_count(r->topology), tokens = gfab_schedule_token_count(r->schedule);
    if (status == GFAB_OK && nodes * tokens > GFAB_MAX_FILE_HOLDINGS)
        return FAIL(r, GFAB_ERR_LIMIT, "%" PRIu64 " nodes times %" PRIu64 " tokens; at most %u are supported", nodes,
                    tokens, (unsigned)GFAB_MAX_FILE_HOLDINGS);
    return appended(r, status);
}

/* From link-mode to routing. */
static gfab_status read_model(reader *r, gfab_model *model)
{
    gfab_diag inner = {0, ""};
    uint64_t packet_tokens = 0;
    uint64_t hop_rounds = 0;
    const char *value = NULL;
    gfab_status status;
    if ((status = read_key(r, "link-mode", &value)) != GFAB_OK ||
        (status = at_line(r, gfab_link_mode_parse(value, &model->link_mode, &inner), &inner)) != GFAB_OK ||
        (status = read_key(r, "port-mode", &value)) != GFAB_OK ||
        (status = at_line(r, gfab_port_mode_parse(value, &model->port_mode, &inner), &inner)) != GFAB_OK ||
        (status = read_key_number(r, "packet-tokens", 1, UINT32_MAX, &packet_tokens)) != GFAB_OK ||
        (status = read_key_number(r, "hop-rounds", 1, UINT32_MAX, &hop_rounds)) != GFAB_OK)
        return status;
    model->packet_tokens = (uint32_t)packet_tokens;
    model->hop_rounds = (uint32_t)hop_rounds;
    model->routing = GFAB_ROUTING_STORE_AND_FORWARD;
    status = read_optional_key(r, "routing", &value);
    if (value && !strcmp(value, "wormhole")) /* as earlier files say */
        value = gfab_routing_name(GFAB_ROUTING_CIRCUIT);
    if (status == GFAB_OK && value)
        status = at_line(r, gfab_routing_parse(value, &model->routing, &inner), &inner);
    return status;
}

/* The topology of a line read before. */
static gfab_status make_topology(reader *r, const char *spec, size_t line, gfab_topology **topology)
{
    gfab_diag inner = {0, ""};
    const gfab_status status = gfab_topology_parse(spec, topology, &inner);
    if (status != GFAB_OK)
        return gfab_fail(r->diag, line, status == GFAB_ERR_INVALID ? GFAB_ERR_PARSE : status, "%s", inner.message);
    r->topology = *topology;
    return GFAB_OK;
}

/* What follows the topology's line. It is made only once the lines up to solver are there: it can be large. */
static gfab_status read_after_topology(reader *r, const char *spec, gfab_topology **topology)
{
    const size_t line = r->line;
    gfab_model model;
    const char *value = NULL;
    gfab_status status;
    if ((status = read_model(r, &model)) != GFAB_OK || (status = read_key(r, "solver", &value)) != GFAB_OK ||
        (status = make_topology(r, spec, line, topology)) != GFAB_OK ||
        (status = appended(r, gfab_schedule_create(*topology, &model, &r->schedule))) != GFAB_OK)
        return status;
    if (strcmp(value, "-") != 0 && (!*value || gfab_schedule_set_solver(r->schedule, value) != GFAB_OK))
        return FAIL(r, GFAB_ERR_PARSE, "solver \"%.70s\": a name is up to 63 letters, digits and hyphens, or -", value);
    return read_load(r);
}

/* The header up to the load; makes the topology and an empty schedule. */
static gfab_status read_header(reader *r, gfab_topology **topology)
{
    const char *value = NULL;
    gfab_status status;
    if ((status = read_magic(r)) != GFAB_OK || (status = read_key(r, "topology", &value)) != GFAB_OK)
        return status;
    if (strncmp(value, "file:", 5) == 0) /* a schedule means the same wherever it is read */
        return FAIL(r, GFAB_ERR_PARSE, "topology %.40s: a schedule has its graph in itself, as graph:N:U-V,...", value);
    const size_t size = strlen(value) + 1;
    char *spec = malloc(size);
    if (!spec)
        return no_memory(r);
    memcpy(spec, value, size);
    status = read_after_topology(r, spec, topology);
    free(spec);
    return status;
}

/* "round R": R rises, up to the header's number of rounds. */
static gfab_status read_round(reader *r, uint64_t rounds, uint32_t *round)
{
    const char *at = r->text + strlen("round ");
    uint64_t next = 0;
    gfab_status status = read_number(r, &at, UINT32_MAX, "round", &next);
    if (status == GFAB_OK)
        status = read_end_of_line(r, at);
    if (status != GFAB_OK)
        return status;
    if (*round != gfab_schedule_rounds(r->schedule))
        return FAIL(r, GFAB_ERR_PARSE, "round %u has no packet; leave its line out", *round);
    if (next <= *round)
        return FAIL(r, GFAB_ERR_PARSE, "round %" PRIu64 " after round %u; rounds rise, from 1", next, *round);
    if (next > rounds)
        return FAIL(r, GFAB_ERR_PARSE, "round %" PRIu64 "; the header says %" PRIu64 " rounds", next, rounds);
    *round = (uint32_t)next;
    return GFAB_OK;
}

static gfab_status read_rounds(reader *r)
{
    uint64_t rounds = 0;
    uint64_t packets = 0;
    gfab_status status = read_key_number(r, "rounds", 0, UINT32_MAX, &rounds);
    if (status == GFAB_OK && rounds > GFAB_MAX_ROUNDS)
        return FAIL(r, GFAB_ERR_LIMIT, "%" PRIu64 " rounds; at most %u are supported", rounds,
                    (unsigned)GFAB_MAX_ROUNDS);
    if (status == GFAB_OK)
        status = read_key_number(r, "packets", 0, UINT64_MAX, &packets);
    uint32_t round = 0;
    bool found = false;
    while (status == GFAB_OK && (status = next_content(r, &found)) == GFAB_OK) {
        if (!found)
            return FAIL(r, GFAB_ERR_PARSE, "the file is truncated: its last line, \"end\", is missing");
        if (strcmp(r->text, "end") == 0)
            break;
        if (strncmp(r->text, "round ", 6) == 0)
            status = read_round(r, rounds, &round);
        else if (round == 0)
            status = FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": \"round 1\" or a later round, or \"end\", is expected here",
                          r->text);
        else if (gfab_schedule_packet_count(r->schedule) == packets)
            status = FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": \"end\" is expected after the header's %" PRIu64 " packets",
                          r->text, packets);
        else
            status = read_packet(r, round);
    }
    if (status != GFAB_OK)
        return status;
    if (round != gfab_schedule_rounds(r->schedule))
        return FAIL(r, GFAB_ERR_PARSE, "round %u has no packet; leave its line out", round);
    if (round != rounds)
        return FAIL(r, GFAB_ERR_PARSE, "the last round is %u; the header says %" PRIu64, round, rounds);
    if (gfab_schedule_packet_count(r->schedule) != packets)
        return FAIL(r, GFAB_ERR_PARSE, "%" PRIu64 " packets; the header says %" PRIu64,
                    gfab_schedule_packet_count(r->schedule), packets);
    if ((status = next_line(r, &found)) == GFAB_OK && found)
        return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\" after \"end\", which is the last line", r->text);
    return status;
}

gfab_status gfab_schedule_read(FILE *file, const gfab_progress *progress, gfab_topology **topology,
                               gfab_schedule **schedule, gfab_diag *diag)
{
    reader *r = reader_create(file, progress, diag);
    if (!r)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    gfab_topology *made = NULL;
    gfab_status status = read_header(r, &made);
    if (status == GFAB_OK)
        status = read_rounds(r);
    if (status == GFAB_OK) {
        *topology = made;
        *schedule = r->schedule;
    } else {
        gfab_schedule_destroy(r->schedule);
        gfab_topology_destroy(made);
    }
    reader_destroy(r);
    return status;
}

static gfab_status read_row(reader *r)
{
    const char *at = r->text;
    uint64_t round = 0;
    uint32_t ids[3] = {0, 0, 0};
    gfab_status status = read_number(r, &at, UINT32_MAX, "round", &round);
    for (size_t i = 0; i < 3 && status == GFAB_OK; i++) {
        if (*at != ',')
            return FAIL(r, GFAB_ERR_PARSE, "\"%.60s\": a row is " GFAB_SCHEDULE_CSV_HEADER ", four numbers", r->text);
        at++;
        status = i < 2 ? read_node(r, &at, &ids[i]) : read_token(r, &at, &ids[i]);
    }
    if (status == GFAB_OK)
        status = read_end_of_line(r, at);
    gfab_arc arc = 0;
    if (status == GFAB_OK)
        status = find_arc(r, ids[0], ids[1], &arc);
    if (status != GFAB_OK)
        return status;
    if (round < 1)
        return FAIL(r, GFAB_ERR_PARSE, "round 0; rounds count from 1");
    if (round < gfab_schedule_rounds(r->schedule))
        return FAIL(r, GFAB_ERR_PARSE, "round %" PRIu64 " after round %u; rounds must not fall", round,
                    gfab_schedule_rounds(r->schedule));
    if (round > GFAB_MAX_ROUNDS)
        return FAIL(r, GFAB_ERR_LIMIT, "round %" PRIu64 "; at most %u are supported", round, (unsigned)GFAB_MAX_ROUNDS);
    return appended(r, gfab_schedule_append(r->schedule, (uint32_t)round, arc, ids[2]));
}

gfab_status gfab_schedule_read_csv(FILE *file, const gfab_topology *topology, const gfab_model *model,
                                   const gfab_progress *progress, gfab_schedule **schedule, gfab_diag *diag)
{
    gfab_status status = gfab_model_check(model, diag);
    if (status != GFAB_OK)
        return status;
    reader *r = reader_create(file, progress, diag);
    if (!r)
        return gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    r->topology = topology;
    bool found = false;
    if ((status = appended(r, gfab_schedule_create(topology, model, &r->schedule))) == GFAB_OK &&
        (status = next_line(r, &found)) == GFAB_OK && (!found || strcmp(r->text, GFAB_SCHEDULE_CSV_HEADER) != 0))
        status = FAIL(r, GFAB_ERR_PARSE, "line 1 is not \"" GFAB_SCHEDULE_CSV_HEADER "\"");
    while (status == GFAB_OK && (status = next_line(r, &found)) == GFAB_OK && found)
        status = read_row(r);
    if (status == GFAB_OK)
        *schedule = r->schedule;
    else
        gfab_schedule_destroy(r->schedule);
    reader_destroy(r);
    return status;
}
