@# SPDX-License-Identifier: MIT
// The sources of @FABRIC@: iverilog -g2005 -c @FABRIC@.f, or verilator -f @FABRIC@.f.
+incdir+rtl
@FABRIC@.v
@IF USER_OPERATOR@
@FABRIC@_operator.v
@END@
@FOR MODULES@
@FILE@
@END@
