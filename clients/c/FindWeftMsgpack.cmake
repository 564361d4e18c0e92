# msgpack-c, the C library: makes weft::msgpack. Its names changed with its versions (CMake package and library msgpackc
# of "msgpack" before 6, msgpack-c since; msgpack.pc, then msgpack-c.pc), and some systems' pkg-config files name folders
# that are not there. So its CMake package and pkg-config only say where to look; what counts is the header and the
# library that are found. Installed beside weftConfig.cmake.
set(weft_msgpack_include_hints)
set(weft_msgpack_library_hints)
foreach(weft_package msgpack-c msgpackc msgpack)
  find_package(${weft_package} CONFIG QUIET)
endforeach()
foreach(weft_target msgpack-c msgpackc)
  if(TARGET ${weft_target})
    get_target_property(weft_include ${weft_target} INTERFACE_INCLUDE_DIRECTORIES)
    get_target_property(weft_library ${weft_target} LOCATION)
    if(weft_include)
      list(APPEND weft_msgpack_include_hints ${weft_include})
    endif()
    if(weft_library)
      get_filename_component(weft_library ${weft_library} DIRECTORY)
      list(APPEND weft_msgpack_library_hints ${weft_library})
    endif()
  endif()
endforeach()
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  foreach(weft_package msgpack-c msgpack)
    pkg_check_modules(WEFT_MSGPACK_PC_${weft_package} QUIET ${weft_package})
    list(APPEND weft_msgpack_include_hints ${WEFT_MSGPACK_PC_${weft_package}_INCLUDE_DIRS})
    list(APPEND weft_msgpack_library_hints ${WEFT_MSGPACK_PC_${weft_package}_LIBRARY_DIRS})
  endforeach()
endif()

# The C++ library of the same name has a msgpack.h too, but not this.
find_path(WEFT_MSGPACK_INCLUDE msgpack/version_master.h HINTS ${weft_msgpack_include_hints})
find_library(WEFT_MSGPACK_LIBRARY NAMES msgpack-c msgpackc HINTS ${weft_msgpack_library_hints})
if(WEFT_MSGPACK_INCLUDE)
  file(STRINGS ${WEFT_MSGPACK_INCLUDE}/msgpack/version_master.h weft_numbers REGEX "define MSGPACK_VERSION_[A-Z]+ +[0-9]+")
  string(REGEX REPLACE "[^0-9;]" "" weft_numbers "${weft_numbers}")
  list(JOIN weft_numbers . WeftMsgpack_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(WeftMsgpack
  REQUIRED_VARS WEFT_MSGPACK_LIBRARY WEFT_MSGPACK_INCLUDE VERSION_VAR WeftMsgpack_VERSION
  REASON_FAILURE_MESSAGE "the C library msgpack-c 4.0 or newer is needed (Debian libmsgpack-c-dev, bookworm and Ubuntu \
24.04 libmsgpack-dev, Fedora 45 msgpack-c-devel, Arch msgpack-c, Homebrew msgpack)")
mark_as_advanced(WEFT_MSGPACK_LIBRARY WEFT_MSGPACK_INCLUDE)
if(WeftMsgpack_FOUND AND NOT TARGET weft::msgpack)
  add_library(weft::msgpack INTERFACE IMPORTED)
  set_target_properties(weft::msgpack PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${WEFT_MSGPACK_INCLUDE} INTERFACE_LINK_LIBRARIES ${WEFT_MSGPACK_LIBRARY})
endif()
