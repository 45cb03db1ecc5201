/* SPDX-License-Identifier: MIT */
/* A machine as NCCL and RCCL write it (NCCL_TOPO_DUMP_FILE): processors, PCIe switches, GPUs, NVLinks. GPUs are the
 * members, numbered by rank; processors, PCIe switches and the NVSwitches, which are one, are switches. A link of PCIe
 * or between processors weighs 1, NVLinks and XGMI weigh their count. Network cards are left out: in a machine nothing
 * is behind them. Clouds' files have no <gpu>: there a GPU is what has the PCI class of one, 0x03 or 0x12, and a card
 * what has class 0x02. Of several hosts (host_hash) each has its own processors and addresses; the NVSwitches are of
 * all. */
#include "graphs/graph_xml.h"

#include "base/grow.h"
#include "base/xml.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BUS_BYTES 32
#define MAX_DEPTH 64
#define MAX_ELEMENTS 4096u
#define NONE UINT32_MAX

typedef enum kind { PROCESSOR, SWITCH, GPU, NVSWITCH, CARD } kind;

/* A processor, or what has a PCIe address. */
typedef struct device {
    kind kind;
    uint32_t parent; /* NONE: a processor, NVSwitches */
    uint32_t rank;   /* of a GPU; NONE: not said */
    uint32_t number; /* as a node */
    uint32_t line;
    uint32_t host;  /* in the order of the file */
    bool gpu_class; /* by its PCI class it is a GPU */
    char bus[BUS_BYTES];
} device;

/* An NVLink or XGMI, as one end says it. */
typedef struct link {
    uint32_t from, count, line;
    char target[BUS_BYTES], class[BUS_BYTES];
} link;

typedef struct reader {
    gfab_graph_xml xml;
    gfab_graph_links *g;
    device *devices;
    link *links;
    uint32_t device_count, link_count;
    size_t device_room, link_room;
    uint32_t open[MAX_DEPTH]; /* the device of each element that is open; NONE: of none */
    uint32_t depth;
    gfab_graph_names hosts; /* the values of host_hash */
} reader;

/* The value of an attribute, copied; "" where it is not there. */
static void copy(reader *r, const char **attributes, const char *name, char value[BUS_BYTES])
{
    const char *text = gfab_xml_attribute(attributes, name);
    *value = '\0';
    if (text && strlen(text) >= BUS_BYTES)
        STOP(r, GFAB_ERR_LIMIT, "%s=\"%.40s\" has %d bytes or more", name, text, BUS_BYTES);
    else if (text)
        memcpy(value, text, strlen(text) + 1);
}

/* A number of an attribute; otherwise where it is not there. */
static uint32_t number(reader *r, const char **attributes, const char *name, uint32_t otherwise)
{
    const char *text = gfab_xml_attribute(attributes, name);
    uint64_t value = 0;
    if (!text)
        return otherwise;
    for (const char *c = text; *c && value <= GFAB_MAX_WEIGHT; c++) {
        if (!gfab_is_digit(*c)) {
            STOP(r, GFAB_ERR_PARSE, "%s=\"%.40s\"; a number is expected", name, text);
            return otherwise;
        }
        value = 10 * value + (uint64_t)(*c - '0');
    }
    if (!*text || value > GFAB_MAX_WEIGHT)
        STOP(r, GFAB_ERR_LIMIT, "%s=\"%.40s\"; a number up to %u is expected", name, text, GFAB_MAX_WEIGHT);
    return (uint32_t)value;
}

/* Room for one more; NULL after an error. */
static void *more(reader *r, void *at, size_t count, size_t *room, size_t size)
{
    void *grown = count < MAX_ELEMENTS ? gfab_grown(at, count, room, size) : NULL;
    if (count >= MAX_ELEMENTS)
        STOP(r, GFAB_ERR_LIMIT, "more than %u devices or links", MAX_ELEMENTS);
    else if (!grown)
        STOP(r, GFAB_ERR_NO_MEMORY, "out of memory");
    return grown;
}

static uint32_t add_device(reader *r, kind what, uint32_t parent)
{
    device *devices = more(r, r->devices, r->device_count, &r->device_room, sizeof *devices);
    if (!devices)
        return NONE;
    r->devices = devices;
    devices[r->device_count] =
        (device){.kind = what, .parent = parent, .rank = NONE, .number = NONE, .line = r->xml.t->line};
    devices[r->device_count].host = parent == NONE ? 0 : devices[parent].host;
    return r->device_count++;
}

/* <cpu>, of the host that it names. */
static uint32_t read_processor(reader *r, const char **attributes)
{
    const char *hash = gfab_xml_attribute(attributes, "host_hash");
    const uint32_t here = add_device(r, PROCESSOR, NONE);
    size_t host = 0;
    if (here == NONE)
        return here;
    copy(r, attributes, "numaid", r->devices[here].bus);
    const gfab_status status =
        gfab_graph_names_number(&r->hosts, r->xml.t, hash ? hash : "", hash ? strlen(hash) : 0, &host);
    if (status != GFAB_OK)
        gfab_graph_xml_fail(&r->xml, status);
    r->devices[here].host = (uint32_t)host;
    return here;
}

/* <pci>: by its class a card, or what a GPU is where the file has no <gpu>. */
static uint32_t read_pci(reader *r, const char **attributes, uint32_t parent)
{
    const char *class = gfab_xml_attribute(attributes, "class");
    const uint32_t here = add_device(r, SWITCH, parent);
    if (here == NONE)
        return here;
    copy(r, attributes, "busid", r->devices[here].bus);
    r->devices[here].gpu_class = class && (strncmp(class, "0x03", 4) == 0 || strncmp(class, "0x12", 4) == 0);
    if (class && strncmp(class, "0x02", 4) == 0)
        r->devices[here].kind = CARD;
    return here;
}

/* <gpu> stands in the <pci> of its address. */
static void read_gpu(reader *r, const char **attributes, uint32_t parent)
{
    if (parent == NONE || r->devices[parent].kind != SWITCH) {
        STOP(r, GFAB_ERR_PARSE, "<gpu> outside of a <pci> of its own");
        return;
    }
    r->devices[parent].kind = GPU;
    r->devices[parent].rank = number(r, attributes, "rank", NONE);
}

static void read_link(reader *r, const char **attributes, uint32_t parent)
{
    link *links = more(r, r->links, r->link_count, &r->link_room, sizeof *links);
    if (!links)
        return;
    r->links = links;
    link *l = &links[r->link_count];
    *l = (link){.from = parent, .count = number(r, attributes, "count", 1), .line = r->xml.t->line};
    copy(r, attributes, "target", l->target);
    copy(r, attributes, "tclass", l->class);
    if (parent == NONE || r->devices[parent].kind != GPU)
        STOP(r, GFAB_ERR_PARSE, "a link outside of a <gpu>");
    else if (!*l->target && !*l->class)
        STOP(r, GFAB_ERR_PARSE, "a link without target=\"...\"");
    else if (l->count == 0)
        STOP(r, GFAB_ERR_INVALID, "a link of no packets a round; at least 1");
    r->link_count++;
}

static void XMLCALL start(void *data, const char *name, const char **attributes)
{
    reader *r = data;
    if (!gfab_graph_xml_here(&r->xml))
        return;
    uint32_t here = r->depth ? r->open[r->depth - 1] : NONE;
    if (r->depth == MAX_DEPTH) {
        STOP(r, GFAB_ERR_LIMIT, "more than %d elements, each in the one before", MAX_DEPTH);
        return;
    }
    if (r->depth == 0 && strcmp(name, "system") != 0)
        STOP(r, GFAB_ERR_PARSE, "<%.40s>: a machine starts with <system>", name);
    else if (strcmp(name, "cpu") == 0)
        here = read_processor(r, attributes);
    else if (strcmp(name, "pci") == 0 && here == NONE)
        STOP(r, GFAB_ERR_PARSE, "<pci> outside of a <cpu>");
    else if (strcmp(name, "pci") == 0)
        here = read_pci(r, attributes, here);
    else if (strcmp(name, "gpu") == 0)
        read_gpu(r, attributes, here);
    else if (strcmp(name, "nic") == 0 && here != NONE && r->devices[here].kind == SWITCH)
        r->devices[here].kind = CARD;
    else if (strcmp(name, "nvlink") == 0 || strcmp(name, "xgmi") == 0)
        read_link(r, attributes, here);
    r->open[r->depth++] = here;
}

static void XMLCALL end(void *data, const char *name)
{
    reader *r = data;
    (void)name;
    if (r->xml.status == GFAB_OK)
        r->depth--;
}

/* ---- the graph ---- */

/* A file without <gpu> says by PCI classes which devices are GPUs. */
static void find_gpus(reader *r)
{
    bool said = false;
    for (uint32_t i = 0; i < r->device_count; i++)
        said = said || r->devices[i].kind == GPU;
    for (uint32_t i = 0; i < r->device_count && !said; i++)
        if (r->devices[i].gpu_class)
            r->devices[i].kind = GPU;
}

/* cpu0, or a PCI address; of several hosts with the host's number in front. */
static gfab_status call_device(reader *r, const device *d)
{
    char name[2 * BUS_BYTES];
    int at = r->hosts.count > 1 ? snprintf(name, sizeof name, "host%" PRIu32 "/", d->host) : 0;
    at += snprintf(name + at, sizeof name - (size_t)at, "%s%s", d->kind == PROCESSOR ? "cpu" : "", d->bus);
    return *d->bus ? gfab_graph_call(r->g, r->xml.t, d->number, name, (size_t)at) : GFAB_OK;
}

/* GPUs by their ranks where all have one, each another; else in the order of the file. Then the relays. */
static gfab_status number_devices(reader *r)
{
    uint32_t gpus = 0, at = 0;
    bool by_rank = true;
    for (uint32_t i = 0; i < r->device_count; i++)
        gpus += r->devices[i].kind == GPU;
    if (gpus == 0)
        return gfab_fail(r->xml.t->diag, 0, GFAB_ERR_INVALID,
                         "NCCL's XML without a GPU: there is no <gpu>, and no <pci> of class 0x03 or 0x12");
    bool *taken = calloc(gpus + 1, sizeof *taken);
    GFAB_NEED_TOLD(taken, r->xml.t->diag);
    for (uint32_t i = 0; i < r->device_count; i++) {
        const device *d = &r->devices[i];
        if (d->kind != GPU)
            continue;
        by_rank = by_rank && d->rank < gpus && !taken[d->rank];
        if (by_rank)
            taken[d->rank] = true;
    }
    free(taken);
    for (uint32_t i = 0; i < r->device_count; i++)
        if (r->devices[i].kind == GPU)
            r->devices[i].number = by_rank ? r->devices[i].rank : at++;
    at = gpus;
    for (uint32_t i = 0; i < r->device_count; i++)
        if (r->devices[i].kind != GPU && r->devices[i].kind != CARD) {
            r->devices[i].number = at++;
            gfab_edges_push(&r->g->relays, r->devices[i].number, GFAB_SWITCH, 0);
        }
    r->g->nodes = at;
    gfab_status status = GFAB_OK;
    for (uint32_t i = 0; i < r->device_count && status == GFAB_OK; i++)
        if (r->devices[i].kind != CARD)
            status = call_device(r, &r->devices[i]);
    return status;
}

static gfab_status push(reader *r, uint32_t from, uint32_t to, uint32_t weight, bool one_way)
{
    return gfab_graph_text_link(r->xml.t, r->g, r->devices[from].number, r->devices[to].number, one_way, weight, NULL);
}

/* PCIe, and every two processors of a host. */
static gfab_status link_devices(reader *r)
{
    for (uint32_t i = 0; i < r->device_count; i++) {
        const device *d = &r->devices[i];
        r->xml.t->line = d->line;
        if (d->parent != NONE && d->kind != CARD && r->devices[d->parent].kind != CARD)
            GFAB_TRY(push(r, d->parent, i, 1, false));
        for (uint32_t k = 0; d->kind == PROCESSOR && k < i; k++)
            if (r->devices[k].kind == PROCESSOR && r->devices[k].host == d->host)
                GFAB_TRY(push(r, k, i, 1, false));
    }
    return GFAB_OK;
}

/* The device that a link leads to; NONE: to the NVSwitches. */
static gfab_status find_target(const reader *r, const link *l, uint32_t *target)
{
    *target = NONE;
    if (strncmp(l->class, "0x0680", 6) == 0)
        return GFAB_OK;
    for (uint32_t i = 0; i < r->device_count && *target == NONE; i++)
        if (r->devices[i].kind == GPU && *l->target && r->devices[i].host == r->devices[l->from].host &&
            strcmp(r->devices[i].bus, l->target) == 0)
            *target = i;
    if (*target != NONE)
        return GFAB_OK;
    return FAIL(r->xml.t, GFAB_ERR_INVALID, "a link to \"%s\", which is no GPU's address and no NVSwitch's", l->target);
}

/* A link between GPUs stands at both, one to the NVSwitches at the GPU alone. */
static gfab_status link_gpus(reader *r)
{
    uint32_t nvswitch = NONE;
    gfab_status status = GFAB_OK;
    for (uint32_t i = 0; i < r->link_count && status == GFAB_OK; i++) {
        const link *l = &r->links[i];
        uint32_t target = NONE;
        r->xml.t->line = l->line;
        status = find_target(r, l, &target);
        const bool to_switch = status == GFAB_OK && target == NONE;
        if (to_switch && nvswitch == NONE && (nvswitch = add_device(r, NVSWITCH, NONE)) != NONE) {
            r->devices[nvswitch].number = (uint32_t)r->g->nodes++;
            gfab_edges_push(&r->g->relays, r->devices[nvswitch].number, GFAB_SWITCH, 0);
            status = gfab_graph_call(r->g, r->xml.t, r->devices[nvswitch].number, "nvswitch", strlen("nvswitch"));
        }
        if (to_switch && nvswitch == NONE)
            return r->xml.status;
        if (target != l->from) /* Azure's NCv4 file links each GPU with itself, too */
            GFAB_THEN(status, push(r, l->from, to_switch ? nvswitch : target, l->count, !to_switch));
    }
    return status;
}

gfab_status gfab_graph_read_nccl(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {.xml = {.t = t}, .g = g};
    gfab_status status = gfab_graph_xml_read(&r.xml, start, end, NULL);
    find_gpus(&r);
    GFAB_THEN(status, number_devices(&r));
    GFAB_THEN(status, link_devices(&r));
    GFAB_THEN(status, link_gpus(&r));
    g->how.parallel = GFAB_PARALLEL_ADDED;
    GFAB_FREE(r.devices, r.links);
    gfab_graph_names_release(&r.hosts);
    return status;
}
