#include "items/mesh_frame.h"

#include <Eigen/LU>

#include "kernels/rotation.h"

namespace catena {
namespace {

// d(T(phi) w) / d phi for the tangent T = I - b skew(phi) + g skew(phi)^2, b and g functions of
// s = |phi|^2.
Matrix3 tangentProductDerivative(const Vector3& phi, const Vector3& w) {
  const Real s = phi.squaredNorm();
  Real b, bRate, g, gRate;  // rates by s
  if (s < 1e-3) {
    b = 0.5 - s / 24 + s * s / 720;
    bRate = -1.0 / 24 + s / 360 - s * s / 13440;
    g = 1.0 / 6 - s / 120 + s * s / 5040;
    gRate = -1.0 / 120 + s / 2520 - s * s / 120960;
  } else {
    const Real x = std::sqrt(s), oneMinusCos = 2 * std::pow(std::sin(x / 2), 2);
    b = oneMinusCos / s;
    bRate = (std::sin(x) / s - 2 * oneMinusCos / (s * x)) / (2 * x);
    g = (x - std::sin(x)) / (s * x);
    gRate = (oneMinusCos / (s * x) - 3 * (x - std::sin(x)) / (s * s)) / (2 * x);
  }
  const Vector3 once = phi.cross(w), twice = phi.cross(once);
  return -2 * bRate * once * phi.transpose() + b * skew(w) + 2 * gRate * twice * phi.transpose() -
         g * (skew(once) + skew(phi) * skew(w));
}

}  // namespace

MeshFrame::MeshFrame(const AssemblyView& view, const std::vector<NodeIndex>& nodes,
                     const VectorX& weights, const Vector3& offset, const std::string& where)
    : DependentFrame(view, nodes, where), weights_(weights), mean_(Vector3::Zero()) {
  int coordinate = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeLayout& layout = view.layout(nodes[i]);
    if (layout.coordinates && layout.shape.translations < 2)
      throw ModelError(where + ": " + view.where(Category::node, nodes[i].value) +
                       " has no position; the mesh must consist of nodes like Point or Point2D");
    const Vector3 reference =
        view.behaviour(nodes[i]).referencePosition(view.item(Category::node, nodes[i].value));
    points_.push_back({coordinate, layout.shape.translations, reference});
    coordinate += layout.coordinates;
    mean_ += weights_[i] * reference;
  }
  origin_ = mean_ + offset;
  translation_.setZero(3, coordinate);
  rotation_.setZero(3, coordinate);
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (int d = 0; d < points_[i].dimensions; ++d)
      translation_(d, points_[i].coordinate + d) = weights_[i];
}

void MeshFrame::addRotation(bool meanLever, const std::string& where) {
  Matrix3 W = Matrix3::Zero();
  Real lever = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Matrix3 px = skew(Vector3(points_[i].reference - mean_));
    W -= weights_[i] * px * px;
    lever += weights_[i] * (points_[i].reference - mean_).squaredNorm();
    for (int d = 0; d < points_[i].dimensions; ++d)
      rotation_.col(points_[i].coordinate + d) = weights_[i] * px.col(d);
  }
  // sum w p x (u - mean u) = sum w p x u, for sum w p = 0
  if (!(std::abs(W.determinant()) > 1e-10 * std::pow(std::abs(lever), 3)))
    throw ModelError(where +
                     ": its mesh nodes lie on a line, so that they define no rotation; "
                     "take at least three nodes that do not");
  rotation_ = (meanLever ? Map(rotation_ / lever) : Map(W.inverse() * rotation_)).eval();
}

void MeshFrame::pose(const VectorX& q, Vector3& displacement, Matrix3& rotation) const {
  displacement = translation_ * q;
  rotation = expSO3(rotation_ * q);
}

void MeshFrame::jacobian(const VectorX& q, Matrix6X& J) const {
  J.resize(6, q.size());
  J.topRows<3>() = translation_;
  J.bottomRows<3>().noalias() = tangentSO3(rotation_ * q) * rotation_;
}

void MeshFrame::rateGradient(const VectorX& q, const VectorX& v, Matrix6X& H) const {
  H.resize(6, q.size());
  H.topRows<3>().setZero();
  H.bottomRows<3>().noalias() = tangentProductDerivative(rotation_ * q, rotation_ * v) * rotation_;
}

}  // namespace catena
