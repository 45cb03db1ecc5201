/* SPDX-License-Identifier: MIT */
/* Private: how machines are kept. */
#ifndef GOSSIPFAB_MACHINE_INTERNAL_H
#define GOSSIPFAB_MACHINE_INTERNAL_H

#include <gossipfab/fabric/machine.h>

struct gfab_machine {
    gfab_timing timing;
    const gfab_layout *layout;
    const gfab_image *image;
    const gfab_banks *banks;
    gfab_sharing *sharing;
    gfab_machine_program programs[GFAB_MAX_PROGRAMS];
    size_t program_count;
    /* What is its own of these; NULL where it is borrowed. */
    gfab_layout *own_layout;
    gfab_image *own_image;
    gfab_banks *own_banks;
    gfab_message *messages[GFAB_MAX_PROGRAMS];
    size_t message_count[GFAB_MAX_PROGRAMS];
};

/* The parts, once a machine has been made of them, become its own. */
void gfab_machine_own(gfab_machine *machine, gfab_layout *layout, gfab_image *image, gfab_banks *banks);
void gfab_machine_own_messages(gfab_machine *machine, size_t program, gfab_message *messages, size_t count);

#endif
