/* SPDX-License-Identifier: MIT */
/* How what a function holds of a fabric ends, for GFAB_AT_END; private to core. */
#ifndef GOSSIPFAB_FABRIC_ENDS_H
#define GOSSIPFAB_FABRIC_ENDS_H

#include <gossipfab/fabric/banks.h>
#include <gossipfab/fabric/image.h>
#include <gossipfab/fabric/layout.h>
#include <gossipfab/fabric/machine.h>
#include <gossipfab/fabric/program.h>

GFAB_ENDS_BY(gfab_banks_destroy, gfab_banks)
GFAB_ENDS_BY(gfab_image_destroy, gfab_image)
GFAB_ENDS_BY(gfab_sharing_destroy, gfab_sharing)
GFAB_ENDS_BY(gfab_layout_destroy, gfab_layout)
GFAB_ENDS_BY(gfab_machine_destroy, gfab_machine)
GFAB_ENDS_BY(gfab_program_destroy, gfab_program)

#endif
