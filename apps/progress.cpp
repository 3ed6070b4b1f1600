#include "apps/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace catena {
namespace {

int terminalWidth() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string durationText(Real seconds) {
  char text[64];
  const auto s = static_cast<long long>(std::ceil(std::min(seconds, 1e9)));
  if (s < 60)
    std::snprintf(text, sizeof text, "%lld s", s);
  else if (s < 3600)
    std::snprintf(text, sizeof text, "%lld min %02lld s", s / 60, s % 60);
  else
    std::snprintf(text, sizeof text, "%lld h %02lld min", s / 3600, s / 60 % 60);
  return text;
}

Progress::Progress(Verbosity verbosity)
    : verbosity_(verbosity), terminal_(isatty(STDOUT_FILENO) == 1) {}

void Progress::step(const StepInfo& info) {
  if (verbosity_ == Verbosity::quiet) return;
  if (info.step == 0) {
    startTime_ = info.time;
    start_ = last_ = Clock::now();
    return;
  }
  const bool everyStep = verbosity_ == Verbosity::verbose;
  const auto now = Clock::now();
  const auto period = std::chrono::milliseconds(terminal_ ? 100 : 2000);
  if (!everyStep && now - last_ < period) return;
  last_ = now;
  const std::string status = statusText(info);
  if (terminal_ && !everyStep)
    drawBar((info.time - startTime_) / (info.endTime - startTime_), status);
  else
    std::printf("%s\n", status.c_str());
  std::fflush(stdout);
}

std::string Progress::statusText(const StepInfo& info) const {
  const Real elapsed = std::chrono::duration<Real>(Clock::now() - start_).count();
  const Real done = (info.time - startTime_) / (info.endTime - startTime_);
  const Real left = done > 0 ? elapsed * (1 - done) / done : 0;
  char text[160];
  std::snprintf(text, sizeof text, "%3.0f%%  t = %.6g s  step %lld/%lld  %.2f it/step  ETA %s",
                100 * done, info.time, info.step, info.plannedSteps,
                static_cast<Real>(info.newtonIterations) / static_cast<Real>(info.step),
                durationText(left).c_str());
  return text;
}

void Progress::drawBar(Real fraction, const std::string& status) {
  const int room = terminalWidth() - static_cast<int>(status.size()) - 4;
  std::string line = "\r";
  if (const int width = std::min(30, room); width >= 5) {
    const int full = std::clamp(static_cast<int>(fraction * width), 0, width);
    line += "[" + std::string(full, '#') + std::string(width - full, '-') + "] ";
  }
  // Clearing what is left of a longer line keeps the bar in one piece.
  std::printf("%s%s\033[K", line.c_str(), status.c_str());
  drawn_ = true;
}

void Progress::finish() {
  if (drawn_) std::printf("\r\033[K");
  drawn_ = false;
  std::fflush(stdout);
}

}  // namespace catena
