// A frame that follows some nodes of a mesh: weighted mean of their positions, and their mean
// rotation about it.
#pragma once

#include "items/dependent_frame.h"

namespace catena {

class MeshFrame final : public DependentFrame {
 public:
  // One weight per node. offset: from the mean to the origin of the frame, world axes.
  MeshFrame(const AssemblyView& view, const std::vector<NodeIndex>& nodes, const VectorX& weights,
            const Vector3& offset, const std::string& where);

  // The rotation of least squares, linear in the displacements u: theta = W^-1 sum w p x u with
  // W = -sum w skew(p)^2 and p the reference positions relative to their mean; A = exp(theta).
  // meanLever: theta = sum w p x u / sum w |p|^2 instead. Throws ModelError for nodes on a line.
  void addRotation(bool meanLever, const std::string& where);

  Vector3 referencePosition() const override { return origin_; }
  void pose(const VectorX& q, Vector3& displacement, Matrix3& rotation) const override;
  void jacobian(const VectorX& q, Matrix6X& J) const override;
  void rateGradient(const VectorX& q, const VectorX& v, Matrix6X& H) const override;

 private:
  using Map = MatrixOf<Real, 3, Eigen::Dynamic>;
  struct Point {
    int coordinate, dimensions;
    Vector3 reference;
  };

  std::vector<Point> points_;
  VectorX weights_;
  Vector3 mean_, origin_;
  Map translation_, rotation_;  // displacement of the mean and theta from q
};

}  // namespace catena
