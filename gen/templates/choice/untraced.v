@# SPDX-License-Identifier: MIT
@# Of the fabric below a top that has no second stores: what is there for these.
@IF OVERLAP@
@IF CHECKED_TRACE@
        .o_trace_check(),
@END@
        .o_trace_link(), .o_trace_drive(), .o_trace_write(), .o_trace_address(), .o_trace_data(),
@END@
