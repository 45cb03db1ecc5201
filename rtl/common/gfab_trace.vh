// SPDX-License-Identifier: MIT
// Ports for test benches alone, which define GFAB_TRACE; elsewhere they are not there.
`ifndef GFAB_TRACE_VH
`define GFAB_TRACE_VH
`ifdef GFAB_TRACE
`define GFAB_TRACE_PORT(port) port,
`define GFAB_TRACED(name) name
`define GFAB_TRACED_TWINS(twin, name) {twin, name}
`else
`define GFAB_TRACE_PORT(port)
`define GFAB_TRACED(name)
`define GFAB_TRACED_TWINS(twin, name)
`endif
`endif
