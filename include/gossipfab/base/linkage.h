/* SPDX-License-Identifier: MIT */
/* The names of these headers are C's, in C++ too: a header's declarations stand between the two. */
#ifndef GOSSIPFAB_LINKAGE_H
#define GOSSIPFAB_LINKAGE_H

#ifdef __cplusplus
#define GFAB_C_BEGIN extern "C" {
#define GFAB_C_END }
#else
#define GFAB_C_BEGIN
#define GFAB_C_END
#endif

#endif
