/* SPDX-License-Identifier: MIT */
/* Which options a command's help shows at first, and which stand behind a topic. The table names the options of each
 * topic; what it does not name is shown at first, so that a new option needs no row. `gossipfab help TOPIC` explains a
 * topic and shows its options. */
#include "help/help.h"

#include <string.h>

/* Of the options a name stands for that of every command, VERB/name for that of one, which goes before. With a plus the
 * option is shown at first, too. */
static const cli_topic topics[] = {
    {"solver", "schedule", "How a schedule is found",
     "auto takes what is best for the graph, so that most people need none of these. A solver that chooses at random\n"
     "finds other schedules with another seed, and more effort may find a shorter one.",
     "+solver solver-seed solver-options effort rounds startup recognise solvers run-nodes checkpoint-seconds "
     "advise/effort"},
    {"collective", "schedule", "What is exchanged",
     "A collective works on a vector of blocks. An all-gather has one block a node, a broadcast as many as you say:\n"
     "gossipfab schedule mesh:4x4 -c broadcast --blocks 8 --root 5",
     "+collective blocks root idempotent load broadcast-from one-bracket bracket granule"},
    {"model", "schedule", "What links and nodes can do in a round",
     "By default a link carries one token one way in a round, and a node uses all its links. In a full-duplex network\n"
     "of nodes that use one link at a time: --link-mode full --port-mode one",
     "+link-mode port-mode packet-tokens routing hop-rounds"},
    {"proof", "schedule", "Proofs that a schedule is optimal",
     "A SAT solver shows that no schedule has one round less: gossipfab schedule path:5 --port-mode one --prove",
     "+prove translations proof cnf"},
    {"widths", "generate", "How wide and how fast links, tokens and sums are",
     "A link of L bits carries a token of W bits in W / L cycles. A 4x4 mesh with W = 32 and L = 2 takes 10 rounds of\n"
     "16 cycles, and 6 more. Wider links take fewer cycles and more area.",
     "+token-bits +link-bits +store operator operator-latency link-latency gap frame"},
    {"ports", "generate", "How a fabric is wired into a design",
     "Every folder has plain ports and AXI4-Streams. These options add tops, and change what they do.",
     "+name +stream ports axi registers host host-words"},
    {"hosts", "simulate", "What hosts of streams do in a simulation",
     "An example: gossipfab simulate mesh:4x4 -c all-reduce --stream --token-bits 32 --link-bits 32 --pauses short",
     "beats pauses late limit"},
    {"chips", "generate", "Fabrics on one chip or several",
     "On one chip links are free, and the fabric can be chosen: gossipfab generate --nodes 16 -o out\n"
     "Four chips, each with a 2x2 part of a 4x4 mesh:\n"
     "gossipfab generate mesh:4x4 --chips 2x2 --link-latency 2 --gap 4 -o chips",
     "nodes chips clocks"},
    {"one-chip", "advise", "Which fabric on one chip, where links are free",
     "An example: gossipfab advise --chip 16 --token-bits 32", "+chip part"},
    {"programs", "generate", "The ROMs with the programs, and what guards them",
     "Room in the ROMs, so that another schedule can be put there when a link has died; and flipped bits noticed.",
     "protect rom rom-rounds relay-slots token-seed"},
    {"curves", "advise", "Curves over the length of a message",
     "An example: gossipfab advise cycle:64 --sweep length --startup-cycles 1000 --link-bits 8 --svg ring.svg",
     "+sweep +svg +csv startup-cycles from to measured"},
    {"plans", "advise", "Plans for a runtime, one for each range of lengths",
     "An example: gossipfab advise machine:h100x2 --bytes 16KB,4MB,64MB --bandwidth 25 --latency 2 --plans plans",
     "plans plan-format"},
    {"waves", "simulate", "What a simulation writes beside its report",
     "An example: gossipfab simulate mesh:8x8 --vcd gossip.vcd, and then gtkwave gossip.vcd",
     "+vcd trace heat links speed repeat simulate/rounds simulate/token-seed"},
};

/* These are common in the commands named, though a topic has options of that name. */
static const char always[] = "advise/startup bound/startup verify/startup prove/rounds show/rounds search/rounds "
                             "search/effort search/solver-options prove/effort verify/one-bracket measure/port-mode "
                             "run/granule board/operator schedule/blocks schedule/root schedule/port-mode";

const cli_topic *cli_topic_at(size_t index)
{
    return index < sizeof topics / sizeof *topics ? &topics[index] : NULL;
}

const cli_topic *cli_topic_find(const char *name)
{
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
        if (strcmp(topics[i].name, name) == 0)
            return &topics[i];
    return NULL;
}

/* Is the command's option in the list? *first: with a plus. */
static bool is_listed(const char *list, const char *verb, const char *option, bool scoped, bool *first)
{
    for (size_t length; *list != '\0'; list += length + strspn(list + length, " ")) {
        length = strcspn(list, " ");
        const bool plus = *list == '+';
        const char *name = list + plus, *slash = memchr(name, '/', length - plus);
        const char *own = slash ? slash + 1 : name;
        const size_t size = (size_t)(list + length - own);
        if (!slash == scoped || strlen(option) != size || memcmp(option, own, size) != 0)
            continue;
        if (slash && (strlen(verb) != (size_t)(slash - name) || memcmp(verb, name, strlen(verb)) != 0))
            continue;
        *first = plus;
        return true;
    }
    return false;
}

const cli_topic *cli_topic_of(const char *verb, const char *option, bool *first)
{
    *first = true;
    if (is_listed(always, verb, option, true, first)) {
        *first = true;
        return NULL;
    }
    for (int scoped = 1; scoped >= 0; scoped--)
        for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
            if (is_listed(topics[i].options, verb, option, scoped, first))
                return &topics[i];
    *first = true;
    return NULL;
}
