/* SPDX-License-Identifier: MIT */
/* Private: functions that say what a struct has. Their contracts stand where they are declared; here a row each. */
#ifndef GOSSIPFAB_BASE_TELLS_H
#define GOSSIPFAB_BASE_TELLS_H

/* Defines the function of this name, which gives a member of a struct of this type:
 *
 *     GFAB_TELLS(uint32_t, gfab_layout_parts, gfab_layout, options.parts) */
#define GFAB_TELLS(result, name, type, member) \
    result name(const type *of)                \
    {                                          \
        return of->member;                     \
    }

#endif
