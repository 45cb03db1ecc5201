/* SPDX-License-Identifier: MIT */
/* .gfs text of docs/reference/schedule-format.md. */
#include "schedule_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static gfab_status read_packet(gfab_reader *r, uint32_t round)
{
    const char *at = r->lines.text;
    size_t count = 0;
    uint32_t node = 0;
    gfab_status status = gfab_reader_node(r, &at, &node);
    while (status == GFAB_OK && *at == ' ') {
        const uint32_t from = node;
        gfab_arc arc = 0;
        at++;
        if ((status = gfab_reader_node(r, &at, &node)) == GFAB_OK &&
            (status = gfab_reader_arc(r, from, node, &arc)) == GFAB_OK)
            status = gfab_reader_push(r, &count, arc);
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
        const uint32_t combine = r->goal && at[1] == '+' ? GFAB_COMBINE : 0;
        at += combine ? 2 : 1;
        if ((status = gfab_reader_token(r, &at, &token)) == GFAB_OK)
            status = gfab_reader_push(r, &count, token | combine);
    } while (status == GFAB_OK && *at == ' ');
    GFAB_THEN(status, gfab_reader_line_end(r, at));
    if (status != GFAB_OK)
        return status;
    if (r->tree && (count != 2 || r->numbers[1] != 0))
        return FAIL(r, GFAB_ERR_PARSE, "a packet of one tree moves token 0 over one link, such as \"0 1:0\"");
    if (r->repeats && (count != arc_count + 1 || (arc_count > 1 && !r->switches)))
        return FAIL(r, GFAB_ERR_PARSE,
                    "a packet of a group moves one token over one link, or past switches, such as "
                    "\"0 1:0\"");
    return gfab_reader_appended(r, gfab_schedule_append_packet(r->schedule, round, r->numbers, arc_count,
                                                               r->numbers + arc_count, count - arc_count));
}

/* A header line "key value"; *value is borrowed from the line. */
static gfab_status read_key(gfab_reader *r, const char *key, const char **value)
{
    bool found = true;
    GFAB_TRY(r->held ? GFAB_OK : gfab_reader_content(r, &found));
    r->held = false;
    if (!found)
        return FAIL(r, GFAB_ERR_PARSE, "the file is truncated: \"%s\" is missing", key);
    const size_t length = strlen(key);
    if (strncmp(r->lines.text, key, length) != 0 || r->lines.text[length] != ' ')
        return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": \"%s\" and a value are expected here", r->lines.text, key);
    *value = r->lines.text + length + 1;
    return GFAB_OK;
}

/* The same for a line that may be left out: *value is NULL then. */
static gfab_status read_optional_key(gfab_reader *r, const char *key, const char **value)
{
    bool found = true;
    const gfab_status status = r->held ? GFAB_OK : gfab_reader_content(r, &found);
    const size_t length = strlen(key);
    *value = NULL;
    r->held = status == GFAB_OK && found;
    if (!r->held || strncmp(r->lines.text, key, length) != 0 || r->lines.text[length] != ' ')
        return status;
    r->held = false;
    *value = r->lines.text + length + 1;
    return GFAB_OK;
}

static gfab_status read_key_number(gfab_reader *r, const char *key, uint64_t minimum, uint64_t maximum,
                                   uint64_t *number)
{
    const char *value = NULL;
    GFAB_TRY(read_key(r, key, &value));
    GFAB_TRY(gfab_reader_number(r, &value, maximum, key, number));
    GFAB_TRY(gfab_reader_line_end(r, value));
    if (*number < minimum)
        return FAIL(r, GFAB_ERR_PARSE, "%s is %" PRIu64 "; at least %" PRIu64 " is expected", key, *number, minimum);
    return GFAB_OK;
}

/* Line 1: the magic word and the version. */
static gfab_status read_magic(gfab_reader *r)
{
    static const char magic[] = "gossipfab-schedule ";
    bool found;
    GFAB_TRY(gfab_reader_line(r, &found));
    if (!found || strncmp(r->lines.text, magic, sizeof magic - 1) != 0)
        return FAIL(r, GFAB_ERR_PARSE, "not a gossipfab schedule: line 1 is not \"gossipfab-schedule 1\"");
    const char *at = r->lines.text + sizeof magic - 1;
    uint64_t version = 0;
    gfab_status status = gfab_reader_number(r, &at, UINT32_MAX, "version", &version);
    GFAB_THEN(status, gfab_reader_line_end(r, at));
    if (status == GFAB_OK && (version < GFAB_SCHEDULE_FORMAT || version > GFAB_SCHEDULE_PERIOD_FORMAT))
        return FAIL(r, GFAB_ERR_PARSE,
                    "version %" PRIu64 " of the format is not known; this program reads versions %d to %d", version,
                    GFAB_SCHEDULE_FORMAT, GFAB_SCHEDULE_PERIOD_FORMAT);
    r->repeats = version == GFAB_SCHEDULE_PERIOD_FORMAT;
    r->goal = version == GFAB_SCHEDULE_GOAL_FORMAT || r->repeats;
    r->tree = version == GFAB_SCHEDULE_TREE_FORMAT;
    return status;
}

/* Puts the line to a diagnostic of a parser that knows none; what is not a limit is malformed text here. */
static gfab_status at_line(gfab_reader *r, gfab_status status, const gfab_diag *inner)
{
    if (status == GFAB_OK)
        return GFAB_OK;
    return FAIL(r, status == GFAB_ERR_INVALID ? GFAB_ERR_PARSE : status, "%s", inner->message);
}

/* A checker keeps what each node has. */
static gfab_status check_holdings(gfab_reader *r)
{
    const uint64_t nodes = gfab_topology_node_count(r->topology), tokens = gfab_schedule_group(r->schedule);
    if (nodes * tokens > GFAB_MAX_FILE_HOLDINGS)
        return FAIL(r, GFAB_ERR_LIMIT, "%" PRIu64 " nodes times %" PRIu64 " tokens; at most %u are supported", nodes,
                    tokens, (unsigned)GFAB_MAX_FILE_HOLDINGS);
    return GFAB_OK;
}

/* The lines "parts P" and "load L0 L1 ...", which may be left out. */
static gfab_status read_load(gfab_reader *r)
{
    const char *at = NULL;
    uint64_t parts = 1;
    GFAB_TRY(read_optional_key(r, "parts", &at));
    if (at) {
        GFAB_TRY(gfab_reader_number(r, &at, UINT32_MAX, "parts", &parts));
        GFAB_TRY(gfab_reader_line_end(r, at));
    }
    if (at && parts < 2)
        return FAIL(r, GFAB_ERR_PARSE, "parts is %" PRIu64 "; leave the line out or give 2 at least", parts);
    if (parts > GFAB_MAX_FILE_PARTS)
        return FAIL(r, GFAB_ERR_LIMIT, "parts is %" PRIu64 "; at most %u are supported", parts,
                    (unsigned)GFAB_MAX_FILE_PARTS);
    GFAB_TRY(read_optional_key(r, "load", &at));
    size_t count = 0;
    for (bool more = at; more; more = *at == ' ') {
        uint64_t load = 0;
        at += count > 0;
        GFAB_TRY(gfab_reader_number(r, &at, UINT32_MAX >> 1, "load", &load));
        GFAB_TRY(gfab_reader_push(r, &count, (uint32_t)load));
    }
    if (at)
        GFAB_TRY(gfab_reader_line_end(r, at));
    if (at && count != gfab_topology_node_count(r->topology))
        return FAIL(r, GFAB_ERR_PARSE, "%zu loads; %s has %zu nodes", count, gfab_topology_name(r->topology),
                    gfab_topology_node_count(r->topology));
    if (!at && parts == 1)
        return GFAB_OK;
    const gfab_status status = gfab_schedule_set_load(r->schedule, at ? r->numbers : NULL, (uint32_t)parts);
    if (status == GFAB_ERR_INVALID)
        return FAIL(r, GFAB_ERR_PARSE, "no node has a token");
    if (status == GFAB_ERR_LIMIT)
        return FAIL(r, GFAB_ERR_LIMIT, "2^31 tokens or more");
    return status == GFAB_OK ? check_holdings(r) : gfab_reader_appended(r, status);
}

/* The line "blocks B", and in version 4 "blocks any" for 0; *line is its number. */
static gfab_status read_blocks(gfab_reader *r, uint32_t *blocks, size_t *line)
{
    const char *value = NULL;
    uint64_t number = 0;
    gfab_status status = GFAB_OK;
    if (r->repeats && (status = read_optional_key(r, "blocks", &value)) == GFAB_OK && value) {
        r->held = strcmp(value, "any") != 0;
        if (!r->held) {
            *blocks = 0;
            *line = r->lines.line;
            return GFAB_OK;
        }
    }
    GFAB_THEN(status, read_key_number(r, "blocks", 1, UINT32_MAX >> 1, &number));
    *blocks = (uint32_t)number;
    *line = r->lines.line;
    return status;
}

/* The lines "period P" and "group K" of version 4. Of an all-gather no packet is combined. */
static gfab_status read_period(gfab_reader *r, gfab_goal *goal, uint64_t *period, uint64_t *group)
{
    const size_t members = gfab_topology_member_count(r->topology);
    const gfab_model *model = gfab_schedule_model(r->schedule);
    GFAB_TRY(read_key_number(r, "period", 1, GFAB_MAX_ROUNDS, period));
    GFAB_TRY(read_key_number(r, "group", 1, UINT32_MAX >> 1, group));
    r->goal = goal->collective != GFAB_ALL_GATHER;
    if (goal->collective == GFAB_BARRIER || goal->collective == GFAB_ALL_TO_ALL)
        return FAIL(r, GFAB_ERR_PARSE, "%s does not repeat", gfab_collective_name(goal->collective));
    if (model->packet_tokens != 1 || model->routing != GFAB_ROUTING_STORE_AND_FORWARD)
        return FAIL(r, GFAB_ERR_PARSE, "a schedule that repeats has packets of one token over one link, no others");
    const bool shared = goal->collective == GFAB_ALL_GATHER || goal->collective == GFAB_REDUCE_SCATTER;
    if (shared && *group % members != 0)
        return FAIL(r, GFAB_ERR_PARSE, "%s in groups of %" PRIu64 " blocks on %zu nodes; a multiple of the nodes",
                    gfab_collective_name(goal->collective), *group, members);
    if (goal->blocks == 0)
        goal->blocks = (uint32_t)*group;
    return GFAB_OK;
}

/* Puts the goal, and where there is a period how it repeats, into the schedule. */
static gfab_status set_goal(gfab_reader *r, const gfab_goal *goal, uint64_t period, uint64_t group, bool any)
{
    gfab_diag inner = {0, ""};
    gfab_status status = at_line(r, gfab_schedule_set_goal(r->schedule, goal, &inner), &inner);
    if (status == GFAB_OK && r->repeats) {
        status = gfab_schedule_set_period(r->schedule, (uint32_t)period, (uint32_t)group);
        if (status == GFAB_OK && any)
            status = gfab_schedule_set_any_length(r->schedule);
        if (status == GFAB_ERR_LIMIT)
            return FAIL(r, status, "blocks %u: the last group would begin after round %u", goal->blocks,
                        (unsigned)GFAB_MAX_PLAYED_ROUNDS);
        status = gfab_reader_appended(r, status);
    }
    return status == GFAB_OK ? check_holdings(r) : status;
}

/* The lines from "collective" on that stand in versions 2 and 4. */
static gfab_status read_goal(gfab_reader *r)
{
    gfab_diag inner = {0, ""};
    gfab_goal goal = {0};
    uint64_t period = 0, group = 0;
    size_t line;
    const char *value = NULL;
    GFAB_TRY(read_key(r, "collective", &value));
    GFAB_TRY(at_line(r, gfab_collective_parse(value, &goal.collective, &inner), &inner));
    GFAB_TRY(read_blocks(r, &goal.blocks, &line));
    const bool any = goal.blocks == 0;
    if (gfab_collective_has_root(goal.collective)) {
        GFAB_TRY(read_key(r, "root", &value));
        GFAB_TRY(gfab_reader_node(r, &value, &goal.root));
        GFAB_TRY(gfab_reader_line_end(r, value));
    }
    GFAB_TRY(read_optional_key(r, "idempotent", &value));
    if (value && strcmp(value, "yes") != 0)
        return FAIL(r, GFAB_ERR_PARSE, "\"idempotent %.40s\": yes, or no such line", value);
    goal.idempotent = value;
    if (r->repeats)
        GFAB_TRY(read_period(r, &goal, &period, &group));
    const size_t next = r->lines.line; /* read ahead; what may be wrong now is blocks */
    r->lines.line = line;
    const gfab_status status = set_goal(r, &goal, period, group, any);
    r->lines.line = next;
    return status;
}

/* The line "translates yes" of version 3. */
static gfab_status read_translates(gfab_reader *r)
{
    const char *value = NULL;
    GFAB_TRY(read_key(r, "translates", &value));
    if (strcmp(value, "yes") != 0)
        return FAIL(r, GFAB_ERR_PARSE, "\"translates %.40s\": yes is expected", value);
    gfab_status status = gfab_schedule_set_translated(r->schedule);
    if (status == GFAB_ERR_INVALID)
        return FAIL(r, GFAB_ERR_PARSE, "translates are those of a torus, which %s is not",
                    gfab_topology_name(r->topology));
    return gfab_reader_appended(r, status);
}

/* From link-mode to routing. */
static gfab_status read_model(gfab_reader *r, gfab_model *model)
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
static gfab_status make_topology(gfab_reader *r, const char *spec, size_t line, gfab_topology **topology)
{
    gfab_diag inner = {0, ""};
    const gfab_status status = gfab_topology_parse(spec, topology, &inner);
    if (status != GFAB_OK)
        return gfab_fail(r->lines.diag, line, status == GFAB_ERR_INVALID ? GFAB_ERR_PARSE : status, "%s",
                         inner.message);
    r->topology = *topology;
    r->switches = gfab_topology_marks(*topology) & GFAB_MARK_SWITCHES;
    return GFAB_OK;
}

/* What follows the topology's line. It is made only once the lines up to solver are there: it can be large. */
static gfab_status read_after_topology(gfab_reader *r, const char *spec, gfab_topology **topology)
{
    const size_t line = r->lines.line;
    gfab_model model;
    const char *value = NULL;
    gfab_status status;
    if ((status = read_model(r, &model)) != GFAB_OK || (status = read_key(r, "solver", &value)) != GFAB_OK ||
        (status = make_topology(r, spec, line, topology)) != GFAB_OK ||
        (status = gfab_reader_appended(r, gfab_schedule_create(*topology, &model, &r->schedule))) != GFAB_OK)
        return status;
    if (strcmp(value, "-") != 0 && (!*value || gfab_schedule_set_solver(r->schedule, value) != GFAB_OK))
        return FAIL(r, GFAB_ERR_PARSE, "solver \"%.70s\": a name is up to 63 letters, digits and hyphens, or -", value);
    if (r->tree)
        return read_translates(r);
    return r->goal ? read_goal(r) : read_load(r);
}

/* The header up to the load; makes the topology and an empty schedule. */
static gfab_status read_header(gfab_reader *r, gfab_topology **topology)
{
    const char *value = NULL;
    gfab_status status;
    if ((status = read_magic(r)) != GFAB_OK || (status = read_key(r, "topology", &value)) != GFAB_OK)
        return status;
    if (strncmp(value, "file:", 5) == 0) /* a schedule means the same wherever it is read */
        return FAIL(r, GFAB_ERR_PARSE, "topology %.40s: a schedule has its graph in itself, as graph:N:U-V,...", value);
    const size_t size = strlen(value) + 1;
    GFAB_FREED char *spec = malloc(size);
    if (!spec)
        return gfab_reader_no_memory(r);
    memcpy(spec, value, size);
    return read_after_topology(r, spec, topology);
}

/* "round R": R rises, up to the header's number of rounds. */
static gfab_status read_round(gfab_reader *r, uint64_t rounds, uint32_t *round)
{
    const char *at = r->lines.text + strlen("round ");
    uint64_t next = 0;
    GFAB_TRY(gfab_reader_number(r, &at, UINT32_MAX, "round", &next));
    GFAB_TRY(gfab_reader_line_end(r, at));
    if (*round != gfab_schedule_kept_rounds(r->schedule))
        return FAIL(r, GFAB_ERR_PARSE, "round %u has no packet; leave its line out", *round);
    if (next <= *round)
        return FAIL(r, GFAB_ERR_PARSE, "round %" PRIu64 " after round %u; rounds rise, from 1", next, *round);
    if (next > rounds)
        return FAIL(r, GFAB_ERR_PARSE, "round %" PRIu64 "; the header says %" PRIu64 " rounds", next, rounds);
    *round = (uint32_t)next;
    return GFAB_OK;
}

static gfab_status read_rounds(gfab_reader *r)
{
    uint64_t rounds = 0;
    uint64_t packets = 0;
    gfab_status status = read_key_number(r, "rounds", 0, UINT32_MAX, &rounds);
    if (status == GFAB_OK && rounds > GFAB_MAX_ROUNDS)
        return FAIL(r, GFAB_ERR_LIMIT, "%" PRIu64 " rounds; at most %u are supported", rounds,
                    (unsigned)GFAB_MAX_ROUNDS);
    GFAB_THEN(status, read_key_number(r, "packets", 0, UINT64_MAX, &packets));
    uint32_t round = 0;
    bool found = false;
    while (status == GFAB_OK && (status = gfab_reader_content(r, &found)) == GFAB_OK) {
        if (!found)
            return FAIL(r, GFAB_ERR_PARSE, "the file is truncated: its last line, \"end\", is missing");
        if (strcmp(r->lines.text, "end") == 0)
            break;
        if (strncmp(r->lines.text, "round ", 6) == 0)
            status = read_round(r, rounds, &round);
        else if (round == 0)
            status = FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": \"round 1\" or a later round, or \"end\", is expected here",
                          r->lines.text);
        else if (gfab_schedule_kept_count(r->schedule) == packets)
            status = FAIL(r, GFAB_ERR_PARSE, "\"%.40s\": \"end\" is expected after the header's %" PRIu64 " packets",
                          r->lines.text, packets);
        else
            status = read_packet(r, round);
    }
    if (status != GFAB_OK)
        return status;
    if (round != gfab_schedule_kept_rounds(r->schedule))
        return FAIL(r, GFAB_ERR_PARSE, "round %u has no packet; leave its line out", round);
    if (round != rounds)
        return FAIL(r, GFAB_ERR_PARSE, "the last round is %u; the header says %" PRIu64, round, rounds);
    if (gfab_schedule_kept_count(r->schedule) != packets)
        return FAIL(r, GFAB_ERR_PARSE, "%" PRIu64 " packets; the header says %" PRIu64,
                    gfab_schedule_kept_count(r->schedule), packets);
    if ((status = gfab_reader_line(r, &found)) == GFAB_OK && found)
        return FAIL(r, GFAB_ERR_PARSE, "\"%.40s\" after \"end\", which is the last line", r->lines.text);
    return status;
}

gfab_status gfab_schedule_read(FILE *file, const gfab_progress *progress, gfab_topology **topology,
                               gfab_schedule **schedule, gfab_diag *diag)
{
    gfab_reader *r = gfab_reader_create(file, progress, diag);
    GFAB_NEED_TOLD(r, diag);
    gfab_topology *made = NULL;
    gfab_status status = read_header(r, &made);
    GFAB_THEN(status, read_rounds(r));
    if (status == GFAB_OK) {
        *topology = made;
        *schedule = r->schedule;
    } else {
        gfab_schedule_destroy(r->schedule);
        gfab_topology_destroy(made);
    }
    gfab_reader_destroy(r);
    return status;
}
