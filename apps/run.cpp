// catena run: reads, assembles, solves, writes.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/commands.h"
#include "apps/eigenvalues.h"
#include "apps/interrupt.h"
#include "apps/progress.h"
#include "apps/report.h"
#include "model/json_reader.h"
#include "model/results.h"

namespace catena {

std::string readModelText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw ModelError(path + ": cannot be read: " + std::strerror(errno));
  std::ostringstream text;
  errno = 0;
  text << file.rdbuf();
  if (file.bad() || errno != 0)
    throw ModelError(path + ": cannot be read: " + std::strerror(errno ? errno : EIO));
  return std::move(text).str();
}

namespace {

// One run, from the file to the exit code.
class Run {
 public:
  explicit Run(const RunOptions& options) : options_(options) {}

  int execute() {
    read();
    job_.system->Assemble();
    if (job_.solve == "eigenvalues") return eigenvalues();
    openResults();
    if (options_.verbosity == Verbosity::verbose) printSizes(*job_.system);
    solve();
    return conclude();
  }

 private:
  void read() {
    const std::string text = readModelText(options_.model);
    job_ = readJsonText(text, options_.model);
    setSettings(job_.settings, options_.settings);
    if (options_.threads > 0)
      job_.settings.set("parallel.numberOfThreads", Value(options_.threads));
    provenance_.modelName =
        job_.name.empty() ? std::filesystem::path(options_.model).stem().string() : job_.name;
    provenance_.modelFile = options_.model;
    provenance_.modelHash = hashText(text);
    provenance_.command = options_.commandLine;
  }

  int eigenvalues() {
    const Eigenvalues e = job_.system->ComputeODE2Eigenvalues(job_.eigenvalueOptions);
    printModes(e, job_.eigenvalueOptions.computeComplexEigenvalues);
    return exitCode::done;
  }

  void openResults() {
    if (options_.output == "none") return;
    std::string directory = options_.output;
    if (directory.empty()) {
      std::string name = provenance_.modelName;
      for (char& c : name)
        if (c == '/') c = '_';
      directory = "output/" + name;
    }
    results_.emplace(directory, *job_.system, job_.settings, provenance_);
  }

  void solve() {
    Progress progress(options_.verbosity);
    const InterruptGuard interrupt;
    const auto observe = [&](const StepInfo& info) {
      progress.step(info);
      const bool written = !results_ || results_->step(info);
      return written && !interrupt.interrupted();
    };
    try {
      report_ = job_.system->Solve(job_.solve, job_.settings, observe);
    } catch (const std::exception& error) {
      progress.finish();
      finishAfter(error);
      throw;
    }
    interrupted_ = report_.outcome == Outcome::stopped && interrupt.interrupted();
    progress.finish();
    if (results_) results_->finish(report_, outcomeText());
  }

  // The results so far are kept also when the model turns out to be wrong on the way.
  void finishAfter(const std::exception& error) {
    if (!results_) return;
    report_.message = error.what();
    report_.time = job_.system->system().state().time;
    results_->abandon(report_);
  }

  std::string outcomeText() const {
    if (interrupted_) return "interrupted";
    return report_.outcome == Outcome::finished ? "finished" : "not converged";
  }

  int conclude() {
    const bool unwritten = results_ && !results_->failure().empty();
    if (options_.verbosity != Verbosity::quiet) {
      std::printf("%s: %s at t = %.10g s\n", provenance_.modelName.c_str(),
                  unwritten ? "stopped" : outcomeText().c_str(), report_.time);
      printReport(*job_.system, report_);
      if (results_) std::printf("results in %s\n", results_->directory().c_str());
      std::fflush(stdout);
    }
    if (unwritten) {
      printError(results_->failure() + "; the results up to then are kept");
      return exitCode::failed;
    }
    if (interrupted_) {
      printError("interrupted at t = " + valueText(report_.time) +
                 " s; the results up to then are kept");
      return exitCode::interrupted;
    }
    if (report_.outcome == Outcome::finished) return exitCode::done;
    printError(options_.model + ": " + report_.message);
    return exitCode::failed;
  }

  const RunOptions& options_;
  SimulationJob job_;
  Provenance provenance_;
  std::optional<ResultWriter> results_;
  SolveReport report_;
  bool interrupted_ = false;
};

}  // namespace

void setSettings(SimulationSettings& settings, const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
      throw ModelError("--set " + assignment +
                       ": expected path=value, e.g. --set timeIntegration.endTime=2");
    try {
      settings.set(assignment.substr(0, equals), valueFromText(assignment.substr(equals + 1)));
    } catch (const ModelError& error) {
      throw ModelError("--set " + assignment + ": " + error.what());
    }
  }
}

int runModel(const RunOptions& options) { return Run(options).execute(); }

}  // namespace catena
