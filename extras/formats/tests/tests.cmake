# SPDX-License-Identifier: MIT
# What is written for other tools, read by readers of its own.
gfab_unit_test(formats ${extras}/formats/tests)
if(Python3_FOUND)
    set(here ${extras}/formats/tests)
    gfab_add_script_test(formats.readers formats ${Python3_EXECUTABLE} ${here}/formats_test.py ${gossipfab}
                         ${CMAKE_CURRENT_BINARY_DIR}/formats)
    gfab_add_script_test(formats.chakra formats ${Python3_EXECUTABLE} ${here}/chakra_test.py ${gossipfab}
                         ${CMAKE_CURRENT_BINARY_DIR}/chakra)
    gfab_add_script_test(formats.chakra-others formats ${Python3_EXECUTABLE} ${here}/chakra_others_test.py ${gossipfab}
                         ${CMAKE_CURRENT_BINARY_DIR}/chakra-others)
    set(mutants 60)
    if(GFAB_TESTS_LARGE)
        set(mutants 1000)
    endif()
    gfab_add_script_test(plans.msccl plans ${Python3_EXECUTABLE} ${here}/msccl_orders.py $<TARGET_FILE:gossipfab>
                         ${CMAKE_CURRENT_BINARY_DIR}/plans-msccl --count ${mutants})
    # Plans in C, carried out by processes with pipes for links.
    set(carry ${Python3_EXECUTABLE} ${here}/carry/carry_test.py ${gossipfab} ${CMAKE_CURRENT_BINARY_DIR}/carry
              ${CMAKE_C_COMPILER})
    gfab_add_script_test(carry.processes formats ${carry})
    set(pairs ${Python3_EXECUTABLE} ${here}/carry/pairs_test.py ${gossipfab} ${CMAKE_CURRENT_BINARY_DIR}/carry-pairs
              ${CMAKE_C_COMPILER})
    gfab_add_script_test(carry.pairs formats ${pairs})
    if(GFAB_TESTS_LARGE)
        gfab_add_script_test(carry.large formats ${carry} --large)
        set_tests_properties(carry.large PROPERTIES TIMEOUT 3600 COST 300)
        gfab_add_script_test(carry.pairs-large formats ${pairs} --large)
        set_tests_properties(carry.pairs-large PROPERTIES TIMEOUT 600 COST 40)
        gfab_add_script_test(carry.size formats ${Python3_EXECUTABLE} ${here}/carry/carry_size.py ${gossipfab} --check)
    endif()
endif()
