// catena verify: runs models that carry results and compares.
#include "model/verify.h"

#include <cstdio>

#include "apps/commands.h"

namespace catena {
namespace {

const VerifyReport::Deviation* worst(const VerifyReport& report) {
  const VerifyReport::Deviation* result = nullptr;
  for (const auto& d : report.deviations)
    if (!result || !(d.largest / d.tolerance <= result->largest / result->tolerance)) result = &d;
  return result;
}

void print(const VerifyReport& report, bool sensors) {
  const char* verdict = !report.waitingFor.empty() ? "waits" : report.passed ? "passed" : "FAILED";
  std::printf("%-6s %-40s", verdict, report.name.c_str());
  if (!report.waitingFor.empty()) std::printf(" for %s", report.waitingFor.c_str());
  if (const auto* d = worst(report))
    std::printf(" %.2e of %.2e allowed (%s)", d->largest, d->tolerance, d->sensor.c_str());
  if (!report.message.empty()) std::printf(" %s", report.message.c_str());
  std::printf("\n");
  if (!sensors) return;
  for (const auto& d : report.deviations)
    std::printf("         %-6s %-34s %.3e of %.3e\n", d.passed() ? "" : "OVER", d.sensor.c_str(),
                d.largest, d.tolerance);
}

}  // namespace

int verifyModels(const VerifyOptions& options) {
  int passed = 0, failed = 0, waiting = 0, unreadable = 0;
  for (const std::string& path : options.cases) {
    try {
      const VerifyReport report = verifyCase(path, options.threads, options.linearSolver);
      ++(!report.waitingFor.empty() ? waiting : report.passed ? passed : failed);
      if (options.verbosity != Verbosity::quiet)
        print(report, options.verbosity == Verbosity::verbose ||
                          (!report.passed && report.waitingFor.empty()));
    } catch (const std::exception& error) {
      ++unreadable;
      std::fflush(stdout);
      printError(error.what());
    }
    std::fflush(stdout);
  }
  if (options.verbosity != Verbosity::quiet && options.cases.size() > 1)
    std::printf("%d passed, %d deviate, %d wait for what is not available, %d wrong\n", passed,
                failed, waiting, unreadable);
  if (unreadable > 0) return exitCode::wrongInput;
  return failed > 0 || (waiting > 0 && !options.allowWaiting) ? exitCode::failed : exitCode::done;
}

}  // namespace catena
