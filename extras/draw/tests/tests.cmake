# SPDX-License-Identifier: MIT
gfab_unit_test(placement ${extras}/draw/tests)
gfab_unit_test(player_ring ${extras}/draw/tests)

# The page that plays a schedule, in a browser.
gfab_add_script_test(player.browser player ${extras}/draw/tests/player_test.sh $<TARGET_FILE:gossipfab>
                     ${CMAKE_CURRENT_BINARY_DIR}/player)
set_tests_properties(player.browser PROPERTIES COST 15)
