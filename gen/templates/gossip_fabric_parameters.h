@# SPDX-License-Identifier: MIT
// @BANNER@
// What the generator writes is yours; the modules in rtl/ are under the MIT licence.
#ifndef GOSSIP_FABRIC_PARAMETERS_H
#define GOSSIP_FABRIC_PARAMETERS_H
@FOR NUMBERS@
#define GF_@NAME@ @VALUE@ // @MEANING@
@END@
#define GF_ALIVE "@ALIVE@" // 1 for each node that takes part, node 0 last
#endif
