// Wall-clock time of a phase.
#pragma once

#include <chrono>

#include "kernels/types.h"

namespace catena {

// Adds the seconds that it lives to a total.
class Stopwatch {
 public:
  explicit Stopwatch(Real& total) : total_(total), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    total_ += std::chrono::duration<Real>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  Real& total_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace catena
