/* SPDX-License-Identifier: MIT */
/* The one table of what does not go together in a fabric, a row a pair: what is refused, why, and what to give
 * instead. A set of features is a word with a bit for each; the first row of which both bits are set is the refusal.
 * Layouts, the compiler and the generator ask the table, so that a pair is refused with the same words wherever it is
 * noticed. */
#include <gossipfab/fabric/features.h>

static const struct {
    const char *words, *option;
} features[] = {
#define GFAB_X(id, words, option) {words, option},
    GFAB_FABRIC_FEATURES(GFAB_X)
#undef GFAB_X
};

/* What does not go together; all else does. tests/features tries every pair. */
static const gfab_refusal refusals[] = {
#define REFUSED(a, b, why, instead)                      \
    {                                                    \
        GFAB_FEATURE_##a, GFAB_FEATURE_##b, why, instead \
    }
    REFUSED(NARROW, SWITCHES, "a fabric's relay stores what it passes on", "say +relay=V:forward, or +relay=V"),
    REFUSED(WIDE, SWITCHES, "a fabric's relay stores what it passes on", "say +relay=V:forward, or +relay=V"),
    REFUSED(WORD_STREAMS, SWITCHES, "a fabric's relay stores what it passes on", "say +relay=V:forward, or +relay=V"),
    REFUSED(NARROW, WEIGHTS, "a weight is links side by side, whose lanes may find no turns in one store",
            "give --store wide, or leave +weight= out"),
    REFUSED(WIDE, PATHS, "a wide node does not pass flits on", "give --store narrow"),
    REFUSED(WIDE, PARTS, "a wide node does not cut tokens", "give --store narrow"),
    REFUSED(WIDE, ROTATED, "a wide node's lanes have one order", "give --frame auto or absolute"),
    REFUSED(WIDE, CHOICE, "a wide node's flits come in one order, a sum's from below, those to be compared from above",
            "give one operator, or --store narrow"),
    REFUSED(NARROW, CHAINED, "a narrow node combines bits in the cycle in which they come", "give --store wide"),
    REFUSED(PATHS, COMBINING, "a path's writer has no turn in which a word could be added up", "leave --routing out"),
    REFUSED(PROTECTION, TURNED_PADS, "a wire that nobody drives has no check bit", "give --link-mode full"),
    REFUSED(WEIGHTS, SHARED, "nodes that share programs have the same links", "give --frame auto or absolute"),
    REFUSED(BLOCKS, SHARED, "blocks have the same slots in all nodes", "give --frame auto or absolute"),
    REFUSED(BOARD, CHIPS, "no board's file has pins for links to another chip", "leave --board or --chips out"),
    REFUSED(OWN_CLOCKS, HALF_DUPLEX, "nobody says when a link between two clocks is turned round",
            "give --link-mode full"),
    REFUSED(REROUTED, SHARED, "nodes that share a ROM do the same", "generate the fabric with --frame absolute"),
    REFUSED(STREAMS, HALF_DUPLEX, "a host gives and takes over its link at once", "give --link-mode full"),
    REFUSED(STREAMS, COMPARING, "a stream has its blocks' least significant flits first", "give sum, and, or, xor"),
    REFUSED(STREAMS, GAPS, "a stream's block takes every cycle of a round", "leave --gap out"),
    REFUSED(STREAMS, SEVERAL, "a program that loops has no end behind which another begins", "give one collective"),
    REFUSED(STREAMS, BOARD, "a board's host loads blocks and reads them", "leave --board out"),
    REFUSED(STREAMS, CHIPS, "chips would have to agree when a group begins", "leave --chips out"),
    REFUSED(STREAMS, OVERLAP, "streams overlap as they are", "leave --axi out"),
    REFUSED(STREAMS, REGISTERS, "registers count gossips", "leave --registers out"),
    REFUSED(STREAMS, REROUTED, "hosts know when each of their blocks goes", "generate the fabric anew"),
    REFUSED(WORD_STREAMS, WEIGHTS, "a tree goes over each link once", "leave +weight= out"),
    REFUSED(WORD_STREAMS, LATENCY, "there would have to be room for what is on a link", "leave --link-latency out"),
    REFUSED(WORD_STREAMS, GAPS, "a word takes every cycle", "leave --gap out"),
    REFUSED(WORD_STREAMS, BLOCK_ROMS, "there is no program to keep", "give --rom logic"),
    REFUSED(WORD_STREAMS, SEVERAL, "what a node does is wired", "give one collective"),
    REFUSED(WORD_STREAMS, BOARD, "a board's host loads blocks and reads them", "leave --board out"),
    REFUSED(WORD_STREAMS, CHIPS, "pads are for words without handshakes", "leave --chips out"),
    REFUSED(WORD_STREAMS, OVERLAP, "streams overlap as they are", "leave --axi out"),
    REFUSED(WORD_STREAMS, REGISTERS, "registers count gossips", "leave --registers out"),
    REFUSED(WORD_STREAMS, REROUTED, "what a node does is wired", "generate the fabric anew"),
    REFUSED(RING, PATHS, "a node gives to the next one of each ring alone", "leave --routing out"),
    REFUSED(RING, RELAYS, "every node of a ring has a token", "leave +relay= out"),
    REFUSED(RING, WEIGHTS, "a ring goes over each link once", "leave +weight= out"),
    REFUSED(RING, STREAMS, "nodes are loaded and read", "leave --stream out"),
    REFUSED(RING, WORD_STREAMS, "nodes are loaded and read", "leave --stream out"),
    REFUSED(RING, BLOCKS, "what goes around is a token of every node, or blocks that all nodes combine",
            "give all-gather, all-reduce or reduce-scatter, or --store narrow"),
    REFUSED(RING, CHOICE, "operators are wired", "give one operator, or --store narrow"),
    REFUSED(RING, CHAINED, "a node combines in the cycle in which a word comes", "give --store wide"),
    REFUSED(RING, SEVERAL, "what a node does is wired", "give one collective"),
    REFUSED(RING, GAPS, "a word takes every cycle", "leave --gap out"),
    REFUSED(RING, LATENCY, "a step is as long as a hop without registers on links", "leave --link-latency out"),
    REFUSED(RING_COMBINING, PROTECTION, "what goes around is new in every node, and has no check bits",
            "leave --protect out, or give --store narrow"),
    REFUSED(RING, SHARED, "distances along a ring are the numbering", "leave --frame out"),
    REFUSED(RING, BLOCK_ROMS, "there is no program to keep", "leave --rom out"),
    REFUSED(RING, CHIPS, "one counter is for all nodes", "leave --chips out"),
    REFUSED(RING, BOARD, "a board's host loads and reads whole words of tokens", "leave --board out"),
    REFUSED(RING, OVERLAP, "there is one store a node", "leave --axi out"),
    REFUSED(RING, REGISTERS, "they stand before AXI4-Streams, which a ring fabric lacks", "leave --registers out"),
    REFUSED(RING, REROUTED, "what a node does is wired", "generate the fabric anew"),
#undef REFUSED
};

_Static_assert(GFAB_FEATURES <= 8 * sizeof(gfab_features), "a set has a bit for each feature");

const char *gfab_feature_words(gfab_feature feature)
{
    return (unsigned)feature < GFAB_FEATURES ? features[feature].words : NULL;
}

const char *gfab_feature_option(gfab_feature feature)
{
    return (unsigned)feature < GFAB_FEATURES ? features[feature].option : NULL;
}

const gfab_refusal *gfab_refusal_at(size_t index)
{
    return index < sizeof refusals / sizeof *refusals ? &refusals[index] : NULL;
}

const gfab_refusal *gfab_features_refusal(gfab_features set)
{
    const gfab_refusal *row;
    for (size_t i = 0; (row = gfab_refusal_at(i)); i++)
        if (set >> row->a & set >> row->b & 1)
            return row;
    return NULL;
}

gfab_status gfab_features_check(gfab_features set, gfab_diag *diag)
{
    const gfab_refusal *row = gfab_features_refusal(set);
    return row ? GFAB_REFUSE(diag, "%s: not with %s, since %s; %s", features[row->a].words, features[row->b].words,
                             row->why, row->instead)
               : GFAB_OK;
}
