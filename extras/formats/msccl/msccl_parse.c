/* SPDX-License-Identifier: MIT */
/* MSCCL's XML, element by element: Expat calls back in the order of the file, and gives the line. */
#include "msccl.h"

#include "base/xml.h"

#include <gossipfab/base/text.h>

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NUMBER 0xffffff
#define MAX_STEPS_READ ((size_t)1 << 24)

typedef enum level { OUTSIDE, IN_ALGO, IN_GPU, IN_TB, IN_STEP } level;

typedef struct parser {
    XML_Parser expat;
    gfab_msccl *m;
    level level;
    uint32_t gpu;
    uint32_t expected_tb; /* of the GPU */
    gfab_status status;
} parser;

static const char *const collectives[GFAB_COLLECTIVES] = {
    "allgather", "reducescatter", "allreduce", "broadcast", "reduce", NULL, "alltoall"};

const char *gfab_msccl_collective(gfab_collective collective)
{
    return collectives[collective];
}

static size_t line_of(const parser *p)
{
    return XML_GetCurrentLineNumber(p->expat);
}

/* The first error is kept, and the rest of the file left. */
#define FAIL(p, code, ...)                                                          \
    do {                                                                            \
        if ((p)->status == GFAB_OK)                                                 \
            (p)->status = gfab_fail((p)->m->diag, line_of(p), (code), __VA_ARGS__); \
        XML_StopParser((p)->expat, XML_FALSE);                                      \
    } while (0)

/* A whole number from least to most; missing says what it is where it is not there, and a number below least that it
 * must be. */
static int32_t number(parser *p, const char **attributes, const char *name, int32_t least, int32_t most,
                      const int32_t *missing)
{
    const char *text = gfab_xml_attribute(attributes, name);
    if (!text && missing)
        return *missing;
    if (!text) {
        FAIL(p, GFAB_ERR_PARSE, "the attribute %s is missing", name);
        return least;
    }
    char *end = NULL;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most) {
        FAIL(p, GFAB_ERR_PARSE, "%s=\"%.40s\": a whole number from %d to %d is expected", name, text, least, most);
        return least;
    }
    return (int32_t)value;
}

/* Which of some words an attribute is. */
static unsigned word(parser *p, const char **attributes, const char *name, const char *const *words, unsigned count)
{
    const char *text = gfab_xml_attribute(attributes, name);
    if (!text) {
        FAIL(p, GFAB_ERR_PARSE, "the attribute %s is missing", name);
        return 0;
    }
    for (unsigned i = 0; i < count; i++)
        if (words[i] && strcmp(text, words[i]) == 0)
            return i;
    FAIL(p, GFAB_ERR_UNSUPPORTED, "%s=\"%.40s\" is not read", name, text);
    return 0;
}

/* Room for one more in an array. */
static void *open_room(parser *p, void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    const size_t wanted = *capacity ? 2 * *capacity : 64;
    void *grown = count < MAX_STEPS_READ ? realloc(array, wanted * size) : NULL;
    if (!grown) {
        p->status = gfab_format_no_memory(p->m->diag);
        XML_StopParser(p->expat, XML_FALSE);
        return array;
    }
    *capacity = wanted;
    return grown;
}

/* ---- elements ---- */

/* Messages of a connection, and how many chunks fit into one at the greatest length of a call, 0: any; of RCCL's
 * buffers, which are the smallest. Of NCCL_STEPS 8 a message takes MSCCL_CHUNKSTEPS 4 with Simple, else one. */
static void find_slots(gfab_msccl *m, const char *protocol, int32_t most_bytes)
{
    static const struct {
        const char *name;
        uint32_t slots, bytes;
    } protocols[] = {{"LL", 8, 16 << 10}, {"LL128", 8, 28 * 256 * 7}, {"Simple", 2, 2 << 20}};
    size_t i = 0;
    while (i < 2 && !(protocol && strcmp(protocol, protocols[i].name) == 0))
        i++;
    m->slots = protocols[i].slots;
    m->fill = most_bytes ? protocols[i].bytes / (((uint32_t)most_bytes + m->chunks - 1) / m->chunks) : 1;
    m->fill = m->fill < 1 ? 1 : m->fill;
}

static void start_algo(parser *p, const char **attributes)
{
    static const int32_t no = 0;
    gfab_msccl *m = p->m;
    if (m->found) {
        FAIL(p, GFAB_ERR_PARSE, "a second <algo>");
        return;
    }
    m->found = true;
    const char *coll = gfab_xml_attribute(attributes, "coll");
    m->custom = coll && strcmp(coll, "custom") == 0;
    if (m->custom)
        m->collective = GFAB_ALL_REDUCE;
    else if (coll && strcmp(coll, "reduce_scatter") == 0) /* microsoft/msccl's word */
        m->collective = GFAB_REDUCE_SCATTER;
    else
        m->collective = (gfab_collective)word(p, attributes, "coll", collectives, GFAB_COLLECTIVES);
    m->nodes = (uint32_t)number(p, attributes, "ngpus", 2, GFAB_MSCCL_NODES, NULL);
    m->chunks = (uint32_t)number(p, attributes, "nchunksperloop", 1, MAX_NUMBER, NULL);
    const bool in_place = number(p, attributes, "inplace", 0, 1, &no);
    m->both_ways = in_place && number(p, attributes, "outofplace", 0, 1, &no);
    m->in_place = in_place && !m->both_ways;
    find_slots(m, gfab_xml_attribute(attributes, "proto"), number(p, attributes, "maxBytes", 0, INT32_MAX, &no));
    m->gpus = p->status == GFAB_OK ? calloc(m->nodes, sizeof *m->gpus) : NULL;
    if (!m->gpus && p->status == GFAB_OK)
        FAIL(p, GFAB_ERR_NO_MEMORY, "out of memory");
}

static void start_gpu(parser *p, const char **attributes)
{
    static const char *const names[] = {"i_chunks", "o_chunks", "s_chunks"};
    gfab_msccl *m = p->m;
    p->gpu = (uint32_t)number(p, attributes, "id", 0, (int32_t)m->nodes - 1, NULL);
    p->expected_tb = 0;
    gfab_msccl_gpu *gpu = &m->gpus[p->gpu];
    if (gpu->line)
        FAIL(p, GFAB_ERR_PARSE, "a second <gpu> of id %u: the first is in line %zu", p->gpu, gpu->line);
    *gpu = (gfab_msccl_gpu){.first_tb = m->tb_count, .line = line_of(p)};
    for (int i = 0; i < 3; i++)
        gpu->chunks[i] = (uint32_t)number(p, attributes, names[i], 0, MAX_NUMBER, NULL);
}

static void start_tb(parser *p, const char **attributes)
{
    gfab_msccl *m = p->m;
    m->tbs = open_room(p, m->tbs, m->tb_count, &m->tb_capacity, sizeof *m->tbs);
    if (p->status != GFAB_OK)
        return;
    gfab_msccl_tb *tb = &m->tbs[m->tb_count++];
    *tb = (gfab_msccl_tb){.gpu = p->gpu, .first_step = m->step_count, .line = line_of(p)};
    const int32_t id = number(p, attributes, "id", 0, MAX_NUMBER, NULL);
    if (id != (int32_t)p->expected_tb)
        FAIL(p, GFAB_ERR_PARSE, "thread block %d; %u is expected here", id, p->expected_tb);
    p->expected_tb++;
    tb->send = number(p, attributes, "send", -1, (int32_t)m->nodes - 1, NULL);
    tb->recv = number(p, attributes, "recv", -1, (int32_t)m->nodes - 1, NULL);
    tb->channel = (uint32_t)number(p, attributes, "chan", 0, 31, NULL);
    if (tb->send == (int32_t)p->gpu || tb->recv == (int32_t)p->gpu)
        FAIL(p, GFAB_ERR_PARSE, "thread block %d: GPU %u is its own peer", id, p->gpu);
    m->gpus[p->gpu].tb_count++;
}

bool gfab_msccl_sends(gfab_msccl_type type)
{
    return type == GFAB_MSCCL_SEND || type == GFAB_MSCCL_RECV_COPY_SEND || type == GFAB_MSCCL_RECV_REDUCE_SEND ||
           type == GFAB_MSCCL_RECV_REDUCE_COPY_SEND;
}

bool gfab_msccl_receives(gfab_msccl_type type)
{
    return type != GFAB_MSCCL_SEND && type < GFAB_MSCCL_COPY;
}

bool gfab_msccl_uses(gfab_msccl_type type, bool source)
{
    switch (type) {
    case GFAB_MSCCL_SEND:
    case GFAB_MSCCL_RECV_REDUCE_SEND:
        return source;
    case GFAB_MSCCL_RECV:
    case GFAB_MSCCL_RECV_COPY_SEND:
        return !source;
    case GFAB_MSCCL_NOP:
        return false;
    default:
        return true;
    }
}

static void check_step(parser *p, const gfab_msccl_step *s)
{
    const gfab_msccl_tb *tb = &p->m->tbs[p->m->tb_count - 1];
    const gfab_msccl_gpu *gpu = &p->m->gpus[p->gpu];
    if (gfab_msccl_sends(s->type) && tb->send < 0)
        FAIL(p, GFAB_ERR_PARSE, "a step that sends, in a thread block without a peer to send to");
    if (gfab_msccl_receives(s->type) && tb->recv < 0)
        FAIL(p, GFAB_ERR_PARSE, "a step that receives, in a thread block without a peer to receive from");
    for (int target = 0; target < 2; target++) {
        const uint32_t room = gpu->chunks[target ? s->target_buffer : s->source_buffer];
        const int32_t offset = target ? s->target : s->source;
        if (gfab_msccl_uses(s->type, !target) && (offset < 0 || (uint32_t)offset + (uint32_t)s->count > room))
            FAIL(p, GFAB_ERR_PARSE, "%s %d and cnt %d: the buffer has %u chunks", target ? "dstoff" : "srcoff", offset,
                 s->count, room);
    }
}

static void start_step(parser *p, const char **attributes)
{
    static const char *const types[] = {"s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re", "nop"};
    static const char *const buffers[] = {"i", "o", "s"};
    static const int32_t none = 0;
    gfab_msccl *m = p->m;
    m->steps = open_room(p, m->steps, m->step_count, &m->step_capacity, sizeof *m->steps);
    if (p->status != GFAB_OK)
        return;
    gfab_msccl_tb *tb = &m->tbs[m->tb_count - 1];
    gfab_msccl_step *s = &m->steps[m->step_count++];
    *s = (gfab_msccl_step){.line = line_of(p)};
    const int32_t at = number(p, attributes, "s", 0, GFAB_MSCCL_STEPS - 1, NULL);
    if (at != (int32_t)tb->step_count)
        FAIL(p, GFAB_ERR_PARSE, "step %d; %zu is expected here", at, tb->step_count);
    tb->step_count++;
    s->type = (gfab_msccl_type)word(p, attributes, "type", types, sizeof types / sizeof *types);
    s->source_buffer = (uint8_t)word(p, attributes, "srcbuf", buffers, 3);
    s->target_buffer = (uint8_t)word(p, attributes, "dstbuf", buffers, 3);
    s->source = number(p, attributes, "srcoff", -1, MAX_NUMBER, NULL);
    s->target = number(p, attributes, "dstoff", -1, MAX_NUMBER, NULL);
    s->count = number(p, attributes, "cnt", s->type == GFAB_MSCCL_NOP ? 0 : 1, GFAB_MSCCL_COUNT - 1, NULL);
    s->dep_tb = number(p, attributes, "depid", -1, MAX_NUMBER, NULL);
    s->dep_step = number(p, attributes, "deps", -1, GFAB_MSCCL_STEPS - 1, NULL);
    s->has_dep = number(p, attributes, "hasdep", 0, 1, NULL);
    s->block = (uint32_t)number(p, attributes, "block", 0, INT32_MAX, &none);
    s->round = (uint32_t)number(p, attributes, "round", 1, GFAB_MAX_ROUNDS, &none);
    s->place = (uint32_t)number(p, attributes, "place", 0, INT32_MAX, &none);
    if (p->status == GFAB_OK)
        check_step(p, s);
}

static void XMLCALL start(void *data, const char *name, const char **attributes)
{
    static const char *const names[] = {"algo", "gpu", "tb", "step"};
    static void (*const starts[])(parser *, const char **) = {start_algo, start_gpu, start_tb, start_step};
    parser *p = data;
    if (p->status != GFAB_OK)
        return;
    if (p->level == IN_STEP || strcmp(name, names[p->level]) != 0) {
        FAIL(p, GFAB_ERR_PARSE, "<%.40s> where %s%s%s is expected", name, p->level < IN_STEP ? "<" : "the end of <step",
             p->level < IN_STEP ? names[p->level] : "", ">");
        return;
    }
    starts[p->level](p, attributes);
    p->level++;
}

static void XMLCALL end(void *data, const char *name)
{
    parser *p = data;
    (void)name;
    p->level--;
}

static void XMLCALL comment(void *data, const char *text)
{
    static const char start_of_head[] = " " GFAB_MSCCL_HEAD;
    parser *p = data;
    if (p->m->head || strncmp(text, start_of_head, strlen(start_of_head)) != 0)
        return;
    p->m->head = malloc(strlen(text) + 1);
    if (p->m->head)
        strcpy(p->m->head, text + strlen(start_of_head));
    else
        FAIL(p, GFAB_ERR_NO_MEMORY, "out of memory");
}

/* Entities and the like are for documents, not for this. */
static void XMLCALL doctype(void *data, const char *name, const char *system, const char *public, int internal)
{
    parser *p = data;
    (void)name, (void)system, (void)public, (void)internal;
    FAIL(p, GFAB_ERR_PARSE, "a document type; MSCCL's files have none");
}

/* ---- the file ---- */

/* Elements that are not there at all. */
static void check_whole(parser *p)
{
    const gfab_msccl *m = p->m;
    if (p->status != GFAB_OK)
        return;
    for (uint32_t v = 0; v < m->nodes; v++)
        if (!m->gpus[v].line) {
            p->status = gfab_fail(m->diag, 0, GFAB_ERR_PARSE, "ngpus is %u, but <gpu> %u is missing", m->nodes, v);
            return;
        }
    for (size_t t = 0; t < m->tb_count; t++)
        for (size_t i = 0; i < m->tbs[t].step_count; i++) {
            const gfab_msccl_step *s = &m->steps[m->tbs[t].first_step + i];
            const gfab_msccl_gpu *gpu = &m->gpus[m->tbs[t].gpu];
            const bool there =
                s->dep_tb < (int32_t)gpu->tb_count &&
                (s->dep_tb < 0 ||
                 (s->dep_step >= 0 && (size_t)s->dep_step < m->tbs[gpu->first_tb + (size_t)s->dep_tb].step_count));
            if (!there) {
                p->status = gfab_fail(m->diag, s->line, GFAB_ERR_PARSE,
                                      "it waits for step %d of thread block %d, which GPU %u does not have",
                                      s->dep_step, s->dep_tb, m->tbs[t].gpu);
                return;
            }
        }
}

gfab_status gfab_msccl_parse(FILE *file, gfab_msccl *m)
{
    parser p = {.expat = XML_ParserCreate(NULL), .m = m};
    gfab_text text;
    GFAB_NEED_TOLD(p.expat, m->diag);
    XML_SetUserData(p.expat, &p);
    XML_SetElementHandler(p.expat, start, end);
    XML_SetCommentHandler(p.expat, comment);
    XML_SetStartDoctypeDeclHandler(p.expat, doctype);
    p.status = gfab_text_read(file, &text, m->diag);
    if (p.status == GFAB_OK && XML_Parse(p.expat, text.bytes, (int)text.size, true) != XML_STATUS_OK &&
        p.status == GFAB_OK) {
        const enum XML_Error error = XML_GetErrorCode(p.expat);
        p.status = error == XML_ERROR_NO_MEMORY
                       ? gfab_format_no_memory(m->diag)
                       : gfab_fail(m->diag, line_of(&p), GFAB_ERR_PARSE, "not XML: %s", XML_ErrorString(error));
    }
    free(text.bytes);
    check_whole(&p);
    XML_ParserFree(p.expat);
    return p.status;
}

void gfab_msccl_release(gfab_msccl *m)
{
    GFAB_FREE(m->head, m->gpus, m->tbs, m->steps);
}

const gfab_msccl_tb *gfab_msccl_partner(const gfab_msccl *m, const gfab_msccl_tb *tb, bool sends)
{
    const uint32_t peer = (uint32_t)(sends ? tb->send : tb->recv);
    const gfab_msccl_gpu *gpu = &m->gpus[peer];
    const gfab_msccl_tb *found = NULL;
    for (size_t i = 0; i < gpu->tb_count; i++) {
        const gfab_msccl_tb *other = &m->tbs[gpu->first_tb + i];
        if ((uint32_t)(sends ? other->recv : other->send) != tb->gpu || other->channel != tb->channel)
            continue;
        if (found) {
            gfab_fail(m->diag, other->line, GFAB_ERR_PARSE,
                      "GPU %u has two thread blocks that %s GPU %u on channel %u; the other is in line %zu", peer,
                      sends ? "receive from" : "send to", tb->gpu, tb->channel, found->line);
            return NULL;
        }
        found = other;
    }
    if (!found)
        gfab_fail(m->diag, tb->line, GFAB_ERR_PARSE, "GPU %u has no thread block that %s GPU %u on channel %u", peer,
                  sends ? "receives from" : "sends to", tb->gpu, tb->channel);
    return found;
}
