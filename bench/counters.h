// Counters that every benchmark shows: speed per body. In JSON files all times are in seconds.
#pragma once

#include <benchmark/benchmark.h>

namespace catena::bench {

// Bodies handled per second and time per body, if one iteration handles all of them.
inline void countBodies(benchmark::State& state, long long bodies) {
  using benchmark::Counter;
  const double n = static_cast<double>(bodies);
  state.counters["bodies/s"] = Counter(n, Counter::kIsIterationInvariantRate);
  state.counters["time/body"] = Counter(n, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

}  // namespace catena::bench
