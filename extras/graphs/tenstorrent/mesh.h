/* SPDX-License-Identifier: MIT */
/* Private to the readers of Tenstorrent's mesh graph descriptors: meshes of chips, groups of them, and the links
 * between them. mesh.c has what the two notations share; text.c reads protobuf's, yaml.c the older one. */
#ifndef GOSSIPFAB_TENSTORRENT_MESH_H
#define GOSSIPFAB_TENSTORRENT_MESH_H

#include "graphs/tenstorrent/blocks.h"

enum { GFAB_TT_SIDES = 8 };

/* A mesh, a switch made of chips, or a group of such parts, which stand behind it in the array up to `end`. */
typedef struct gfab_tt_part {
    char kind;            /* 'M', 'S', 'G' */
    gfab_graph_word name; /* of what describes it */
    uint64_t id;
    size_t end;
    size_t first, chips; /* its nodes */
    size_t dealt;        /* links that may end at any of its chips, so far */
} gfab_tt_part;

typedef struct gfab_tt_reader {
    gfab_graph_text *t;
    gfab_graph_links *g;
    gfab_blocks blocks;
    gfab_tt_part *parts;
    size_t count, room;
} gfab_tt_reader;

typedef struct gfab_tt_mesh {
    uint64_t sides[GFAB_TT_SIDES];
    bool ring[GFAB_TT_SIDES];
    size_t dimensions;
    uint32_t channels; /* of a link */
} gfab_tt_mesh;

/* One end of links: a chip, or any chip of a part. */
typedef struct gfab_tt_end {
    size_t part;
    bool any;
    size_t chip; /* of the part, counted from its first */
} gfab_tt_end;

/* The next part inside `parent`, behind `last`, or the first one if `last` is `parent`; as many as there are: none. */
size_t gfab_tt_next(const gfab_tt_reader *r, size_t parent, size_t last);
/* Another part, which has no chip yet. LIMIT. */
gfab_status gfab_tt_part_new(gfab_tt_reader *r, char kind, gfab_graph_word name, uint64_t id);
/* The chips of the part that is the last: they and their links. LIMIT. `path` begins the chips' names; NULL: they have
 * none. */
gfab_status gfab_tt_mesh_link(gfab_tt_reader *r, const gfab_tt_mesh *mesh, const char *path);
/* So many links, one a channel. Where an end is any chip of a part, they are dealt to its chips in turn. */
gfab_status gfab_tt_connect(gfab_tt_reader *r, gfab_tt_end from, gfab_tt_end to, uint64_t channels, bool one_way);

/* The notations. */
gfab_status gfab_tt_read_text(gfab_tt_reader *r);
gfab_status gfab_tt_read_yaml(gfab_tt_reader *r);

#endif
