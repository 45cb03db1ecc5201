@# SPDX-License-Identifier: MIT
@# The fabric's ports for test benches; with a second store of each node that has what the first one is given.
@IF OVERLAP@
        .o_trace_link(o_trace_link), .o_trace_drive(o_trace_drive), .o_trace_write(o_trace_write),
        .o_trace_address(o_trace_address), .o_trace_data(o_trace_data)
@ELSE@
        .o_trace_link(`GFAB_TRACED(o_trace_link)), .o_trace_drive(`GFAB_TRACED(o_trace_drive)),
        .o_trace_write(`GFAB_TRACED(o_trace_write)), .o_trace_address(`GFAB_TRACED(o_trace_address)),
        .o_trace_data(`GFAB_TRACED(o_trace_data))
@END@
