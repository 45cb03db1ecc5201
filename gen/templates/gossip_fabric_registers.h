@# SPDX-License-Identifier: MIT
/* @BANNER@
 * What the generator writes is yours.
 *
 * The registers of @FABRIC@_registers, of 32 bits each: offsets in bytes, and masks of their parts. */
#ifndef @FABRIC_CAPITALS@_REGISTERS_H
#define @FABRIC_CAPITALS@_REGISTERS_H

/* What IDENTITY has. */
#define @FABRIC_CAPITALS@_IDENTITY_VALUE 0x@IDENTITY_WORD@

@FOR REGISTER_MAP@
/* @ACCESS@: @MEANING@ */
#define @FABRIC_CAPITALS@_@NAME@_OFFSET @OFFSET@
@END@

@FOR REGISTER_PARTS@
/* @MEANING@ */
#define @FABRIC_CAPITALS@_@NAME@_MASK @MASK@
@END@

#endif
