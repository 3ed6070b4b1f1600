// Saddle-point systems of random mechanisms.
#pragma once

#include <array>
#include <vector>

#include "kernels/linear_solver.h"
#include "tests/mechanisms.h"

namespace catena::test {

// Nodes of six coordinates, joints of some rows between two of them or to the ground (-1).
struct Graph {
  int nodes = 0;
  std::vector<std::array<int, 2>> joints;
};

inline Graph chainOf(int n) {
  Graph g{n, {}};
  for (int i = 0; i < n; ++i) g.joints.push_back({i - 1, i});
  return g;
}
inline Graph treeOf(int n) {
  Graph g{n, {}};
  for (int i = 0; i < n; ++i) g.joints.push_back({(i - 1) / 2 - (i == 0), i});
  return g;
}
inline Graph netOf(int n) {
  Graph g{n * n, {}};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (j + 1 < n) g.joints.push_back({i * n + j, i * n + j + 1});
      if (i + 1 < n) g.joints.push_back({i * n + j, (i + 1) * n + j});
    }
  return g;
}
inline Graph ringOf(int n) {
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
inline SaddlePoint assemble(const Graph& g, int rows, Random& random, Real spread = 1,
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
  s.matrix.clear();
  for (int j = 0; j < n + m; ++j) {
    std::vector<int> rows;
    for (int i = 0; i < n + m; ++i)
      if (s.dense(i, j) != 0) rows.push_back(i), s.matrix.values.push_back(s.dense(i, j));
    s.matrix.addColumn(rows);
  }
  for (int b = 0; b < g.nodes; ++b)
    s.blocks.start.push_back(6 * b), s.blocks.isMultiplier.push_back(0);
  for (std::size_t j = 0; j < g.joints.size(); ++j)
    s.blocks.start.push_back(n + rows * static_cast<int>(j)), s.blocks.isMultiplier.push_back(1);
  s.blocks.start.push_back(n + m);
  return s;
}

}  // namespace catena::test
