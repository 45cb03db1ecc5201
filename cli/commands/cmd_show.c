/* SPDX-License-Identifier: MIT */
/* Command `show`: a schedule for the eye. One request is read from the options and then goes to one of several views:
 * moves round by round, a node's ROM disassembled, the bracketing of a sum, links' use as a heat map, pictures in SVG,
 * or the page that plays it. Pictures are drawn in extras/draw/; tables and texts are printed here. What is too large
 * for a picture is refused before a schedule is made. Moves are sorted by nodes and tokens, so that the text does not
 * depend on the order in which a solver found them. */
#include "cli_machine.h"
#include "draw/cli/heat.h"
#include "draw/cli/show_animate.h"
#include "draw/cli/show_html.h"
#include "draw/cli/show_svg.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct show_request {
    cli_source source;
    const char *node_name, *rom_name;          /* NULL: node, rom are numbers */
    uint32_t round, node, rom, block, granule; /* granule 0: block is a block's number, else an element's */
    bool round_given, node_given, rom_given, block_given, json;
    const char *svg_path, *html_path, *animate_path, *style, *line, *range_text;
    show_rounds_range range; /* all, or what --round or --rounds say */
} show_request;

/* A packet with its first and last node. */
typedef struct show_move {
    gfab_packet packet;
    uint32_t from, to;
} show_move;

static int compare_numbers(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
    for (size_t i = 0; i < a_count && i < b_count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return (a_count > b_count) - (a_count < b_count);
}

static int compare_moves(const void *left, const void *right)
{
    const show_move *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    const int order = compare_numbers(a->packet.tokens, a->packet.token_count, b->packet.tokens, b->packet.token_count);
    return order != 0 ? order
                      : compare_numbers(a->packet.arcs, a->packet.arc_count, b->packet.arcs, b->packet.arc_count);
}

static bool concerns(const gfab_topology *topology, const gfab_packet *packet, uint32_t node)
{
    for (size_t i = 0; i < packet->arc_count; i++)
        if (gfab_topology_arc_from(topology, packet->arcs[i]) == node ||
            gfab_topology_arc_to(topology, packet->arcs[i]) == node)
            return true;
    return false;
}

/* The packets of a round that were asked for, by nodes and tokens, whatever order a solver made them in. moves has
 * room for all packets of the round, and so has tokens, which keeps single ones: an iterator need not. */
static size_t collect_moves(const show_request *request, uint32_t round, show_move *moves, uint32_t *tokens)
{
    const gfab_topology *topology = request->source.topology;
    gfab_packet_iter packets = gfab_schedule_round(request->source.schedule, round);
    size_t count = 0;
    for (gfab_packet packet; gfab_packet_next(&packets, &packet);) {
        if (!request->node_given || concerns(topology, &packet, request->node)) {
            if (packet.token_count == 1) {
                tokens[count] = packet.tokens[0];
                packet.tokens = &tokens[count];
            }
            moves[count].packet = packet;
            moves[count].from = gfab_topology_arc_from(topology, packet.arcs[0]);
            moves[count].to = gfab_topology_arc_to(topology, packet.arcs[packet.arc_count - 1]);
            count++;
        }
    }
    qsort(moves, count, sizeof *moves, compare_moves);
    return count;
}

static void print_round(const show_request *request, uint32_t round, const show_move *moves, size_t count)
{
    const gfab_topology *topology = request->source.topology;
    const bool gossip = gfab_schedule_goal(request->source.schedule).collective == GFAB_ALL_GATHER;
    const char *what = gossip ? "token" : "block";
    printf("round %u: %zu packet%s\n", round, count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        const gfab_packet *packet = &moves[i].packet;
        printf("  %4s", cli_node(topology, moves[i].from).text);
        for (size_t hop = 0; hop < packet->arc_count; hop++)
            printf(" -> %-4s", cli_node(topology, gfab_topology_arc_to(topology, packet->arcs[hop])).text);
        printf("  %s%s", what, packet->token_count == 1 ? "" : "s");
        for (size_t token = 0; token < packet->token_count; token++)
            printf(" %s%u", packet->tokens[token] & GFAB_COMBINE ? "+" : "", packet->tokens[token] & ~GFAB_COMBINE);
        putchar('\n');
    }
}

static json_t *json_round(const show_request *request, uint32_t round, const show_move *moves, size_t count)
{
    const gfab_topology *topology = request->source.topology;
    const bool combines = gfab_collective_combines(gfab_schedule_goal(request->source.schedule).collective);
    json_t *object = cli_json_object(), *packets = cli_json_array();
    for (size_t i = 0; i < count; i++) {
        const gfab_packet *packet = &moves[i].packet;
        json_t *entry = cli_json_object(), *path = cli_json_array(), *tokens = cli_json_array();
        json_t *combine = combines ? cli_json_array() : NULL;
        cli_json_append(path, json_integer(moves[i].from));
        for (size_t hop = 0; hop < packet->arc_count; hop++)
            cli_json_append(path, json_integer(gfab_topology_arc_to(topology, packet->arcs[hop])));
        for (size_t token = 0; token < packet->token_count; token++) {
            cli_json_append(tokens, json_integer(packet->tokens[token] & ~GFAB_COMBINE));
            if (combine)
                cli_json_append(combine, json_boolean(packet->tokens[token] & GFAB_COMBINE));
        }
        CLI_JSON(entry, CLI_KEY("path", path), CLI_KEY("tokens", tokens));
        if (combine)
            cli_json_set(entry, "combine", combine);
        cli_json_append(packets, entry);
    }
    CLI_JSON(object, CLI_KEY("round", round), CLI_KEY("packets", packets));
    return object;
}

static int show_rounds(const show_request *request)
{
    size_t most = 1;
    for (uint32_t round = request->range.first; round <= request->range.last; round++) {
        gfab_packet_iter packets = gfab_schedule_round(request->source.schedule, round);
        size_t count = 0;
        for (gfab_packet packet; gfab_packet_next(&packets, &packet);)
            count++;
        most = count > most ? count : most;
    }
    GFAB_FREED show_move *moves = calloc(most, sizeof *moves);
    GFAB_FREED uint32_t *tokens = calloc(most, sizeof *tokens);
    CLI_NEED("show", moves && tokens);
    json_t *array = cli_json_array();
    if (!request->json) {
        cli_print_topology(stdout, request->source.topology);
        cli_print_recognised(stdout, &request->source);
        cli_goal_print(stdout, request->source.schedule);
        cli_print_rounds(stdout, &request->source);
        cli_print_cost(stdout, &request->source);
    }
    for (uint32_t round = request->range.first; round <= request->range.last; round++) {
        size_t count = collect_moves(request, round, moves, tokens);
        if (request->json)
            cli_json_append(array, json_round(request, round, moves, count));
        else
            print_round(request, round, moves, count);
    }
    if (request->json) {
        json_t *report = cli_json_report("gossipfab.show/1");
        cli_json_schedule(report, &request->source);
        cli_json_set(report, "schedule", array);
        cli_json_print(report, stdout);
    } else {
        json_decref(array);
    }
    return CLI_GOOD;
}

/* One line for each op that is not idle. The ROM is a function of the schedule alone; the widths are any that fit. */
static int show_rom(show_request *request)
{
    GFAB_AT_END(cli_machine_release) cli_machine machine = cli_machine_default();
    machine.options.token_bits = 4096;
    machine.options.any_width = true;
    machine.options.link_bits = 1;
    int status = cli_machine_build("show", &request->source, &machine);
    if (status != CLI_GO_ON)
        return status;
    const gfab_image *image = gfab_machine_image(machine.machine);
    const gfab_layout *layout = gfab_machine_layout(machine.machine);
    const bool by_origin = gfab_layout_frame(layout) == GFAB_FRAME_ABSOLUTE;
    uint32_t stride = gfab_image_lane_stride(image), digits = (gfab_image_op_bits(image) + 3) / 4;
    printf("node %u: %zu words of %u bits; lane stride %u, %u rounds and the halt\n", request->rom,
           gfab_image_word_count(image), gfab_image_op_bits(image), stride, gfab_machine_rounds(machine.machine));
    puts("address  word  round  lane  link  op");
    const uint32_t halves = gfab_layout_halves(layout);
    for (size_t i = 0; i < gfab_image_word_count(image) * halves; i++) {
        const size_t index = i / halves, round = index / stride + 1, lane = index % stride;
        const gfab_op op = gfab_image_op(image, request->rom, round, lane, (uint32_t)(i % halves));
        size_t count;
        if (op.kind == GFAB_OP_IDLE)
            continue;
        printf("%7zu %*s%0*" PRIx64 " %6zu %5zu ", index, (int)(digits < 5 ? 5 - digits : 0), "", (int)digits,
               gfab_image_word(image, request->rom, index), round, lane);
        uint32_t port = gfab_layout_port(layout, request->rom, lane);
        const gfab_port *ports = gfab_topology_ports(request->source.topology, request->rom, &count);
        const bool placed = gfab_layout_reuses_slots(layout, request->rom); /* which block it is changes with time */
        printf("%5u  %s %s %u %s node %u", ports[port].link, gfab_op_kind_name(op.kind), placed ? "slot" : "token",
               placed ? op.slot : gfab_layout_token(layout, request->rom, op.slot),
               op.kind == GFAB_OP_SEND ? "to" : "from", ports[port].peer);
        if (!by_origin)
            printf(" (slot %u)", op.slot);
        putchar('\n');
    }
    return CLI_GOOD;
}

static bool wants(const gfab_schedule *schedule, uint32_t node, uint32_t block)
{
    const gfab_goal goal = gfab_schedule_goal(schedule);
    return gfab_goal_node_wants(&goal, gfab_schedule_topology(schedule), node, block);
}

/* How many of the nodes that want the block end with this term, and the first of them; all of them where it is NULL. */
static size_t count_sharers(const gfab_expression *expression, const gfab_schedule *schedule, uint32_t block,
                            const uint32_t *term, uint32_t *first)
{
    size_t count = 0;
    for (uint32_t v = 0; v < gfab_topology_node_count(gfab_schedule_topology(schedule)); v++)
        if (wants(schedule, v, block) && (!term || gfab_expression_result(expression, v) == *term) && count++ == 0)
            *first = v;
    return count;
}

/* The nodes that have the term, "every node", or member, where all that want the block have it. */
static void print_sharers(const gfab_expression *expression, const gfab_schedule *schedule, uint32_t block,
                          uint32_t term)
{
    uint32_t first = 0;
    const size_t count = count_sharers(expression, schedule, block, &term, &first);
    printf("block %u, ", block);
    if (count > 1 && count == count_sharers(expression, schedule, block, NULL, &first)) {
        fputs(gfab_topology_has_relays(gfab_schedule_topology(schedule)) ? "every member:" : "every node:", stdout);
        return;
    }
    fputs(count == 1 ? "node" : "nodes", stdout);
    for (uint32_t v = 0; v < gfab_topology_node_count(gfab_schedule_topology(schedule)); v++)
        if (wants(schedule, v, block) && gfab_expression_result(expression, v) == term)
            printf(" %u", v);
    putchar(':');
}

/* In expressions a node is n and its number: what it is called. */
static void print_names(const gfab_topology *topology)
{
    const char *before = "names ";
    for (size_t v = 0; v < gfab_topology_node_count(topology); v++) {
        const char *name = gfab_topology_node_name(topology, v);
        if (!name || gfab_topology_is_relay(topology, v))
            continue;
        printf("%s n%zu %s", before, v, name);
        before = ",";
    }
    if (*before == ',')
        putchar('\n');
}

/* A line for each term that some node ends with. */
static int show_expression(show_request *request)
{
    const gfab_schedule *schedule = request->source.schedule;
    if (request->granule && gfab_schedule_goal(schedule).collective == GFAB_REDUCE_SCATTER)
        return cli_error("show", "--granule: the blocks of a reduce-scatter are numbered by their owners; leave it out "
                                 "and give a block");
    if (request->granule) {
        printf("element %u is in block %u\n", request->block, request->block / request->granule);
        request->block /= request->granule;
    }
    const size_t nodes = gfab_topology_node_count(request->source.topology);
    print_names(request->source.topology);
    gfab_expression *expression = NULL;
    gfab_diag diag = {0, ""};
    gfab_status status = gfab_expression_create(schedule, request->block, &expression, &diag);
    for (uint32_t v = 0; v < nodes && status == GFAB_OK; v++) {
        const uint32_t term = gfab_expression_result(expression, v);
        uint32_t first = v;
        if (!wants(schedule, v, request->block))
            continue;
        (void)count_sharers(expression, schedule, request->block, &term, &first);
        if (first != v)
            continue;
        print_sharers(expression, schedule, request->block, term);
        putchar(' ');
        status = gfab_expression_write(expression, term, stdout);
        putchar('\n');
    }
    gfab_expression_destroy(expression);
    return status == GFAB_OK ? CLI_GOOD : cli_fail("show", status, "--expression", &diag);
}

static int say_written(const char *path)
{
    if (!cli_is_standard(path))
        printf("written      %s\n", path);
    return CLI_GOOD;
}

/* Packets over each link, by the schedule. */
static int show_heat(const show_request *request)
{
    const gfab_schedule *schedule = request->source.schedule;
    GFAB_FREED uint64_t *uses = calloc(2 * gfab_topology_link_count(request->source.topology), sizeof *uses);
    CLI_NEED("show", uses);
    for (uint32_t round = request->range.first; round <= request->range.last; round++) {
        gfab_packet_iter packets = gfab_schedule_round(schedule, round);
        for (gfab_packet packet; gfab_packet_next(&packets, &packet);)
            for (size_t hop = 0; hop < packet.arc_count; hop++)
                uses[packet.arcs[hop]]++;
    }
    const heat_map heat = {request->source.topology, uses, "Packets over links", "packets"};
    return heat_write("show", &heat, request->svg_path);
}

static gfab_goal goal_of(const cli_source *source)
{
    return source->schedule     ? gfab_schedule_goal(source->schedule)
           : source->goal_given ? source->goal
                                : gfab_goal_default(gfab_topology_member_count(source->topology));
}

/* Where a style is not given: dot-wire, for what it can draw. */
static const char *choose_style(const show_request *request)
{
    const gfab_topology *topology = request->source.topology;
    const bool lines =
        gfab_topology_get_kind(topology) != GFAB_TOPOLOGY_GRAPH && gfab_topology_dimensions(topology) <= 2;
    const bool gossip = goal_of(&request->source).collective == GFAB_ALL_GATHER;
    return request->style ? request->style : gossip && lines && !request->range_text ? "dot-wire" : "rounds";
}

/* What a picture of any schedule has more of than can be drawn is refused before one is looked for: a block takes a
 * message to, or from, every member but one. */
static int check_size(const show_request *request)
{
    const cli_source *source = &request->source;
    if (!request->svg_path || source->schedule || source->load_text || source->broadcast || source->any_blocks ||
        request->line || request->range_text || !gfab_topology_is_plain(source->topology))
        return CLI_GO_ON;
    const char *style = choose_style(request);
    const gfab_goal goal = goal_of(source);
    const uint64_t members = gfab_topology_member_count(source->topology);
    const bool all = goal.collective == GFAB_ALL_TO_ALL;
    const uint64_t messages = (all ? members : goal.blocks) * (members - 1), packet = source->model.packet_tokens;
    const uint64_t packets = messages / packet + (messages % packet > 0);
    if (strcmp(style, "dot-wire") == 0)
        return show_svg_check_dots(packets / (source->model.link_mode == GFAB_LINK_FULL ? 2 : 1), " or more");
    if (strcmp(style, "rounds") == 0)
        return show_svg_check_arrows(gfab_topology_node_count(source->topology), packets, " or more");
    return CLI_GO_ON;
}

static int show_svg(const show_request *request)
{
    const gfab_schedule *schedule = request->source.schedule;
    const char *style = choose_style(request);
    const bool dot_wire = strcmp(style, "dot-wire") == 0, heat = strcmp(style, "heat") == 0;
    if (!dot_wire && !heat && strcmp(style, "rounds") != 0)
        return cli_error("show", "--style: unknown style '%s'; give dot-wire, rounds or heat", style);
    if (dot_wire && gfab_schedule_goal(schedule).collective != GFAB_ALL_GATHER)
        return cli_error("show", "--style %s draws all-gather alone; give --style rounds", style);
    if (dot_wire && request->range_text)
        return cli_error("show", "--rounds: a dot-wire picture has all rounds; give --style rounds or heat");
    if (!dot_wire && request->line)
        return cli_error("show", "--line goes with --style dot-wire alone; leave it out");
    const int status = heat       ? show_heat(request)
                       : dot_wire ? show_svg_dot_wire(schedule, request->line, request->svg_path)
                                  : show_svg_rounds(schedule, request->range, request->svg_path);
    return status == CLI_GO_ON ? say_written(request->svg_path) : status;
}

static int show_page(const show_request *request)
{
    const char *path = request->html_path ? request->html_path : request->animate_path;
    const int status = request->html_path ? show_html(&request->source, path) : show_animate(&request->source, path);
    return status == CLI_GO_ON ? say_written(path) : status;
}

/* --round R, --rounds A-B, or all of them. */
static int read_range(show_request *request)
{
    const uint32_t rounds = request->source.report.rounds;
    const char *text = request->range_text;
    request->range = (show_rounds_range){1, rounds};
    if (request->round_given && request->round > rounds)
        return cli_error("show", "--round %u: the schedule has rounds 1 to %u", request->round, rounds);
    if (request->round_given)
        request->range = (show_rounds_range){request->round, request->round};
    if (!text)
        return CLI_GO_ON;
    const size_t first = strspn(text, "0123456789"), dash = text[first] == '-';
    const size_t last = strspn(text + first + dash, "0123456789");
    if (first == 0 || first > 9 || last == 0 || last > 9 || !dash || text[first + 1 + last] != '\0')
        return cli_error("show", "--rounds '%s': give the first and the last, such as 1-%u", text, rounds);
    request->range.first = (uint32_t)strtoul(text, NULL, 10);
    request->range.last = (uint32_t)strtoul(text + first + 1, NULL, 10);
    if (request->range.first < 1 || request->range.first > request->range.last || request->range.last > rounds)
        return cli_error("show", "--rounds %s: the schedule has rounds 1 to %u", text, rounds);
    return CLI_GO_ON;
}

static int check_node(const show_request *request, const char *option, const char *name, uint32_t *node)
{
    size_t nodes = gfab_topology_node_count(request->source.topology);
    if (name)
        return cli_find_node("show", option, request->source.topology, name, node);
    if (*node < nodes)
        return CLI_GO_ON;
    return cli_error("show", "--%s %u: %s has nodes 0 to %zu", option, *node,
                     gfab_topology_name(request->source.topology), nodes - 1);
}

/* A schedule for any number of blocks is shown at so many that all groups that are on their way at a time are. */
static int choose_length(show_request *request)
{
    cli_source *source = &request->source;
    int status = cli_source_solve("show", source);
    if (status != CLI_GO_ON || !gfab_schedule_any_length(source->schedule) || request->block_given)
        return status;
    const uint32_t rounds = gfab_schedule_kept_rounds(source->schedule),
                   period = gfab_schedule_period(source->schedule);
    const uint64_t blocks = (uint64_t)gfab_schedule_group(source->schedule) * (rounds / period + 2);
    return cli_told("show",
                    blocks > INT32_MAX ? GFAB_ERR_LIMIT : gfab_schedule_set_blocks(source->schedule, (uint32_t)blocks),
                    "--blocks any", NULL);
}

static int show(show_request *request)
{
    const bool listed = request->svg_path || request->html_path || request->animate_path || request->rom_given;
    int status = cli_source_open("show", &request->source);
    if (status == CLI_GO_ON && request->node_given)
        status = check_node(request, "node", request->node_name, &request->node);
    if (status == CLI_GO_ON && request->rom_given) {
        status = check_node(request, "rom", request->rom_name, &request->rom);
        return status == CLI_GO_ON ? show_rom(request) : status;
    }
    CLI_THEN(status, check_size(request));
    CLI_THEN(status, choose_length(request));
    CLI_THEN(status, cli_source_load("show", &request->source));
    CLI_THEN(status, read_range(request));
    if (status == CLI_GO_ON && !request->block_given && (listed || request->range.first < request->range.last))
        status = cli_source_check_listed("show", &request->source);
    if (status != CLI_GO_ON)
        return status;
    return request->svg_path                             ? show_svg(request)
           : request->html_path || request->animate_path ? show_page(request)
           : request->block_given                        ? show_expression(request)
                                                         : show_rounds(request);
}

/* One thing is shown at a time. */
static const cli_rule rules[] = {
    {.options = "svg", .exclude = "html animate rom expression round node json"},
    {.options = "html", .exclude = "animate rom expression round node rounds json"},
    {.options = "animate", .exclude = "rom expression round node rounds json"},
    {.options = "rom", .exclude = "expression round node rounds json"},
    {.options = "expression", .exclude = "round node rounds json"},
    {.options = "round", .exclude = "rounds"},
    {.options = "style line", .need = "svg"},
    {.options = "granule", .need = "expression"},
    CLI_RULES_END,
};

int cmd_show(int argc, char **argv)
{
    show_request request;
    memset(&request, 0, sizeof request);
    request.source = cli_source_default();
    const cli_option options[] = {
        CLI_TOPOLOGY_OPTION(request.source),
        CLI_SOLVER_OPTIONS(request.source),
        CLI_SCHEDULE_OPTION(request.source),
        CLI_GOAL_OPTIONS(request.source),
        CLI_MODEL_OPTIONS(request.source),
        CLI_OPTION(.name = "round", .kind = CLI_U32, .value = &request.round, .given = &request.round_given,
                   .word = "R", .initial = "all", .least = 1, .most = UINT32_MAX, .help = "this round alone"),
        CLI_OPTION(.name = "rounds", .kind = CLI_TEXT, .value = &request.range_text, .word = "A-B", .initial = "all",
                   .help = "these rounds alone, as text or in a picture"),
        CLI_OPTION(.name = "node", .kind = CLI_U32, .value = &request.node, .given = &request.node_given,
                   .node = &request.node_name, .word = "V", .initial = "all", .most = UINT32_MAX,
                   .help = "what this node sends and receives"),
        CLI_OPTION(.name = "rom", .kind = CLI_U32, .value = &request.rom, .given = &request.rom_given,
                   .node = &request.rom_name, .word = "V", .most = UINT32_MAX,
                   .help = "this node's sequencer ROM, disassembled; idle ops left out"),
        CLI_OPTION(.name = "expression", .kind = CLI_U32, .value = &request.block, .given = &request.block_given,
                   .word = "BLOCK", .most = INT32_MAX, .help = "the order in which a block's total is added up"),
        CLI_OPTION(.name = "granule", .kind = CLI_U32, .value = &request.granule, .word = "G", .least = 1,
                   .most = INT32_MAX, .unit = "elements",
                   .help =
                       "with --expression: BLOCK is an element's number, in a vector cut into blocks of G elements"),
        CLI_OPTION(.name = "svg", .kind = CLI_TEXT, .value = &request.svg_path, .word = "FILE",
                   .help = "draw a picture"),
        CLI_OPTION(.name = "html", .kind = CLI_TEXT, .value = &request.html_path, .word = "FILE",
                   .help = "write the player: a page for a browser that plays the schedule, all in one file"),
        CLI_OPTION(.name = "animate", .kind = CLI_TEXT, .value = &request.animate_path, .word = "FILE",
                   .help = "draw 20 seconds of it, as SVG that moves: a block's tree, then all blocks"),
        CLI_OPTION(.name = "style", .kind = CLI_TEXT, .value = &request.style, .word = "dot-wire|rounds|heat",
                   .initial = "dot-wire for all-gather on grids, else rounds",
                   .help = "of the picture: rows and columns over time, the network round by round, or how much each "
                           "link is used; FILE.csv of the last is a table"),
        CLI_OPTION(.name = "line", .kind = CLI_TEXT, .value = &request.line, .word = "row:I|column:J", .initial = "all",
                   .help = "the line of a dot-wire picture"),
        CLI_JSON_OPTION(request.json),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "show",
        .usage = "T | FILE.gfs  [--solver S]  [--round R] [--node V] [--rom V] [--expression BLOCK] "
                 "[--granule G] [--svg FILE] [--animate FILE] [--html FILE]",
        .text =
            "Shows who sends what and when: as text, as the ROM that plays it in a node, as a picture, or as a page\n"
            "that plays it in a browser.\n"
            "A dot-wire picture has a column of dots for each link of a line, a row for each round, and wires that\n"
            "follow the tokens.",
        .example = "  gossipfab show mesh:4x4 --svg gossip.svg",
        .options = options,
        .rules = rules};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    CLI_THEN(status, show(&request));
    cli_source_release(&request.source);
    return status;
}
