#include "items/element.h"

#include <algorithm>

#include "items/dependent_frame.h"

namespace catena {

void ElementPattern::couple(int row, int column) {
  if (row >= firstBundle) {
    for (const int member : bundles[row - firstBundle]) couple(member, column);
  } else if (column >= firstBundle) {
    for (const int member : bundles[column - firstBundle]) couple(row, member);
  } else if (bundles.empty() ||
             std::find(blocks.begin(), blocks.end(), std::array{row, column}) == blocks.end()) {
    blocks.push_back({row, column});
  }
}

namespace {

// A matrix that keeps its memory when it shrinks.
class Scratch {
 public:
  Eigen::Map<MatrixX> zero(int rows, int columns) {
    if (memory_.size() < static_cast<std::size_t>(rows) * columns) memory_.resize(rows * columns);
    Eigen::Map<MatrixX> m(memory_.data(), rows, columns);
    m.setZero();
    return m;
  }

 private:
  std::vector<Real> memory_;
};

std::span<const Projection> projectionsOf(const ElementSink& sink, int e) {
  if (sink.projections.empty()) return {};
  return {sink.projections.data() + sink.firstProjection[e],
          sink.projections.data() + sink.firstProjection[e + 1]};
}

void project(const ElementSink& sink, int e, Eigen::Map<MatrixX>& m) {
  const int n = static_cast<int>(m.rows());
  for (const auto& [at, axis] : projectionsOf(sink, e)) {
    for (int j = 0; j < n; ++j) m(at, j) = axis.dot(m.block<3, 1>(at, j));
    for (int i = 0; i < n; ++i) m(i, at) = m.block<1, 3>(i, at).dot(axis.transpose());
  }
}

void addDirectly(const EvaluationContext& context, const ElementSink& sink, int e,
                 const Eigen::Map<MatrixX>& L) {
  forBlocks(context, sink, e, [&](const BlockShape& b, Real* to) {
    for (int j = 0; j < b.columns; ++j, to += b.leadingDimension)
      for (int i = 0; i < b.rows; ++i) to[i] += L(b.row + i, b.column + j);
  });
}

}  // namespace

void storeDependent(const EvaluationContext& context, const ElementSink& sink, int e, const Real* r,
                    const Real* L, int n) {
  thread_local Scratch vectorMemory, matrixMemory;
  const std::span dependences(sink.dependences.data() + sink.firstDependence[e],
                              sink.firstDependence[e + 1] - sink.firstDependence[e]);
  const auto motionOf = [&](const Dependence& d) -> const DependentMotion& {
    return context.dependents[d.dependent];
  };
  int size = n;
  for (const Dependence& d : dependences) size += static_cast<int>(motionOf(d).q.size());
  auto vector = vectorMemory.zero(size, 1);
  vector.topRows(n) = ConstVectorView(r, n);
  for (const Dependence& d : dependences) {
    const DependentMotion& m = motionOf(d);
    vector.middleRows(d.first, m.q.size()).noalias() =
        m.J.transpose() * vector.middleRows<6>(d.offset);
  }
  if (!L) return storeProjected(context, sink, e, vector.data(), nullptr, size);

  auto matrix = matrixMemory.zero(size, size);
  const Eigen::Map<const MatrixX> local(L, n, n);
  const bool ratesOnly = context.ratesOfDependents;
  if (!ratesOnly) matrix.topLeftCorner(n, n) = local;
  for (const Dependence& d : dependences) {
    const DependentMotion& m = motionOf(d);
    matrix.block(0, d.first, n, m.q.size()).noalias() =
        local.middleCols<6>(d.offset) * (ratesOnly ? m.H : m.J);
  }
  for (const Dependence& d : dependences)
    matrix.middleRows(d.first, motionOf(d).q.size()).noalias() =
        motionOf(d).J.transpose() * matrix.middleRows<6>(d.offset);
  if (ratesOnly) {
    project(sink, e, matrix);
    return addDirectly(context, sink, e, matrix);
  }

  const Real scale = context.variation.rowScale * context.variation.position;
  thread_local MatrixX stiffness;
  for (const Dependence& d : dependences) {
    if (scale == 0) break;
    const DependentMotion& m = motionOf(d);
    const auto count = m.q.size();
    stiffness.setZero(count, count);
    m.source->addWrenchStiffness(m.q, vector.middleRows<6>(d.offset), scale, stiffness);
    matrix.block(d.first, d.first, count, count) += stiffness;
  }
  storeProjected(context, sink, e, vector.data(), matrix.data(), size);
}

void storeProjected(const EvaluationContext& context, const ElementSink& sink, int e, const Real* r,
                    const Real* L, int n) {
  if (sink.projections.empty() || sink.firstProjection[e] == sink.firstProjection[e + 1])
    return storeDirectly(context, sink, e, r, L, n);
  thread_local Scratch vectorMemory, matrixMemory;
  auto vector = vectorMemory.zero(n, 1);
  vector = ConstVectorView(r, n);
  for (const Projection& p : projectionsOf(sink, e))
    vector(p.offset) = p.axis.dot(vector.middleRows<3>(p.offset).col(0));
  if (!L) return storeDirectly(context, sink, e, vector.data(), nullptr, n);
  auto matrix = matrixMemory.zero(n, n);
  matrix = Eigen::Map<const MatrixX>(L, n, n);
  project(sink, e, matrix);
  storeDirectly(context, sink, e, vector.data(), matrix.data(), n);
}

}  // namespace catena
