#include "apps/report.h"

#include <algorithm>
#include <cstdio>

#include "model/results.h"

namespace catena {
namespace {

constexpr int mostSensorsShown = 12;
constexpr std::size_t mostComponentsShown = 9;

void printPhases(const PhaseTimes& p) {
  const std::pair<const char*, Real> phases[] = {
      {"motions", p.motions}, {"elements", p.elements},
      {"gather", p.gather},   {"factorization", p.factorization},
      {"solve", p.solve},     {"update", p.update},
      {"output", p.output}};
  Real others = p.total;
  const auto line = [&](const char* name, Real seconds) {
    std::printf("  %-15s %10.3f s  %5.1f %%\n", name, seconds,
                p.total > 0 ? 100 * seconds / p.total : 0);
  };
  for (const auto& [name, seconds] : phases) {
    others -= seconds;
    line(name, seconds);
  }
  line("other", std::max<Real>(others, 0));
  line("total", p.total);
}

void printSensors(const MainSystem& system) {
  const ItemStore& items = system.items();
  const int count = items.count(Category::sensor);
  if (count == 0) return;
  std::printf("sensors at t = %.6g s\n", system.system().state().time);
  for (int i = 0; i < std::min(count, mostSensorsShown); ++i) {
    std::printf("  %-20s", sensorLabel(items, i).c_str());
    const std::vector<Real> values = system.GetSensorValues(i);
    for (std::size_t k = 0; k < std::min(values.size(), mostComponentsShown); ++k)
      std::printf(" %.10g", values[k]);
    std::printf(values.size() > mostComponentsShown ? " ...\n" : "\n");
  }
  if (count > mostSensorsShown) std::printf("  and %d more\n", count - mostSensorsShown);
}

}  // namespace

void printSizes(const MainSystem& system) {
  const auto count = [&](Category c) { return system.items().count(c); };
  std::printf("%d nodes, %d objects, %d markers, %d loads, %d sensors\n", count(Category::node),
              count(Category::object), count(Category::marker), count(Category::load),
              count(Category::sensor));
  const System& s = system.system();
  std::printf("%d coordinates, %d multipliers, %d unknowns\n", s.coordinates(), s.multipliers(),
              s.unknowns());
}

void printReport(const MainSystem& system, const SolveReport& report) {
  const FactorizationCounts& f = report.factorizations;
  const Real perStep = report.steps > 0 ? static_cast<Real>(report.newtonIterations) /
                                              static_cast<Real>(report.steps)
                                        : 0;
  std::printf("  %-15s %10lld  (%lld rejected)\n", "steps", report.steps, report.rejectedSteps);
  std::printf("  %-15s %10lld  (%.2f per step)\n", "iterations", report.newtonIterations, perStep);
  std::printf("  %-15s %10lld\n", "Jacobians", report.jacobians);
  if (report.discontinuousIterations > 0)
    std::printf("  %-15s %10lld\n", "discontinuous", report.discontinuousIterations);
  std::printf("  %-15s %10s  %d factorizations, %d refactorizations, %d re-pivoted, %d solves\n",
              "linear solver", report.linearSolver.c_str(), f.factorizations, f.refactorizations,
              f.repivots, f.solves);
  if (!report.note.empty()) std::printf("  %s\n", report.note.c_str());
  if (!report.constraints.empty())
    std::printf("  %-15s %s\n", "constraints", report.constraints.c_str());
  if (report.correction.coordinate >= 0)
    std::printf("  %-15s changed %s by %.1e, the most, at t = %.6g s\n", "extrapolation",
                system.system().coordinateName(report.correction.coordinate).c_str(),
                report.correction.size, report.correction.time);
  for (const std::string& warning : report.warnings)
    std::printf("  warning: %s\n", warning.c_str());
  printPhases(report.phases);
  std::printf("  %-15s %10.1f MB\n", "peak memory", static_cast<Real>(peakMemory()) / 1e6);
  printSensors(system);
}

}  // namespace catena
