// The one translation unit that compiles Catch2's implementation, which takes several seconds.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
