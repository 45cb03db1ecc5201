# SPDX-License-Identifier: MIT
# What is built takes in popt, jansson, Expat and libstdc++ from their static libraries, so that it asks another system
# for nothing but glibc and libgcc_s. docs/guide/python.md, "Wheels".
foreach(library popt jansson expat)
    string(TOUPPER ${library} name)
    find_library(${name}_STATIC lib${library}.a REQUIRED)
    set_target_properties(PkgConfig::${name} PROPERTIES INTERFACE_LINK_LIBRARIES ${${name}_STATIC})
endforeach()
set_target_properties(cadical::cadical PROPERTIES INTERFACE_LINK_LIBRARIES "-l:libstdc++.a;m")
# CMake and the compilers add libstdc++ once more, to which nothing is left.
add_link_options(-static-libstdc++ -Wl,--as-needed)
# Expat and libstdc++ as Debian 12 compiles them ask glibc 2.36 for random bytes; nothing else here needs one later than
# 2.34.
add_library(gfab_portable STATIC ${CMAKE_CURRENT_LIST_DIR}/portable.c)
set_target_properties(gfab_portable PROPERTIES POSITION_INDEPENDENT_CODE ON)
set_property(TARGET PkgConfig::EXPAT APPEND PROPERTY INTERFACE_LINK_LIBRARIES gfab_portable)

# Same bytes wherever it is built: without debug information, which would be stripped, and without the build-id that the
# linker makes of what is stripped, too. A RUNPATH that is taken out when a program is installed leaves its length behind.
add_compile_options(-g0)
add_link_options(-Wl,--build-id=none)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
