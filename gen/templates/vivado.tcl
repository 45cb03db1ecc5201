# SPDX-License-Identifier: MIT
# vivado -mode batch -source vivado.tcl -tclargs BUILD FILE..: the bitstream of board_top, made of these files, without a
# project. `make bitstream` calls it in this folder, where the modules find their ROMs. A missed clock is a fault.
set build [lindex $argv 0]
foreach file [lrange $argv 1 end] {
    read_verilog $file
}
# Vivado takes a ROM whose text it does not find for one of zeros, and warns; here that is a fault.
set_msg_config -id {Synth 8-4445} -new_severity ERROR
read_xdc constraints/@BOARD@.@PINS@
synth_design -top board_top -part @PART@ -include_dirs rtl
opt_design
place_design
phys_opt_design
route_design
report_utilization -file $build/board_utilization.rpt
report_timing_summary -file $build/board_timing.rpt
set slack [get_property SLACK [get_timing_paths]]
if {$slack < 0} {
    puts stderr "the clock of @CLOCK_MHZ@ MHz is missed by [expr {-$slack}] ns: $build/board_timing.rpt"
    exit 1
}
write_bitstream -force $build/board_top.bit
puts "slack of the board top at @CLOCK_MHZ@ MHz: $slack ns"
