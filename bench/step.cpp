// Whole time steps of a chain: generalized-alpha, spectral radius 0.8, h = 1 ms, default
// tolerances.
#include <ctime>

#include "bench/counters.h"
#include "bench/mechanism.h"

namespace catena::bench {
namespace {

struct Run {
  SolveReport report;
  double processorSeconds = 0;  // of all threads; hardly depends on what else the machine does
};

Run run(MainSystem& mbs, int steps) {
  SimulationSettings settings;
  settings.timeIntegration.numberOfSteps = steps;
  settings.timeIntegration.endTime = 1e-3 * steps;
  settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8;
  settings.parallel.numberOfThreads = threads;
  mbs.system().state() = mbs.system().initialState();
  const std::clock_t begin = std::clock();
  Run result{mbs.SolveDynamic(settings)};
  result.processorSeconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return result;
}

constexpr Real PhaseTimes::*phases[] = {
    &PhaseTimes::motions, &PhaseTimes::elements, &PhaseTimes::gather, &PhaseTimes::factorization,
    &PhaseTimes::solve,   &PhaseTimes::update,   &PhaseTimes::total};

// The first step, with the initial accelerations and the choice of pivots, is paid once per run. It
// is measured alone and subtracted: what is shown belongs to one of the steps after it.
void step(benchmark::State& state, const std::string& nodes) {
  const long long bodies = state.range(0);
  const int steps = bodies >= 100'000 ? 5 : 20;
  MainSystem& mbs = chain(bodies, nodes);
  const auto [first, firstProcessorSeconds] = run(mbs, 1);
  PhaseTimes sum;
  long long iterations = 0, jacobians = 0;
  double processorSeconds = 0;
  for (auto _ : state) {
    const auto [report, seconds] = run(mbs, 1 + steps);
    processorSeconds += seconds - firstProcessorSeconds;
    if (report.outcome != Outcome::finished) state.SkipWithError(report.message.c_str());
    for (const auto phase : phases) sum.*phase += report.phases.*phase - first.phases.*phase;
    iterations += report.newtonIterations - first.newtonIterations;
    jacobians += report.jacobians - first.jacobians;
    state.SetIterationTime((report.phases.total - first.phases.total) / steps);
  }
  countBodies(state, bodies);
  const double stepsDone = static_cast<double>(steps) * static_cast<double>(state.iterations());
  state.counters["processor/body"] = processorSeconds / (stepsDone * static_cast<double>(bodies));
  state.counters["iterations"] = static_cast<double>(iterations) / stepsDone;
  state.counters["jacobians"] = static_cast<double>(jacobians) / stepsDone;
  state.counters["motions"] = sum.motions / sum.total;
  state.counters["elements"] = sum.elements / sum.total;
  state.counters["gather"] = sum.gather / sum.total;
  state.counters["factorization"] = sum.factorization / sum.total;
  state.counters["solve"] = sum.solve / sum.total;
  state.counters["update"] = sum.update / sum.total;
}

const bool registered = [] {
  for (const char* nodes : {"RigidBodyRotVecLG", "RigidBodyEP"}) {
    auto* b = benchmark::RegisterBenchmark((std::string("step/") + nodes).c_str(),
                                           [=](benchmark::State& state) { step(state, nodes); });
    b->ArgName("bodies")->UseManualTime()->Unit(benchmark::kMicrosecond);
    for (const long long n : sizes) b->Arg(n);
  }
  return true;
}();

}  // namespace
}  // namespace catena::bench
