# SPDX-License-Identifier: MIT
# One bit of a generated fabric flips, in a few thousand runs; the short form of `make faults`.
foreach(simulator simulate streams serial hosts)
    add_executable(gfab_faults_${simulator} ${CMAKE_CURRENT_LIST_DIR}/${simulator}.cc)
    target_compile_options(gfab_faults_${simulator} PRIVATE -Wno-psabi) # vectors are handed on in this one file alone
endforeach()
if(Python3_FOUND)
    set(faults ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run.py $<TARGET_FILE:gossipfab>
               --simulators $<TARGET_FILE_DIR:gfab_faults_simulate>)
    gfab_add_script_test(faults.short faults ${faults} --short --count 800)
    gfab_add_script_test(faults.planted faults ${faults} --planted --short --count 1000)
    set_tests_properties(faults.short faults.planted PROPERTIES TIMEOUT 400 COST 15)
    if(GFAB_TESTS_LARGE)
        gfab_add_script_test(faults.planted.all faults-large ${faults} --planted --count 20000)
        set_tests_properties(faults.planted.all PROPERTIES TIMEOUT 1200 COST 100)
        # Every place of the fabrics of the long campaign is in a class.
        gfab_add_script_test(faults.places faults-large ${faults} --places)
        set_tests_properties(faults.places PROPERTIES TIMEOUT 1800 COST 100)
        foreach(fabric "mesh:3x3 --protect detect" "torus:3x3 --link-mode full" "torus:3x3 --token-bits 8 --link-bits 8")
            string(REGEX REPLACE "[^a-z0-9]+" "-" name ${fabric})
            gfab_add_script_test(faults.replay.${name} faults-large ${Python3_EXECUTABLE}
                                 ${CMAKE_CURRENT_LIST_DIR}/replay.py $<TARGET_FILE:gossipfab>
                                 --fabric ${fabric} --simulator $<TARGET_FILE:gfab_faults_simulate>)
            set_tests_properties(faults.replay.${name} PROPERTIES TIMEOUT 1200 COST 100)
        endforeach()
    endif()
endif()
