# SPDX-License-Identifier: MIT
# Plans for GPUs: all orders of small ones, one by one; schedules written as plans, and every byte.
if(Python3_FOUND)
    set(here ${extras}/gpu-plans/tests)
    set(mutants 60)
    set(drifting 150)
    set(plans 12)
    if(GFAB_TESTS_LARGE)
        set(mutants 1000)
        set(drifting 2000)
        set(plans 100)
    endif()
    gfab_add_script_test(plans.orders plans ${Python3_EXECUTABLE} ${here}/plans_test.py $<TARGET_FILE:gossipfab>
                         ${CMAKE_CURRENT_BINARY_DIR}/plans-orders --count ${mutants})
    gfab_add_script_test(plans.drift plans ${Python3_EXECUTABLE} ${here}/drift_test.py $<TARGET_FILE:gossipfab>
                         ${CMAKE_CURRENT_BINARY_DIR}/plans-drift --count ${drifting})
    gfab_add_script_test(plans.run plans ${Python3_EXECUTABLE} ${here}/run_test.py $<TARGET_FILE:gossipfab>
                         ${CMAKE_CURRENT_BINARY_DIR}/plans-run --count ${plans})
    if(GFAB_TESTS_LARGE)
        set_tests_properties(plans.orders plans.drift PROPERTIES TIMEOUT 400)
    endif()
endif()
