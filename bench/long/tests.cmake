# SPDX-License-Identifier: MIT
# What CTest runs of these; tests/CMakeLists.txt includes it.
# Every script here says what it does, and builds nobody's program.
gfab_add_script_test(bench.help bench ${CMAKE_CURRENT_SOURCE_DIR}/scripts/bench_help_test.sh ${PROJECT_SOURCE_DIR}/bench)
# Schedules in which a node combines one message of a block at a time; streams at the schedule's rate.
set(one_arrival ${PROJECT_SOURCE_DIR}/bench/long/one_arrival.py $<TARGET_FILE:gossipfab> --tries 1 path:3)
gfab_add_script_test(bench.one-arrival bench+extras ${one_arrival})
gfab_add_script_test(bench.one-arrival.planted bench+extras ${one_arrival} --planted)
set_tests_properties(bench.one-arrival.planted PROPERTIES PASS_REGULAR_EXPRESSION "[1-9] schedules combine several")
if(GFAB_TESTS_LARGE)
    set(throughput ${PROJECT_SOURCE_DIR}/bench/long/throughput.py $<TARGET_FILE:gossipfab>
                   ${CMAKE_CURRENT_BINARY_DIR}/throughput)
    gfab_add_script_test(bench.throughput bench ${throughput} --most 64)
    gfab_add_script_test(bench.throughput.planted bench ${throughput}-planted --most 16 --planted 1000)
    set_tests_properties(bench.throughput.planted PROPERTIES PASS_REGULAR_EXPRESSION "not at the schedule's rate")
endif()
