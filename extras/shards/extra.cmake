# SPDX-License-Identifier: MIT
# A search in numbered pieces, for many machines.
gfab_layer(items
    SOURCES extras/shards/items.c extras/shards/items_text.c
    HEADERS include/gossipfab/solvers/items.h extras/shards/items_internal.h
    USES registry verify)

# Its commands, and what it does in others.
gfab_commands(extras/shards/cli/cmd_merge.c extras/shards/cli/cmd_search.c extras/shards/cli/job.c)
