@# SPDX-License-Identifier: MIT
/* @BANNER@
 * What the generator writes is yours.
 *
 * The registers of gossip_fabric_registers, of 32 bits each: offsets in bytes, and masks of their parts. */
#ifndef GOSSIP_FABRIC_REGISTERS_H
#define GOSSIP_FABRIC_REGISTERS_H

/* What IDENTITY has. */
#define GOSSIP_FABRIC_IDENTITY_VALUE 0x@IDENTITY_WORD@

@FOR REGISTER_MAP@
/* @ACCESS@: @MEANING@ */
#define GOSSIP_FABRIC_@NAME@_OFFSET @OFFSET@
@END@

@FOR REGISTER_PARTS@
/* @MEANING@ */
#define GOSSIP_FABRIC_@NAME@_MASK @MASK@
@END@

#endif
