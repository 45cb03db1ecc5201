/* SPDX-License-Identifier: MIT */
/* The part of `bound` that is about long vectors: the best rate, its certificate as a file, and the check of such a
 * file that somebody else has written. Rates and certificates are the library's (core/rate/). What is added here is
 * units: a rate is in rounds a block, and with --bytes, --bandwidth and --latency it becomes microseconds. The least
 * time is that of so many startups, and of the transfers that a schedule with so many has, whatever they are. */
#include "rate.h"

#include <math.h>

int cli_rate_check_options(const char *verb, const cli_rate *rate)
{
    if (rate->bytes_given != rate->bandwidth_given)
        return cli_error(verb, "--%s needs --%s: the time is that of so many bytes over links of so many GB/s",
                         rate->bytes_given ? "bytes" : "bandwidth", rate->bytes_given ? "bandwidth" : "bytes");
    if (rate->latency_given && !rate->bytes_given)
        return cli_error(verb, "--latency needs --bytes and --bandwidth");
    if (rate->bandwidth_given && rate->bandwidth.numerator == 0)
        return cli_error(verb, "--bandwidth 0: expected GB/s above 0");
    return CLI_GO_ON;
}

static gfab_status write_certificate(const void *what, FILE *file, gfab_diag *diag)
{
    const void *const *both = what;
    (void)diag;
    return gfab_certificate_write(both[0], both[1], file);
}

static double value(gfab_ratio ratio)
{
    return (double)ratio.numerator / (double)ratio.denominator;
}

/* What so many startups take, with the transfers that a schedule with so many has at least; in microseconds. */
static double time_of(const cli_rate *rate, const gfab_pipeline_bound *pipeline, double latency, uint64_t startups)
{
    gfab_ratio transfers = {0, 1};
    const double vector = (double)rate->bytes / value(rate->bandwidth) / 1000;
    (void)gfab_certificate_rate(&rate->certificate, 1, &transfers);
    double least = fmax(value(transfers), gfab_pipeline_transfers(pipeline, startups));
    if (startups == 1 && rate->startups.single.denominator)
        least = fmax(least, value(rate->startups.single));
    return (double)startups * latency + least * vector;
}

/* Startups and transfers are those of one schedule, so that their bounds add up. More startups may mean fewer
 * transfers; of two or more the time is convex. */
static gfab_status find_least(const cli_source *source, const gfab_goal *goal, const gfab_progress *progress,
                              cli_rate *rate)
{
    gfab_model model = source->model;
    gfab_pipeline_bound pipeline = {0};
    gfab_ratio transfers;
    const double latency = rate->latency_given ? value(rate->latency) : 0;
    gfab_status status = gfab_certificate_rate(&rate->certificate, 1, &transfers);
    if (rate->circuits)
        model.routing = GFAB_ROUTING_CIRCUIT;
    GFAB_THEN(status, gfab_bound_startups(source->topology, &model, goal, progress, &rate->startups));
    GFAB_THEN(status, gfab_bound_pipeline(source->topology, &model, goal, &rate->certificate, &pipeline));
    if (status != GFAB_OK)
        return status;
    const uint64_t least = rate->startups.startups;
    uint64_t low = least > 1 ? least : 2, high = (uint64_t)1 << 40;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (time_of(rate, &pipeline, latency, middle + 1) < time_of(rate, &pipeline, latency, middle))
            low = middle + 1;
        else
            high = middle;
    }
    rate->least = time_of(rate, &pipeline, latency, low);
    if (least < 2)
        rate->least = fmin(rate->least, time_of(rate, &pipeline, latency, 1));
    return GFAB_OK;
}

int cli_rate_find(const char *verb, const cli_source *source, const gfab_goal *goal, cli_rate *rate)
{
    const gfab_model *model = &source->model;
    const bool wanted = rate->path || rate->bytes_given;
    const bool one = model->port_mode == GFAB_PORT_ONE;
    const bool fits = model->routing == GFAB_ROUTING_STORE_AND_FORWARD && goal->collective != GFAB_ALL_TO_ALL &&
                      goal->collective != GFAB_BARRIER;
    if (!fits && wanted)
        return cli_error(verb, "the best rate is known for store-and-forward, and not of all-to-all and barrier; leave "
                               "--certificate and --bytes out");
    if (!fits)
        return CLI_GO_ON;
    const gfab_progress progress = cli_progress(verb);
    gfab_status status = (one ? gfab_rate_one_port : gfab_rate)(source->topology, model->link_mode, goal, &progress,
                                                                &rate->certificate, &rate->tight);
    rate->found = status == GFAB_OK;
    GFAB_THEN(status, gfab_certificate_rate(&rate->certificate, model->packet_tokens, &rate->rounds));
    if (status == GFAB_OK && rate->bytes_given)
        status = find_least(source, goal, &progress, rate);
    cli_progress_end();
    if ((status == GFAB_ERR_LIMIT || status == GFAB_ERR_UNSUPPORTED) && !wanted) {
        rate->found = false;
        return CLI_GO_ON;
    }
    if (status == GFAB_ERR_UNSUPPORTED && one)
        return cli_error(verb,
                         "the best rate with one port is not known where links are parallel, or nodes with several "
                         "links have switches; give --port-mode all, or leave --certificate and --bytes out");
    if (status != GFAB_OK)
        return cli_fail(verb, status, NULL, NULL);
    const void *const both[] = {source->topology, &rate->certificate};
    return rate->path ? cli_output_write(verb, rate->path, write_certificate, both) : CLI_GO_ON;
}

void cli_rate_print(const gfab_certificate *c, const cli_rate *rate)
{
    if (rate)
        printf("best rate    %s rounds a block of a long vector%s\n", cli_ratio(rate->rounds).text,
               rate->tight ? "; schedules come as near to it as one likes" : " or more");
    if (c->ports)
        printf("certificate  of %u block%s messages weigh %llu, by %u cut%s or partition%s; a round's matching carries "
               "%llu, by weights of nodes and %u odd set%s\n",
               c->goal.blocks, c->goal.blocks == 1 ? "" : "s", (unsigned long long)c->demand, c->ports->terms,
               c->ports->terms == 1 ? "" : "s", c->ports->terms == 1 ? "" : "s", (unsigned long long)c->capacity,
               c->ports->sets, c->ports->sets == 1 ? "" : "s");
    else
        printf("certificate  of %u block%s %llu message%s %s, which carry %llu a round\n", c->goal.blocks,
               c->goal.blocks == 1 ? "" : "s", (unsigned long long)c->demand, c->demand == 1 ? "" : "s",
               c->cut ? "cross a cut from one side, over links" : "go between the parts of a partition, over links",
               (unsigned long long)c->capacity);
    if (rate && rate->bytes_given)
        printf("time         at least %.6g us for %llu bytes: %.6g GB/s of algorithmic bandwidth\n", rate->least,
               (unsigned long long)rate->bytes, (double)rate->bytes / rate->least / 1000);
}

static json_t *certificate_json(const gfab_certificate *c)
{
    json_t *object = cli_json_object();
    CLI_JSON(object, CLI_KEY("kind", c->ports ? "matchings" : c->cut ? "cut" : "partition"));
    if (c->ports)
        CLI_JSON(object, CLI_KEY("terms", c->ports->terms), CLI_KEY("odd_sets", c->ports->sets));
    else
        CLI_JSON(object, CLI_KEY("parts", c->parts));
    CLI_JSON(object, CLI_KEY("blocks", c->goal.blocks), CLI_KEY("demand", c->demand), CLI_KEY("capacity", c->capacity));
    return object;
}

json_t *cli_rate_json(const cli_rate *rate)
{
    if (!rate->found)
        return json_null();
    json_t *object = cli_json_object();
    CLI_JSON(object, CLI_KEY("rounds_a_block", rate->rounds), CLI_KEY("tight", rate->tight),
             CLI_KEY("certificate", certificate_json(&rate->certificate)));
    if (rate->bytes_given) {
        CLI_JSON(object, CLI_KEY("microseconds", json_real(rate->least)),
                 CLI_KEY("gigabytes_a_second", json_real((double)rate->bytes / rate->least / 1000)));
    }
    return object;
}

void cli_rate_release(cli_rate *rate)
{
    gfab_certificate_release(&rate->certificate);
}

int cli_rate_check(const char *verb, const char *path, bool json)
{
    GFAB_AT_END(gfab_topology_at_end) gfab_topology *topology = NULL;
    GFAB_AT_END(gfab_certificate_release) gfab_certificate certificate = {0};
    gfab_diag diag = {0, ""};
    FILE *file;
    CLI_TRY(cli_file_open(verb, path, &file));
    gfab_status status = gfab_certificate_read(file, &topology, &certificate, &diag);
    gfab_text_close(file);
    GFAB_THEN(status, gfab_certificate_check(topology, &certificate, &diag));
    if (status != GFAB_OK) {
        status = cli_fail(verb, status, cli_file_name(path), &diag);
    } else if (json) {
        cli_json_print(CLI_JSON(cli_json_report("gossipfab.certificate/1"),
                                CLI_KEY("topology", cli_json_topology(topology)),
                                CLI_KEY("goal", cli_goal_json(&certificate.goal)),
                                CLI_KEY("link_mode", gfab_link_mode_name(certificate.link_mode)),
                                CLI_KEY("certificate", certificate_json(&certificate))),
                       stdout);
        status = GFAB_OK;
    } else {
        cli_print_topology(stdout, topology);
        printf("collective   %s, %s duplex\n", gfab_collective_name(certificate.goal.collective),
               gfab_link_mode_name(certificate.link_mode));
        cli_rate_print(&certificate, NULL);
        printf("checked      both numbers are what the links and the collective say\n");
    }
    return (int)status;
}
