// Progress of a run on standard output: a bar on a terminal, else a line every two seconds.
#pragma once

#include <chrono>
#include <string>

#include "apps/commands.h"
#include "integrators/report.h"

namespace catena {

class Progress {
 public:
  explicit Progress(Verbosity verbosity);

  void step(const StepInfo& info);
  // Removes the bar.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  std::string statusText(const StepInfo& info) const;
  void drawBar(Real fraction, const std::string& status);

  Verbosity verbosity_;
  bool terminal_;
  bool drawn_ = false;
  Real startTime_ = 0;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

// "3 s", "2 min 05 s", "1 h 20 min".
std::string durationText(Real seconds);

}  // namespace catena
