// Frames that follow the coordinates of one or several nodes: links of a kinematic tree, points of
// a cable, points on a mesh.
//
// Connectors, loads and joints treat them as any frame: with the tangent (dr world, dtheta
// body-fixed). The assembly then maps rows and columns of this tangent to the coordinates q:
//   (dr, dtheta) = J dq,   velocity and omega = J v,   acceleration and alpha = J a + H v,
//   H = d(J v) / dq,       generalised force of a wrench w = J^T w, with stiffness d(J^T w) / dq.
#pragma once

#include "items/coordinate_vector.h"

namespace catena {

class DependentFrame {
 public:
  // The coordinates of the nodes must be unknowns themselves, as those of points and of generic,
  // planar and slope nodes are; throws ModelError(where + ...) else.
  DependentFrame(const AssemblyView& view, const std::vector<NodeIndex>& nodes,
                 const std::string& where);
  virtual ~DependentFrame() = default;

  const CoordinateVector& coordinates() const { return coordinates_; }

  // q: displacements; total = q + coordinates().reference().
  virtual Vector3 referencePosition() const = 0;
  virtual void pose(const VectorX& q, Vector3& displacement, Matrix3& rotation) const = 0;
  virtual void jacobian(const VectorX& q, Matrix6X& J) const = 0;
  virtual void rateGradient(const VectorX& q, const VectorX& v, Matrix6X& H) const = 0;

  // Adds scale d(J^T w)/dq to K; w: force (world), torque (body-fixed).
  void addWrenchStiffness(const VectorX& q, const Vector6& w, Real scale, MatrixX& K) const;

  // All of motion from q, v, a, into the frame.
  void evaluate(DependentMotion& motion, Frame& frame) const;

 private:
  CoordinateVector coordinates_;
};

}  // namespace catena
