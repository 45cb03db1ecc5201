/* SPDX-License-Identifier: MIT */
#ifndef GOSSIPFAB_VERSION_H
#define GOSSIPFAB_VERSION_H

#define GFAB_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* The version the library was built as. Static. */
const char *gfab_version(void);

#ifdef __cplusplus
}
#endif
#endif
