/* SPDX-License-Identifier: MIT */
/* Private: hosts that give and take streams, as the rest of the model sees them. rtl/stream/. */
#ifndef GOSSIPFAB_CMODEL_STREAM_H
#define GOSSIPFAB_CMODEL_STREAM_H

#include "cmodel_state.h"

/* Of a machine whose layout has streams; NO_MEMORY. */
gfab_status gfab_cmodel_streams_create(gfab_cmodel *cmodel, const gfab_image *image);
void gfab_cmodel_streams_reset(gfab_cmodel *cmodel);
/* Does the fabric start, in a cycle in which it can? */
bool gfab_cmodel_streams_start(const gfab_cmodel *cmodel);
/* Behind the turn of the cycle and the stores' accesses, of a busy fabric or, with no turn, of another: what hosts send
 * and get in it, and the clock edge of all that is theirs. */
void gfab_cmodel_streams_step(gfab_cmodel *cmodel, const turn *now);
/* Does the program go on with its first round, as it was known in the cycle before? */
bool gfab_cmodel_streams_more(const gfab_cmodel *cmodel);
/* Does the node, where it is a host, send in a period? True for other nodes. */
bool gfab_cmodel_streams_sends(const gfab_cmodel *cmodel, size_t node, size_t period);

/* The time limit of either kind of streams; the model's arena fails where there is no memory. */
void gfab_cmodel_limit_create(gfab_cmodel *cmodel, size_t hosts);
void gfab_cmodel_limit_reset(gfab_cmodel *cmodel);
/* Its clock edge, before that of the hosts: words wait, and a host gives or takes one; is there one for the host to
 * take, and does it lack one to give? */
typedef bool gfab_host_is(const gfab_cmodel *cmodel, size_t host);
void gfab_cmodel_limit_step(gfab_cmodel *cmodel, bool waits, bool moves, gfab_host_is *is_untaken, gfab_host_is *lacks);

/* Streams of a word a cycle: all of the model, cmodel_stream_words.c. Create: also gfab_image_flows' errors. */
gfab_status gfab_cmodel_words_create(gfab_cmodel *cmodel, const gfab_image *image);
void gfab_cmodel_words_step(gfab_cmodel *cmodel);
void gfab_cmodel_words_give(gfab_cmodel *cmodel, size_t index, const uint8_t *data, bool last);
void gfab_cmodel_words_take(gfab_cmodel *cmodel, size_t index);
bool gfab_cmodel_words_give_ready(const gfab_cmodel *cmodel, size_t index);
const uint8_t *gfab_cmodel_words_taken(const gfab_cmodel *cmodel, size_t index, bool *last);
/* What an end of a link puts out; NULL: nothing. */
const uint8_t *gfab_cmodel_words_end(const gfab_cmodel *cmodel, size_t link, uint32_t end);

#endif
