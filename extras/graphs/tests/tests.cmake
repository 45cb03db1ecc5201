# SPDX-License-Identifier: MIT
gfab_unit_test(graph_files ${extras}/graphs/tests)
gfab_unit_test(descriptors ${extras}/graphs/tests)
if(Python3_FOUND)
    set(random_graphs 12)
    if(GFAB_TESTS_LARGE)
        set(random_graphs 200)
    endif()
    gfab_add_script_test(formats.graphs formats ${Python3_EXECUTABLE} ${extras}/graphs/tests/graphs_test.py
                         $<TARGET_FILE:gossipfab> ${CMAKE_CURRENT_BINARY_DIR}/graphs --count ${random_graphs})
    math(EXPR random_descriptors "10 * ${random_graphs}")
    gfab_add_script_test(formats.descriptors formats ${Python3_EXECUTABLE} ${extras}/graphs/tests/descriptors_test.py
                         $<TARGET_FILE:gossipfab> ${CMAKE_CURRENT_BINARY_DIR}/descriptors --count ${random_descriptors})
endif()
