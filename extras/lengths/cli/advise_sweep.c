/* SPDX-License-Identifier: MIT */
/* The curves of gossipfab advise: every solver's time over r or over the length of a message, and where the best
 * changes. */
#include "advise.h"

#include <stdlib.h>
#include <string.h>

static uint64_t divisor_of(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a == 0 ? 1 : a;
}

gfab_ratio advise_multiply(gfab_ratio a, gfab_ratio b)
{
    const uint64_t left = divisor_of(a.numerator, b.denominator), right = divisor_of(b.numerator, a.denominator);
    return (gfab_ratio){a.numerator / left * (b.numerator / right), a.denominator / right * (b.denominator / left)};
}

gfab_ratio advise_divide(gfab_ratio a, gfab_ratio b)
{
    return advise_multiply(a, (gfab_ratio){b.denominator, b.numerator});
}

/* ---- points ---- */

/* The round numbers of [from, to], rising, both ends among them: 4, 5, 6, 7 times powers of two for lengths; 1, 1.2,
 * 1.5, 2, 2.5, 3, 4, 5, 6, 8 times powers of ten for r. at NULL counts them. */
static size_t round_numbers(bool length, gfab_ratio from, gfab_ratio to, gfab_ratio *at)
{
    static const uint64_t binary[] = {4, 5, 6, 7}, decimal[] = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80};
    const uint64_t base = length ? 2 : 10;
    const size_t steps = length ? sizeof binary / sizeof *binary : sizeof decimal / sizeof *decimal;
    size_t count = 0;
    if (at)
        at[count] = from;
    count++;
    for (int power = -8; power <= (length ? 60 : 9); power++) {
        uint64_t scale = 1;
        for (int i = 0; i < abs(power); i++)
            scale *= base;
        for (size_t i = 0; i < steps; i++) {
            const gfab_ratio mantissa = {(length ? binary : decimal)[i], 1};
            const gfab_ratio number = power < 0 ? advise_divide(mantissa, (gfab_ratio){scale, 1})
                                                : advise_multiply(mantissa, (gfab_ratio){scale, 1});
            if ((length && number.denominator != 1) || gfab_ratio_compare(number, from) <= 0)
                continue;
            if (gfab_ratio_compare(number, to) >= 0) {
                power = 99;
                break;
            }
            if (at)
                at[count] = number;
            count++;
        }
    }
    if (gfab_ratio_compare(from, to) != 0) {
        if (at)
            at[count] = to;
        count++;
    }
    return count;
}

/* ---- series ---- */

/* The series of an advice; a new one where there is none yet. ADVISE_MAX_SERIES where there is no room. */
static size_t series_of(advise_sweep *sweep, const gfab_advice *advice)
{
    size_t i = 0;
    while (i < sweep->count &&
           (sweep->series[i].solver != advice->solver || sweep->series[i].parameters != advice->parameters ||
            sweep->series[i].link_mode != advice->model.link_mode))
        i++;
    if (i == sweep->count && i < ADVISE_MAX_SERIES) {
        sweep->series[i].values = calloc(sweep->points, sizeof *sweep->series[i].values);
        if (!sweep->series[i].values)
            return ADVISE_MAX_SERIES;
        sweep->series[i].solver = advice->solver;
        sweep->series[i].parameters = advice->parameters;
        sweep->series[i].link_mode = advice->model.link_mode;
        sweep->two_modes = sweep->two_modes || advice->model.link_mode != sweep->series[0].link_mode;
        sweep->count++;
    }
    return i;
}

/* The best at a value of r, and its series. */
typedef struct leader {
    gfab_ratio startup;
    gfab_advice advice;
    size_t series;
} leader;

/* Ranks; gives the first, and takes all down as a point, but at NO_POINT. */
#define NO_POINT SIZE_MAX
static int rank_at(advise_sweep *sweep, size_t point, leader *at)
{
    gfab_diag diag = {0, ""};
    const gfab_advice *list;
    size_t count;
    CLI_TRY(cli_told("advise", gfab_adviser_rank(sweep->adviser, at->startup, &list, &count, &diag), NULL, &diag));
    for (size_t i = 0; i < count && list[i].source != GFAB_ADVICE_NONE; i++) {
        const size_t series = series_of(sweep, &list[i]);
        if (series == ADVISE_MAX_SERIES)
            return cli_fail("advise", GFAB_ERR_NO_MEMORY, NULL, NULL);
        if (i == 0) {
            at->advice = list[0];
            at->series = series;
        }
        if (point != NO_POINT && !sweep->series[series].values[point].known)
            sweep->series[series].values[point] = (advise_value){true, list[i]};
    }
    if (count == 0 || list[0].source == GFAB_ADVICE_NONE)
        return cli_error("advise", "nothing to draw: no solver's cost is known for %s here", sweep->topology);
    return CLI_GO_ON;
}

/* Where the lines of two costs meet; false where they do not inside (low, high). */
static bool meet(const gfab_cost *a, const gfab_cost *b, gfab_ratio low, gfab_ratio high, gfab_ratio *at)
{
    const gfab_cost *more = a->startups > b->startups ? a : b, *less = more == a ? b : a;
    const uint64_t up = less->transfers * more->parts, down = more->transfers * less->parts;
    if (more->startups == less->startups || up <= down)
        return false;
    *at = advise_divide(
        (gfab_ratio){(up - down) / divisor_of(up - down, (uint64_t)more->parts * less->parts),
                     (uint64_t)more->parts * less->parts / divisor_of(up - down, (uint64_t)more->parts * less->parts)},
        (gfab_ratio){more->startups - less->startups, 1});
    return gfab_ratio_compare(*at, low) > 0 && gfab_ratio_compare(*at, high) < 0;
}

/* Between two values of r with different firsts: where the two lines meet, unless a third is better there, which then
 * is met by each of them. */
static int find_crossings(advise_sweep *sweep, const leader *low, const leader *high, unsigned depth)
{
    const gfab_cost *a = &low->advice.cost, *b = &high->advice.cost;
    leader middle = {.startup = high->startup};
    gfab_ratio line;
    if (low->series == high->series)
        return CLI_GO_ON;
    if (depth < 24 && meet(a, b, low->startup, high->startup, &middle.startup)) {
        CLI_TRY(rank_at(sweep, NO_POINT, &middle));
        if (gfab_cost_total(a, middle.startup, &line) != GFAB_OK || gfab_ratio_compare(middle.advice.total, line) < 0) {
            CLI_TRY(find_crossings(sweep, low, &middle, depth + 1));
            return find_crossings(sweep, &middle, high, depth + 1);
        }
    }
    if (sweep->crossing_count < ADVISE_MAX_CROSSINGS)
        sweep->crossings[sweep->crossing_count++] = (advise_crossing){middle.startup, low->series, high->series};
    return CLI_GO_ON;
}

/* The lowest lower bound of the models: no curve is below. */
static int find_bound(const gfab_topology *topology, const gfab_model *models, size_t count, gfab_ratio startup,
                      gfab_ratio *least)
{
    for (size_t m = 0; m < count; m++) {
        gfab_cost_bound bound;
        const gfab_progress progress = cli_progress("advise");
        CLI_TRY(cli_told("advise", gfab_bound_cost_best(topology, &models[m], startup, &progress, &bound),
                         "lower bound", NULL));
        if (m == 0 || gfab_ratio_compare(bound.cost, *least) < 0)
            *least = bound.cost;
    }
    return CLI_GO_ON;
}

int advise_sweep_run(const gfab_topology *topology, const gfab_model *models, size_t model_count, gfab_ratio from,
                     gfab_ratio to, advise_sweep *sweep)
{
    sweep->topology = gfab_topology_name(topology);
    sweep->points = round_numbers(sweep->length, from, to, NULL);
    sweep->at = calloc(sweep->points, sizeof *sweep->at);
    sweep->startup = calloc(sweep->points, sizeof *sweep->startup);
    sweep->bound = calloc(sweep->points, sizeof *sweep->bound);
    sweep->first = calloc(sweep->points, sizeof *sweep->first);
    GFAB_FREED leader *leaders = calloc(sweep->points, sizeof *leaders);
    CLI_NEED("advise", sweep->at && sweep->startup && sweep->bound && sweep->first && leaders);
    round_numbers(sweep->length, from, to, sweep->at);
    for (size_t i = 0; i < sweep->points; i++) {
        sweep->startup[i] = sweep->length ? advise_divide(sweep->unit, sweep->at[i]) : sweep->at[i];
        leaders[i].startup = sweep->startup[i];
        CLI_TRY(rank_at(sweep, i, &leaders[i]));
        sweep->first[i] = leaders[i].series;
        CLI_TRY(find_bound(topology, models, model_count, sweep->startup[i], &sweep->bound[i]));
    }
    for (size_t i = 0; i + 1 < sweep->points; i++) {
        const size_t low = sweep->length ? i + 1 : i, high = sweep->length ? i : i + 1;
        const size_t before = sweep->crossing_count;
        CLI_TRY(find_crossings(sweep, &leaders[low], &leaders[high], 0));
        for (size_t a = before, b = sweep->crossing_count; sweep->length && a + 1 < b; a++, b--) {
            const advise_crossing swapped = sweep->crossings[a];
            sweep->crossings[a] = sweep->crossings[b - 1];
            sweep->crossings[b - 1] = swapped;
        }
    }
    return CLI_GO_ON;
}

void advise_sweep_release(advise_sweep *sweep)
{
    for (size_t i = 0; i < sweep->count; i++)
        free(sweep->series[i].values);
    GFAB_FREE(sweep->measured, sweep->at, sweep->startup, sweep->bound, sweep->first);
}

/* ---- measured points ---- */

/* Is series that of "circgo" or "circgo/a=3/b=1"? */
static bool is_named(const advise_series *series, const char *name)
{
    const char *settings = series->parameters;
    const size_t length = strlen(series->solver->name);
    if (strncmp(name, series->solver->name, length) != 0 || name[length] != (settings ? '/' : '\0'))
        return false;
    for (const char *at = name + length + 1; settings; at++, settings++) {
        if (*at != (*settings == ',' ? '/' : *settings))
            return false;
        if (*at == '\0')
            break;
    }
    return true;
}

/* One line; true where it is well made. A solver that the sweep lacks leaves no point. */
static bool read_point(const char *line, advise_sweep *sweep)
{
    char at[40], solver[160], mode[8], time[40], rest[2];
    gfab_link_mode link_mode;
    advise_measured point = {.series = 0};
    if (sscanf(line, "%39[^,],%159[^,],%7[^,],%39[^,\n]%1[^\n]", at, solver, mode, time, rest) != 4 ||
        gfab_ratio_parse(at, &point.at, NULL) != GFAB_OK || gfab_ratio_parse(time, &point.time, NULL) != GFAB_OK ||
        gfab_link_mode_parse(mode, &link_mode, NULL) != GFAB_OK || point.at.numerator == 0 || point.time.numerator == 0)
        return false;
    while (point.series < sweep->count &&
           (!is_named(&sweep->series[point.series], solver) || sweep->series[point.series].link_mode != link_mode))
        point.series++;
    if (point.series < sweep->count && gfab_ratio_compare(point.at, sweep->at[0]) >= 0 &&
        gfab_ratio_compare(point.at, sweep->at[sweep->points - 1]) <= 0)
        sweep->measured[sweep->measured_count++] = point;
    return true;
}

int advise_sweep_measured(const char *path, advise_sweep *sweep)
{
    gfab_text text = {NULL, 0};
    int status = cli_text_read("advise", path, &text);
    if (status == CLI_GO_ON)
        sweep->measured = calloc(ADVISE_MAX_MEASURED, sizeof *sweep->measured);
    if (status == CLI_GO_ON && !sweep->measured)
        status = cli_fail("advise", GFAB_ERR_NO_MEMORY, NULL, NULL);
    size_t number = 1;
    for (char *line = text.bytes, *next; status == CLI_GO_ON && *line; line = next, number++) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        if (number > ADVISE_MAX_MEASURED)
            status = cli_error("advise", "%s: more than %d lines", path, ADVISE_MAX_MEASURED);
        else if (number > 1 && !read_point(line, sweep))
            status =
                cli_error("advise", "%s: line %zu is not X,SOLVER,half|full,TIME with numbers above 0", path, number);
    }
    free(text.bytes);
    return status;
}

/* ---- reports ---- */

gfab_ratio advise_crossing_at(const advise_sweep *sweep, const advise_crossing *crossing)
{
    return sweep->length ? advise_divide(sweep->unit, crossing->startup) : crossing->startup;
}

gfab_ratio advise_time(const advise_sweep *sweep, gfab_ratio total)
{
    const uint64_t divisor = divisor_of(8, sweep->link_bits);
    return sweep->length ? advise_multiply(total, (gfab_ratio){8 / divisor, sweep->link_bits / divisor}) : total;
}

const char *advise_series_name(const advise_sweep *sweep, size_t series, char *text, size_t size)
{
    const advise_series *s = &sweep->series[series];
    snprintf(text, size, "%s%s%s%s%s", s->solver->name, s->parameters ? " " : "", s->parameters ? s->parameters : "",
             sweep->two_modes ? ", " : "", sweep->two_modes ? gfab_link_mode_name(s->link_mode) : "");
    return text;
}

void advise_sweep_print(FILE *file, const advise_sweep *sweep)
{
    char left[160], right[160];
    const size_t last = sweep->points - 1;
    fprintf(file, "%s\n", sweep->length ? "   bytes up to  first" : "       r up to  first");
    for (size_t i = 0; i < sweep->crossing_count; i++) {
        const advise_crossing *c = &sweep->crossings[i];
        fprintf(file, "%14s  %s\n", cli_decimal(advise_crossing_at(sweep, c), 3).text,
                advise_series_name(sweep, sweep->length ? c->above : c->below, left, sizeof left));
    }
    fprintf(file, "%14s  %s\n", cli_decimal(sweep->at[last], 3).text,
            advise_series_name(sweep, sweep->first[last], right, sizeof right));
}

void advise_sweep_csv(FILE *file, const advise_sweep *sweep)
{
    fprintf(file,
            "%sstartup,solver,settings,link_mode,routing,packet_tokens,known_by,startups,transfers,parts,%s,first\n",
            sweep->length ? "bytes," : "", sweep->length ? "cycles_per_byte" : "cost");
    for (size_t i = 0; i < sweep->points; i++) {
        for (size_t s = 0; s < sweep->count; s++) {
            const advise_value *value = &sweep->series[s].values[i];
            const gfab_advice *advice = &value->advice;
            if (!value->known)
                continue;
            if (sweep->length)
                fprintf(file, "%s,", cli_ratio(sweep->at[i]).text);
            fprintf(file, "%s,%s,\"%s\",%s,%s,%u,%s,%llu,%llu,%u,%s,%d\n", cli_decimal(sweep->startup[i], 6).text,
                    advice->solver->name, advice->parameters ? advice->parameters : "",
                    gfab_link_mode_name(advice->model.link_mode), gfab_routing_name(advice->model.routing),
                    advice->model.packet_tokens, advice->source == GFAB_ADVICE_FORMULA ? "formula" : "verified",
                    (unsigned long long)advice->cost.startups, (unsigned long long)advice->cost.transfers,
                    advice->cost.parts, cli_decimal(advise_time(sweep, advice->total), 4).text, s == sweep->first[i]);
        }
    }
}

json_t *advise_sweep_json(const advise_sweep *sweep)
{
    char name[160];
    json_t *object = cli_json_object(), *series = cli_json_array(), *crossings = cli_json_array(),
           *points = cli_json_array();
    CLI_JSON(object, CLI_KEY("over", sweep->length ? "length" : "startup"));
    for (size_t i = 0; i < sweep->points; i++)
        cli_json_append(points, CLI_JSON(cli_json_object(), CLI_KEY(sweep->length ? "bytes" : "startup", sweep->at[i]),
                                         CLI_KEY("bound", advise_time(sweep, sweep->bound[i]))));
    cli_json_set(object, "points", points);
    for (size_t s = 0; s < sweep->count; s++) {
        json_t *entry = cli_json_object(), *times = cli_json_array();
        CLI_JSON(entry, CLI_KEY("solver", sweep->series[s].solver->name),
                 CLI_KEY("settings", sweep->series[s].parameters),
                 CLI_KEY("link_mode", gfab_link_mode_name(sweep->series[s].link_mode)));
        for (size_t i = 0; i < sweep->points; i++) {
            const advise_value *value = &sweep->series[s].values[i];
            cli_json_append(times, value->known ? json_string(cli_ratio(advise_time(sweep, value->advice.total)).text)
                                                : json_null());
        }
        cli_json_set(entry, sweep->length ? "cycles_per_byte" : "costs", times);
        cli_json_append(series, entry);
    }
    cli_json_set(object, "series", series);
    for (size_t i = 0; i < sweep->crossing_count; i++) {
        const advise_crossing *c = &sweep->crossings[i];
        cli_json_append(
            crossings,
            CLI_JSON(
                cli_json_object(), CLI_KEY(sweep->length ? "bytes" : "startup", advise_crossing_at(sweep, c)),
                CLI_KEY("before", advise_series_name(sweep, sweep->length ? c->above : c->below, name, sizeof name)),
                CLI_KEY("after", advise_series_name(sweep, sweep->length ? c->below : c->above, name, sizeof name))));
    }
    cli_json_set(object, "crossings", crossings);
    return object;
}
