/* SPDX-License-Identifier: MIT */
/* Private: what the model has of streams of a word a cycle. cmodel_words.c makes it, cmodel_stream_words.c plays it. */
#ifndef GOSSIPFAB_CMODEL_WORDS_H
#define GOSSIPFAB_CMODEL_WORDS_H

#include "cmodel_stream.h"

#include <gossipfab/fabric/flows.h>

/* Words as they came, two, or in a queue more. */
typedef struct skid {
    uint32_t room;
    uint32_t count;
    uint32_t fresh; /* of a queue: those that came in the last cycle, which are not yet to be seen */
    uint32_t first;
    bool *last;
    uint8_t *words;
} skid;

typedef struct flow {
    gfab_stream_flow lanes;
    uint32_t stages;
    bool *valid;  /* behind a stage, but for the last one: */
    bool pending; /* behind that */
    bool *last;
    uint8_t *words; /* of each stage */
    bool advances;  /* in this cycle, and below */
    bool fires;
    bool leaves; /* over all lanes at once */
    bool waits;  /* in the cycle before: some words were here, or one was wanted and none on its way */
    bool waits_next;
    uint64_t wants; /* lanes over which a word is waited for, here or behind */
    uint64_t wants_next;
    uint32_t
        *order;   /* lanes, in the order in which words are combined; with gather, of several lanes: over which each */
    size_t turns; /* word of a group comes, how many there are, */
    size_t turn;  /* and which one is next */
    bool by_turns;
    bool begun_last; /* some word of this group was the last of its host's vector, */
    bool first_last; /* and its first word was */
} flow;

typedef struct host {
    size_t node;
    uint32_t lane;
    bool give_valid, give_last, take_ready;
    uint8_t *give_data;         /* flits of its words */
    uint8_t *beat;              /* what it takes, the words one behind another */
    skid taken[GFAB_MAX_FLOWS]; /* [word], and where it has several: */
    skid given[GFAB_MAX_FLOWS];
    bool room[GFAB_MAX_FLOWS]; /* behind these in this cycle */
} host;

struct cmodel_words {
    size_t hosts, relays;
    uint32_t words; /* of a host's beat */
    uint32_t lanes; /* K, and one for each further word of hosts */
    flow *flows;    /* relay * GFAB_MAX_FLOWS + flow */
    skid *skids;    /* relay * K + lane */
    host *host;
    uint32_t *host_of; /* node * lanes + lane: the host that is there, or UINT32_MAX */
    bool ends_uneven;  /* in this cycle vectors end that are shorter than others */
    bool ended_uneven; /* in the one before */
    bool alternates;   /* as the layout; then */
    bool inwards;      /* in this cycle words go to where all meet, else away from it */
};

/* The lane of a host's relay over which a word of it goes. */
uint32_t gfab_cmodel_words_lane(const gfab_cmodel *cmodel, const host *h, uint32_t word);

#endif
