/* SPDX-License-Identifier: MIT */
/* Command `advise` for gossip: options, the ranking as text or JSON, and the curves of cost by startup (--sweep). With
 * the widths of a fabric r and the gap in cycles are one number: starting takes the gap, and a token takes F cycles,
 * so r = gap / F. What is asked with a length or another collective goes to advise_length.c. */
#include "advise_length.h"
#include "lengths/cli/advise.h"

#include <string.h>

#define MAX_MODELS 8
#define MAX_SOLVERS 32
/* As many as a packet may ever carry: no limit. */
#define ANY_TOKENS GFAB_MAX_NODES

typedef struct advise_request {
    cli_source source;
    gfab_machine_options machine;
    bool token_bits_given, link_bits_given, cycles_given;
    uint64_t startup_cycles;
    uint32_t run_nodes;
    cli_chip chip;
    const char *solvers_text, *sweep_name, *csv_path, *svg_path, *measured_path;
    advise_length length;
    gfab_ratio from, to;
    bool from_given, to_given, json;

    bool fabric; /* widths are given */
    gfab_model models[MAX_MODELS];
    size_t model_count;
    const gfab_solver *solvers[MAX_SOLVERS];
    const char *parameters[MAX_SOLVERS];
    char settings[MAX_SOLVERS][100];
    gfab_progress progress;
    gfab_adviser_options options;
    gfab_adviser *adviser;
} advise_request;

/* Every model that the options leave open, what asks least of the fabric first. */
static void list_models(advise_request *request)
{
    const cli_source *s = &request->source;
    for (int full = 0; full < 2; full++) {
        for (int circuit = 0; circuit < 2; circuit++) {
            for (int any = 0; any < 2; any++) {
                gfab_model model = s->model;
                model.link_mode = full ? GFAB_LINK_FULL : GFAB_LINK_HALF;
                model.routing = circuit ? GFAB_ROUTING_CIRCUIT : GFAB_ROUTING_STORE_AND_FORWARD;
                if (!s->packet_tokens_given)
                    model.packet_tokens = any ? ANY_TOKENS : 1;
                if ((s->link_mode_given && model.link_mode != s->model.link_mode) ||
                    (s->routing_given && model.routing != s->model.routing) || (s->packet_tokens_given && any))
                    continue;
                request->models[request->model_count++] = model;
            }
        }
    }
}

/* --solvers NAME[/KEY=VALUE...],... */
static int list_solvers(advise_request *request)
{
    size_t count = 0;
    for (const char *at = request->solvers_text; at && *at != '\0'; count++) {
        char name[64];
        const size_t length = strcspn(at, ","), word = strcspn(at, ",/");
        if (count == MAX_SOLVERS)
            return cli_error("advise", "--solvers: more than %d", MAX_SOLVERS);
        char *settings = request->settings[count];
        snprintf(name, sizeof name, "%.*s", (int)word, at);
        const gfab_solver *solver = gfab_solver_find(name);
        if (!solver)
            return cli_unknown_solver("advise", "--solvers", name);
        if (strcmp(name, "auto") == 0)
            return cli_error("advise", "--solvers: auto only chooses among the others; name these");
        if (length > word) {
            snprintf(settings, sizeof *request->settings, "%.*s", (int)(length - word - 1), at + word + 1);
            for (char *slash = settings; (slash = strchr(slash, '/'));)
                *slash = ',';
        }
        request->solvers[count] = solver;
        request->parameters[count] = *settings != '\0' ? settings : NULL;
        at += length + (at[length] == ',');
    }
    request->options.solvers = count != 0 ? request->solvers : NULL;
    request->options.parameters = request->parameters;
    request->options.solver_count = count;
    return CLI_GO_ON;
}

/* A message of a length, or another collective than gossip. */
static bool is_of_length(const advise_request *request)
{
    const advise_length *l = &request->length;
    return l->bytes_given || l->bandwidth_given || l->latency_given || request->source.collective_text;
}

static const cli_rule rules[] = {
    {.options = "startup startup-cycles link-bits sweep svg from to measured",
     .exclude = "collective bytes bandwidth latency chip"},
    {.options = "token-bits", .exclude = "bytes bandwidth latency"},
    {.options = "chip", .exclude = "topology bytes bandwidth latency solvers csv link-latency blocks root idempotent"},
    {.options = "part", .need = "chip"},
    {.options = "collective", .need = "bytes chip"},
    {.options = "bandwidth latency", .need = "bytes"},
    {.options = "bytes latency", .need = "bandwidth"},
    {.options = "csv", .need = "sweep bytes"},
    {.options = "plans", .need = "bytes"},
    {.options = "plan-format", .need = "plans"},
    {.options = "svg from to", .need = "sweep"},
    {.options = "measured", .need = "svg"},
    {.options = "startup", .exclude = "startup-cycles"},
    {.options = "sweep=length", .need = "startup-cycles"},
    {.options = "sweep=length",
     .exclude = "token-bits",
     .says = "--%s takes tokens of every length; leave --token-bits out"},
    {.options = "sweep=startup",
     .exclude = "startup startup-cycles",
     .says = "--%s takes no startup of its own; leave --startup and --startup-cycles out"},
    CLI_RULES_END,
};

/* What --sweep goes over, from where to where. */
static int check_sweep(advise_request *request)
{
    const bool length = request->sweep_name && strcmp(request->sweep_name, "length") == 0;
    request->fabric = request->token_bits_given || request->link_bits_given;
    if (request->sweep_name && !length && strcmp(request->sweep_name, "startup") != 0)
        return cli_error("advise", "--sweep: unknown axis '%s'; give length or startup", request->sweep_name);
    if (!request->sweep_name && !request->source.linear && !request->cycles_given)
        return cli_error(
            "advise",
            "no startup given; give --startup R or --startup-cycles C; or --bytes B --bandwidth G for a message");
    if (request->from_given && request->from.numerator == 0)
        return cli_error("advise", "--from: the axis is logarithmic; give more than 0");
    if (length && ((request->from_given && request->from.denominator != 1) ||
                   (request->to_given && request->to.denominator != 1)))
        return cli_error("advise", "--from and --to: lengths are whole numbers of bytes");
    request->from = request->from_given ? request->from : length ? (gfab_ratio){4, 1} : (gfab_ratio){1, 10};
    request->to = request->to_given ? request->to : length ? (gfab_ratio){65536, 1} : (gfab_ratio){10000, 1};
    if (gfab_ratio_compare(request->from, request->to) >= 0) {
        return cli_error("advise", "--from %s is not below --to %s", cli_ratio(request->from).text,
                         cli_ratio(request->to).text);
    }
    return CLI_GO_ON;
}

/* r and the gap in cycles, each from the other, by the transfer of a whole token in the fabric: F cycles. */
static int find_startup(advise_request *request)
{
    gfab_diag diag = {0, ""};
    gfab_timing timing;
    if (request->sweep_name || !(request->fabric || request->cycles_given))
        return CLI_GO_ON;
    request->fabric = true;
    const gfab_timing_options options = {.token_bits = request->machine.token_bits,
                                         .link_bits = request->machine.link_bits,
                                         .latency_cycles = request->machine.latency_cycles};
    CLI_TRY(cli_told("advise", gfab_timing_of(request->source.topology, NULL, &options, &timing, &diag),
                     "--token-bits, --link-bits", &diag));
    const gfab_ratio token = {timing.cycles_per_round, 1};
    if (request->cycles_given) {
        request->machine.gap_cycles = request->startup_cycles;
        request->source.startup = advise_divide((gfab_ratio){request->startup_cycles, 1}, token);
    } else {
        const gfab_ratio cycles = advise_multiply(request->source.startup, token);
        request->machine.gap_cycles =
            cycles.numerator / cycles.denominator + (cycles.numerator % cycles.denominator != 0);
    }
    return CLI_GO_ON;
}

static const char *known_by(gfab_advice_source source)
{
    return source == GFAB_ADVICE_FORMULA ? "formula" : source == GFAB_ADVICE_VERIFIED ? "verified" : "not known";
}

static void print_ranking(const advise_request *request, const gfab_advice *list, size_t count)
{
    char tokens[24], solver[160];
    cli_print_topology(stdout, request->source.topology);
    cli_print_recognised(stdout, &request->source);
    printf("startup      r = %s transfers of a token", cli_ratio(request->source.startup).text);
    if (request->fabric) {
        printf("; in the fabric --gap %llu cycles after a round (tokens of %u bits, links of %u)",
               (unsigned long long)request->machine.gap_cycles, request->machine.token_bits,
               request->machine.link_bits);
    }
    printf("\nrank         cost  startups   transfers%s  solver               links  routing            tokens  known "
           "by\n",
           request->fabric ? "      cycles" : "");
    for (size_t i = 0; i < count; i++) {
        const gfab_advice *a = &list[i];
        if (a->source == GFAB_ADVICE_NONE) {
            printf("   -            -         -           -%s", request->fabric ? "           -" : "");
        } else {
            printf("%4zu %12s %9llu %11s", i + 1, cli_decimal(a->total, a->total.denominator == 1 ? 0 : 2).text,
                   (unsigned long long)a->cost.startups,
                   cli_ratio(cli_transfers(a->cost.transfers, a->cost.parts)).text);
            if (request->fabric) {
                snprintf(tokens, sizeof tokens, "%llu", (unsigned long long)a->cycles);
                printf(" %11s", a->cycles != 0 ? tokens : "-");
            }
        }
        snprintf(tokens, sizeof tokens, "%u", a->model.packet_tokens);
        snprintf(solver, sizeof solver, "%s%s%s", a->solver->name, a->parameters ? " " : "",
                 a->parameters ? a->parameters : "");
        printf("  %-20s %-6s %-18s %6s  %s%s%s\n", solver, gfab_link_mode_name(a->model.link_mode),
               gfab_routing_name(a->model.routing), a->model.packet_tokens == ANY_TOKENS ? "any" : tokens,
               known_by(a->source), a->reason[0] != '\0' ? ": " : "", a->reason);
    }
    puts("cost      startups x r + transfers, in units of one token's transfer\n"
         "tokens    most in a packet\n"
         "known by  formula: the solver's; verified: the schedule, made and checked");
}

static void print_json(FILE *file, const advise_request *request, const gfab_advice *list, size_t count,
                       const advise_sweep *sweep)
{
    json_t *report = cli_json_report("gossipfab.advise/1"), *ranking = cli_json_array();
    const gfab_likeness *like = request->source.like;
    CLI_JSON(report, CLI_KEY("topology", cli_json_topology(request->source.topology)),
             CLI_KEY("recognised", like ? gfab_topology_name(like->topology) : NULL));
    if (sweep) {
        cli_json_set(report, "sweep", advise_sweep_json(sweep));
        cli_json_print(report, file);
        json_decref(ranking);
        return;
    }
    CLI_JSON(report, CLI_KEY("startup", request->source.startup));
    if (request->fabric) {
        cli_json_set(report, "fabric",
                     CLI_JSON(cli_json_object(), CLI_KEY("token_bits", request->machine.token_bits),
                              CLI_KEY("link_bits", request->machine.link_bits),
                              CLI_KEY("gap_cycles", request->machine.gap_cycles)));
    } else {
        cli_json_set(report, "fabric", json_null());
    }
    for (size_t i = 0; i < count; i++) {
        const gfab_advice *a = &list[i];
        const bool known = a->source != GFAB_ADVICE_NONE;
        json_t *entry = cli_json_object();
        CLI_JSON(entry, CLI_KEY("solver", a->solver->name), CLI_KEY("settings", a->parameters),
                 CLI_KEY("model", cli_json_model(&a->model)), CLI_KEY("known_by", known ? known_by(a->source) : NULL));
        if (known) {
            CLI_JSON(entry, CLI_KEY("cost", a->total), CLI_KEY("startups", a->cost.startups),
                     CLI_KEY("transfers", a->cost.transfers), CLI_KEY("parts", a->cost.parts));
        }
        CLI_JSON(entry, CLI_KEY("cycles", cli_json_number_if(a->cycles != 0, a->cycles)),
                 CLI_KEY("reason", a->reason[0] != '\0' ? a->reason : NULL));
        cli_json_append(ranking, entry);
    }
    cli_json_set(report, "ranking", ranking);
    cli_json_print(report, file);
}

static int rank(advise_request *request)
{
    gfab_diag diag = {0, ""};
    const gfab_advice *list;
    size_t count;
    const gfab_status status = gfab_adviser_rank(request->adviser, request->source.startup, &list, &count, &diag);
    cli_progress_end();
    if (status != GFAB_OK)
        return cli_fail("advise", status, NULL, &diag);
    if (count == 0 || list[0].source == GFAB_ADVICE_NONE) {
        return cli_error("advise", "no solver's cost is known for %s under these options%s%s",
                         gfab_topology_name(request->source.topology), count != 0 ? ": " : "",
                         count != 0 ? list[0].reason : "");
    }
    if (request->json)
        print_json(stdout, request, list, count, NULL);
    else
        print_ranking(request, list, count);
    return CLI_GOOD;
}

typedef void (*put_sweep)(FILE *file, const advise_sweep *sweep);

/* Both files or none. */
static int write_files(const advise_request *request, const advise_sweep *sweep)
{
    const char *paths[2] = {request->csv_path, request->svg_path};
    const put_sweep writers[2] = {advise_sweep_csv, advise_svg};
    cli_output outputs[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
    int status = CLI_GO_ON;
    for (size_t i = 0; i < 2 && status == CLI_GO_ON; i++)
        if (paths[i] && (status = cli_output_open("advise", paths[i], &outputs[i])) == CLI_GO_ON)
            writers[i](outputs[i].file, sweep);
    for (size_t i = 0; i < 2; i++) {
        if (paths[i] && status == CLI_GO_ON)
            status = cli_output_commit("advise", &outputs[i]);
        cli_output_discard(&outputs[i]);
    }
    return status;
}

static int run_sweep(advise_request *request)
{
    GFAB_AT_END(advise_sweep_release) advise_sweep sweep = {0};
    FILE *report = cli_report_file(request->csv_path, request->svg_path);
    memset(&sweep, 0, sizeof sweep);
    sweep.length = strcmp(request->sweep_name, "length") == 0;
    sweep.link_bits = request->machine.link_bits;
    /* A byte takes 8 / L cycles, so C cycles are C L / 8 transfers of one. */
    sweep.unit = advise_multiply((gfab_ratio){request->startup_cycles, 1},
                                 advise_divide((gfab_ratio){request->machine.link_bits, 1}, (gfab_ratio){8, 1}));
    sweep.adviser = request->adviser;
    int status = advise_sweep_run(request->source.topology, request->models, request->model_count, request->from,
                                  request->to, &sweep);
    cli_progress_end();
    if (status == CLI_GO_ON && request->measured_path)
        status = advise_sweep_measured(request->measured_path, &sweep);
    CLI_THEN(status, write_files(request, &sweep));
    if (status == CLI_GO_ON) {
        if (request->json) {
            print_json(report, request, NULL, 0, &sweep);
        } else {
            cli_print_topology(report, request->source.topology);
            cli_print_recognised(report, &request->source);
            advise_sweep_print(report, &sweep);
        }
        status = CLI_GOOD;
    }
    return status;
}

static int advise(advise_request *request)
{
    gfab_diag diag = {0, ""};
    const bool length = is_of_length(request);
    if (request->chip.nodes) {
        request->chip.token_bits = request->machine.token_bits;
        return advise_chip(&request->chip, request->source.collective_text, request->json);
    }
    int status = cli_check_outputs("advise", "csv", request->csv_path, "svg", request->svg_path);
    CLI_THEN(status, list_solvers(request));
    CLI_THEN(status, length ? advise_length_check(&request->length) : check_sweep(request));
    CLI_THEN(status, cli_source_open_topology("advise", &request->source));
    CLI_THEN(status, cli_source_recognise("advise", &request->source));
    if (status == CLI_GO_ON && length) {
        const bool switches = gfab_topology_marks(request->source.topology) & GFAB_MARK_SWITCHES;
        request->length.switched = switches && !request->source.link_mode_given;
        if (request->length.switched)
            request->source.model.link_mode = GFAB_LINK_FULL;
        request->length.json = request->json;
        request->length.csv_path = request->csv_path;
        request->length.solvers = request->options.solvers;
        request->length.parameters = request->options.parameters;
        request->length.solver_count = request->options.solver_count;
        return advise_length_run(&request->source, &request->length);
    }
    CLI_THEN(status, find_startup(request));
    if (status != CLI_GO_ON)
        return status;
    list_models(request);
    request->progress = cli_progress("advise");
    request->options.models = request->models;
    request->options.model_count = request->model_count;
    request->options.run_nodes = request->run_nodes;
    request->options.solver = gfab_solver_options_default();
    request->options.solver.seed = request->source.solver_seed;
    request->options.solver.effort = request->source.effort;
    request->options.solver.progress = &request->progress;
    request->options.solver.recognition = &request->source.recognition;
    if (request->source.recognition.count > 0)
        request->source.like = &request->source.recognition.at[0];
    request->options.machine = request->fabric && !request->sweep_name ? &request->machine : NULL;
    CLI_TRY(cli_told("advise",
                     gfab_adviser_create(request->source.topology, &request->options, &request->adviser, &diag), NULL,
                     &diag));
    return request->sweep_name ? run_sweep(request) : rank(request);
}

static advise_request request_default(void)
{
    advise_request request = {.source = cli_source_default(),
                              .run_nodes = 256,
                              .machine = gfab_machine_options_default(),
                              .chip = {.part = CLI_CHIP_PART},
                              .length = {.latency = {0, 1}}};
    request.source.effort = 1;
    return request;
}

int cmd_advise(int argc, char **argv)
{
    advise_request request = request_default();
    const cli_option options[] = {
        CLI_TOPOLOGY_OPTION(request.source),
        CLI_OPTION(.name = "startup", .kind = CLI_RATIO, .value = &request.source.startup,
                   .given = &request.source.linear, .word = "R",
                   .help = "what starting a message costs, in transfers of one token"),
        CLI_OPTION(.name = "startup-cycles", .kind = CLI_U64, .value = &request.startup_cycles,
                   .given = &request.cycles_given, .word = "C", .most = 1000000000, .unit = "cycles",
                   .help = "the same in cycles: the fabric's gap after a round"),
        CLI_OPTION(.name = "token-bits", .kind = CLI_U32, .value = &request.machine.token_bits,
                   .given = &request.token_bits_given, .word = "W", .initial = "32", .least = 1, .most = 4096,
                   .unit = "bits", .help = "width of a token; with widths also in cycles"),
        ADVISE_CHIP_OPTIONS(request.chip),
        CLI_OPTION(.name = "link-bits", .kind = CLI_U32, .value = &request.machine.link_bits,
                   .given = &request.link_bits_given, .word = "L", .initial = "2", .least = 1, .most = 1024,
                   .unit = "bits", .help = "width of a link; it divides W"),
        CLI_OPTION(.name = "link-latency", .kind = CLI_U32, .value = &request.machine.latency_cycles, .word = "C",
                   .initial = "0", .most = GFAB_MAX_LATENCY, .unit = "cycles", .help = "registers on every link"),
        ADVISE_LENGTH_OPTIONS(request.length),
        CLI_GOAL_OPTIONS(request.source),
        CLI_OPTION(.name = "solvers", .kind = CLI_TEXT, .value = &request.solvers_text, .word = "S[/K=V...],...",
                   .initial = "all", .help = "these solvers alone; with settings of their own: circgo,circgo/a=3/b=1"),
        CLI_OPTION(.name = "sweep", .kind = CLI_TEXT, .value = &request.sweep_name, .word = "length|startup",
                   .help = "curves over the length or the startup; and where the fastest changes"),
        CLI_OPTION(.name = "from", .kind = CLI_RATIO, .value = &request.from, .given = &request.from_given, .word = "X",
                   .initial = "4 bytes, or 0.1", .help = "with --sweep: where the axis starts"),
        CLI_OPTION(.name = "to", .kind = CLI_RATIO, .value = &request.to, .given = &request.to_given, .word = "X",
                   .initial = "65536 bytes, or 10000", .help = "with --sweep: where it ends"),
        CLI_OPTION(.name = "csv", .kind = CLI_TEXT, .value = &request.csv_path, .word = "FILE",
                   .help =
                       "a table of all of it; with --sweep: the curves; with --bytes: every solver at every length"),
        CLI_OPTION(.name = "svg", .kind = CLI_TEXT, .value = &request.svg_path, .word = "FILE",
                   .help = "with --sweep: the curves as a picture"),
        CLI_OPTION(.name = "measured", .kind = CLI_TEXT, .value = &request.measured_path, .word = "FILE",
                   .help = "with --svg: circles, from lines X,SOLVER,half|full,TIME after a header"),
        CLI_OPTION(.name = "run-nodes", .kind = CLI_U32, .value = &request.run_nodes, .word = "N", .initial = "256",
                   .most = GFAB_MAX_NODES, .unit = "nodes",
                   .help = "run solvers whose formula does not say all, on up to N nodes"),
        CLI_OPTION(.name = "solver-seed", .kind = CLI_U64, .value = &request.source.solver_seed, .word = "N",
                   .initial = "1", .most = INT64_MAX, .help = "seed of solvers that choose at random"),
        CLI_OPTION(.name = "effort", .kind = CLI_U32, .value = &request.source.effort, .word = "N", .initial = "1",
                   .least = 1, .most = 1000000, .unit = "tries",
                   .help = "tries of a solver that searches, at each number of rounds"),
        CLI_RECOGNISE_OPTION(request.source),
        CLI_MODEL_OPTIONS(request.source),
        CLI_JSON_OPTION(request.json),
        CLI_OPTIONS_END};
    const cli_command command = {
        .verb = "advise",
        .usage = "T --startup R|--startup-cycles C|--bytes B,... --bandwidth G [--latency L] "
                 "[--collective C] [--sweep length|startup] [--json]",
        .text =
            "Ranks all solvers by the time that a gossip takes where a round of s tokens costs R + s. All models\n"
            "are tried that the model options leave open: links, routing, and packets of one token or any number.\n"
            "With --bytes it ranks them for any collective, by the time that a message of each length takes, cut into\n"
            "as many blocks as take least. For one length the last line is the command that makes the first row.",
        .example = "  gossipfab advise torus:8x8 --startup 50 --link-mode full\n"
                   "  gossipfab advise cycle:64 --sweep length --startup-cycles 1000 --link-bits 8 --svg ring.svg\n"
                   "  gossipfab advise torus:8x8 -c all-reduce --bytes 1000000 --bandwidth 25 --latency 0.5",
        .options = options,
        .rules = rules};
    const char *arguments[CLI_MAX_ARGUMENTS];
    int status = cli_parse(&command, argc, argv, arguments);
    CLI_THEN(status, advise(&request));
    gfab_adviser_destroy(request.adviser);
    cli_source_release(&request.source);
    return status;
}
