// Measured runs as values: what catena bench prints, keeps in JSON files and compares.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "integrators/report.h"

namespace catena {

// The phases of a run, in the order of tables.
struct BenchmarkPhase {
  const char* name;
  Real PhaseTimes::*seconds;
};
inline constexpr std::array<BenchmarkPhase, 8> benchmarkPhases = {
    {{"motions", &PhaseTimes::motions},
     {"elements", &PhaseTimes::elements},
     {"gather", &PhaseTimes::gather},
     {"factorization", &PhaseTimes::factorization},
     {"solve", &PhaseTimes::solve},
     {"update", &PhaseTimes::update},
     {"output", &PhaseTimes::output},
     {"total", &PhaseTimes::total}}};

// Seconds of the repetitions of one thing.
struct Sample {
  std::vector<Real> seconds;

  Real median() const;
  Real least() const;
  Real largest() const;
  Real spread() const;  // largest minus least, by the median
};

// One model with one number of threads.
struct BenchmarkRun {
  std::string model;  // as asked for: a file, or chain:400
  long long bodies = 0, unknowns = 0, steps = 0;
  int threads = 1;
  Real build = 0, assemble = 0;  // seconds, once
  std::array<Sample, benchmarkPhases.size()> phases;
  std::vector<std::pair<std::string, Real>> counts;  // of one repetition; all have the same
  std::string linearSolver;
  std::string note;  // of the solver, not kept in files

  const Sample& total() const { return phases.back(); }
};

struct Benchmark {
  std::vector<std::pair<std::string, std::string>> provenance;
  std::vector<BenchmarkRun> runs;
};

// Throws ModelError or WriteError with the name of the file.
void writeBenchmark(const Benchmark& benchmark, const std::string& path);
Benchmark readBenchmark(const std::string& path);

}  // namespace catena
