// Frames at points that are combinations of the positions and slopes of slope nodes: points of a
// cable, its centre of mass, a slope node itself.
#pragma once

#include "items/dependent_frame.h"

namespace catena {

// D = 2: in the x-y plane, turned by the angle of the slope. D = 3: in space, never turned. The
// coordinates are blocks of D values (position, slope, position, ...): origin = sum of shape_i
// block_i, slope = sum of slope_i block_i.
template <int D>
class SlopeFrame final : public DependentFrame {
  using Vector = MatrixOf<Real, D>;

 public:
  SlopeFrame(const AssemblyView& view, const std::vector<NodeIndex>& nodes,
             const std::string& where, VectorX shape, VectorX slope)
      : DependentFrame(view, nodes, where), shape_(std::move(shape)), slope_(std::move(slope)) {}

  Vector3 referencePosition() const override {
    return inSpace(combination(coordinates().reference(), shape_));
  }
  void pose(const VectorX& q, Vector3& displacement, Matrix3& rotation) const override {
    displacement = inSpace(combination(q, shape_));
    rotation.setIdentity();
    if constexpr (D == 2) {
      const Vector t = slope(q).normalized();
      rotation.topLeftCorner<2, 2>() << t[0], -t[1], t[1], t[0];
    }
  }
  void jacobian(const VectorX& q, Matrix6X& J) const override {
    J.setZero(6, q.size());
    for (int i = 0; i < shape_.size(); ++i)
      for (int d = 0; d < D; ++d) J(d, D * i + d) = shape_[i];
    if constexpr (D == 2) {
      const Vector s = slope(q), byS = Vector(-s[1], s[0]) / s.squaredNorm();
      for (int i = 0; i < slope_.size(); ++i)
        J.template block<1, 2>(5, 2 * i) = slope_[i] * byS.transpose();
    }
  }
  void rateGradient(const VectorX& q, const VectorX& v, Matrix6X& H) const override {
    H.setZero(6, q.size());
    if constexpr (D == 2) {
      const Vector s = slope(q), rate = combination(v, slope_);
      const Real s2 = s.squaredNorm();
      const Real turning = (s[0] * rate[1] - s[1] * rate[0]) / s2;
      const Vector byS = (Vector(rate[1], -rate[0]) - 2 * turning * s) / s2;
      for (int i = 0; i < slope_.size(); ++i)
        H.template block<1, 2>(5, 2 * i) = slope_[i] * byS.transpose();
    }
  }

 private:
  static Vector combination(const VectorX& q, const VectorX& factors) {
    Vector x = Vector::Zero();
    for (int i = 0; i < factors.size(); ++i) x += factors[i] * q.template segment<D>(D * i);
    return x;
  }
  Vector slope(const VectorX& q) const {
    return combination(q, slope_) + combination(coordinates().reference(), slope_);
  }
  static Vector3 inSpace(const Vector& x) { return {x[0], x[1], D == 3 ? x[D - 1] : 0}; }

  VectorX shape_, slope_;
};

}  // namespace catena
