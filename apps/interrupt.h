// Ctrl-C and SIGTERM as a question that the run asks after every step.
#pragma once

namespace catena {

// While it lives the first signal only takes a note; the second one ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool interrupted() const;
};

}  // namespace catena
