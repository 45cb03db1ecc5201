# SPDX-License-Identifier: MIT
# Extras that this build is without. What reads graphs' files, draws or uses several extras is for builds with all.
set(lacking ${all_extras})
list(REMOVE_ITEM lacking ${GFAB_EXTRAS} mpi)

# Of unit tests of core, for gtest_discover_tests.
set(filter)
if(lacking)
    set(of_extras
        Names.* *.FilesSayIt *.GraphFilesSayIt GraphFile.* *.GraphFiles *FilesComeBack Directed.GraphMlComesBack
        Directed.OthersRefuse Cluster.NamesAndBandwidths Cluster.BadSpecs Graph.BadSpecs* Graph.ASchedulesFile*
        Period.IsPlayedAsAllGroups)
    list(JOIN of_extras ":" of_extras)
    set(filter TEST_FILTER "-${of_extras}")
endif()

# Of all others of the folder, once they are there.
function(gfab_leave_out_tests_of_extras)
    set(of_extras docs[.].* cli[.]commands cli[.]full cli[.]help cli[.]inputs cli[.]rules cli[.]stop inject[.]short
                  install[.]prefix generated[.]reroute lint[.]law lint[.]readers lint[.]sizes bench[.]large-graphs.*
                  bench[.]replan bench[.]one-arrival.*)
    list(JOIN of_extras "|" of_extras)
    get_property(tests DIRECTORY PROPERTY TESTS)
    foreach(test IN LISTS tests)
        if(lacking AND test MATCHES "^(${of_extras})$")
            set_tests_properties(${test} PROPERTIES DISABLED TRUE)
        endif()
    endforeach()
endfunction()
