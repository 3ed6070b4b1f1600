#include "items/dependent_frame.h"

namespace catena {

DependentFrame::DependentFrame(const AssemblyView& view, const std::vector<NodeIndex>& nodes,
                               const std::string& where)
    : coordinates_(view, nodes) {
  for (const NodeIndex node : nodes)
    if (view.layout(node).shape.rotations == 3)
      throw ModelError(where + ": " + view.where(Category::node, node.value) +
                       " has rotations in space; a marker on the mesh needs nodes whose "
                       "coordinates are displacements, e.g. Point");
}

void DependentFrame::addWrenchStiffness(const VectorX& q, const Vector6& w, Real scale,
                                        MatrixX& K) const {
  thread_local VectorX direction;  // grow once, then keep their memory
  thread_local Matrix6X H;
  const int n = static_cast<int>(q.size());
  direction.setZero(n);
  for (int i = 0; i < n; ++i) {
    direction[i] = 1;
    rateGradient(q, direction, H);
    direction[i] = 0;
    K.row(i).noalias() += scale * (w.transpose() * H);
  }
}

void DependentFrame::evaluate(DependentMotion& m, Frame& frame) const {
  pose(m.q, frame.displacement, frame.rotation);
  jacobian(m.q, m.J);
  rateGradient(m.q, m.v, m.H);
  const Vector6 rate = m.J * m.v;
  const Vector6 secondRate = m.J * m.a + m.H * m.v;
  frame.velocity = rate.head<3>();
  frame.omega = rate.tail<3>();
  frame.acceleration = secondRate.head<3>();
  frame.alpha = secondRate.tail<3>();
}

}  // namespace catena
