#include "apps/interrupt.h"

#include <csignal>

namespace catena {
namespace {

volatile std::sig_atomic_t received = 0;

void note(int signal) {
  received = signal;
  std::signal(signal, SIG_DFL);
}

// Installs a handler unless the parent had the signal ignored, as a shell does for its background
// jobs.
void handle(int signal, void (*handler)(int)) {
  if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  received = 0;
  handle(SIGINT, note);
  handle(SIGTERM, note);
}

InterruptGuard::~InterruptGuard() {
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
}

bool InterruptGuard::interrupted() const { return received != 0; }

}  // namespace catena
