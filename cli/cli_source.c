/* SPDX-License-Identifier: MIT */
/* Where a command's schedule comes from: a solver, or a file. */
#define _POSIX_C_SOURCE 200809L
#include "cli_source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char gfs_magic[] = "gossipfab-schedule";

cli_source cli_source_default(void)
{
    cli_source source;
    memset(&source, 0, sizeof source);
    source.solver_name = "auto";
    source.recognise_text = "yes";
    source.solver_seed = gfab_solver_options_default().seed;
    source.model = gfab_model_default();
    source.startup = (gfab_ratio){0, 1};
    return source;
}

void cli_source_release(cli_source *source)
{
    gfab_schedule_destroy(source->schedule);
    gfab_topology_destroy(source->topology);
    gfab_recognition_release(&source->recognition);
    source->like = NULL;
    source->schedule = NULL;
    source->topology = NULL;
    free(source->load);
    source->load = NULL;
    free(source->bracket_settings);
    source->bracket_settings = NULL;
    free(source->file_spec);
    source->file_spec = NULL;
    cli_input_close(&source->input);
}

/* --broadcast-from's node; for worst that where all broadcasts have been tried. */
static int read_broadcast(const char *verb, cli_source *source)
{
    const size_t nodes = gfab_topology_node_count(source->topology);
    const char *text = source->broadcast_text ? source->broadcast_text : "0";
    if (strcmp(text, "worst") == 0) {
        uint32_t *rounds = NULL;
        int status = cli_source_survey(verb, source, &rounds, &source->broadcast_from);
        free(rounds);
        return status;
    }
    gfab_diag diag = {0, ""};
    if (gfab_topology_find_node(source->topology, text, &source->broadcast_from, &diag) == GFAB_OK)
        return CLI_GO_ON;
    if (strspn(text, "0123456789") < strlen(text) && !gfab_topology_has_names(source->topology))
        return cli_error(verb, "--broadcast-from: '%.40s' is no node; give its number, worst or all", text);
    if (strspn(text, "0123456789") < strlen(text))
        return cli_error(verb, "--broadcast-from: '%.40s' is no node; give its number or name, worst or all", text);
    return cli_error(verb, "--broadcast-from: node %.20s does not exist; %s has 0 to %zu", text,
                     gfab_topology_name(source->topology), nodes - 1);
}

/* --broadcast-from and --load: what each node starts with. */
static int read_load(const char *verb, cli_source *source)
{
    size_t nodes = gfab_topology_node_count(source->topology);
    if (!source->broadcast && !source->load_text)
        return CLI_GO_ON;
    CLI_TRY(source->broadcast ? read_broadcast(verb, source) : CLI_GO_ON);
    source->load = calloc(nodes, sizeof *source->load);
    CLI_NEED(verb, source->load);
    if (source->broadcast) {
        source->load[source->broadcast_from] = 1;
        return CLI_GO_ON;
    }
    const char *at = source->load_text;
    size_t count = 0;
    for (bool more = true; more; count++) {
        char *end = NULL;
        unsigned long load = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : ULONG_MAX;
        if (load > 1000000 || (*end != ',' && *end != '\0'))
            return cli_error(verb, "--load: '%.40s' does not start with a whole number from 0 to 1000000", at);
        if (count < nodes)
            source->load[count] = (uint32_t)load;
        more = *end == ',';
        at = end + more;
    }
    if (count != nodes) {
        return cli_error(verb, "--load: %zu numbers; %s has %zu nodes", count, gfab_topology_name(source->topology),
                         nodes);
    }
    return CLI_GO_ON;
}

int cli_source_open_topology(const char *verb, cli_source *source)
{
    gfab_diag diag = {0, ""};
    if (!source->topology_spec)
        return cli_error(verb, "no topology given; try: %s %s mesh:4x4", cli_program, verb);
    CLI_TRY(cli_topology_name(verb, source->topology_spec, &source->file_spec));
    if (source->file_spec)
        source->topology_spec = source->file_spec;
    gfab_status status = gfab_topology_parse(source->topology_spec, &source->topology, &diag);
    if (status != GFAB_OK)
        return cli_fail(verb, status, diag.line != 0 ? source->topology_spec : NULL, &diag);
    if (source->linear && !gfab_topology_is_plain(source->topology) && strcmp(verb, "schedule") != 0)
        return cli_error(verb, "--startup: not with %s; leave it out",
                         gfab_topology_marks_name(gfab_topology_marks(source->topology)));
    status = gfab_model_check(&source->model, &diag);
    return status == GFAB_OK ? cli_goal_read(verb, source) : cli_fail(verb, status, NULL, &diag);
}

/* A schedule says its own model: an option may repeat it, not change it. */
static int check_model(const char *verb, const cli_source *source, const char *name)
{
    const gfab_model *is = gfab_schedule_model(source->schedule);
    const gfab_model *asked = &source->model;
    if (source->link_mode_given && asked->link_mode != is->link_mode) {
        return cli_error(verb, "%s: --link-mode %s, but the file says link-mode %s; leave the option out", name,
                         gfab_link_mode_name(asked->link_mode), gfab_link_mode_name(is->link_mode));
    }
    if (source->port_mode_given && asked->port_mode != is->port_mode) {
        return cli_error(verb, "%s: --port-mode %s, but the file says port-mode %s; leave the option out", name,
                         gfab_port_mode_name(asked->port_mode), gfab_port_mode_name(is->port_mode));
    }
    if (source->packet_tokens_given && asked->packet_tokens != is->packet_tokens) {
        return cli_error(verb, "%s: --packet-tokens %u, but the file says packet-tokens %u; leave the option out", name,
                         asked->packet_tokens, is->packet_tokens);
    }
    if (source->routing_given && asked->routing != is->routing) {
        return cli_error(verb, "%s: --routing %s, but the file says routing %s; leave the option out", name,
                         gfab_routing_name(asked->routing), gfab_routing_name(is->routing));
    }
    if (source->hop_rounds_given && asked->hop_rounds != is->hop_rounds) {
        return cli_error(verb, "%s: --hop-rounds %u, but the file says hop-rounds %u; leave the option out", name,
                         asked->hop_rounds, is->hop_rounds);
    }
    return CLI_GO_ON;
}

/* The topology of a schedule that was read, which must be what the options ask for. */
static int adopt(const char *verb, cli_source *source, gfab_topology *topology, const char *name)
{
    gfab_topology *asked = source->topology;
    source->topology = topology;
    const bool same = !asked || gfab_topology_equal(asked, topology);
    if (asked != topology)
        gfab_topology_destroy(asked);
    if (!same) {
        return cli_error(verb, "%s: the schedule is for topology %s, not for %s; leave --topology out or give that one",
                         name, gfab_topology_name(topology), source->topology_spec);
    }
    const int agrees = check_model(verb, source, name);
    return agrees == CLI_GO_ON ? cli_goal_check(verb, source, name) : agrees;
}

/* A file that gossipfab wrote says its own topology and model, but for CSV; what others do not say the options do. */
static int read_format(const char *verb, cli_source *source, const gfab_format *format)
{
    gfab_diag diag = {0, ""};
    gfab_topology *topology = NULL;
    const gfab_progress progress = cli_progress(verb);
    gfab_format_options options = gfab_format_options_default(format);
    const gfab_link_mode link_mode = options.model.link_mode;
    options.topology = source->topology;
    options.goal = source->goal_given ? &source->goal : NULL;
    options.model = source->model;
    if (!source->link_mode_given)
        options.model.link_mode = link_mode;
    options.progress = &progress;
    const gfab_status status = format->read(source->input.file, &options, &topology, &source->schedule, &diag);
    cli_progress_end();
    if (status != GFAB_OK)
        return cli_fail(verb, status, source->input.name, &diag);
    return adopt(verb, source, topology ? topology : source->topology, source->input.name);
}

/* The first byte tells the forms apart: .gfs starts with its magic word, and what starts with a comment is taken for
 * one; XML and JSON start as they must; else it is CSV. */
static int read_schedule(const char *verb, cli_source *source)
{
    const char *name = source->input.name;
    const int first = source->input.first;
    if (first == EOF)
        return cli_error(verb, "%s: the file is empty; a schedule starts with '%s 1'", name, gfs_magic);
    const gfab_format *csv = gfab_format_find("csv");
    const gfab_format *format = gfab_format_of_first(first == '#' ? gfs_magic[0] : first);
    if (!format)
        format = csv;
    if (format == csv && !source->topology) {
        return cli_error(verb,
                         "%s: not a .gfs file (line 1 does not start with '%s'); for CSV give its --topology, too",
                         name, gfs_magic);
    }
    return read_format(verb, source, format);
}

/* A folder of traces is no input: it has a file a rank. */
int cli_source_input(const char *verb, cli_source *source)
{
    if (!source->schedule_path || source->input.name || cli_chakra_is_folder(source->schedule_path))
        return CLI_GO_ON;
    return cli_input_open(verb, source->schedule_path, &source->input);
}

static int read_path(const char *verb, cli_source *source)
{
    gfab_topology *topology = NULL;
    CLI_TRY(cli_source_input(verb, source));
    if (source->input.name)
        return read_schedule(verb, source);
    int status = cli_chakra_read(verb, source->schedule_path, &topology, &source->schedule);
    return status == CLI_GO_ON ? adopt(verb, source, topology, source->schedule_path) : status;
}

int cli_source_open(const char *verb, cli_source *source)
{
    if (!source->schedule_path) {
        if (!source->topology_spec)
            return cli_error(verb, "nothing to work on; give a topology, such as mesh:4x4, or --schedule FILE");
        return cli_source_open_topology(verb, source);
    }
    if (source->topology_spec)
        CLI_TRY(cli_source_open_topology(verb, source));
    return read_path(verb, source);
}

const gfab_format *cli_format_find(const char *verb, const char *option, const char *name)
{
    const char *names[16];
    size_t count = 0;
    const gfab_format *format;
    for (; count < sizeof names / sizeof *names && (format = gfab_format_at(count)); count++) {
        names[count] = format->name;
        if (strcmp(format->name, name) == 0)
            return format;
    }
    const char *close = cli_suggest(name, names, count);
    if (close)
        cli_error(verb, "%s: unknown format '%s'; did you mean '%s'?", option, name, close);
    else
        cli_error(verb, "%s: unknown format '%s'; gossipfab list formats has them", option, name);
    return NULL;
}

int cli_unknown_solver(const char *verb, const char *option, const char *name)
{
    const char *successor = gfab_solver_successor(name);
    if (successor)
        return cli_error(verb, "%s: there is no solver '%s' any more; take '%s'", option, name, successor);
    const char *names[32], *settings = name + strcspn(name, ": ");
    size_t count = 0;
    const gfab_solver *solver;
    if (*settings != '\0')
        return cli_error(verb, "%s: a solver's name alone; its settings are --solver-options %s", option, settings + 1);
    while (count < 32 && (solver = gfab_solver_at(count)))
        names[count++] = solver->name;
    const char *close = cli_suggest(name, names, count);
    if (close)
        return cli_error(verb, "%s: unknown solver '%s'; did you mean '%s'?", option, name, close);
    return cli_error(verb, "%s: unknown solver '%s'; gossipfab list solvers has them", option, name);
}

int cli_source_recognise(const char *verb, cli_source *source)
{
    const gfab_progress progress = cli_progress(verb);
    const bool yes = strcmp(source->recognise_text, "yes") == 0;
    if (!yes && strcmp(source->recognise_text, "no") != 0)
        return cli_error(verb, "--recognise: '%.40s' is neither yes nor no", source->recognise_text);
    if (!yes || source->recognition.count > 0)
        return CLI_GO_ON;
    const gfab_status status = gfab_topology_recognise(source->topology, &progress, &source->recognition);
    cli_progress_end();
    return cli_told(verb, status, "--recognise", NULL);
}

/* The text of a bracketing without its white space: a name, or what a file has. */
static int read_bracket(const char *verb, const char *text, FILE *settings)
{
    if (strcmp(text, "binary") == 0 || strcmp(text, "linear") == 0)
        return fputs(text, settings) < 0 ? cli_fail(verb, GFAB_ERR_NO_MEMORY, NULL, NULL) : CLI_GO_ON;
    FILE *file;
    gfab_text bracket;
    gfab_diag diag = {0, ""};
    gfab_status status = gfab_text_open(text, &file, &diag);
    if (status != GFAB_OK)
        return cli_error(verb, "--bracket: '%s' is neither binary nor linear, nor a file that can be read: %s", text,
                         diag.message);
    status = gfab_text_read(file, &bracket, &diag);
    gfab_text_close(file);
    const char *wrong = status == GFAB_OK ? strpbrk(bracket.bytes, ",=") : NULL;
    const int result =
        status != GFAB_OK ? cli_fail(verb, status, text, &diag)
        : wrong ? cli_error(verb, "--bracket %s: a '%c' is in no bracketing; one is ((n0+n1)+n2)", text, *wrong)
                : CLI_GO_ON;
    for (const char *at = bracket.bytes; result == CLI_GO_ON && *at; at++)
        if (!strchr(" \t\r\n", *at))
            fputc(*at, settings);
    free(bracket.bytes);
    return result;
}

/* --one-bracket and --bracket name the solver, and give it its settings. It knows the nodes by their own numbers. */
static int read_brackets(const char *verb, cli_source *source)
{
    const char *option = source->bracket_text ? "bracket" : "one-bracket";
    size_t size;
    if ((!source->one_bracket && !source->bracket_text) || source->bracket_settings)
        return CLI_GO_ON;
    if (source->solver_given && strcmp(source->solver_name, "bracket") != 0)
        return cli_error(verb, "--%s is for the solver 'bracket', not '%s'", option, source->solver_name);
    source->solver_name = "bracket";
    source->recognise_text = "no";
    FILE *settings = open_memstream(&source->bracket_settings, &size);
    CLI_NEED(verb, settings);
    fputs(source->parameters ? source->parameters : "", settings);
    fputs(source->bracket_text ? source->parameters ? ",bracket=" : "bracket=" : "", settings);
    const int status = source->bracket_text ? read_bracket(verb, source->bracket_text, settings) : CLI_GO_ON;
    if (!gfab_memory_close(settings, &source->bracket_settings) && status == CLI_GO_ON)
        return cli_fail(verb, GFAB_ERR_NO_MEMORY, NULL, NULL);
    source->parameters = *source->bracket_settings ? source->bracket_settings : NULL;
    return status;
}

/* The solver, asked whether it applies; options as the command line has them, load and progress left out. */
static int choose_solver(const char *verb, cli_source *source, const gfab_solver **solver, gfab_solver_options *options)
{
    gfab_diag diag = {0, ""};
    const int bracketed = read_brackets(verb, source);
    CLI_TRY(bracketed == CLI_GO_ON ? cli_source_recognise(verb, source) : bracketed);
    *solver = gfab_solver_find(source->solver_name);
    if (!*solver)
        return cli_unknown_solver(verb, "--solver", source->solver_name);
    *options = gfab_solver_options_default();
    options->seed = source->solver_seed;
    options->effort = source->effort;
    options->rounds = source->rounds;
    options->startup = source->startup;
    options->linear = source->linear;
    options->parameters = source->parameters;
    options->recognition = &source->recognition;
    return cli_told(
        verb,
        source->recognition.count > 0 ? GFAB_OK : gfab_solver_applies(*solver, source->topology, &source->model, &diag),
        NULL, &diag);
}

/* After a call of the library that reported progress. */
static int end_work(const char *verb, gfab_status status, const gfab_solver *solver, const gfab_diag *diag)
{
    char where[64];
    cli_progress_end();
    if (status == GFAB_OK && cli_was_interrupted())
        status = GFAB_ERR_INTERRUPTED;
    snprintf(where, sizeof where, "solver %s", solver->name);
    return cli_told(verb, status, diag->message[0] == '\0' ? where : NULL, diag);
}

int cli_source_survey(const char *verb, cli_source *source, uint32_t **rounds, uint32_t *worst)
{
    const gfab_solver *solver = NULL;
    gfab_solver_options options;
    gfab_diag diag = {0, ""};
    const gfab_progress progress = cli_progress(verb);
    CLI_TRY(choose_solver(verb, source, &solver, &options));
    options.progress = &progress;
    *rounds = malloc(gfab_topology_node_count(source->topology) * sizeof **rounds);
    if (!*rounds)
        return cli_fail(verb, GFAB_ERR_NO_MEMORY, NULL, NULL);
    const gfab_status made =
        gfab_broadcast_survey(source->topology, &source->model, solver, &options, *rounds, worst, &diag);
    source->like = source->recognition.count > 0 ? &source->recognition.at[0] : NULL;
    return end_work(verb, made, solver, &diag);
}

int cli_source_solve(const char *verb, cli_source *source)
{
    const gfab_solver *solver = NULL;
    gfab_solver_options options;
    gfab_diag diag = {0, ""}, faulty = {0, ""};
    const gfab_progress progress = cli_progress(verb);
    if (source->schedule)
        return CLI_GO_ON;
    CLI_TRY(choose_solver(verb, source, &solver, &options));
    CLI_TRY(read_load(verb, source));
    options.load = source->load;
    options.goal = source->goal_given ? &source->goal : NULL;
    options.any_length = source->any_blocks;
    options.progress = &progress;
    options.faulty = &faulty;
    gfab_status made = gfab_solver_check_options(solver, &options, &diag);
    GFAB_THEN(made,
              gfab_solve(solver, source->topology, &source->model, &options, &source->schedule, &source->like, &diag));
    int status = end_work(verb, made, solver, &diag);
    if (status == CLI_GO_ON && faulty.message[0] != '\0')
        fprintf(stderr, "gossipfab %s: a solver was passed over, please report it: %s\n", verb, faulty.message);
    return status;
}

/* What is told of a family is told of a graph that is one. */
static const gfab_topology *named_topology(const cli_source *source)
{
    return source->like ? source->like->topology : source->topology;
}

/* The family's bound, where it is better. */
static gfab_status bound_by_name(cli_source *source, const gfab_progress *progress)
{
    gfab_goal goal = gfab_schedule_goal(source->schedule);
    gfab_bound bound;
    if (!source->like || (goal.collective == GFAB_ALL_GATHER && !gfab_schedule_even_load(source->schedule)))
        return GFAB_OK;
    if (gfab_collective_has_root(goal.collective))
        goal.root = source->like->image[goal.root];
    GFAB_TRY(
        gfab_bound_goal_best(source->like->topology, gfab_schedule_model(source->schedule), &goal, progress, &bound));
    if (bound.rounds > source->bound.rounds)
        source->bound = bound;
    return GFAB_OK;
}

static gfab_status find_promise(cli_source *source)
{
    const gfab_solver *solver = cli_source_solver(source);
    gfab_status status = GFAB_ERR_UNSUPPORTED;
    if (solver && solver->formula && gfab_schedule_goal(source->schedule).collective == GFAB_ALL_GATHER)
        status = solver->formula(named_topology(source), gfab_schedule_model(source->schedule), &source->promised);
    if (status != GFAB_OK)
        source->promised = 0;
    return status == GFAB_ERR_NO_MEMORY || status == GFAB_ERR_INTERRUPTED ? status : GFAB_OK;
}

gfab_cost cli_cost(const cli_source *source)
{
    const gfab_verify_report *report = &source->report;
    if (gfab_topology_marks(source->topology) & GFAB_MARK_SWITCHES) /* links share */
        return (gfab_cost){report->startups, report->link_transfers, report->parts * report->link_parts};
    return (gfab_cost){report->startups, report->transfers, report->parts};
}

/* Nodes x links up to which the best rate with one port is found in less than a tenth of a second. */
#define MOST_PORTS ((size_t)1 << 13)

/* Of a schedule that repeats: how many rounds a long vector takes a block, and how many any schedule takes. On larger
 * graphs with one port the latter is left to `bound`. */
static gfab_status find_rates(cli_source *source, const gfab_progress *progress)
{
    const gfab_model *model = gfab_schedule_model(source->schedule);
    const gfab_goal goal = gfab_schedule_goal(source->schedule);
    const uint32_t period = gfab_schedule_period(source->schedule);
    const uint64_t shares = (uint64_t)gfab_schedule_group(source->schedule) * gfab_schedule_parts(source->schedule);
    GFAB_AT_END(gfab_certificate_release) gfab_certificate certificate = {0};
    bool tight;
    const bool one = model->port_mode == GFAB_PORT_ONE;
    if (!period || model->routing != GFAB_ROUTING_STORE_AND_FORWARD || shares > UINT32_MAX ||
        (one && gfab_topology_node_count(source->topology) * gfab_topology_link_count(source->topology) > MOST_PORTS))
        return GFAB_OK;
    const gfab_cost group = {0, period, (uint32_t)shares};
    gfab_status status = gfab_cost_total(&group, (gfab_ratio){0, 1}, &source->rate); /* in lowest terms */
    GFAB_THEN(status, (one ? gfab_rate_one_port : gfab_rate)(source->topology, model->link_mode, &goal, progress,
                                                             &certificate, &tight));
    GFAB_THEN(status, gfab_certificate_rate(&certificate, model->packet_tokens, &source->best_rate));
    return status == GFAB_ERR_LIMIT || status == GFAB_ERR_UNSUPPORTED ? GFAB_OK : status;
}

int cli_source_judge(const char *verb, cli_source *source)
{
    const gfab_model *model = gfab_schedule_model(source->schedule);
    const gfab_progress progress = cli_progress(verb);
    gfab_status status = gfab_bound_schedule(source->schedule, &progress, &source->bound);
    GFAB_THEN(status, bound_by_name(source, &progress));
    GFAB_THEN(status, find_rates(source, &progress));
    if (status != GFAB_OK)
        return cli_fail(verb, status, "lower bound", NULL);
    status = gfab_verify(source->topology, model, source->schedule, &progress, &source->report);
    cli_progress_end();
    if (status != GFAB_OK && status != GFAB_ERR_FAULT)
        return cli_fail(verb, status, "verification", NULL);
    status = find_promise(source);
    if (status != GFAB_OK)
        return cli_fail(verb, status, NULL, NULL);
    if (source->linear) {
        const gfab_cost cost = cli_cost(source);
        if (gfab_schedule_even_load(source->schedule) && gfab_topology_is_plain(source->topology))
            status =
                gfab_bound_cost_best(named_topology(source), model, source->startup, &progress, &source->cost_bound);
        GFAB_THEN(status, gfab_cost_total(&cost, source->startup, &source->cost));
        if (status != GFAB_OK)
            return cli_fail(verb, status, "--startup", NULL);
    }
    return CLI_GO_ON;
}

int cli_find_node(const char *verb, const char *option, const gfab_topology *topology, const char *text, uint32_t *node)
{
    char where[48];
    gfab_diag diag = {0, ""};
    const gfab_status status = gfab_topology_find_node(topology, text, node, &diag);
    snprintf(where, sizeof where, "--%s", option);
    return cli_told(verb, status, where, &diag);
}

cli_node_text cli_node(const gfab_topology *topology, uint32_t node)
{
    const char *name = gfab_topology_node_name(topology, node);
    cli_node_text t;
    if (name)
        snprintf(t.text, sizeof t.text, "%s", name);
    else
        snprintf(t.text, sizeof t.text, "%u", node);
    return t;
}

int cli_source_fault(const char *verb, const cli_source *source)
{
    const char *name = source->input.name      ? source->input.name
                       : source->schedule_path ? source->schedule_path
                                               : gfab_schedule_solver(source->schedule);
    const uint32_t node = source->report.node;
    const bool named = node != UINT32_MAX && gfab_topology_node_name(source->topology, node);
    cli_error(verb, "%s: the schedule is faulty: %s: %s%s%s", name, gfab_fault_name(source->report.fault),
              source->report.message, named ? "; the node is " : "",
              named ? cli_node(source->topology, node).text : "");
    return CLI_FAULTY;
}

int cli_source_load(const char *verb, cli_source *source)
{
    if (!source->topology)
        CLI_TRY(cli_source_open(verb, source));
    CLI_TRY(cli_source_solve(verb, source));
    CLI_TRY(cli_source_judge(verb, source));
    return source->report.fault != GFAB_FAULT_NONE ? cli_source_fault(verb, source) : CLI_GO_ON;
}

const gfab_solver *cli_source_solver(const cli_source *source)
{
    return gfab_solver_find(gfab_schedule_solver(source->schedule));
}

bool cli_source_exact(const cli_source *source)
{
    const gfab_solver *solver = cli_source_solver(source);
    return !source->schedule_path && !source->linear && solver && solver->exact;
}

uint32_t cli_source_link_use_permille(const cli_source *source)
{
    const bool full = gfab_schedule_model(source->schedule)->link_mode == GFAB_LINK_FULL;
    uint64_t room = 0;
    for (gfab_arc arc = 0; arc < 2 * gfab_topology_link_count(source->topology); arc++)
        if (full)
            room += gfab_topology_arc_weight(source->topology, arc);
        else if (arc % 2 == 0)
            room += gfab_topology_weight(source->topology, arc / 2);
    room *= source->report.rounds;
    return room == 0 ? 0 : (uint32_t)((source->report.moves * 1000 + room / 2) / room);
}

int cli_source_check_listed(const char *verb, const cli_source *source)
{
    gfab_diag diag = {0, ""};
    return cli_told(verb, gfab_schedule_check_listed(source->schedule, &diag), NULL, &diag);
}
