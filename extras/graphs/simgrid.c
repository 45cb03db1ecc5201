/* SPDX-License-Identifier: MIT */
/* SimGrid's platforms. Two things of them are graphs, and are read:
 *
 * - <cluster>: hosts on a switch, or in a torus, a fat tree or a dragonfly (topology=). With a backbone (bb_bw=) what
 *   goes from host to host also passes that, which all share: hosts send to its one end and get from its other one.
 * - <route> of one <link_ctn>: that link is between the route's ends. <zoneRoute> is the same between its gateways. A
 *   longer route says nothing new where each of its links is between such ends; otherwise it does not say what lies
 *   between its links, and is refused, as is a link of several short routes, which is no link between two nodes.
 *
 * Hosts are the members, routers and a cluster's switches are switches. Latencies and speeds are passed over. */
#include "graphs/graph_xml.h"

#include "base/grow.h"
#include "base/xml.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LEVELS 8
#define NAME_BYTES 200

/* A <link>, by its number in `links`. */
typedef struct link {
    char rate[40];
    bool placed;  /* a short route has it, .. */
    bool one_way; /* from ends[0] to ends[1] alone */
    size_t ends[2];
    bool needed; /* a longer route has it, in line .. */
    uint32_t line;
} link;

typedef struct reader {
    gfab_graph_xml xml;
    gfab_graph_links *g;
    gfab_graph_names nodes, links;
    uint8_t *relay; /* [node] */
    link *link;     /* [link] */
    size_t node_room, link_room;
    size_t ends[2]; /* of the route that is open */
    size_t over[2]; /* its first link, and how many it has */
    bool open, one_way;
} reader;

/* ---- names ---- */

static gfab_status no_memory(reader *r)
{
    return gfab_fail(r->xml.t->diag, 0, GFAB_ERR_NO_MEMORY, "out of memory");
}

static gfab_status find_node(reader *r, const char *name, uint8_t relay, size_t *node)
{
    const size_t known = r->nodes.count;
    GFAB_TRY(gfab_graph_names_number(&r->nodes, r->xml.t, name, strlen(name), node));
    if (*node == known && !gfab_grow(&r->relay, known, &r->node_room, sizeof *r->relay))
        return no_memory(r);
    r->relay[*node] = *node == known ? relay : r->relay[*node] | relay;
    return GFAB_OK;
}

static gfab_status find_link(reader *r, const char *name, size_t *number)
{
    const size_t known = r->links.count;
    GFAB_TRY(gfab_graph_names_number(&r->links, r->xml.t, name, strlen(name), number));
    if (*number == known && !gfab_grow(&r->link, known, &r->link_room, sizeof *r->link))
        return no_memory(r);
    if (*number == known)
        r->link[known] = (link){.placed = false};
    return GFAB_OK;
}

static const char *need(reader *r, const char **attributes, const char *element, const char *name)
{
    const char *value = gfab_xml_attribute(attributes, name);
    if (!value || !*value)
        STOP(r, GFAB_ERR_PARSE, "<%s> without %s=", element, name);
    return value && *value ? value : NULL;
}

/* ---- links ---- */

static gfab_status add(reader *r, size_t from, size_t to, bool one_way, const char *rate)
{
    gfab_graph_load load = {0, 0};
    const bool weighed = strcmp(r->g->how.weight, "none") != 0;
    GFAB_TRY(gfab_graph_text_link(r->xml.t, r->g, from, to, one_way, 1, gfab_graph_name(&r->nodes, from)));
    if (weighed)
        GFAB_TRY(gfab_graph_text_load(r->xml.t, r->g, "bandwidth", rate, strlen(rate), &load));
    return gfab_graph_load_link(r->g, r->xml.t, r->g->edges.count - 1, &load);
}

static void read_link(reader *r, const char **attributes)
{
    const char *id = need(r, attributes, "link", "id"), *rate = need(r, attributes, "link", "bandwidth");
    size_t number;
    if (!id || !rate)
        return;
    const gfab_status status = find_link(r, id, &number);
    if (status != GFAB_OK)
        gfab_graph_xml_fail(&r->xml, status);
    else if (strlen(rate) >= sizeof r->link[number].rate)
        STOP(r, GFAB_ERR_PARSE, "bandwidth is \"%.40s\"; a rate such as 125MBps is expected", rate);
    else
        strcpy(r->link[number].rate, rate);
}

static void open_route(reader *r, const char *element, const char **attributes, bool zones)
{
    const char *from = need(r, attributes, element, zones ? "gw_src" : "src");
    const char *to = from ? need(r, attributes, element, zones ? "gw_dst" : "dst") : NULL;
    const char *back = gfab_xml_attribute(attributes, "symmetrical");
    if (!to)
        return;
    gfab_status status = find_node(r, from, 0, &r->ends[0]);
    GFAB_THEN(status, find_node(r, to, 0, &r->ends[1]));
    r->over[1] = 0;
    r->open = true;
    r->one_way = back && (strcmp(back, "NO") == 0 || strcmp(back, "no") == 0);
    if (status != GFAB_OK)
        gfab_graph_xml_fail(&r->xml, status);
}

static void pass_link(reader *r, const char **attributes)
{
    const char *id = need(r, attributes, "link_ctn", "id");
    size_t number;
    if (!id || !r->open)
        return;
    const gfab_status status = find_link(r, id, &number);
    if (status != GFAB_OK) {
        gfab_graph_xml_fail(&r->xml, status);
        return;
    }
    if (!*r->link[number].rate) {
        STOP(r, GFAB_ERR_INVALID, "<link_ctn id=\"%.40s\">: no <link> before has this id", id);
        return;
    }
    if (r->over[1] == 1) /* no longer a short route */
        r->link[r->over[0]].needed = true;
    if (r->over[1] > 0)
        r->link[number].needed = true;
    r->link[number].line = r->xml.t->line;
    r->over[0] = r->over[1] == 0 ? number : r->over[0];
    r->over[1]++;
}

static void close_route(reader *r)
{
    link *l = &r->link[r->over[0]];
    if (!r->open || r->over[1] != 1 || r->ends[0] == r->ends[1]) {
        r->open = false;
        return;
    }
    r->open = false;
    const bool back = r->one_way && l->one_way && l->ends[0] == r->ends[1] && l->ends[1] == r->ends[0];
    if (l->placed && !back) {
        STOP(r, GFAB_ERR_UNSUPPORTED,
             "the link \"%.40s\" is on two routes of its own: it is shared, and not between two nodes",
             gfab_graph_name(&r->links, r->over[0]));
        return;
    }
    l->placed = true;
    l->one_way = r->one_way && !back;
    memcpy(l->ends, r->ends, sizeof l->ends);
    const gfab_status status = add(r, r->ends[0], r->ends[1], r->one_way, l->rate);
    if (status != GFAB_OK)
        gfab_graph_xml_fail(&r->xml, status);
}

/* ---- clusters ---- */

typedef struct cluster {
    const char *id, *prefix, *suffix, *rate;
    size_t *hosts;
    size_t count;
} cluster;

/* The i-th of a cluster's own switches. */
static gfab_status find_switch(reader *r, const cluster *c, const char *what, uint64_t i, size_t *node)
{
    char name[NAME_BYTES];
    (void)snprintf(name, sizeof name, "%.100s_%s%" PRIu64, c->id, what, i);
    return find_node(r, name, GFAB_SWITCH, node);
}

/* Numbers of a list, with this between them; how many, 0 where it is none, or has more. */
static size_t read_numbers(const char **at, char between, uint64_t *numbers, size_t most)
{
    size_t count = 0;
    for (; gfab_is_digit(**at) && count < most; count++) {
        char *end;
        numbers[count] = strtoull(*at, &end, 10);
        if (numbers[count] == 0 || numbers[count] > GFAB_MAX_NODES)
            return 0;
        *at = end;
        if (**at != between)
            return count + 1;
        ++*at;
    }
    return 0;
}

static gfab_status refuse_shape(reader *r, const char *topology, const char *parameters, const char *right)
{
    return FAIL(r->xml.t, GFAB_ERR_UNSUPPORTED, "topology=\"%.20s\" topo_parameters=\"%.40s\"; %s is expected",
                topology, parameters ? parameters : "", right);
}

/* The first coordinate is the fastest; each host is linked with the next one of each axis, around it. */
static gfab_status link_torus(reader *r, const cluster *c, const char *parameters)
{
    uint64_t sides[MOST_LEVELS], all = 1;
    const char *at = parameters ? parameters : "";
    const size_t axes = read_numbers(&at, ',', sides, MOST_LEVELS);
    for (size_t i = 0; i < axes && all <= GFAB_MAX_NODES; i++)
        all *= sides[i];
    if (axes == 0 || *at || all != c->count)
        return refuse_shape(r, "TORUS", parameters, "sides such as 3,2,2, as many hosts in all,");
    for (size_t i = 0; i < c->count; i++)
        for (size_t a = 0, step = 1; a < axes; step *= sides[a++]) {
            const size_t next = (i / step + 1) % sides[a] == 0 ? i - (sides[a] - 1) * step : i + step;
            if (next != i)
                GFAB_TRY(add(r, c->hosts[i], c->hosts[next], false, c->rate));
        }
    return GFAB_OK;
}

/* A tree's levels: so many below each node of a level, so many above, by so many cables. */
typedef struct levels {
    uint64_t count, below[MOST_LEVELS], above[MOST_LEVELS], cables[MOST_LEVELS];
} levels;

/* "2;4,4;1,2;1,2" */
static bool read_levels(const char *at, levels *l)
{
    uint64_t *const lists[] = {l->below, l->above, l->cables};
    bool good = at && read_numbers(&at, ',', &l->count, 1) == 1;
    for (size_t i = 0; i < 3 && good; i++)
        good = *at++ == ';' && read_numbers(&at, ',', lists[i], MOST_LEVELS) == l->count;
    return good && !*at;
}

/* Zahavi's parallel ports generalised fat trees. A node of level i has a digit for each level: above i which of the
 * nodes below it is in, up to i which of those above. Nodes of two levels are linked where their other digits are
 * the same. */
static gfab_status link_tree(reader *r, const cluster *c, const char *parameters)
{
    levels l = {0};
    uint64_t all = 1;
    const bool good = read_levels(parameters, &l);
    for (uint64_t i = 0; i < l.count && good && all <= GFAB_MAX_NODES; i++)
        all *= l.below[i];
    if (!good || all != c->count)
        return refuse_shape(r, "FAT_TREE", parameters, "levels such as 2;4,4;1,2;1,2, as many hosts in all,");
    uint64_t ups = 1, downs = all; /* of this level: nodes are up + ups * down */
    for (uint64_t i = 0; i < l.count; i++) {
        for (uint64_t v = 0; v < ups * downs; v++)
            for (uint64_t k = 0; k < l.above[i]; k++) {
                char what[16];
                size_t from = i == 0 ? c->hosts[v] : 0, to;
                const uint64_t up = v % ups + ups * k, down = v / ups / l.below[i];
                (void)snprintf(what, sizeof what, "s%" PRIu64 "_", i);
                if (i > 0)
                    GFAB_TRY(find_switch(r, c, what, v, &from));
                (void)snprintf(what, sizeof what, "s%" PRIu64 "_", i + 1);
                GFAB_TRY(find_switch(r, c, what, up + ups * l.above[i] * down, &to));
                for (uint64_t cable = 0; cable < l.cables[i]; cable++)
                    GFAB_TRY(add(r, from, to, false, c->rate));
            }
        ups *= l.above[i];
        downs /= l.below[i];
    }
    return GFAB_OK;
}

static gfab_status cable(reader *r, const cluster *c, uint64_t from, uint64_t to, uint64_t cables)
{
    size_t ends[2];
    GFAB_TRY(find_switch(r, c, "router", from, &ends[0]));
    GFAB_TRY(find_switch(r, c, "router", to, &ends[1]));
    for (uint64_t i = 0; i < cables; i++)
        GFAB_TRY(add(r, ends[0], ends[1], false, c->rate));
    return GFAB_OK;
}

/* "3,4;4,3;5,1;2": groups, chassis in a group, blades in a chassis, each with the cables between two of them; hosts on
 * a blade's router. All blades of a chassis are linked, all blades of a group in the same place of their chassis, and
 * all groups: h's router in group g with g's router in group h. */
static gfab_status link_dragonfly(reader *r, const cluster *c, const char *parameters)
{
    uint64_t shape[3][2] = {{0}}, hosts = 0, all = 1;
    const char *at = parameters ? parameters : "";
    bool good = true;
    for (size_t i = 0; i < 3 && good; i++) {
        good = read_numbers(&at, ',', shape[i], 2) == 2 && *at++ == ';';
        all = all <= GFAB_MAX_NODES ? all * shape[i][0] : all;
    }
    good = good && read_numbers(&at, ',', &hosts, 1) == 1 && !*at && all * hosts == c->count;
    const uint64_t groups = shape[0][0], chassis = shape[1][0], blades = shape[2][0], routers = chassis * blades;
    if (!good || groups > routers)
        return refuse_shape(r, "DRAGONFLY", parameters, "a shape such as 3,4;4,3;5,1;2, as many hosts in all,");
    for (size_t i = 0; i < c->count; i++) {
        size_t router;
        GFAB_TRY(find_switch(r, c, "router", i / hosts, &router));
        GFAB_TRY(add(r, c->hosts[i], router, false, c->rate));
    }
    for (uint64_t v = 0; v < all; v++) {
        const uint64_t group = v / routers, base = group * routers, place = v % routers;
        for (uint64_t next = place + 1; next < routers; next++)
            if (next / blades == place / blades)
                GFAB_TRY(cable(r, c, v, base + next, shape[2][1]));
            else if (next % blades == place % blades)
                GFAB_TRY(cable(r, c, v, base + next, shape[1][1]));
        if (place > group && place < groups)
            GFAB_TRY(cable(r, c, v, place * routers + group, shape[0][1]));
    }
    return GFAB_OK;
}

/* All on one switch, or with a backbone between what they send to and what they get from. */
static gfab_status link_star(reader *r, const cluster *c, const char **attributes)
{
    const char *backbone = gfab_xml_attribute(attributes, "bb_bw"),
               *router = gfab_xml_attribute(attributes, "router_id");
    char name[NAME_BYTES];
    size_t hub, out;
    (void)snprintf(name, sizeof name, "%.60s%.60s_router%.60s", c->prefix, c->id, c->suffix);
    GFAB_TRY(find_node(r, router && *router ? router : name, GFAB_SWITCH, &hub));
    if (backbone) {
        GFAB_TRY(find_switch(r, c, "backbone", 0, &out));
        GFAB_TRY(add(r, hub, out, true, backbone));
    }
    for (size_t i = 0; i < c->count; i++) {
        GFAB_TRY(add(r, c->hosts[i], hub, backbone, c->rate));
        if (backbone)
            GFAB_TRY(add(r, out, c->hosts[i], true, c->rate));
    }
    return GFAB_OK;
}

/* "0-3,7": the hosts of a cluster. */
static gfab_status list_hosts(reader *r, const char *radical, cluster *c)
{
    const char *at = radical;
    size_t room = 0;
    do {
        char *end;
        const uint64_t first = strtoull(at, &end, 10),
                       last = *end == '-' && gfab_is_digit(end[1]) ? strtoull(end + 1, &end, 10) : first;
        if (end == at || !gfab_is_digit(*at) || (*end && *end != ',') || last < first || last - first >= GFAB_MAX_NODES)
            return FAIL(r->xml.t, GFAB_ERR_PARSE, "radical is \"%.40s\"; numbers such as 0-3,7 are expected", radical);
        for (uint64_t i = first; i <= last; i++) {
            char name[NAME_BYTES];
            size_t host;
            if (!gfab_grow(&c->hosts, c->count, &room, sizeof *c->hosts))
                return no_memory(r);
            (void)snprintf(name, sizeof name, "%.80s%" PRIu64 "%.80s", c->prefix, i, c->suffix);
            GFAB_TRY(find_node(r, name, 0, &host));
            c->hosts[c->count++] = host;
        }
        at = end + (*end == ',');
    } while (*at);
    return GFAB_OK;
}

static void read_cluster(reader *r, const char **attributes)
{
    const char *prefix = gfab_xml_attribute(attributes, "prefix"), *suffix = gfab_xml_attribute(attributes, "suffix");
    const char *topology = gfab_xml_attribute(attributes, "topology");
    const char *parameters = gfab_xml_attribute(attributes, "topo_parameters");
    const char *radical = need(r, attributes, "cluster", "radical"), *id = need(r, attributes, "cluster", "id");
    const char *rate = need(r, attributes, "cluster", "bw");
    if (!radical || !id || !rate)
        return;
    cluster c = {id, prefix ? prefix : "", suffix ? suffix : "", rate, NULL, 0};
    gfab_status status = list_hosts(r, radical, &c);
    if (status == GFAB_OK)
        status = !topology || strcmp(topology, "FLAT") == 0 ? link_star(r, &c, attributes)
                 : strcmp(topology, "TORUS") == 0           ? link_torus(r, &c, parameters)
                 : strcmp(topology, "FAT_TREE") == 0        ? link_tree(r, &c, parameters)
                 : strcmp(topology, "DRAGONFLY") == 0
                     ? link_dragonfly(r, &c, parameters)
                     : refuse_shape(r, topology, parameters, "FLAT, TORUS, FAT_TREE or DRAGONFLY");
    free(c.hosts);
    if (status != GFAB_OK)
        gfab_graph_xml_fail(&r->xml, status);
}

/* ---- elements ---- */

static void XMLCALL start(void *data, const char *name, const char **attributes)
{
    reader *r = data;
    if (!gfab_graph_xml_here(&r->xml))
        return;
    const bool host = strcmp(name, "host") == 0, router = strcmp(name, "router") == 0;
    const bool zones = strcmp(name, "zoneRoute") == 0 || strcmp(name, "ASroute") == 0;
    if (host || router) {
        const char *id = need(r, attributes, name, "id");
        size_t node;
        const gfab_status status = id ? find_node(r, id, router ? GFAB_SWITCH : 0, &node) : GFAB_OK;
        if (status != GFAB_OK)
            gfab_graph_xml_fail(&r->xml, status);
    } else if (strcmp(name, "link") == 0)
        read_link(r, attributes);
    else if (strcmp(name, "route") == 0 || zones)
        open_route(r, name, attributes, zones);
    else if (strcmp(name, "link_ctn") == 0)
        pass_link(r, attributes);
    else if (strcmp(name, "cluster") == 0)
        read_cluster(r, attributes);
    else if (strcmp(name, "peer") == 0 || strcmp(name, "cabinet") == 0 || strcmp(name, "host_link") == 0)
        STOP(r, GFAB_ERR_UNSUPPORTED,
             "SimGrid's <%s> is not read; <cluster>, and routes of one link between hosts and routers, are", name);
}

static void XMLCALL end(void *data, const char *name)
{
    reader *r = data;
    if (gfab_graph_xml_here(&r->xml) &&
        (strcmp(name, "route") == 0 || strcmp(name, "zoneRoute") == 0 || strcmp(name, "ASroute") == 0))
        close_route(r);
}

/* Hosts first, then switches, each in their order. */
static gfab_status number_nodes(reader *r)
{
    uint32_t *number = calloc(r->nodes.count + 1, sizeof *number), next = 0;
    gfab_status status = number ? GFAB_OK : no_memory(r);
    for (int relays = 0; relays < 2; relays++)
        for (size_t i = 0; i < r->nodes.count && status == GFAB_OK; i++) {
            const char *name = gfab_graph_name(&r->nodes, i);
            if ((r->relay[i] != 0) != relays)
                continue;
            if (relays)
                gfab_edges_push(&r->g->relays, next, GFAB_SWITCH, 0);
            status = gfab_graph_call(r->g, r->xml.t, next, name, strlen(name));
            number[i] = next++;
        }
    for (size_t i = 0; i < r->g->edges.count && status == GFAB_OK; i++)
        for (int way = 0; way < 2; way++)
            r->g->edges.at[i].node[way] = number[r->g->edges.at[i].node[way]];
    r->g->nodes = next;
    free(number);
    return status;
}

static gfab_status check_routes(reader *r)
{
    for (size_t l = 0; l < r->links.count; l++)
        if (r->link[l].needed && !r->link[l].placed) {
            r->xml.t->line = r->link[l].line;
            return FAIL(r->xml.t, GFAB_ERR_UNSUPPORTED,
                        "a route of several links does not say what lies between them: no route has the link \"%.40s\" "
                        "alone",
                        gfab_graph_name(&r->links, l));
        }
    return GFAB_OK;
}

gfab_status gfab_graph_read_simgrid(gfab_graph_text *t, gfab_graph_links *g)
{
    reader r = {.xml = {.t = t}, .g = g};
    gfab_status status = gfab_graph_xml_read(&r.xml, start, end, NULL);
    GFAB_THEN(status, check_routes(&r));
    if (status == GFAB_OK && g->edges.count == 0)
        status = gfab_fail(t->diag, 0, GFAB_ERR_INVALID,
                           "SimGrid's platform without a link: <cluster>, and routes of one link, are read");
    if (status == GFAB_OK && g->edges.failed)
        status = no_memory(&r);
    GFAB_THEN(status, number_nodes(&r));
    g->how.parallel = GFAB_PARALLEL_ADDED;
    gfab_graph_names_release(&r.nodes);
    gfab_graph_names_release(&r.links);
    GFAB_FREE(r.relay, r.link);
    return status;
}
