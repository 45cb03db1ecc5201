/* SPDX-License-Identifier: MIT */
/* Private: the state of the C model, and what its files have for each other, the lowest first.
 *
 * Data are moved a word at a time and bits never shifted: the word that a lane reads in cycle t is on its link in
 * cycles t + 1 + x .. t + K + x (docs/reference/fabric-timing.md) and is stored l cycles after the last of these, so
 * that words and the turns of late say all that is on the wires. Words are strings of bytes, little-endian.
 *
 * A period is the K cycles in which each lane has its turn once; all lanes of a period work on one word of one
 * round. Turns rest in a gap. What the last periods sent is kept: the one that reads, and those before that may still
 * be under way. */
#ifndef GOSSIPFAB_CMODEL_STATE_H
#define GOSSIPFAB_CMODEL_STATE_H

#include <gossipfab/base/arena.h>
#include <gossipfab/cmodel/cmodel.h>

#define NO_ROUND UINT32_MAX

/* Whose turn a cycle was: lane `lane` of the period kept at `period`. */
typedef struct turn {
    bool due;    /* false: nobody's, in a gap or outside a gossip */
    bool begins; /* lane 0's first one in the first round of all, or behind a gap */
    uint32_t lane;
    size_t period;
} turn;

/* What a lane receives over a path, and when: rtl/paths/gfab_path_writer.v. */
typedef struct receiver {
    bool active;
    uint32_t wait;
    uint32_t word;
    uint32_t round;
    size_t period; /* in which the word that comes next was sent */
    size_t from;   /* node * K + lane that sends to it; nodes * K: nobody */
} receiver;

/* One use of a store by a lane in a round: `at` counts words from the store's start to the token's first,
 * `word` is the place in `sent`. A lane that receives from nobody takes the zero word past all lanes. */
typedef struct access {
    size_t at;
    size_t word;
} access;

/* What a round does, lane by lane: entry lane * nodes + i, i < count[lane]. Lane K of the receives is
 * that of the skewed lanes 0, which are a period late. */
typedef struct round_plan {
    access *sends;
    size_t *send_count; /* K */
    access *receives;
    size_t *receive_count; /* K + 1 */
    uint32_t round;        /* from 0; NO_ROUND: none */
    uint64_t start_cycle;  /* of the round, lane 0 */
} round_plan;

/* What a lane keeps from one word of a token to the next where it combines: rtl/combine/gfab_operator.v. */
typedef struct combining {
    bool carry;   /* of a sum */
    bool equal;   /* of a minimum or maximum: so far */
    bool arrived; /* the result is the token that arrives */
} combining;

/* The other end of a lane's link. */
typedef struct lane_peer {
    bool present; /* false: the node does not have the lane */
    bool skewed;  /* lane 0 of a skewed link: receives a period late */
    uint32_t node;
    uint32_t lane;
    uint32_t arc; /* 2 * link + end, of this end */
} lane_peer;

typedef struct cmodel_streams cmodel_streams; /* cmodel_stream.c */
typedef struct cmodel_words cmodel_words;     /* cmodel_stream_words.c */

/* cmodel_stream_limit.c, of fabrics with streams */
typedef struct cmodel_limit {
    size_t hosts;
    uint32_t cycles; /* of the time limit; 0: none */
    bool idle;       /* words wait, and nothing moves, */
    uint32_t time;   /* for so many cycles */
    bool over;
    bool *late;
    bool uneven;
} cmodel_limit;

struct gfab_cmodel {
    gfab_arena arena; /* all that is allocated below */
    const gfab_layout *layout;
    gfab_timing timing;
    size_t nodes;
    size_t links;
    uint32_t slot_count;  /* 2^slot bits: a ROM word cannot name one outside */
    uint32_t round_count; /* rounds kept, the halt's included */
    size_t word_bytes;
    size_t flit_bytes;
    uint32_t halves;         /* of an op */
    uint32_t out_delay;      /* 1 + x: cycles from a lane's turn to the first flit on its link, unless skewed */
    uint32_t write_delay;    /* K + x + l + registered: cycles from a lane's turn to its write */
    size_t period_count;     /* kept */
    size_t turn_count;       /* kept */
    uint32_t period_lanes;   /* cycles of a period: K, or 1 in wide fabrics */
    const gfab_banks *banks; /* NULL: narrow */
    cmodel_streams *streams; /* NULL: nodes are loaded and read */
    cmodel_words *words;     /* streams of a word a cycle: then there is nothing else; else NULL */
    cmodel_limit limit;      /* of either */
    gfab_operator combines;  /* of the fabric; NONE: it does not combine */

    /* constant */
    uint32_t *ops;       /* ((round * nodes + node) * K + lane) * halves + half, each half an op's word */
    uint32_t *gaps;      /* by round */
    bool *halts;         /* by round: the gossip is over */
    bool *loops;         /* by round: with streams, the first may follow it */
    gfab_path *paths;    /* (round * nodes + node) * K + lane; NULL without paths */
    lane_peer *peers;    /* node * K + lane */
    uint32_t *end_lane;  /* 2 * link + end */
    uint32_t *slot_mask; /* by node, narrow: its RAM has a power of two of slots, and a higher number is one of these */

    /* inputs of the coming cycle */
    bool reset;
    bool start;
    size_t program;                 /* of several */
    gfab_operator chosen;           /* for a fabric of all operators */
    gfab_operator_fn user_operator; /* of a chained operator */
    void *user_context;
    uint32_t load_words; /* that the host loads: words of a part times parts, or times blocks */
    uint32_t *load_word; /* by node; load_words: none */
    uint32_t *loading;   /* nodes with a load, load_count of them */
    size_t load_count;
    uint8_t *load_data; /* by node, word_bytes each */

    /* sequencer */
    uint32_t first_rounds[GFAB_MAX_PROGRAMS]; /* of the ROM, from 0 */
    size_t program_count;
    size_t next_program; /* that a start in the coming cycle plays */
    size_t playing;
    bool run;
    bool busy;
    bool done;
    uint64_t cycle;      /* since start */
    uint64_t done_cycle; /* in which done rises; meaningful while busy and not run */
    uint32_t round;      /* of the period that reads, from 0 */
    uint32_t word;
    uint32_t lane;          /* whose turn it is, unless hold */
    uint32_t hold;          /* cycles left of a gap */
    size_t period;          /* that reads: where its entries are kept */
    uint32_t *period_round; /* NO_ROUND: nothing is under way */
    uint8_t *period_plan;   /* which of the plans is that of its round */
    uint32_t *period_word;
    turn *turns;           /* by cycle mod turn_count */
    bool begins;           /* the next turn of lane 0 does */
    uint32_t path_round;   /* whose paths are set; NO_ROUND: none yet */
    uint64_t path_cycle;   /* of that round's first turn */
    uint32_t receive_lane; /* with paths: whose turn to write it is */
    receiver *receivers;   /* with paths: node * K + lane */

    /* nodes */
    uint8_t *store;       /* ((node * slot_count + slot) * words + word) * word_bytes */
    uint8_t *sent;        /* period * (nodes * K + 1) + lane * nodes + node, in words */
    round_plan plans[2];  /* by turns; a fabric that combines lists no receives */
    uint8_t plan;         /* that of the round that reads */
    gfab_operator op;     /* of the run */
    combining *combining; /* node * K + lane; wide: (node * banks + bank) * K + lane; NULL where nothing is combined */
    uint8_t *combined;    /* a word */

    /* observations */
    uint8_t *wires;       /* by end of a link, 2 * link + end, and then by link; filled when asked for */
    uint64_t *use_cycles; /* 2 * link + end: of all rounds planned, those to come included */
};

/* ---- the state, as all parts of the model read it ---- */

/* Whose turn it was so many cycles ago; NULL if nobody's. */
static inline const turn *gfab_cmodel_turn_before(const gfab_cmodel *cmodel, uint64_t cycles_ago)
{
    if (!cmodel->busy || cmodel->cycle < cycles_ago)
        return NULL;
    const turn *then = &cmodel->turns[(cmodel->cycle - cycles_ago) % cmodel->turn_count];
    return then->due ? then : NULL;
}

/* What a lane sends in a round, or does. */
static inline gfab_op gfab_cmodel_op(const gfab_cmodel *cmodel, uint32_t round, size_t node, size_t lane)
{
    const size_t index = ((size_t)round * cmodel->nodes + node) * cmodel->timing.lanes + lane;
    return gfab_op_decode(cmodel->ops[index * cmodel->halves]);
}

/* What it receives, or does. */
static inline gfab_op gfab_cmodel_receive_op(const gfab_cmodel *cmodel, uint32_t round, size_t node, size_t lane)
{
    const size_t index = ((size_t)round * cmodel->nodes + node) * cmodel->timing.lanes + lane;
    return gfab_op_decode(cmodel->ops[index * cmodel->halves + cmodel->halves - 1]);
}

/* Narrow: the slot of a node's RAM that a number means. */
static inline uint32_t gfab_cmodel_slot(const gfab_cmodel *cmodel, size_t node, uint32_t slot)
{
    return slot & cmodel->slot_mask[node];
}

/* Narrow: places in `sent` within a period, of a lane's word and of the zero word past all lanes. */
static inline size_t gfab_cmodel_sent_index(const gfab_cmodel *cmodel, size_t node, size_t lane)
{
    return lane * cmodel->nodes + node;
}

static inline size_t gfab_cmodel_zero_index(const gfab_cmodel *cmodel)
{
    return cmodel->timing.lanes * cmodel->nodes;
}

/* Narrow: the word at such a place, as it was sent in a period. */
static inline uint8_t *gfab_cmodel_sent_at(const gfab_cmodel *cmodel, size_t period, size_t index)
{
    return cmodel->sent + (period * (gfab_cmodel_zero_index(cmodel) + 1) + index) * cmodel->word_bytes;
}

static inline uint8_t *gfab_cmodel_sent_word(const gfab_cmodel *cmodel, size_t period, size_t node, size_t lane)
{
    return gfab_cmodel_sent_at(cmodel, period, gfab_cmodel_sent_index(cmodel, node, lane));
}

static inline const uint8_t *gfab_cmodel_zero_word(const gfab_cmodel *cmodel, size_t period)
{
    return gfab_cmodel_sent_at(cmodel, period, gfab_cmodel_zero_index(cmodel));
}

/* ---- cmodel_combine.c: fabrics that combine ---- */

/* Is a token's most significant word and flit the first? */
bool gfab_cmodel_sends_top_first(const gfab_cmodel *cmodel);
/* The bit of a word that is turned over on the links; UINT32_MAX: none. */
uint32_t gfab_cmodel_top_bit(const gfab_cmodel *cmodel, uint32_t word);
/* result OP= arrived, words of a token that pass in a period. */
void gfab_cmodel_combine_word(const gfab_cmodel *cmodel, size_t period, uint8_t *result, const uint8_t *arrived,
                              combining *state);

/* The word of a token that a period works on. */
static inline uint32_t gfab_cmodel_word_of(const gfab_cmodel *cmodel, size_t period)
{
    const uint32_t number = cmodel->period_word[period];
    return cmodel->combines && gfab_cmodel_sends_top_first(cmodel) ? cmodel->timing.words - 1 - number : number;
}

/* ---- cmodel_bits.c ---- */

/* Sets the bits from to_bit of to where the count bits from from_bit of from are set. */
void gfab_cmodel_or_bits(uint8_t *to, size_t to_bit, const uint8_t *from, size_t from_bit, size_t count);

/* ---- cmodel_wide.c: wide fabrics ---- */

uint8_t *gfab_cmodel_wide_store_word(const gfab_cmodel *cmodel, size_t node, uint32_t slot, uint32_t word);
/* With blocks: where a word of what the node starts with is loaded to, counted over its blocks. */
uint8_t *gfab_cmodel_wide_load_word(const gfab_cmodel *cmodel, size_t node, uint32_t word);
void gfab_cmodel_wide_load(gfab_cmodel *cmodel, size_t node, uint32_t word, const uint8_t *data);
void gfab_cmodel_wide_access(gfab_cmodel *cmodel);
bool gfab_cmodel_wide_drive(const gfab_cmodel *cmodel, size_t link, uint32_t end);
/* Sets in wires what the end puts out. */
void gfab_cmodel_wide_or_end(const gfab_cmodel *cmodel, size_t link, uint32_t end, uint8_t *wires);
uint64_t gfab_cmodel_wide_use_left(const gfab_cmodel *cmodel, size_t link, uint32_t end);

/* ---- cmodel_token.c ---- */

/* Where a word of node's own token, counted over its parts, goes in its store. */
uint8_t *gfab_cmodel_own_word(const gfab_cmodel *cmodel, size_t node, uint32_t word);
/* Bytes of word `word` of slot in node's store. */
uint8_t *gfab_cmodel_store_word(const gfab_cmodel *cmodel, size_t node, uint32_t slot, uint32_t word);

/* ---- cmodel_paths.c: narrow fabrics with paths ---- */

/* Settings and turns to write as they are in the cycle that now begins. */
void gfab_cmodel_move_paths(gfab_cmodel *cmodel);
/* The word that node's lane receives over its path in this cycle, if any: its slot, its number and where it was kept as
 * it was sent. */
bool gfab_cmodel_received_over_path(const gfab_cmodel *cmodel, size_t node, uint32_t *slot, uint32_t *word,
                                    const uint8_t **data);
/* The writes of this cycle, and the next turns of those whose turn it was. */
void gfab_cmodel_write_received(gfab_cmodel *cmodel);
/* The turn whose word is what node's lane puts out in this cycle, its own or one that it passes on: from whose node and
 * lane it is, and which flit of it. NULL if nothing is. */
const turn *gfab_cmodel_put_out(const gfab_cmodel *cmodel, size_t *node, uint32_t *lane, uint32_t *flit);

/* ---- cmodel_node.c: narrow fabrics ---- */

/* Lists what the round does. */
void gfab_cmodel_plan_round(gfab_cmodel *cmodel, uint32_t round);
/* The store accesses of the edge that ends this cycle, of all nodes. */
void gfab_cmodel_access_stores(gfab_cmodel *cmodel);
/* Adds to the uses of links this cycle's. */
void gfab_cmodel_count_uses(gfab_cmodel *cmodel);

#endif
