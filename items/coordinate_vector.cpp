#include "items/coordinate_vector.h"

namespace catena {

CoordinateVector::CoordinateVector(const AssemblyView& view, const std::vector<NodeIndex>& nodes) {
  for (const NodeIndex node : nodes) {
    const NodeLayout& layout = view.layout(node);
    Part p{node,
           coordinates_,
           unknowns_,
           layout.coordinates,
           layout.groups.total(),
           view.place(node).coordinate,
           layout.coordinates == 0 || layout.shape.rotations != 3};
    plain_ = plain_ && p.plain;
    coordinates_ += p.coordinates;
    unknowns_ += p.unknowns;
    parts_.push_back(p);
  }
  reference_.setZero(coordinates_);
  for (const Part& p : parts_)
    if (p.coordinates)
      view.behaviour(p.node).referenceCoordinates(view.item(Category::node, p.node.value),
                                                  reference_.data() + p.coordinate);
}

std::vector<int> CoordinateVector::addGroups(const AssemblyView& view, int offset,
                                             ElementPattern& pattern) const {
  std::vector<int> positions;
  for (const Part& p : parts_) {
    int group = view.place(p.node).group, row = offset + p.unknown;
    for (const int size : view.layout(p.node).groups) {
      positions.push_back(pattern.add({group++, row, size, 0}));
      row += size;
    }
  }
  return positions;
}

void CoordinateVector::describeCoupled(const AssemblyView& view, ElementPattern& pattern) const {
  const std::vector<int> groups = addGroups(view, 0, pattern);
  for (const int i : groups)
    for (const int j : groups) pattern.couple(i, j);
}

void CoordinateVector::gather(const VectorX& global, Eigen::Ref<VectorX> local) const {
  for (const Part& p : parts_)
    local.segment(p.coordinate, p.coordinates) = global.segment(p.global, p.coordinates);
}

void CoordinateVector::maps(const AssemblyView& view, const State& state, MatrixX& P,
                            MatrixX& F) const {
  P.setZero(coordinates_, unknowns_);
  F.setZero(coordinates_, unknowns_);
  Vector6 positionRow, forceRow;
  Matrix6 hessian;
  for (const Part& p : parts_)
    for (int i = 0; i < p.coordinates; ++i) {
      if (p.plain) {
        P(p.coordinate + i, p.unknown + i) = F(p.coordinate + i, p.unknown + i) = 1;
        continue;
      }
      view.behaviour(p.node).coordinateRows(view.item(Category::node, p.node.value),
                                            viewOf(state, view.place(p.node)), i,
                                            positionRow.data(), forceRow.data(), hessian.data());
      P.block<1, 6>(p.coordinate + i, p.unknown) = positionRow.transpose();
      F.block<1, 6>(p.coordinate + i, p.unknown) = forceRow.transpose();
    }
}

void CoordinateVector::addHessian(const AssemblyView& view, const State& state, const VectorX& f,
                                  Real scale, Eigen::Ref<MatrixX> H) const {
  Vector6 positionRow, forceRow;
  Matrix6 hessian;
  for (const Part& p : parts_) {
    if (p.plain) continue;
    for (int i = 0; i < p.coordinates; ++i) {
      view.behaviour(p.node).coordinateRows(view.item(Category::node, p.node.value),
                                            viewOf(state, view.place(p.node)), i,
                                            positionRow.data(), forceRow.data(), hessian.data());
      H.block<6, 6>(p.unknown, p.unknown) += (scale * f[p.coordinate + i]) * hessian;
    }
  }
}

}  // namespace catena
