/* SPDX-License-Identifier: MIT */
/* paper_tables: the tables of the papers that the solvers come from, ours beside theirs. Its options, errors and help
 * are those of the command; each table is a verb. */
#include "papers.h"

#include <string.h>

const char *const cli_program = "paper_tables";

/* An option that all tables have. */
#define FORMAT_OPTION(text)                                                                             \
    CLI_OPTION(.name = "format", .letter = 'f', .kind = CLI_TEXT, .value = &(text), .word = "text|csv", \
               .initial = "text", .help = "form of the table")

/* CLI_GO_ON, or CLI_USAGE after an error line. */
static int read_format(const char *verb, const char *format, bool *csv)
{
    *csv = strcmp(format, "csv") == 0;
    return *csv || strcmp(format, "text") == 0
               ? CLI_GO_ON
               : cli_error(verb, "--format: unknown format '%s'; give text or csv", format);
}

static int run_lau_zhang(int argc, char **argv)
{
    paper_request request = {.table = "lau-zhang", .max_n = 16};
    const char *format = "text", *arguments[CLI_MAX_ARGUMENTS];
    const cli_option options[] = {CLI_OPTION(.name = "max-n", .letter = 'n', .kind = CLI_U32, .value = &request.max_n,
                                             .word = "N", .initial = "16", .least = 2, .most = TABLE_MAX_SIDE,
                                             .help = "the largest side n"),
                                  FORMAT_OPTION(format), CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "lau-zhang",
        .usage = "[--max-n N] [--format text|csv]",
        .text = "Prints Table 1 of Lau & Zhang's paper beside the rounds that their schedules take, each made and "
                "verified\n"
                "anew. Exit status 1 where one does not meet its formula.",
        .example = "  paper_tables lau-zhang --max-n 8",
        .options = options};
    int status = cli_parse(&command, argc, argv, arguments);
    CLI_THEN(status, read_format("lau-zhang", format, &request.csv));
    return status == CLI_GO_ON ? paper_lau_zhang(&request) : status;
}

static int run_telephone(int argc, char **argv)
{
    paper_request request = {.table = "telephone", .max_n = PAPER_TELEPHONE_K};
    const char *format = "text", *arguments[CLI_MAX_ARGUMENTS];
    bool max_n = false;
    const cli_option options[] = {CLI_OPTION(.name = "max-n", .letter = 'n', .kind = CLI_U32, .value = &request.max_n,
                                             .given = &max_n, .word = "K", .initial = "12", .least = 2,
                                             .most = TABLE_MAX_SIDE, .help = "tables 4 to 6: the largest k"),
                                  FORMAT_OPTION(format), CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "telephone",
        .usage = "NUMBER [--max-n K] [--format text|csv]",
        .text = "Prints Table NUMBER, 1 to 6, of Beier & Sibeyn's paper on gossip in the telephone model beside ours.\n"
                "Schedules are made and verified anew; seconds are in the text form only. Exit status 1 where ours\n"
                "are above theirs.",
        .example = "  paper_tables telephone 6 --max-n 10",
        .options = options,
        .max_arguments = 1};
    int status = cli_parse(&command, argc, argv, arguments);
    if (status != CLI_GO_ON)
        return status;
    request.number = arguments[0];
    if (!request.number)
        return cli_error("telephone", "no number; give 1 to 6");
    if (strlen(request.number) != 1 || !strchr("123456", request.number[0]))
        return cli_error("telephone", "no table '%s'; give 1 to 6", request.number);
    const bool heuristic = strchr("1234", request.number[0]);
    if (max_n && strchr("123", request.number[0]))
        return cli_error("telephone", "--max-n does not go with table %s, which has no k", request.number);
    status = read_format("telephone", format, &request.csv);
    return status == CLI_GO_ON ? (heuristic ? paper_heuristic : paper_telephone)(&request) : status;
}

/* circgo, torgo and cubgo, whose name argv[0] is. */
static int run_startup(int argc, char **argv)
{
    paper_request request = {.table = argv[0]};
    const char *format = "text", *arguments[CLI_MAX_ARGUMENTS];
    const cli_option options[] = {CLI_OPTION(.name = "sides", .kind = CLI_TEXT, .value = &request.sides,
                                             .word = "N,...", .initial = "the paper's", .help = "the sides n"),
                                  CLI_OPTION(.name = "startups", .kind = CLI_TEXT, .value = &request.startups,
                                             .word = "R,...", .initial = "the paper's", .help = "the startups r"),
                                  FORMAT_OPTION(format), CLI_OPTIONS_END};
    const cli_command command = {
        .verb = argv[0],
        .usage = "[--sides N,...] [--startups R,...] [--format text|csv]",
        .text = "circgo, torgo and cubgo print Tables 1, 2 and 3 of Sibeyn, Juurlink & Rao: the cost of a gossip on "
                "rings\n"
                "and on square and cubic tori where starting a message costs r transfers of a token. Costs are the\n"
                "solvers' formulas. circgo: exit status 1 where CircGo loses to approach 1 or 2.",
        .example = "  paper_tables circgo --sides 64,729 --startups 0.5,50",
        .options = options};
    int status = cli_parse(&command, argc, argv, arguments);
    CLI_THEN(status, read_format(request.table, format, &request.csv));
    return status == CLI_GO_ON ? paper_startup(&request) : status;
}

static const cli_verb verbs[] = {
    {"lau-zhang", "", "Lau & Zhang, Table 1: rounds on square meshes and tori", run_lau_zhang},
    {"telephone", "", "Beier & Sibeyn, Tables 1 to 6: gossip and broadcast in the telephone model", run_telephone},
    {"circgo", "", "Sibeyn, Juurlink & Rao, Table 1: costs on rings", run_startup},
    {"torgo", "", "their Table 2: costs on square tori", run_startup},
    {"cubgo", "", "their Table 3: costs on cubic tori", run_startup},
    {NULL, NULL, NULL, NULL},
};

static void print_help(void)
{
    puts("paper_tables prints tables of the papers that the solvers come from, ours beside theirs.\n");
    for (const cli_verb *verb = verbs; verb->name; verb++)
        printf("  %-10s %s\n", verb->name, verb->summary);
    puts("\npaper_tables <table> --help explains a table.\n"
         "Exit status: 0 good, 1 a figure of ours is above the paper's, 2 wrong usage or input.");
}

static int run(int argc, char **argv)
{
    if (argc < 2)
        return cli_error(NULL, "no table named; give lau-zhang, telephone, circgo, torgo or cubgo");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return CLI_GOOD;
    }
    const char *names[sizeof verbs / sizeof *verbs];
    size_t count = 0;
    for (const cli_verb *verb = verbs; verb->name; verb++) {
        if (strcmp(verb->name, argv[1]) == 0) {
            cli_end_interrupted(verb->name);
            return verb->run(argc - 1, argv + 1);
        }
        names[count++] = verb->name;
    }
    const char *close = cli_suggest(argv[1], names, count);
    if (close)
        return cli_error(NULL, "unknown table '%s'; did you mean '%s'?", argv[1], close);
    return cli_error(NULL, "unknown table '%s'; give lau-zhang, telephone, circgo, torgo or cubgo", argv[1]);
}

int main(int argc, char **argv)
{
    cli_catch_interrupt(cli_output_unlink_all);
    return cli_output_end(run(argc, argv));
}
