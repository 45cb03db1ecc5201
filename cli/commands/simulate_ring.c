/* SPDX-License-Identifier: MIT */
/* simulate --store ring: the C model of a ring fabric is loaded, started and read by its host ports alone. What is
 * expected comes from what was loaded: every token in every node, or every total in the nodes that are to have it. */
#include "cli_fabric.h"

#include <string.h>

/* A ring fabric's model, of tokens or of blocks, and what its nodes were loaded with. */
typedef struct player {
    cli_ring_play *play;
    const gfab_ring_fabric *ring;
    gfab_ring_model *gathers;
    gfab_ring_reduce_model *combines;
    uint32_t items;  /* tokens, or blocks with those of padding */
    size_t bytes;    /* of one */
    uint8_t *loaded; /* the tokens; of blocks those of each node, one node after the other */
    uint8_t *total;  /* of a block */
    uint8_t *flit;   /* or a word of flits */
    bool *wrong;     /* which nodes have the item otherwise */
    gfab_arena arena;
} player;
GFAB_HOLDS_ARENA(player)

static void take_bits(const player *p, const uint8_t *item, uint32_t first, uint32_t count, uint8_t *to)
{
    memset(to, 0, (count + 7) / 8);
    if (first < p->ring->token_bits)
        cli_copy_bits(to, 0, item, first, count < p->ring->token_bits - first ? count : p->ring->token_bits - first);
}

/* The ring is the fastest, then the round, as the folder's bench counts them. */
static gfab_ring_block block_of(const gfab_ring_fabric *ring, uint32_t item)
{
    return (gfab_ring_block){item / ring->rings / ring->rounds, item / ring->rings % ring->rounds, item % ring->rings};
}

static void step(player *p)
{
    if (p->combines)
        gfab_ring_reduce_model_step(p->combines);
    else
        gfab_ring_model_step(p->gathers);
}

static bool is_done(const player *p)
{
    return p->combines ? gfab_ring_reduce_model_done(p->combines) : gfab_ring_model_done(p->gathers);
}

static uint8_t *loaded(const player *p, uint32_t node, uint32_t item)
{
    return p->loaded + (p->combines ? (size_t)node * p->items + item : item) * p->bytes;
}

/* A word of its token into each node, or a flit of a block. */
static void load(player *p, uint64_t seed)
{
    const gfab_ring_fabric *ring = p->ring;
    const uint32_t bits = p->combines ? ring->link_bits : ring->rings * ring->flit_width,
                   count = p->combines ? p->items : 1;
    for (uint32_t i = 0; i < (p->combines ? ring->nodes : 1) * p->items; i++)
        gfab_token_pattern(seed, i, ring->token_bits, p->loaded + i * p->bytes);
    for (uint32_t item = 0; item < count; item++)
        for (uint32_t word = 0; word < ring->words; word++) {
            for (uint32_t node = 0; node < ring->nodes; node++) {
                take_bits(p, loaded(p, node, p->combines ? item : node), word * bits, bits, p->flit);
                if (p->combines)
                    gfab_ring_reduce_model_load(p->combines, node, block_of(ring, item), word, p->flit);
                else
                    gfab_ring_model_load(p->gathers, node, word, p->flit);
            }
            step(p);
        }
}

static void run(player *p)
{
    cli_ring_play *play = p->play;
    const uint64_t limit = 2 * p->ring->run_cycles + 1000;
    if (p->combines)
        gfab_ring_reduce_model_start(p->combines);
    else
        gfab_ring_model_start(p->gathers);
    play->cycles = 0;
    do {
        step(p);
        play->cycles++;
    } while (!is_done(p) && play->cycles < limit);
    if (play->cycles_equal) {
        play->cycles_equal = is_done(p) && play->cycles == p->ring->run_cycles;
        play->wrong_cycles = play->cycles;
    }
    step(p); /* it is busy for one more */
}

/* A flit of an item in all nodes; those that have it otherwise are noted. */
static void read_flit(player *p, uint32_t item, uint32_t flit, const uint8_t *right)
{
    const gfab_ring_fabric *ring = p->ring;
    uint8_t *has = p->flit + (ring->flit_width + 7) / 8;
    for (uint32_t node = 0; node < ring->nodes; node++)
        if (p->combines)
            gfab_ring_reduce_model_read(p->combines, node, block_of(ring, item), flit);
        else
            gfab_ring_model_read(p->gathers, node, item, flit / ring->rings, flit % ring->rings);
    for (uint32_t wait = 0; wait < ring->read_wait; wait++)
        step(p);
    take_bits(p, right, flit * ring->flit_width, ring->flit_width, p->flit);
    for (uint32_t node = 0; node < ring->nodes; node++) {
        const uint8_t *data = has;
        if (!p->combines)
            data = gfab_ring_model_read_data(p->gathers, node);
        else if (!gfab_ring_reduce_model_read_data(p->combines, node, has))
            data = NULL;
        p->wrong[node] = p->wrong[node] || !data || memcmp(data, p->flit, (ring->flit_width + 7) / 8) != 0;
    }
}

static void check_item(player *p, uint32_t item)
{
    const gfab_ring_fabric *ring = p->ring;
    const bool home_alone = ring->collective == GFAB_REDUCE_SCATTER;
    memcpy(p->total, loaded(p, 0, item), p->bytes);
    for (uint32_t node = 1; p->combines && node < ring->nodes; node++)
        gfab_token_combine(ring->combines, ring->token_bits, p->total, loaded(p, node, item));
    memset(p->wrong, 0, ring->nodes * sizeof *p->wrong);
    for (uint32_t flit = 0; flit < ring->flits; flit++)
        read_flit(p, item, flit, p->total);
    for (uint32_t node = 0; node < ring->nodes; node++) {
        if (home_alone && block_of(ring, item).home != node)
            continue;
        p->play->all++;
        if (p->wrong[node] && p->play->wrong++ == 0) {
            p->play->wrong_node = node;
            p->play->wrong_item = item;
        }
    }
}

gfab_status cli_ring_play_runs(cli_ring_play *play, const gfab_progress *progress, gfab_diag *diag)
{
    const gfab_ring_fabric *ring = play->ring;
    GFAB_AT_END(player_release) player p = {.play = play, .ring = ring, .bytes = (ring->token_bits + 7) / 8};
    gfab_status status = ring->blocks ? gfab_ring_reduce_model_create(ring, &p.combines, diag)
                                      : gfab_ring_model_create(ring, &p.gathers, diag);
    p.items = ring->blocks ? ring->nodes * ring->rounds * ring->rings : ring->nodes;
    p.loaded = gfab_arena_zeroed2(&p.arena, ring->blocks ? ring->nodes : 1, p.items, p.bytes);
    p.total = gfab_arena_zeroed(&p.arena, 1, p.bytes);
    p.flit = gfab_arena_zeroed2(&p.arena, 2, (size_t)ring->rings * ring->link_bits / 8 + 1, 1);
    p.wrong = gfab_arena_zeroed(&p.arena, ring->nodes, sizeof *p.wrong);
    if (!status && p.arena.failed)
        status = gfab_fail(diag, 0, GFAB_ERR_NO_MEMORY, "out of memory for the tokens of %u nodes", ring->nodes);
    play->cycles_equal = true;
    for (play->gossips = 0; !status && play->gossips < play->repeat; play->gossips++) {
        load(&p, play->seed + play->gossips);
        run(&p);
        for (uint32_t item = 0; !status && item < p.items; item++) {
            check_item(&p, item);
            if (!progress->report(progress->context, "tokens compared", item, p.items))
                status = GFAB_ERR_INTERRUPTED;
        }
    }
    gfab_ring_model_destroy(p.gathers);
    gfab_ring_reduce_model_destroy(p.combines);
    return status;
}

static void print_text(const cli_ring_play *play)
{
    cli_ring_print(play->ring);
    printf("measured     %llu cycles, %s\n", (unsigned long long)play->cycles,
           play->cycles_equal ? "as the formula says" : "NOT what the formula says");
    cli_print_gossips(stdout, play->gossips, play->seed);
    printf("%s       %llu of %llu right in the nodes' stores\n", play->ring->blocks ? "blocks" : "tokens",
           (unsigned long long)(play->all - play->wrong), (unsigned long long)play->all);
}

static void print_json(const cli_ring_play *play)
{
    json_t *report = cli_ring_json(play->ring, "gossipfab.simulate-ring/1", NULL);
    CLI_JSON(report, CLI_KEY("token_seed", play->seed), CLI_KEY("gossips", play->gossips),
             CLI_KEY("cycles", play->cycles), CLI_KEY("cycles_equal_formula", play->cycles_equal),
             CLI_KEY("tokens_checked", play->all), CLI_KEY("tokens_wrong", play->wrong));
    cli_json_print(report, stdout);
}

int cli_ring_simulate(cli_source *source, cli_machine *machine, cli_fabric *fabric, cli_ring_play *play, bool json)
{
    gfab_diag diag = {0, ""};
    gfab_ring_fabric ring;
    const gfab_progress progress = cli_progress("simulate");
    CLI_TRY(cli_ring_plan("simulate", source, machine, fabric, &ring));
    play->ring = &ring;
    const gfab_status status = cli_ring_play_runs(play, &progress, &diag);
    cli_progress_end();
    if (!status)
        (json ? print_json : print_text)(play);
    gfab_ring_fabric_release(&ring);
    if (status)
        return cli_fail("simulate", status, NULL, &diag);
    if (play->wrong)
        cli_error("simulate", "%llu %s are wrong at the end, the first one in node %u: %u",
                  (unsigned long long)play->wrong, ring.blocks ? "blocks" : "tokens", play->wrong_node,
                  play->wrong_item);
    else if (!play->cycles_equal)
        cli_error("simulate", "a run took %llu cycles, the formula says %llu", (unsigned long long)play->wrong_cycles,
                  (unsigned long long)ring.run_cycles);
    return play->wrong || !play->cycles_equal ? CLI_FAULTY : CLI_GOOD;
}
