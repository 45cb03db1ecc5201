# SPDX-License-Identifier: MIT
# Streams of random lengths through a narrow and a wide fabric, and their mutants; the short form of `make streams`.
gfab_add_script_test(streams.short streams ${CMAKE_CURRENT_LIST_DIR}/run.py $<TARGET_FILE:gossipfab>
                     $<TARGET_FILE:stream_lockstep> --short)
set_tests_properties(streams.short PROPERTIES COST 3 TIMEOUT 120)

# Operators that mind the order: bit for bit what the schedule's expression says.
gfab_add_script_test(streams.bits streams ${CMAKE_CURRENT_LIST_DIR}/bits.py $<TARGET_FILE:gossipfab>
                     $<TARGET_FILE:stream_lockstep> ${CMAKE_CURRENT_BINARY_DIR}/streams-bits)
set_tests_properties(streams.bits PROPERTIES COST 3 TIMEOUT 120)
