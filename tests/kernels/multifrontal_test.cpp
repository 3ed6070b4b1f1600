// The multifrontal solver against dense ones on saddle-point systems of random mechanisms.
#include <Eigen/QR>
#include <catch2/catch.hpp>
#include <numeric>

#include "kernels/multifrontal_solver.h"
#include "tests/kernels/saddle_points.h"

using namespace catena;
using namespace catena::test;

namespace {

std::unique_ptr<LinearSolver> solverFor(const SaddlePoint& s, int threads = 1) {
  auto solver = makeMultifrontalSolver(s.matrix, s.blocks, std::make_shared<ThreadPool>(threads));
  REQUIRE(solver);
  return solver;
}

}  // namespace

TEST_CASE("multifrontal elimination solves chains, trees, rings and nets like a dense LU",
          "[kernels]") {
  Random random(11);
  const struct {
    const char* what;
    Graph graph;
    int rows;
  } cases[] = {{"one body", chainOf(1), 5}, {"chain", chainOf(40), 5}, {"tree", treeOf(63), 5},
               {"ring", ringOf(30), 3},     {"net", netOf(9), 2},      {"free bodies", {5, {}}, 3},
               {"wide net", netOf(3), 1}};
  for (const auto& c : cases)
    for (const Real spread : {1.0, 1e3}) {
      const SaddlePoint s = assemble(c.graph, c.rows, random, spread);
      const auto solver = solverFor(s);
      INFO(c.what << ", masses up to " << spread);
      for (int repeat = 0; repeat < 2; ++repeat) {
        REQUIRE(solver->factor(s.matrix));
        CHECK(solver->redundantRows().empty());
        const VectorX b = random.vector(s.matrix.size);
        VectorX x = b;
        solver->solve(x);
        const VectorX expected = s.dense.partialPivLu().solve(b);
        CHECK((x - expected).norm() < (spread > 1 ? 1e-6 : 1e-9) * expected.norm());
        // small relative to the terms that are added up
        const Real terms = (s.dense.cwiseAbs() * x.cwiseAbs()).norm() + b.norm();
        CHECK((s.dense * x - b).norm() < 1e-10 * terms);
      }
    }
}

TEST_CASE("multifrontal elimination leaves out redundant rows and solves the others", "[kernels]") {
  Random random(12);
  for (const int redundant : {1, 2})
    for (const Graph& graph : {chainOf(12), ringOf(12), treeOf(15), netOf(4)}) {
      const int rows = graph.joints.size() > 20 ? 3 : 4;
      const SaddlePoint s = assemble(graph, rows, random, 1, 0, redundant);
      const auto solver = solverFor(s);
      REQUIRE(solver->factor(s.matrix));
      const Eigen::CompleteOrthogonalDecomposition<MatrixX> dense(s.dense);
      REQUIRE(static_cast<int>(solver->redundantRows().size()) == s.matrix.size - dense.rank());
      for (const int row : solver->redundantRows()) CHECK(row >= s.coordinates);
      const VectorX b = s.dense * random.vector(s.matrix.size);  // consistent
      VectorX x = b;
      solver->solve(x);
      CHECK((s.dense * x - b).norm() < 1e-10 * b.norm());
      // coordinates are unique, multipliers up to null vectors
      const VectorX least = dense.solve(b);
      CHECK((x - least).head(s.coordinates).norm() < 1e-9 * least.norm());
      solver->shorten(x);
      CHECK((x - least).norm() < 1e-8 * least.norm());
      const VectorX null = solver->nullCombination(random.vector(s.matrix.size));
      CHECK(null.norm() > 1e-3);
      CHECK((s.dense * null).norm() < 1e-10 * null.norm());
      CHECK(null.head(s.coordinates).norm() < 1e-10 * null.norm());
    }
}

TEST_CASE("rows that cease to be redundant are taken up again", "[kernels]") {
  Random random(13);
  SaddlePoint s = assemble(ringOf(8), 4, random, 1, 0, 1), regular = s;
  // the same pattern with an independent last row
  const int last = s.matrix.size - 1;
  s.matrix.forEntries([&](int i, int j, int k) {
    if (i == last) regular.matrix.values[k] *= 1 + 0.5 * std::sin(j);
    if (j == last) regular.matrix.values[k] *= 1 + 0.5 * std::sin(i);
  });
  regular.dense = regular.matrix.dense();
  const auto solver = solverFor(s);
  for (int repeat = 0; repeat < 2; ++repeat)
    for (const SaddlePoint* p : {&s, &regular}) {
      REQUIRE(solver->factor(p->matrix));
      CHECK(solver->redundantRows().size() == (p == &s ? 1 : 0));
      const VectorX b = p->dense * random.vector(s.matrix.size);
      VectorX x = b;
      solver->solve(x);
      CHECK((p->dense * x - b).norm() < 1e-9 * b.norm());
    }
}

TEST_CASE("multifrontal elimination gives the same bits for any number of threads", "[kernels]") {
  Random random(14);
  for (const Graph& graph : {chainOf(300), treeOf(255), netOf(12)}) {
    const SaddlePoint s = assemble(graph, 3, random);
    const VectorX b = random.vector(s.matrix.size);
    VectorX first;
    for (const int threads : {1, 2, 3, 8}) {
      const auto solver = solverFor(s, threads);
      REQUIRE(solver->factor(s.matrix));
      VectorX x = b;
      solver->solve(x);
      if (threads == 1) first = x;
      CHECK(x == first);
    }
  }
}

TEST_CASE("trees that are cut into parts have the same solution", "[kernels]") {
  Random random(16);
  for (const Graph& graph : {chainOf(600), treeOf(511)}) {
    SaddlePoint s = assemble(graph, 3, random);
    const VectorX b = random.vector(s.matrix.size);
    for (const int parts : {1, 4, 8}) {
      s.blocks.parts = parts;
      const auto solver = solverFor(s, 2);
      REQUIRE(solver->factor(s.matrix));
      VectorX x = b;
      solver->solve(x);
      CHECK((s.dense * x - b).norm() < 1e-9 * b.norm());
    }
  }
}

TEST_CASE("where solutions turn out poor, KLU solves for the same right-hand side", "[kernels]") {
  Random random(17);
  for (const Real tiny :
       {1e-60, 1e-200, 1e-310})  // pivots of the first node, which is eliminated first
    for (const bool together : {false, true}) {
      const MatrixX R = Eigen::Map<const MatrixX>(random.vector(36).data(), 6, 6);
      MatrixX A = MatrixX::Identity(12, 12);
      A << tiny * MatrixX::Identity(6, 6), MatrixX::Identity(6, 6), MatrixX::Identity(6, 6),
          R * R.transpose();
      CscMatrix m;
      m.clear();
      std::vector<int> rows(12);
      std::iota(rows.begin(), rows.end(), 0);
      for (int j = 0; j < 12; ++j) m.addColumn(rows);
      m.values.assign(A.data(), A.data() + A.size());
      const auto solver = makeLinearSolver(LinearSolverKind::automatic, m, {{0, 6, 12}, {0, 0}, 1});
      REQUIRE(solver->name() == "multifrontal");
      const VectorX b = random.vector(12);
      VectorX x = b;
      if (together) {
        REQUIRE(solver->factorAndSolve(m, b, x));
      } else {
        REQUIRE(solver->factor(m));
        solver->solve(x);
      }
      INFO(tiny << ", " << together);
      CHECK_THAT(solver->note(), Catch::Contains("gave way to KLU"));
      CHECK((A * x - b).norm() < 1e-12 * (1 + x.norm()));
    }
}

TEST_CASE("multifrontal elimination refuses coordinates without mass, and infinite entries",
          "[kernels]") {
  Random random(15);
  SaddlePoint s = assemble(chainOf(6), 3, random);
  const auto solver = solverFor(s);
  SaddlePoint massless = s, infinite = s;
  s.matrix.forEntries([&](int i, int j, int k) {
    if (i == 33 || j == 33) massless.matrix.values[k] = 0;
  });
  infinite.matrix.values[40] = std::numeric_limits<Real>::quiet_NaN();
  CHECK_FALSE(solver->factor(massless.matrix));
  CHECK_FALSE(solver->factor(infinite.matrix));
  REQUIRE(solver->factor(s.matrix));
  VectorX x = VectorX::Ones(s.matrix.size);
  solver->solve(x);
  CHECK((s.dense * x - VectorX::Ones(s.matrix.size)).norm() < 1e-9);
}
