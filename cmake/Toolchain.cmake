# Compiler flags common to all build types, and the tools that make builds fast when present.

# Floating point is strict: no -ffast-math, since convergence tests rely on NaN and on the order of
# sums. Contraction of a*b+c to one fused operation is allowed and stated here so that compilers
# agree: it rounds once instead of twice and is faster. Results are the same bits for any number of
# threads, but may differ in the last bits between instruction sets. No errno from sqrt and friends.
add_compile_options(-Wall -Wextra -Wpedantic -ffp-contract=fast -fno-math-errno)
add_compile_definitions(EIGEN_DONT_PARALLELIZE)  # threads belong to assembly/, not to Eigen
add_link_options(-Wl,--as-needed)

if(CATENA_ARCH STREQUAL "auto")
  include(CheckCXXSourceRuns)
  set(CMAKE_REQUIRED_FLAGS -march=x86-64-v3)
  check_cxx_source_runs(
    "int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")
                             && __builtin_cpu_supports(\"bmi2\") ? 0 : 1; }"
    CATENA_RUNS_X86_64_V3)
  unset(CMAKE_REQUIRED_FLAGS)
  if(CATENA_RUNS_X86_64_V3)
    add_compile_options(-march=x86-64-v3)
  endif()
elseif(NOT CATENA_ARCH STREQUAL "generic")
  add_compile_options(-march=${CATENA_ARCH})
endif()

find_program(CATENA_CCACHE ccache)
if(CATENA_CCACHE)
  # What ccache asks for where headers are precompiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CATENA_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()

# The linker is GNU's. LLD 14 loses entries of the table of exception handlers where GCC leaves an
# empty cold part of a function, and an exception that crosses such a place ends the program.
#
# pybind11 would turn link-time optimization on for its module, whose libraries do without.
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)
