# SPDX-License-Identifier: MIT
gfab_unit_test(items ${extras}/shards/tests)

# A search in shards, killed and resumed.
if(Python3_FOUND)
    set(search ${Python3_EXECUTABLE} ${extras}/shards/tests/search_test.py ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    gfab_add_script_test(search.shards search ${search})
    set_tests_properties(search.shards PROPERTIES TIMEOUT 400 COST 8)
    if(GFAB_TESTS_LARGE)
        gfab_add_script_test(search.large search ${search} --large)
        set_tests_properties(search.large PROPERTIES TIMEOUT 3600 COST 150)
    endif()
endif()
