// catena bench: how long models take, phase by phase, for several sizes and numbers of threads.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

#include "apps/benchmark.h"
#include "apps/commands.h"
#include "kernels/build_info.h"
#include "kernels/stopwatch.h"
#include "model/generate.h"
#include "model/provenance.h"

namespace catena {
namespace {

// Generated models run this many steps times bodies, if not asked otherwise.
constexpr long long defaultWork = 400'000, mostSteps = 1000, fewestSteps = 10;

// The largest memory that the process used since the last call, in bytes; 0 if the system does not
// tell.
Real peakMemory() {
  std::ifstream status("/proc/self/status");
  Real bytes = 0;
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) bytes = 1024 * std::stod(line.substr(6));
  std::ofstream("/proc/self/clear_refs") << 5;
  return bytes;
}

std::string processorName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  return "unknown";
}

std::string loadAverage() {
  std::ifstream file("/proc/loadavg");
  std::string load;
  file >> load;
  return load;
}

std::string now() {
  const std::time_t t = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&t));
  return text;
}

// chain:400 as kind and number of bodies; false if it is no kind of generated model.
bool isGenerated(const std::string& model, GenerateOptions& options) {
  const auto colon = model.find(':');
  if (colon == std::string::npos) return false;
  options.kind = model.substr(0, colon);
  const auto kinds = generatedKinds();
  if (std::find(kinds.begin(), kinds.end(), options.kind) == kinds.end()) return false;
  const char* end = model.data() + model.size();
  const auto [stop, error] = std::from_chars(model.data() + colon + 1, end, options.bodies);
  if (error != std::errc() || stop != end)
    throw ModelError("bench " + model + ": expected a number of bodies, e.g. " + options.kind +
                     ":400");
  return true;
}

long long countBodies(const ItemStore& items) {
  long long bodies = 0;
  for (int i = 0; i < items.count(Category::object); ++i) {
    const ObjectBehaviour& b = *items.type(Category::object, i).object;
    bodies += b.isBody() && !b.isGround();
  }
  return bodies;
}

class Bench {
 public:
  explicit Bench(const BenchOptions& options) : options_(options) {}

  int execute() {
    Provenance provenance;
    provenance.command = options_.commandLine;
    for (const auto& entry : provenanceEntries(provenance))
      if (!entry.first.starts_with("model")) benchmark_.provenance.push_back(entry);
    benchmark_.provenance.emplace_back("flags", buildInfo::flags);
    benchmark_.provenance.emplace_back("date", now());
    benchmark_.provenance.emplace_back("processor", processorName());
    benchmark_.provenance.emplace_back("processors",
                                       std::to_string(std::thread::hardware_concurrency()));
    benchmark_.provenance.emplace_back("load", loadAverage());
    for (const auto& [name, value] : benchmark_.provenance)
      std::printf("%-12s %s\n", name.c_str(), value.c_str());
    save();  // an unwritable file ends the command now, not after hours
    for (const std::string& model : options_.models) {
      measure(model);
      save();
    }
    printScaling();
    if (!options_.json.empty()) std::printf("\nwritten %s\n", options_.json.c_str());
    return exitCode::done;
  }

 private:
  void measure(const std::string& model) {
    peakMemory();
    BenchmarkRun run;
    run.model = model;
    SimulationJob job;
    {
      const Stopwatch watch(run.build);
      GenerateOptions generated;
      const bool isSize = isGenerated(model, generated);
      job = isSize ? generateModel(generated) : readJsonFile(model);
      setSettings(job.settings, options_.settings);
      if (options_.steps > 0)
        setSteps(job.settings, options_.steps);
      else if (isSize)
        setSteps(job.settings, std::clamp(defaultWork / generated.bodies, fewestSteps, mostSteps));
    }
    {
      const Stopwatch watch(run.assemble);
      job.system->Assemble();
    }
    run.bodies = countBodies(job.system->items());
    run.unknowns = job.system->system().unknowns();
    for (const int threads : options_.threads) {
      BenchmarkRun one = run;
      one.threads = threads;
      job.settings.parallel.numberOfThreads = threads;
      repeat(job, one);
      benchmark_.runs.push_back(std::move(one));
      print(benchmark_.runs.back());
    }
  }

  void save() const {
    if (!options_.json.empty()) writeBenchmark(benchmark_, options_.json);
  }

  // The same step size, over another time.
  static void setSteps(SimulationSettings& settings, long long steps) {
    auto& t = settings.timeIntegration;
    t.endTime =
        t.startTime + (t.endTime - t.startTime) / t.numberOfSteps * static_cast<Real>(steps);
    t.numberOfSteps = static_cast<Real>(steps);
  }

  void repeat(SimulationJob& job, BenchmarkRun& run) {
    System& system = job.system->system();
    for (int r = 0; r < options_.repeat; ++r) {
      system.state() = system.initialState();
      const SolveReport report = job.system->Solve(job.solve, job.settings);
      if (report.outcome != Outcome::finished)
        throw ModelError("bench " + run.model + ": " + report.message);
      for (std::size_t p = 0; p < benchmarkPhases.size(); ++p)
        run.phases[p].seconds.push_back(report.phases.*benchmarkPhases[p].seconds);
      run.steps = report.steps;
      run.linearSolver = report.linearSolver;
      run.note = report.note;
      const FactorizationCounts& f = report.factorizations;
      run.counts = {{"iterations", report.newtonIterations},
                    {"jacobians", report.jacobians},
                    {"factorizations", f.factorizations + f.refactorizations},
                    {"repivots", f.repivots},
                    {"solves", f.solves},
                    {"rejectedSteps", report.rejectedSteps},
                    {"matrixNonzeros", system.matrix().nonZeros()},
                    {"factorNonzeros", f.factorNonZeros},
                    {"factorOperations", f.factorOperations},
                    {"factorSpan", f.factorSpan > 0 ? f.factorSpan : f.factorOperations}};
    }
    run.counts.emplace_back("peakMemory", peakMemory());
  }

  static void print(const BenchmarkRun& run) {
    std::printf(
        "\n%s: %lld bodies, %lld unknowns, %lld steps, %d thread%s, %s; built in %.3g s, "
        "assembled in %.3g s\n",
        run.model.c_str(), run.bodies, run.unknowns, run.steps, run.threads,
        run.threads == 1 ? "" : "s", run.linearSolver.c_str(), run.build, run.assemble);
    if (!run.note.empty()) std::printf("  %s\n", run.note.c_str());
    std::printf("  %-15s %12s %12s %9s %8s %14s\n", "phase", "median [s]", "least [s]", "spread",
                "share", "us/body/step");
    const Real perBody = 1e6 / static_cast<Real>(std::max(1LL, run.bodies * run.steps));
    for (std::size_t p = 0; p < benchmarkPhases.size(); ++p) {
      const Sample& s = run.phases[p];
      std::printf("  %-15s %12.6f %12.6f %7.1f %% %6.1f %% %14.4f\n", benchmarkPhases[p].name,
                  s.median(), s.least(), 100 * s.spread(), 100 * s.median() / run.total().median(),
                  perBody * s.median());
    }
    for (const auto& [name, count] : run.counts) std::printf("  %s %.10g", name.c_str(), count);
    std::printf("\n");
  }

  // Time by body and step over sizes and threads.
  void printScaling() const {
    if (benchmark_.runs.size() < 2) return;
    std::printf("\n%-20s %10s %8s %10s %14s %10s %14s %10s\n", "model", "bodies", "threads",
                "steps", "us/body/step", "iter/step", "bytes/body", "speed-up");
    for (const BenchmarkRun& run : benchmark_.runs) {
      const auto bodies = static_cast<Real>(std::max(1LL, run.bodies));
      const auto steps = static_cast<Real>(std::max(1LL, run.steps));
      Real first = run.total().median();  // of this model with the first number of threads
      for (const BenchmarkRun& other : benchmark_.runs)
        if (other.model == run.model) {
          first = other.total().median();
          break;
        }
      std::printf("%-20s %10lld %8d %10lld %14.4f %10.3f %14.0f %10.2f\n", run.model.c_str(),
                  run.bodies, run.threads, run.steps, 1e6 * run.total().median() / bodies / steps,
                  run.counts.front().second / steps, run.counts.back().second / bodies,
                  first / run.total().median());
    }
  }

  const BenchOptions& options_;
  Benchmark benchmark_;
};

// What a run counts or takes in two files.
class Comparison {
 public:
  explicit Comparison(Real threshold) : threshold_(threshold) {}

  void compare(const BenchmarkRun& a, const BenchmarkRun& b) {
    std::printf("\n%s, %d thread%s, %lld steps\n", a.model.c_str(), a.threads,
                a.threads == 1 ? "" : "s", a.steps);
    std::printf("  %-15s %12s %12s %8s  %s\n", "phase", "old [s]", "new [s]", "new/old", "");
    for (std::size_t p = 0; p < benchmarkPhases.size(); ++p) {
      const Sample &before = a.phases[p], &after = b.phases[p];
      const bool beyond = after.least() > before.largest() || before.least() > after.largest();
      const Real ratio = before.median() > 0 ? after.median() / before.median() : 1;
      // what takes less than a hundredth of the time makes nothing slower
      const bool counts = std::max(before.median() / a.total().median(),
                                   after.median() / b.total().median()) > 0.01;
      const bool isSlower = beyond && counts && ratio > 1 + threshold_;
      slower_ = slower_ || isSlower;
      std::printf("  %-15s %12.6f %12.6f %8.3f  %s\n", benchmarkPhases[p].name, before.median(),
                  after.median(), ratio,
                  isSlower    ? "SLOWER"
                  : !beyond   ? "within the spread"
                  : ratio < 1 ? "faster"
                              : "slower, below the threshold");
    }
    for (const auto& [name, before] : a.counts)
      for (const auto& [other, after] : b.counts)
        if (name == other && before != after && name != "peakMemory")
          std::printf("  %s: %.10g -> %.10g\n", name.c_str(), before, after);
  }

  bool slower() const { return slower_; }

 private:
  Real threshold_;
  bool slower_ = false;
};

}  // namespace

int bench(const BenchOptions& options) { return Bench(options).execute(); }

int compareBenchmarks(const std::string& before, const std::string& after, Real threshold) {
  const Benchmark a = readBenchmark(before), b = readBenchmark(after);
  Comparison comparison(threshold);
  int compared = 0;
  for (const BenchmarkRun& x : a.runs)
    for (const BenchmarkRun& y : b.runs)
      if (x.model == y.model && x.threads == y.threads && x.steps == y.steps) {
        comparison.compare(x, y);
        ++compared;
      }
  if (compared == 0)
    throw ModelError(before + " and " + after +
                     " have no run in common: same model, threads and number of steps");
  std::printf("\n%d runs compared of %zu and %zu; %s\n", compared, a.runs.size(), b.runs.size(),
              comparison.slower() ? "some phases are slower" : "no phase is slower");
  return comparison.slower() ? exitCode::failed : exitCode::done;
}

}  // namespace catena
