/* SPDX-License-Identifier: MIT */
/* Private: the part of gfab_image_check that is about paths. */
#ifndef GOSSIPFAB_IMAGE_CHECK_H
#define GOSSIPFAB_IMAGE_CHECK_H

#include <gossipfab/fabric/image.h>

/* Rule 7 of docs/reference/rom-format.md, for ops that keep rules 1 to 3 and a halt in round `halt`. FAULT; NO_MEMORY.
 * */
gfab_status gfab_check_paths(const gfab_image *image, const gfab_timing *timing, size_t halt, gfab_diag *diag);

#endif
