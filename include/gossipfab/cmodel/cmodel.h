/* SPDX-License-Identifier: MIT */
/* The C model of the fabric: the same machine as rtl/, cycle for cycle and bit
 * for bit. It executes the ROM images and knows nothing of schedules. */
#ifndef GOSSIPFAB_CMODEL_H
#define GOSSIPFAB_CMODEL_H

#include <gossipfab/fabric/machine.h>

GFAB_C_BEGIN

typedef struct gfab_cmodel gfab_cmodel;

/* Narrow or wide. The machine's layout and wide programs are borrowed, the words of its image copied: a machine that
 * owns them must outlive the model. NO_MEMORY; INTERRUPTED by progress, which may be NULL. */
gfab_status gfab_cmodel_create(const gfab_machine *machine, const gfab_progress *progress, gfab_cmodel **cmodel);
void gfab_cmodel_destroy(gfab_cmodel *cmodel);

/* Inputs of the coming cycle. They are sampled by the next gfab_cmodel_step and then fall back to 0. */
void gfab_cmodel_set_reset(gfab_cmodel *cmodel, bool reset);
void gfab_cmodel_set_start(gfab_cmodel *cmodel, bool start);
/* Of a fabric of several programs: which one a start plays that comes one step later, or more, as with i_program; stays
 * until it is changed, 0 after create. A number that there is none of stands for 0. */
void gfab_cmodel_set_program(gfab_cmodel *cmodel, size_t program);
/* Of a fabric of all operators: with which one it combines from the next start on, sum .. umax; sum after create. Has
 * no effect on another fabric. */
void gfab_cmodel_set_operator(gfab_cmodel *cmodel, gfab_operator op);

/* An operator of the user's, as the module <name>_operator is in hardware: *total becomes what it makes of *total, the
 * first operand, and *flit, the second. Both are flits of so many bits, little-endian; bits of the last byte past them
 * are 0 and stay so. It keeps nothing from one call to the next. */
typedef void (*gfab_operator_fn)(void *context, uint32_t bits, uint8_t *total, const uint8_t *flit);
/* That of BFLOAT16, context unused: the sum of each pair of bfloat16 numbers, of bits / 16 of them. */
void gfab_bfloat16_sums(void *context, uint32_t bits, uint8_t *total, const uint8_t *flit);
/* The bfloat16 number nearest to a + b, of two equally near ones the one whose last bit is 0; subnormal numbers are as
 * good as others. Any NaN is 0x7fc0: of a NaN and of infinities of different signs. 0 is -0 if both are, else +0. */
uint16_t gfab_bfloat16_sum(uint16_t a, uint16_t b);
/* The same of float32 numbers, of which the NaN is 0x7fc00000; bits / 32 of them. */
void gfab_float32_sums(void *context, uint32_t bits, uint8_t *total, const uint8_t *flit);
/* With what a fabric of operator USER, or BFLOAT16, combines; gfab_bfloat16_sums after create. context is handed to it
 * each time, and may be NULL. */
void gfab_cmodel_set_user_operator(gfab_cmodel *cmodel, gfab_operator_fn user_operator, void *context);
/* Loads a word of node's own token: number part * words + its number in the part (0..words-1), or of a block: number
 * block * words + its number in the block, where in wide nodes the block's number is its load entry
 * (gfab_banks_first_load and gfab_goal_held). data is ceil(word_bits / 8) bytes, little-endian, bits past word_bits
 * ignored. Has no effect while busy, as in the RTL. */
void gfab_cmodel_set_load(gfab_cmodel *cmodel, size_t node, uint32_t word, const uint8_t *data);

/* With streams, hosts by rank: what a host offers in the coming cycle, a beat (a flit, or of a word a cycle its words
 * one behind another; little-endian, bits past it ignored), the last of a vector or not; that it would take a beat.
 * Then such a fabric starts by itself. */
void gfab_cmodel_set_give(gfab_cmodel *cmodel, size_t host, const uint8_t *data, bool last);
void gfab_cmodel_set_take(gfab_cmodel *cmodel, size_t host);
/* Their time limit, as the parameter LIMIT of the top; 0, which it is after create: none. */
void gfab_cmodel_set_limit(gfab_cmodel *cmodel, uint32_t cycles);

/* One clock edge, all nodes. */
void gfab_cmodel_step(gfab_cmodel *cmodel);

/* Outputs after the last edge: the values the RTL's outputs have in the cycle that now runs. */
bool gfab_cmodel_busy(const gfab_cmodel *cmodel);
bool gfab_cmodel_done(const gfab_cmodel *cmodel);
/* With streams: is what a host offers taken; what there is for it to take, borrowed until the next step, NULL: nothing,
 * and whether it is the last of a vector. */
bool gfab_cmodel_give_ready(const gfab_cmodel *cmodel, size_t host);
const uint8_t *gfab_cmodel_taken(const gfab_cmodel *cmodel, size_t host, bool *last);
/* What is wrong, until the reset: the time limit is over; then hosts that are waited for; of streams of a word a cycle
 * vectors of one operation had different lengths. */
bool gfab_cmodel_over(const gfab_cmodel *cmodel);
bool gfab_cmodel_late(const gfab_cmodel *cmodel, size_t host);
bool gfab_cmodel_uneven(const gfab_cmodel *cmodel);
/* What is on link's wires (little-endian bytes, borrowed until the next step), and whether end 0 or 1 drives it. Where
 * each direction has wires of its own, end_data is what an end puts out, at its side of the link's registers. */
const uint8_t *gfab_cmodel_link_data(const gfab_cmodel *cmodel, size_t link);
const uint8_t *gfab_cmodel_end_data(const gfab_cmodel *cmodel, size_t link, uint32_t end);
bool gfab_cmodel_link_drive(const gfab_cmodel *cmodel, size_t link, uint32_t end);
/* With streams of a word a cycle: is what an end puts out taken, if it puts out something? Behind the topology's links
 * are those of hosts' words 1, by rank, then those of words 2, .. */
bool gfab_cmodel_link_ready(const gfab_cmodel *cmodel, size_t link, uint32_t end);
/* Narrow nodes: the write port of node's store in this cycle (the write is done by the next edge). Does not include
 * host loads. */
bool gfab_cmodel_write(const gfab_cmodel *cmodel, size_t node, uint32_t *slot, uint32_t *word, const uint8_t **data);
/* The same for a bank of a wide node; round is the token's address. */
bool gfab_cmodel_bank_write(const gfab_cmodel *cmodel, size_t node, uint32_t bank, uint32_t *round, uint32_t *word,
                            const uint8_t **data);
/* The store: word `word` of slot `slot` of node, ceil(word_bits / 8) bytes, borrowed. In wide nodes of a fabric with
 * blocks a slot is a place entry (gfab_banks_first_place and gfab_goal_wanted). A narrow node's RAM has the next power
 * of two of slots, 2 or more, from gfab_layout_node_slots on: a higher number, also an op's or of a word that is
 * loaded, is taken modulo that. */
const uint8_t *gfab_cmodel_store(const gfab_cmodel *cmodel, size_t node, uint32_t slot, uint32_t word);

/* Whole-token conveniences on top: token is ceil(token_bits / 8) bytes, little-endian; origin is the node it started
 * at. load_token performs all of a token's loads directly into the store of an idle fabric without a clock edge;
 * INVALID while busy, for no such node, and for a relay. */
gfab_status gfab_cmodel_load_token(gfab_cmodel *cmodel, size_t node, const uint8_t *token);
/* The same for a block, where the fabric has blocks, of the program that is set; also INVALID for no such block, and in
 * wide nodes, and where slots are reused (gfab_layout_reuses_slots), for one that node does not start with. Wherever
 * there are blocks load_token is INVALID. */
gfab_status gfab_cmodel_load_block(gfab_cmodel *cmodel, size_t node, uint32_t block, const uint8_t *token);
/* origin: or the block; one that node wants, in the program that is set, in wide nodes, and where slots are reused. */
void gfab_cmodel_read_token(const gfab_cmodel *cmodel, size_t node, uint32_t origin, uint8_t *token);
/* Start, after a step where another program has been chosen, then step until done. *cycles: edges from the one that
 * sampled start to the one that sampled done, both ends counted as docs/reference/fabric-timing.md does. FAULT if done
 * does not come within limit_cycles. */
gfab_status gfab_cmodel_run(gfab_cmodel *cmodel, uint64_t limit_cycles, const gfab_progress *progress,
                            uint64_t *cycles);

/* Uses so far: cycles in which each end of a link drove, counted since create. */
uint64_t gfab_cmodel_link_use_cycles(const gfab_cmodel *cmodel, size_t link, uint32_t end);

/* What an operator, neither ALL nor USER, makes of two tokens of so many bits, little-endian: *total of *total and
 * *token. */
void gfab_token_combine(gfab_operator op, uint32_t token_bits, uint8_t *total, const uint8_t *token);

/* The token test pattern used by every bench: bytes of token `node` from a seed. bytes = ceil(token_bits / 8). */
void gfab_token_pattern(uint64_t seed, uint32_t node, uint32_t token_bits, uint8_t *token);

GFAB_C_END
#endif
