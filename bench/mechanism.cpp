#include "bench/mechanism.h"

#include <cmath>
#include <memory>

#include "integrators/alpha_method.h"
#include "model/generate.h"

namespace catena::bench {

int threads = 1;

MainSystem& chain(long long bodies, const std::string& nodes) {
  static std::unique_ptr<MainSystem> kept;
  static long long keptBodies = 0;
  static std::string keptNodes;
  if (!kept || keptBodies != bodies || keptNodes != nodes) {
    kept.reset();  // before the next one is built: two of them may not fit in memory
    kept = generateModel({.kind = "chain", .bodies = bodies, .nodes = nodes}).system;
    kept->Assemble();
    keptBodies = bodies;
    keptNodes = nodes;
  }
  kept->system().setThreads(threads);
  kept->system().state() = kept->system().initialState();
  return *kept;
}

void setMoving(System& system) {
  State& s = system.state();
  for (int i = 0; i < s.v.size(); ++i) {
    s.v[i] = 0.1 * std::sin(1.0 + i);
    s.a[i] = std::cos(1.0 + i);
  }
  for (int i = 0; i < s.multipliers.size(); ++i) s.multipliers[i] = 10 * std::sin(2.0 + i);
}

Variation stepVariation() {
  const Real h = 1e-3;
  const AlphaCoefficients c = alphaFromSpectralRadius(0.8);
  Variation v;
  v.velocity = c.gamma / (h * c.beta);
  v.acceleration = (1 - c.alphaM) / (h * h * c.beta * (1 - c.alphaF));
  v.rowScale = c.beta * h * h;
  v.constraintVelocity = v.velocity;
  return v;
}

}  // namespace catena::bench
