// The multifrontal solver against dense ones on saddle-point systems of random mechanisms.
#include <Eigen/QR>
#include <catch2/catch.hpp>

#include "kernels/multifrontal_solver.h"
#include "tests/mechanisms.h"

using namespace catena;
using namespace catena::test;

namespace {

// Nodes of six coordinates, joints of some rows between two of them or to the ground (-1).
struct Graph {
  int nodes = 0;
  std::vector<std::array<int, 2>> joints;
};

Graph chainOf(int n) {
  Graph g{n, {}};
  for (int i = 0; i < n; ++i) g.joints.push_back({i - 1, i});
  return g;
}
Graph treeOf(int n) {
  Graph g{n, {}};
  for (int i = 0; i < n; ++i) g.joints.push_back({(i - 1) / 2 - (i == 0), i});
  return g;
}
Graph netOf(int n) {
  Graph g{n * n, {}};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (j + 1 < n) g.joints.push_back({i * n + j, i * n + j + 1});
      if (i + 1 < n) g.joints.push_back({i * n + j, (i + 1) * n + j});
    }
  return g;
}
Graph ringOf(int n) {
  Graph g = chainOf(n);
  g.joints.push_back({n - 1, -1});
  return g;
}

struct SaddlePoint {
  MatrixX dense;
  CscMatrix matrix;
  BlockStructure blocks;
  int coordinates = 0;
};

// Masses of random order of magnitude up to spread; unsymmetric terms of the given size; redundant:
// the last rows of the last joint are combinations of the first.
SaddlePoint assemble(const Graph& g, int rows, Random& random, Real spread = 1,
                     Real unsymmetric = 0.01, int redundant = 0) {
  SaddlePoint s;
  const int n = 6 * g.nodes, m = rows * static_cast<int>(g.joints.size());
  s.coordinates = n;
  s.dense = MatrixX::Zero(n + m, n + m);
  for (int b = 0; b < g.nodes; ++b) {
    const MatrixX R = Eigen::Map<const MatrixX>(random.vector(36).data(), 6, 6);
    const MatrixX G = Eigen::Map<const MatrixX>(random.vector(36).data(), 6, 6);
    const Real scale = std::pow(spread, random.vector(1)[0]);
    s.dense.block(6 * b, 6 * b, 6, 6) =
        scale * (R * R.transpose() + 0.5 * MatrixX::Identity(6, 6) + unsymmetric * G);
  }
  int row = n;
  for (const auto& joint : g.joints) {
    for (const int node : joint) {
      if (node < 0) continue;
      MatrixX C = Eigen::Map<const MatrixX>(random.vector(6 * rows).data(), rows, 6);
      s.dense.block(row, 6 * node, rows, 6) = C;
      s.dense.block(6 * node, row, 6, rows) = C.transpose();
    }
    row += rows;
  }
  for (int k = 0; k < redundant; ++k) {
    const int to = n + m - 1 - k;
    s.dense.row(to) = s.dense.row(n + m - rows) - 2 * s.dense.row(n + m - rows + 1) * k;
    s.dense.col(to) = s.dense.col(n + m - rows) - 2 * s.dense.col(n + m - rows + 1) * k;
  }
  s.matrix.size = n + m;
  s.matrix.columnStart = {0};
  for (int j = 0; j < n + m; ++j) {
    for (int i = 0; i < n + m; ++i)
      if (s.dense(i, j) != 0)
        s.matrix.rowIndex.push_back(i), s.matrix.values.push_back(s.dense(i, j));
    s.matrix.columnStart.push_back(s.matrix.nonZeros());
  }
  for (int b = 0; b < g.nodes; ++b)
    s.blocks.start.push_back(6 * b), s.blocks.isMultiplier.push_back(0);
  for (std::size_t j = 0; j < g.joints.size(); ++j)
    s.blocks.start.push_back(n + rows * static_cast<int>(j)), s.blocks.isMultiplier.push_back(1);
  s.blocks.start.push_back(n + m);
  return s;
}

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
  for (int k = 0; k < s.matrix.size; ++k)
    for (int e = s.matrix.columnStart[k]; e < s.matrix.columnStart[k + 1]; ++e) {
      const int i = s.matrix.rowIndex[e], last = s.matrix.size - 1;
      if (i == last) regular.matrix.values[e] *= 1 + 0.5 * std::sin(k);
      if (k == last) regular.matrix.values[e] *= 1 + 0.5 * std::sin(i);
    }
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

TEST_CASE("multifrontal elimination refuses coordinates without mass, and infinite entries",
          "[kernels]") {
  Random random(15);
  SaddlePoint s = assemble(chainOf(6), 3, random);
  const auto solver = solverFor(s);
  SaddlePoint massless = s, infinite = s;
  for (int e = 0; e < s.matrix.nonZeros(); ++e) {
    const int i = s.matrix.rowIndex[e];
    if (i == 33) massless.matrix.values[e] = 0;
  }
  for (int e = s.matrix.columnStart[33]; e < s.matrix.columnStart[34]; ++e)
    massless.matrix.values[e] = 0;
  infinite.matrix.values[40] = std::numeric_limits<Real>::quiet_NaN();
  CHECK_FALSE(solver->factor(massless.matrix));
  CHECK_FALSE(solver->factor(infinite.matrix));
  REQUIRE(solver->factor(s.matrix));
  VectorX x = VectorX::Ones(s.matrix.size);
  solver->solve(x);
  CHECK((s.dense * x - VectorX::Ones(s.matrix.size)).norm() < 1e-9);
}
