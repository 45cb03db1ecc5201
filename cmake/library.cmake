# SPDX-License-Identifier: MIT
# libgossipfab: all layers in one library, static for what is built here, and shared for its users, who find it by
# pkg-config (gossipfab.pc) or by CMake: find_package(gossipfab), target gossipfab::gossipfab.

include(CMakePackageConfigHelpers)
get_property(objects GLOBAL PROPERTY GFAB_OBJECTS)
get_property(public_headers GLOBAL PROPERTY GFAB_PUBLIC_HEADERS)
set(public_headers ${public_headers} include/gossipfab/gossipfab.h)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gossipfab)

function(gfab_add_library target type)
    add_library(${target} ${type} ${objects})
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${public_headers})
    target_link_libraries(${target} PRIVATE PkgConfig::JANSSON cadical::cadical Threads::Threads)
    if(TARGET PkgConfig::EXPAT)
        target_link_libraries(${target} PRIVATE PkgConfig::EXPAT)
    endif()
    # Nothing is promised of the binary interface before 1.0: every 0.x has a name of its own.
    set_target_properties(${target} PROPERTIES OUTPUT_NAME gossipfab LINKER_LANGUAGE C VERSION ${PROJECT_VERSION}
                                               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

gfab_add_library(libgossipfab STATIC)
install(TARGETS libgossipfab FILE_SET HEADERS)

if(GFAB_SHARED)
    gfab_add_library(libgossipfab_shared SHARED)
    # It exports what the public headers declare, and nothing else: neither what layers call of each other, nor CaDiCaL,
    # which is in it.
    set(symbols "")
    foreach(header IN LISTS public_headers)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
        file(READ ${header} text)
        string(REGEX MATCHALL "gfab_[a-z0-9_]+\\(" calls "${text}")
        list(APPEND symbols ${calls})
    endforeach()
    list(REMOVE_DUPLICATES symbols)
    list(SORT symbols)
    set(exported "")
    foreach(symbol IN LISTS symbols)
        string(REPLACE "(" ";" symbol "${symbol}")
        string(APPEND exported "        ${symbol}\n")
    endforeach()
    set(map ${PROJECT_BINARY_DIR}/gossipfab.map)
    file(CONFIGURE OUTPUT ${map} @ONLY CONTENT "{\n    global:\n@exported@    local: *;\n};\n")
    target_link_options(libgossipfab_shared PRIVATE -Wl,--version-script=${map})
    set_target_properties(libgossipfab_shared PROPERTIES LINK_DEPENDS ${map} EXPORT_NAME gossipfab)
    install(TARGETS libgossipfab_shared EXPORT gossipfab FILE_SET HEADERS)
    install(EXPORT gossipfab NAMESPACE gossipfab:: DESTINATION ${package_folder} FILE gossipfab-targets.cmake)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/gossipfab-config.cmake @ONLY
         CONTENT "include(\"\${CMAKE_CURRENT_LIST_DIR}/gossipfab-targets.cmake\")\n")
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/gossipfab-config-version.cmake COMPATIBILITY SameMinorVersion)
    install(FILES ${PROJECT_BINARY_DIR}/gossipfab-config.cmake ${PROJECT_BINARY_DIR}/gossipfab-config-version.cmake
            DESTINATION ${package_folder})
endif()

# gossipfab.pc finds its prefix from where it lies; a static library's users need what it needs.
file(RELATIVE_PATH GFAB_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" GFAB_PC_PREFIX "${GFAB_PC_PREFIX}")
set(GFAB_PC_REQUIRES Requires)
set(GFAB_PC_PACKAGES jansson)
if(TARGET PkgConfig::EXPAT)
    string(APPEND GFAB_PC_PACKAGES " expat")
endif()
set(GFAB_PC_LIBS "-lcadical -lstdc++ -lm")
if(GFAB_SHARED)
    set(GFAB_PC_REQUIRES Requires.private)
    set(GFAB_PC_LIBS_PRIVATE "${GFAB_PC_LIBS}")
    set(GFAB_PC_LIBS "")
endif()
configure_file(cmake/gossipfab.pc.in gossipfab.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gossipfab.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# `make uninstall`: what install put there, and the folders that are empty then.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/uninstall.cmake @ONLY CONTENT [[
file(STRINGS "@PROJECT_BINARY_DIR@/install_manifest.txt" files)
foreach(file IN LISTS files)
    file(REMOVE "$ENV{DESTDIR}${file}")
    cmake_path(GET file PARENT_PATH folder)
    while(NOT folder STREQUAL "@CMAKE_INSTALL_PREFIX@" AND folder MATCHES gossipfab)
        file(GLOB rest "$ENV{DESTDIR}${folder}/*")
        if(rest STREQUAL "")
            file(REMOVE_RECURSE "$ENV{DESTDIR}${folder}")
        endif()
        cmake_path(GET folder PARENT_PATH folder)
    endwhile()
endforeach()
]])
