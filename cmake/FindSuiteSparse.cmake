# Finds the parts of SuiteSparse named as COMPONENTS and makes a target SuiteSparse::<part> of each:
#   find_package(SuiteSparse REQUIRED COMPONENTS KLU BTF AMD COLAMD)
# For distributions whose SuiteSparse ships no CMake configuration, such as Debian 12 (5.12).

include(FindPackageHandleStandardArgs)

find_path(SuiteSparse_INCLUDE_DIR SuiteSparse_config.h PATH_SUFFIXES suitesparse)
find_library(SuiteSparse_config_LIBRARY suitesparseconfig)
mark_as_advanced(SuiteSparse_INCLUDE_DIR SuiteSparse_config_LIBRARY)

if(SuiteSparse_INCLUDE_DIR)
  file(STRINGS ${SuiteSparse_INCLUDE_DIR}/SuiteSparse_config.h version_lines
       REGEX "^#define SUITESPARSE_(MAIN|SUB|SUBSUB)_VERSION ")
  string(REGEX MATCHALL "[0-9]+" numbers "${version_lines}")
  string(JOIN "." SuiteSparse_VERSION ${numbers})
endif()

foreach(part ${SuiteSparse_FIND_COMPONENTS})
  string(TOLOWER ${part} name)
  find_path(SuiteSparse_${part}_INCLUDE_DIR ${name}.h PATH_SUFFIXES suitesparse)
  find_library(SuiteSparse_${part}_LIBRARY ${name})
  mark_as_advanced(SuiteSparse_${part}_INCLUDE_DIR SuiteSparse_${part}_LIBRARY)
  if(SuiteSparse_${part}_INCLUDE_DIR AND SuiteSparse_${part}_LIBRARY)
    set(SuiteSparse_${part}_FOUND TRUE)
  endif()
endforeach()

find_package_handle_standard_args(SuiteSparse
  REQUIRED_VARS SuiteSparse_config_LIBRARY SuiteSparse_INCLUDE_DIR
  VERSION_VAR SuiteSparse_VERSION HANDLE_COMPONENTS)

foreach(part ${SuiteSparse_FIND_COMPONENTS})
  if(SuiteSparse_${part}_FOUND AND NOT TARGET SuiteSparse::${part})
    add_library(SuiteSparse::${part} UNKNOWN IMPORTED)
    set_target_properties(SuiteSparse::${part} PROPERTIES
      IMPORTED_LOCATION ${SuiteSparse_${part}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${SuiteSparse_${part}_INCLUDE_DIR}
      INTERFACE_LINK_LIBRARIES ${SuiteSparse_config_LIBRARY})
  endif()
endforeach()
