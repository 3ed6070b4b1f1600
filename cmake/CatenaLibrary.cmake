# catena_library(<folder> [BELOW <folder>] [PUBLIC <libraries>] [PRIVATE <libraries>])
#
# Makes the static library catena_<folder> of all .cpp files in and under the current folder, linked
# to the folder BELOW it. Adding a source file needs no change here. A folder that has only headers
# so far becomes an interface library.
function(catena_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BELOW" "PUBLIC;PRIVATE")
  set(target catena_${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE})
    add_dependencies(${target} catena_build_info)
    catena_precompile(${target})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()

  if(arg_BELOW STREQUAL "items")
    # Items register themselves through static objects that nothing refers to, so the linker must
    # keep every one of them.
    set(below $<LINK_LIBRARY:WHOLE_ARCHIVE,catena_items>)
  elseif(arg_BELOW)
    set(below catena_${arg_BELOW})
  endif()
  target_link_libraries(${target} ${scope} ${below} ${arg_PUBLIC})
  catena_include_folder(${target} ${scope} ${folder})
endfunction()

# Headers that nearly all sources include, compiled once for a target; others may be added. Sources
# include them all the same: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without.
function(catena_precompile target)
  target_precompile_headers(${target} PRIVATE
    <Eigen/Core> <Eigen/Geometry> <algorithm> <array> <cmath> <functional> <memory> <span> <string>
    <vector> ${ARGN})
endfunction()

# Lets a target, and with PUBLIC all that link it, include "<folder>/...". The include path is a
# generated directory that holds a link to this one folder. A target therefore sees its own folder
# and those it links, and an include of a folder higher up does not compile.
function(catena_include_folder target scope folder)
  set(directory ${PROJECT_BINARY_DIR}/include/${folder})
  file(MAKE_DIRECTORY ${directory})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${directory}/${folder} SYMBOLIC)
  target_include_directories(${target} ${scope} ${directory})
endfunction()
