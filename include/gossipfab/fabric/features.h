/* SPDX-License-Identifier: MIT */
/* What a fabric can be, and what of it does not go together. One table says it, that of core/fabric/features.c:
 * layouts, the compiler and the generator ask it; `gossipfab list features` and docs/reference/features.md show it. */
#ifndef GOSSIPFAB_FEATURES_H
#define GOSSIPFAB_FEATURES_H

#include <gossipfab/base/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

GFAB_C_BEGIN

/* X(ID, what it is called in a message, the option that asks for it) */
#define GFAB_FABRIC_FEATURES(X)                                                                \
    X(NARROW, "narrow nodes", "--store narrow")                                                \
    X(WIDE, "wide nodes", "--store wide")                                                      \
    X(HALF_DUPLEX, "half-duplex links", "--link-mode half")                                    \
    X(PATHS, "packets over several links", "--routing circuit")                                \
    X(PARTS, "tokens in parts", "--solver-options parts=P")                                    \
    X(GAPS, "gaps", "--gap")                                                                   \
    X(LATENCY, "registers on links", "--link-latency")                                         \
    X(PROTECTION, "protection", "--protect detect")                                            \
    X(BLOCKS, "collectives of blocks", "--collective")                                         \
    X(COMBINING, "combining", "--collective all-reduce")                                       \
    X(COMPARING, "an operator that compares, or the choice of all", "--operator min")          \
    X(CHOICE, "the choice of all operators", "--operator all")                                 \
    X(CHAINED, "a chained operator", "--operator bfloat16")                                    \
    X(SEVERAL, "several collectives", "--collective C,C")                                      \
    X(MIXED_ALL_TO_ALL, "an all-to-all beside other collectives", "--collective all-to-all,C") \
    X(SHARED, "nodes that share programs", "--frame relative")                                 \
    X(ROTATED, "slots turned with the node", "--frame rotated")                                \
    X(RELAYS, "relays", "+relay=")                                                             \
    X(SWITCHES, "switches", "+relay=V:switch")                                                 \
    X(WEIGHTS, "weighted links", "+weight=")                                                   \
    X(BOARD, "a board", "--board")                                                             \
    X(SELF_TEST, "a board's self-test", "--host self-test")                                    \
    X(CHIPS, "several chips", "--chips")                                                       \
    X(OWN_CLOCKS, "clocks of their own", "--clocks own")                                       \
    X(TURNED_PADS, "half-duplex links between chips", "--link-mode half --chips")              \
    X(BLOCK_ROMS, "programs in block RAMs", "--rom block")                                     \
    X(OVERLAP, "overlapped streams", "--axi overlap")                                          \
    X(REGISTERS, "registers on a bus", "--registers")                                          \
    X(REROUTED, "programs around what died", "gossipfab reroute")                              \
    X(STREAMS, "streams of any length", "--stream")                                            \
    X(WORD_STREAMS, "streams of a word a cycle", "--stream --store wide")                      \
    X(NARROW_COMBINING, "combining in narrow nodes", "--store narrow --collective all-reduce") \
    X(WIDE_BLOCKS, "collectives of blocks in wide nodes", "--store wide --collective")         \
    X(RING, "a ring fabric", "--store ring")                                                   \
    X(RING_COMBINING, "combining along rings", "--store ring --collective all-reduce")

typedef enum gfab_feature {
#define GFAB_X(id, words, option) GFAB_FEATURE_##id,
    GFAB_FABRIC_FEATURES(GFAB_X)
#undef GFAB_X
        GFAB_FEATURES /* how many there are */
} gfab_feature;

/* A set of features: GFAB_HAS(WIDE) | GFAB_HAS(GAPS). */
typedef uint64_t gfab_features;
#define GFAB_HAS(id) ((gfab_features)1 << GFAB_FEATURE_##id)
/* The set of that feature where it is so, else the empty set. */
#define GFAB_HAS_IF(id, so) ((so) ? GFAB_HAS(id) : 0)

/* "wide nodes"; "--store wide", the option that asks for it. Static; NULL for what is no feature. */
const char *gfab_feature_words(gfab_feature feature);
const char *gfab_feature_option(gfab_feature feature);

/* A row of the table: two features that do not go together. */
typedef struct gfab_refusal {
    gfab_feature a, b;
    const char *why;     /* a clause; static */
    const char *instead; /* what to do: "give --store narrow"; static */
} gfab_refusal;

/* Rows in order; NULL past the end. Static. */
const gfab_refusal *gfab_refusal_at(size_t index);
/* The first row that has both its features in the set; NULL where all of the set goes together. */
const gfab_refusal *gfab_features_refusal(gfab_features set);
/* The same as a status: OK, or UNSUPPORTED with the line "A does not go with B: why; what to do". */
gfab_status gfab_features_check(gfab_features set, gfab_diag *diag);

GFAB_C_END
#endif
