# Generates kernels/build_info.h: which version, commit and compiler made this program.
#
# The commit is looked up at every build (a few milliseconds) and the header is rewritten only when
# something in it changed. Include it from few .cpp files: they are compiled again at each commit.
#
# This file is both the module that defines the target and, with cmake -P, the script it runs.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  get_directory_property(options COMPILE_OPTIONS)
  list(REMOVE_ITEM options -fpch-preprocess)  # says nothing about the code
  string(JOIN " " flags ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${options})
  add_custom_target(catena_build_info
    COMMAND ${CMAKE_COMMAND}
            -DSOURCE_DIR=${PROJECT_SOURCE_DIR}
            -DHEADER=${PROJECT_BINARY_DIR}/generated/kernels/build_info.h
            -DVERSION=${PROJECT_VERSION}
            "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
            -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
            "-DFLAGS=${flags}"
            -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/kernels/build_info.h
    COMMENT "Looking up the commit"
    VERBATIM)
  return()
endif()

# A source archive has no .git, and then the commit is unknown; an enclosing repository is not ours.
set(COMMIT "unknown")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE_DIR}/.git)
  # No optional locks: a build must not get in the way of a commit made at the same time.
  set(git ${GIT} --no-optional-locks -C ${SOURCE_DIR})
  execute_process(COMMAND ${git} rev-parse --short=10 HEAD RESULT_VARIABLE failed
                  OUTPUT_VARIABLE hash OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    execute_process(COMMAND ${git} status --porcelain --untracked-files=no
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    set(COMMIT "${hash}")
    if(changes)
      string(APPEND COMMIT "-dirty")
    endif()
  endif()
endif()

configure_file(${CMAKE_CURRENT_LIST_DIR}/build_info.h.in ${HEADER} @ONLY)
