# SPDX-License-Identifier: MIT
# How the tests here are added, and which of them want extras that this build is without: a script by the label
# NAME+extras, if it uses several or draws; a unit test by WANTS_EXTRA of unit/extras.h.
set(lacking ${all_extras})
list(REMOVE_ITEM lacking ${GFAB_EXTRAS} mpi)
set(wanted_extras)
foreach(extra IN LISTS all_extras)
    string(MAKE_C_IDENTIFIER GFAB_LACKS_${extra} macro)
    list(APPEND wanted_extras ${macro}=$<NOT:$<IN_LIST:${extra},${GFAB_EXTRAS}>>)
endforeach()

# gfab_add_script_test(NAME LABEL[+extras] COMMAND...): exit status 77 is "skipped, a tool is missing".
function(gfab_add_script_test name wants)
    string(REPLACE +extras "" label ${wants})
    add_test(NAME ${name} COMMAND ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 120 SKIP_RETURN_CODE 77)
    if(lacking AND NOT label STREQUAL wants)
        set_tests_properties(${name} PROPERTIES DISABLED TRUE)
    endif()
endfunction()

# gfab_sample_mutants(COUNT TEST...): in `make test` the first mutants alone; all in the large form.
function(gfab_sample_mutants count)
    if(NOT GFAB_TESTS_LARGE)
        set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT MUTANTS=${count})
    endif()
endfunction()
