# Targets of Kymo. All paths follow from the place of this file, which is lib/cmake/Kymo.
#
#     find_package(Kymo REQUIRED COMPONENTS user ttf otf2)
#     target_link_libraries(program PRIVATE Kymo::user)
#
#   Kymo::user         <kymo/user.h> and Score-P's <scorep/SCOREP_User.h>; links nothing
#   Kymo::functions    instrumentation of all functions by the compiler
#   Kymo::ttf          <TAU_tf.h>, the reader and writer of TAU traces
#   Kymo::ttf_static   the same, as a static library
#   Kymo::otf2         <otf2/otf2.h>, the OTF2 library
#   Kymo::otf2_static  the same, as a static library
#   Kymo::kymo         the command
#
#   Kymo_FORTRAN_SOURCE  the module kymo_user, to be added to the sources of Fortran programs
#   Kymo_PLUGIN_DIR      the folder of Score-P's plugin, for LD_LIBRARY_PATH
#   Kymo_OTF2_VERSION    the version of OTF2 whose interface Kymo::otf2 has
#
# The components are user, ttf, otf2 and kymo (the command). All targets are defined in any case.

# The real path, because this file may be a link, and /lib is one to /usr/lib on many systems.
get_filename_component(Kymo_PREFIX "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(Kymo_PREFIX "${Kymo_PREFIX}" DIRECTORY)
get_filename_component(Kymo_PREFIX "${Kymo_PREFIX}/../../.." ABSOLUTE)
set(Kymo_INCLUDE_DIR "${Kymo_PREFIX}/include")
set(Kymo_PLUGIN_DIR "${Kymo_PREFIX}/lib")
set(Kymo_FORTRAN_SOURCE "${Kymo_INCLUDE_DIR}/kymo/user.f90")
set(Kymo_OTF2_VERSION 3.2)

# Defines a target unless an earlier find_package has; a missing file makes its component missing.
function(_kymo_library name kind component file headers)
    if(NOT EXISTS "${file}" OR NOT EXISTS "${headers}")
        set(Kymo_${component}_FOUND FALSE PARENT_SCOPE)
        return()
    endif()
    set(Kymo_${component}_FOUND TRUE PARENT_SCOPE)
    if(NOT TARGET Kymo::${name})
        add_library(Kymo::${name} ${kind} IMPORTED)
        set_target_properties(Kymo::${name} PROPERTIES
            IMPORTED_LOCATION "${file}"
            INTERFACE_INCLUDE_DIRECTORIES "${headers}")
    endif()
endfunction()

_kymo_library(ttf SHARED ttf "${Kymo_PREFIX}/lib/libkymo_ttf.so" "${Kymo_INCLUDE_DIR}")
_kymo_library(ttf_static STATIC ttf "${Kymo_PREFIX}/lib/libkymo_ttf.a" "${Kymo_INCLUDE_DIR}")
_kymo_library(otf2 SHARED otf2
    "${Kymo_PREFIX}/lib/kymo/otf2/libotf2.so.10" "${Kymo_PREFIX}/lib/kymo/otf2/include")
_kymo_library(otf2_static STATIC otf2
    "${Kymo_PREFIX}/lib/libkymo_otf2.a" "${Kymo_PREFIX}/lib/kymo/otf2/include")

if(TARGET Kymo::ttf)
    # The library has no name of its own, so that a program must not record the path as its name.
    set_target_properties(Kymo::ttf PROPERTIES IMPORTED_NO_SONAME TRUE)
endif()
if(TARGET Kymo::otf2)
    set_target_properties(Kymo::otf2 PROPERTIES IMPORTED_SONAME libotf2.so.10)
endif()
foreach(_kymo_name ttf_static otf2_static)
    if(TARGET Kymo::${_kymo_name})
        set_target_properties(Kymo::${_kymo_name} PROPERTIES INTERFACE_LINK_LIBRARIES "pthread;dl;m")
    endif()
endforeach()
unset(_kymo_name)

set(Kymo_user_FOUND FALSE)
if(EXISTS "${Kymo_INCLUDE_DIR}/kymo/user.h")
    set(Kymo_user_FOUND TRUE)
    if(NOT TARGET Kymo::user)
        add_library(Kymo::user INTERFACE IMPORTED)
        set_target_properties(Kymo::user PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Kymo_INCLUDE_DIR}")
        add_library(Kymo::functions INTERFACE IMPORTED)
        set_target_properties(Kymo::functions PROPERTIES
            INTERFACE_COMPILE_OPTIONS "-g;-finstrument-functions"
            INTERFACE_LINK_OPTIONS "-finstrument-functions")
    endif()
endif()

set(Kymo_kymo_FOUND FALSE)
if(EXISTS "${Kymo_PREFIX}/bin/kymo")
    set(Kymo_kymo_FOUND TRUE)
    if(NOT TARGET Kymo::kymo)
        add_executable(Kymo::kymo IMPORTED)
        set_target_properties(Kymo::kymo PROPERTIES IMPORTED_LOCATION "${Kymo_PREFIX}/bin/kymo")
    endif()
endif()

foreach(_kymo_component IN LISTS Kymo_FIND_COMPONENTS)
    if(Kymo_FIND_REQUIRED_${_kymo_component} AND NOT Kymo_${_kymo_component}_FOUND)
        set(Kymo_FOUND FALSE)
        string(APPEND Kymo_NOT_FOUND_MESSAGE
            "Kymo in ${Kymo_PREFIX} has no component ${_kymo_component}. ")
    endif()
endforeach()
unset(_kymo_component)
