// The assembled Jacobian of every golden model against differences of the assembled residual.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "model/json_reader.h"

using namespace catena;

namespace {

// A generalized-alpha step of 10 ms.
Variation stepVariation() {
  const Real h = 0.01, beta = 0.28;
  return {.position = 1,
          .velocity = 0.55 / (h * beta),
          .acceleration = 1.1 / (h * h * beta),
          .firstOrderRate = 2 / h,
          .rowScale = beta * h * h,
          .constraintPosition = 1,
          .constraintVelocity = 0.55 / (h * beta)};
}

// Largest difference between a column of the matrix and the central difference of the residual,
// relative to the largest entry of its row.
Real largestError(System& system, const Variation& along, ConstraintLevel level) {
  const int n = system.unknowns(), dynamic = system.dynamicUnknowns();
  VectorX r, above, below, delta = VectorX::Zero(n);
  system.evaluate(along, level, true, r);
  const MatrixX J = system.matrix().dense();
  const VectorX scale = J.cwiseAbs().rowwise().maxCoeff();
  const State start = system.state();
  Real largest = 0;
  for (int j = 0; j < n; ++j) {
    const Real step = j < dynamic ? 1e-6 : 1e-4;
    for (const Real sign : {1.0, -1.0}) {
      system.state() = start;
      delta.setZero();
      delta[j] = sign * step;
      system.increment(delta, along, level);
      system.evaluate(along, level, false, sign > 0 ? above : below);
    }
    VectorX column = (above - below) / (2 * step);
    column.head(dynamic) *= along.rowScale;
    for (int i = 0; i < n; ++i)
      if (scale[i] > 0) largest = std::max(largest, std::abs(column[i] - J(i, j)) / scale[i]);
  }
  system.state() = start;
  return largest;
}

}  // namespace

TEST_CASE("the assembled Jacobian of every golden model is the derivative of its residual",
          "[golden]") {
  int checked = 0;
  const std::filesystem::path folder = std::filesystem::path(CATENA_SOURCE_DIR) / "tests/golden";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    SimulationJob job;
    try {
      job = readJsonFile(entry.path().string());
      job.system->Assemble();
    } catch (const ModelError&) {
      continue;  // waits for an item; golden_test.cpp lists these
    }
    System& system = job.system->system();
    if (system.unknowns() > 300) continue;  // the longest chains: the same items as the short ones
    State& s = system.state();
    // beside the initial positions, where a contact may just begin
    VectorX shift(system.unknowns());
    for (int i = 0; i < shift.size(); ++i) shift[i] = 1e-4 * std::sin(1.7 * i + 0.3);
    system.increment(shift, {.position = 1}, ConstraintLevel::position);
    for (int i = 0; i < s.multipliers.size(); ++i) s.multipliers[i] = 10 * std::sin(1.3 * i + 0.4);
    const bool index2 = job.settings.timeIntegration.generalizedAlpha.useIndex2Constraints;
    const auto level = index2 ? ConstraintLevel::velocity : ConstraintLevel::position;
    INFO(entry.path().stem());
    CHECK(largestError(system, stepVariation(), level) < 1e-6);
    ++checked;
  }
  CHECK(checked >= 50);
}
