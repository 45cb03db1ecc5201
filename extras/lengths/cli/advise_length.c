/* SPDX-License-Identifier: MIT */
/* `advise --collective`: which solver, and how many blocks, are fastest for a message of so many bytes. Lengths,
 * bandwidth and latency become a startup in transfers of a byte: 10 GB/s and 1 microsecond are a startup of 10000. The
 * ranking is the library's (extras/lengths/); here it is asked for each length and printed as text, CSV or JSON. The
 * least time of any schedule is printed beside it, so that a user sees how much there could still be to win. */
#include "advise_length.h"
#include "formats/cli/cli_folder.h"

#include "commands/rate.h"
#include "lengths/cli/advise.h"

#include <stdlib.h>
#include <string.h>

/* As many as a packet may ever carry: no limit. */
#define ANY_TOKENS GFAB_MAX_NODES
#define MAX_MODELS 4
#define MOST_BYTES ((uint64_t)1 << 50)

/* What was found for a length. */
typedef struct answer {
    uint64_t bytes;
    gfab_length_advice *list;
    size_t count;
} answer;

typedef struct report {
    const cli_source *source;
    const advise_length *asked;
    gfab_goal goal;
    gfab_ratio startup; /* in transfers of a byte */
    gfab_model models[MAX_MODELS];
    size_t model_count;
    answer answers[ADVISE_MAX_LENGTHS];
    size_t count;
    cli_rate rate;
    const gfab_format *format;                             /* of plans; NULL: none are written */
    cli_ranged plans[ADVISE_MAX_LENGTHS];                  /* each for some of the lengths, which follow each other */
    const gfab_length_advice *planned[ADVISE_MAX_LENGTHS]; /* what each is made of, in its first answer's list */
    size_t plan_count;
} report;

/* "64,4096": the lengths. */
static int read_lengths(const char *text, report *r)
{
    const char *at = text;
    do {
        const char *end = at;
        uint64_t bytes = 0;
        if (!cli_read_size(&end, true, &bytes) || (*end != ',' && *end != '\0'))
            return cli_error("advise", "--bytes \"%s\": expected whole numbers of bytes, such as 64,4096,1MB or 64KiB",
                             text);
        if (bytes < 1 || bytes > MOST_BYTES)
            return cli_error("advise", "--bytes %.*s: expected 1 to %llu bytes", (int)(end - at), at,
                             (unsigned long long)MOST_BYTES);
        if (r->count == ADVISE_MAX_LENGTHS)
            return cli_error("advise", "--bytes: more than %d lengths", ADVISE_MAX_LENGTHS);
        r->answers[r->count++].bytes = bytes;
        at = *end == ',' ? end + 1 : end;
    } while (at[0] != '\0' || at[-1] == ',');
    return CLI_GO_ON;
}

int advise_length_check(const advise_length *length)
{
    if (length->bandwidth.numerator == 0)
        return cli_error("advise", "--bandwidth 0: expected GB/s above 0");
    return CLI_GO_ON;
}

/* Every model that the options leave open, but for the links, which are the machine's. */
static void list_models(report *r)
{
    const cli_source *s = r->source;
    for (int circuit = 0; circuit < 2; circuit++)
        for (int any = 0; any < 2; any++) {
            gfab_model model = s->model;
            model.routing = circuit ? GFAB_ROUTING_CIRCUIT : GFAB_ROUTING_STORE_AND_FORWARD;
            if (!s->packet_tokens_given)
                model.packet_tokens = any ? ANY_TOKENS : 1;
            if ((s->routing_given ? model.routing != s->model.routing : circuit && !any && !s->packet_tokens_given) ||
                (s->packet_tokens_given && any))
                continue;
            r->models[r->model_count++] = model;
        }
}

/* ---- reports ---- */

/* Microseconds: total transfers of a byte, 1000 bandwidth bytes in each. */
static double microseconds(const report *r, gfab_ratio total)
{
    const gfab_ratio bandwidth = r->asked->bandwidth;
    return (double)total.numerator / (double)total.denominator * (double)bandwidth.denominator /
           (double)bandwidth.numerator / 1000;
}

static double gigabytes(const report *r, const answer *a, gfab_ratio total)
{
    const double us = microseconds(r, total);
    return us > 0 ? (double)a->bytes / us / 1000 : 0;
}

static const char *tokens_text(const gfab_model *model, char *text, size_t size)
{
    snprintf(text, size, "%u", model->packet_tokens);
    return model->packet_tokens == ANY_TOKENS ? "any" : text;
}

static const char *solver_text(const gfab_length_advice *a, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", a->solver, a->parameters ? " " : "", a->parameters ? a->parameters : "");
    return text;
}

static void print_head(FILE *file, const report *r)
{
    cli_print_topology(file, r->source->topology);
    cli_print_recognised(file, r->source);
    fprintf(file, "collective   %s", gfab_collective_name(r->goal.collective));
    cli_goal_print_root(file, &r->goal, r->source->topology);
    fprintf(file, "%s\nlinks        %s-duplex%s, %s GB/s, %s us a message: as long as %s bytes take\n",
            r->goal.idempotent ? ", for operators that are idempotent" : "",
            gfab_link_mode_name(r->source->model.link_mode), r->asked->switched ? ", as links to switches are" : "",
            cli_ratio(r->asked->bandwidth).text, cli_ratio(r->asked->latency).text, cli_ratio(r->startup).text);
}

/* The solver's column is as wide as its longest entry. */
static int solver_width(const report *r)
{
    char solver[160];
    size_t width = strlen("solver");
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < (r->count == 1 ? r->answers[i].count : 1); k++) {
            const size_t length = strlen(solver_text(&r->answers[i].list[k], solver, sizeof solver));
            width = length > width ? length : width;
        }
    return (int)width;
}

static void print_advice(FILE *file, const report *r, const answer *a, const gfab_length_advice *advice, int width)
{
    char tokens[16], solver[160];
    fprintf(file, " %12.6g %9.4g %9u%s %12llu %9llu %9s  %-*s  %-17s  %6s\n", microseconds(r, advice->total),
            gigabytes(r, a, advice->total), advice->blocks, advice->repeats ? "*" : " ",
            (unsigned long long)advice->block_bytes, (unsigned long long)advice->cost.startups,
            cli_ratio(cli_transfers(advice->cost.transfers, advice->cost.parts)).text, width,
            solver_text(advice, solver, sizeof solver), gfab_routing_name(advice->model.routing),
            tokens_text(&advice->model, tokens, sizeof tokens));
}

static void print_plans(FILE *file, const report *r)
{
    char solver[160];
    fprintf(file, "plans        %s: %zu of %s, each for messages of so many bytes:\n", r->asked->plans_path,
            r->plan_count, r->format->name);
    for (size_t i = 0; i < r->plan_count; i++) {
        const gfab_byte_range range = r->plans[i].range;
        char last[24] = "any";
        if (range.end != UINT64_MAX)
            snprintf(last, sizeof last, "%llu", (unsigned long long)range.end - 1);
        fprintf(file, "%12llu to %12s  %s, %u blocks: %s\n", (unsigned long long)range.least, last,
                solver_text(r->planned[i], solver, sizeof solver), r->planned[i]->blocks, r->plans[i].name);
    }
}

/* The line that writes this schedule to a file. */
static void print_command(FILE *file, const report *r, const gfab_length_advice *advice)
{
    const gfab_model *model = &advice->model;
    const uint32_t tokens = model->packet_tokens < advice->blocks ? model->packet_tokens : advice->blocks;
    fprintf(file, "first     gossipfab schedule %s -c %s --link-mode %s", gfab_topology_name(r->source->topology),
            gfab_collective_name(r->goal.collective), gfab_link_mode_name(model->link_mode));
    if (r->goal.root > 0)
        fprintf(file, " --root %u", r->goal.root);
    if (r->goal.idempotent && r->goal.collective != GFAB_BARRIER)
        fputs(" --idempotent", file);
    if (model->port_mode == GFAB_PORT_ONE)
        fputs(" --port-mode one", file);
    if (model->routing == GFAB_ROUTING_CIRCUIT)
        fputs(" --routing circuit", file);
    if (tokens > 1)
        fprintf(file, " --packet-tokens %u", tokens);
    if (model->hop_rounds > 1)
        fprintf(file, " --hop-rounds %u", model->hop_rounds);
    fprintf(file, " --solver %s", advice->solver);
    if (advice->parameters)
        fprintf(file, " --solver-options %s", advice->parameters);
    if (r->goal.collective != GFAB_BARRIER)
        fprintf(file, " --blocks %u", advice->blocks);
    fputs(" -o first.gfs\n", file);
}

static void print_text(FILE *file, const report *r)
{
    const bool one = r->count == 1;
    const int width = solver_width(r);
    print_head(file, r);
    if (one)
        fprintf(file, "message      %llu bytes\n", (unsigned long long)r->answers[0].bytes);
    if (r->rate.found)
        cli_rate_print(&r->rate.certificate, &r->rate);
    fprintf(file,
            "%s           us      GB/s    blocks  block bytes  startups transfers  %-*s  routing            tokens\n",
            one ? "rank " : "       bytes ", width, "solver");
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < (one ? r->answers[i].count : 1); k++) {
            fprintf(file, one ? "%4zu" : "", k + 1);
            if (!one)
                fprintf(file, "%12llu", (unsigned long long)r->answers[i].bytes);
            print_advice(file, r, &r->answers[i], &r->answers[i].list[k], width);
        }
    fputs("us        startups x latency + transfers x block bytes / bandwidth\n"
          "blocks    of the vector; * of a schedule that repeats, for any number of them\n"
          "tokens    most blocks in a packet\n"
          "Every schedule is made and verified.\n",
          file);
    if (one && !r->plan_count)
        print_command(file, r, &r->answers[0].list[0]);
    if (r->plan_count)
        print_plans(file, r);
}

static void print_csv(FILE *file, const report *r)
{
    fputs("bytes,microseconds,gigabytes_a_second,solver,settings,link_mode,port_mode,routing,packet_tokens,blocks,"
          "repeats,"
          "block_bytes,startups,transfers,parts,first\n",
          file);
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < r->answers[i].count; k++) {
            const answer *a = &r->answers[i];
            const gfab_length_advice *advice = &a->list[k];
            fprintf(file, "%llu,%.6g,%.6g,%s,\"%s\",%s,%s,%s,%u,%u,%d,%llu,%llu,%llu,%u,%d\n",
                    (unsigned long long)a->bytes, microseconds(r, advice->total), gigabytes(r, a, advice->total),
                    advice->solver, advice->parameters ? advice->parameters : "",
                    gfab_link_mode_name(advice->model.link_mode), gfab_port_mode_name(advice->model.port_mode),
                    gfab_routing_name(advice->model.routing), advice->model.packet_tokens, advice->blocks,
                    advice->repeats, (unsigned long long)advice->block_bytes, (unsigned long long)advice->cost.startups,
                    (unsigned long long)advice->cost.transfers, advice->cost.parts, k == 0);
        }
}

static json_t *advice_json(const report *r, const answer *a, const gfab_length_advice *advice)
{
    return CLI_JSON(cli_json_object(), CLI_KEY("solver", advice->solver), CLI_KEY("settings", advice->parameters),
                    CLI_KEY("model", cli_json_model(&advice->model)), CLI_KEY("blocks", advice->blocks),
                    CLI_KEY("repeats", advice->repeats), CLI_KEY("block_bytes", advice->block_bytes),
                    CLI_KEY("startups", advice->cost.startups), CLI_KEY("transfers", advice->cost.transfers),
                    CLI_KEY("parts", advice->cost.parts), CLI_KEY("byte_transfers", advice->total),
                    CLI_KEY("microseconds", json_real(microseconds(r, advice->total))),
                    CLI_KEY("gigabytes_a_second", json_real(gigabytes(r, a, advice->total))));
}

static json_t *plans_json(const report *r)
{
    json_t *plans = cli_json_array();
    for (size_t i = 0; i < r->plan_count; i++) {
        json_t *entry = cli_json_object();
        const gfab_byte_range range = r->plans[i].range;
        CLI_JSON(entry, CLI_KEY("file", r->plans[i].name), CLI_KEY("least_bytes", range.least),
                 CLI_KEY("most_bytes", cli_json_number_if(!(range.end == UINT64_MAX), range.end - 1)),
                 CLI_KEY("solver", r->planned[i]->solver), CLI_KEY("blocks", r->planned[i]->blocks));
        cli_json_append(plans, entry);
    }
    return plans;
}

static void print_json(FILE *file, const report *r)
{
    json_t *object = cli_json_report("gossipfab.advise-length/1"), *lengths = cli_json_array();
    const gfab_likeness *like = r->source->like;
    CLI_JSON(object, CLI_KEY("topology", cli_json_topology(r->source->topology)),
             CLI_KEY("recognised", like ? gfab_topology_name(like->topology) : NULL),
             CLI_KEY("collective", gfab_collective_name(r->goal.collective)), CLI_KEY("root", r->goal.root),
             CLI_KEY("idempotent", r->goal.idempotent), CLI_KEY("bandwidth", r->asked->bandwidth),
             CLI_KEY("latency", r->asked->latency), CLI_KEY("startup", r->startup),
             CLI_KEY("rate", cli_rate_json(&r->rate)));
    for (size_t i = 0; i < r->count; i++) {
        json_t *entry = cli_json_object(), *ranking = cli_json_array();
        CLI_JSON(entry, CLI_KEY("bytes", r->answers[i].bytes));
        for (size_t k = 0; k < r->answers[i].count; k++)
            cli_json_append(ranking, advice_json(r, &r->answers[i], &r->answers[i].list[k]));
        cli_json_set(entry, "ranking", ranking);
        cli_json_append(lengths, entry);
    }
    cli_json_set(object, "lengths", lengths);
    if (r->plan_count)
        cli_json_set(object, "plans", plans_json(r));
    cli_json_print(object, file);
}

static gfab_status write_csv(const void *what, FILE *file, gfab_diag *diag)
{
    (void)diag;
    print_csv(file, what);
    return GFAB_OK;
}

/* ---- the command ---- */

/* Of --plans. */
static int find_format(report *r)
{
    if (!r->asked->plans_path)
        return CLI_GO_ON;
    r->format = cli_format_find("advise", "--plan-format", r->asked->format_name ? r->asked->format_name : "mscclpp");
    if (!r->format)
        return CLI_USAGE;
    return r->format->write_range
               ? CLI_GO_ON
               : cli_error("advise",
                           "--plan-format %s: its files do not say for which lengths they are; give mscclpp, "
                           "mscclpp-apart, msccl, msccl-apart or msccl-microsoft",
                           r->format->name);
}

static int make_goal(report *r)
{
    const cli_source *s = r->source;
    gfab_diag diag = {0, ""};
    if (s->goal_given)
        r->goal = s->goal;
    else
        r->goal = gfab_goal_default(gfab_topology_member_count(s->topology));
    CLI_TRY(cli_told("advise", gfab_length_startup(r->asked->latency, r->asked->bandwidth, &r->startup),
                     "--latency, --bandwidth", &diag));
    return CLI_GO_ON;
}

/* The least time of any schedule, as `bound` says it, where there is one length. */
static int find_rate(report *r)
{
    cli_source one = *r->source;
    const gfab_collective collective = r->goal.collective;
    one.model.packet_tokens = 1;
    one.model.routing = GFAB_ROUTING_STORE_AND_FORWARD;
    if (r->count > 1 || collective == GFAB_ALL_TO_ALL || collective == GFAB_BARRIER ||
        one.model.port_mode != GFAB_PORT_ALL)
        return CLI_GO_ON;
    r->rate =
        (cli_rate){.bytes = r->answers[0].bytes,
                   .bandwidth = r->asked->bandwidth,
                   .latency = r->asked->latency,
                   .bytes_given = true,
                   .bandwidth_given = true,
                   .latency_given = true,
                   .circuits = !r->source->routing_given || r->source->model.routing != GFAB_ROUTING_STORE_AND_FORWARD};
    return cli_rate_find("advise", &one, &r->goal, &r->rate);
}

static bool same_schedule(const gfab_length_advice *a, const gfab_length_advice *b)
{
    return strcmp(a->solver, b->solver) == 0 && a->parameters == b->parameters && a->blocks == b->blocks &&
           gfab_model_equal(&a->model, &b->model) && a->cost.startups == b->cost.startups &&
           a->cost.transfers == b->cost.transfers;
}

/* The fastest schedule that the format takes: the plan for the lengths from this one on. */
static int plan_length(report *r, const gfab_lengths *lengths, size_t index)
{
    answer *a = &r->answers[index];
    gfab_diag why = {0, ""};
    if (index > 0 && a->bytes <= r->answers[index - 1].bytes)
        return cli_error("advise", "--plans: --bytes %llu is not above the length before it; give lengths that rise",
                         (unsigned long long)a->bytes);
    for (size_t k = 0; k < a->count; k++) {
        cli_ranged *plan = &r->plans[r->plan_count];
        gfab_diag diag = {0, ""};
        if (r->plan_count && same_schedule(&a->list[k], r->planned[r->plan_count - 1]))
            return CLI_GO_ON;
        gfab_status status = gfab_lengths_make(lengths, k, &plan->schedule, &diag);
        if (status != GFAB_OK)
            return cli_fail("advise", status, NULL, &diag);
        status = cli_ranged_takes(r->format, plan->schedule, &diag);
        if (status == GFAB_OK) {
            if (r->plan_count)
                r->plans[r->plan_count - 1].range.end = a->bytes;
            plan->range = (gfab_byte_range){r->plan_count ? a->bytes : 0, UINT64_MAX};
            r->planned[r->plan_count++] = &a->list[k];
            return CLI_GO_ON;
        }
        gfab_schedule_destroy(plan->schedule);
        plan->schedule = NULL;
        if (status != GFAB_ERR_UNSUPPORTED && status != GFAB_ERR_LIMIT)
            return cli_fail("advise", status, r->format->name, &diag);
        if (k == 0)
            why = diag;
    }
    return cli_error("advise", "--plans: of %llu bytes %s takes no schedule: %s", (unsigned long long)a->bytes,
                     r->format->name, why.message);
}

static int rank(report *r, gfab_lengths *lengths)
{
    for (size_t i = 0; i < r->count; i++) {
        answer *a = &r->answers[i];
        const gfab_length_advice *list;
        gfab_diag diag = {0, ""};
        CLI_TRY(
            cli_told("advise", gfab_lengths_rank(lengths, a->bytes, r->startup, &list, &a->count, &diag), NULL, &diag));
        if (a->count == 0)
            return cli_error("advise", "%llu bytes: fewer than the blocks of any schedule of %s for %s; give more",
                             (unsigned long long)a->bytes, gfab_collective_name(r->goal.collective),
                             gfab_topology_name(r->source->topology));
        a->list = malloc(a->count * sizeof *a->list);
        CLI_NEED("advise", a->list);
        memcpy(a->list, list, a->count * sizeof *a->list);
        if (r->format)
            CLI_TRY(plan_length(r, lengths, i));
    }
    return CLI_GO_ON;
}

static int answer_all(report *r)
{
    gfab_diag diag = {0, ""};
    gfab_lengths *lengths = NULL;
    const gfab_progress progress = cli_progress("advise");
    gfab_length_options options = gfab_length_options_default();
    options.goal = r->goal;
    options.fixed_blocks = r->source->blocks_given && !r->source->any_blocks;
    options.solvers = r->asked->solvers;
    options.solver_count = r->asked->solver_count;
    options.parameters = r->asked->parameters;
    options.models = r->models;
    options.model_count = r->model_count;
    options.solver.seed = r->source->solver_seed;
    options.solver.effort = r->source->effort;
    options.solver.progress = &progress;
    options.solver.recognition = r->source->recognition.count ? &r->source->recognition : NULL;
    const gfab_status made = gfab_lengths_create(r->source->topology, &options, &lengths, &diag);
    cli_progress_end();
    int status = made == GFAB_OK ? rank(r, lengths) : cli_fail("advise", made, NULL, &diag);
    gfab_lengths_destroy(lengths);
    cli_progress_end();
    CLI_THEN(status, find_rate(r));
    if (status == CLI_GO_ON && r->format)
        status = cli_ranged_write("advise", r->format, r->plans, (uint32_t)r->plan_count, r->asked->plans_path);
    if (status == CLI_GO_ON && r->asked->csv_path)
        status = cli_output_write("advise", r->asked->csv_path, write_csv, r);
    if (status != CLI_GO_ON)
        return status;
    (r->asked->json ? print_json : print_text)(cli_report_file(r->asked->csv_path, NULL), r);
    return CLI_GOOD;
}

int advise_length_run(const cli_source *source, const advise_length *length)
{
    GFAB_FREED report *r = calloc(1, sizeof *r);
    CLI_NEED("advise", r);
    r->source = source;
    r->asked = length;
    int status = find_format(r);
    CLI_THEN(status, read_lengths(length->bytes_text, r));
    CLI_THEN(status, make_goal(r));
    list_models(r);
    CLI_THEN(status, answer_all(r));
    for (size_t i = 0; i < r->count; i++)
        free(r->answers[i].list);
    for (size_t i = 0; i < r->plan_count; i++)
        gfab_schedule_destroy(r->plans[i].schedule);
    cli_rate_release(&r->rate);
    return status;
}
