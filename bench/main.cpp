// The benchmark program: Google Benchmark's options, and --threads=N for the evaluation of
// elements.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "bench/mechanism.h"
#include "kernels/build_info.h"

int main(int argc, char** argv) {
  using namespace catena;
  std::vector<char*> arguments(argv, argv + argc);
  std::string minimum = "--benchmark_min_time=0.1";  // seconds; a later one of the user wins
  arguments.insert(arguments.begin() + 1, minimum.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());  // takes out what it knows
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    constexpr std::string_view option = "--threads=";
    const int threads = argument.starts_with(option) ? std::atoi(arguments[i] + option.size()) : 0;
    if (threads < 1) {
      std::fprintf(
          stderr,
          "catena_bench: unknown argument '%s'; known are --threads=N and those of --help\n",
          arguments[i]);
      return 2;
    }
    bench::threads = threads;
  }
  // Date, processors, caches and load average are there already.
  benchmark::AddCustomContext("commit", buildInfo::commit);
  benchmark::AddCustomContext("compiler", buildInfo::compiler);
  benchmark::AddCustomContext("flags", buildInfo::flags);
  benchmark::AddCustomContext("threads", std::to_string(bench::threads));
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
