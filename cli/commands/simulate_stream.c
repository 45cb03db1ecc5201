/* SPDX-License-Identifier: MIT */
/* simulate --stream: the hosts of a fabric with streams. Each gives its vectors, one behind the other, and takes what
 * comes; every beat that comes out is compared with what the operator makes of those that went in, in the order of the
 * schedule's expression, and so is where vectors end. A host decides in each cycle by what the model's outputs are in
 * it, as registers would, and pauses where the bench of a generated folder does for the same seed (tb_stream.v): both
 * take the same cycles, which the tests of tb/stream compare. */
#include "simulate_stream.h"

#include <stdlib.h>
#include <string.h>

enum { CACHED = 64, MOST_WORDS = 4 };
enum { PATIENCE = 1000000 }; /* cycles in which nothing moves: more than any word is on its way */

typedef struct host {
    bool gives, takes;
    bool offers, ready; /* what it does in this cycle */
    uint32_t node;
    uint64_t given, taken; /* beats of it, over all vectors */
} host;

/* All that is played. */
typedef struct play {
    simulate_stream *s;
    const gfab_timing *timing;
    gfab_operator op;
    host *hosts;
    size_t count;
    uint32_t words; /* of a beat */
    uint32_t late, late_from, late_cycles;
    unsigned pauses;                     /* 0 none, 1 short, 2 long */
    gfab_expression *orders[MOST_WORDS]; /* NULL: nothing is combined */
    size_t terms, bytes;                 /* of all values of a block; of one */
    uint8_t *values;                     /* CACHED blocks of each word */
    uint64_t *known;                     /* which block is there, and one more */
    uint8_t *block, *beat;
    uint64_t cycle, first, last, moved;
} play;

static int out_of_memory(void)
{
    return cli_fail("simulate", GFAB_ERR_NO_MEMORY, NULL, NULL);
}

simulate_stream simulate_stream_default(void)
{
    return (simulate_stream){.fabric = cli_fabric_default(), .beats = 64, .limit_cycles = 65536, .pauses = "none"};
}

void simulate_stream_release(simulate_stream *stream)
{
    cli_fabric_release(&stream->fabric);
}

const cli_rule simulate_stream_rules[] = {
    {.options = "beats pauses late limit", .need = "stream"},
    {.options = "links rounds heat speed", .exclude = "stream store=ring"},
    {.options = "trace vcd", .exclude = "store=ring"},
    CLI_RULES_END,
};

/* The bench's number for three. */
static uint32_t mix(const play *p, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t x = (a * 0x9e3779b1u) ^ (b * 0x85ebca77u) ^ (c * 0xc2b2ae3du) ^ (uint32_t)p->s->seed;
    x = (x ^ (x >> 15)) * 0x2c1b3c6du;
    x = (x ^ (x >> 12)) * 0x297a2d39u;
    return x ^ (x >> 15);
}

static bool is_paused(const play *p, size_t index, uint32_t gives)
{
    const uint32_t at = (uint32_t)p->cycle, number = (uint32_t)index;
    if (p->late_cycles && index == p->late && p->cycle > p->late_from && p->cycle <= p->late_from + p->late_cycles)
        return true;
    return p->pauses == 1   ? mix(p, number, at, gives) % 3 == 0
           : p->pauses == 2 ? mix(p, number, at / 64, gives + 2) % 5 == 0
                            : false;
}

/* Word `word` of a beat that a host gives; beats are counted over all vectors. */
static void make_word(const play *p, uint32_t node, uint64_t beat, uint32_t word, uint8_t *data)
{
    gfab_token_pattern(p->s->seed + beat * p->words + word, node, p->timing->link_bits, data);
}

/* The block of so many flits that a word of the beats from `beat` on is in, of one host. */
static void make_block(const play *p, uint32_t node, uint64_t beat, uint32_t word, uint8_t *block)
{
    const uint64_t end = beat - beat % p->s->beats + p->s->beats; /* of the vector */
    memset(block, 0, p->bytes);
    for (uint32_t flit = 0; flit < p->timing->token_flits && beat + flit < end; flit++) {
        make_word(p, node, beat + flit, word, p->beat);
        cli_copy_bits(block, (size_t)flit * p->timing->link_bits, p->beat, 0, p->timing->link_bits);
    }
}

/* What all terms are for the block that begins with a beat; kept until its place is taken, some CACHED blocks later. */
static const uint8_t *values_of(play *p, uint64_t block_beat, uint32_t word)
{
    const uint64_t vector = block_beat / p->s->beats; /* each begins a block */
    const size_t slot = (block_beat / p->timing->token_flits + vector) % CACHED * p->words + word;
    uint8_t *values = p->values + slot * p->terms * p->bytes;
    if (p->known[slot] == block_beat + 1)
        return values;
    p->known[slot] = block_beat + 1;
    for (size_t i = 0; i < p->count; i++)
        if (p->hosts[i].gives)
            make_block(p, p->hosts[i].node, block_beat, word, values + p->hosts[i].node * p->bytes);
    const gfab_expression *order = p->orders[word];
    for (uint32_t term = 0, left, right; order && term < p->terms; term++)
        if (gfab_expression_term(order, term, &left, &right)) {
            memcpy(values + term * p->bytes, values + left * p->bytes, p->bytes);
            gfab_token_combine(p->op, p->timing->token_bits, values + term * p->bytes, values + right * p->bytes);
        }
    return values;
}

/* Is the beat that comes to a host the one that it should take next? */
static bool is_right(play *p, const host *h, const uint8_t *data, bool last)
{
    const uint32_t bits = p->timing->link_bits, flits = p->timing->token_flits, beats = p->s->beats;
    const bool gathers = p->op == GFAB_OPERATOR_GATHER;
    const uint64_t group = gathers ? h->taken / p->count : h->taken, vector = group / beats;
    const uint64_t in_vector = group % beats, block_beat = vector * beats + in_vector / flits * flits;
    bool right = last == (in_vector == beats - 1 && (!gathers || h->taken % p->count == p->count - 1));
    for (uint32_t word = 0; word < p->words; word++) {
        const uint8_t *values = values_of(p, block_beat, word);
        uint32_t term = gathers ? p->hosts[h->taken % p->count].node : gfab_schedule_goal(p->s->source->schedule).root;
        if (!gathers)
            term = p->orders[word] ? gfab_expression_result(p->orders[word], h->node) : p->hosts[term].node;
        memset(p->block, 0, p->bytes);
        memset(p->beat, 0, p->bytes);
        cli_copy_bits(p->block, 0, values + term * p->bytes, (size_t)(in_vector % flits) * bits, bits);
        cli_copy_bits(p->beat, 0, data, (size_t)word * bits, bits);
        right = right && memcmp(p->block, p->beat, p->bytes) == 0;
    }
    return right;
}

/* Beats that a host takes, if it takes any. */
static uint64_t count_due(const play *p)
{
    return (uint64_t)p->s->vectors * p->s->beats * (p->op == GFAB_OPERATOR_GATHER ? p->count : 1);
}

static void take(play *p, size_t index)
{
    host *h = &p->hosts[index];
    bool last = false;
    const uint8_t *data = gfab_cmodel_taken(p->s->cmodel, index, &last);
    if (h->ready)
        gfab_cmodel_set_take(p->s->cmodel, index);
    if (!data || !h->ready)
        return;
    const bool more = h->takes && h->taken < count_due(p);
    p->s->all_beats++;
    if ((!more || !is_right(p, h, data, last)) && p->s->wrong_beats++ == 0) {
        p->s->wrong_host = (uint32_t)index;
        p->s->wrong_beat = h->taken;
    }
    h->taken++;
    p->last = p->cycle;
    p->moved = more ? p->cycle : p->moved;
}

/* What the host does in this cycle, and will in the next. */
static void step_host(play *p, size_t index)
{
    host *h = &p->hosts[index];
    const bool accepted = h->offers && gfab_cmodel_give_ready(p->s->cmodel, index);
    if (h->offers) {
        const uint32_t bits = p->timing->link_bits;
        memset(p->block, 0, p->bytes);
        for (uint32_t word = 0; word < p->words; word++) {
            make_word(p, h->node, h->given, word, p->beat);
            cli_copy_bits(p->block, (size_t)word * bits, p->beat, 0, bits);
        }
        gfab_cmodel_set_give(p->s->cmodel, index, p->block, h->given % p->s->beats == p->s->beats - 1);
    }
    take(p, index);
    if (accepted) {
        h->given++;
        p->first = p->first ? p->first : p->cycle;
        p->moved = p->cycle;
    }
    if (accepted || !h->offers)
        h->offers = h->gives && h->given < (uint64_t)p->s->vectors * p->s->beats && !is_paused(p, index, 1);
    h->ready = !is_paused(p, index, 0);
}

static uint64_t count_left(const play *p)
{
    const uint64_t due = count_due(p);
    uint64_t left = 0;
    for (size_t i = 0; i < p->count; i++)
        left += p->hosts[i].takes && p->hosts[i].taken < due ? due - p->hosts[i].taken : 0;
    return left;
}

static void note_late(const play *p)
{
    p->s->over_cycle = p->cycle;
    while (p->s->late_host + 1 < p->count && !gfab_cmodel_late(p->s->cmodel, p->s->late_host))
        p->s->late_host++;
}

static int play_all(play *p)
{
    const gfab_progress progress = cli_progress("simulate");
    const uint64_t all = count_left(p);
    uint64_t left = all;
    while (left > 0 || gfab_cmodel_busy(p->s->cmodel)) {
        p->cycle++;
        for (size_t i = 0; i < p->count; i++)
            step_host(p, i);
        p->s->step(p->s->context);
        if (gfab_cmodel_over(p->s->cmodel) && !p->s->over_cycle)
            note_late(p);
        left = count_left(p);
        if (p->cycle % 64 == 0 && progress.report(progress.context, "beats", all - left, all) == 0) {
            cli_progress_end();
            return cli_fail("simulate", GFAB_ERR_INTERRUPTED, NULL, NULL);
        }
        if (p->cycle > p->moved + p->late_cycles + PATIENCE) {
            cli_progress_end();
            cli_error("simulate", "nothing comes any more, and %llu of %llu beats are missing",
                      (unsigned long long)left, (unsigned long long)all);
            return CLI_FAULTY;
        }
    }
    cli_progress_end();
    p->s->cycles = p->last - p->first + 1;
    return CLI_GO_ON;
}

static int read_hosts(play *p)
{
    static const char *const kinds[] = {"none", "short", "long"};
    const simulate_stream *s = p->s;
    while (p->pauses < 3 && strcmp(kinds[p->pauses], s->pauses) != 0)
        p->pauses++;
    if (p->pauses == 3)
        return cli_error("simulate", "--pauses: unknown pauses '%s'; give none, short or long", s->pauses);
    if (!s->late)
        return CLI_GO_ON;
    char rest;
    if (strspn(s->late, "0123456789:") != strlen(s->late) || strlen(s->late) > 20 ||
        sscanf(s->late, "%9u:%9u%c", &p->late, &p->late_cycles, &rest) != 2)
        return cli_error("simulate", "--late '%s': give a host and cycles, such as 3:5000", s->late);
    if (p->late >= p->count)
        return cli_error("simulate", "--late: no host %u; they are 0 to %zu", p->late, p->count - 1);
    p->late_from = mix(p, (uint32_t)s->seed, 5, 5) % 60;
    return CLI_GO_ON;
}

/* Who gives and takes, in which order words are added up, and room for them. */
static int open_play(play *p)
{
    gfab_diag diag = {0, ""};
    const gfab_topology *topology = gfab_machine_topology(p->s->made->machine);
    const gfab_goal goal = gfab_schedule_goal(p->s->source->schedule);
    const size_t nodes = gfab_topology_node_count(topology);
    p->hosts = calloc(p->count, sizeof *p->hosts);
    if (!p->hosts)
        return out_of_memory();
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t node = gfab_topology_member(topology, i);
        const bool gives = gfab_goal_node_holds(&goal, topology, node, 0); /* the root of a broadcast has it already */
        const bool takes =
            gfab_goal_node_wants(&goal, topology, node, 0) && !(gives && goal.collective == GFAB_BROADCAST);
        p->hosts[i] = (host){.node = node, .gives = gives, .takes = takes};
    }
    p->terms = nodes;
    for (uint32_t word = 0;
         word < p->words && p->op != GFAB_OPERATOR_GATHER && gfab_collective_combines(goal.collective); word++) {
        CLI_TRY(cli_told("simulate", gfab_expression_create(p->s->source->schedule, word, &p->orders[word], &diag),
                         NULL, &diag));
        const size_t terms = gfab_expression_term_count(p->orders[word]);
        p->terms = terms > p->terms ? terms : p->terms;
    }
    const size_t flit = (p->timing->link_bits * p->words + 7) / 8, block = (p->timing->token_bits + 7) / 8;
    p->bytes = (flit > block ? flit : block) + 1;
    p->values = calloc(CACHED * p->words * p->terms, p->bytes);
    p->known = calloc(CACHED * p->words, sizeof *p->known);
    p->block = calloc(1, p->bytes);
    p->beat = calloc(1, p->bytes);
    return p->values && p->known && p->block && p->beat ? CLI_GO_ON : out_of_memory();
}

int simulate_stream_play(simulate_stream *stream)
{
    const gfab_layout *layout = gfab_machine_layout(stream->made->machine);
    play p = {.s = stream,
              .timing = gfab_machine_timing(stream->made->machine),
              .op = gfab_layout_operator(layout),
              .count = gfab_topology_member_count(gfab_machine_topology(stream->made->machine)),
              .words = stream->fabric.host_words > 1 ? stream->fabric.host_words : 1};
    int status = read_hosts(&p);
    CLI_THEN(status, open_play(&p));
    if (status == CLI_GO_ON) {
        gfab_cmodel_set_limit(stream->cmodel, stream->limit_cycles);
        status = play_all(&p);
    }
    for (uint32_t word = 0; word < MOST_WORDS; word++)
        gfab_expression_destroy(p.orders[word]);
    GFAB_FREE(p.hosts, p.values, p.known, p.block, p.beat);
    return status;
}

static void print_text(FILE *file, const simulate_stream *stream)
{
    cli_print_topology(file, stream->source->topology);
    cli_print_recognised(file, stream->source);
    cli_print_programs(file, stream->source, stream->made);
    fprintf(file, "vectors      %u of %u beat%s a host; pauses: %s; token seed %llu\n", stream->vectors, stream->beats,
            stream->beats == 1 ? "" : "s", stream->pauses, (unsigned long long)stream->seed);
    fprintf(file, "measured     %llu cycles from the first beat in to the last beat out\n",
            (unsigned long long)stream->cycles);
    if (stream->over_cycle)
        fprintf(file, "time limit   over in cycle %llu, while host %u was waited for\n",
                (unsigned long long)stream->over_cycle, stream->late_host);
    fprintf(file, "beats        %llu of %llu right at the hosts\n",
            (unsigned long long)(stream->all_beats - stream->wrong_beats), (unsigned long long)stream->all_beats);
}

static void print_json(FILE *file, const simulate_stream *stream)
{
    json_t *report = cli_json_report("gossipfab.simulate-stream/1");
    CLI_JSON(report, CLI_KEY("token_seed", stream->seed));
    cli_json_schedule(report, stream->source);
    CLI_JSON(report, CLI_KEY("vectors", stream->vectors), CLI_KEY("beats", stream->beats),
             CLI_KEY("cycles", stream->cycles), CLI_KEY_IF(stream->over_cycle, "time_limit_cycle", stream->over_cycle),
             CLI_KEY_IF(stream->over_cycle, "late_host", stream->late_host),
             CLI_KEY("beats_checked", stream->all_beats), CLI_KEY("beats_wrong", stream->wrong_beats));
    cli_json_print(report, file);
}

int simulate_stream_report(const simulate_stream *stream, FILE *file, bool json)
{
    (json ? print_json : print_text)(file, stream);
    if (stream->wrong_beats == 0)
        return CLI_GOOD;
    cli_error("simulate", "%llu beats are wrong, the first one at host %u: beat %llu",
              (unsigned long long)stream->wrong_beats, stream->wrong_host, (unsigned long long)stream->wrong_beat);
    return CLI_FAULTY;
}
