/* SPDX-License-Identifier: MIT */
/* Command `list`: the names that other commands take for --topology, --solver, --collective, --board, --format, and
 * the features of a fabric. Each list has a function that prints it and one that makes its JSON; both read the table
 * that the library itself uses, so that a new solver is listed without a line here. Boards take longer than the rest,
 * because the largest mesh and torus that fit each of them are worked out anew. */
#include "cli_fabric.h"

#include <string.h>

static void print_topologies(void)
{
    const gfab_topology_family *family;
    puts("topologies:");
    for (size_t i = 0; (family = gfab_topology_family_at(i)); i++)
        printf("  %-26s %s\n", family->grammar, family->summary);
    printf("  %-26s %s\n", "...+drop-link=U-V", "any of these without the link of nodes U and V; more may follow");
    printf("  %-26s %s\n", "...+drop-node=V",
           "any of these without node V: gossip among the others, numbered anew in order");
    printf("  %-26s %s\n", "...+relay=3,5-7", "with nodes 3, 5, 6 and 7 as relays, which pass on and hold nothing");
    printf("  %-26s %s\n", "...+relay=3:forward",
           "with a relay that neither copies nor combines; :copy, :combine: does one");
    printf("  %-26s %s\n", "...+relay=3:switch",
           "with a switch, which packets pass in the round in which they are sent");
    printf("  %-26s %s\n", "...+relays=switch", "with all its relays as switches; or true, copy ..: what they do");
    printf("  %-26s %s\n", "...+members=0-3,9", "with all nodes but these as relays");
    printf("  %-26s %s\n", "...+weight=U-V:W[/X]",
           "with a link that carries W packets a round from U to V, and X, or W, back");
}

/* The GFAB_MARK_.. that a graph may have. */
static void print_takes(const gfab_solver *solver)
{
    if (!solver->knows)
        return;
    printf("  %-20s takes: ", "");
    for (uint32_t mark = 1, told = 0; mark & GFAB_MARKS; mark <<= 1)
        if (solver->knows & mark)
            printf("%s%s", told++ ? ", " : "", gfab_topology_marks_name(mark));
    putchar('\n');
}

static void print_solvers(void)
{
    const gfab_solver *solver;
    puts("solvers:");
    for (size_t i = 0; (solver = gfab_solver_at(i)); i++) {
        printf("  %-20s %s\n", solver->name, solver->summary);
        if (solver->source && *solver->source != '\0')
            printf("  %-20s source: %s\n", "", solver->source);
        print_takes(solver);
        if (!solver->collectives)
            continue;
        printf("  %-20s makes:", "");
        for (int c = 0; c < GFAB_COLLECTIVES; c++)
            if (solver->collectives & GFAB_MAKES(c))
                printf(" %s", gfab_collective_name((gfab_collective)c));
        putchar('\n');
    }
}

static void print_collectives(void)
{
    puts("collectives:");
    for (int c = 0; c < GFAB_COLLECTIVES; c++)
        printf("  %-20s %s\n", gfab_collective_name((gfab_collective)c), gfab_collective_summary((gfab_collective)c));
}

static cli_board_largest largest[CLI_BOARD_MOST]; /* of boards, where they are listed */
static const char *const host_names[] = {"self-test", "uart"}, *const kind_names[] = {"mesh", "torus"};

static void print_largest(const cli_board_largest *of_board)
{
    for (int host = 0; host < 2; host++) {
        printf("  %-20s %-10s", "", host_names[host]);
        for (int kind = 0; kind < CLI_BOARD_KINDS; kind++) {
            printf("%s%s", kind ? "; " : "", kind_names[kind]);
            for (int width = 0; width < CLI_BOARD_WIDTHS; width++) {
                const cli_board_size size = of_board->size[host][kind][width];
                if (size.rows > 0)
                    printf(" %ux%u", size.rows, size.columns);
                else
                    printf(" none");
            }
        }
        putchar('\n');
    }
}

static void print_boards(void)
{
    const gfab_board *board;
    puts("boards, each with the largest mesh and the largest torus (--frame relative) of 32-bit tokens that it holds\n"
         "with --host self-test and uart, over links of 1, 2 and 4 bits:");
    for (size_t i = 0; (board = gfab_board_at(i)); i++) {
        printf("  %-20s %s, %s, %u.%03u MHz, %u cells, %u RAM blocks%s\n", board->name, board->summary, board->part,
               board->clock_hz / 1000000, board->clock_hz / 1000 % 1000, board->logic_cells, board->ram_blocks,
               largest[i].by_ram_alone ? ": by these alone" : "");
        print_largest(&largest[i]);
    }
}

static const char *uses_of(const gfab_format *format)
{
    return format->folder || (format->read && format->write) ? "read, written" : format->read ? "read" : "written";
}

static void print_formats(void)
{
    const gfab_format *format;
    puts("formats:");
    for (size_t i = 0; (format = gfab_format_at(i)); i++)
        printf("  %-20s %s (%s)\n", format->name, format->summary, uses_of(format));
}

static void print_features(void)
{
    const gfab_refusal *row;
    puts("features of a fabric:");
    for (int f = 0; f < GFAB_FEATURES; f++)
        printf("  %-48s %s\n", gfab_feature_words((gfab_feature)f), gfab_feature_option((gfab_feature)f));
    puts("what does not go together; all else does:");
    for (size_t i = 0; (row = gfab_refusal_at(i)); i++)
        printf("  %s, %s: %s; %s\n", gfab_feature_words(row->a), gfab_feature_words(row->b), row->why, row->instead);
}

static json_t *json_topologies(void)
{
    json_t *array = cli_json_array();
    const gfab_topology_family *family;
    for (size_t i = 0; (family = gfab_topology_family_at(i)); i++)
        cli_json_append(array, CLI_JSON(cli_json_object(), CLI_KEY("name", family->name),
                                        CLI_KEY("grammar", family->grammar), CLI_KEY("summary", family->summary)));
    return array;
}

static json_t *json_solvers(void)
{
    json_t *array = cli_json_array();
    const gfab_solver *solver;
    for (size_t i = 0; (solver = gfab_solver_at(i)); i++) {
        json_t *object = cli_json_object();
        CLI_JSON(object, CLI_KEY("name", solver->name), CLI_KEY("summary", solver->summary),
                 CLI_KEY("source", solver->source));
        const uint32_t makes = solver->collectives ? solver->collectives : GFAB_MAKES(GFAB_ALL_GATHER);
        json_t *collectives = cli_json_array();
        for (int c = 0; c < GFAB_COLLECTIVES; c++)
            if (makes & GFAB_MAKES(c))
                cli_json_append(collectives, json_string(gfab_collective_name((gfab_collective)c)));
        cli_json_set(object, "collectives", collectives);
        json_t *takes = cli_json_array();
        for (uint32_t mark = 1; mark & GFAB_MARKS; mark <<= 1)
            if (solver->knows & mark)
                cli_json_append(takes, json_string(gfab_topology_marks_name(mark)));
        cli_json_set(object, "takes", takes);
        cli_json_append(array, object);
    }
    return array;
}

static json_t *json_collectives(void)
{
    json_t *array = cli_json_array();
    for (int c = 0; c < GFAB_COLLECTIVES; c++)
        cli_json_append(array, CLI_JSON(cli_json_object(), CLI_KEY("name", gfab_collective_name((gfab_collective)c)),
                                        CLI_KEY("summary", gfab_collective_summary((gfab_collective)c))));
    return array;
}

static json_t *json_largest(const cli_board_largest *of_board)
{
    json_t *array = cli_json_array();
    for (int host = 0; host < 2; host++)
        for (int kind = 0; kind < CLI_BOARD_KINDS; kind++)
            for (int width = 0; width < CLI_BOARD_WIDTHS; width++) {
                const cli_board_size size = of_board->size[host][kind][width];
                cli_json_append(array, CLI_JSON(cli_json_object(), CLI_KEY("host", host_names[host]),
                                                CLI_KEY("topology", kind_names[kind]),
                                                CLI_KEY("link_bits", cli_board_widths[width]),
                                                CLI_KEY("rows", size.rows), CLI_KEY("columns", size.columns)));
            }
    return array;
}

static json_t *json_boards(void)
{
    json_t *array = cli_json_array();
    const gfab_board *board;
    for (size_t i = 0; (board = gfab_board_at(i)); i++)
        cli_json_append(array,
                        CLI_JSON(cli_json_object(), CLI_KEY("name", board->name), CLI_KEY("summary", board->summary),
                                 CLI_KEY("part", board->part), CLI_KEY("clock_hz", board->clock_hz),
                                 CLI_KEY("cells", board->logic_cells), CLI_KEY("ram_blocks", board->ram_blocks),
                                 CLI_KEY("by_ram_alone", json_boolean(largest[i].by_ram_alone)),
                                 CLI_KEY("largest", json_largest(&largest[i]))));
    return array;
}

static json_t *json_formats(void)
{
    json_t *array = cli_json_array();
    const gfab_format *format;
    for (size_t i = 0; (format = gfab_format_at(i)); i++)
        cli_json_append(array,
                        CLI_JSON(cli_json_object(), CLI_KEY("name", format->name), CLI_KEY("summary", format->summary),
                                 CLI_KEY("read", (bool)(format->read || format->folder)),
                                 CLI_KEY("written", (bool)(format->write || format->write_graph || format->folder))));
    return array;
}

/* Features, and the pairs of them, by their words. */
static json_t *json_features(void)
{
    json_t *object = cli_json_object(), *features = cli_json_array(), *refused = cli_json_array();
    const gfab_refusal *row;
    for (int f = 0; f < GFAB_FEATURES; f++)
        cli_json_append(features, CLI_JSON(cli_json_object(), CLI_KEY("name", gfab_feature_words((gfab_feature)f)),
                                           CLI_KEY("option", gfab_feature_option((gfab_feature)f))));
    for (size_t i = 0; (row = gfab_refusal_at(i)); i++)
        cli_json_append(refused, CLI_JSON(cli_json_object(), CLI_KEY("a", gfab_feature_words(row->a)),
                                          CLI_KEY("b", gfab_feature_words(row->b)), CLI_KEY("why", row->why),
                                          CLI_KEY("instead", row->instead)));
    CLI_JSON(object, CLI_KEY("known", features), CLI_KEY("refused", refused));
    return object;
}

int cmd_list(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
        json_t *(*json)(void);
    } lists[] = {
        {"topologies", print_topologies, json_topologies}, {"collectives", print_collectives, json_collectives},
        {"solvers", print_solvers, json_solvers},          {"boards", print_boards, json_boards},
        {"formats", print_formats, json_formats},          {"features", print_features, json_features},
    };
    enum { LIST_COUNT = sizeof lists / sizeof *lists };
    bool json = false;
    const cli_option options[] = {CLI_JSON_OPTION(json), CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "list",
        .usage = "[topologies|collectives|solvers|boards|formats|features] [--json]",
        .text = "Lists what the other commands take for --topology, --collective, --solver, --board "
                "and --format,\n"
                "of boards also what fits them, and what a fabric can be: features, and which do not go together.\n"
                "Without an argument it lists all of them.",
        .example = "  gossipfab list solvers",
        .options = options,
        .max_arguments = 1};
    const char *arguments[CLI_MAX_ARGUMENTS];
    CLI_TRY(cli_parse(&command, argc, argv, arguments));
    const char *names[LIST_COUNT];
    bool found = !arguments[0];
    for (size_t i = 0; i < LIST_COUNT; i++) {
        names[i] = lists[i].name;
        found = found || strcmp(arguments[0], lists[i].name) == 0;
    }
    if (!found) {
        const char *close = cli_suggest(arguments[0], names, LIST_COUNT);
        return cli_error("list", "unknown list '%s'; %s%s", arguments[0],
                         close ? "did you mean "
                               : "there are topologies, collectives, solvers, boards, formats and features",
                         close ? close : "");
    }
    if (!arguments[0] || strcmp(arguments[0], "boards") == 0) {
        gfab_diag diag = {0, ""};
        const gfab_status surveyed = cli_boards_survey(largest, &diag);
        if (surveyed)
            return cli_fail("list", surveyed, NULL, &diag);
    }
    json_t *report = cli_json_report("gossipfab.list/1");
    for (size_t i = 0; i < LIST_COUNT; i++) {
        if (arguments[0] && strcmp(arguments[0], lists[i].name) != 0)
            continue;
        if (json)
            cli_json_set(report, lists[i].name, lists[i].json());
        else
            lists[i].print();
    }
    if (json)
        cli_json_print(report, stdout);
    else
        json_decref(report);
    return CLI_GOOD;
}
