// Residual and Jacobian of a chain: motions and elements, and the sum of what the elements wrote.
#include "bench/counters.h"
#include "bench/mechanism.h"

namespace catena::bench {
namespace {

enum class Part { elements, gather };

// Time of one part of System::evaluate, by the timers of the system. In "elements" the motions of
// the frames are included, their share is a counter.
void evaluate(benchmark::State& state, const std::string& nodes, Part part) {
  const long long bodies = state.range(0);
  const bool withMatrix = state.range(1) != 0;
  System& system = chain(bodies, nodes).system();
  setMoving(system);
  const Variation variation = stepVariation();
  VectorX residual;
  system.evaluate(variation, ConstraintLevel::position, withMatrix,
                  residual);  // first touch of all memory
  Real motions = 0, elements = 0;
  for (auto _ : state) {
    const System::Timers before = system.timers;
    system.evaluate(variation, ConstraintLevel::position, withMatrix, residual);
    const System::Timers& after = system.timers;
    motions += after.motions - before.motions;
    elements += after.elements - before.elements;
    state.SetIterationTime(part == Part::gather
                               ? after.gather - before.gather
                               : after.motions - before.motions + after.elements - before.elements);
  }
  countBodies(state, bodies);
  if (part == Part::elements) state.counters["motions"] = motions / (motions + elements);
}

const bool registered = [] {
  for (const auto& [part, name] : {std::pair{Part::elements, "elements"}, {Part::gather, "gather"}})
    for (const char* nodes : {"RigidBodyRotVecLG", "RigidBodyEP"}) {
      auto* b = benchmark::RegisterBenchmark(
          (std::string(name) + "/" + nodes).c_str(),
          [=](benchmark::State& state) { evaluate(state, nodes, part); });
      b->ArgNames({"bodies", "matrix"})
          ->UseManualTime()

          ->Unit(benchmark::kMicrosecond);
      for (const long long n : sizes) b->Args({n, 0})->Args({n, 1});
    }
  return true;
}();

}  // namespace
}  // namespace catena::bench
