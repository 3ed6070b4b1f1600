// Wall-clock time of a phase.
#pragma once

#include <chrono>

#include "kernels/types.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace catena {

// A clock that costs a few nanoseconds to read, for phases of small models take less than a
// microsecond: the processor's counter where there is one, which runs at a constant rate.
class Ticks {
 public:
#if defined(__x86_64__)
  static unsigned long long now() { return __rdtsc(); }
  static Real seconds(unsigned long long ticks) {
    static const Real length = measureTick();
    return static_cast<Real>(ticks) * length;
  }

 private:
  static Real measureTick() {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const auto first = now();
    while (Clock::now() - start < std::chrono::microseconds(500)) {
    }
    const auto last = now();
    return std::chrono::duration<Real>(Clock::now() - start).count() /
           static_cast<Real>(last - first);
  }
#else
  static unsigned long long now() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
  }
  static Real seconds(unsigned long long ticks) {
    using Period = std::chrono::steady_clock::period;
    return static_cast<Real>(ticks) * Period::num / Period::den;
  }
#endif
};

// Adds the seconds that it lives to a total.
class Stopwatch {
 public:
  explicit Stopwatch(Real& total) : total_(total), start_(Ticks::now()) {}
  ~Stopwatch() { total_ += Ticks::seconds(Ticks::now() - start_); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  Real& total_;
  unsigned long long start_;
};

}  // namespace catena
