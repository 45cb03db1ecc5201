/* SPDX-License-Identifier: MIT */
/* A machine as hwloc writes it (lstopo --of xml), of its versions 2 and 3. GPUs are the members, in the order of the
 * file: the PCI devices with an operating-system device of CUDA, NVML, ROCm, OpenCL or Level Zero; where there is none,
 * those of PCI class 0302 or 12. PCIe switches with several ways to GPUs, processors and NVSwitches are switches. A
 * link of PCIe, or one between two processors, weighs 1. NVLinks and XGMI are those of the matrix NVLinkBandwidth or
 * XGMIBandwidth; they weigh what it says, divided by the greatest number that all of it are multiples of. Cores and
 * caches are left out: they share memory, and what lies between them is no link. */
#include "graphs/graph_xml.h"

#include "base/divisor.h"
#include "base/grow.h"
#include "base/xml.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 256
#define MAX_OBJECTS 65536u
#define MAX_ENDS 1024u
#define NONE UINT32_MAX

typedef enum kind { PROCESSOR, BRIDGE, DEVICE, OTHER } kind;

/* A processor, or machine, a bridge, a PCI device; or an operating-system device, which stands for that it is in. */
typedef struct object {
    kind kind;
    uint32_t parent;
    uint64_t gp; /* its number in the file */
    uint32_t line;
    bool gpu, gpu_class, nvswitch;
    uint32_t ways;   /* children with GPUs below, or on it */
    uint32_t number; /* as a node; NONE: it is none */
    char name[32];
} object;

typedef struct reader {
    gfab_graph_xml xml;
    gfab_graph_links *g;
    object *objects;
    uint32_t count;
    size_t room;
    uint32_t open[MAX_DEPTH]; /* the object that each open element is in; NONE */
    uint32_t depth;
    bool links;   /* in the matrix of links */
    bool indexes; /* in its list of objects */
    bool values;
    uint32_t ends[MAX_ENDS];
    uint32_t end_count;
    uint64_t *value; /* [end_count * end_count] */
    size_t value_count, value_room;
    char word[64]; /* the word that text so far ends with */
    size_t word_length;
} reader;

static bool is(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

static bool begins(const char *text, const char *with)
{
    return text && strncmp(text, with, strlen(with)) == 0;
}

static kind kind_of(const char *type)
{
    return is(type, "Package") || is(type, "Socket") || is(type, "Machine") ? PROCESSOR
           : is(type, "Bridge")                                             ? BRIDGE
           : is(type, "PCIDev")                                             ? DEVICE
                                                                            : OTHER;
}

/* An object that has a meaning here; NONE after an error. */
static uint32_t add_object(reader *r, kind what, const char **attributes, uint32_t parent)
{
    const char *gp = gfab_xml_attribute(attributes, "gp_index"), *bus = gfab_xml_attribute(attributes, "pci_busid");
    const char *class = gfab_xml_attribute(attributes, "pci_type"), *os = gfab_xml_attribute(attributes, "os_index");
    if (r->count == MAX_OBJECTS) {
        STOP(r, GFAB_ERR_LIMIT, "more than %u devices", MAX_OBJECTS);
        return NONE;
    }
    if (!gfab_grow(&r->objects, r->count, &r->room, sizeof *r->objects)) {
        STOP(r, GFAB_ERR_NO_MEMORY, "out of memory");
        return NONE;
    }
    object *o = &r->objects[r->count];
    *o = (object){.kind = what, .parent = parent, .line = r->xml.t->line, .number = NONE};
    o->gp = gp ? strtoull(gp, NULL, 10) : UINT64_MAX;
    o->gpu_class = what == DEVICE && (begins(class, "0302") || begins(class, "12"));
    o->nvswitch = what == DEVICE && is(gfab_xml_attribute(attributes, "subtype"), "NVSwitch");
    if (what == PROCESSOR && is(gfab_xml_attribute(attributes, "type"), "Machine"))
        strcpy(o->name, "machine");
    else if (what == PROCESSOR)
        (void)snprintf(o->name, sizeof o->name, "cpu%.20s", os ? os : "");
    else if (bus && strlen(bus) < sizeof o->name)
        (void)snprintf(o->name, sizeof o->name, "%s", bus);
    return r->count++;
}

/* A device of the operating system: by its name it may say that what it is in is a GPU. */
static void read_system_device(reader *r, const char **attributes, uint32_t parent)
{
    static const char *const gpus[] = {"cuda", "nvml", "rsmi", "opencl", "ze"};
    const char *name = gfab_xml_attribute(attributes, "name");
    const uint32_t here = parent == NONE ? NONE : add_object(r, OTHER, attributes, parent);
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus && here != NONE; i++)
        if (begins(name, gpus[i]) && r->objects[parent].kind == DEVICE)
            r->objects[parent].gpu = true;
}

static void XMLCALL start(void *data, const char *name, const char **attributes)
{
    reader *r = data;
    if (!gfab_graph_xml_here(&r->xml))
        return;
    uint32_t here = r->depth ? r->open[r->depth - 1] : NONE;
    const char *type = gfab_xml_attribute(attributes, "type"), *what = gfab_xml_attribute(attributes, "name");
    if (r->depth == MAX_DEPTH) {
        STOP(r, GFAB_ERR_LIMIT, "more than %d elements, each in the one before", MAX_DEPTH);
        return;
    }
    if (is(name, "object") && kind_of(type) != OTHER)
        here = add_object(r, kind_of(type), attributes, here);
    else if (is(name, "object") && is(type, "OSDev"))
        read_system_device(r, attributes, here);
    else if (begins(name, "distances2"))
        r->links = r->end_count == 0 && (is(what, "NVLinkBandwidth") || is(what, "XGMIBandwidth"));
    r->indexes = r->links && is(name, "indexes");
    r->values = r->links && is(name, "u64values");
    r->open[r->depth++] = here;
}

/* ---- the matrix ---- */

static void take_index(reader *r)
{
    const char *at = strchr(r->word, ':');
    const uint64_t gp = strtoull(at ? at + 1 : r->word, NULL, 10);
    uint32_t found = NONE;
    for (uint32_t i = 0; i < r->count && found == NONE; i++)
        if (r->objects[i].gp == gp)
            found = r->objects[i].kind == OTHER ? r->objects[i].parent : i;
    if (found == NONE)
        STOP(r, GFAB_ERR_INVALID, "links of \"%s\", which is no device of the file", r->word);
    else if (r->end_count == MAX_ENDS)
        STOP(r, GFAB_ERR_LIMIT, "links between more than %u devices", MAX_ENDS);
    else
        r->ends[r->end_count++] = found;
}

static void take_word(reader *r)
{
    char *end = r->word;
    r->word[r->word_length] = '\0';
    if (r->word_length == 0)
        return;
    r->word_length = 0;
    if (r->indexes) {
        take_index(r);
        return;
    }
    const uint64_t value = strtoull(r->word, &end, 10);
    if (*end)
        STOP(r, GFAB_ERR_PARSE, "\"%s\" where a number is expected", r->word);
    else if (!gfab_grow(&r->value, r->value_count, &r->value_room, sizeof *r->value))
        STOP(r, GFAB_ERR_NO_MEMORY, "out of memory");
    else
        r->value[r->value_count++] = value;
}

static void XMLCALL text(void *data, const char *at, int length)
{
    reader *r = data;
    if ((!r->indexes && !r->values) || !gfab_graph_xml_here(&r->xml))
        return;
    for (int i = 0; i < length && r->xml.status == GFAB_OK; i++)
        if (strchr(" \t\r\n", at[i]))
            take_word(r);
        else if (r->word_length + 1 < sizeof r->word)
            r->word[r->word_length++] = at[i];
        else
            STOP(r, GFAB_ERR_PARSE, "a word of %zu bytes where a number is expected", sizeof r->word);
}

static void XMLCALL end(void *data, const char *name)
{
    reader *r = data;
    if (!gfab_graph_xml_here(&r->xml))
        return;
    if (r->indexes || r->values)
        take_word(r);
    r->links = r->links && !begins(name, "distances2");
    r->indexes = r->values = false;
    r->depth--;
}

/* ---- the graph ---- */

static bool is_gpu(const reader *r, const object *o)
{
    bool said = false;
    for (uint32_t i = 0; i < r->count && !said; i++)
        said = r->objects[i].gpu;
    return said ? o->gpu : o->gpu_class;
}

/* The next object above that is a node: a processor, or a bridge with several ways down. */
static uint32_t above(const reader *r, uint32_t i)
{
    do
        i = r->objects[i].parent;
    while (i != NONE && (r->objects[i].kind == BRIDGE ? r->objects[i].ways < 2 : r->objects[i].kind != PROCESSOR));
    return i;
}

/* On how many ways GPUs are below each object: an object after those that it is in. */
static void count_ways(reader *r, const bool *gpu)
{
    for (uint32_t i = r->count; i-- > 0;) {
        const object *o = &r->objects[i];
        if (o->parent != NONE && (gpu[i] || o->ways > 0))
            r->objects[o->parent].ways++;
    }
}

static gfab_status add_node(reader *r, uint32_t i, bool relay)
{
    object *o = &r->objects[i];
    o->number = (uint32_t)r->g->nodes++;
    if (relay)
        gfab_edges_push(&r->g->relays, o->number, GFAB_SWITCH, 0);
    return *o->name ? gfab_graph_call(r->g, r->xml.t, o->number, o->name, strlen(o->name)) : GFAB_OK;
}

/* GPUs, then what lies between them. A machine is a processor where devices are on it and not on a package. */
static gfab_status add_nodes(reader *r, const bool *gpu)
{
    GFAB_FREED bool *used = calloc(r->count + 1, sizeof *used);
    gfab_status status = used ? GFAB_OK : gfab_told(GFAB_ERR_NO_MEMORY, r->xml.t->diag);
    for (uint32_t i = 0; i < r->count && status == GFAB_OK; i++)
        if (gpu[i])
            status = add_node(r, i, false);
    if (status == GFAB_OK && r->g->nodes == 0)
        status = gfab_fail(r->xml.t->diag, 0, GFAB_ERR_INVALID,
                           "hwloc's XML without a GPU: a PCIDev with a device of CUDA, NVML, ROCm, OpenCL or Level "
                           "Zero, or of class 0302 or 12, is expected; cores share memory and have no links");
    for (uint32_t i = 0; i < r->count && status == GFAB_OK; i++)
        for (uint32_t up = gpu[i] ? above(r, i) : NONE; up != NONE && r->objects[up].kind != OTHER; up = above(r, up)) {
            used[up] = true;
            if (r->objects[up].kind == PROCESSOR)
                break;
        }
    for (uint32_t k = 0; k < r->end_count && status == GFAB_OK; k++)
        used[r->ends[k]] = true;
    for (uint32_t i = 0; i < r->count && status == GFAB_OK; i++)
        if (used[i] && !gpu[i])
            status = add_node(r, i, true);
    return status;
}

static gfab_status push(reader *r, uint32_t from, uint32_t to, uint32_t weight, bool one_way)
{
    r->xml.t->line = r->objects[to].line;
    return gfab_graph_text_link(r->xml.t, r->g, r->objects[from].number, r->objects[to].number, one_way, weight, NULL);
}

static gfab_status link_devices(reader *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const object *o = &r->objects[i];
        const uint32_t up = o->number != NONE && o->kind != PROCESSOR && !o->nvswitch ? above(r, i) : NONE;
        if (up != NONE)
            GFAB_TRY(push(r, up, i, 1, false));
        for (uint32_t k = 0; k < i && o->number != NONE && o->kind == PROCESSOR; k++)
            if (r->objects[k].kind == PROCESSOR && r->objects[k].number != NONE)
                GFAB_TRY(push(r, k, i, 1, false));
    }
    return GFAB_OK;
}

static gfab_status link_gpus(reader *r)
{
    const uint32_t n = r->end_count;
    uint64_t unit = 0;
    if (r->value_count != (size_t)n * n)
        return gfab_fail(r->xml.t->diag, 0, GFAB_ERR_INVALID, "links between %u devices are %u numbers, not %zu", n,
                         n * n, r->value_count);
    for (uint32_t i = 0; i < n * n; i++)
        if (i / n != i % n && r->value[i])
            unit = gfab_common_divisor(unit, r->value[i]);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            const uint64_t value = i == k ? 0 : r->value[i * n + k];
            if (value / (unit ? unit : 1) > GFAB_MAX_WEIGHT)
                return gfab_fail(r->xml.t->diag, 0, GFAB_ERR_LIMIT, "a link's weight would be above %u",
                                 GFAB_MAX_WEIGHT);
            if (value && r->ends[i] != r->ends[k])
                GFAB_TRY(push(r, r->ends[i], r->ends[k], (uint32_t)(value / unit), true));
        }
    return GFAB_OK;
}

gfab_status gfab_graph_read_hwloc(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {.xml = {.t = t}, .g = g};
    gfab_status status = gfab_graph_xml_read(&r.xml, start, end, text);
    bool *gpu = calloc(r.count + 1, sizeof *gpu);
    if (status == GFAB_OK && !gpu)
        status = gfab_fail(t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
    for (uint32_t i = 0; i < r.count && status == GFAB_OK; i++)
        gpu[i] = is_gpu(&r, &r.objects[i]);
    if (status == GFAB_OK)
        count_ways(&r, gpu);
    GFAB_THEN(status, add_nodes(&r, gpu));
    GFAB_THEN(status, link_devices(&r));
    GFAB_THEN(status, link_gpus(&r));
    g->how.parallel = GFAB_PARALLEL_ADDED;
    GFAB_FREE(gpu, r.objects, r.value);
    return status;
}
