/* SPDX-License-Identifier: MIT */
/* Private: what readers of XML share. */
#ifndef GOSSIPFAB_XML_H
#define GOSSIPFAB_XML_H

#include <stddef.h>
#include <string.h>

/* The value of an attribute among Expat's pairs of names and values; NULL where it is not there. */
static inline const char *gfab_xml_attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

#endif
