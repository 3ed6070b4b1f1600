// CHOLMOD on saddle-point systems of random mechanisms, and where it gives up.
#include <catch2/catch.hpp>

#include "tests/kernels/saddle_points.h"

using namespace catena;
using namespace catena::test;

namespace {

// nullptr in a build without CHOLMOD.
std::unique_ptr<LinearSolver> cholmodFor(const SaddlePoint& s) {
  try {
    return makeLinearSolver(LinearSolverKind::cholmod, s.matrix, s.blocks);
  } catch (const std::invalid_argument& error) {
    WARN(error.what());
    return nullptr;
  }
}

void scaleRow(SaddlePoint& s, int row, Real factor) {
  s.dense.row(row) *= factor;
  s.matrix.forEntries([&](int i, int, int k) {
    if (i == row) s.matrix.values[k] *= factor;
  });
}

}  // namespace

TEST_CASE("CHOLMOD solves nearly symmetric systems of mechanisms to rounding", "[kernels]") {
  Random random(21);
  const struct {
    const char* what;
    Graph graph;
    int rows;
  } cases[] = {{"one body", chainOf(1), 5}, {"chain", chainOf(40), 5}, {"tree", treeOf(63), 5},
               {"ring", ringOf(30), 3},     {"net", netOf(7), 2},      {"free bodies", {5, {}}, 3}};
  for (const auto& c : cases)
    for (const Real unsymmetric : {0.0, 0.01})
      for (const Real constraintScale : {1.0, 1e4}) {
        SaddlePoint s = assemble(c.graph, c.rows, random, 10, unsymmetric);
        for (int i = s.coordinates; i < s.matrix.size; ++i) scaleRow(s, i, constraintScale);
        const auto solver = cholmodFor(s);
        if (!solver) return;
        INFO(c.what << ", unsymmetric part " << unsymmetric << ", constraints times "
                    << constraintScale);
        const VectorX x = random.vector(s.matrix.size);
        VectorX y;
        REQUIRE(solver->factorAndSolve(s.matrix, s.dense * x, y));
        VectorX z = s.dense * x;
        solver->solve(z);
        CHECK(solver->name() == "CHOLMOD");
        CHECK(solver->note().empty());
        CHECK((y - x).norm() < 1e-8 * x.norm());
        CHECK((s.dense * (y - x)).norm() < 1e-11 * (s.dense * x).norm());
        CHECK(y == z);
      }
}

TEST_CASE("CHOLMOD gives way to KLU where the unsymmetric part is large, and says so",
          "[kernels]") {
  Random random(22);
  const SaddlePoint s = assemble(chainOf(20), 5, random, 1, 3);
  const auto solver = cholmodFor(s);
  if (!solver) return;
  const VectorX x = random.vector(s.matrix.size);
  VectorX y;
  REQUIRE(solver->factorAndSolve(s.matrix, s.dense * x, y));
  CHECK(solver->name() == "KLU");
  CHECK_THAT(solver->note(), Catch::Contains("CHOLMOD gave way to KLU") &&
                                 Catch::Contains("refinement did not converge"));
  CHECK((y - x).norm() < 1e-8 * x.norm());
}

TEST_CASE("CHOLMOD gives up where constraints are redundant", "[kernels]") {
  Random random(23);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const SaddlePoint s = assemble(chainOf(5), 5, random, 1, 0, 1);
    const auto solver = cholmodFor(s);
    if (!solver) return;
    VectorX y;
    // KLU may find a pivot of the size of rounding
    static_cast<void>(solver->factorAndSolve(s.matrix, random.vector(s.matrix.size), y));
    CHECK(solver->name() == "KLU");
  }
}
