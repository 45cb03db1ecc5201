@# SPDX-License-Identifier: MIT
// The sources of @FABRIC@, and its lint waivers, which are Verilator's alone: iverilog -g2005 -c @FABRIC@.f, or
// verilator -f @FABRIC@.f. Lists of several fabrics go together: a module that several have counts once.
+incdir+rtl
rtl/gfab.vlt
@FABRIC@.vlt
@FABRIC@.v
@IF USER_OPERATOR@
@FABRIC@_operator.v
@END@
@FOR MODULES@
@FILE@
@END@
